//! Air between liquid and the walls that it has not reached.
//!
//! A cell is liquid for the pressure as soon as its centre is, half a cell before the liquid has arrived at the wall behind it.
//! If that wall were shut, the liquid would stop there and close the rest of the gap as slowly as corrections move it; and what
//! the surface reads between the liquid and the wall would slow down before it gets there. Walls behind such gaps are therefore
//! opened, like those that the liquid leaves: its surface is free there until it gets to the wall. A gap that would be closed
//! within the step counts as closed, and none closes faster than it is wide, however hard the liquid is pressed.
//!
//! Air beside a wall's face that the liquid touches is none of these gaps, but the air over a surface that meets the wall, as
//! that of a tank does. If walls were opened there, waves that run along them would carry liquid into them.

use glam::IVec3;
use ooze_field::{Block, Field};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;

/// Gaps that liquid may flow into.
pub(crate) struct Parted {
    /// The solids, with the faces open that have air between them and the liquid.
    pub(crate) boundary: Boundary,
    /// The gaps before them.
    pub(crate) gaps: Vec<Gap>,
}

/// Opens the faces that have air between them and the liquid, negative in `liquid`. `grid` holds velocities that forces have
/// acted on; those at such faces were a wall's.
pub(crate) fn part(
    liquid: &Field<f32>,
    mut boundary: Boundary,
    grid: &mut FaceVelocity,
    dt: f64,
) -> Parted {
    let gaps = Search {
        liquid,
        boundary: &boundary,
        grid,
        dt: dt as f32,
    }
    .find();
    let staying = gaps.iter().filter(|gap| gap.stays);
    let opened: Vec<(usize, usize, f32)> = staying
        .map(|gap| (gap.axis, gap.index, open_share(&boundary, gap)))
        .collect();
    for &(axis, index, _) in &opened {
        grid.known[axis].values_mut()[index] = 0;
    }
    boundary.release(opened.into_iter());
    Parted { boundary, gaps }
}

/// Faces before gaps are as open as the faces on the other side of the liquid's cells: what flows into a gap flows through
/// there. More would have to be drawn through the cells' other faces, which walls may have nearly shut.
fn open_share(boundary: &Boundary, gap: &Gap) -> f32 {
    let open = &boundary.open[gap.axis];
    let topology = open.topology();
    let cells = topology.tile_cells();
    let face = topology.cell(gap.index / cells, gap.index % cells);
    let other = face - IVec3::AXES[gap.axis] * gap.closing.signum() as i32;
    open.get(face).max(open.get(other))
}

/// Keeps what flows into gaps from flowing into the walls behind them: no velocity is beyond the one that closes its gap. Where a
/// wall that cuts a face leaves no gap to speak of, little flows through, however fast it is: its velocity is no longer known.
pub(crate) fn limit(grid: &mut FaceVelocity, boundary: &Boundary, gaps: &[Gap]) {
    for gap in gaps {
        let wall = boundary.wall_velocity[gap.axis].values()[gap.index];
        let velocity = &mut grid.velocity[gap.axis].values_mut()[gap.index];
        let relative = *velocity - wall;
        if gap.closing == 0.0 {
            grid.known[gap.axis].values_mut()[gap.index] = 0;
        } else if gap.closing < 0.0 {
            *velocity = wall + relative.max(gap.closing);
        } else {
            *velocity = wall + relative.min(gap.closing);
        }
    }
}

/// Air between liquid and the wall behind a face.
pub(crate) struct Gap {
    /// The axis that the face is normal to, and its place in storage.
    axis: usize,
    index: usize,
    /// Velocity relative to the wall that would close it within the step: it leads into the wall, or is zero.
    closing: f32,
    /// Whether it is still there at the end of the step.
    stays: bool,
}

/// The search for air before walls.
struct Search<'a> {
    liquid: &'a Field<f32>,
    boundary: &'a Boundary,
    grid: &'a FaceVelocity,
    dt: f32,
}

impl Search<'_> {
    /// All gaps, in the order of their tiles.
    fn find(&self) -> Vec<Gap> {
        let topology = self.liquid.topology();
        let tiles: Vec<Vec<Gap>> = (0..topology.tile_count())
            .into_par_iter()
            .map_init(
                || Block::new(topology, 2, 0.0),
                |block, slot| self.in_tile(block, slot),
            )
            .collect();
        tiles.into_iter().flatten().collect()
    }

    /// The gaps at the faces of a tile; `around` is memory for the liquid around it.
    fn in_tile(&self, around: &mut Block<f32>, slot: usize) -> Vec<Gap> {
        let mut found = Vec::new();
        if !self.boundary.near(slot) {
            return found;
        }
        let topology = self.liquid.topology();
        around.load(self.liquid, slot);
        if around.values().iter().all(|&distance| distance >= 0.0) {
            return found;
        }
        let axes = topology.lattice().axes();
        for axis in 0..axes {
            let stride = around.strides()[axis];
            for local in 0..topology.tile_cells() {
                let shut = self.boundary.open[axis].tile(slot)[local] < 1.0
                    && !self.boundary.is_driven(axis, slot, local);
                if !shut {
                    continue;
                }
                let place = around.at(topology.local_cell(local));
                let distance = &around.values()[place - 2 * stride..=place + stride];
                let (below, above) = (distance[stride], distance[2 * stride]);
                // Liquid that may face the wall from above, or from below.
                let from_above = below >= 0.0 && above.min(distance[3 * stride]) < 0.0;
                let from_below = above >= 0.0 && below.min(distance[0]) < 0.0;
                if from_above || from_below {
                    found.extend(self.at(axis, slot, local));
                }
            }
        }
        found
    }

    /// The gap before the wall behind a face that is shut.
    fn at(&self, axis: usize, slot: usize, local: usize) -> Option<Gap> {
        let Self {
            liquid, boundary, ..
        } = self;
        let along = IVec3::AXES[axis];
        let above = liquid.topology().cell(slot, local);
        let below = above - along;
        let distance = |cell: IVec3| boundary.distance.sample(liquid.position(cell));
        // The cells before the wall and behind its face, the face on the other side of the first, and which way the wall is.
        let (before, behind, other, side) = match (distance(below) > 0.0, distance(above) > 0.0) {
            (false, true) => (above, below, above + along, -1.0),
            (true, false) => (below, above, below, 1.0),
            _ => return None,
        };
        let next = before + before - behind;
        let faces_wall = liquid.get(before).min(liquid.get(next)) < 0.0;
        let axes = liquid.topology().lattice().axes();
        let across = (0..axes).filter(|&other| other != axis);
        let mut beside = across.flat_map(|other| [IVec3::AXES[other], -IVec3::AXES[other]]);
        let touched = |step: IVec3| liquid.get(behind + step) < 0.0;
        if !faces_wall || touched(IVec3::ZERO) || beside.any(touched) {
            return None;
        }
        let point = liquid.position(before);
        let foot = point - boundary.outward(point) * distance(before);
        let wall = boundary.wall_velocity[axis].get(above);
        let approach = side * (self.grid.velocity[axis].get(other) - wall);
        let gap = liquid.sample(foot);
        Some(Gap {
            axis,
            index: slot * liquid.topology().tile_cells() + local,
            closing: side * gap.max(0.0) / self.dt,
            stays: gap > (approach * self.dt).max(0.0),
        })
    }
}
