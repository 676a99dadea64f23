//! Spheres in blocks of four, for particles.

use glam::{Vec3, Vec4};

use super::build::{WIDTH, build};
use super::bvh::{Bvh, NONE};
use super::ray::RayFrame;
use ooze_geometry::Aabb;

/// Four spheres.
struct Lanes {
    centre: [Vec4; 3],
    radius: Vec4,
}

/// A cloud of spheres in one hierarchy.
#[derive(Default)]
pub(crate) struct SphereSet {
    bvh: Bvh,
    blocks: Vec<Lanes>,
    /// Which sphere each slot holds.
    indices: Vec<u32>,
}

impl SphereSet {
    /// Spheres of the given centres and radii.
    pub(crate) fn new(spheres: &[(Vec3, f32)]) -> Self {
        let boxes: Vec<Aabb> = spheres
            .iter()
            .map(|&(centre, radius)| Aabb {
                lower: centre - Vec3::splat(radius),
                upper: centre + Vec3::splat(radius),
            })
            .collect();
        let (bvh, leaves) = build(&boxes);
        let blocks = leaves
            .iter()
            .map(|leaf| {
                // A negative radius marks an empty lane: no ray meets it.
                let mut lanes = Lanes {
                    centre: [Vec4::ZERO; 3],
                    radius: Vec4::NEG_ONE,
                };
                for (lane, &index) in leaf.iter().enumerate().filter(|(_, index)| **index != NONE) {
                    let (centre, radius) = spheres[index as usize];
                    lanes.radius[lane] = radius;
                    for axis in 0..3 {
                        lanes.centre[axis][lane] = centre[axis];
                    }
                }
                lanes
            })
            .collect();
        Self {
            bvh,
            blocks,
            indices: leaves.into_iter().flatten().collect(),
        }
    }

    /// Distances at which the ray enters and leaves the spheres of a block; not a number where it misses.
    #[inline(always)]
    fn test(&self, block: usize, ray: &RayFrame) -> [Vec4; 2] {
        let lanes = &self.blocks[block];
        let offset: [Vec4; 3] = std::array::from_fn(|axis| ray.origin[axis] - lanes.centre[axis]);
        let along = -(0..3).fold(Vec4::ZERO, |sum, axis| {
            sum + offset[axis] * ray.direction[axis]
        });
        // The distance of the line from the centre, computed from the nearest point to keep digits (Haines et al. 2019).
        let beside = (0..3).fold(Vec4::ZERO, |sum, axis| {
            let component = offset[axis] + along * ray.direction[axis];
            sum + component * component
        });
        let inside = lanes.radius * lanes.radius - beside;
        let hit = inside.cmpge(Vec4::ZERO) & lanes.radius.cmpgt(Vec4::ZERO);
        let half = Vec4::from_array(inside.max(Vec4::ZERO).to_array().map(f32::sqrt));
        let miss = Vec4::splat(f32::NAN);
        [along - half, along + half].map(|distance| Vec4::select(hit, distance, miss))
    }

    /// The nearest crossing before `limit`: distance and index of the sphere.
    pub(crate) fn nearest(&self, ray: &RayFrame, limit: f32) -> Option<(f32, u32)> {
        let mut nearest = None;
        self.bvh.traverse(ray, limit, |block, mut limit| {
            for distance in self.test(block, ray) {
                let mut lanes =
                    (distance.cmpgt(Vec4::ZERO) & distance.cmplt(Vec4::splat(limit))).bitmask();
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    if distance[lane] < limit {
                        limit = distance[lane];
                        nearest = Some((limit, self.indices[block * WIDTH + lane]));
                    }
                }
            }
            limit
        });
        nearest
    }

    /// Whether any sphere lies across the ray before `limit`.
    pub(crate) fn blocks(&self, ray: &RayFrame, limit: f32) -> bool {
        let mut blocked = false;
        self.bvh.traverse(ray, limit, |block, limit| {
            blocked = self.test(block, ray).iter().any(|distance| {
                (distance.cmpgt(Vec4::ZERO) & distance.cmplt(Vec4::splat(limit))).any()
            });
            if blocked { -1.0 } else { limit }
        });
        blocked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sphere_direction;
    use crate::random::Sampler;
    use crate::trace::Ray;

    #[test]
    fn hierarchy_finds_what_brute_force_finds() {
        let mut chain = Sampler::new(7, 7, 7).chain();
        let spheres: Vec<(Vec3, f32)> = (0..2001)
            .map(|_| {
                (
                    Vec3::from_array(std::array::from_fn(|_| chain.next() * 2.0 - 1.0)),
                    0.01 + 0.03 * chain.next(),
                )
            })
            .collect();
        let set = SphereSet::new(&spheres);
        let mut hits = 0;
        for _ in 0..3000 {
            let origin = Vec3::from_array(std::array::from_fn(|_| chain.next() * 3.0 - 1.5));
            let ray = Ray {
                origin,
                direction: sphere_direction(chain.pair()),
                time: 0.0,
            };
            let expected = spheres
                .iter()
                .filter_map(|&(centre, radius)| {
                    let (centre, radius) = ((ray.origin - centre).as_dvec3(), f64::from(radius));
                    let direction = ray.direction.as_dvec3();
                    let along = -centre.dot(direction);
                    let inside = radius * radius - (centre + direction * along).length_squared();
                    let half = inside.sqrt();
                    [along - half, along + half]
                        .into_iter()
                        .find(|distance| *distance > 0.0)
                })
                .fold(f64::MAX, f64::min);
            let frame = RayFrame::new(&ray);
            match set.nearest(&frame, f32::MAX) {
                Some((distance, _)) => {
                    hits += 1;
                    assert!((f64::from(distance) - expected).abs() < 1e-4);
                    assert!(
                        set.blocks(&frame, distance + 1e-3) && !set.blocks(&frame, distance - 1e-3)
                    );
                }
                None => assert!(expected == f64::MAX),
            }
        }
        assert!(hits > 500);
    }
}
