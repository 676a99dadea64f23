//! Keyframed orientations.
//!
//! A linear stretch turns at constant angular velocity about a fixed axis, the shorter way round. A smooth stretch is
//! the Hermite curve of unit quaternions of Kim, Kim & Shin 1995 (q₀ exp(ω₁β₁) exp(ω₂β₂) exp(ω₃β₃) with
//! the cumulative Bernstein basis), which has given angular velocities at both ends and an exact derivative. The
//! angular velocities at the keys follow the rule of [`super::track`] in the body frame, in which the turns before and
//! after a key can be compared: about one fixed axis the curve is that module's cubic in the angle.

use glam::{DQuat, DVec3};

use super::{
    Interpolation,
    track::{Place, Stretch, locate, rate_at_key},
};

/// Keyframed orientations; unit quaternions at increasing times.
#[derive(Clone, Debug)]
pub(super) struct RotationTrack {
    times: Vec<f64>,
    values: Vec<DQuat>,
    stretches: Vec<Stretch<3>>,
}

impl RotationTrack {
    /// A track through keys of increasing times; at least one.
    pub(super) fn new(keys: &[(f64, DQuat, Interpolation)]) -> Self {
        let stretches = keys
            .windows(2)
            .map(|pair| {
                let duration = pair[1].0 - pair[0].0;
                let turn = rotation_vector(pair[0].1.inverse() * pair[1].1);
                Stretch {
                    duration,
                    secant: (turn / duration).to_array(),
                    interpolation: pair[0].2,
                }
            })
            .collect();
        Self {
            times: keys.iter().map(|key| key.0).collect(),
            values: keys.iter().map(|key| key.1).collect(),
            stretches,
        }
    }

    /// Whether the orientation never changes.
    pub(super) fn is_constant(&self) -> bool {
        self.values
            .windows(2)
            .all(|pair| pair[0] == pair[1] || pair[0] == -pair[1])
    }

    /// The orientation and the angular velocity in the world frame at `time`; at a key, the velocity from there on.
    pub(super) fn sample(&self, time: f64) -> (DQuat, DVec3) {
        let place = match locate(&self.times, time) {
            Ok(place) => place,
            Err(key) => return (self.values[key], DVec3::ZERO),
        };
        let start = self.values[place.key];
        let stretch = &self.stretches[place.key];
        let rate = DVec3::from_array(stretch.secant);
        match stretch.interpolation {
            Interpolation::Linear => {
                let turned = DQuat::from_scaled_axis(rate * (place.fraction * place.duration));
                (start * turned, start * rate)
            }
            Interpolation::Smooth => {
                let before = place.key.checked_sub(1).map(|key| &self.stretches[key]);
                let rates = [before, self.stretches.get(place.key + 1)]
                    .map(|neighbour| DVec3::from_array(rate_at_key(stretch, neighbour)));
                hermite(start, self.values[place.key + 1], rates, &place)
            }
        }
    }
}

/// The rotation vector of a unit quaternion, the shorter way round.
fn rotation_vector(quaternion: DQuat) -> DVec3 {
    if quaternion.w < 0.0 {
        -quaternion
    } else {
        quaternion
    }
    .to_scaled_axis()
}

/// The curve with given orientations and body-frame angular velocities at both ends (Kim, Kim & Shin 1995), and its
/// angular velocity in the world frame.
fn hermite(start: DQuat, end: DQuat, rates: [DVec3; 2], place: &Place) -> (DQuat, DVec3) {
    let &Place {
        fraction, duration, ..
    } = place;
    let rest = 1.0 - fraction;
    let first = rates[0] * (duration / 3.0);
    let last = rates[1] * (duration / 3.0);
    let middle = rotation_vector(
        DQuat::from_scaled_axis(-first) * start.inverse() * end * DQuat::from_scaled_axis(-last),
    );
    // The cumulative Bernstein basis of degree three and its derivative in time.
    let basis = [
        1.0 - rest.powi(3),
        fraction * fraction * (3.0 - 2.0 * fraction),
        fraction.powi(3),
    ];
    let slopes = [
        3.0 * rest * rest,
        6.0 * fraction * rest,
        3.0 * fraction * fraction,
    ]
    .map(|slope| slope / duration);

    let mut rotation = start;
    let mut angular = DVec3::ZERO;
    for (index, turn) in [first, middle, last].into_iter().enumerate() {
        angular += rotation * (slopes[index] * turn);
        rotation *= DQuat::from_scaled_axis(basis[index] * turn);
    }
    (rotation.normalize(), angular)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interpolation::{Linear, Smooth};

    fn tumbling(interpolation: Interpolation) -> RotationTrack {
        let axes = [
            DVec3::new(1.0, 2.0, 0.5),
            DVec3::new(-1.0, 0.3, 0.4),
            DVec3::Y,
            DVec3::Z,
        ];
        let mut rotation = DQuat::from_rotation_x(0.3);
        let mut keys = vec![(0.0, rotation, interpolation)];
        for (index, axis) in axes.into_iter().enumerate() {
            rotation = (rotation
                * DQuat::from_axis_angle(axis.normalize(), 0.9 + 0.4 * index as f64))
            .normalize();
            // The negative of a quaternion is the same orientation and must not change the path.
            let value = if index % 2 == 0 { -rotation } else { rotation };
            keys.push((0.5 + 0.7 * index as f64, value, interpolation));
        }
        RotationTrack::new(&keys)
    }

    #[test]
    fn angular_velocity_is_the_derivative() {
        let step = 1e-5;
        for interpolation in [Linear, Smooth] {
            let track = tumbling(interpolation);
            for index in 0..500 {
                let time = -0.2 + 0.00613 * f64::from(index) + 1e-4;
                let (before, after) = (track.sample(time - step).0, track.sample(time + step).0);
                let numeric = rotation_vector(after * before.inverse()) / (2.0 * step);
                let angular = track.sample(time).1;
                assert!(
                    (numeric - angular).length() < 1e-6,
                    "{numeric} {angular} at {time}"
                );
            }
        }
    }

    #[test]
    fn smooth_turning_has_continuous_angular_velocity_and_meets_its_keys() {
        let track = tumbling(Smooth);
        for (key, value) in track.times.iter().zip(&track.values) {
            let [(before, slower), (after, faster)] =
                [key - 1e-9, key + 1e-9].map(|time| track.sample(time));
            assert!(
                (slower - faster).length() < 1e-5,
                "{slower} {faster} at {key}"
            );
            assert!(before.angle_between(*value) < 1e-6 && after.angle_between(*value) < 1e-6);
        }
    }

    #[test]
    fn turning_about_one_axis_follows_the_angle() {
        let angles = [(0.0, 0.2), (1.0, 1.4), (1.5, 3.0), (3.0, 3.5)];
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let rotations =
            angles.map(|(time, angle)| (time, DQuat::from_axis_angle(axis, angle), Smooth));
        let scalars = angles.map(|(time, angle)| (time, [angle], Smooth));
        let (turning, scalar) = (
            RotationTrack::new(&rotations),
            super::super::track::Track::new(&scalars),
        );
        for index in 0..350 {
            let time = 0.01 * f64::from(index);
            let (rotation, angular) = turning.sample(time);
            let (angle, rate) = scalar.sample(time);
            assert!(rotation.angle_between(DQuat::from_axis_angle(axis, angle[0])) < 1e-6);
            assert!((angular - rate[0] * axis).length() < 1e-9);
        }
    }

    #[test]
    fn turns_the_shorter_way() {
        let keys = [
            (0.0, DQuat::IDENTITY, Linear),
            (1.0, DQuat::from_rotation_y(5.0), Linear),
        ];
        let (half_way, angular) = RotationTrack::new(&keys).sample(0.5);
        let turn = 5.0 - std::f64::consts::TAU;
        assert!(half_way.angle_between(DQuat::from_rotation_y(0.5 * turn)) < 1e-7);
        assert!((angular - DVec3::Y * turn).length() < 1e-12);
    }
}
