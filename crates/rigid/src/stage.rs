//! All that never changes of a scene's solids, and a step of them.
//!
//! A step sets up a world of rapier's anew from where solids are and how they move, and keeps nothing of it: so that a step can be
//! taken twice, and a run that is resumed goes on to the same bits. What rapier would remember are the forces of contacts, as first
//! guesses; more iterations make up for them. Where a body meets nothing, rapier is not asked at all: it moves as liquids do, with
//! v += g t and x += v t, so that one of the liquid's own weight stays where it is in it.

use glam::{DMat3, DQuat, DVec3, Vec3};
use ooze_core::{Body, Collider, Domain, Side, SpatialInertia};
use ooze_geometry::{Pose, Twist};
use rapier3d_f64::dynamics::{
    CoefficientCombineRule, FrictionModel, GenericJoint, JointAxesMask, LockedAxes, MassProperties,
    RigidBodyBuilder, RigidBodyHandle,
};
use rapier3d_f64::geometry::{ColliderBuilder, SharedShape};
use rapier3d_f64::math::{Matrix, Real};
use rapier3d_f64::pipeline::{ActiveHooks, PhysicsWorld};

use crate::algebra::{
    among, from_rapier, open, placed, pose_from_rapier, pose_to_rapier, to_rapier, turned,
};
use crate::body::{Course, Heft, State};
use crate::bounce::Bounces;
use crate::joint::Fitting;
use crate::pieces::Piece;
use crate::sleep::{Sleepers, touching};

/// Parts that rapier cuts a step into.
const PARTS: usize = 16;
/// Distances below which contacts are foreseen, in sizes of the smallest body.
const FORESIGHT: f64 = 0.02;
/// Distances up to which turning solids may widen that.
const MOST_FORESIGHT: f64 = 0.5;
/// Relative difference beyond which what rapier makes of a motion is no rounding.
const ROUNDING: f64 = 1e-9;

/// What never changes of the solids of a scene, colliders first, then bodies; of bodies that melt, what each step begins with.
pub(crate) struct Stage {
    pub(crate) domain: Domain,
    pub(crate) gravity: DVec3,
    pub(crate) colliders: Vec<Collider>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) hefts: Vec<Heft>,
    /// Volumes of the bodies at the start in m³.
    pub(crate) volumes: Vec<f64>,
    /// Of every solid.
    pub(crate) pieces: Vec<Vec<Piece>>,
    /// How far bodies reach from their centres.
    pub(crate) reaches: Vec<f64>,
    pub(crate) fittings: Vec<Fitting>,
    /// The size of the smallest body.
    pub(crate) unit: f64,
}

/// How a solid goes through a step.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each solid, and none after the step"
)]
pub(crate) enum Passage {
    /// From pose to pose, whatever happens.
    Driven {
        start: Pose,
        end: Pose,
        twist: Twist,
        fixed: bool,
    },
    /// As momenta and what it meets make it, with a force and a torque on it that its course has in it already.
    Free {
        state: State,
        course: Course,
        force: DVec3,
        torque: DVec3,
        /// Whether the liquid does anything to it.
        pushed: bool,
    },
}

/// A world of rapier's after a step.
struct Met {
    world: PhysicsWorld,
    /// Of all solids, and of what never moves behind them.
    handles: Vec<RigidBodyHandle>,
    /// Which of them have pushed one another.
    touching: Vec<[usize; 2]>,
}

/// How a free body ends a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) end: State,
    /// Its spin at the end of the step.
    pub(crate) spin: DVec3,
    /// Whether it met anything.
    pub(crate) met: bool,
}

impl Stage {
    /// Has a body meet others as the convex hull of some points; as nothing if they are none.
    pub(crate) fn reshape(&mut self, body: usize, corners: &[Vec3]) {
        let pieces: Vec<Piece> = Piece::hull(corners).into_iter().collect();
        let reaches = pieces
            .iter()
            .map(|piece| piece.reach(self.hefts[body].centre));
        self.reaches[body] = reaches.fold(0.0, f64::max);
        self.pieces[self.colliders.len() + body] = pieces;
    }

    /// The ends of all solids that are free, by solids.
    pub(crate) fn step(&self, passages: &[Passage], time: f64, dt: f64) -> Vec<Option<Outcome>> {
        let alone = |passage: &Passage| match passage {
            Passage::Driven { .. } => None,
            Passage::Free { state, course, .. } => Some(Outcome {
                end: course.end(state, dt),
                spin: course.spin,
                met: false,
            }),
        };
        let mut outcomes: Vec<Option<Outcome>> = passages.iter().map(alone).collect();
        if outcomes.iter().all(Option::is_none) {
            return outcomes;
        }
        let jointed = self.jointed(passages, time + 0.5 * dt);
        let mut sleepers = self.sleepers(passages);
        let met = loop {
            if sleepers.are_all(passages) {
                break None;
            }
            let met = self.meet(passages, &jointed, &sleepers, [time, dt]);
            if !self.wake_touched(&mut sleepers, passages, &met.touching) {
                break Some(met);
            }
        };
        sleepers.sleep_on(passages, &mut outcomes);
        if let Some(met) = met {
            self.read(&met, passages, (&jointed, &sleepers), &mut outcomes, dt);
            self.tire(
                passages,
                (&jointed, &sleepers),
                &met.touching,
                &mut outcomes,
                dt,
            );
        }
        outcomes
    }

    /// Has solids move and meet one another, but for those that sleep.
    fn meet(
        &self,
        passages: &[Passage],
        jointed: &[bool],
        sleepers: &Sleepers,
        [time, dt]: [f64; 2],
    ) -> Met {
        let mut world = PhysicsWorld::new();
        self.set_up(&mut world, passages, dt);
        let handles = self.insert_solids(&mut world, passages, jointed, sleepers);
        self.insert_rails(&mut world, passages, &handles);
        self.insert_joints(&mut world, passages, &handles, time + 0.5 * dt);
        let bounces = Bounces {
            least_speed: self.gravity.length() * dt,
        };
        world.step_with_events(&bounces, &());
        Met {
            touching: touching(&world, &handles),
            handles,
            world,
        }
    }

    /// Takes over how free bodies end that have met anything.
    fn read(
        &self,
        met: &Met,
        passages: &[Passage],
        (jointed, sleepers): (&[bool], &Sleepers),
        outcomes: &mut [Option<Outcome>],
        dt: f64,
    ) {
        let Met {
            world,
            handles,
            touching,
        } = met;
        for (number, passage) in passages.iter().enumerate() {
            let Passage::Free { state, course, .. } = passage else {
                continue;
            };
            if sleepers.has(number) {
                continue;
            }
            let body = &world.bodies[handles[number]];
            let (velocity, spin) = (from_rapier(body.linvel()), from_rapier(body.angvel()));
            let centre = from_rapier(body.center_of_mass());
            let (_, rotation) = pose_from_rapier(body.position());
            // Rapier adds forces part by part, so that it gets not quite as far.
            let parts = PARTS as f64;
            let change = course.velocity - state.velocity;
            let way = (state.velocity + change * (0.5 * (1.0 + 1.0 / parts))) * dt;
            let off = (centre - state.centre - way).length();
            let differs = (velocity - course.velocity).length()
                > ROUNDING * (course.velocity.length() + change.length() + self.unit / dt * 1e-6)
                || off > ROUNDING * (state.centre.length() + self.unit) + ROUNDING * way.length();
            let touches = || touching.iter().any(|pair| pair.contains(&number));
            let is_finite = centre.is_finite()
                && rotation.is_finite()
                && velocity.is_finite()
                && spin.is_finite();
            if !is_finite || !(jointed[number] || differs || touches()) {
                continue;
            }
            let heft = &self.hefts[number - self.colliders.len()];
            let spin = open(heft.locked[1]) * spin;
            let momentum = match jointed[number] {
                true => heft.inertia(rotation) * spin,
                false => course.momentum_of(spin),
            };
            let way = open(heft.locked[0]) * (centre - state.centre);
            outcomes[number] = Some(Outcome {
                end: State {
                    centre: state.centre + way,
                    rotation,
                    velocity: open(heft.locked[0]) * velocity,
                    momentum,
                    ..*state
                },
                spin,
                met: true,
            });
        }
    }

    fn set_up(&self, world: &mut PhysicsWorld, passages: &[Passage], dt: f64) {
        world.gravity = to_rapier(DVec3::ZERO);
        // What turns meets things that its centre does not move towards.
        let turning = passages.iter().enumerate().map(|(number, passage)| {
            let (spin, reach) = match passage {
                Passage::Driven { twist, .. } => {
                    let pieces = self.pieces[number].iter();
                    let reach = pieces.map(|piece| piece.reach(DVec3::ZERO));
                    let reach = reach.filter(|reach| reach.is_finite());
                    (twist.angular.as_dvec3(), reach.fold(0.0, f64::max))
                }
                Passage::Free { course, .. } => {
                    (course.spin, self.reaches[number - self.colliders.len()])
                }
            };
            spin.length() * reach * dt / self.unit
        });
        let turning = turning.fold(0.0, f64::max);
        let settings = &mut world.integration_parameters;
        settings.dt = dt;
        settings.min_ccd_dt = 0.01 * dt;
        settings.length_unit = self.unit;
        settings.num_solver_iterations = PARTS;
        settings.contact_recycling = false;
        settings.warmstart_joints = true;
        // The other one lets friction at the corners of a face point inwards, so that a tenth and more of it is missing.
        settings.friction_model = FrictionModel::Simplified;
        settings.normalized_max_linear_velocity = Real::MAX;
        settings.normalized_prediction_distance = (FORESIGHT + turning).min(MOST_FORESIGHT);
    }

    /// Solids and walls; the handles of the former, and that of what never moves behind them.
    fn insert_solids(
        &self,
        world: &mut PhysicsWorld,
        passages: &[Passage],
        jointed: &[bool],
        sleepers: &Sleepers,
    ) -> Vec<RigidBodyHandle> {
        let mut handles = Vec::with_capacity(passages.len() + 1);
        for (number, passage) in passages.iter().enumerate() {
            let dt = world.integration_parameters.dt;
            let (body, scale) = match passage {
                Passage::Free { state, .. } if sleepers.has(number) => {
                    let heft = &self.hefts[number - self.colliders.len()];
                    let pose = placed(state.origin(heft), state.rotation);
                    (RigidBodyBuilder::fixed().pose(pose), 1.0)
                }
                _ => self.built(number, passage, jointed[number], dt),
            };
            let handle = world.insert_body(body);
            let body = &mut world.bodies[handle];
            match passage {
                Passage::Driven { end, .. } => {
                    body.set_next_kinematic_position(pose_to_rapier(end));
                }
                Passage::Free { .. } if sleepers.has(number) => {}
                Passage::Free { force, torque, .. } => {
                    let locked = self.hefts[number - self.colliders.len()].locked[0];
                    body.add_force(to_rapier(open(locked) * *force), true);
                    body.add_torque(to_rapier(*torque), true);
                }
            }
            let [friction, restitution] = match number.checked_sub(self.colliders.len()) {
                Some(body) => [self.bodies[body].friction, self.bodies[body].restitution],
                // The smaller one of two counts: that of the body.
                None => [f64::MAX, 1.0],
            };
            for piece in &self.pieces[number] {
                let Some((shape, offset)) = piece.at_scale(scale) else {
                    continue;
                };
                let collider = surface(shape, friction, restitution).position(offset);
                world.insert_collider(collider, Some(handle));
            }
            handles.push(handle);
        }
        let walls = world.insert_body(RigidBodyBuilder::fixed());
        for (outward, place) in self.walls() {
            let plane = SharedShape::halfspace(to_rapier(outward));
            let pose = placed(place, DQuat::IDENTITY);
            world.insert_collider(surface(plane, f64::MAX, 1.0).position(pose), Some(walls));
        }
        // Joints to the world must not keep bodies from hitting its walls.
        handles.push(world.insert_body(RigidBodyBuilder::fixed()));
        handles
    }

    /// Directions that point out of closed sides into the domain, and points on these sides.
    pub(crate) fn walls(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        let domain = &self.domain;
        let corners = [domain.lower.as_dvec3(), domain.upper().as_dvec3()];
        (0..2 * domain.dimensions()).filter_map(move |side| {
            let (axis, upper) = (side / 2, side % 2);
            let inwards = DVec3::AXES[axis] * [1.0, -1.0][upper];
            let closed = matches!(domain.sides[axis][upper], Side::Closed(_));
            closed.then_some((inwards, corners[upper]))
        })
    }

    fn built(
        &self,
        number: usize,
        passage: &Passage,
        is_jointed: bool,
        dt: f64,
    ) -> (RigidBodyBuilder, f64) {
        match *passage {
            Passage::Driven {
                start,
                end,
                twist,
                fixed,
            } => {
                if fixed {
                    let body = RigidBodyBuilder::fixed().pose(pose_to_rapier(&start));
                    return (body, f64::from(start.scale));
                }
                let body = RigidBodyBuilder::kinematic_position_based()
                    .pose(pose_to_rapier(&start))
                    .linvel(to_rapier(twist.linear.as_dvec3()))
                    .angvel(to_rapier(twist.angular.as_dvec3()))
                    .soft_ccd_prediction(Real::MAX)
                    .can_sleep(false);
                (body, f64::from(end.scale))
            }
            Passage::Free {
                state,
                course,
                torque,
                ..
            } => {
                let heft = &self.hefts[number - self.colliders.len()];
                // The spin that a free body has in this step, or that what joints hold has now: what would turn it alone is no guide.
                let spin = match is_jointed {
                    true => state.motion(heft).angular,
                    false => course.spin - heft.inverse_inertia(state.rotation) * torque * dt,
                };
                let body = RigidBodyBuilder::dynamic()
                    .pose(placed(state.origin(heft), state.rotation))
                    .linvel(to_rapier(state.velocity))
                    .angvel(to_rapier(spin))
                    .additional_mass_properties(mass_properties(heft, &state))
                    .locked_axes(locked_rotations(heft))
                    .gyroscopic_forces_enabled(false)
                    .allow_fast_rotation(true)
                    .ccd_enabled(true)
                    .soft_ccd_prediction(Real::MAX)
                    .can_sleep(false);
                (body, 1.0)
            }
        }
    }

    /// Whether a body moves freely in a step that starts at a time.
    pub(crate) fn is_free(&self, body: usize, time: f64) -> bool {
        // Times are sums of many steps.
        self.bodies[body].released <= time + 1e-9 * time.abs()
    }

    /// Whether a joint of a body has just let go, or its motor has begun to run or stopped: what the liquid did last tells nothing of
    /// what it does next.
    pub(crate) fn is_rejoined(&self, body: usize, time: f64, dt: f64) -> bool {
        let own = Some(self.colliders.len() + body);
        let mut fittings = self.fittings.iter();
        fittings
            .any(|fitting| fitting.ends.contains(&own) && fitting.has_changed(time + 0.5 * dt, dt))
    }

    /// What joints to the world, and to solids that do not give way, add to the inertia of a body.
    pub(crate) fn held_by_world(
        &self,
        body: usize,
        state: &State,
        time: f64,
        dt: f64,
    ) -> SpatialInertia {
        let own = Some(self.colliders.len() + body);
        let middle = time + 0.5 * dt;
        let gives_way = |number: usize| {
            let body = number.checked_sub(self.colliders.len());
            body.is_some_and(|body| self.is_free(body, time))
        };
        let mut sum = SpatialInertia::ZERO;
        for fitting in self
            .fittings
            .iter()
            .filter(|fitting| self.holds(fitting, middle))
        {
            for (end, other) in [(0, 1), (1, 0)] {
                if fitting.ends[end] == own && !fitting.ends[other].is_some_and(gives_way) {
                    sum = sum.plus(&fitting.held(end, (&self.hefts[body], state), middle, dt));
                }
            }
        }
        sum
    }

    /// Joints that hold two bodies which are both free in a step that starts at a time, with the bodies' numbers.
    pub(crate) fn between_bodies(
        &self,
        time: f64,
        middle: f64,
    ) -> impl Iterator<Item = (&Fitting, [usize; 2])> {
        let body = move |end: Option<usize>| {
            let body = end?.checked_sub(self.colliders.len())?;
            self.is_free(body, time).then_some(body)
        };
        let held = self.fittings.iter();
        let held = held.filter(move |fitting| self.holds(fitting, middle));
        held.filter_map(move |fitting| {
            let [one, other] = fitting.ends.map(body);
            Some((fitting, [one?, other?]))
        })
    }

    /// Keeps bodies from moving where they are locked. Rapier could lock them itself, but where a contact's friction cannot move a body
    /// one way it leaves out the other way too.
    fn insert_rails(
        &self,
        world: &mut PhysicsWorld,
        passages: &[Passage],
        handles: &[RigidBodyHandle],
    ) {
        const ALONG: [JointAxesMask; 3] = [
            JointAxesMask::LIN_X,
            JointAxesMask::LIN_Y,
            JointAxesMask::LIN_Z,
        ];
        for (number, passage) in passages.iter().enumerate() {
            let Passage::Free { state, .. } = passage else {
                continue;
            };
            let heft = &self.hefts[number - self.colliders.len()];
            let locked = ALONG.into_iter().zip(heft.locked[0]);
            let rails = locked.filter(|(_, locked)| *locked);
            let rails = rails.fold(JointAxesMask::empty(), |all, (axis, _)| all | axis);
            if rails.is_empty() {
                continue;
            }
            let mut joint = GenericJoint::new(rails);
            joint.set_local_frame1(placed(state.centre, DQuat::IDENTITY));
            joint.set_local_frame2(placed(heft.centre, DQuat::IDENTITY));
            world.insert_impulse_joint(handles[passages.len()], handles[number], joint);
        }
    }

    /// The joints that hold in a step whose middle is at a time, and whose ends are not both driven.
    fn holding<'a>(
        &'a self,
        passages: &'a [Passage],
        time: f64,
    ) -> impl Iterator<Item = &'a Fitting> {
        let free = |number: &usize| matches!(passages[*number], Passage::Free { .. });
        let held = self
            .fittings
            .iter()
            .filter(move |fitting| self.holds(fitting, time));
        held.filter(move |fitting| fitting.ends.iter().flatten().any(free))
    }

    /// Whether a joint holds in such a step, and both of its ends are there.
    fn holds(&self, fitting: &Fitting, time: f64) -> bool {
        let is_gone = |solid: usize| {
            let body = solid.checked_sub(self.colliders.len());
            body.is_some_and(|body| self.hefts[body].gone)
        };
        fitting.holds(time) && !fitting.ends.into_iter().flatten().any(is_gone)
    }

    /// Which solids are joined in such a step.
    fn jointed(&self, passages: &[Passage], time: f64) -> Vec<bool> {
        let mut jointed = vec![false; passages.len()];
        for number in self
            .holding(passages, time)
            .flat_map(|fitting| fitting.ends)
            .flatten()
        {
            jointed[number] = true;
        }
        jointed
    }

    fn insert_joints(
        &self,
        world: &mut PhysicsWorld,
        passages: &[Passage],
        handles: &[RigidBodyHandle],
        time: f64,
    ) {
        for fitting in self.holding(passages, time) {
            let [one, other] = fitting
                .ends
                .map(|end| handles[end.unwrap_or(passages.len())]);
            world.insert_impulse_joint(one, other, fitting.joint(time));
        }
    }
}

/// A surface of a solid; of two that meet, the smaller friction and restitution count.
fn surface(shape: SharedShape, friction: f64, restitution: f64) -> ColliderBuilder {
    ColliderBuilder::new(shape)
        .density(0.0)
        .friction(friction)
        .friction_combine_rule(CoefficientCombineRule::Min)
        .restitution(restitution)
        .restitution_combine_rule(CoefficientCombineRule::Min)
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS)
}

/// Mass and inertia for rapier, which inverts the whole tensor where rotations are locked: what they share with open ones is left out.
fn mass_properties(heft: &Heft, state: &State) -> MassProperties {
    let locked = heft.locked[1];
    let world = turned(heft.inertia, state.rotation);
    let filler = DMat3::from_diagonal((DVec3::ONE - open(locked)) * world.col(0).x);
    let parts = among(world, locked) + filler;
    let own = turned(parts, state.rotation.inverse());
    let own = if locked.contains(&true) {
        own
    } else {
        heft.inertia
    };
    let columns = [0, 1, 2].map(|axis| to_rapier(own.col(axis)));
    let matrix = Matrix::from_cols(columns[0], columns[1], columns[2]);
    MassProperties::with_inertia_matrix(to_rapier(heft.centre), heft.mass, matrix)
}

/// The rotations that a body cannot make; for what else it cannot do there are rails.
fn locked_rotations(heft: &Heft) -> LockedAxes {
    let flags = [
        LockedAxes::ROTATION_LOCKED_X,
        LockedAxes::ROTATION_LOCKED_Y,
        LockedAxes::ROTATION_LOCKED_Z,
    ];
    let locked = flags.into_iter().zip(heft.locked[1]);
    let chosen = locked.filter(|(_, locked)| *locked);
    chosen.fold(LockedAxes::empty(), |all, (flag, _)| all | flag)
}
