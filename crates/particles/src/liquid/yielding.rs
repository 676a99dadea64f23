//! What free bodies get of what the liquid does to them, and when.
//!
//! A particle liquid moves beside bodies whose motion in the step is foretold, and tells afterwards what it did to them. The layer of
//! particles at a body, of mass K, is as fast as the body after each step; in the next one it has done I = −K ΔV to the body, ΔV being
//! what the body has gained. A body lighter than about half of that layer would be flung to and fro if it got I as it is. It gets the share
//!
//! ```text
//! J = M (M + K)⁻¹ (I + R),   R ← I + R − J
//! ```
//!
//! of it, as if it had to take the layer along, and the rest R later: what I and R make of the next step is (K − K′)(M + K)⁻¹ of what
//! they made of this one, K′ being what the layer really weighs, so that bodies of any mass M are steady for all K′ < M + 2K. Nothing of
//! the momentum is lost: what the liquid has given and the body has not got yet is on its way, and part of the liquid's state.

use glam::{DVec3, Vec3};
use ooze_core::channel_rules::{expect_each, expect_length};
use ooze_core::{ChannelData, ChannelError, Channels, Impulse, ImpulsePart, Solid};

use crate::boundary::contact::{self, Touches};
use crate::state::ParticleState;

use super::layers::{Inertia, Layers, open};

/// Name of the channel that holds what is on its way.
const CHANNEL: &str = "impulses_on_their_way";
/// Numbers for each solid there: two impulses.
const NUMBERS: usize = 12;

/// What walls have changed of a liquid's particles in a step.
pub struct WallChanges<'a, V, M> {
    /// Who touches what.
    pub touches: &'a Touches,
    /// The velocity that walls have given to each particle.
    pub velocity: V,
    /// The mass of a particle, by its material and its index.
    pub mass: M,
}

impl<V, M> WallChanges<'_, V, M>
where
    V: Fn(usize) -> Vec3 + Sync,
    M: Fn(u8, usize) -> f32 + Sync,
{
    /// What solids get of it, which particles touch within `reach`: all of it, but free bodies some of it later.
    pub fn hand_over(
        &self,
        state: &mut ParticleState,
        reach: f32,
        solids: &[Solid],
    ) -> Vec<Impulse> {
        let Self {
            touches,
            velocity,
            mass,
        } = self;
        let ParticleState {
            particles,
            on_their_way,
            ..
        } = state;
        let mass = |index: usize| mass(particles.material[index], index);
        let positions = &particles.position;
        let change = |index: usize| velocity(index) * mass(index);
        let mut impulses = contact::impulses(touches, positions, change, solids.len());
        let layers = Layers::around(touches, positions, mass, reach, solids);
        on_their_way.deliver(&mut impulses, solids, &layers);
        impulses
    }
}

/// Momentum that the liquid has given to bodies and that they have not got yet, by solids and about their centres of mass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OnTheirWay {
    /// The parts of pressure and of viscosity; empty as long as no solid is free.
    parts: Vec<[ImpulsePart; 2]>,
}

impl OnTheirWay {
    /// What free bodies get of the impulses of a step, which are about the world's origin; `layers` are about their centres.
    fn deliver(&mut self, impulses: &mut [Impulse], solids: &[Solid], layers: &Layers) {
        if solids.iter().all(|solid| solid.free.is_none()) {
            self.parts.clear();
            return;
        }
        self.parts.resize(solids.len(), [ImpulsePart::ZERO; 2]);
        for impulse in impulses {
            let number = usize::from(impulse.body.0);
            let (Some(solid), Some(waiting)) = (solids.get(number), self.parts.get_mut(number))
            else {
                continue;
            };
            let Some(free) = &solid.free else {
                *waiting = [ImpulsePart::ZERO; 2];
                continue;
            };
            let centre = solid.end.to_world(free.centre).as_dvec3();
            let body = Inertia::of_body(free, solid);
            // Ways that it cannot go take what is done along them; how hard they are to go is all one.
            let [own, both] = [body, body.plus(&layers.at(number))]
                .map(|inertia| inertia.among(free.locked, free.mass));
            let parts = [&mut impulse.pressure, &mut impulse.viscous];
            for (part, waiting) in parts.into_iter().zip(waiting) {
                let all = part.about(centre) + *waiting;
                let got = own.momentum(both.motion(all));
                *waiting = ImpulsePart {
                    linear: open(free.locked[0]) * (all.linear - got.linear),
                    angular: open(free.locked[1]) * (all.angular - got.angular),
                };
                // About the world's origin again.
                *part = got.about(-centre);
            }
        }
    }

    /// Adds it to what is saved of a liquid.
    pub fn save(&self, saved: &mut Channels) {
        if self.parts.is_empty() {
            return;
        }
        let numbers = self.parts.iter().flatten().flat_map(|part| {
            let [linear, angular] = [part.linear, part.angular].map(|vector| vector.to_array());
            [linear, angular].concat()
        });
        saved.insert(CHANNEL, ChannelData::Double(numbers.collect()));
    }

    /// What was saved; nothing where nothing was.
    pub fn load(saved: &mut Channels) -> Result<Self, ChannelError> {
        if saved.get(CHANNEL).is_none() {
            return Ok(Self::default());
        }
        let numbers = saved.take_doubles(CHANNEL)?;
        expect_length(CHANNEL, &numbers, numbers.len().div_ceil(NUMBERS) * NUMBERS)?;
        let wanted = || "a finite number".into();
        expect_each(CHANNEL, &numbers, wanted, f64::is_finite)?;
        let part = |numbers: &[f64]| ImpulsePart {
            linear: DVec3::from_slice(numbers),
            angular: DVec3::from_slice(&numbers[3..]),
        };
        let both = |numbers: &[f64]| [part(numbers), part(&numbers[NUMBERS / 2..])];
        Ok(Self {
            parts: numbers.chunks(NUMBERS).map(both).collect(),
        })
    }
}
