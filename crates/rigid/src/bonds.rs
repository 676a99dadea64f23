//! What joints make of the liquid's say.
//!
//! Joints are solved for when the liquid has moved. If a light body that is joined to a heavy one were as light for the liquid as it is by
//! itself, thick liquid would stop it within a step, and the joint would hear of it in the next. So a body counts for the liquid with what
//! its joints add to its inertia ([`ooze_core::FreeBody::joined`]): what joints to the world lock is as good as immovable, and what they
//! share with another body takes along as much of it as it feels there. Of what the liquid does to such a body it gets as much as moves it
//! like the liquid saw it move; the world bears its part, and the other bodies get theirs, so that nothing of the momentum is lost among
//! them.

use glam::DVec3;
use ooze_core::{ImpulsePart, SpatialInertia};

use crate::algebra::turned;
use crate::body::State;
use crate::stage::Stage;

/// What joints add to the inertia of one body.
#[derive(Clone, Debug)]
pub(crate) struct Bonds {
    /// By itself.
    own: SpatialInertia,
    /// Joints to the world, and to solids that do not give way.
    world: SpatialInertia,
    /// Joints to other bodies, by their numbers.
    others: Vec<(usize, SpatialInertia)>,
    locked: [[bool; 3]; 2],
}

impl Bonds {
    /// All that joints add.
    pub(crate) fn joined(&self) -> SpatialInertia {
        let others = self.others.iter();
        others.fold(self.world, |sum, (_, shared)| sum.plus(shared))
    }

    /// How the body moves for an impulse about its centre, as the liquid sees it.
    pub(crate) fn answer(&self, impulse: ImpulsePart) -> ooze_core::BodyVelocity {
        let whole = self.own.plus(&self.joined());
        whole.inverse_among(self.locked).motion(impulse)
    }

    /// What is left of an impulse of which joints to the world bear their part: as much as moves the body alone like the impulse moves it with
    /// what these add.
    fn left_by_world(&self, impulse: ImpulsePart) -> ImpulsePart {
        if self.world == SpatialInertia::ZERO {
            return impulse;
        }
        let whole = self.own.plus(&self.world).inverse_among(self.locked);
        self.own.momentum(whole.motion(impulse))
    }
}

impl Stage {
    /// The bonds of all bodies in a step from such states.
    pub(crate) fn bonds(&self, states: &[State], time: f64, dt: f64) -> Vec<Bonds> {
        let bodies = states.iter().enumerate();
        let mut all: Vec<Bonds> = bodies
            .map(|(body, state)| {
                let heft = &self.hefts[body];
                Bonds {
                    own: SpatialInertia::of_body(heft.mass, turned(heft.inertia, state.rotation)),
                    world: self.held_by_world(body, state, time, dt),
                    others: Vec::new(),
                    locked: heft.locked,
                }
            })
            .collect();
        for (fitting, ends) in self.between_bodies(time, time + 0.5 * dt) {
            for (end, [body, other]) in [ends, [ends[1], ends[0]]].into_iter().enumerate() {
                let [own, its] = [body, other].map(|body| (&self.hefts[body], &states[body]));
                let resists = all[other].own.plus(&all[other].world);
                let mobility = resists.inverse_among(all[other].locked);
                let shared = fitting.shared(end, own, its, &mobility);
                all[body].others.push((other, shared));
            }
        }
        all
    }

    /// What bodies get of impulses about their centres, once joints have handed on their parts.
    pub(crate) fn hand_on(
        &self,
        bonds: &[Bonds],
        states: &[State],
        impulses: &[ImpulsePart],
    ) -> Vec<ImpulsePart> {
        let mut parts = vec![ImpulsePart::ZERO; impulses.len()];
        for (body, (own, &impulse)) in bonds.iter().zip(impulses).enumerate() {
            if own.others.is_empty() {
                parts[body] += own.left_by_world(impulse);
                continue;
            }
            let motion = own.answer(impulse);
            parts[body] += own.own.momentum(motion);
            for (other, shared) in &own.others {
                let arm: DVec3 = states[body].centre - states[*other].centre;
                let ImpulsePart { linear, angular } = shared.momentum(motion);
                parts[*other] += bonds[*other].left_by_world(ImpulsePart {
                    linear,
                    angular: angular + arm.cross(linear),
                });
            }
        }
        parts
    }
}
