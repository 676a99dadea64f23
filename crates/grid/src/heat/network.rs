//! Conduction between cells.
//!
//! A cell that a wall cuts has its liquid beside its centre: conduction goes between the middles of what is left of cells, or
//! temperatures next to oblique walls would be off by a part of a cell.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::content::{HeatCells, NO_ROW};
use crate::boundary::Boundary;

/// Least distance of two middles, in cells.
const LEAST_DISTANCE: f32 = 0.5;

/// The way to one of a cell's neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) row: u32,
    /// In W/K; zero where there is no neighbour.
    pub(crate) conductance: f64,
}

/// A cell's neighbours below and above along each axis.
pub(crate) type Links = [[Link; 2]; 3];

const NO_LINK: Link = Link {
    row: NO_ROW,
    conductance: 0.0,
};

/// Conduction between all cells.
pub(crate) struct Network {
    pub(crate) links: Vec<Links>,
    pub(crate) axes: usize,
}

impl Network {
    pub(crate) fn new(cells: &HeatCells<'_>, boundary: &Boundary) -> Self {
        let lattice = *cells.row.topology().lattice();
        let cell_size = f64::from(lattice.cell_size);
        let axes = lattice.axes();
        let middles: Vec<Vec3> = cells
            .cells
            .par_iter()
            .map(|&cell| middle(boundary, cell))
            .collect();
        let conductivities: Vec<f64> = (0..cells.len())
            .into_par_iter()
            .map(|row| cells.conductivity(row))
            .collect();
        let link = |row: usize, axis: usize, step: i32| {
            let cell = cells.cells[row];
            let other = cells.row.get(cell + step * IVec3::AXES[axis]);
            let face = cell + step.max(0) * IVec3::AXES[axis];
            let open = f64::from(boundary.passage(axis, face));
            let Some(&theirs) = conductivities.get(other as usize) else {
                return NO_LINK;
            };
            let own = conductivities[row];
            if open == 0.0 || own == 0.0 || theirs == 0.0 {
                return NO_LINK;
            }
            let apart = step as f32 * (middles[other as usize] - middles[row])[axis];
            let distance = f64::from((1.0 + apart).max(LEAST_DISTANCE));
            let between = 2.0 * own * theirs / (own + theirs);
            Link {
                row: other,
                conductance: between * open * cell_size / distance,
            }
        };
        let links = (0..cells.len())
            .into_par_iter()
            .map(|row| {
                let mut links = [[NO_LINK; 2]; 3];
                for (axis, links) in links.iter_mut().enumerate().take(axes) {
                    *links = [link(row, axis, -1), link(row, axis, 1)];
                }
                links
            })
            .collect();
        Self { links, axes }
    }

    /// What flows into a cell by conduction, in W.
    #[inline]
    pub(crate) fn inflow(&self, row: usize, temperature: &[f64]) -> f64 {
        let own = temperature[row];
        let links = self.links[row].iter().flatten();
        links
            .filter(|link| link.row != NO_ROW)
            .map(|link| link.conductance * (temperature[link.row as usize] - own))
            .sum()
    }

    /// The sum of a cell's conductances in W/K.
    #[inline]
    pub(crate) fn total(&self, row: usize) -> f64 {
        self.links[row]
            .iter()
            .flatten()
            .map(|link| link.conductance)
            .sum()
    }
}

/// How far the middle of a cell's room is from the cell's centre, in cells.
pub(super) fn middle(boundary: &Boundary, cell: IVec3) -> Vec3 {
    let filled = 1.0 - boundary.room.get(cell);
    if filled <= 0.0 {
        return Vec3::ZERO;
    }
    let centre = boundary.room.position(cell);
    0.5 * filled * boundary.outward(centre)
}
