//! One free body: what never changes of it, and how it stands and moves.

use glam::{DMat3, DQuat, DVec3};
use ooze_core::{Body, BodyVelocity, Domain, ImpulsePart};
use ooze_geometry::Pose;

use crate::RigidError;
use crate::algebra::{among, inverse_among, open, turned};

/// Turns are cut into so many refinements of where the body is half-way.
const REFINEMENTS: usize = 20;

/// Mass and freedom of a body, in its own frame.
#[derive(Clone, Debug)]
pub(crate) struct Heft {
    pub(crate) mass: f64,
    pub(crate) volume: f64,
    pub(crate) centre: DVec3,
    pub(crate) inertia: DMat3,
    /// Translations and rotations that it cannot make.
    pub(crate) locked: [[bool; 3]; 2],
    /// Whether all of it has melted.
    pub(crate) gone: bool,
}

impl Heft {
    /// That of a body of a scene, or what is wrong with it.
    pub(crate) fn of(body: &Body, domain: &Domain) -> Result<Self, RigidError> {
        let name = || body.name.clone();
        let pose = body.motion.pose(0.0);
        let mut locked = body.locked;
        let properties = if domain.flat {
            locked[0][2] = true;
            (locked[1][0], locked[1][1]) = (true, true);
            let thickness = f64::from(domain.cell_size);
            let middle = f64::from(domain.lower.z) + 0.5 * thickness;
            let section = body.shape.section_properties(&pose, middle, thickness);
            match (body.shape.mass_properties(), section) {
                (None, _) => return Err(RigidError::NoVolume { body: name() }),
                (_, None) => return Err(RigidError::OutOfPlane { body: name() }),
                (_, Some(section)) => section,
            }
        } else {
            let whole = body.shape.mass_properties();
            whole.ok_or_else(|| RigidError::NoVolume { body: name() })?
        };
        let (quantity, value) = match body.mass {
            ooze_core::BodyMass::Mass(mass) => ("mass", mass),
            ooze_core::BodyMass::Density(density) => ("density", density),
        };
        if !(value.is_finite() && value > 0.0) {
            return Err(RigidError::Mass {
                body: name(),
                quantity,
                value,
            });
        }
        let density = match body.mass {
            ooze_core::BodyMass::Mass(mass) => mass / properties.volume,
            ooze_core::BodyMass::Density(density) => density,
        };
        let heft = Self {
            mass: density * properties.volume,
            volume: properties.volume,
            centre: properties.centre,
            inertia: properties.inertia * density,
            locked,
            gone: false,
        };
        let moments = (0..3).map(|axis| heft.inertia.col(axis)[axis]);
        let fair = |moment: f64| moment.is_finite() && moment > f64::MIN_POSITIVE;
        let inverse = heft.inertia.inverse();
        if !moments.into_iter().all(fair)
            || !inverse.is_finite()
            || heft.inertia.determinant() <= 0.0
        {
            return Err(RigidError::Inertia { body: name() });
        }
        Ok(heft)
    }

    /// The tensor of inertia among open rotations, in the world.
    pub(crate) fn inertia(&self, rotation: DQuat) -> DMat3 {
        among(turned(self.inertia, rotation), self.locked[1])
    }

    /// Its inverse among open rotations, in the world.
    pub(crate) fn inverse_inertia(&self, rotation: DQuat) -> DMat3 {
        inverse_among(turned(self.inertia, rotation), self.locked[1])
    }
}

/// Where a body is and how it moves between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct State {
    /// Its centre of mass.
    pub(crate) centre: DVec3,
    /// Its orientation.
    pub(crate) rotation: DQuat,
    /// Velocity of its centre of mass.
    pub(crate) velocity: DVec3,
    /// Angular momentum about the centre of mass: what stays while it turns.
    pub(crate) momentum: DVec3,
    /// What has been done to it that its motion does not show yet, about the centre of mass.
    pub(crate) pending: ImpulsePart,
    /// What the liquid has done to it in the last step that it solved for along with its own, each second.
    pub(crate) held: ImpulsePart,
    /// Seconds for which it has rested, up to when it falls asleep, and the pile in which it sleeps; 0 is none.
    pub(crate) rested: f64,
    pub(crate) pile: u32,
}

impl State {
    /// A body that stands at a pose and moves.
    pub(crate) fn at(heft: &Heft, pose: &Pose, velocity: BodyVelocity) -> Self {
        let rotation = pose.rotation.as_dquat().normalize();
        Self {
            centre: pose.translation.as_dvec3() + rotation * heft.centre,
            rotation,
            velocity: open(heft.locked[0]) * velocity.linear,
            momentum: heft.inertia(rotation) * velocity.angular,
            pending: ImpulsePart::ZERO,
            held: ImpulsePart::ZERO,
            rested: 0.0,
            pile: 0,
        }
    }

    /// Where the origin of the body's own frame is.
    pub(crate) fn origin(&self, heft: &Heft) -> DVec3 {
        self.centre - self.rotation * heft.centre
    }

    /// The pose of the body's own frame.
    pub(crate) fn pose(&self, heft: &Heft) -> Pose {
        Pose {
            translation: self.origin(heft).as_vec3(),
            rotation: self.rotation.as_quat().normalize(),
            scale: 1.0,
        }
    }

    /// How it moves now.
    pub(crate) fn motion(&self, heft: &Heft) -> BodyVelocity {
        BodyVelocity {
            linear: self.velocity,
            angular: heft.inverse_inertia(self.rotation) * self.momentum,
        }
    }
}

/// How a body would move in a step if it met nothing: its momenta, and the velocity that it has from start to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub(crate) velocity: DVec3,
    pub(crate) momentum: DVec3,
    /// The constant spin of the step.
    pub(crate) spin: DVec3,
    /// Inertia half-way, which spin and momentum share.
    inertia: DMat3,
}

impl Course {
    /// That of a body with given momenta: gravity and impulses act at the start of the step, like on the liquid.
    ///
    /// A body that turns freely keeps its angular momentum, not its spin. The spin of the step is the one that belongs to it
    /// half-way, which makes the turn exact to the second order and the momentum exact.
    pub(crate) fn new(
        heft: &Heft,
        state: &State,
        gravity: DVec3,
        impulse: ImpulsePart,
        dt: f64,
    ) -> Self {
        let velocity = state.velocity + gravity * dt + impulse.linear / heft.mass;
        let momentum = open(heft.locked[1]) * (state.momentum + impulse.angular);
        let mut half_way = state.rotation;
        let mut spin = DVec3::ZERO;
        for _ in 0..REFINEMENTS {
            let next = heft.inverse_inertia(half_way) * momentum;
            let settled = (next - spin).length() <= 1e-14 * next.length();
            spin = next;
            half_way = (DQuat::from_scaled_axis(spin * (0.5 * dt)) * state.rotation).normalize();
            if settled {
                break;
            }
        }
        Self {
            velocity: open(heft.locked[0]) * velocity,
            momentum,
            spin,
            inertia: heft.inertia(half_way),
        }
    }

    /// The state at the end of the step if the body met nothing.
    pub(crate) fn end(&self, state: &State, dt: f64) -> State {
        let turn = DQuat::from_scaled_axis(self.spin * dt);
        State {
            centre: state.centre + self.velocity * dt,
            rotation: (turn * state.rotation).normalize(),
            velocity: self.velocity,
            momentum: self.momentum,
            ..*state
        }
    }

    /// The momentum that belongs to another spin in the same step.
    pub(crate) fn momentum_of(&self, spin: DVec3) -> DVec3 {
        self.momentum + self.inertia * (spin - self.spin)
    }
}
