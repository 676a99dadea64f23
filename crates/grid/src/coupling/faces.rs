//! The faces that free bodies shut, wholly or in part.

use glam::{DVec3, IVec3};
use rayon::prelude::*;

use super::FreeBodies;
use crate::boundary::Boundary;

/// A face at a free body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyFace {
    pub(crate) axis: usize,
    /// The cell above it, and its place in a field's storage.
    pub(crate) cell: IVec3,
    pub(crate) index: usize,
    /// The body's number among the free ones.
    pub(crate) number: usize,
    /// From the body's centre of mass to the face's centre.
    pub(crate) arm: DVec3,
    /// From there to the centroid of what the body shuts of it.
    pub(crate) shut_arm: DVec3,
    /// Share of it that the body leaves open.
    pub(crate) open: f32,
}

/// All such faces, in the order of their tiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyFaces {
    faces: Vec<BodyFace>,
}

impl BodyFaces {
    /// Finds the faces, also those of bodies that melt: not those that emitters drive, nor those of walls that the liquid leaves or has not reached.
    pub(crate) fn find(boundary: &Boundary, bodies: &FreeBodies) -> Self {
        if bodies.is_empty() {
            return Self::default();
        }
        let topology = boundary.distance.topology();
        let axes = topology.lattice().axes();
        let tiles = (0..topology.tile_count()).into_par_iter();
        let in_tile = |slot: usize| {
            let mut found = Vec::new();
            if !boundary.near(slot) && !boundary.holds() {
                return found;
            }
            for axis in 0..axes {
                for (local, &open) in boundary.open[axis].tile(slot).iter().enumerate() {
                    if open >= 1.0 {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    let point = boundary.open[axis].position(cell);
                    let body = match boundary.is_driven(axis, slot, local) {
                        true => boundary.driving_body(axis, cell),
                        false if boundary.is_released(axis, cell) => None,
                        false => boundary.body_at(point),
                    };
                    if let Some(number) = body.and_then(|body| bodies.number(body)) {
                        found.push(BodyFace {
                            axis,
                            cell,
                            index: slot * topology.tile_cells() + local,
                            number,
                            arm: bodies.arm(number, point),
                            shut_arm: bodies.arm(number, boundary.shut_point(axis, cell)),
                            open,
                        });
                    }
                }
            }
            found
        };
        let tiles: Vec<Vec<BodyFace>> = tiles.map(in_tile).collect();
        Self {
            faces: tiles.concat(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &BodyFace> {
        self.faces.iter()
    }

    /// Gives the walls the velocities of the bodies.
    pub(crate) fn move_walls(&self, bodies: &FreeBodies, boundary: &mut Boundary) {
        for face in &self.faces {
            let motion = bodies.velocity(face.number);
            let along = |arm: DVec3| motion.along(face.axis, arm) as f32;
            let velocities = [face.arm, face.shut_arm].map(along);
            boundary.move_wall(face.axis, face.index, velocities);
        }
    }
}
