//! Heat that comes from outside of a liquid: through walls, from the air, from heaters.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::{Motion, Shape};
use serde::{Deserialize, Serialize};

use crate::BodyId;

/// The constant of Stefan and Boltzmann in W/(m² K⁴).
pub const STEFAN_BOLTZMANN: f64 = 5.670_374e-8;

/// The heat of a wall. It keeps its temperature, unless the solid has a capacity for heat ([`crate::Solid::heat_capacity`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallHeat {
    /// Temperature in kelvin.
    pub temperature: f32,
    /// Heat that passes between wall and liquid in W/(m² K); none where they touch so closely that nothing but the liquid's own
    /// conductivity is in the way.
    pub transfer: Option<f32>,
}

/// The air around a liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ambient {
    /// Temperature in kelvin.
    pub temperature: f32,
    /// Heat that passes between the air and the surface in W/(m² K).
    pub transfer: f32,
    /// Share of a black body's radiation that the surface gives off, and takes from surroundings of the air's temperature.
    pub emissivity: f32,
}

/// What a heater gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeaterStrength {
    /// So many watts in all, wherever there is liquid in its reach; negative for a cooler.
    Power(f32),
    /// As much as passes between it and the liquid.
    Temperature {
        /// Its temperature in kelvin.
        temperature: f32,
        /// In W/(m² K), at its own surface; over [`Heater::depth`], in W/(m³ K), inside of it.
        transfer: f32,
    },
}

/// Something hot, or cold, that heats liquid inside of it and surfaces that face it.
#[derive(Clone, Debug)]
pub struct Heater {
    /// Name in the scene file.
    pub name: String,
    /// The hot region, in its own frame.
    pub shape: Arc<Shape>,
    /// Where that frame is at any time.
    pub motion: Motion,
    /// What it gives.
    pub strength: HeaterStrength,
    /// Distance in metres at which it is felt no more; what it gives falls evenly to zero there.
    pub reach: f32,
    /// Thickness in metres of the layers of liquid inside of it that take as much as a surface next to it.
    pub depth: f32,
    /// Whether liquid and solids cast shadows.
    pub shadows: bool,
    /// First moment in seconds.
    pub start: f64,
    /// Last moment in seconds; infinite for no end.
    pub stop: f64,
}

impl Heater {
    /// The heater as it stands at a moment; none while it is off.
    pub fn at(&self, time: f64) -> Option<StandingHeater<'_>> {
        let on = (self.start..self.stop).contains(&time);
        on.then(|| StandingHeater {
            heater: self,
            pose: self.motion.pose(time),
        })
    }
}

/// A heater at one moment.
pub struct StandingHeater<'a> {
    /// What it is.
    pub heater: &'a Heater,
    pose: ooze_geometry::Pose,
}

impl StandingHeater<'_> {
    /// Signed distance from a point to the heater in metres, negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.heater.shape.distance(self.pose.to_local(point)) * self.pose.scale
    }

    /// The direction from a point outside to the nearest point of the heater, from differences over `step` metres.
    pub fn direction(&self, point: Vec3, step: f32) -> Vec3 {
        let slope =
            |axis: Vec3| self.distance(point - axis * step) - self.distance(point + axis * step);
        Vec3::from_array(Vec3::AXES.map(slope)).normalize_or_zero()
    }

    /// Share of its strength that is felt at a distance.
    pub fn felt(&self, distance: f32) -> f32 {
        match distance <= 0.0 {
            true => 1.0,
            false => (1.0 - distance / self.heater.reach).max(0.0),
        }
    }
}

/// What heats a liquid from outside, walls apart, which have it in their [`crate::Contact`].
#[derive(Clone, Debug, Default)]
pub struct HeatSetup {
    /// The air; none if its surface passes no heat.
    pub ambient: Option<Ambient>,
    /// Heaters.
    pub heaters: Vec<Heater>,
}

/// The heat of a liquid at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatMeasure {
    /// Enthalpy in joules, zero for liquid of its material's own temperature.
    pub content: f64,
    /// The lowest temperature in kelvin.
    pub coldest: f64,
    /// The highest temperature in kelvin.
    pub hottest: f64,
    /// The mean temperature in kelvin.
    pub mean: f64,
    /// Share of the liquid that is molten.
    pub melted: f64,
}

/// Heat in joules that came to a liquid, by its ways; negative where it went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatFlow {
    /// Through walls that keep their temperature.
    pub walls: f64,
    /// From bodies that cool by it.
    #[serde(default)]
    pub bodies: f64,
    /// From the air, radiation included.
    pub air: f64,
    /// From heaters.
    pub heaters: f64,
    /// With liquid that was emitted, less what left with liquid that is gone.
    pub carried: f64,
}

impl HeatFlow {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.parts().iter().sum()
    }

    /// Its ways one by one.
    pub fn parts(&self) -> [f64; 5] {
        [
            self.walls,
            self.bodies,
            self.air,
            self.heaters,
            self.carried,
        ]
    }

    /// Adds a later step.
    pub(crate) fn absorb(&mut self, later: &Self) {
        self.walls += later.walls;
        self.bodies += later.bodies;
        self.air += later.air;
        self.heaters += later.heaters;
        self.carried += later.carried;
    }
}

/// Heat that a liquid gave to a solid which warms by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyHeat {
    /// The solid.
    pub body: BodyId,
    /// In joules; negative if the solid gave it to the liquid.
    pub gained: f64,
}

#[cfg(test)]
mod tests {
    use ooze_geometry::{Keyframe, Pose};

    use super::*;

    fn heater() -> Heater {
        let shape = Shape::sphere(Vec3::ZERO, 0.1).expect("a fair sphere");
        let key = |time, x| Keyframe {
            time,
            position: Some(Vec3::X * x),
            ..Keyframe::default()
        };
        Heater {
            name: "lamp".into(),
            shape: Arc::new(shape),
            motion: Motion::new(Pose::IDENTITY, &[key(0.0, 0.0), key(2.0, 1.0)], None)
                .expect("a fair motion"),
            strength: HeaterStrength::Power(10.0),
            reach: 0.4,
            depth: 0.4,
            shadows: false,
            start: 0.0,
            stop: 3.0,
        }
    }

    #[test]
    fn a_heater_is_felt_less_and_less_up_to_its_reach_and_follows_its_motion() {
        let heater = heater();
        let early = heater.at(0.0).expect("it is on");
        let late = heater.at(2.5).expect("it is on");
        let point = Vec3::X * 0.3;
        assert!((early.distance(point) - 0.2).abs() < 1e-6);
        assert!((early.felt(early.distance(point)) - 0.5).abs() < 1e-6);
        assert!(early.direction(point, 0.01).abs_diff_eq(-Vec3::X, 1e-4));
        assert!(late.direction(point, 0.01).abs_diff_eq(Vec3::X, 1e-4));
        assert_eq!(late.felt(late.distance(point)), 0.0);
        assert_eq!(early.felt(early.distance(Vec3::ZERO)), 1.0);
        assert!(heater.at(3.0).is_none());
    }
}
