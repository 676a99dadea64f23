//! Light straight from lamps, through clear bodies where they are in the way.

use glam::Vec3;
use std::f32::consts::PI;

use super::Tracer;
use crate::math::{exponential, offset_origin};
use crate::random::Sampler;
use crate::shade::{Shadow, dielectric_reflectance};
use crate::trace::{Ray, RayFrame};
use crate::world::Surface;

/// What a point makes of light from one direction: the share that goes on to the camera, the incident cosine included,
/// and the density with which the path itself would choose that direction.
pub(super) struct Response {
    pub(super) share: Vec3,
    pub(super) density: f32,
}

/// What passes along a line towards a lamp.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The share of light.
    passed: Vec3,
    /// Whether it went through bodies that a scattered path would not pass straight.
    through_bodies: bool,
}

impl Line {
    const BLOCKED: Self = Self {
        passed: Vec3::ZERO,
        through_bodies: false,
    };
}

/// A point that lamps shine on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver {
    pub(super) point: Vec3,
    /// The surface's normal; none inside a haze.
    pub(super) normal: Option<Vec3>,
    /// The object it belongs to, whose own milkiness lets light through to it; none inside a haze.
    pub(super) object: Option<u32>,
    pub(super) time: f32,
}

impl Receiver {
    pub(super) fn on(surface: &Surface, time: f32) -> Self {
        Self {
            point: surface.point,
            normal: Some(surface.shading),
            object: Some(surface.object),
            time,
        }
    }
}

impl Tracer<'_> {
    /// Light from one lamp, drawn at random, that arrives at a point and goes on to the camera as `respond` says: a list
    /// of lobes for a direction. Lines towards lamps start where `origin` says.
    pub(super) fn lamp_direct<const LOBES: usize>(
        &self,
        receiver: Receiver,
        sampler: &mut Sampler,
        origin: impl Fn(Vec3) -> Vec3,
        respond: impl Fn(Vec3) -> [Response; LOBES],
    ) -> Vec3 {
        let (choice, square) = (sampler.single(), sampler.pair());
        let Some(sample) = self
            .world
            .lamps
            .sample(receiver.point, receiver.normal, choice, square)
        else {
            return Vec3::ZERO;
        };
        let lobes = respond(sample.direction);
        let alone: Vec3 = lobes.iter().map(|lobe| lobe.share / sample.density).sum();
        if (alone * sample.radiance).max_element() < 1e-5 {
            return Vec3::ZERO;
        }
        let ray = Ray {
            origin: origin(sample.direction),
            direction: sample.direction,
            time: receiver.time,
        };
        let line = self.transmittance(&ray, sample.distance, receiver.object);
        // Scattered paths count a lamp behind a clear body for nothing, so here it counts whole.
        let share = if line.through_bodies {
            alone
        } else {
            lobes
                .iter()
                .map(|lobe| lobe.share / (sample.density + lobe.density))
                .sum()
        };
        share * sample.radiance * line.passed
    }

    /// What passes straight along `ray` over a distance.
    ///
    /// Path lengths inside clear bodies need no order of crossings: the length inside a closed body is the sum of the
    /// distances at which the line leaves it less those at which it enters, also when it starts inside.
    fn transmittance(&self, ray: &Ray, distance: f32, receiver: Option<u32>) -> Line {
        let limit = distance * (1.0 - 1e-4);
        if let Some(ground) = &self.world.stage.ground
            && (ray.origin.y - ground.height) * (ray.at(limit).y - ground.height) < 0.0
        {
            return Line::BLOCKED;
        }
        let frame = RayFrame::new(ray);
        if self.world.spheres.blocks(&frame, limit) {
            return Line::BLOCKED;
        }
        let mut through_bodies = false;
        let mut optical_depth = Vec3::ZERO;
        let mut passed = Vec3::ONE;
        let triangles = &self.world.triangles;
        triangles.each_crossing(&frame, limit, |crossing| {
            let object = triangles.object(crossing.slot);
            let finish = &self.world.finishes[object as usize];
            let shadow = finish.shadow(|| self.world.crossing_colour(&crossing));
            let opaque = match shadow {
                Shadow::Opaque => true,
                // Milky bodies shine through for themselves, but their shadows on others are dark.
                Shadow::Translucent { .. } => receiver != Some(object),
                Shadow::Clear { .. } | Shadow::Sheet { .. } => false,
            };
            if opaque {
                passed = Vec3::ZERO;
                return false;
            }
            let [a, b, c] = triangles.corners(crossing.slot, ray.time);
            let leaves = (b - a).cross(c - a).dot(ray.direction) > 0.0;
            let along = if leaves {
                crossing.distance
            } else {
                -crossing.distance
            };
            // The angle outside, on both sides of the body: the line is not bent, so it never reflects totally.
            let cosine = || {
                let normals = triangles.normals(crossing.slot);
                let normal: Vec3 = (0..3)
                    .map(|corner| normals[corner] * crossing.weights[corner])
                    .sum();
                normal.normalize_or(Vec3::Y).dot(ray.direction).abs()
            };
            match shadow {
                Shadow::Opaque => {}
                Shadow::Clear { absorption } => {
                    through_bodies = true;
                    optical_depth += along * absorption;
                    passed *= 1.0 - dielectric_reflectance(cosine(), 1.0 / finish.index);
                }
                Shadow::Sheet { colour } => {
                    let once = dielectric_reflectance(cosine(), 1.0 / finish.index);
                    passed *= colour * (1.0 - sheet_reflectance(once));
                }
                Shadow::Translucent { attenuation } => {
                    through_bodies = true;
                    optical_depth += along * attenuation;
                }
            }
            true
        });
        Line {
            passed: passed * exponential(-optical_depth.max(Vec3::ZERO)),
            through_bodies,
        }
    }
}

/// Reflectance of a thin sheet from that of one of its sides, all inner reflections included: 2R / (1 + R).
#[inline]
pub(super) fn sheet_reflectance(once: f32) -> f32 {
    2.0 * once / (1.0 + once)
}

/// The response of a diffuse surface with the given unit normal, which reflects `albedo`; light wraps around its
/// terminator by `wrap` per channel, keeping its total: max(0, cos θ + w) / (1 + w)².
#[inline]
pub(super) fn diffuse_response(
    normal: Vec3,
    albedo: Vec3,
    wrap: Vec3,
    direction: Vec3,
) -> Response {
    let cosine = normal.dot(direction);
    let whole = Vec3::ONE + wrap;
    let wrapped = (Vec3::splat(cosine) + wrap).max(Vec3::ZERO) / (whole * whole);
    Response {
        share: albedo * wrapped / PI,
        density: cosine.max(0.0) / PI,
    }
}

/// Where a line from a surface towards a lamp starts.
#[inline]
pub(super) fn line_origin(point: Vec3, lifted: Vec3, geometric: Vec3, direction: Vec3) -> Vec3 {
    if geometric.dot(direction) >= 0.0 {
        offset_origin(lifted, geometric)
    } else {
        offset_origin(point, -geometric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sphere_direction;

    #[test]
    fn wrapped_light_keeps_its_total() {
        let side = 600;
        for wrap in [0.0, 0.3, 0.9] {
            let total: f64 = (0..side * side)
                .map(|i| {
                    let square = [
                        ((i % side) as f32 + 0.5) / side as f32,
                        ((i / side) as f32 + 0.5) / side as f32,
                    ];
                    let response = diffuse_response(
                        Vec3::Y,
                        Vec3::ONE,
                        Vec3::splat(wrap),
                        sphere_direction(square),
                    );
                    f64::from(response.share.x) * 4.0 * std::f64::consts::PI
                })
                .sum::<f64>()
                / f64::from(side * side);
            assert!((total - 1.0).abs() < 2e-3, "{wrap}: {total}");
        }
    }

    #[test]
    fn sheet_sums_the_inner_reflections() {
        let once = 0.04_f64;
        let mut sum = once;
        let mut inside = (1.0 - once) * once * (1.0 - once);
        for _ in 0..50 {
            sum += inside;
            inside *= once * once;
        }
        assert!((f64::from(sheet_reflectance(once as f32)) - sum).abs() < 1e-6);
    }
}
