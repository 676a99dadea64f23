//! Bodies and joints as a simulation would set them up: what is wrong with them is told of the keys that say it.

use glam::DVec3;
use ooze_core::{Collider, Force, LiquidSetup};
use ooze_rigid::RigidError;

use super::Checker;
use super::body::Bodies;
use crate::Problem;
use crate::file::{JointKeys, JointKindKeys, MotionKeys, SceneKeys, ShapeKeys};
use crate::place::{Place, Placed};

/// How far from 1 the scale of a body may be by rounding.
const ROUNDING: f64 = 1e-6;

impl Checker {
    /// Sets the bodies up as a simulation does, to see whether they can be.
    pub(super) fn bodies_that_can_be(
        &mut self,
        keys: &SceneKeys,
        colliders: &[Collider],
        bodies: &Bodies,
        setup: &LiquidSetup,
    ) -> Option<()> {
        if bodies.bodies.is_empty() && bodies.joints.is_empty() {
            return Some(());
        }
        let gravity = steady_acceleration(&setup.forces);
        let (free, joints) = (&bodies.bodies, &bodies.joints);
        let faults = ooze_rigid::faults(colliders, free, joints, gravity, &setup.domain);
        let written = Written::new(keys, colliders, bodies);
        for fault in &faults {
            let (place, also) = written.at_fault(fault);
            let place = place.unwrap_or(&keys.body.place);
            let problem = Problem::error(place, format!("`{}`: {fault}", place.key));
            self.error(match also {
                Some(also) => problem.and(also),
                None => problem,
            });
        }
        faults.is_empty().then_some(())
    }
}

/// The sum of accelerations that are the same everywhere: what bodies feel.
pub(crate) fn steady_acceleration(forces: &[Force]) -> DVec3 {
    let steady = forces.iter().map(|force| match force {
        Force::Constant { acceleration } => acceleration.as_dvec3(),
        Force::Swirl { .. } => DVec3::ZERO,
    });
    steady.sum()
}

/// The keys of a collider or a body.
struct Solid<'a> {
    name: &'a str,
    given_name: Option<&'a Placed<String>>,
    table: &'a Place,
    shape: &'a Placed<ShapeKeys>,
    motion: &'a Placed<MotionKeys>,
    /// What it weighs, if it is a body that says so.
    weight: Option<&'a Place>,
}

/// Where a scene says what its solids and joints are.
struct Written<'a> {
    bodies: Vec<Solid<'a>>,
    colliders: Vec<Solid<'a>>,
    joints: Vec<(&'a str, &'a Placed<JointKeys>)>,
}

impl<'a> Written<'a> {
    fn new(keys: &'a SceneKeys, colliders: &'a [Collider], bodies: &'a Bodies) -> Self {
        let lasting = keys.collider.iter();
        let lasting = lasting.filter(|keys| keys.material.is_none());
        let colliders = colliders.iter().zip(lasting).map(|(solid, keys)| Solid {
            name: &solid.name,
            given_name: keys.name.as_ref(),
            table: &keys.place,
            shape: &keys.shape,
            motion: &keys.motion,
            weight: None,
        });
        let free = bodies.bodies.iter().zip(keys.body.iter());
        let free = free.map(|(solid, keys)| Solid {
            name: &solid.name,
            given_name: keys.name.as_ref(),
            table: &keys.place,
            shape: &keys.shape,
            motion: &keys.motion,
            weight: keys
                .mass
                .as_ref()
                .or(keys.density.as_ref())
                .map(|keys| &keys.place),
        });
        let joints = bodies.joints.iter().zip(keys.joint.iter());
        Self {
            bodies: free.collect(),
            colliders: colliders.collect(),
            joints: joints.map(|(joint, keys)| (&*joint.name, keys)).collect(),
        }
    }

    /// The solid of a name, bodies before colliders.
    fn solid(&self, name: &str) -> Option<&Solid<'a>> {
        let mut solids = self.bodies.iter().chain(&self.colliders);
        solids.find(|solid| solid.name == name)
    }

    fn joint(&self, name: &str) -> Option<&'a Placed<JointKeys>> {
        let mut joints = self.joints.iter();
        joints.find(|(own, _)| *own == name).map(|(_, keys)| *keys)
    }

    /// The place of what is wrong, and that of what else has part in it.
    fn at_fault(&self, fault: &RigidError) -> (Option<&'a Place>, Option<&'a Place>) {
        let solid = |name: &str, place: fn(&Solid<'a>) -> &'a Place| self.solid(name).map(place);
        let joint = |name: &str, place: fn(&'a JointKeys) -> &'a Place| {
            self.joint(name).map(|keys| place(&keys.value))
        };
        match fault {
            RigidError::NoVolume { body }
            | RigidError::OutOfPlane { body }
            | RigidError::Inertia { body }
            | RigidError::Shape { name: body, .. } => (solid(body, |own| &own.shape.place), None),
            RigidError::Mass { body, .. } => {
                (solid(body, |own| own.weight.unwrap_or(own.table)), None)
            }
            RigidError::Property { body, .. } => (solid(body, |own| own.table), None),
            RigidError::Scale { body, .. } => (self.solid(body).map(Solid::scale), None),
            RigidError::SameName { name } => {
                let same = |own: &&Solid<'a>| own.name == name;
                let first = self.colliders.iter().chain(&self.bodies).find(same);
                (solid(name, Solid::name), first.map(Solid::name))
            }
            RigidError::Overlap {
                body, other, time, ..
            } => {
                let place = |name: &str| self.solid(name).map(|own| own.place_at(*time));
                (place(body), place(other))
            }
            RigidError::Outside { body, time, .. } => {
                (self.solid(body).map(|own| own.place_at(*time)), None)
            }
            RigidError::NoBody { joint: name }
            | RigidError::OneEnd { joint: name, .. }
            | RigidError::UnknownEnd { joint: name, .. } => {
                let first = self.joint(name).and_then(|keys| keys.first.as_ref());
                (
                    joint(name, |keys| &keys.second.place),
                    first.map(|first| &first.place),
                )
            }
            RigidError::Joint { joint: name, .. } => (joint(name, |keys| &keys.kind.place), None),
            RigidError::ShortRope { joint: name, .. } => {
                let length = |keys: &'a JointKeys| match &*keys.kind {
                    JointKindKeys::Rope(rope) => &rope.length.place,
                    _ => &keys.kind.place,
                };
                (joint(name, length), joint(name, |keys| &keys.anchor.place))
            }
        }
    }
}

impl<'a> Solid<'a> {
    /// What says its name.
    fn name(&self) -> &'a Place {
        self.given_name.map_or(self.table, |name| &name.place)
    }

    /// What says where it is at a time, other than its shape: the keyframe before, or its position.
    fn place_at(&self, time: f64) -> &'a Place {
        let frames = self.motion.keyframes.iter().rev();
        let positions = frames.filter_map(|frame| {
            let reached = frame.time.value <= time;
            frame.position.as_ref().filter(|_| reached)
        });
        let first = self.motion.keyframes.iter();
        let first = first.filter_map(|frame| frame.position.as_ref());
        let mut positions = positions.chain(first).map(|position| &position.place);
        let position = &self.motion.position;
        let still = position.explicit.then_some(&position.place);
        positions.next().or(still).unwrap_or(&self.shape.place)
    }

    /// What says its scale.
    fn scale(&self) -> &'a Place {
        let frames = self.motion.keyframes.iter();
        let frames = frames.filter_map(|frame| frame.scale.as_ref());
        let mut scales = frames.chain([&self.motion.scale]);
        let scaled = scales.find(|scale| (scale.value - 1.0).abs() > ROUNDING);
        scaled.map_or(&self.motion.place, |scale| &scale.place)
    }
}
