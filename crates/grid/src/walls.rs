//! What walls do to velocities: those inside solids for slip and no-slip, friction and stickiness.

use glam::Vec3;
use ooze_core::{Obstacles, WallCondition};
use ooze_field::{Field, FieldByAxis, sample_faces};
use rayon::prelude::*;

use crate::boundary::Boundary;

/// Distance in cells up to which a point on a wall counts as inside it.
const TOUCH: f32 = 0.02;
/// Distance in cells within which friction and stickiness act.
pub(crate) const CONTACT: f32 = 1.0;

/// Gives the faces inside solids the velocity that liquid sliding along the wall (or stuck to it) would have there, so
/// that interpolation near walls does not see stale values.
pub(crate) fn constrain(
    velocity: &mut FieldByAxis<f32>,
    known: &FieldByAxis<u8>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) {
    let source = velocity.clone();
    for (axis, target) in velocity.iter_mut().enumerate() {
        let topology = target.topology().clone();
        let lattice = *topology.lattice();
        if lattice.flat && axis == 2 {
            continue;
        }
        let offset = target.place().offset();
        let open = &boundary.open[axis];
        target.par_tiles_mut().for_each(|(slot, tile)| {
            if !boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                if open.tile(slot)[local] > 0.0 || known[axis].tile(slot)[local] == 0 {
                    continue;
                }
                let point = lattice.to_world(topology.cell(slot, local).as_vec3() + offset);
                *value = wall_limited(&source, boundary, obstacles, slot, point)[axis];
            }
        });
    }
}

/// Cosine between a wall's normal and a face's above which the face's velocity is the one across the wall.
const ACROSS: f32 = 0.7;

/// Velocities whose gradients turn the liquid: as `constrained`, but across walls those that were continued from the liquid. A
/// wall that the liquid is about to meet, or leaves, would be taken for liquid that stops within a cell.
pub(crate) fn turning(
    constrained: &FieldByAxis<f32>,
    continued: &FieldByAxis<f32>,
    boundary: &Boundary,
) -> FieldByAxis<f32> {
    let mut velocity = constrained.clone();
    for (axis, target) in velocity.iter_mut().enumerate() {
        let open = &boundary.open[axis];
        let topology = target.topology().clone();
        target.par_tiles_mut().for_each(|(slot, tile)| {
            if !boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                let continued = continued[axis].tile(slot)[local];
                // Deep in walls, where nothing was continued, both are the same.
                let same = value.to_bits() == continued.to_bits();
                if same || open.tile(slot)[local] > 0.0 {
                    continue;
                }
                let point = open.position(topology.cell(slot, local));
                if boundary.outward(point)[axis].abs() > ACROSS {
                    *value = continued;
                }
            }
        });
    }
    velocity
}

/// The velocity at a point in solids of liquid that slides along them, or sticks to them. Where several solids meet,
/// each of them counts: a velocity along the floor must not lead into the wall.
fn wall_limited(
    velocity: &FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    slot: usize,
    point: Vec3,
) -> Vec3 {
    let touch = TOUCH * velocity[0].topology().lattice().cell_size;
    let nearest = boundary.body_at(point);
    let mut limited = sample_faces(velocity, point);
    for &body in boundary.bodies(slot) {
        if obstacles.distance(body, point) > touch {
            continue;
        }
        let wall = obstacles.velocity(body, point);
        match obstacles.contact(body).condition {
            WallCondition::NoSlip | WallCondition::Sticky => return wall,
            WallCondition::Slip | WallCondition::Separating => {
                // The grid's own gradient is good enough for the nearest body and spares six evaluations of its shape.
                let normal = if nearest == Some(body) && !obstacles.is_side(body) {
                    boundary.outward(point)
                } else {
                    obstacles.outward(body, point, touch)
                };
                limited -= normal * (limited - wall).dot(normal);
            }
        }
    }
    limited
}

/// Whether a wall holds liquid by friction or stickiness.
pub(crate) fn is_rough(obstacles: &Obstacles<'_>) -> bool {
    obstacles.bodies().any(|body| {
        let contact = obstacles.contact(body);
        contact.friction > 0.0 || contact.condition == WallCondition::Sticky
    })
}

/// What walls do to the liquid next to them during a step.
pub(crate) struct Traction<'a> {
    pub(crate) boundary: &'a Boundary,
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// In pascals.
    pub(crate) pressure: &'a Field<f32>,
    pub(crate) cell_size: f32,
    pub(crate) dt: f32,
}

impl Traction<'_> {
    /// Whether a wall is near enough to act on a point.
    #[inline]
    pub(crate) fn reaches(&self, point: Vec3) -> bool {
        self.boundary.distance.sample(point) <= CONTACT * self.cell_size
    }

    /// The point on the wall nearest to one before it.
    pub(crate) fn foot(&self, point: Vec3) -> Vec3 {
        point - self.boundary.outward(point) * self.boundary.distance.sample(point)
    }

    /// The velocity after the wall has acted at a point that it reaches.
    #[inline]
    pub(crate) fn act(&self, point: Vec3, velocity: Vec3, density: f32) -> Vec3 {
        let (boundary, obstacles, cell_size) = (self.boundary, self.obstacles, self.cell_size);
        let distance = boundary.distance.sample(point);
        let Some(body) = boundary.body_at(point) else {
            return velocity;
        };
        let contact = obstacles.contact(body);
        let wall = obstacles.velocity(body, point);
        let relative = velocity - wall;
        match contact.condition {
            WallCondition::Sticky => {
                // The velocity falls to the wall's own across the layer of contact.
                let freedom = (distance / (CONTACT * cell_size)).clamp(0.0, 1.0);
                wall + relative * freedom
            }
            WallCondition::Slip | WallCondition::Separating | WallCondition::NoSlip => {
                let normal = boundary.outward(point);
                let sliding = relative - normal * relative.dot(normal);
                let speed = sliding.length();
                // Coulomb: the wall's traction, friction times pressure, slows a layer one cell thick.
                let push = self.pressure.sample(point).max(0.0);
                let loss = contact.friction * push * self.dt / (density * cell_size);
                if speed > 0.0 {
                    velocity - sliding * (loss / speed).min(1.0)
                } else {
                    velocity
                }
            }
        }
    }
}
