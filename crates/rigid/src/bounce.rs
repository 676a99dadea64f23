//! When contacts bounce.

use glam::DVec3;
use rapier3d_f64::pipeline::{ContactModificationContext, PhysicsHooks};

use crate::algebra::from_rapier;

/// Lets contacts bounce that solids meet in at more than a speed: what rests is met by no more than gravity gives it in a step, and
/// would never come to rest if it bounced off that.
pub(crate) struct Bounces {
    /// In m/s.
    pub(crate) least_speed: f64,
}

impl PhysicsHooks for Bounces {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let [one, other] = [context.rigid_body1, context.rigid_body2].map(|handle| {
            let body = context.bodies.get(handle?)?;
            let centre = from_rapier(body.center_of_mass());
            Some((
                centre,
                from_rapier(body.linvel()),
                from_rapier(body.angvel()),
            ))
        });
        let (Some(one), Some(other)) = (one, other) else {
            return;
        };
        let Some(rigid) = context.rigid_mut() else {
            return;
        };
        let normal = from_rapier(*rigid.normal);
        let meets = rigid.solver_contacts.iter().any(|contact| {
            let speed = |(centre, velocity, spin): (DVec3, DVec3, DVec3), point| {
                let arm = from_rapier(point) - centre;
                (velocity + spin.cross(arm)).dot(normal)
            };
            let approach = speed(one, contact.anchor1) - speed(other, contact.anchor2);
            approach > self.least_speed
        });
        if !meets {
            *rigid.restitution = 0.0;
        }
    }
}
