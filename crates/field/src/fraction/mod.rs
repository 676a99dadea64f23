//! Shares of lengths, areas and volumes on one side of a level set.

mod area;
mod linear;
mod octants;
mod rows;
mod volume;

pub use area::area_fractions;
pub use linear::{linear_fraction, quad_centroid, quad_fraction, triangle_fraction};
pub use volume::{
    VolumeFractions, cell_fractions, cell_fractions_and_middles, cell_fractions_in, volume,
};

use rayon::prelude::*;

use crate::{Field, NO_TILE};

/// On which side of a level set a tile and its 26 neighbours lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Every value is below the lower limit.
    Inside,
    /// No value is below the upper limit.
    Outside,
    /// The surface passes through the tile or close to it.
    Mixed,
}

impl Side {
    /// The side of a group of values.
    fn of(values: &[f32], margin: f32) -> Self {
        let inside: usize = values
            .iter()
            .map(|&value| usize::from(value < -margin))
            .sum();
        let outside: usize = values
            .iter()
            .map(|&value| usize::from(value >= margin))
            .sum();
        if inside == values.len() {
            Self::Inside
        } else if outside == values.len() {
            Self::Outside
        } else {
            Self::Mixed
        }
    }

    /// The side of both together.
    fn with(self, other: Self) -> Self {
        if self == other { self } else { Self::Mixed }
    }
}

/// The side of each tile, its neighbourhood included, where values within ±`margin` belong to neither side.
fn sides(phi: &Field<f32>, margin: f32) -> Vec<Side> {
    let topology = phi.topology();
    let own: Vec<Side> = phi
        .values()
        .par_chunks(topology.tile_cells())
        .with_min_len(16)
        .map(|tile| Side::of(tile, margin))
        .collect();
    let elsewhere = Side::of(&[phi.outside()], margin);
    (0..own.len())
        .map(|slot| {
            let around = topology
                .neighbours(slot)
                .iter()
                .map(|&neighbour| match neighbour {
                    NO_TILE => elsewhere,
                    neighbour => own[neighbour as usize],
                });
            around.fold(own[slot], Side::with)
        })
        .collect()
}
