//! What makes a body other than liquid, once both have moved as liquid: its density, and what it collided with (Carlson 2004, eq. 68
//! to 71).

use glam::{DVec3, IVec3};
use ooze_field::FieldByAxis;

use super::pieces::Pieces;
use super::projection::rigid_motion;
use super::{Immersed, ImmersedBodies};
use crate::coupling::Six;
use crate::face_velocity::FaceVelocity;

/// What becomes of a body.
pub(super) struct Source {
    /// Δt S/ρr of each piece, in m/s; none where the liquid has no velocity.
    changes: Vec<Option<f64>>,
    /// How the body moves with that, as a rigid one.
    pub(super) motion: Six,
}

impl ImmersedBodies {
    /// The source term of a body for velocities u*, and the motion that it makes.
    pub(super) fn source(
        &self,
        body: &Immersed,
        grid: &FaceVelocity,
        density: impl Fn(IVec3) -> f32,
    ) -> Source {
        let (before, own) = (body.before(), body.density());
        let collisions = self.collisions(body);
        let list = &body.pieces.list;
        let changes = list.iter().map(|piece| {
            if grid.known[piece.axis].get(piece.cell) == 0 {
                return None;
            }
            let velocity = f64::from(grid.velocity[piece.axis].get(piece.cell));
            let relative = own / f64::from(density(piece.cell));
            // Δt times the bracket of eq. 70.
            let mut inertia = match relative < f64::from(self.settings.ultra_buoyant) {
                true => 0.0,
                false => velocity - before.along(piece.axis, piece.arm),
            };
            if !self.settings.buoyant_weight {
                inertia -= self.fall(body, piece.axis, piece.arm);
            }
            Some(collisions.along(piece.axis, piece.arm) - (1.0 - 1.0 / relative) * inertia)
        });
        let changes: Vec<Option<f64>> = changes.collect();
        let moved = list.iter().zip(&changes);
        let moved = moved.filter_map(|(piece, change)| {
            let velocity = f64::from(grid.velocity[piece.axis].get(piece.cell));
            Some((piece, velocity + (*change)?))
        });
        let motion = rigid_motion(moved, body);
        Source { changes, motion }
    }

    /// Velocity and spin that contacts and joints gave a body in the step, Δt A_c and Δt α_c (eq. 68 and 69); what its inertia makes of its spin
    /// as it turns is a part of it.
    fn collisions(&self, body: &Immersed) -> Six {
        let [before, unforced] = [body.before(), body.unforced()];
        let axes = [0, 1, 2].map(|axis| self.fall(body, axis, DVec3::ZERO));
        Six {
            linear: unforced.linear - before.linear - DVec3::from_array(axes),
            angular: unforced.angular - before.angular,
        }
    }
}

impl Source {
    /// Turns u* into û (eq. 71).
    pub(super) fn apply(&self, pieces: &Pieces, velocity: &mut FieldByAxis<f32>) {
        for (piece, change) in pieces.list.iter().zip(&self.changes) {
            if let Some(change) = change {
                let field = &mut velocity[piece.axis];
                let value = f64::from(field.get(piece.cell)) + piece.share * change;
                field.set(piece.cell, value as f32);
            }
        }
    }
}
