//! The free surface in each cell: its area, and where it faces.
//!
//! What is left of a cell by walls and air is a closed body, so that the area of its free side follows from those of the others:
//! exact for plane surfaces, and over a whole body as good as the surface is.

use glam::{IVec3, Vec3};
use ooze_field::Field;
use ooze_field::fraction::quad_fraction;
use rayon::prelude::*;

use super::content::{HeatCells, NO_ROW};
use crate::boundary::Boundary;

/// Cells from the surface beyond which a cell has no part of it.
const REACH_CELLS: f32 = 2.0;

/// The free surface by rows.
pub(crate) struct Skin {
    /// Outward, with the length of the area in m².
    areas: Vec<Vec3>,
    /// Areas in m² of what is too small to have a surface on the grid.
    spray: Vec<f32>,
}

impl Skin {
    pub(crate) fn new(cells: &HeatCells<'_>, boundary: &Boundary, liquid: &Field<f32>) -> Self {
        let cell_size = liquid.topology().lattice().cell_size;
        let face = cell_size * cell_size;
        let (areas, spray) = (0..cells.len())
            .into_par_iter()
            .map(|row| {
                let cell = cells.cells[row];
                if liquid.get(cell) < -REACH_CELLS * cell_size {
                    return (Vec3::ZERO, 0.0);
                }
                let mut area = free_area(boundary, liquid, cell);
                // Cells that hold surface and no liquid leave it to their neighbours.
                for axis in 0..liquid.topology().lattice().axes() {
                    for step in [-1, 1] {
                        let other = cell + step * IVec3::AXES[axis];
                        if cells.row.get(other) == NO_ROW {
                            let theirs = free_area(boundary, liquid, other);
                            if heir(cells, other, theirs) == Some(cell) {
                                area += theirs;
                            }
                        }
                    }
                }
                let volume = cells.filled[row].volume as f32;
                let alone = area == Vec3::ZERO && liquid.get(cell) > 0.0;
                // The surface of a ball.
                let spray = 4.836 * volume.powf(2.0 / 3.0);
                (area * face, if alone { spray } else { 0.0 })
            })
            .unzip();
        Self { areas, spray }
    }

    /// Area in m².
    #[inline]
    pub(crate) fn area(&self, row: usize) -> f64 {
        f64::from(self.areas[row].length() + self.spray[row])
    }

    /// Outward direction; zero where there is none.
    #[inline]
    pub(crate) fn normal(&self, row: usize) -> Vec3 {
        self.areas[row].normalize_or_zero()
    }
}

/// The filled neighbour that takes over the surface of a cell that is not.
fn heir(cells: &HeatCells<'_>, cell: IVec3, area: Vec3) -> Option<IVec3> {
    if area == Vec3::ZERO {
        return None;
    }
    let mut axes = [0, 1, 2];
    axes.sort_by(|&one, &other| area[other].abs().total_cmp(&area[one].abs()));
    let inward = |axis: usize| cell - IVec3::AXES[axis] * area[axis].signum() as i32;
    let mut behind = axes
        .into_iter()
        .filter(|&axis| area[axis] != 0.0)
        .map(inward);
    behind.find(|&cell| cells.row.get(cell) != NO_ROW)
}

/// The free surface in a cell, outward, in units of a face's area.
fn free_area(boundary: &Boundary, liquid: &Field<f32>, cell: IVec3) -> Vec3 {
    let lattice = liquid.topology().lattice();
    let corner = |x: i32, y: i32, z: i32| {
        let node = (cell + IVec3::new(x, y, z)).as_vec3();
        liquid.sample(lattice.to_world(node))
    };
    let corners: [f32; 8] = std::array::from_fn(|index| {
        corner(index as i32 & 1, index as i32 >> 1 & 1, index as i32 >> 2)
    });
    let mut area = Vec3::ZERO;
    for axis in 0..lattice.axes() {
        let (first, second) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let side = |upper: usize| {
            let base = upper << axis;
            let nodes = [base, base | first, base | second, base | first | second];
            let wet = quad_fraction(nodes.map(|node| corners[node]));
            let open = boundary.passage(axis, cell + IVec3::AXES[axis] * upper as i32);
            // Liquid goes on inside the walls that it touches: what is open and wet at once is what both have in common.
            (open, (open + wet - 1.0).max(0.0))
        };
        let ((open_below, below), (open_above, above)) = (side(0), side(1));
        area[axis] = below - above + wetted(boundary, liquid, cell) * (open_above - open_below);
    }
    area
}

/// Share of the wall in a cell that liquid touches.
fn wetted(boundary: &Boundary, liquid: &Field<f32>, cell: IVec3) -> f32 {
    let cell_size = liquid.topology().lattice().cell_size;
    let centre = liquid.position(cell);
    let distance = boundary.distance.sample(centre);
    if distance > cell_size {
        return 0.0;
    }
    let foot = centre - distance * boundary.outward(centre);
    touching(liquid.sample(foot) / cell_size)
}

/// How much of a wall counts as touched where the liquid's surface is at a distance in cells, negative inside the liquid.
pub(super) fn touching(distance: f32) -> f32 {
    (0.5 - 2.0 * distance).clamp(0.0, 1.0)
}
