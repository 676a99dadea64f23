//! Liquids coloured by what they carry: temperature, what has melted, viscosity, speed.

use glam::Vec3;
use ooze_commons::Choice;
use ooze_core::{ChannelData, Frame};
use ooze_render::{Legend, Picture, draw_legend};
use ooze_scene::{ColourChannel, Colouring};
use ooze_staging::{Look, mapped_colour};

use super::PictureError;

/// The values of a frame's particles.
fn values(frame: &Frame, channel: ColourChannel) -> Result<Vec<f32>, PictureError> {
    let particles = &frame.particles;
    let found = match channel {
        ColourChannel::Temperature => particles.scalars("temperature").map(<[f32]>::to_vec),
        ColourChannel::Melted => particles.scalars("melted").map(<[f32]>::to_vec),
        ColourChannel::Viscosity => particles.scalars("viscosity").map(<[f32]>::to_vec),
        ColourChannel::Speed => particles.vectors("velocity").map(|velocities| {
            let speeds = velocities.iter().map(|velocity| velocity.length());
            speeds.collect()
        }),
    };
    found.map_err(|_| PictureError::Colouring {
        channel: channel.word(),
        found: particles
            .iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
            .join(", "),
    })
}

/// The range of a frame's values together with that of others; none where there are no values.
pub fn widened(
    range: Option<[f32; 2]>,
    frame: &Frame,
    channel: ColourChannel,
) -> Result<Option<[f32; 2]>, PictureError> {
    // Liquids without viscosity have no place on a scale of factors.
    let counts = |value: &f32| channel != ColourChannel::Viscosity || *value > 0.0;
    let found = values(frame, channel)?.into_iter().filter(counts);
    Ok(found.fold(range, |range, value| {
        let [low, high] = range.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    }))
}

/// The values that the colours of a channel tell apart wherever it occurs, if those are known beforehand.
pub fn natural_range(channel: ColourChannel) -> Option<[f32; 2]> {
    (channel == ColourChannel::Melted).then_some([0.0, 1.0])
}

/// What a channel's numbers are, for people.
pub fn unit(channel: ColourChannel) -> &'static str {
    match channel {
        ColourChannel::Temperature => "K",
        ColourChannel::Melted => "share",
        ColourChannel::Viscosity => "Pa s",
        ColourChannel::Speed => "m/s",
    }
}

/// A number in a few letters.
pub fn short(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.1e}")
    } else {
        let decimals = (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            text
        }
    }
}

/// The look of liquids that are coloured by numbers: nothing but their colours and a little shape.
pub(super) fn plain_look() -> Look {
    Look {
        refractive_index: 1.3,
        ..Look::opaque(Vec3::splat(0.5), 0.7)
    }
}

/// Which colours stand for which values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    channel: ColourChannel,
    range: [f32; 2],
}

impl Scale {
    /// That of a scene, or where it leaves the range open, of a frame.
    pub(super) fn of(colouring: &Colouring, frame: &Frame) -> Result<Self, PictureError> {
        let channel = colouring.channel;
        let known = colouring.range.or(natural_range(channel));
        let range = match known {
            Some(range) => range,
            None => widened(None, frame, channel)?.unwrap_or([1.0; 2]),
        };
        Ok(Self { channel, range })
    }

    /// Where a value lies between the ends; in the middle where these are the same.
    fn share(&self, value: f32) -> f32 {
        let place = |value: f32| match self.channel {
            ColourChannel::Viscosity => value.max(f32::MIN_POSITIVE).ln(),
            _ => value,
        };
        let [low, high] = self.range.map(place);
        if high > low {
            (place(value) - low) / (high - low)
        } else {
            0.5
        }
    }

    /// A frame whose particles have the colours of their values.
    pub(super) fn coloured(&self, frame: &Frame) -> Result<Frame, PictureError> {
        let values = values(frame, self.channel)?.into_iter();
        let colours = values.map(|value| mapped_colour(self.share(value)));
        let colours = ChannelData::Vector(colours.collect());
        let mut coloured = frame.clone();
        coloured.particles.insert("colour", colours);
        Ok(coloured)
    }

    /// Draws the legend into a picture.
    pub(super) fn draw(&self, picture: &mut Picture) {
        let legend = Legend {
            title: &format!("{} ({})", self.channel.word(), unit(self.channel)),
            low: &short(self.range[0]),
            high: &short(self.range[1]),
            colour: &mapped_colour,
        };
        draw_legend(picture, &legend);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let mut frame = Frame::default();
        let particles = &mut frame.particles;
        let viscosity = vec![1.0, 100.0, 10.0];
        particles.insert("viscosity", ChannelData::Scalar(viscosity));
        let velocity = vec![Vec3::ZERO, 3.0 * Vec3::X + 4.0 * Vec3::Y, Vec3::Z];
        particles.insert("velocity", ChannelData::Vector(velocity));
        frame
    }

    #[test]
    fn viscosities_are_told_apart_by_factors_and_speeds_by_differences() {
        let scale = |channel| {
            let colouring = Colouring {
                channel,
                range: None,
            };
            Scale::of(&colouring, &frame()).expect("the frame has it")
        };
        let viscosity = scale(ColourChannel::Viscosity);
        assert_eq!(viscosity.range, [1.0, 100.0]);
        assert!((viscosity.share(10.0) - 0.5).abs() < 1e-6);
        let speed = scale(ColourChannel::Speed);
        assert_eq!(speed.range, [0.0, 5.0]);
        assert!((speed.share(1.0) - 0.2).abs() < 1e-6);
        let coloured = speed.coloured(&frame()).expect("the frame has it");
        let colours = coloured.particles.vectors("colour").expect("coloured");
        assert_eq!(colours[0], mapped_colour(0.0));
        assert_eq!(colours[1], mapped_colour(1.0));
        let range = widened(Some([2.0, 9.0]), &frame(), ColourChannel::Speed);
        assert_eq!(range.expect("the frame has it"), Some([0.0, 9.0]));
    }

    #[test]
    fn what_a_frame_does_not_hold_is_named_beside_what_it_holds() {
        let error = widened(None, &frame(), ColourChannel::Temperature)
            .expect_err("no such channel")
            .to_string();
        assert!(
            error.contains("`temperature`") && error.contains("velocity, viscosity"),
            "{error}"
        );
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 288.15, 1.0, 0.25, 1e7, 412.0, 12.3].map(short);
        assert_eq!(texts, ["0", "288", "1", "0.25", "1.0e7", "412", "12.3"]);
    }
}
