//! The liquid as it is between steps, for those who look at it.

use glam::{IVec3, Vec3};
use ooze_commons::reduce;
use ooze_core::{Obstacles, Packing, Solids, gather};
use ooze_field::{Field, FieldByAxis, fraction};
use rayon::prelude::*;

use super::order::{CellOrder, tiles_around};
use super::surface::{SphereSizes, Surface};
use super::{FlipLiquid, MARGIN_CELLS, packing};
use crate::boundary::Boundary;

/// Rounds of volume correction when the volume is measured.
const ROUNDS_TO_MEASURE: usize = 4;

/// Fields of the last step.
pub(super) struct Observed {
    pub(super) liquid: Field<f32>,
    pub(super) velocity: FieldByAxis<f32>,
    pub(super) pressure: Field<f32>,
}

/// The surface of a liquid and what it was made from.
pub(super) struct Wrapped {
    order: CellOrder,
    boundary: Boundary,
    surface: Surface,
    sizes: SphereSizes,
    /// Volume of the particles that belong to no piece, in cubic metres.
    pub(super) spray: f64,
}

impl FlipLiquid {
    /// The liquid as it is now.
    pub(super) fn wrapped(&self, solids: &dyn Solids) -> Wrapped {
        let particles = &self.state.particles;
        let [mut free, _] = self.parted();
        let places = free.par_iter();
        let positions: Vec<Vec3> = places
            .map(|&index| particles.position[index as usize])
            .collect();
        let lattice = self.setup.domain.lattice();
        let topology = tiles_around(lattice, &positions, MARGIN_CELLS).build();
        let (order, permutation) = CellOrder::sort(topology.into(), &positions);
        gather(&mut free, &permutation);
        let positions = &particles.position;
        let flags = &particles.carried[self.channels.touching];
        let (sorted, mut touching): (Vec<Vec3>, Vec<u8>) = free
            .par_iter()
            .map(|&index| index as usize)
            .map(|index| (positions[index], flags[index]))
            .unzip();
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let weights = self.settings.pressure.wall_weights;
        let mut fixed = self.fixed.clone();
        let boundary = Boundary::rasterize(&order.topology, &obstacles, weights, &mut fixed);
        let surface = self.wrap(
            &order,
            &sorted,
            &mut touching,
            (&boundary, &obstacles),
            ROUNDS_TO_MEASURE,
        );
        let spray = surface.pieces.spray() as f64 * self.particle_volume();
        Wrapped {
            order,
            boundary,
            surface,
            sizes: SphereSizes::new(&lattice, self.settings.sampling),
            spray,
        }
    }
}

impl Wrapped {
    /// Volume of the liquid that the grid sees, without its bubbles, with the share of each cell that `counted` allows, in cubic
    /// metres.
    pub(super) fn volume(&self, counted: impl Fn(IVec3) -> f64 + Sync) -> f64 {
        let shares = fraction::cell_fractions(&self.surface.distance);
        let Surface {
            pieces, content, ..
        } = &self.surface;
        volume(&shares, |cell, index, share| {
            let piece = pieces.owner().values()[index];
            if piece == 0 {
                return 0.0;
            }
            let liquid = share - content.bubble(piece, index);
            liquid * counted(cell) * f64::from(self.boundary.room.values()[index])
        })
    }

    /// How evenly the particles fill it.
    pub(super) fn packing(&self) -> Packing {
        let cell_volume = self.order.topology.lattice().cell_volume();
        let Surface {
            distance, content, ..
        } = &self.surface;
        Packing {
            uncorrected_volume: content.uncorrected() * cell_volume + self.spray,
            filled_air: content.filled() * cell_volume,
            ..packing::of(&self.order, distance, &self.boundary, self.sizes.rest_count)
        }
    }
}

/// The volume in cubic metres of cells with shares of liquid; `counted` tells how much counts of a cell, by its number in storage
/// and its share.
fn volume(shares: &Field<f32>, counted: impl Fn(IVec3, usize, f64) -> f64 + Sync) -> f64 {
    let topology = shares.topology();
    let cells = reduce::sum_indices(topology.tile_count(), |slot| {
        let tile = shares.tile(slot).iter().enumerate();
        tile.filter(|&(_, &share)| share > 0.0)
            .map(|(local, &share)| {
                let index = slot * topology.tile_cells() + local;
                counted(topology.cell(slot, local), index, f64::from(share))
            })
            .sum()
    });
    cells * topology.lattice().cell_volume()
}
