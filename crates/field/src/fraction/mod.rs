//! Shares of lengths, areas and volumes on one side of a level set.

mod area;
mod linear;
mod volume;

pub use area::area_fractions;
pub use linear::{linear_fraction, quad_fraction, triangle_fraction};
pub use volume::VolumeFractions;

use crate::{Field, NO_TILE};

/// On which side of a level set a tile and its 26 neighbours lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Every value is negative.
    Inside,
    /// No value is negative.
    Outside,
    /// The surface passes through the tile or next to it.
    Mixed,
}

/// The side of each tile, its neighbourhood included.
fn sides(phi: &Field<f32>) -> Vec<Side> {
    use rayon::prelude::*;
    let topology = phi.topology();
    let join = |a: Side, b: Side| if a == b { a } else { Side::Mixed };
    let side_of = |negative: bool| {
        if negative {
            Side::Inside
        } else {
            Side::Outside
        }
    };
    let own: Vec<Side> = phi
        .values()
        .par_chunks(topology.tile_cells())
        .with_min_len(16)
        .map(|tile| {
            let negative = tile
                .iter()
                .map(|&value| usize::from(value < 0.0))
                .sum::<usize>();
            match negative {
                0 => Side::Outside,
                count if count == tile.len() => Side::Inside,
                _ => Side::Mixed,
            }
        })
        .collect();
    (0..own.len())
        .map(|slot| {
            let around = topology.neighbours(slot).iter();
            around
                .map(|&neighbour| match neighbour {
                    NO_TILE => side_of(phi.outside() < 0.0),
                    neighbour => own[neighbour as usize],
                })
                .fold(own[slot], join)
        })
        .collect()
}
