//! Light below the surface of a milky body: a random walk until it leaves again (Chiang, Kutz and Burley 2016; Wrenninge,
//! Villemin and Hery 2017). Light enters with a cosine distribution and scatters evenly; the refraction at the surface is
//! part of the albedo inversion.
//!
//! Colour channels share a walk: each step draws its length for one of them, and all are weighted by the mean of their
//! densities (one-sample multiple importance sampling), which keeps weights bounded.

use glam::Vec3;

use super::Tracer;
use crate::math::{Basis, cosine_direction, exponential, offset_origin, sphere_direction};
use crate::random::Chain;
use crate::shade::Wander;
use crate::trace::{Ray, RayFrame};
use crate::world::Surface;

/// Scatterings after which a walk is given up; roulette ends nearly all long before.
const STEPS: u32 = 1024;
/// Scatterings after which roulette begins.
const CERTAIN_STEPS: u32 = 12;

impl Tracer<'_> {
    /// Walks from `entry`, whose normals point outwards, and returns where light leaves the same object and what share of
    /// it does; nothing when it is absorbed.
    pub(super) fn walk(
        &self,
        entry: &Surface,
        wander: Wander,
        time: f32,
        chain: &mut Chain,
    ) -> Option<(Surface, Vec3)> {
        let triangles = &self.world.triangles;
        let mut direction = -Basis::around(entry.shading).to_world(cosine_direction(chain.pair()));
        if direction.dot(entry.geometric) > -1e-3 {
            direction = -entry.geometric;
        }
        let mut origin = offset_origin(entry.point, -entry.geometric);
        let mut weight = Vec3::ONE;
        for step in 0..STEPS {
            let preference = weight * wander.albedo;
            let probabilities =
                preference / (preference.x + preference.y + preference.z).max(1e-20);
            let choice = chain.next();
            let channel = if choice < probabilities.x {
                0
            } else if choice < probabilities.x + probabilities.y {
                1
            } else {
                2
            };
            let length = -(1.0 - chain.next()).ln() / wander.extinction[channel];
            let ray = Ray {
                origin,
                direction,
                time,
            };
            if let Some(crossing) = triangles.nearest_of(entry.object, &RayFrame::new(&ray), length)
            {
                let surface = self.world.triangle_surface(&crossing, time);
                let left = exponential(-wander.extinction * crossing.distance);
                weight *= left / probabilities.dot(left).max(1e-20);
                if surface.geometric.dot(direction) > 0.0 {
                    return Some((surface, weight));
                }
                // The inside of an overlap of the body with itself: go on.
                origin = offset_origin(surface.point, -surface.geometric);
                continue;
            }
            let density = wander.extinction * exponential(-wander.extinction * length);
            weight *= wander.albedo * density / probabilities.dot(density).max(1e-20);
            if step >= CERTAIN_STEPS {
                let chance = weight.max_element().min(1.0);
                if chain.next() >= chance {
                    return None;
                }
                weight /= chance;
            }
            origin = ray.at(length);
            direction = sphere_direction(chain.pair());
        }
        None
    }
}
