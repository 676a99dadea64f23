//! How deep inside a shape a point can be, by branch and bound.
//!
//! The distance is 1-Lipschitz, so that no point of a cube is deeper than its centre's depth plus half its diagonal.
//! Cubes are split best first until one is deep enough or none can be.

use std::{cmp::Ordering, collections::BinaryHeap};

use glam::Vec3;

use super::Shape;

/// Cubes are not split below this fraction of the largest extent of the shape.
const FINEST: f32 = 1.0 / 1024.0;

/// An axis-aligned cube with an upper bound on the depth of its points.
struct Candidate {
    bound: f32,
    centre: Vec3,
    half_side: f32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// Whether some point of a bounded shape is deeper than `depth`; if not, the greatest depth found.
pub(super) fn reaches_depth(shape: &Shape, depth: f32) -> Result<(), f32> {
    let bounds = shape.bounds();
    let largest = bounds.extent().max_element();
    let candidate = |centre: Vec3, half_side: f32| -> (f32, Candidate) {
        let found = -shape.distance(centre);
        (
            found,
            Candidate {
                bound: found + 3.0_f32.sqrt() * half_side,
                centre,
                half_side,
            },
        )
    };
    let (mut deepest, root) = candidate(bounds.centre(), 0.5 * largest);
    let mut queue = BinaryHeap::from([root]);
    while deepest <= depth {
        let Some(cube) = queue.pop().filter(|cube| cube.bound > depth) else {
            return Err(deepest.max(0.0));
        };
        if cube.half_side < FINEST * largest {
            continue;
        }
        let half_side = 0.5 * cube.half_side;
        for corner in 0..8 {
            let offset = Vec3::from_array([0, 1, 2].map(|axis| {
                if corner >> axis & 1 == 1 {
                    half_side
                } else {
                    -half_side
                }
            }));
            let (found, child) = candidate(cube.centre + offset, half_side);
            deepest = deepest.max(found);
            queue.push(child);
        }
    }
    Ok(())
}
