//! Closed-form shares of simple shapes in which a linear function is negative.

use glam::Vec3;

/// Share of the unit cube in which a linear function is negative: `centre_value` at the cube's centre, with `slopes`
/// along the axes.
///
/// The forward problem of Scardovelli & Zaleski (2000), with the subtracted corners written as products of ratios
/// below one, so that vanishing slopes need no special case and single precision suffices.
#[inline]
pub fn linear_fraction(centre_value: f32, slopes: Vec3) -> f32 {
    let slopes = slopes.abs();
    let sum = slopes.element_sum();
    if 2.0 * centre_value.abs() >= sum {
        return if centre_value < 0.0 { 1.0 } else { 0.0 };
    }
    // The smaller side of the plane, seen from its corner: m · x < depth with the m summing to one and depth ≤ 1/2.
    let depth = 0.5 - centre_value.abs() / sum;
    let slopes = slopes / sum;
    let largest = slopes.max_element();
    let smallest = slopes.min_element();
    let middle = slopes
        .x
        .min(slopes.y)
        .max(slopes.x.max(slopes.y).min(slopes.z));
    let share = if depth < smallest {
        depth * (depth / smallest) * (depth / middle) / (6.0 * largest)
    } else if depth >= smallest + middle && smallest + middle <= largest {
        (depth - 0.5 * (smallest + middle)) / largest
    } else {
        // A prism, less the corner beyond the middle slope's edge, less the one beyond the largest slope's.
        let whole = (depth * ((depth - smallest) / middle) + smallest * (smallest / middle) / 3.0)
            / (2.0 * largest);
        let corner = |beyond: f32| {
            if beyond > 0.0 {
                beyond * (beyond / smallest) * (beyond / middle) / (6.0 * largest)
            } else {
                0.0
            }
        };
        whole - corner(depth - middle) - corner(depth - largest)
    };
    if centre_value < 0.0 {
        1.0 - share
    } else {
        share
    }
}

/// Share of a triangle in which the linear function with these corner values is negative.
#[inline]
pub fn triangle_fraction(corners: [f32; 3]) -> f32 {
    let negative = corners.map(|value| value < 0.0);
    let (odd, inside) = match negative {
        [true, true, true] => return 1.0,
        [false, false, false] => return 0.0,
        [a, b, c] if b == c => (0, a),
        [a, b, c] if a == c => (1, b),
        [_, _, c] => (2, c),
    };
    // The corner that lies alone on its side cuts off a smaller triangle.
    let [alone, left, right] = [0, 1, 2].map(|step| corners[(odd + step) % 3]);
    let cut = alone / (alone - left) * (alone / (alone - right));
    if inside { cut } else { 1.0 - cut }
}

/// Share of a square in which a function is negative, given its values at the corners in the order (0,0), (1,0), (0,1),
/// (1,1): linear on the four triangles around the centre, where it has the corners' mean. Exact for a linear function,
/// continuous in the corner values, the same for every rotation and reflection up to rounding.
#[inline]
pub fn quad_fraction(corners: [f32; 4]) -> f32 {
    let [a, b, c, d] = corners;
    let centre = 0.25 * ((a + d) + (b + c));
    0.25 * ((triangle_fraction([centre, a, b]) + triangle_fraction([centre, d, c]))
        + (triangle_fraction([centre, c, a]) + triangle_fraction([centre, b, d])))
}
