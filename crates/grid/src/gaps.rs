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
use ooze_field::{Field, FieldByAxis, face_fields};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::flip::FaceVelocity;

/// Gaps that liquid may flow into.
pub(crate) struct Parted {
    /// The solids, with the faces open that have air between them and the liquid.
    pub(crate) boundary: Boundary,
    /// By face, the velocity relative to the wall at which its gap would be closed at the end of the step; infinite where there
    /// is no gap.
    pub(crate) closing: Option<FieldByAxis<f32>>,
}

/// Opens the faces that have air between them and the liquid, negative in `liquid`. `grid` holds velocities that forces have
/// acted on; those at such faces were a wall's.
pub(crate) fn part(
    liquid: &Field<f32>,
    boundary: Boundary,
    grid: &mut FaceVelocity,
    dt: f64,
) -> Parted {
    let topology = liquid.topology();
    let axes = if topology.lattice().flat { 2 } else { 3 };
    let gaps = Gaps {
        liquid,
        boundary: &boundary,
        grid,
        dt: dt as f32,
    };
    let mut closing = face_fields(topology, f32::INFINITY);
    let mut marks = face_fields(topology, 0u8);
    for (axis, (closing, marks)) in closing.iter_mut().zip(&mut marks).enumerate().take(axes) {
        closing.par_tiles_mut().zip(marks.par_tiles_mut()).for_each(
            |((slot, closing), (_, marks))| {
                if !boundary.near(slot) {
                    return;
                }
                for local in 0..closing.len() {
                    if let Some(gap) = gaps.at(axis, slot, local) {
                        closing[local] = gap.closing;
                        marks[local] = u8::from(gap.stays);
                    }
                }
            },
        );
    }
    let limited = |value: &f32| value.is_finite();
    if !closing
        .iter()
        .any(|field| field.values().par_iter().any(limited))
    {
        return Parted {
            boundary,
            closing: None,
        };
    }
    for (known, marks) in grid.known.iter_mut().zip(&marks) {
        known.par_tiles_mut().for_each(|(slot, tile)| {
            for (known, &mark) in tile.iter_mut().zip(marks.tile(slot)) {
                *known &= 1 - mark;
            }
        });
    }
    let mut opened = boundary.opened(marks.clone());
    open_as_the_other_side(&mut opened.open, &boundary.open, &marks, &closing);
    Parted {
        boundary: opened,
        closing: Some(closing),
    }
}

/// Opens faces before gaps as far as the faces on the other side of the liquid's cells are: what flows into a gap flows through
/// there. More would have to be drawn through the cells' other faces, which walls may have nearly shut.
fn open_as_the_other_side(
    opened: &mut FieldByAxis<f32>,
    before: &FieldByAxis<f32>,
    marks: &FieldByAxis<u8>,
    closing: &FieldByAxis<f32>,
) {
    for (axis, opened) in opened.iter_mut().enumerate() {
        let topology = opened.topology().clone();
        opened.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, open) in tile.iter_mut().enumerate() {
                if marks[axis].tile(slot)[local] != 0 {
                    let closing = closing[axis].tile(slot)[local];
                    let face = topology.cell(slot, local);
                    let other = face - IVec3::AXES[axis] * closing.signum() as i32;
                    *open = before[axis].get(face).max(before[axis].get(other));
                }
            }
        });
    }
}

/// Keeps what flows into gaps from flowing into the walls behind them: no velocity is beyond the one that closes its gap. Where a
/// wall that cuts a face leaves no gap to speak of, little flows through, however fast it is: its velocity is no longer known.
pub(crate) fn limit(
    grid: &mut FaceVelocity,
    boundary: &Boundary,
    closing: Option<&FieldByAxis<f32>>,
) {
    let Some(closing) = closing else {
        return;
    };
    let fields = grid.velocity.iter_mut().zip(&mut grid.known);
    for (axis, (velocity, known)) in fields.enumerate() {
        let walls = &boundary.wall_velocity[axis];
        velocity
            .par_tiles_mut()
            .zip(known.par_tiles_mut())
            .for_each(|((slot, velocities), (_, known))| {
                for (local, &closing) in closing[axis].tile(slot).iter().enumerate() {
                    let wall = walls.tile(slot)[local];
                    let relative = velocities[local] - wall;
                    if closing == 0.0 {
                        known[local] = 0;
                    } else if closing < 0.0 {
                        velocities[local] = wall + relative.max(closing);
                    } else if closing.is_finite() {
                        velocities[local] = wall + relative.min(closing);
                    }
                }
            });
    }
}

/// Air between liquid and a wall.
struct Gap {
    /// Velocity relative to the wall that would close it within the step: it leads into the wall, or is zero.
    closing: f32,
    /// Whether it is still there at the end of the step.
    stays: bool,
}

/// Where there is air before walls.
struct Gaps<'a> {
    liquid: &'a Field<f32>,
    boundary: &'a Boundary,
    grid: &'a FaceVelocity,
    dt: f32,
}

impl Gaps<'_> {
    /// The gap before the wall behind a face.
    fn at(&self, axis: usize, slot: usize, local: usize) -> Option<Gap> {
        let Self {
            liquid, boundary, ..
        } = self;
        let shut =
            boundary.open[axis].tile(slot)[local] < 1.0 && !boundary.is_driven(axis, slot, local);
        if !shut {
            return None;
        }
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
        let axes = if liquid.topology().lattice().flat {
            2
        } else {
            3
        };
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
            closing: side * gap.max(0.0) / self.dt,
            stays: gap > (approach * self.dt).max(0.0),
        })
    }
}
