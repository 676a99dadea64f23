//! Bodies that melt: their mass, and the hull that meets other solids, are those of what is solid still.
//!
//! What melts leaves a body with the velocity that it has there: what is left goes on with its spin, and its centre of mass, wherever
//! that is now, as it moved in the body before. So nothing of the momentum is lost.

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, ChannelError, HeldMass};

use crate::algebra::turned;
use crate::body::{Heft, State};

/// Numbers of a body that melts before those of its corners: its own, mass, centre, inertia, and how many corners there are.
const NUMBERS: usize = 15;

/// Has a body go on as what is left of it.
pub(crate) fn part(heft: &mut Heft, state: &mut State, left: &HeldMass) {
    let before = state.motion(heft);
    let shift = state.rotation * (left.centre - heft.centre);
    weigh(heft, left);
    if left.mass == 0.0 {
        *state = State {
            velocity: DVec3::ZERO,
            momentum: DVec3::ZERO,
            pending: Default::default(),
            held: Default::default(),
            ..*state
        };
        return;
    }
    state.centre += shift;
    state.velocity = before.linear + before.angular.cross(shift);
    state.momentum = turned(heft.inertia, state.rotation) * before.angular;
    for part in [&mut state.pending, &mut state.held] {
        part.angular -= shift.cross(part.linear);
    }
}

/// Gives a body the mass of what is left of it; of one that has all melted, its place is all that is left.
pub(crate) fn weigh(heft: &mut Heft, left: &HeldMass) {
    if left.mass == 0.0 {
        heft.locked = [[true; 3]; 2];
        return;
    }
    (heft.mass, heft.centre, heft.inertia) = (left.mass, left.centre, left.inertia);
}

/// As numbers for a checkpoint.
pub(crate) fn to_numbers(left: &[HeldMass]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for one in left {
        numbers.extend([f64::from(one.body.0), one.mass]);
        numbers.extend(one.centre.to_array());
        numbers.extend(one.inertia.to_cols_array());
        numbers.push(one.corners.len() as f64);
        let corners = one.corners.iter().flat_map(|corner| corner.to_array());
        numbers.extend(corners.map(f64::from));
    }
    numbers
}

/// Back from them; `melts` tells which bodies melt.
pub(crate) fn from_numbers(
    name: &str,
    mut numbers: &[f64],
    melts: impl Fn(BodyId) -> bool,
) -> Result<Vec<HeldMass>, ChannelError> {
    let all = numbers.len();
    let mut left = Vec::new();
    while !numbers.is_empty() {
        let row = all - numbers.len();
        let wrong = |place: usize, wanted: &str| ChannelError::Value {
            name: name.into(),
            row: row + place,
            value: numbers
                .get(place)
                .map_or("nothing".into(), f64::to_string)
                .into(),
            wanted: wanted.into(),
        };
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(wrong(place, "finite"));
        }
        let body = BodyId(numbers[0] as u16);
        if f64::from(body.0) != numbers[0] || !melts(body) {
            return Err(wrong(0, "the number of a body that melts"));
        }
        let count = numbers.get(NUMBERS - 1).copied().unwrap_or(-1.0);
        let room = numbers.len().saturating_sub(NUMBERS) / 3;
        if count < 0.0 || count.fract() != 0.0 || count > room as f64 {
            return Err(wrong(NUMBERS - 1, "as many corners as follow"));
        }
        let inertia = DMat3::from_cols_slice(&numbers[5..14]);
        let heavy = numbers[1] > 0.0 && inertia.determinant() > 0.0;
        if numbers[1] != 0.0 && !heavy {
            return Err(wrong(1, "a mass with moments of inertia above 0"));
        }
        let (own, rest) = numbers.split_at(NUMBERS + 3 * count as usize);
        left.push(HeldMass {
            body,
            mass: own[1],
            centre: DVec3::from_slice(&own[2..]),
            inertia,
            corners: own[NUMBERS..]
                .chunks(3)
                .map(|corner| DVec3::from_slice(corner).as_vec3())
                .collect::<Vec<Vec3>>(),
        });
        numbers = rest;
    }
    Ok(left)
}
