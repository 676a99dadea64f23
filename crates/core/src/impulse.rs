//! What a liquid does to the solids that it touches.

use std::ops::{Add, AddAssign};

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::BodyId;

/// A linear and an angular impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpulsePart {
    /// Linear impulse in newton seconds.
    pub linear: DVec3,
    /// Angular impulse about the world's origin in newton metre seconds.
    pub angular: DVec3,
}

impl ImpulsePart {
    /// No impulse.
    pub const ZERO: Self = Self {
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };

    /// A linear impulse that acts at a point.
    pub fn at(point: DVec3, linear: DVec3) -> Self {
        Self {
            linear,
            angular: point.cross(linear),
        }
    }

    /// The same with its angular part about another point than the world's origin.
    pub fn about(self, point: DVec3) -> Self {
        Self {
            angular: self.angular - point.cross(self.linear),
            ..self
        }
    }
}

impl Add for ImpulsePart {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for ImpulsePart {
    fn add_assign(&mut self, other: Self) {
        self.linear += other.linear;
        self.angular += other.angular;
    }
}

/// Momentum handed from a liquid to a body during a step, or during several: what acts across its surface in every
/// direction alike, and the rest. Divided by the time that it took, it is the mean force and torque.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impulse {
    /// The body.
    pub body: BodyId,
    /// The part of pressure. Particle liquids count here what acts along the normal of the wall.
    pub pressure: ImpulsePart,
    /// The part of viscosity, and of elastic stress where there is any: the reaction of all that holds the liquid to the body.
    /// Particle liquids count here what acts along the wall.
    pub viscous: ImpulsePart,
}

impl Impulse {
    /// Nothing done to a body.
    pub fn none(body: BodyId) -> Self {
        Self {
            body,
            pressure: ImpulsePart::ZERO,
            viscous: ImpulsePart::ZERO,
        }
    }

    /// The same with its angular parts about another point than the world's origin.
    pub fn about(self, point: DVec3) -> Self {
        Self {
            pressure: self.pressure.about(point),
            viscous: self.viscous.about(point),
            ..self
        }
    }

    /// Adds another impulse on the same body.
    pub fn absorb(&mut self, other: &Self) {
        self.pressure += other.pressure;
        self.viscous += other.viscous;
    }

    /// Both parts together.
    pub fn total(&self) -> ImpulsePart {
        self.pressure + self.viscous
    }
}

/// Adds impulses to those of the same bodies.
pub(crate) fn add_impulses(sum: &mut Vec<Impulse>, more: &[Impulse]) {
    for impulse in more {
        match sum.binary_search_by_key(&impulse.body, |known| known.body) {
            Ok(place) => sum[place].absorb(impulse),
            Err(place) => sum.insert(place, *impulse),
        }
    }
}
