//! Velocities on the faces that no equation is solved for: at walls and in them, at the surface, and in the air around (Carlson
//! 2004, sec. 3.2.3.4, fig. 6).

use glam::IVec3;
use ooze_field::level_set::extrapolate_faces;
use ooze_field::{FieldByAxis, face_fields};
use rayon::prelude::*;

use super::cells::{Cells, Role};
use super::continuity::{AirFaces, CellFaces, continue_to_air};
use super::settings::WallFaces;

/// Sets all of them, from velocities that are known on the faces of liquid. Air around it takes the nearest that is known, for so
/// many layers of faces: there are no normals to follow. Air beyond has no velocity: with one of its own it would fall freely for
/// as long as the scene lasts.
pub(super) fn set_all(
    cells: &Cells<'_>,
    velocity: &mut FieldByAxis<f32>,
    walls: WallFaces,
    layers: u32,
) {
    impose(cells, velocity);
    continue_surface(cells, velocity);
    let mut known = face_fields(&cells.topology, 0u8);
    for (known, role) in known.iter_mut().zip(&cells.role) {
        known.par_tiles_mut().for_each(|(slot, tile)| {
            for (known, role) in tile.iter_mut().zip(role.tile(slot)) {
                let own = matches!(role, Role::Fluid | Role::Surface | Role::Driven);
                *known = u8::from(own);
            }
        });
    }
    extrapolate_faces(velocity, &mut known, layers);
    still_the_rest(velocity, &known);
    if cells.axes() == 2 {
        velocity[2].values_mut().fill(0.0);
    }
    impose(cells, velocity);
    enter_walls(cells, velocity, walls);
}

fn still_the_rest(velocity: &mut FieldByAxis<f32>, known: &FieldByAxis<u8>) {
    for (velocity, known) in velocity.iter_mut().zip(known) {
        velocity.par_tiles_mut().for_each(|(slot, tile)| {
            for (velocity, &known) in tile.iter_mut().zip(known.tile(slot)) {
                if known == 0 {
                    *velocity = 0.0;
                }
            }
        });
    }
}

/// Gives walls and what emitters drive their velocities.
fn impose(cells: &Cells<'_>, velocity: &mut FieldByAxis<f32>) {
    for (axis, field) in velocity.iter_mut().enumerate() {
        field.par_tiles_mut().for_each(|(slot, tile)| {
            let imposed = cells.imposed[axis].tile(slot);
            for (local, role) in cells.role[axis].tile(slot).iter().enumerate() {
                if matches!(role, Role::Wall | Role::Driven) {
                    tile[local] = imposed[local];
                }
            }
        });
    }
}

/// Makes surface cells free of divergence with their faces at the air.
fn continue_surface(cells: &Cells<'_>, velocity: &mut FieldByAxis<f32>) {
    let axes = cells.axes();
    let at_surface = |cell: &IVec3| {
        (0..axes).any(|axis| {
            let roles = &cells.role[axis];
            [*cell, *cell + IVec3::AXES[axis]]
                .iter()
                .any(|&face| roles.get(face) == Role::Surface)
        })
    };
    let source: &FieldByAxis<f32> = velocity;
    let set: Vec<(IVec3, CellFaces, AirFaces)> = cells
        .liquid_cells()
        .into_par_iter()
        .filter(at_surface)
        .map(|cell| {
            let (mut faces, mut air) = (CellFaces::default(), AirFaces::default());
            for axis in 0..axes {
                for (side, face) in [cell, cell + IVec3::AXES[axis]].into_iter().enumerate() {
                    faces[axis][side] = source[axis].get(face);
                    air[axis][side] = cells.role[axis].get(face) == Role::Surface;
                }
            }
            continue_to_air(&mut faces, &air);
            (cell, faces, air)
        })
        .collect();
    // Each such face belongs to one cell of liquid only.
    for (cell, faces, air) in set {
        for axis in 0..axes {
            for (side, face) in [cell, cell + IVec3::AXES[axis]].into_iter().enumerate() {
                if air[axis][side] {
                    velocity[axis].set(face, faces[axis][side]);
                }
            }
        }
    }
}

/// Sets the faces inside of walls that lie beside liquid: what liquid that glides has, and the opposite, or none, for liquid that
/// is held.
fn enter_walls(cells: &Cells<'_>, velocity: &mut FieldByAxis<f32>, walls: WallFaces) {
    let axes = cells.axes();
    for axis in 0..axes {
        let roles = &cells.role[axis];
        let inside = |role: &Role| matches!(role, Role::Gliding | Role::Holding);
        let source = &velocity[axis];
        let set: Vec<(IVec3, f32)> = cells
            .listed(roles.values(), inside)
            .into_par_iter()
            .filter_map(|face| {
                let around = (0..axes).filter(|&across| across != axis);
                let around =
                    around.flat_map(|across| [-1, 1].map(|step| step * IVec3::AXES[across]));
                let (mut sum, mut count) = (0.0, 0);
                for step in around {
                    if roles.get(face + step).is_open() {
                        sum += source.get(face + step);
                        count += 1;
                    }
                }
                let beside = (count > 0).then(|| sum / count as f32)?;
                let wall = cells.imposed[axis].get(face);
                Some((
                    face,
                    match (roles.get(face), walls) {
                        (Role::Gliding, _) => beside,
                        (_, WallFaces::Mirrored) => 2.0 * wall - beside,
                        (_, WallFaces::Zero) => wall,
                    },
                ))
            })
            .collect();
        for (face, value) in set {
            velocity[axis].set(face, value);
        }
    }
}
