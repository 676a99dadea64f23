//! Accelerations that act on the whole of a liquid.

use glam::{DVec3, Vec3};

/// An acceleration field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Force {
    /// The same acceleration everywhere, in m/s².
    Constant {
        /// The acceleration.
        acceleration: Vec3,
    },
    /// Swirl about an axis: tangential acceleration that grows linearly from the axis to `radius` and falls off as the
    /// inverse distance beyond it, as in a Rankine vortex.
    Swirl {
        /// A point on the axis.
        centre: Vec3,
        /// Unit direction of the axis.
        axis: Vec3,
        /// Distance of the strongest pull in metres.
        radius: f32,
        /// Tangential acceleration at `radius` in m/s².
        strength: f32,
    },
}

impl Force {
    /// The acceleration at a point.
    pub fn acceleration(&self, point: Vec3) -> Vec3 {
        match *self {
            Self::Constant { acceleration } => acceleration,
            Self::Swirl {
                centre,
                axis,
                radius,
                strength,
            } => {
                let tangent = axis.cross(point - centre);
                let distance = tangent.length();
                let inner = distance.max(radius);
                tangent * (strength * radius / (inner * inner))
            }
        }
    }

    /// Potential energy of a unit of mass at a point in J/kg, from the world's origin on; zero for forces that have none.
    pub fn potential(&self, point: DVec3) -> f64 {
        match *self {
            Self::Constant { acceleration } => -acceleration.as_dvec3().dot(point),
            Self::Swirl { .. } => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swirl_is_strongest_at_its_radius_and_turns_by_the_right_hand() {
        let swirl = Force::Swirl {
            centre: Vec3::ZERO,
            axis: Vec3::Z,
            radius: 2.0,
            strength: 3.0,
        };
        assert!(
            swirl
                .acceleration(Vec3::X * 2.0)
                .abs_diff_eq(Vec3::Y * 3.0, 1e-6)
        );
        assert!(swirl.acceleration(Vec3::X).abs_diff_eq(Vec3::Y * 1.5, 1e-6));
        assert!(
            swirl
                .acceleration(Vec3::X * 4.0)
                .abs_diff_eq(Vec3::Y * 1.5, 1e-6)
        );
        assert_eq!(swirl.acceleration(Vec3::Z * 5.0), Vec3::ZERO);
    }

    #[test]
    fn what_falls_loses_as_much_potential_energy_as_the_force_does_work() {
        let gravity = Force::Constant {
            acceleration: Vec3::new(1.0, -9.81, 0.0),
        };
        let (start, end) = (DVec3::new(2.0, 5.0, 1.0), DVec3::new(3.0, 4.0, 7.0));
        let lost = gravity.potential(start) - gravity.potential(end);
        assert!((lost - 10.81).abs() < 1e-6, "{lost}");
    }
}
