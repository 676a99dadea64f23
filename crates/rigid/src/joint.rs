//! Joints between solids, and between solids and the world.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use ooze_core::{ImpulsePart, Joint, JointEnd, JointKind, Motor, SpatialInertia};
use rapier3d_f64::dynamics::{GenericJoint, JointAxesMask, JointAxis, RopeJointBuilder};

use crate::RigidError;
use crate::algebra::{placed, to_rapier};
use crate::body::{Heft, State};

/// How stiffly a motor holds its speed, within its strength: stiffer than anything that works against it.
const STIFFNESS: f64 = 1e9;
/// How many times harder to move than by itself a body is at most along what a joint holds.
const IMMOVABLE: f64 = 1e6;
/// Share of its strength up to which a motor is taken to hold its speed.
const HOLDS: f64 = 0.8;

/// Share of its length that a rope may be too short by at the start.
const SLACK: f64 = 1e-3;
/// A velocity of a centre of mass and a spin.
type Way = (DVec3, DVec3);

/// A joint between two solids, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Fitting {
    /// None is the world.
    pub(crate) ends: [Option<usize>; 2],
    kind: JointKind,
    /// Where the joint is in the frames of its ends.
    anchors: [DVec3; 2],
    /// How it is turned there.
    turns: [DQuat; 2],
    limits: Option<[f64; 2]>,
    motor: Option<Motor>,
    until: f64,
}

/// A solid as joints know it: where it is at the start, and where its centre of mass is in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) origin: DVec3,
    pub(crate) rotation: DQuat,
    pub(crate) centre: DVec3,
    pub(crate) body: bool,
    /// Whether nothing drives it from the start.
    pub(crate) free: bool,
}

const WORLD: End = End {
    origin: DVec3::ZERO,
    rotation: DQuat::IDENTITY,
    centre: DVec3::ZERO,
    body: false,
    free: false,
};

impl Fitting {
    /// A joint of a scene among named solids, or what is wrong with it.
    pub(crate) fn of(
        joint: &Joint,
        names: &BTreeMap<&str, usize>,
        solids: &[End],
    ) -> Result<Self, RigidError> {
        check(joint)?;
        let number = |end: &JointEnd| match end {
            JointEnd::World => Ok(None),
            JointEnd::Solid(name) => match names.get(name.as_str()) {
                Some(&number) => Ok(Some(number)),
                None => Err(RigidError::UnknownEnd {
                    joint: joint.name.clone(),
                    end: name.clone(),
                }),
            },
        };
        let ends = [number(&joint.ends[0])?, number(&joint.ends[1])?];
        if let (JointEnd::Solid(end), true) = (&joint.ends[0], ends[0] == ends[1]) {
            return Err(RigidError::OneEnd {
                joint: joint.name.clone(),
                end: end.clone(),
            });
        }
        let known = ends.map(|end| end.map_or(WORLD, |number| solids[number]));
        if !known.iter().any(|end| end.body) {
            return Err(RigidError::NoBody {
                joint: joint.name.clone(),
            });
        }
        let turn = match joint.kind {
            JointKind::Hinge { axis } | JointKind::Slider { axis } => {
                DQuat::from_rotation_arc(DVec3::X, axis.normalize())
            }
            _ => DQuat::IDENTITY,
        };
        let mut anchors = known.map(|end| end.rotation.inverse() * (joint.anchor - end.origin));
        if let JointKind::Rope { length } = joint.kind {
            if ends[1].is_none() {
                return Err(fault(
                    joint,
                    "the second end",
                    "the world",
                    "a body or a collider",
                ));
            }
            anchors[1] = known[1].centre;
            let hung = known[1].origin + known[1].rotation * known[1].centre;
            let distance = hung.distance(joint.anchor);
            // What is driven may come within reach until it is free.
            let free = known.iter().any(|end| end.free) && joint.until > 0.0;
            if free && distance > length * (1.0 + SLACK) {
                return Err(RigidError::ShortRope {
                    joint: joint.name.clone(),
                    length,
                    distance,
                });
            }
        }
        Ok(Self {
            ends,
            kind: joint.kind,
            anchors,
            turns: known.map(|end| end.rotation.inverse() * turn),
            limits: joint.limits,
            motor: joint.motor,
            until: joint.until,
        })
    }

    /// Whether it holds in a step whose middle is at a time.
    pub(crate) fn holds(&self, time: f64) -> bool {
        time < self.until
    }

    /// Whether it has just let go, or its motor has begun to run or stopped, in a step of such a length whose middle is at a time.
    pub(crate) fn has_changed(&self, time: f64, dt: f64) -> bool {
        // Steps before this one may have been longer.
        let lately = |moment: f64| moment > 0.0 && time - 10.0 * dt < moment && moment <= time;
        let running = self.motor.map(|motor| motor.running);
        lately(self.until) || running.into_iter().flatten().any(lately)
    }

    /// Its axes at one of its ends, which stands in a state: the first one is that of hinges and sliders.
    fn axes(&self, end: usize, state: &State) -> [DVec3; 3] {
        let turn = state.rotation * self.turns[end];
        DVec3::AXES.map(|axis| turn * axis)
    }

    /// The way from the centre of mass of one of its ends to where the joint is.
    fn arm(&self, end: usize, (heft, state): (&Heft, &State)) -> DVec3 {
        state.origin(heft) + state.rotation * self.anchors[end] - state.centre
    }

    /// The ways that it locks, and the one along which a motor may drive, of an end that holds it by an arm: each a velocity of the end's
    /// centre of mass and a spin.
    fn ways(&self, [x, y, z]: [DVec3; 3], arm: DVec3) -> (Vec<Way>, Option<Way>) {
        let moves = |way: DVec3| (way, arm.cross(way));
        let turns = |way: DVec3| (DVec3::ZERO, way);
        match self.kind {
            JointKind::Rope { .. } => (Vec::new(), None),
            JointKind::Fixed => (
                vec![moves(x), moves(y), moves(z), turns(x), turns(y), turns(z)],
                None,
            ),
            JointKind::Ball => (vec![moves(x), moves(y), moves(z)], None),
            JointKind::Hinge { .. } => (
                vec![moves(x), moves(y), moves(z), turns(y), turns(z)],
                Some(turns(x)),
            ),
            JointKind::Slider { .. } => (
                vec![moves(y), moves(z), turns(x), turns(y), turns(z)],
                Some(moves(x)),
            ),
        }
    }

    /// What it adds to the inertia of one of its ends if the other one gives way too, by a mobility, the inverse of its inertia:
    /// along each way that is locked, as much as the other end takes to be moved by it there.
    pub(crate) fn shared(
        &self,
        end: usize,
        own: (&Heft, &State),
        other: (&Heft, &State),
        mobility: &SpatialInertia,
    ) -> SpatialInertia {
        let axes = self.axes(end, own.1);
        let [own, other] = [(end, own), (1 - end, other)].map(|(end, solid)| {
            let (locked, _) = self.ways(axes, self.arm(end, solid));
            locked
        });
        let mut shared = SpatialInertia::ZERO;
        for ((linear, angular), (push, torque)) in own.into_iter().zip(other) {
            let impulse = ImpulsePart {
                linear: push,
                angular: torque,
            };
            let answer = mobility.motion(impulse);
            let yielded = answer.linear.dot(push) + answer.angular.dot(torque);
            if yielded > 0.0 {
                shared.add_way(linear, angular, 1.0 / yielded);
            }
        }
        shared
    }

    /// What it adds to the inertia of one of its ends, which stands in a state, if the other one does not give way: what it locks
    /// is as good as immovable; along its axis a motor holds its speed, if it has the strength for what the liquid did last. It counts for
    /// as much as it could stop from its own speed in the step.
    pub(crate) fn held(
        &self,
        end: usize,
        (heft, state): (&Heft, &State),
        time: f64,
        dt: f64,
    ) -> SpatialInertia {
        let axes = self.axes(end, state);
        let arm = self.arm(end, (heft, state));
        let (locked, along) = self.ways(axes, arm);
        let hardest = (0..3)
            .map(|axis| heft.inertia.col(axis)[axis])
            .fold(0.0, f64::max);
        let mut held = SpatialInertia::ZERO;
        for (linear, angular) in locked {
            let own = if linear == DVec3::ZERO {
                hardest
            } else {
                heft.mass
            };
            held.add_way(linear, angular, IMMOVABLE * own);
        }
        let motor = self
            .motor
            .filter(|motor| motor.runs(time) && motor.velocity != 0.0);
        if let (Some((linear, angular)), Some(motor)) = (along, motor) {
            // The liquid's force along the axis, or its torque about it.
            let ImpulsePart {
                linear: force,
                angular: torque,
            } = state.held;
            let axis = axes[0];
            let against = match linear == DVec3::ZERO {
                true => (torque - arm.cross(force)).dot(axis),
                false => force.dot(axis),
            };
            if against.abs() > HOLDS * motor.strength {
                return held;
            }
            let own = if linear == DVec3::ZERO {
                hardest
            } else {
                heft.mass
            };
            let carried = motor.strength * dt / motor.velocity.abs();
            held.add_way(linear, angular, carried.min(IMMOVABLE * own));
        }
        held
    }

    /// The joint as rapier knows it in a step whose middle is at a time.
    pub(crate) fn joint(&self, time: f64) -> GenericJoint {
        let (locked, axis) = match self.kind {
            JointKind::Rope { length } => {
                let rope = RopeJointBuilder::new(length)
                    .local_anchor1(to_rapier(self.anchors[0]))
                    .local_anchor2(to_rapier(self.anchors[1]))
                    .contacts_enabled(false);
                return rope.build().into();
            }
            JointKind::Fixed => (JointAxesMask::LOCKED_FIXED_AXES, None),
            JointKind::Ball => (JointAxesMask::LOCKED_SPHERICAL_AXES, None),
            JointKind::Hinge { .. } => (JointAxesMask::LOCKED_REVOLUTE_AXES, Some(JointAxis::AngX)),
            JointKind::Slider { .. } => {
                (JointAxesMask::LOCKED_PRISMATIC_AXES, Some(JointAxis::LinX))
            }
        };
        let mut joint = GenericJoint::new(locked);
        joint.set_local_frame1(placed(self.anchors[0], self.turns[0]));
        joint.set_local_frame2(placed(self.anchors[1], self.turns[1]));
        joint.set_contacts_enabled(false);
        let Some(axis) = axis else {
            return joint;
        };
        if let Some(limits) = self.limits {
            joint.set_limits(axis, limits);
        }
        if let Some(motor) = self.motor.filter(|motor| motor.runs(time)) {
            joint.set_motor_velocity(axis, motor.velocity, STIFFNESS);
            joint.set_motor_max_force(axis, motor.strength);
        }
        joint
    }
}

fn fault(
    joint: &Joint,
    quantity: &'static str,
    value: impl ToString,
    allowed: &'static str,
) -> RigidError {
    RigidError::Joint {
        joint: joint.name.clone(),
        quantity,
        value: value.to_string(),
        allowed,
    }
}

/// Checks the numbers of a joint.
fn check(joint: &Joint) -> Result<(), RigidError> {
    let finite = "finite";
    if !joint.anchor.is_finite() {
        return Err(fault(joint, "the anchor", joint.anchor, finite));
    }
    match joint.kind {
        JointKind::Hinge { axis } | JointKind::Slider { axis }
            if !axis.is_finite() || axis.try_normalize().is_none() =>
        {
            return Err(fault(joint, "the axis", axis, "finite and not zero"));
        }
        JointKind::Rope { length } if !(length.is_finite() && length > 0.0) => {
            return Err(fault(joint, "the length", length, "finite and above 0"));
        }
        _ => {}
    }
    let axial = matches!(
        joint.kind,
        JointKind::Hinge { .. } | JointKind::Slider { .. }
    );
    if let Some([least, most]) = joint.limits {
        let value = format!("{least} to {most}");
        if !axial {
            let allowed = "left out: only hinges and sliders have any";
            return Err(fault(joint, "the range of the limits", value, allowed));
        }
        if !(least <= 0.0 && most >= 0.0 && least.is_finite() && most.is_finite()) {
            let allowed = "from at most 0 to at least 0, where it starts";
            return Err(fault(joint, "the range of the limits", value, allowed));
        }
        let turns = matches!(joint.kind, JointKind::Hinge { .. });
        if turns && (least < -std::f64::consts::PI || most > std::f64::consts::PI) {
            let allowed = "within half a turn either way";
            return Err(fault(joint, "the range of the limits", value, allowed));
        }
    }
    if joint.until.is_nan() {
        return Err(fault(
            joint,
            "the time when it lets go",
            "not a number",
            "a time",
        ));
    }
    if let Some(motor) = joint.motor {
        if !axial {
            let allowed = "left out: only hinges and sliders have any";
            return Err(fault(joint, "the motor", motor.velocity, allowed));
        }
        if !motor.velocity.is_finite() {
            return Err(fault(joint, "the motor's velocity", motor.velocity, finite));
        }
        if !(motor.strength.is_finite() && motor.strength >= 0.0) {
            let allowed = "finite and at least 0";
            return Err(fault(
                joint,
                "the motor's strength",
                motor.strength,
                allowed,
            ));
        }
        if motor.running.iter().any(|time| time.is_nan()) {
            return Err(fault(
                joint,
                "the motor's running time",
                "not a number",
                "two times",
            ));
        }
    }
    Ok(())
}
