//! What walls made of particles do in the force-based liquid: their pressures, and how the densities of sampled ones evolve.

use glam::Vec3;

use super::density::{self, Flow, Sums};
use crate::boundary::contact::Touches;
use crate::boundary::samples::WallSamples;
use crate::liquid::surroundings::{Surroundings, WallSums};
use crate::liquid::walls::{WallForm, WallState, Walls};
use crate::neighbours::{Neighbours, Rows, sorted_order};
use crate::resolution::Resolution;

/// Pressures of the walls' particles. `liquid` are the pressures of the liquid's, `growth` is that of the pressure of the
/// weight in Pa/m.
pub fn pressures(
    walls: &Walls,
    form: WallForm,
    state: &WallState,
    stiffness: f32,
    liquid: impl Fn(usize) -> (Vec3, f32),
    growth: Vec3,
) -> Vec<f32> {
    let each = walls.position.iter().zip(&walls.source);
    each.map(|(&position, &source)| match form {
        WallForm::Distance => 0.0,
        WallForm::Ghosts => {
            let (origin, pressure) = liquid(source as usize);
            // Behind a floor the weight adds to the pressure, as it does above.
            let deeper = growth.dot(position - origin);
            if pressure > 0.0 {
                (pressure + deeper).max(0.0)
            } else {
                pressure
            }
        }
        WallForm::Particles => (stiffness * (state.compression[source as usize] - 1.0)).max(0.0),
    })
    .collect()
}

/// Changes the densities of the wall set by the flow of the liquid towards it. `flow` is that of a step whose particles
/// are at `middle`.
pub fn evolve(
    walls: &Walls,
    samples: &WallSamples,
    flow: &Flow<'_>,
    middle: &[Vec3],
    resolution: &Resolution,
    state: &mut WallState,
    dt: f32,
) {
    let radius = resolution.radius;
    let order = sorted_order(middle, radius, resolution.flat());
    let sorted: Vec<Vec3> = order.iter().map(|&index| middle[index as usize]).collect();
    let rows = Rows::of_sorted(&sorted, radius, resolution.flat(), 0);
    let padding = middle.len() as u32;
    let mut lists = Neighbours::among(&walls.position, &rows, padding);
    lists.rename(|index| order.get(index as usize).copied().unwrap_or(padding));
    let around = Surroundings {
        neighbours: &lists,
        first: middle.len() + 1,
        walls: WallSums::None,
        ..flow.around
    };
    let mut sums = vec![Sums::default(); walls.position.len()];
    density::sums(&Flow { around, ..*flow }, &mut sums);
    for (sums, &source) in sums.iter().zip(&walls.source) {
        let source = source as usize;
        if samples.depth[source] > 0.0 {
            let compression = &mut state.compression[source];
            let rate = sums.diffusion - *compression * sums.divergence;
            *compression = (*compression + rate * dt).max(1.0);
        }
    }
}

/// What stands for walls in sums.
pub fn sums_of<'a>(walls: &'a Walls, touches: &'a Touches) -> WallSums<'a> {
    match &walls.lists {
        Some(lists) => WallSums::Particles(lists),
        None => WallSums::Integrals(touches),
    }
}
