//! Colliders and free bodies as liquids see them.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use ooze_core::{
    Body, BodyHeat, BodyId, BodyVelocity, ChannelError, Channels, Collider, Domain, FreeBody,
    Impulse, ImpulsePart, Joint, Remains, Solid, Solids, SpatialInertia,
};
use ooze_geometry::{Pose, Twist};

use crate::body::{Course, Heft, State};
use crate::bonds::Bonds;
use crate::melting::Wear;
use crate::stage::{Outcome, Passage, Stage};
use crate::{RigidError, checkpoint, checks};

/// Keyframed colliders, followed by bodies that gravity, contacts, joints and the liquid move.
///
/// # A step
///
/// [`Solids::advance`] foretells where free bodies end the step. A liquid that solves for their motion along with its own reads
/// [`FreeBody::unforced`] and answers with impulses by [`Solids::follow`], which takes the step again from its start, this time with
/// the impulses. One that does not leaves its impulses with [`Solids::push`]; they act at the start of the next step.
///
/// # What rests on something under liquid
///
/// Contacts answer to the liquid. Were `unforced` how a body moves by gravity and contacts alone, then one that rests on the ground
/// would be at rest in it, and the liquid's buoyancy would lift it off in every step. So contacts are foretold with the liquid's
/// impulse of the last step, which is then taken off again: `unforced` = contacts(v + g t + I/m) - I/m. What meets nothing is not
/// changed by this, and what is held by contacts stays at rest once the liquid answers with I again.
///
/// What joints hold is known better: [`FreeBody::joined`] makes a body as heavy along what joints lock, or motors drive, as the
/// liquid finds it. Otherwise thick liquid would stop a light paddle within a step, and its motor would hear of it one step later (`bonds`).
pub struct RigidSolids {
    stage: Stage,
    solids: Vec<Solid>,
    /// How bodies stood at the start of the step, and how they stand at its end.
    before: Vec<State>,
    after: Vec<State>,
    /// Temperatures of bodies in kelvin that have a capacity for heat.
    temperatures: Vec<Option<f64>>,
    /// What is left of bodies that melt, once the liquid has told.
    left: Vec<Option<Remains>>,
    /// What joints make of the liquid's say in this step.
    bonds: Vec<Bonds>,
    /// When the step starts.
    time: f64,
    /// Whether the liquid has had its say in this step.
    followed: bool,
}

impl RigidSolids {
    /// Solids of a scene in their places at time zero: colliders, then bodies, in their orders.
    pub fn new(
        colliders: Vec<Collider>,
        bodies: Vec<Body>,
        joints: &[Joint],
        gravity: DVec3,
        domain: &Domain,
    ) -> Result<Self, RigidError> {
        let stage = checks::stage(colliders, bodies, joints, gravity, domain)?;
        let parts = stage.bodies.iter().zip(&stage.hefts);
        let states: Vec<State> = parts
            .map(|(body, heft)| match body.released > 0.0 {
                true => driven_state(body, heft, 0.0),
                false => State::at(heft, &body.motion.pose(0.0), body.velocity),
            })
            .collect();
        let colliders = stage.colliders.iter().map(|collider| collider.at(0.0));
        let bodies = stage.bodies.iter().zip(&stage.hefts);
        let bodies = bodies.map(|(body, heft)| standing(body, heft));
        let solids: Vec<Solid> = colliders.chain(bodies).collect();
        let own = &solids[stage.colliders.len()..];
        let temperatures = own.iter().map(Solid::changing_temperature);
        let mut all = Self {
            temperatures: temperatures.map(|own| own.map(f64::from)).collect(),
            solids,
            left: vec![None; states.len()],
            bonds: Vec::new(),
            before: states.clone(),
            after: states,
            stage,
            time: 0.0,
            followed: false,
        };
        all.settle(0.0);
        Ok(all)
    }

    /// Sets all solids to where they are between two steps.
    fn settle(&mut self, time: f64) {
        let colliders = self.stage.colliders.len();
        for (solid, collider) in self.solids.iter_mut().zip(&self.stage.colliders) {
            *solid = collider.at(time);
        }
        for number in 0..self.after.len() {
            let free = self.stage.is_free(number, time);
            let (heft, state) = (&self.stage.hefts[number], &self.after[number]);
            let (body, pose) = (&self.stage.bodies[number], state.pose(heft));
            let motion = state.motion(heft);
            let temperature = self.temperatures[number];
            let solid = &mut self.solids[colliders + number];
            set_temperature(solid, temperature);
            (solid.start, solid.end) = (pose, pose);
            solid.next = match free {
                true => twist(state, heft, motion),
                false => body.motion.twist(time),
            };
            solid.twist = solid.next;
            solid.free = (free && !solid.is_gone()).then(|| free_body(heft, motion, motion));
        }
    }

    /// Makes a body what is left of it, and its motion that of what is left, if it is to `part` with the rest.
    fn wear_down(&mut self, number: usize, left: Remains, part: bool) {
        let solid = &mut self.solids[self.stage.colliders.len() + number];
        let (heft, state) = (&mut self.stage.hefts[number], &mut self.after[number]);
        let domain = &self.stage.domain;
        let wear = Wear {
            left: &left,
            shape: &self.stage.bodies[number].shape,
            volume: self.stage.volumes[number],
            slab: domain.flat.then_some(domain.cell_size),
        };
        match part {
            true => wear.part(heft, state),
            false => wear.weigh(heft),
        }
        solid.left = Some(left.share() as f32);
        if let Some(shape) = wear.shape() {
            solid.shape = Arc::new(shape);
        }
        let corners = wear.corners();
        if left.grains.len() < left.whole {
            self.stage.reshape(number, &corners);
        }
        self.left[number] = Some(left);
    }

    /// The way of every solid through the step, with impulses on bodies about their centres at its start.
    fn passages(&self, end: f64, dt: f64, impulses: &[ImpulsePart]) -> Vec<Passage> {
        let Self { stage, time, .. } = self;
        let driven = |motion: &ooze_geometry::Motion| Passage::Driven {
            start: motion.pose(*time),
            end: motion.pose(end),
            twist: motion.twist_between(*time, end),
            fixed: motion.is_static(),
        };
        let colliders = stage
            .colliders
            .iter()
            .map(|collider| driven(&collider.motion));
        let bodies = stage.bodies.iter().enumerate().map(|(number, body)| {
            if !self.stage.is_free(number, *time) {
                return driven(&body.motion);
            }
            let (heft, state) = (&stage.hefts[number], self.before[number]);
            let all = state.pending + impulses[number];
            let course = Course::new(heft, &state, stage.gravity, all, dt);
            Passage::Free {
                state,
                course,
                force: stage.gravity * heft.mass + all.linear / dt,
                torque: all.angular / dt,
                pushed: all != ImpulsePart::ZERO,
            }
        });
        colliders.chain(bodies).collect()
    }

    /// Takes bodies to the ends of the step.
    fn move_on(&mut self, outcomes: &[Option<Outcome>], end: f64, dt: f64) {
        let colliders = self.stage.colliders.len();
        for (number, outcome) in outcomes.iter().skip(colliders).enumerate() {
            let (heft, body) = (&self.stage.hefts[number], &self.stage.bodies[number]);
            let solid = &mut self.solids[colliders + number];
            let before = &self.before[number];
            let after = match outcome {
                Some(outcome) => outcome.end,
                None => driven_state(body, heft, end),
            };
            self.after[number] = after;
            solid.start = before.pose(heft);
            solid.end = after.pose(heft);
            let motion = after.motion(heft);
            match outcome {
                Some(_) => {
                    solid.twist = twist_between(before, &after, heft, dt);
                    solid.next = twist(&after, heft, motion);
                }
                None => {
                    solid.twist = body.motion.twist_between(self.time, end);
                    solid.next = twist(&after, heft, motion);
                }
            }
        }
    }
}

impl Solids for RigidSolids {
    fn all(&self) -> &[Solid] {
        &self.solids
    }

    fn advance(&mut self, time: f64, dt: f64) {
        let end = time + dt;
        self.time = time;
        self.followed = false;
        self.before.clone_from(&self.after);
        for (number, state) in self.before.iter_mut().enumerate() {
            if self.stage.is_rejoined(number, time, dt) {
                state.held = ImpulsePart::ZERO;
            }
        }
        for (solid, collider) in self.solids.iter_mut().zip(&self.stage.colliders) {
            let motion = &collider.motion;
            solid.start = motion.pose(time);
            solid.end = motion.pose(end);
            solid.twist = motion.twist_between(time, end);
            solid.next = motion.twist(end);
        }
        self.bonds = self.stage.bonds(&self.before, time, dt);
        let last: Vec<ImpulsePart> = self
            .before
            .iter()
            .map(|state| ImpulsePart {
                linear: state.held.linear * dt,
                angular: state.held.angular * dt,
            })
            .collect();
        let held = self.stage.hand_on(&self.bonds, &self.before, &last);
        let passages = self.passages(end, dt, &held);
        let outcomes = self.stage.step(&passages, time, dt);
        self.move_on(&outcomes, end, dt);
        let colliders = self.stage.colliders.len();
        for (number, outcome) in outcomes.iter().skip(colliders).enumerate() {
            let (heft, state) = (&self.stage.hefts[number], &self.before[number]);
            let solid = &mut self.solids[colliders + number];
            solid.free = outcome.filter(|_| !solid.is_gone()).map(|outcome| {
                let unforced = match outcome.met {
                    true => {
                        let answered = self.bonds[number].answer(last[number]);
                        BodyVelocity {
                            linear: outcome.end.velocity - answered.linear,
                            angular: outcome.spin - answered.angular,
                        }
                    }
                    false => {
                        let gravity = self.stage.gravity;
                        let course = Course::new(heft, state, gravity, state.pending, dt);
                        BodyVelocity {
                            linear: course.velocity,
                            angular: course.spin,
                        }
                    }
                };
                FreeBody {
                    joined: self.bonds[number].joined(),
                    ..free_body(heft, state.motion(heft), unforced)
                }
            });
        }
    }

    fn follow(&mut self, impulses: &[Impulse], dt: f64) {
        self.followed = true;
        let end = self.time + dt;
        let colliders = self.stage.colliders.len();
        let on_body = |(number, state): (usize, &State)| {
            let on = |impulse: &&Impulse| usize::from(impulse.body.0) == colliders + number;
            let impulse = impulses.iter().find(on);
            impulse.map_or(ImpulsePart::ZERO, |impulse| {
                impulse.total().about(state.centre)
            })
        };
        let all: Vec<ImpulsePart> = self.before.iter().enumerate().map(on_body).collect();
        let handed_on = self.stage.hand_on(&self.bonds, &self.before, &all);
        let passages = self.passages(end, dt, &handed_on);
        let outcomes = self.stage.step(&passages, self.time, dt);
        self.move_on(&outcomes, end, dt);
        for (number, total) in all.into_iter().enumerate() {
            let state = &mut self.after[number];
            state.pending = ImpulsePart::ZERO;
            if self.solids[colliders + number].free.is_some() {
                state.held = ImpulsePart {
                    linear: total.linear / dt,
                    angular: total.angular / dt,
                };
            }
        }
    }

    fn push(&mut self, impulses: &[Impulse], _dt: f64) {
        if self.followed {
            return;
        }
        let colliders = self.stage.colliders.len();
        for state in &mut self.after {
            state.pending = ImpulsePart::ZERO;
            state.held = ImpulsePart::ZERO;
        }
        for impulse in impulses {
            let solid = usize::from(impulse.body.0);
            let Some(number) = solid.checked_sub(colliders) else {
                continue;
            };
            let Some(state) = self.after.get_mut(number) else {
                continue;
            };
            if self.solids[solid].free.is_some() {
                state.pending += impulse.total().about(state.centre);
            }
        }
    }

    fn warm(&mut self, heat: &[BodyHeat]) {
        let colliders = self.stage.colliders.len();
        for BodyHeat { body, gained } in heat {
            let solid = &mut self.solids[usize::from(body.0)];
            let own = usize::from(body.0).checked_sub(colliders);
            let own = own.and_then(|number| self.temperatures[number].as_mut());
            let Some((own, capacity)) = own.zip(solid.heat_capacity) else {
                continue;
            };
            *own += gained / capacity;
            let temperature = Some(*own);
            set_temperature(solid, temperature);
        }
    }

    fn wear(&mut self, left: &[Remains]) {
        let colliders = self.stage.colliders.len();
        for one in left {
            let solid = usize::from(one.body.0);
            let Some(number) = solid.checked_sub(colliders) else {
                continue;
            };
            let known = self.left[number].as_ref();
            if known.is_some_and(|known| known.grains.len() == one.grains.len()) {
                continue;
            }
            self.wear_down(number, one.clone(), true);
            // What leant on it may fall.
            for state in &mut self.after {
                (state.rested, state.pile) = (0.0, 0);
            }
            let (heft, state) = (&self.stage.hefts[number], &self.after[number]);
            let motion = state.motion(heft);
            let solid = &mut self.solids[solid];
            solid.free = solid.free.filter(|_| !solid.is_gone());
            if let Some(free) = &mut solid.free {
                *free = free_body(heft, motion, motion);
            }
        }
    }

    fn save(&self) -> Channels {
        checkpoint::save(&self.after, &self.temperatures, &self.left)
    }

    fn load(&mut self, saved: Channels, time: f64) -> Result<(), ChannelError> {
        let colliders = self.stage.colliders.len();
        let melts = |body: BodyId| {
            let number = usize::from(body.0).checked_sub(colliders);
            let body = number.and_then(|number| self.stage.bodies.get(number));
            body.is_some_and(|body| body.melts)
        };
        let left;
        (self.after, self.temperatures, left) = checkpoint::load(saved, &self.temperatures, melts)?;
        for one in left {
            self.wear_down(usize::from(one.body.0) - colliders, one, false);
        }
        self.before.clone_from(&self.after);
        self.time = time;
        self.followed = false;
        self.settle(time);
        Ok(())
    }
}

/// A body that has not been told yet how it moves.
fn standing(body: &Body, heft: &Heft) -> Solid {
    let (pose, twist) = (body.motion.pose(0.0), body.motion.twist(0.0));
    Solid {
        name: body.name.clone(),
        shape: Arc::clone(&body.shape),
        contact: body.contact,
        left: body.melts.then_some(1.0),
        heat_capacity: body.heat_capacity.map(|each| each * heft.mass),
        free: None,
        fixed: false,
        start: pose,
        end: pose,
        twist,
        next: twist,
    }
}

fn set_temperature(solid: &mut Solid, temperature: Option<f64>) {
    if let Some((heat, temperature)) = solid.contact.heat.as_mut().zip(temperature) {
        heat.temperature = temperature as f32;
    }
}

fn free_body(heft: &Heft, before: BodyVelocity, unforced: BodyVelocity) -> FreeBody {
    FreeBody {
        mass: heft.mass,
        volume: heft.volume,
        centre: heft.centre.as_vec3(),
        inertia: heft.inertia,
        locked: heft.locked,
        before,
        unforced,
        joined: SpatialInertia::ZERO,
    }
}

/// A body on its keyframes; from its release on, as it moved until then.
fn driven_state(body: &Body, heft: &Heft, time: f64) -> State {
    let released = time.min(body.released);
    // Keyframes that end in a halt at the release do not count as one.
    let before = released.next_down();
    let twist = body.motion.twist(if released < body.released {
        time
    } else {
        before
    });
    let pose = body.motion.pose(released);
    let spin = twist.angular.as_dvec3();
    let centre = heft.centre.as_vec3();
    let velocity = twist.velocity(pose.to_world(centre)).as_dvec3();
    let motion = BodyVelocity {
        linear: velocity,
        angular: spin,
    };
    let state = State::at(heft, &Pose { scale: 1.0, ..pose }, motion);
    let rest = time - released;
    if rest == 0.0 {
        return state;
    }
    let course = Course::new(heft, &state, DVec3::ZERO, ImpulsePart::ZERO, rest);
    course.end(&state, rest)
}

/// How a body's own frame moves from a state on.
fn twist(state: &State, heft: &Heft, motion: BodyVelocity) -> Twist {
    let origin = state.origin(heft);
    let velocity = motion.linear + motion.angular.cross(origin - state.centre);
    Twist {
        centre: origin.as_vec3(),
        linear: velocity.as_vec3(),
        angular: motion.angular.as_vec3(),
        growth: 0.0,
    }
}

/// The constant twist that takes a body from one state to another: a screw. Turns of half a revolution and more are told by spins.
fn twist_between(before: &State, after: &State, heft: &Heft, dt: f64) -> Twist {
    let turned: DQuat = after.rotation * before.rotation.inverse();
    let turned = if turned.w < 0.0 { -turned } else { turned };
    let turn = turned.to_scaled_axis();
    let way = after.centre - before.centre;
    let angle = turn.length();
    // v = φ⁻¹ of the way, φ(z) = (eᶻ - 1)/z with z = i·angle across the axis: see `Motion::twist_between`.
    let linear = if angle < 1e-6 {
        way - 0.5 * turn.cross(way)
    } else {
        let axis = turn / angle;
        let along = axis * axis.dot(way);
        let across = way - along;
        let half = 0.5 * angle;
        along + across * (half / half.tan()) - axis.cross(across) * half
    };
    let motion = BodyVelocity {
        linear: linear / dt,
        angular: turn / dt,
    };
    twist(before, heft, motion)
}
