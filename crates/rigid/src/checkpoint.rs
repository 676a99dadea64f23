//! How bodies stand and move, as channels.

use glam::{DQuat, DVec3};
use ooze_core::{ChannelData, ChannelError, Channels, ImpulsePart};

use crate::body::State;

/// Name of the only channel.
const CHANNEL: &str = "bodies";
/// Numbers a body.
const NUMBERS: usize = 25;

/// All that a later step depends on.
pub(crate) fn save(states: &[State]) -> Channels {
    let mut channels = Channels::default();
    if states.is_empty() {
        return channels;
    }
    let mut numbers = Vec::with_capacity(NUMBERS * states.len());
    for state in states {
        numbers.extend(state.centre.to_array());
        numbers.extend(state.rotation.to_array());
        numbers.extend(state.velocity.to_array());
        numbers.extend(state.momentum.to_array());
        for part in [state.pending, state.held] {
            numbers.extend(part.linear.to_array());
            numbers.extend(part.angular.to_array());
        }
    }
    channels.insert(CHANNEL, ChannelData::Double(numbers));
    channels
}

/// The states of so many bodies, or what is wrong with the channels.
pub(crate) fn load(mut saved: Channels, bodies: usize) -> Result<Vec<State>, ChannelError> {
    if bodies == 0 {
        saved.expect_nothing_left()?;
        return Ok(Vec::new());
    }
    let numbers = saved.take_doubles(CHANNEL)?;
    saved.expect_nothing_left()?;
    ooze_core::expect_length(CHANNEL, &numbers, NUMBERS * bodies)?;
    let wrong = |row: usize, wanted: &str| ChannelError::Value {
        name: CHANNEL.into(),
        row,
        value: numbers[row].to_string().into(),
        wanted: wanted.into(),
    };
    if let Some(row) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(wrong(row, "finite"));
    }
    let state = |(body, numbers): (usize, &[f64])| {
        let vector = |place: usize| DVec3::from_slice(&numbers[place..]);
        let rotation = DQuat::from_slice(&numbers[3..]);
        if (rotation.length() - 1.0).abs() > 1e-6 {
            return Err(wrong(NUMBERS * body + 3, "part of a rotation"));
        }
        let part = |place: usize| ImpulsePart {
            linear: vector(place),
            angular: vector(place + 3),
        };
        Ok(State {
            centre: vector(0),
            rotation,
            velocity: vector(7),
            momentum: vector(10),
            pending: part(13),
            held: part(19),
        })
    };
    numbers.chunks(NUMBERS).enumerate().map(state).collect()
}
