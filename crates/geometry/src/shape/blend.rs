//! The smooth minimum behind [`Shape::smooth_union`](crate::Shape::smooth_union).
//!
//! The blended distance x of distances d₁ … dₙ with fillet radius k is the root of Σ max(0, x + k - dᵢ)² = k². A lone
//! near shape gives x = d exactly; two perpendicular planes meet in an arc of radius k exactly; shapes further than k
//! from the nearest one take no part. Differentiating gives ∇x as the mean of the ∇dᵢ with weights max(0, x + k - dᵢ):
//! so x is continuously differentiable where the dᵢ are and, as a mean of gradients no longer than one, 1-Lipschitz.
//! It does not depend on the order of the shapes, which a fold of two-argument smooth minima does.

/// Newton squares its error with every step and starts within k of the root.
const MAXIMUM_ITERATIONS: usize = 20;

/// The blended distance; `distances` must not be empty.
pub(super) fn smooth_minimum(distances: &[f32], radius: f32) -> f32 {
    let nearest = distances.iter().copied().fold(f32::INFINITY, f32::min);
    // With y = (x - nearest) / k + 1 and sᵢ = (dᵢ - nearest) / k the root of Σ max(0, y - sᵢ)² = 1 lies in (0, 1]; the
    // sum is convex and growing, so that Newton descends from 1 without stepping over it.
    let mut root = 1.0_f32;
    for _ in 0..MAXIMUM_ITERATIONS {
        let (mut sum, mut half_slope) = (0.0_f32, 0.0_f32);
        for distance in distances {
            let part = (root - (distance - nearest) / radius).max(0.0);
            sum += part * part;
            half_slope += part;
        }
        let step = (sum - 1.0) / (2.0 * half_slope);
        root -= step;
        if step < 1e-7 {
            break;
        }
    }
    nearest + radius * (root - 1.0)
}

/// The weight of a shape's gradient in the gradient of the blended distance `blended`, up to a common factor.
pub(super) fn gradient_weight(distance: f32, blended: f32, radius: f32) -> f32 {
    (blended + radius - distance).max(0.0)
}

/// The furthest that blending `count` shapes moves the surface outward.
pub(super) fn greatest_swelling(count: usize, radius: f32) -> f32 {
    radius * (1.0 - 1.0 / (count as f32).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_near_shape_is_left_alone() {
        assert_eq!(smooth_minimum(&[0.3], 0.1), 0.3);
        assert_eq!(smooth_minimum(&[0.3, 0.41, 5.0], 0.1), 0.3);
    }

    #[test]
    fn perpendicular_planes_meet_in_an_arc() {
        // The surface x = 0 of the planes d₁ = x, d₂ = y is the arc of radius k around (k, k).
        let radius = 0.2_f32;
        for angle in [0.1_f32, 0.5, 0.9, 1.4] {
            let (x, y) = (radius * (1.0 - angle.cos()), radius * (1.0 - angle.sin()));
            assert!(smooth_minimum(&[x, y], radius).abs() < 1e-6);
        }
    }

    #[test]
    fn order_does_not_matter_and_two_have_a_closed_form() {
        let radius = 0.5_f32;
        let (first, second) = (0.12_f32, 0.31_f32);
        let closed = 0.5
            * (first + second + (2.0 * radius * radius - (first - second).powi(2)).sqrt())
            - radius;
        // Σ(s - dᵢ)² = k² has two roots s; the larger keeps both parts positive.
        assert!((smooth_minimum(&[first, second], radius) - closed).abs() < 1e-6);
        let three = smooth_minimum(&[0.1, 0.2, 0.3], radius);
        assert!((three - smooth_minimum(&[0.3, 0.1, 0.2], radius)).abs() < 1e-6);
        assert!(three < 0.1 && three > 0.1 - greatest_swelling(3, radius));
    }

    #[test]
    fn equal_distances_swell_the_most() {
        for count in [1, 2, 3, 8] {
            let blended = smooth_minimum(&vec![0.0; count], 0.25);
            assert!((blended + greatest_swelling(count, 0.25)).abs() < 1e-6);
        }
    }
}
