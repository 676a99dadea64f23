//! How evenly particles fill the liquid: what a surface that is offset until it encloses their volume does not tell.

use ooze_core::{CROWDED, Packing};
use ooze_field::Field;
use rayon::prelude::*;

use super::order::CellOrder;
use crate::boundary::Boundary;

/// Share of a cell free of solids below which it is taken to have so much: a particle in a sliver crowds nobody.
const LEAST_ROOM: f64 = 0.5;
/// Share of a cell free of solids from which on it is whole.
const WHOLE: f32 = 0.99;

/// What the cells of a tile hold.
#[derive(Clone, Copy)]
struct Tally {
    densest: f64,
    emptiest: f64,
    /// Particles in crowded cells.
    crowded: usize,
}

impl Tally {
    const NOTHING: Self = Self {
        densest: 0.0,
        emptiest: 1.0,
        crowded: 0,
    };

    fn with(self, other: Self) -> Self {
        Self {
            densest: self.densest.max(other.densest),
            emptiest: self.emptiest.min(other.emptiest),
            crowded: self.crowded + other.crowded,
        }
    }
}

/// The packing of sorted particles inside a surface, of which cells hold `rest_count` at rest; volumes are left out.
pub(crate) fn of(
    order: &CellOrder,
    surface: &Field<f32>,
    boundary: &Boundary,
    rest_count: f32,
) -> Packing {
    let topology = &order.topology;
    let cells = topology.tile_cells();
    let deep = -topology.lattice().cell_size;
    let tiles: Vec<(Tally, usize)> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| {
            let mut tally = Tally::NOTHING;
            for local in 0..cells {
                let count = order.cell_particles(slot * cells + local).len();
                let room = boundary.room.tile(slot)[local];
                let inner = surface.tile(slot)[local] < deep && room > WHOLE;
                if count == 0 && !inner {
                    continue;
                }
                let full = f64::from(rest_count) * f64::from(room).max(LEAST_ROOM);
                let density = count as f64 / full;
                tally = tally.with(Tally {
                    densest: density,
                    emptiest: if inner { density } else { 1.0 },
                    crowded: if density > CROWDED { count } else { 0 },
                });
            }
            (tally, order.tile_particles(slot).len())
        })
        .collect();
    let count: usize = tiles.iter().map(|(_, particles)| particles).sum();
    let whole = tiles
        .iter()
        .fold(Tally::NOTHING, |sum, (tally, _)| sum.with(*tally));
    Packing {
        densest: whole.densest,
        emptiest: whole.emptiest,
        crowded: whole.crowded as f64 / count.max(1) as f64,
        ..Packing::default()
    }
}
