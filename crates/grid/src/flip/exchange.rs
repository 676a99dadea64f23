//! Numbers that particles carry, shown to the cells by the rule of their channel.

use ooze_commons::reduce;
use ooze_core::{Exchange, Handle, Mean, ParticleSet};
use ooze_field::{Field, Place, level_set};
use rayon::prelude::*;

use super::order::CellOrder;

/// Smallest share of the largest value that is told from zero: means of logarithms need a floor.
const LEAST_SHARE: f32 = 1e-9;

/// The values at cell centres of a channel that cells may see: the mean of a cell's particles, continued by some layers of cells
/// to those that hold liquid and no particle. Cells farther off hold zero.
pub(crate) fn to_cells(
    order: &CellOrder,
    particles: &ParticleSet,
    channel: Handle<f32>,
    layers: u32,
) -> Field<f32> {
    let values = &particles.carried[channel];
    match particles.carried.exchange(channel) {
        Exchange::None => Field::new(&order.topology, Place::Cell, 0.0),
        Exchange::ToCells(mean) => cell_means(order, values, mean, layers),
    }
}

/// Means of the values of each cell's particles, continued by some layers of cells.
fn cell_means(order: &CellOrder, values: &[f32], mean: Mean, layers: u32) -> Field<f32> {
    let extended = |(mut cells, mut known): (Field<f32>, Field<u8>)| {
        level_set::extrapolate(&mut cells, &mut known, layers);
        (cells, known)
    };
    match mean {
        Mean::Arithmetic => extended(means_of(order, values, |value| value)).0,
        Mean::Geometric => {
            let least = LEAST_SHARE * reduce::max(values, |&value| value);
            let logarithms = means_of(order, values, |value| value.max(least).ln());
            let (mut cells, known) = extended(logarithms);
            exponentiate(&mut cells, &known);
            cells
        }
    }
}

/// The mean over each cell's particles of what `map` makes of their values, and marks of the cells that have any.
fn means_of(
    order: &CellOrder,
    values: &[f32],
    map: impl Fn(f32) -> f32 + Sync,
) -> (Field<f32>, Field<u8>) {
    let topology = &order.topology;
    let cells = topology.tile_cells();
    let mut means = Field::new(topology, Place::Cell, 0.0);
    let mut known = Field::new(topology, Place::Cell, 0u8);
    means
        .par_tiles_mut()
        .zip(known.par_tiles_mut())
        .for_each(|((slot, means), (_, known))| {
            for (local, (mean, known)) in means.iter_mut().zip(known).enumerate() {
                let own = &values[order.cell_particles(slot * cells + local)];
                if !own.is_empty() {
                    let sum: f32 = own.iter().map(|&own| map(own)).sum();
                    *mean = sum / own.len() as f32;
                    *known = 1;
                }
            }
        });
    (means, known)
}

/// Turns known logarithms into what they are of; the rest into zero.
fn exponentiate(logarithms: &mut Field<f32>, known: &Field<u8>) {
    logarithms.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &known) in tile.iter_mut().zip(known.tile(slot)) {
            *value = if known == 0 { 0.0 } else { value.exp() };
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{IVec3, Vec3};
    use ooze_core::random::uniform;
    use ooze_core::{Birth, ChannelRule, Material};
    use ooze_field::Lattice;

    use super::super::order::tiles_around;
    use super::*;

    const CELL: f32 = 0.1;

    /// Particles whose values grow along x and scatter around that, exchanged by a rule.
    fn cloud(exchange: Exchange) -> (CellOrder, ParticleSet, Handle<f32>) {
        let lattice = Lattice::new(Vec3::ZERO, CELL, IVec3::splat(8), false);
        let mut particles = ParticleSet::default();
        let rule = ChannelRule::new("warmth", |birth| birth.position.x);
        let channel = particles.carried.register(rule.exchanged(exchange));
        for index in 0..4_000 {
            let material = Material::newtonian("water", 1000.0, 0.0, 0.0);
            let birth = Birth::new(
                Vec3::from_array([0, 1, 2].map(|axis| 0.8 * uniform(axis, index))),
                &material,
            );
            particles.push(&birth, Vec3::ZERO, index as u32, 0);
        }
        for (index, value) in particles.carried[channel].iter_mut().enumerate() {
            *value += 3.0 + uniform(3, index as u64);
        }
        let topology = Arc::new(tiles_around(lattice, &particles.position, 2).build());
        let (order, permutation) = CellOrder::sort(topology, &particles.position);
        particles.gather(&permutation);
        (order, particles, channel)
    }

    #[test]
    fn cells_hold_the_mean_that_the_rule_asks_for() {
        for mean in [Mean::Arithmetic, Mean::Geometric] {
            let (order, particles, channel) = cloud(Exchange::ToCells(mean));
            let cells = to_cells(&order, &particles, channel, 0);
            let index = order.topology.index(IVec3::new(3, 4, 5)).expect("a cell");
            let own = &particles.carried[channel][order.cell_particles(index)];
            let count = own.len() as f32;
            let expected = match mean {
                Mean::Arithmetic => own.iter().sum::<f32>() / count,
                Mean::Geometric => own.iter().product::<f32>().powf(1.0 / count),
            };
            let found = cells.values()[index];
            assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
        }
    }
}
