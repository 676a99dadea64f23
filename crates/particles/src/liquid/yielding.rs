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

use glam::{DMat3, DVec3, Vec3};
use ooze_core::channel_rules::{expect_each, expect_length};
use ooze_core::{ChannelData, ChannelError, Channels, Impulse, ImpulsePart, Solid, SpatialInertia};

use crate::boundary::contact::{self, Touches};
use crate::state::ParticleState;

use super::layers::Layers;

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
            let turn = DMat3::from_quat(solid.end.rotation.as_dquat());
            let inertia = turn * free.inertia * turn.transpose();
            let body = SpatialInertia::of_body(free.mass, inertia).plus(&free.joined);
            // Ways that it cannot go take what is done along them; how hard they are to go is all one.
            let both = body.plus(&layers.at(number)).inverse_among(free.locked);
            let [moves, turns] = free.locked.map(SpatialInertia::open);
            let parts = [&mut impulse.pressure, &mut impulse.viscous];
            for (part, waiting) in parts.into_iter().zip(waiting) {
                let all = part.about(centre) + *waiting;
                let got = body.momentum(both.motion(all));
                *waiting = ImpulsePart {
                    linear: moves * (all.linear - got.linear),
                    angular: turns * (all.angular - got.angular),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::{BodyId, BodyVelocity, Contact, FreeBody};
    use ooze_geometry::{Pose, Shape, Twist};

    use super::*;

    fn ball(mass: f64) -> Solid {
        let rest = Twist {
            centre: Vec3::ZERO,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
            growth: 0.0,
        };
        Solid {
            name: "ball".into(),
            shape: Arc::new(Shape::sphere(Vec3::ZERO, 0.1).expect("a fair ball")),
            contact: Contact::default(),
            free: Some(FreeBody {
                mass,
                volume: 0.004,
                centre: Vec3::ZERO,
                inertia: DMat3::from_diagonal(DVec3::splat(0.004 * mass)),
                locked: [[false; 3]; 2],
                before: BodyVelocity::default(),
                unforced: BodyVelocity::default(),
                joined: SpatialInertia::ZERO,
            }),
            left: None,
            heat_capacity: None,
            fixed: false,
            start: Pose::IDENTITY,
            end: Pose::IDENTITY,
            twist: rest,
            next: rest,
        }
    }

    /// What a ball gains in one step after the other while the layer at it, which weighs a kilogram, does −K ΔV to it; it is pushed
    /// in the first one. Handed over with the layer or, as if there were none, as it is.
    fn gains(mass: f64, layers: &Layers) -> Vec<f64> {
        let solids = [ball(mass)];
        let mut on_their_way = OnTheirWay::default();
        let mut gain = 0.0;
        let mut given = 0.0;
        let gains: Vec<f64> = (0..60)
            .map(|step| {
                let push = if step == 0 { 1.0 } else { -gain };
                given += push;
                let mut impulse = Impulse::none(BodyId(0));
                impulse.pressure.linear = DVec3::X * push;
                let mut impulses = [impulse];
                on_their_way.deliver(&mut impulses, &solids, layers);
                gain = impulses[0].total().linear.x / mass;
                gain
            })
            .collect();
        // What the liquid gave has arrived or is on its way.
        let arrived: f64 = gains.iter().map(|gain| gain * mass).sum();
        let waiting = on_their_way.parts[0][0].linear.x;
        assert!(
            (arrived + waiting - given).abs()
                < 1e-9 * gains.iter().fold(1.0, |a, b| a + b.abs() * mass)
        );
        gains
    }

    #[test]
    fn light_bodies_answer_to_their_layers_in_ever_smaller_steps_and_nothing_is_lost() {
        // What the layer weighs, and three times that.
        let inertia = |mass: f64| {
            let free = ball(mass).free.expect("it is free");
            SpatialInertia::of_body(mass, free.inertia)
        };
        for weighed in [inertia(1.0), inertia(3.0)] {
            let layers = Layers::of([weighed]);
            for mass in [0.01, 0.4, 5.0] {
                let gains = gains(mass, &layers);
                let last = gains[50..]
                    .iter()
                    .fold(0.0, |most: f64, gain| most.max(gain.abs()));
                assert!(last < 0.02 * gains[0].abs(), "{mass}: {gains:?}");
            }
        }
        // As it is, a ball of 0.4 kg would be flung to and fro.
        let flung = gains(0.4, &Layers::default());
        assert!(flung[50].abs() > 1e3 * flung[0].abs());
        let heavy = gains(5.0, &Layers::default());
        assert!(heavy[50].abs() < 1e-3 * heavy[0].abs());
    }

    #[test]
    fn what_is_on_its_way_is_saved() {
        let part = ImpulsePart {
            linear: DVec3::new(1.0, 2.0, 3.0),
            angular: DVec3::new(4.0, 5.0, 6.0),
        };
        let own = OnTheirWay {
            parts: vec![[part, ImpulsePart::ZERO], [ImpulsePart::ZERO, part]],
        };
        let mut saved = Channels::default();
        own.save(&mut saved);
        assert_eq!(OnTheirWay::load(&mut saved).expect("it fits"), own);
        assert_eq!(
            OnTheirWay::load(&mut saved).expect("nothing"),
            OnTheirWay::default()
        );
        saved.insert(CHANNEL, ChannelData::Double(vec![0.0; 13]));
        assert!(OnTheirWay::load(&mut saved).is_err());
        saved.insert(CHANNEL, ChannelData::Double(vec![f64::NAN; 12]));
        assert!(OnTheirWay::load(&mut saved).is_err());
    }
}
