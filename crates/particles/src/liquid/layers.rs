//! The layers of particles that free bodies take along, and what they weigh beside the bodies themselves.

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{Solid, SpatialInertia};
use rayon::prelude::*;

use crate::CHUNK;
use crate::boundary::contact::Touches;

/// The layers of particles that bodies take along, by solids and about their centres of mass.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    of: Vec<SpatialInertia>,
}

impl Layers {
    /// Layers that are known already.
    #[cfg(test)]
    pub fn of(layers: impl IntoIterator<Item = SpatialInertia>) -> Self {
        Self {
            of: layers.into_iter().collect(),
        }
    }

    /// What the layer at a solid weighs.
    pub fn at(&self, solid: usize) -> SpatialInertia {
        self.of.get(solid).copied().unwrap_or(SpatialInertia::ZERO)
    }

    /// Those of particles of some masses beside solids, which they touch within `reach`.
    pub fn around(
        touches: &Touches,
        positions: &[Vec3],
        mass: impl Fn(usize) -> f32 + Sync,
        reach: f32,
        solids: &[Solid],
    ) -> Self {
        if solids.iter().all(|solid| solid.free.is_none()) {
            return Self::default();
        }
        let centre = |solid: &Solid| {
            let free = solid.free.as_ref()?;
            Some(solid.end.to_world(free.centre).as_dvec3())
        };
        let centres: Vec<Option<DVec3>> = solids.iter().map(centre).collect();
        let chunks: Vec<Vec<SpatialInertia>> = positions
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let mut sums = vec![SpatialInertia::ZERO; solids.len()];
                for (local, point) in points.iter().enumerate() {
                    let index = chunk * CHUNK + local;
                    for touch in touches.of(index) {
                        let number = usize::from(touch.body.0);
                        let Some(Some(centre)) = centres.get(number) else {
                            continue;
                        };
                        let share = (1.0 - touch.distance / reach).clamp(0.0, 1.0);
                        let normal = touch.normal.as_dvec3();
                        let columns = normal.to_array().map(|size| normal * size);
                        let across = DMat3::from_cols(columns[0], columns[1], columns[2]);
                        let drawn = touch.contact.condition.holds() || touch.contact.friction > 0.0;
                        let ways = if drawn { DMat3::IDENTITY } else { across };
                        let weight = f64::from(mass(index) * share);
                        sums[number].add_point(point.as_dvec3() - *centre, ways * weight);
                    }
                }
                sums
            })
            .collect();
        let mut of = vec![SpatialInertia::ZERO; solids.len()];
        for chunk in &chunks {
            for (sum, part) in of.iter_mut().zip(chunk) {
                *sum = sum.plus(part);
            }
        }
        Self { of }
    }
}
