//! The constant twist between two poses: the logarithm of the motion that takes one to the other.
//!
//! A point moves as ẋ = v + A (x - p), A = [ω]× + g, with p the object's origin at the start. After t seconds the origin is at
//! p + φ(At) v t, φ(z) = (eᶻ - 1)/z. Along ω, A is the number g; across it, where [ω]× is a quarter turn, the complex number
//! g + i|ω|: what v must be follows without a matrix.

use glam::DVec3;

use super::{State, Twist};

/// Sizes of z below which 1/φ(z) is taken from its series: a difference of nearly equal numbers would be left of it.
const SMALL: f64 = 1e-4;

/// The twist that takes one state of an object to another in so many seconds; it turns the shorter way round.
pub(super) fn between(from: &State, to: &State, seconds: f64) -> Twist {
    let turned = to.rotation * from.rotation.inverse();
    let turned = if turned.w < 0.0 { -turned } else { turned };
    let turn = turned.to_scaled_axis();
    let growth = (to.scale / from.scale).ln();
    let way = to.position - from.position;
    let axis = turn.normalize_or_zero();
    let along = axis * axis.dot(way);
    let across = way - along;
    let (stretched, _) = inverse_of_phi(growth, 0.0);
    let (straight, sideways) = inverse_of_phi(growth, turn.length());
    let linear = along * stretched + across * straight + axis.cross(across) * sideways;
    let rate = |change: DVec3| (change / seconds).as_vec3();
    Twist {
        centre: from.position.as_vec3(),
        linear: rate(linear),
        angular: rate(turn),
        growth: (growth / seconds) as f32,
    }
}

/// Real and imaginary part of z/(eᶻ - 1) at z = growth + i turn.
fn inverse_of_phi(growth: f64, turn: f64) -> (f64, f64) {
    if growth.hypot(turn) < SMALL {
        let square = growth * growth - turn * turn;
        let real = 1.0 - 0.5 * growth + square / 12.0;
        return (real, -0.5 * turn + growth * turn / 6.0);
    }
    let size = growth.exp();
    let (real, imaginary) = (size * turn.cos() - 1.0, size * turn.sin());
    let scale = 1.0 / (real * real + imaginary * imaginary);
    (
        scale * (growth * real + turn * imaginary),
        scale * (turn * real - growth * imaginary),
    )
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Quat, Vec3};

    use crate::{Interpolation, Keyframe, Motion, Pose, Spin, Twist};

    /// Where a twist carries a point in so many seconds, in short steps of the midpoint rule.
    fn carried(twist: Twist, point: Vec3, seconds: f64) -> Vec3 {
        let velocity = |point: DVec3| {
            let offset = point - twist.centre.as_dvec3();
            let turning = twist.angular.as_dvec3().cross(offset);
            twist.linear.as_dvec3() + turning + f64::from(twist.growth) * offset
        };
        let parts = 2000;
        let part = seconds / f64::from(parts);
        let end = (0..parts).fold(point.as_dvec3(), |point, _| {
            let halfway = point + velocity(point) * (0.5 * part);
            point + velocity(halfway) * part
        });
        end.as_vec3()
    }

    #[test]
    fn the_twist_between_two_poses_leads_from_one_to_the_other() {
        let key = |time, position, angle, scale| Keyframe {
            time,
            position: Some(position),
            rotation: Some(Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle)),
            scale: Some(scale),
            interpolation: Interpolation::Smooth,
        };
        for (angle, scale) in [(0.0, 1.0), (1e-6, 1.0), (2.0, 1.0), (0.0, 1.5), (2.5, 0.7)] {
            let keys = [
                key(0.0, Vec3::new(0.1, 0.2, 0.3), 0.0, 1.0),
                key(0.5, Vec3::new(0.4, -0.1, 0.2), angle, scale),
            ];
            let motion = Motion::new(Pose::IDENTITY, &keys, None).expect("fair keyframes");
            let (from, to) = (0.1, 0.7);
            let twist = motion.twist_between(from, to);
            for local in [Vec3::ZERO, Vec3::new(0.3, -0.2, 0.5)] {
                let (start, end) = (
                    motion.pose(from).to_world(local),
                    motion.pose(to).to_world(local),
                );
                let found = carried(twist, start, to - from);
                assert!(
                    found.abs_diff_eq(end, 2e-6),
                    "{angle} {scale}: {start} to {found} instead of {end}"
                );
            }
        }
    }

    #[test]
    fn the_twist_of_a_spinning_object_is_its_spin() {
        for revolutions_per_second in [0.3, 40.0] {
            let axis = Vec3::Z;
            let spin = Spin {
                axis,
                revolutions_per_second,
            };
            let motion = Motion::new(Pose::IDENTITY, &[], Some(spin)).expect("a fair motion");
            let twist = motion.twist_between(0.2, 0.25);
            let expected = axis * (revolutions_per_second * std::f64::consts::TAU) as f32;
            assert!(
                twist
                    .angular
                    .abs_diff_eq(expected, 1e-4 * expected.length()),
                "{}",
                twist.angular
            );
        }
    }
}
