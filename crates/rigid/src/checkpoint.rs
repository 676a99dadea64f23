//! How bodies stand and move, and how warm they are, as channels.

use glam::{DQuat, DVec3};
use ooze_core::{BodyId, ChannelData, ChannelError, Channels, ImpulsePart, Remains};

use crate::body::State;
use crate::melting;
use crate::sleep::DROWSY;

/// Name of the channel of motions.
const CHANNEL: &str = "bodies";
/// Name of the channel of temperatures, of bodies that have a capacity for heat.
const TEMPERATURES: &str = "body_temperatures";
/// Name of the channel of what is left of bodies that melt.
const LEFT: &str = "bodies_left";
/// Numbers a body.
const NUMBERS: usize = 27;

/// All that a later step depends on.
pub(crate) fn save(
    states: &[State],
    temperatures: &[Option<f64>],
    left: &[Option<Remains>],
) -> Channels {
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
        numbers.extend([state.rested, f64::from(state.pile)]);
    }
    channels.insert(CHANNEL, ChannelData::Double(numbers));
    let warm: Vec<f64> = temperatures.iter().copied().flatten().collect();
    if !warm.is_empty() {
        channels.insert(TEMPERATURES, ChannelData::Double(warm));
    }
    let left = melting::to_numbers(left.iter().flatten());
    if !left.is_empty() {
        channels.insert(LEFT, ChannelData::Double(left));
    }
    channels
}

/// What a checkpoint holds of bodies.
type Saved = (Vec<State>, Vec<Option<f64>>, Vec<Remains>);

/// The states of bodies, their temperatures, where they have had any before, and what is left of those that melt, or what is wrong with
/// the channels.
pub(crate) fn load(
    mut saved: Channels,
    temperatures: &[Option<f64>],
    melts: impl Fn(BodyId) -> bool,
) -> Result<Saved, ChannelError> {
    let bodies = temperatures.len();
    if bodies == 0 {
        saved.expect_nothing_left()?;
        return Ok(Default::default());
    }
    let numbers = saved.take_doubles(CHANNEL)?;
    let temperatures = take_temperatures(&mut saved, temperatures)?;
    let left = match saved.get(LEFT) {
        Some(_) => melting::from_numbers(LEFT, &saved.take_doubles(LEFT)?, melts)?,
        None => Vec::new(),
    };
    saved.expect_nothing_left()?;
    ooze_core::expect_length(CHANNEL, &numbers, NUMBERS * bodies)?;
    let wrong = |row: usize, wanted: &str| wrong(CHANNEL, row, numbers[row], wanted);
    if let Some(row) = numbers.iter().position(|number| !number.is_finite()) {
        return Err(wrong(row, "finite"));
    }
    let state = |(body, numbers): (usize, &[f64])| {
        let vector = |place: usize| DVec3::from_slice(&numbers[place..]);
        let rotation = DQuat::from_slice(&numbers[3..]);
        if (rotation.length() - 1.0).abs() > 1e-6 {
            return Err(wrong(NUMBERS * body + 3, "part of a rotation"));
        }
        let [rested, pile] = [numbers[25], numbers[26]];
        if !(0.0..=DROWSY).contains(&rested) {
            return Err(wrong(NUMBERS * body + 25, "a time that a body rests"));
        }
        if pile < 0.0 || pile > f64::from(u16::MAX) + 1.0 || pile.fract() != 0.0 {
            return Err(wrong(NUMBERS * body + 26, "the number of a pile"));
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
            rested,
            pile: pile as u32,
        })
    };
    let states = numbers.chunks(NUMBERS).enumerate().map(state);
    Ok((states.collect::<Result<_, _>>()?, temperatures, left))
}

fn take_temperatures(
    saved: &mut Channels,
    known: &[Option<f64>],
) -> Result<Vec<Option<f64>>, ChannelError> {
    let warm = known.iter().flatten().count();
    if warm == 0 {
        return Ok(known.to_vec());
    }
    let numbers = saved.take_doubles(TEMPERATURES)?;
    ooze_core::expect_length(TEMPERATURES, &numbers, warm)?;
    let fair = |number: &f64| number.is_finite() && *number > 0.0;
    if let Some(row) = numbers.iter().position(|number| !fair(number)) {
        return Err(wrong(TEMPERATURES, row, numbers[row], "above 0"));
    }
    let mut numbers = numbers.into_iter();
    let own = known.iter().map(|known| known.and_then(|_| numbers.next()));
    Ok(own.collect())
}

fn wrong(name: &str, row: usize, value: f64, wanted: &str) -> ChannelError {
    ChannelError::Value {
        name: name.into(),
        row,
        value: value.to_string().into(),
        wanted: wanted.into(),
    }
}
