//! Texture coordinates that stick to a liquid: every particle, or cell of a level set, knows where it was when its coordinates
//! were given, which is its place in a texture that fills space.
//!
//! A liquid that is stirred draws such a texture out until nothing of it can be seen. Therefore coordinates can be given anew,
//! in two layers by turns (after Neyret 2003, "Advected textures", sec. 3): while one of them is given anew it does not show, and
//! by the time that it is drawn out the other has taken over.

use glam::Vec3;

use crate::{Carried, ChannelRule, Handle, ParticleSet};

/// Whether and how a liquid carries texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureCoordinates {
    /// Seconds after which a layer of coordinates is given anew; none if there is one layer that is given for good.
    pub refresh: Option<f64>,
}

impl TextureCoordinates {
    /// Names of the channels of both layers; liquids whose coordinates are given for good have the first only.
    pub const CHANNELS: [&'static str; 2] = ["rest_position", "rest_position_2"];

    /// The names of the channels that the liquid has.
    pub fn channels(&self) -> &'static [&'static str] {
        match self.refresh {
            Some(_) => &Self::CHANNELS,
            None => &Self::CHANNELS[..1],
        }
    }

    /// Adds the channels to those that a liquid carries.
    pub fn register(&self, carried: &mut Carried) {
        for name in self.channels() {
            let rule = ChannelRule::<Vec3>::new(name, |birth| birth.position);
            carried.register(rule.in_frames());
        }
    }

    /// The channels that are given anew at some moment after `from` until `to`, in seconds.
    pub fn renewed(&self, (from, to): (f64, f64)) -> impl Iterator<Item = &'static str> {
        let refresh = self.refresh;
        let renewals = move |layer: usize, time: f64| {
            // The second layer is half a turn ahead.
            refresh.map(|refresh| (time / refresh + 0.5 * layer as f64).floor())
        };
        let layers = Self::CHANNELS.into_iter().enumerate();
        layers
            .filter(move |&(layer, _)| renewals(layer, from.max(0.0)) < renewals(layer, to))
            .map(|(_, name)| name)
    }

    /// How much each layer shows at a time in seconds: nothing when it is given anew, most half-way to the next time. Together
    /// they are one.
    pub fn shares(&self, time: f64) -> [f32; 2] {
        let Some(refresh) = self.refresh else {
            return [1.0, 0.0];
        };
        let age = (time / refresh).rem_euclid(1.0);
        let first = (1.0 - (2.0 * age - 1.0).abs()) as f32;
        [first, 1.0 - first]
    }

    /// Gives particles the coordinates that fall due in a step from one moment to another.
    pub(crate) fn renew(&self, particles: &mut ParticleSet, step: (f64, f64)) {
        for name in self.renewed(step) {
            let layer: Option<Handle<Vec3>> = particles.carried.find(name);
            let coordinates = particles.carried.optional_mut(layer);
            coordinates.copy_from_slice(&particles.position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_SECONDS: TextureCoordinates = TextureCoordinates { refresh: Some(2.0) };

    #[test]
    fn a_layer_is_given_anew_when_it_does_not_show() {
        let step = 0.03;
        let mut renewals = [0, 0];
        for index in 0..400 {
            let (from, to) = (f64::from(index) * step, f64::from(index + 1) * step);
            for name in TWO_SECONDS.renewed((from, to)) {
                let layer = usize::from(name == TextureCoordinates::CHANNELS[1]);
                renewals[layer] += 1;
                assert!(f64::from(TWO_SECONDS.shares(to)[layer]) <= step);
            }
            let [first, second] = TWO_SECONDS.shares(to);
            assert!(first >= 0.0 && second >= 0.0 && (first + second - 1.0).abs() < 1e-6);
        }
        // Twelve seconds: the first at 2, 4, ..., 12, the second at 1, 3, ..., 11.
        assert_eq!(renewals, [6, 6]);
    }

    #[test]
    fn coordinates_that_are_given_for_good_are_one_layer() {
        let coordinates = TextureCoordinates { refresh: None };
        assert_eq!(coordinates.shares(123.4), [1.0, 0.0]);
        assert_eq!(coordinates.renewed((0.0, 1e6)).count(), 0);
        assert_eq!(coordinates.channels(), ["rest_position"]);
    }
}
