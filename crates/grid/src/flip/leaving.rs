//! Whether elastic liquid may leave a wall that lets go.
//!
//! Whether it does is found from stress that acts explicitly (`separation`), so that steps are short as long as strained liquid
//! touches such a wall. Until it gets there, and once it has come off, steps may be as long as those of any other liquid.

use ooze_core::{Obstacles, SymmetricTensor, WallCondition};
use rayon::prelude::*;

use super::FlipLiquid;

impl FlipLiquid {
    /// Whether liquid that is strained touched a wall that lets go in the last step. Spray does not count, which is not strained.
    pub(super) fn may_leave_walls(&self, obstacles: &Obstacles<'_>) -> bool {
        let particles = &self.state.particles;
        let bodies: Vec<_> = obstacles
            .bodies()
            .filter(|&body| obstacles.contact(body).condition == WallCondition::Separating)
            .collect();
        let touching = &particles.carried[self.channels.touching];
        let strain = particles.carried.optional(self.channels.strain);
        let near = self.setup.domain.cell_size;
        !bodies.is_empty()
            && (0..particles.len()).into_par_iter().any(|index| {
                let position = particles.position[index];
                let beside = |&body| obstacles.distance(body, position) < near;
                touching[index] == 1
                    && strain[index] != SymmetricTensor::ZERO
                    && bodies.iter().any(beside)
            })
    }
}
