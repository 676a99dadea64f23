//! What the liquid does to the solids: the reaction of exactly what the solves impose at walls.
//!
//! The momentum of the liquid around a face is that of the part of a cell's volume which walls leave it, V. Pressure changes it
//! by −V δP, and since all δP add up to nothing, walls get (1 − V) δP. Where a wall shuts the face it gets δP, and what the
//! liquid there would have moved with, V (u − u_wall). In liquid at rest, where δP is what gravity adds in a step, both
//! together lift a body by the weight of just its volume, and the floor bears all of the liquid. Viscosity acts through the rows
//! of its solve that end at a wall (`viscosity::reaction`).

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{BodyId, Impulse, ImpulsePart, Obstacles};
use ooze_field::{Field, FieldByAxis};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::pressure::Coupling;

/// Which part of an impulse something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Pressure,
    Viscous,
}

/// Momentum that the obstacles of a step have got so far.
#[derive(Default)]
pub(crate) struct Reactions {
    /// By number; open sides have an entry that stays as it is.
    bodies: Vec<Impulse>,
}

impl Reactions {
    /// Nothing yet.
    pub(crate) fn new(obstacles: &Obstacles<'_>) -> Self {
        let numbers = obstacles.bodies().map(|body| body.0);
        let count = numbers.max().map_or(0, |last| last + 1);
        Self {
            bodies: (0..count).map(|body| Impulse::none(BodyId(body))).collect(),
        }
    }

    /// Adds an impulse at a point.
    pub(crate) fn add(&mut self, part: Part, body: BodyId, point: DVec3, linear: DVec3) {
        let Some(impulse) = self.bodies.get_mut(usize::from(body.0)) else {
            return;
        };
        let sum = match part {
            Part::Pressure => &mut impulse.pressure,
            Part::Viscous => &mut impulse.viscous,
        };
        *sum += ImpulsePart::at(point, linear);
    }

    /// Adds what walls take from liquid that would move into them or away from them, with these velocities before pressure acts.
    /// `fall` is what outer forces have added to a velocity at a point: pressure takes that, and all that comes across the wall.
    pub(crate) fn hold(
        &mut self,
        coupling: &Coupling<'_>,
        obstacles: &Obstacles<'_>,
        velocity: &FieldByAxis<f32>,
        fall: impl Fn(Vec3) -> Vec3 + Sync,
    ) {
        let boundary = coupling.boundary;
        let half = |cell: IVec3| match coupling.liquid.get(cell) < 0.0 {
            true => 0.5 * boundary.room.get(cell),
            false => 0.0,
        };
        self.at_walls(coupling, |body, axis, face| {
            let share = match boundary.open[axis].get(face) > 0.0 {
                true => 0.0,
                false => half(face - IVec3::AXES[axis]) + half(face),
            };
            if share == 0.0 {
                return [Vec3::ZERO; 2];
            }
            let mass = share / coupling.mobility(axis, face);
            let point = boundary.open[axis].position(face);
            let (along_axis, fall) = (Vec3::AXES[axis], fall(point)[axis]);
            let stopped = velocity[axis].get(face) - boundary.wall_velocity[axis].get(face) - fall;
            let normal = boundary.outward(point);
            let across = match obstacles.contact(body).condition.holds() {
                true => normal * normal[axis],
                false => along_axis,
            };
            let pressure = along_axis * fall + across * stopped;
            [pressure * mass, (along_axis - across) * (stopped * mass)]
        });
    }

    /// Adds the push of a pressure: `unknown` is that of a pressure solve, in m/s, zero where there is no liquid.
    pub(crate) fn press(&mut self, coupling: &Coupling<'_>, unknown: &Field<f32>) {
        let Boundary { open, room, .. } = coupling.boundary;
        self.at_walls(coupling, |_, axis, face| {
            let below = face - IVec3::AXES[axis];
            let share = match open[axis].get(face) > 0.0 {
                true => 1.0 - 0.5 * (room.get(below) + room.get(face)),
                false => 1.0,
            };
            let push = share * (unknown.get(below) - unknown.get(face));
            [Vec3::AXES[axis] * push, Vec3::ZERO]
        });
    }

    /// Adds pushes on faces at walls, by body, axis and face: the part of pressure and the viscous one, as velocities in m/s of a
    /// cell full of liquid of the reference density.
    fn at_walls(
        &mut self,
        coupling: &Coupling<'_>,
        push: impl Fn(BodyId, usize, IVec3) -> [Vec3; 2] + Sync,
    ) {
        let topology = coupling.liquid.topology();
        let mass = f64::from(coupling.reference_density) * topology.lattice().cell_volume();
        let tiles: Vec<Vec<Pushed>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| pushed_in_tile(coupling, slot, &push))
            .collect();
        for Pushed { body, point, parts } in tiles.into_iter().flatten() {
            let [pressure, viscous] = parts.map(|part| mass * part.as_dvec3());
            self.add(Part::Pressure, body, point.as_dvec3(), pressure);
            self.add(Part::Viscous, body, point.as_dvec3(), viscous);
        }
    }

    /// The impulses on bodies, in their order, and on the closed sides of the domain.
    pub(crate) fn of_obstacles(&self, obstacles: &Obstacles<'_>) -> Vec<Impulse> {
        let bodies = obstacles.bodies();
        bodies
            .map(|body| self.bodies[usize::from(body.0)])
            .collect()
    }
}

/// A face at a wall that is pushed.
struct Pushed {
    body: BodyId,
    point: Vec3,
    /// Impulses over the mass of a cell, in m/s: of pressure, and viscous.
    parts: [Vec3; 2],
}

/// The pushed faces of a tile.
fn pushed_in_tile(
    coupling: &Coupling<'_>,
    slot: usize,
    push: impl Fn(BodyId, usize, IVec3) -> [Vec3; 2],
) -> Vec<Pushed> {
    let (boundary, topology) = (coupling.boundary, coupling.liquid.topology());
    let mut found = Vec::new();
    if !boundary.near(slot) {
        return found;
    }
    let axes = topology.lattice().axes();
    let reach = topology.lattice().cell_size;
    for local in 0..topology.tile_cells() {
        let cell = topology.cell(slot, local);
        // Walls have no share of what is around the cell's faces, nor liquid any deep inside them.
        if boundary.distance.tile(slot)[local].abs() > 3.0 * reach {
            continue;
        }
        for axis in 0..axes {
            let point = boundary.open[axis].position(cell);
            let Some(body) = boundary.body_at(point) else {
                continue;
            };
            // What emitters drive is nobody's, and walls that let go bear nothing.
            if boundary.is_driven(axis, slot, local) || boundary.is_released(axis, cell) {
                continue;
            }
            let parts = push(body, axis, cell);
            if parts != [Vec3::ZERO; 2] {
                found.push(Pushed { body, point, parts });
            }
        }
    }
    found
}
