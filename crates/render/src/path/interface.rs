//! Clear boundaries: reflection and refraction, smooth or rough (Walter et al. 2007), between nested bodies.

use glam::Vec3;

use super::direct::sheet_reflectance;
use super::{Path, Recorder, Step, Tracer};
use crate::math::{Basis, offset_origin};
use crate::random::Sampler;
use crate::shade::{Facets, dielectric_reflectance, reflect, refract};
use crate::world::Surface;

/// Branches of less weight than this are not worth a path of their own.
const SPLIT_WEIGHT: f32 = 0.01;

/// Two ways to go on from a clear boundary.
struct Fork {
    /// Share of light that is reflected.
    reflectance: f32,
    mirrored: Path,
    /// None on total reflection.
    transmitted: Option<Path>,
}

impl Tracer<'_> {
    /// The path meets the surface of a clear body.
    pub(super) fn cross_boundary(
        &self,
        surface: &Surface,
        distance: f32,
        path: &mut Path,
        sampler: &mut Sampler,
        recorder: &mut Recorder<'_>,
        gathered: &mut Vec3,
    ) -> Step {
        let finish = &self.world.finishes[surface.finish as usize];
        let direction = path.ray.direction;
        let mut behind = path.media;
        if surface.geometric.dot(direction) < 0.0 {
            if let Some(medium) = finish.medium(surface.object, surface.colour) {
                behind.enter(medium);
            }
        } else {
            behind.leave(surface.object);
        }
        let (before, after) = (path.media.current(), behind.current());
        let index =
            |medium: Option<crate::shade::Medium>| medium.map_or(1.0, |medium| medium.index);
        let ratio = index(before) / index(after);
        let hidden = before.map(|medium| medium.object) == after.map(|medium| medium.object);
        let through = offset_origin(
            surface.point,
            surface.geometric * surface.geometric.dot(direction).signum(),
        );
        if hidden || (ratio - 1.0).abs() < 1e-4 {
            // A body of higher priority is on both sides, or nothing changes: the boundary is not there.
            path.media = behind;
            path.ray.origin = through;
            path.lamps = path.lamps.past_clear_body();
            path.bounces = path.bounces.saturating_sub(u32::from(!hidden));
            return Step::Continue;
        }
        if path.bounces == 0 {
            *gathered += self.exhausted(path, distance);
            return Step::End;
        }
        let facing = surface.facing(direction);
        let normal = facet_normal(&finish.facets, facing.shading, direction, sampler);
        let reflectance = dielectric_reflectance(-direction.dot(normal), ratio);
        let lamps = path.lamps.past_clear_body();
        let mirrored = Path {
            lamps,
            sees_backdrop: false,
            ..path.continued(
                offset_origin(surface.point, facing.geometric),
                upwards(reflect(direction, normal), facing.geometric),
            )
        };
        let bent = refract(direction, normal, ratio).map(|bent| Path {
            lamps,
            media: behind,
            ..path.continued(through, -upwards(-bent, facing.geometric))
        });
        let fork = Fork {
            reflectance,
            mirrored,
            transmitted: bent,
        };
        self.branch(fork, path, sampler, recorder, gathered)
    }

    /// The path meets a clear sheet without thickness.
    pub(super) fn cross_sheet(
        &self,
        surface: &Surface,
        distance: f32,
        path: &mut Path,
        sampler: &mut Sampler,
        recorder: &mut Recorder<'_>,
        gathered: &mut Vec3,
    ) -> Step {
        let finish = &self.world.finishes[surface.finish as usize];
        let direction = path.ray.direction;
        if path.bounces == 0 {
            *gathered += self.exhausted(path, distance);
            return Step::End;
        }
        let facing = surface.facing(direction);
        let normal = facet_normal(&finish.facets, facing.shading, direction, sampler);
        let once = dielectric_reflectance(-direction.dot(normal), 1.0 / finish.index);
        let mirrored = Path {
            lamps: path.lamps.past_clear_body(),
            sees_backdrop: false,
            ..path.continued(
                offset_origin(surface.point, facing.geometric),
                upwards(reflect(direction, normal), facing.geometric),
            )
        };
        // Straight through: lamps behind were sampled through the sheet and remain shared as they were.
        let mut straight =
            path.continued(offset_origin(surface.point, -facing.geometric), direction);
        straight.from_camera = path.from_camera;
        straight.weight *= finish.colour_with(surface.colour);
        let fork = Fork {
            reflectance: sheet_reflectance(once),
            mirrored,
            transmitted: Some(straight),
        };
        self.branch(fork, path, sampler, recorder, gathered)
    }

    /// Follows reflection and transmission both while splits last, then one of them at random.
    fn branch(
        &self,
        fork: Fork,
        path: &mut Path,
        sampler: &mut Sampler,
        recorder: &mut Recorder<'_>,
        gathered: &mut Vec3,
    ) -> Step {
        let Fork {
            reflectance,
            mut mirrored,
            transmitted,
        } = fork;
        let Some(mut transmitted) = transmitted else {
            *path = mirrored;
            return Step::Continue;
        };
        let lesser = path.weight.max_element() * reflectance.min(1.0 - reflectance);
        if path.splits > 0 && lesser > SPLIT_WEIGHT {
            mirrored.weight *= reflectance;
            mirrored.splits -= 1;
            // A faint reflection needs no second diffuse bounce.
            if reflectance < 0.5 {
                mirrored.diffuse = mirrored.diffuse.saturating_sub(1);
            }
            *gathered += self.follow(mirrored, sampler, Recorder::none());
            transmitted.weight *= 1.0 - reflectance;
            transmitted.splits -= 1;
            *path = transmitted;
        } else {
            let reflects = sampler.single() < reflectance;
            if reflects != (reflectance > 0.5) {
                recorder.lose_albedo();
            }
            *path = if reflects { mirrored } else { transmitted };
        }
        Step::Continue
    }
}

/// The normal that a ray meets: the surface's, or one of a rough surface's facets.
#[inline]
fn facet_normal(facets: &Facets, normal: Vec3, direction: Vec3, sampler: &mut Sampler) -> Vec3 {
    if facets.is_mirror() {
        return normal;
    }
    let basis = Basis::around(normal);
    basis.to_world(facets.sample(basis.to_local(-direction), sampler.pair()))
}

/// Bends `direction` so that it is on the side of `geometric`: interpolated normals can send it through the surface.
#[inline]
pub(super) fn upwards(direction: Vec3, geometric: Vec3) -> Vec3 {
    const LEAST: f32 = 1e-3;
    let along = direction.dot(geometric);
    if along >= LEAST {
        direction
    } else {
        (direction + (LEAST - along) * geometric).normalize()
    }
}
