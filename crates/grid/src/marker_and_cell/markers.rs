//! Moving the markers (Carlson 2004, sec. 3.2.3.2).

use glam::{IVec3, Vec3};
use ooze_core::{Obstacles, ParticleSet};
use ooze_field::{Field, FieldByAxis, Flow, Lattice};
use rayon::prelude::*;

use super::cells::Kind;

/// Distance in cells that markers keep from the walls of their cell.
const CLEARANCE: f32 = 1e-3;
/// Cells around a solid one in which room for a marker is looked for.
const WAY_OUT: i32 = 2;

/// Moves markers through a flow by Heun's rule (eq. 21). The second stage is left out where the first leads to a cell without
/// liquid: no velocity is reliable there. Those that are in no liquid, having just been emitted, go on as they were told to.
pub(super) fn advance(
    markers: &mut ParticleSet,
    velocity: &FieldByAxis<f32>,
    wet: &Field<f32>,
    obstacles: &Obstacles<'_>,
    dt: f32,
) {
    let flow = Flow::new(velocity);
    let lattice = *wet.topology().lattice();
    let is_wet = |point: Vec3| wet.get(lattice.cell_of(point)) != 0.0;
    let clearance = CLEARANCE * lattice.cell_size;
    let ParticleSet {
        position,
        velocity: own,
        age,
        ..
    } = markers;
    position
        .par_iter_mut()
        .zip(own.par_iter())
        .zip(age.par_iter_mut())
        .with_min_len(1024)
        .for_each(|((position, &own), age)| {
            *age += dt;
            let start = *position;
            let end = if is_wet(start) {
                let first = flow.at(start);
                let guess = start + dt * first;
                match is_wet(guess) {
                    true => start + 0.5 * dt * (first + flow.at(guess)),
                    false => guess,
                }
            } else {
                start + dt * own
            };
            *position = obstacles.confined(end, clearance);
        });
}

/// Puts markers that have got into solid cells into the nearest that is not.
pub(super) fn leave_solids(positions: &mut [Vec3], kind: &Field<Kind>) {
    let lattice = *kind.topology().lattice();
    positions
        .par_iter_mut()
        .with_min_len(1024)
        .for_each(|position| {
            let cell = lattice.cell_of(*position);
            if kind.get(cell) == Kind::Solid
                && let Some(out) = nearest_room(*position, cell, kind, &lattice)
            {
                *position = out;
            }
        });
}

fn nearest_room(point: Vec3, cell: IVec3, kind: &Field<Kind>, lattice: &Lattice) -> Option<Vec3> {
    let depth = if lattice.flat { 0 } else { WAY_OUT };
    let mut nearest: Option<(f32, Vec3)> = None;
    for z in -depth..=depth {
        for y in -WAY_OUT..=WAY_OUT {
            for x in -WAY_OUT..=WAY_OUT {
                let other = cell + IVec3::new(x, y, z);
                if kind.topology().index(other).is_none() || kind.get(other) == Kind::Solid {
                    continue;
                }
                let lower = lattice.to_world(other.as_vec3() + CLEARANCE);
                let upper = lattice.to_world(other.as_vec3() + (1.0 - CLEARANCE));
                let inside = point.clamp(lower, upper);
                let distance = inside.distance_squared(point);
                if nearest.is_none_or(|(least, _)| distance < least) {
                    nearest = Some((distance, inside));
                }
            }
        }
    }
    nearest.map(|(_, inside)| inside)
}
