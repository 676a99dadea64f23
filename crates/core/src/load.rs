//! Forces of a liquid on solids, as people read them.

use serde::{Deserialize, Serialize};

use crate::{BodyId, BodyMotion, HeldSolid, Impulse, ImpulsePart, Solid};

/// A force and a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Force in newtons.
    pub force: [f64; 3],
    /// Torque in newton metres about the origin of the solid's shape.
    pub torque: [f64; 3],
}

impl Load {
    /// What hands over an impulse in so many seconds.
    fn of(part: ImpulsePart, seconds: f64) -> Self {
        Self {
            force: (part.linear / seconds).to_array(),
            torque: (part.angular / seconds).to_array(),
        }
    }
}

/// What a liquid does to a solid, on average over a frame; in flat scenes to the part of it in the slab of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidLoad {
    /// Name of the solid in the scene.
    pub solid: String,
    /// The part of pressure, as in [`Impulse::pressure`].
    pub pressure: Load,
    /// The part of viscosity and of elastic stress, as in [`Impulse::viscous`].
    pub viscous: Load,
    /// How it moved in the last sub-step, if it is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<BodyMotion>,
    /// Its temperature in kelvin at the end of the frame, if what it gives and takes changes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// The share of it that is solid still at the end of the frame, if it melts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<f32>,
}

impl SolidLoad {
    /// Pressure and viscosity together.
    pub fn total(&self) -> Load {
        let sum =
            |one: [f64; 3], other: [f64; 3]| std::array::from_fn(|axis| one[axis] + other[axis]);
        Load {
            force: sum(self.pressure.force, self.viscous.force),
            torque: sum(self.pressure.torque, self.viscous.torque),
        }
    }

    /// The loads on all solids, and then on those that melt, from impulses about their own origins in so many seconds; none if
    /// no impulse is known.
    pub fn of_all(
        solids: &[Solid],
        held: &[HeldSolid<'_>],
        impulses: &[Impulse],
        seconds: f64,
    ) -> Vec<Self> {
        if impulses.is_empty() {
            return Vec::new();
        }
        let load = |name: &str, body: BodyId| {
            let mut known = impulses.iter();
            let own = known.find(|impulse| impulse.body == body);
            let own = own.copied().unwrap_or(Impulse::none(body));
            Self {
                solid: name.into(),
                pressure: Load::of(own.pressure, seconds),
                viscous: Load::of(own.viscous, seconds),
                motion: None,
                temperature: None,
                left: None,
            }
        };
        let lasting = solids.iter().zip(0..).map(|(solid, index)| Self {
            motion: solid.motion(),
            temperature: solid.changing_temperature(),
            left: solid.left,
            ..load(&solid.name, BodyId(index))
        });
        let melting = held.iter();
        let melting = melting.map(|held| load(held.name, held.body(solids.len())));
        lasting.chain(melting).collect()
    }
}
