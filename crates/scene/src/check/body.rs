//! Bodies that move freely, and the joints between them.

use std::f64::consts::TAU;
use std::sync::Arc;

use ooze_core::{Body, BodyMass, BodyVelocity, Joint, JointEnd, JointKind, Motor};

use super::Checker;
use super::material::Materials;
use crate::file::{BodyKeys, JointKeys, JointKindKeys, LockWord, SceneKeys};
use crate::keys::suggestion;
use crate::place::Placed;
use crate::{Problem, SolidLook};

/// How far a hinge turns either way at most, in degrees.
const HALF_A_TURN: f64 = 180.0;

/// What is free in a scene, and what holds it together.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub(super) bodies: Vec<Body>,
    pub(super) looks: Vec<SolidLook>,
    pub(super) joints: Vec<Joint>,
}

impl Checker {
    pub(super) fn bodies(&mut self, keys: &SceneKeys, materials: &Materials) -> Bodies {
        let list = &keys.body.value;
        let given = list.iter().map(|keys| (keys.name.as_ref(), &keys.place));
        let names = self.names("body", given);
        let named = list.iter().zip(names);
        let bodies = named.filter_map(|(keys, name)| self.body(keys, name, materials));
        let (bodies, looks) = bodies.unzip();
        let list = &keys.joint.value;
        let given = list.iter().map(|keys| (keys.name.as_ref(), &keys.place));
        let names = self.names("joint", given);
        let named = list.iter().zip(names);
        let known = self.solid_names(keys);
        let joints = named.filter_map(|(keys, name)| self.joint(keys, name, &known));
        Bodies {
            bodies,
            looks,
            joints: joints.collect(),
        }
    }

    fn body(
        &mut self,
        keys: &Placed<BodyKeys>,
        name: String,
        materials: &Materials,
    ) -> Option<(Body, SolidLook)> {
        let melt = keys.material.as_ref();
        let heat = match melt {
            Some(_) => None,
            None => self.wall_heat(keys.temperature.as_ref(), keys.heat_transfer.as_ref()),
        };
        let lasting = melt.is_none();
        if let Some(capacity) = keys
            .heat_capacity
            .as_ref()
            .filter(|_| heat.is_none() && lasting)
        {
            let message = format!(
                "`{}` needs a `temperature` beside it: the one that the body has at the start",
                capacity.place.key
            );
            self.error(Problem::error(&capacity.place, message));
        }
        let contact = self.contact(&keys.contact, Some(&keys.friction), heat);
        let motion = self.motion(&keys.motion);
        let shape = self.moving_shape(&keys.shape, motion.as_ref(), &keys.motion);
        let own = melt.and_then(|name| materials.find(name));
        let own = own.map(|id| f64::from(materials.list[usize::from(id.0)].density));
        let mass = self.body_mass(keys, own);
        let released = self.release(keys);
        self.in_plane(&keys.velocity);
        self.axis_across_plane(&keys.turns_per_second);
        let body = Body {
            name,
            shape: Arc::new(shape?),
            contact,
            melts: !lasting,
            heat_capacity: keys.heat_capacity.as_ref().map(|given| given.value),
            motion: motion?,
            released: released?,
            velocity: BodyVelocity {
                linear: keys.velocity.value.as_dvec3(),
                angular: keys.turns_per_second.value.as_dvec3() * TAU,
            },
            mass: mass?,
            friction: keys.solid_friction.value,
            restitution: keys.restitution.value,
            locked: locked(&keys.locked.value),
            sleeps: keys.sleeps.value,
        };
        let look = SolidLook {
            // What melts is shown as the liquid that it is.
            visible: keys.visible.value && lasting,
            look: keys.look.value.name(),
            colour: keys.colour.value,
        };
        Some((body, look))
    }

    /// What a body weighs: one of two keys says it, or the density of its material.
    fn body_mass(&mut self, keys: &Placed<BodyKeys>, own: Option<f64>) -> Option<BodyMass> {
        match (&keys.density, &keys.mass) {
            (None, None) if own.is_some() => own.map(BodyMass::Density),
            (Some(density), None) => Some(BodyMass::Density(density.value)),
            (None, Some(mass)) => Some(BodyMass::Mass(mass.value)),
            (Some(density), Some(mass)) => {
                let why = "either says what the body weighs";
                self.clash(&density.place, &mass.place, why);
                None
            }
            (None, None) => {
                // A value that could not be read has been complained of already.
                let own = ["density", "mass"].map(|key| format!("{}.{key}", keys.place.key));
                if self
                    .errors
                    .iter()
                    .any(|error| own.contains(&error.key().into()))
                {
                    return None;
                }
                let message = format!("`{}` needs a `density` or a `mass`", keys.place.key);
                let help = "wood has about 700 kg/m³, steel 7800";
                self.error(Problem::error(&keys.place, message).help(help));
                None
            }
        }
    }

    /// When a body is released.
    fn release(&mut self, keys: &Placed<BodyKeys>) -> Option<f64> {
        let last = keys.motion.keyframes.last().map(|frame| frame.time.value);
        if let (Some(spin), None, None) = (&keys.motion.spin, &keys.released, last) {
            let message = format!(
                "`{}` turns a body until it is released, but nothing says when",
                spin.place.key
            );
            let help =
                "add `released`, in seconds, or let it begin to turn by itself: `turns_per_second`";
            self.error(Problem::error(&spin.place, message).help(help));
            return None;
        }
        let released = keys.released.as_ref().map(|released| released.value);
        let released = released.or(last).unwrap_or(0.0);
        let place = keys.released.as_ref().map(|released| &released.place);
        let place = place.unwrap_or(&keys.motion.place);
        for (given, own) in [
            (keys.velocity.explicit, &keys.velocity.place),
            (keys.turns_per_second.explicit, &keys.turns_per_second.place),
        ] {
            if given && released > 0.0 {
                let why = "a body that keyframes move goes on as they moved it last";
                self.clash(place, own, why);
                return None;
            }
        }
        Some(released)
    }

    /// Names that joints can call: those of bodies and of colliders that never melt.
    fn solid_names(&self, keys: &SceneKeys) -> Vec<String> {
        let colliders = keys.collider.iter().enumerate();
        let lasting = colliders.filter(|(_, keys)| keys.material.is_none());
        let colliders = lasting.map(|(index, keys)| own_name("collider", index, &keys.name));
        let bodies = keys.body.iter().enumerate();
        let bodies = bodies.map(|(index, keys)| own_name("body", index, &keys.name));
        colliders.chain(bodies).collect()
    }

    fn joint_end(&mut self, end: &Placed<String>, known: &[String]) -> Option<JointEnd> {
        if known.contains(&end.value) {
            return Some(JointEnd::Solid(end.value.clone()));
        }
        let message = format!(
            "`{}` is \"{}\", but no body or collider has that name",
            end.place.key, end.value
        );
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let help = match known.is_empty() {
            true => "the scene has neither".into(),
            false => suggestion(&end.value, &known),
        };
        self.error(Problem::error(&end.place, message).help(help));
        None
    }

    fn joint(&mut self, keys: &Placed<JointKeys>, name: String, known: &[String]) -> Option<Joint> {
        let first = match &keys.first {
            Some(first) => self.joint_end(first, known),
            None => Some(JointEnd::World),
        };
        let second = self.joint_end(&keys.second, known);
        if let Some(until) = keys.until.as_ref().filter(|until| until.value <= 0.0) {
            let message = format!(
                "`{}` is {} s, but must be above 0 s: the joint would never hold",
                until.place.key, until.value
            );
            self.error(Problem::error(&until.place, message));
        }
        let (kind, limits, motor) = match &*keys.kind {
            JointKindKeys::Fixed(_) => (JointKind::Fixed, None, None),
            JointKindKeys::Ball(_) => (JointKind::Ball, None, None),
            JointKindKeys::Rope(rope) => {
                let length = rope.length.value;
                (JointKind::Rope { length }, None, None)
            }
            JointKindKeys::Hinge(hinge) => {
                self.axis_across_plane(&hinge.axis);
                if let Some(motor) = &hinge.motor {
                    self.start_before_stop(&motor.start, motor.stop.as_ref());
                }
                let (least, most) = (hinge.least.as_ref(), hinge.most.as_ref());
                let limits = self.limits(least, most, HALF_A_TURN, "°")?;
                let motor = hinge.motor.as_ref().map(|motor| Motor {
                    velocity: motor.turns_per_second.value * TAU,
                    strength: motor.torque.value,
                    running: running(&motor.start, motor.stop.as_ref()),
                });
                let axis = hinge.axis.value.as_dvec3().normalize();
                let limits = limits.map(|limits| limits.map(f64::to_radians));
                (JointKind::Hinge { axis }, limits, motor)
            }
            JointKindKeys::Slider(slider) => {
                self.in_plane(&slider.axis);
                if let Some(motor) = &slider.motor {
                    self.start_before_stop(&motor.start, motor.stop.as_ref());
                }
                let (least, most) = (slider.least.as_ref(), slider.most.as_ref());
                let limits = self.limits(least, most, f64::INFINITY, " m")?;
                let motor = slider.motor.as_ref().map(|motor| Motor {
                    velocity: motor.speed.value,
                    strength: motor.force.value,
                    running: running(&motor.start, motor.stop.as_ref()),
                });
                let axis = slider.axis.value.as_dvec3().normalize();
                (JointKind::Slider { axis }, limits, motor)
            }
        };
        Some(Joint {
            name,
            kind,
            ends: [first?, second?],
            anchor: keys.anchor.value.as_dvec3(),
            limits,
            motor,
            until: end(keys.until.as_ref()),
        })
    }

    /// Both limits of a joint, or neither; nothing if they make no sense. They are on either side of where the joint starts, and
    /// within its reach.
    fn limits(
        &mut self,
        least: Option<&Placed<f64>>,
        most: Option<&Placed<f64>>,
        reach: f64,
        unit: &str,
    ) -> Option<Option<[f64; 2]>> {
        match (least, most) {
            (None, None) => Some(None),
            (Some(least), Some(most)) if least.value <= most.value => {
                let ends = [(least, [-reach, 0.0]), (most, [0.0, reach])];
                let mut fair = true;
                for (limit, [lowest, highest]) in ends {
                    if (lowest..=highest).contains(&limit.value) {
                        continue;
                    }
                    fair = false;
                    let allowed = match (lowest.is_finite(), highest.is_finite()) {
                        (true, true) => format!("from {lowest} to {highest}{unit}"),
                        (true, false) => format!("at least {lowest}{unit}"),
                        _ => format!("at most {highest}{unit}"),
                    };
                    let message = format!(
                        "`{}` is {}{unit}, but must be {allowed}: the joint starts at 0{unit}",
                        limit.place.key, limit.value
                    );
                    self.error(Problem::error(&limit.place, message));
                }
                fair.then_some(Some([least.value, most.value]))
            }
            (Some(least), Some(most)) => {
                let why = "the smallest is above the largest";
                self.clash(&least.place, &most.place, why);
                None
            }
            (Some(one), None) | (None, Some(one)) => {
                let message = format!("`{}` needs the other limit beside it", one.place.key);
                self.error(Problem::error(&one.place, message).help("give both, or neither"));
                None
            }
        }
    }
}

fn locked(words: &[Placed<LockWord>]) -> [[bool; 3]; 2] {
    let has = |wanted: LockWord| words.iter().any(|word| word.value == wanted);
    [
        [LockWord::MoveX, LockWord::MoveY, LockWord::MoveZ].map(has),
        [LockWord::TurnX, LockWord::TurnY, LockWord::TurnZ].map(has),
    ]
}

/// The name that a scene gives a solid, or the one that it has by its place in the list.
pub(super) fn own_name(kind: &str, index: usize, given: &Option<Placed<String>>) -> String {
    let own = given.as_ref().map(|name| name.value.clone());
    own.unwrap_or_else(|| format!("{kind}-{}", index + 1))
}

fn running(start: &Placed<f64>, stop: Option<&Placed<f64>>) -> [f64; 2] {
    [start.value, end(stop)]
}

/// When something ends; left out, never.
fn end(time: Option<&Placed<f64>>) -> f64 {
    time.map_or(f64::INFINITY, |time| time.value)
}
