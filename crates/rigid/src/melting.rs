//! Bodies that melt: mass, shape, and the hull that meets other solids are those of the grains that are left of them.
//!
//! What melts leaves a body with the velocity that it has there: what is left goes on with its spin, and its centre of mass, wherever
//! that is now, as it moved in the body before. Grains are points, so that linear and angular momentum are those of the particles that
//! they are, and nothing of either is lost when they come free.

use glam::{DMat3, DVec3, Vec3};
use ooze_core::{BodyId, ChannelError, Remains};
use ooze_geometry::{Grains, Shape};

use crate::algebra::turned;
use crate::body::{Heft, State};

/// Numbers of a body that melts before those of its grains: its own, how many there were, mass and distance, and how many there are.
const NUMBERS: usize = 5;

/// What is left of a body and what follows from it.
pub(crate) struct Wear<'a> {
    pub(crate) left: &'a Remains,
    /// Its shape and its volume at the start, in m³.
    pub(crate) shape: &'a Shape,
    pub(crate) volume: f64,
    /// How thick the slab of a flat scene is.
    pub(crate) slab: Option<f32>,
}

impl Wear<'_> {
    /// The shape of what is left; none if that is nothing.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let Self { left, slab, .. } = *self;
        match left.grains.len() == left.whole {
            true => Some(self.shape.clone()),
            false => self.shape.worn(&Grains {
                points: &left.grains,
                spacing: left.spacing,
                volume: self.volume * left.share(),
                slab,
            }),
        }
    }

    /// Gives a body the weight of what is left of it; of one that has all melted, its place is all that is left.
    pub(crate) fn weigh(&self, heft: &mut Heft) {
        let Remains { grains, mass, .. } = self.left;
        if grains.is_empty() {
            (heft.locked, heft.gone) = ([[true; 3]; 2], true);
            return;
        }
        let count = grains.len() as f64;
        let sum: DVec3 = grains.iter().map(|grain| grain.as_dvec3()).sum();
        let centre = sum / count;
        let mut inertia = DMat3::ZERO;
        for grain in grains {
            let arm = grain.as_dvec3() - centre;
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            inertia += DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer;
        }
        if self.slab.is_some() {
            // Nothing in the slab lies beside its plane, but bodies must not be without inertia about any axis.
            inertia = DMat3::from_diagonal(DVec3::splat(inertia.z_axis.z));
        }
        heft.mass = count * mass;
        heft.volume = self.volume * self.left.share();
        heft.centre = centre;
        heft.inertia = inertia * *mass;
    }

    /// Has a body go on as what is left of it.
    pub(crate) fn part(&self, heft: &mut Heft, state: &mut State) {
        let before = state.motion(heft);
        let old = heft.centre;
        self.weigh(heft);
        if self.left.grains.is_empty() {
            *state = State {
                velocity: DVec3::ZERO,
                momentum: DVec3::ZERO,
                pending: Default::default(),
                held: Default::default(),
                ..*state
            };
            return;
        }
        let shift = state.rotation * (heft.centre - old);
        state.centre += shift;
        state.velocity = before.linear + before.angular.cross(shift);
        state.momentum = turned(heft.inertia, state.rotation) * before.angular;
        for part in [&mut state.pending, &mut state.held] {
            part.angular -= shift.cross(part.linear);
        }
    }

    /// The corners of its hull: what lies furthest in each of 26 directions.
    pub(crate) fn corners(&self) -> Vec<Vec3> {
        let Remains {
            grains, spacing, ..
        } = self.left;
        let ways = (0..27).filter(|&way| way != 13).map(|way: i32| {
            let along = |step: i32| (way / step % 3 - 1) as f32;
            Vec3::new(along(1), along(3), along(9))
        });
        let corners = ways.filter_map(|way| {
            let along = |grain: &&Vec3| grain.dot(way);
            let furthest = grains.iter().max_by(|a, b| along(a).total_cmp(&along(b)))?;
            Some(*furthest + 0.5 * spacing * way)
        });
        corners.collect()
    }
}

/// As numbers for a checkpoint.
pub(crate) fn to_numbers<'a>(left: impl Iterator<Item = &'a Remains>) -> Vec<f64> {
    let mut numbers = Vec::new();
    for one in left {
        let Remains {
            body,
            grains,
            whole,
            mass,
            spacing,
        } = one;
        numbers.extend([f64::from(body.0), *whole as f64, *mass]);
        numbers.extend([f64::from(*spacing), grains.len() as f64]);
        let places = grains.iter().flat_map(|grain| grain.to_array());
        numbers.extend(places.map(f64::from));
    }
    numbers
}

/// Back from them; `melts` tells which bodies melt.
pub(crate) fn from_numbers(
    name: &str,
    mut numbers: &[f64],
    melts: impl Fn(BodyId) -> bool,
) -> Result<Vec<Remains>, ChannelError> {
    let all = numbers.len();
    let mut left: Vec<Remains> = Vec::new();
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
        let known = left.iter().any(|one| one.body == body);
        if f64::from(body.0) != numbers[0] || !melts(body) || known {
            return Err(wrong(0, "the number of a body that melts"));
        }
        let number = |place: usize| numbers.get(place).copied().unwrap_or(-1.0);
        let (whole, count) = (number(1), number(NUMBERS - 1));
        let room = (numbers.len().saturating_sub(NUMBERS) / 3) as f64;
        if count < 0.0 || count.fract() != 0.0 || count > room {
            return Err(wrong(NUMBERS - 1, "as many grains as follow"));
        }
        if whole < count.max(1.0) || whole.fract() != 0.0 {
            return Err(wrong(1, "as many grains as there are, or more"));
        }
        for place in [2, 3] {
            if number(place) <= 0.0 {
                return Err(wrong(place, "above 0"));
            }
        }
        let (own, rest) = numbers.split_at(NUMBERS + 3 * count as usize);
        let grains = own[NUMBERS..].chunks(3);
        left.push(Remains {
            body,
            grains: grains
                .map(|place| DVec3::from_slice(place).as_vec3())
                .collect(),
            whole: whole as usize,
            mass: own[2],
            spacing: own[3] as f32,
        });
        numbers = rest;
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use ooze_core::ImpulsePart;

    use super::*;

    /// A brick of grains without those that are `gone`.
    fn brick(gone: impl Fn(Vec3) -> bool) -> Remains {
        let mut grains = Vec::new();
        for index in 0..4 * 6 * 9 {
            let place = [index % 4, index / 4 % 6, index / 24];
            grains.push(Vec3::from_array(place.map(|along| 0.1 * along as f32)));
        }
        let whole = grains.len();
        grains.retain(|&grain| !gone(grain));
        Remains {
            body: BodyId(0),
            grains,
            whole,
            mass: 0.02,
            spacing: 0.1,
        }
    }

    fn heft() -> Heft {
        Heft {
            mass: 1.0,
            volume: 1.0,
            centre: DVec3::ZERO,
            inertia: DMat3::IDENTITY,
            locked: [[false; 3]; 2],
            gone: false,
        }
    }

    #[test]
    fn what_comes_free_takes_its_part_of_all_momenta_and_leaves_the_rest() {
        let shape = Shape::cuboid(Vec3::ZERO, Vec3::ONE).expect("a fair box");
        let wear = |left| Wear {
            left,
            shape: &shape,
            volume: 0.3,
            slab: None,
        };
        let whole = brick(|_| false);
        let (mut heft, left) = (heft(), brick(|grain| grain.x + grain.z > 0.7));
        wear(&whole).weigh(&mut heft);
        let mut state = State {
            centre: DVec3::new(3.0, -1.0, 0.5),
            rotation: DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(1.1),
            velocity: DVec3::new(0.3, -0.2, 0.9),
            momentum: DVec3::new(0.05, 0.2, -0.1),
            pending: ImpulsePart::ZERO,
            held: ImpulsePart::ZERO,
            rested: 0.0,
            pile: 0,
        };
        let momenta = |heft: &Heft, state: &State| {
            let linear = heft.mass * state.velocity;
            (linear, state.centre.cross(linear) + state.momentum)
        };
        let before = momenta(&heft, &state);
        let (origin, motion) = (state.origin(&heft), state.motion(&heft));
        let mut freed = (DVec3::ZERO, DVec3::ZERO);
        for grain in &whole.grains {
            if left.grains.contains(grain) {
                continue;
            }
            let place = origin + state.rotation * grain.as_dvec3();
            let spin = motion.angular.cross(place - state.centre);
            let own = whole.mass * (motion.linear + spin);
            freed.0 += own;
            freed.1 += place.cross(own);
        }
        wear(&left).part(&mut heft, &mut state);
        let after = momenta(&heft, &state);
        assert!(freed.1.length() > 0.1, "{}", freed.1);
        assert!((after.0 + freed.0 - before.0).length() < 1e-14);
        assert!((after.1 + freed.1 - before.1).length() < 1e-14);
        assert!((state.origin(&heft) - origin).length() < 1e-14);
        assert!((heft.volume - 0.3 * left.share()).abs() < 1e-15);
        let numbers = to_numbers([&left].into_iter());
        let read = from_numbers("left", &numbers, |body| body == BodyId(0));
        assert_eq!(read.expect("it is what was written"), [left]);
        for (place, wrong) in [(0, 1.0), (1, 2.0), (2, 0.0), (4, 1e6), (7, f64::NAN)] {
            let mut numbers = numbers.clone();
            numbers[place] = wrong;
            let read = from_numbers("left", &numbers, |body| body == BodyId(0));
            assert!(read.is_err(), "{place}");
        }
    }
}
