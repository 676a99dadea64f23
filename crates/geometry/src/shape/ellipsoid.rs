//! The exact signed distance of an ellipsoid along the axes (Eberly 2013, "Distance from a Point to an Ellipse, an
//! Ellipsoid, or a Hyperellipsoid", sections 3 and 4).
//!
//! The nearest point x to y obeys xᵢ = eᵢ² yᵢ / (t + eᵢ²) for the largest root t of Σ (eᵢ yᵢ / (t + eᵢ²))² = 1.
//! Deviation: Newton's method from the left instead of bisection. Right of its last pole the sum is convex and
//! decreasing, so that Newton approaches the root from the left without ever stepping over it.

use glam::{DVec3, Vec3};

/// Newton from the left gains at least a factor 1.5 per step far from the root, and squares its error near it.
const MAXIMUM_ITERATIONS: usize = 100;

/// Replaces a zero coordinate along the shortest axis (relative to that axis), where the root would sit on the pole.
const SMALLEST_COORDINATE: f64 = 1e-9;

/// Signed distance and unit gradient at `point`, relative to the centre of an ellipsoid of the given semi-axes.
pub(super) fn ellipsoid(point: Vec3, semi_axes: Vec3) -> (f32, Vec3) {
    let axes = semi_axes.as_dvec3();
    let sign = point.as_dvec3().signum();
    let shortest = axes.min_element();
    let shortest_axis = axes.min_position();

    // In units of the shortest axis and mirrored into the first octant.
    let ratios = axes / shortest;
    let mut position = point.as_dvec3().abs() / shortest;
    position[shortest_axis] = position[shortest_axis].max(SMALLEST_COORDINATE);

    let denominators = denominators_at_root(ratios * position, ratios * ratios);
    let nearest = ratios * ratios * position / denominators;
    let inside = (position / ratios).length_squared() < 1.0;
    let distance = shortest * (position - nearest).length() * if inside { -1.0 } else { 1.0 };
    let normal = (sign * nearest / (ratios * ratios)).normalize_or(DVec3::Y);
    (distance as f32, normal.as_vec3())
}

/// The denominators t + eᵢ² at the largest root t of Σ (numeratorᵢ / (t + eᵢ²))² = 1, where the least eᵢ² is one.
fn denominators_at_root(numerators: DVec3, squares: DVec3) -> DVec3 {
    // The distance from the pole, t + 1, is the unknown: t itself would cancel next to it.
    let beyond_pole = squares - DVec3::ONE;
    // Each term alone equals one at numeratorᵢ - eᵢ², so that the root lies right of all three.
    let mut from_pole = (numerators - beyond_pole).max_element();
    for _ in 0..MAXIMUM_ITERATIONS {
        let denominators = beyond_pole + from_pole;
        let terms = numerators / denominators;
        let slope = 2.0 * (terms * terms / denominators).element_sum();
        let step = (terms.length_squared() - 1.0) / slope;
        if step <= 1e-14 * from_pole {
            break;
        }
        from_pole += step;
    }
    beyond_pole + from_pole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_axes_give_a_sphere() {
        for point in [
            Vec3::new(0.1, 0.2, 0.3),
            Vec3::new(2.0, -1.0, 0.5),
            Vec3::new(0.0, 0.0, -3.0),
        ] {
            let (distance, gradient) = ellipsoid(point, Vec3::splat(0.7));
            assert!((distance - (point.length() - 0.7)).abs() < 1e-6);
            assert!((gradient - point.normalize()).length() < 1e-5);
        }
    }

    #[test]
    fn centre_and_axes_have_closed_forms() {
        let axes = Vec3::new(3.0, 1.0, 2.0);
        assert!((ellipsoid(Vec3::ZERO, axes).0 + 1.0).abs() < 1e-6);
        for axis in Vec3::AXES {
            let (distance, gradient) = ellipsoid(4.0 * axis, axes);
            assert!((distance - (4.0 - axes.dot(axis))).abs() < 1e-5);
            assert!((gradient - axis).length() < 1e-5);
        }
        // On the long axis within e₁ - e₂²/e₁ of the centre the nearest point leaves the axis: d² = e₂² - x² e₂²/(e₁² - e₂²).
        let x = 1.5_f32;
        let expected = -(1.0 - x * x / (9.0 - 1.0)).sqrt();
        assert!((ellipsoid(Vec3::new(x, 0.0, 0.0), axes).0 - expected).abs() < 1e-5);
    }

    #[test]
    fn point_offset_along_a_normal_is_that_far_away() {
        let axes = Vec3::new(0.5, 2.0, 1.0);
        for (latitude, longitude) in [(0.3_f32, 0.4_f32), (-1.2, 2.0), (0.9, -2.8), (1.5, 0.1)] {
            let unit = Vec3::new(
                latitude.cos() * longitude.cos(),
                latitude.sin(),
                latitude.cos() * longitude.sin(),
            );
            let surface = unit * axes;
            let normal = (unit / axes).normalize();
            for offset in [-0.04, 0.0, 0.3, 5.0] {
                let (distance, gradient) = ellipsoid(surface + offset * normal, axes);
                assert!(
                    (distance - offset).abs() < 3e-6,
                    "{distance} instead of {offset}"
                );
                assert!((gradient - normal).length() < 1e-4);
            }
        }
    }

    #[test]
    fn needles_and_discs_stay_finite() {
        for axes in [
            Vec3::new(1e-4, 1.0, 1.0),
            Vec3::new(1e-4, 1e-4, 10.0),
            Vec3::new(1.0, 1e3, 1e-3),
        ] {
            for point in [
                Vec3::ZERO,
                Vec3::X,
                Vec3::ONE,
                Vec3::new(0.0, 0.3, 0.0),
                Vec3::splat(100.0),
            ] {
                let (distance, gradient) = ellipsoid(point, axes);
                assert!(
                    distance.is_finite() && gradient.is_normalized(),
                    "{axes} {point}"
                );
            }
        }
    }
}
