//! Closed-form shares of simple shapes in which a linear function is negative.

use glam::Vec3;

/// Share of the unit cube in which a linear function is negative: `centre_value` at the cube's centre, with `slopes`
/// along the axes.
///
/// The forward problem of Scardovelli & Zaleski (2000), with the subtracted corners written as products of ratios
/// below one, so that vanishing slopes need no special case and single precision suffices.
///
/// Written without branches, so that the compiler can compute several at once: what does not apply is not chosen.
#[inline(always)]
pub fn linear_fraction(centre_value: f32, slopes: Vec3) -> f32 {
    let pick = |condition: bool, yes: f32, no: f32| if condition { yes } else { no };
    let slopes = slopes.abs();
    let sum = slopes.x + slopes.y + slopes.z;
    let centre = centre_value.abs();
    // The smaller side of the plane, seen from its corner: m · x < depth with the m summing to one and depth ≤ 1/2.
    let scale = 1.0 / sum.max(f32::MIN_POSITIVE);
    let depth = 0.5 - centre * scale;
    let [x, y, z] = (slopes * scale).to_array();
    let largest = x.max(y).max(z);
    let smallest = x.min(y).min(z);
    let middle = x.min(y).max(x.max(y).min(z));
    let (per_smallest, per_middle) = (1.0 / smallest.max(TINY), 1.0 / middle.max(TINY));
    let per_largest = 1.0 / largest.max(TINY);
    let corner = |beyond: f32| {
        let beyond = beyond.max(0.0);
        beyond * (beyond * per_smallest) * (beyond * per_middle) * (per_largest / 6.0)
    };
    // A prism across the smallest slope, less the corner beyond the middle slope's edge, less that beyond the largest's.
    let edge = depth * ((depth - smallest) * per_middle) + smallest * (smallest * per_middle) / 3.0;
    let prism = 0.5 * per_largest * edge - corner(depth - middle) - corner(depth - largest);
    let both = smallest + middle;
    let slab = (depth - 0.5 * both) * per_largest;
    let share = pick((depth >= both) & (both <= largest), slab, prism);
    let share = pick(depth < smallest, corner(depth), share);
    let share = pick(2.0 * centre >= sum, 0.0, share);
    pick(centre_value < 0.0, 1.0 - share, share)
}

/// Slopes relative to their sum that are taken for this one. Their ratios to lengths below them stay finite.
const TINY: f32 = 1e-12;

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

/// Where the centroid of the part of a square is in which the function of [`quad_fraction`] is negative, from the square's centre,
/// whose sides are one long; the centre itself where there is no such part.
pub fn quad_centroid(corners: [f32; 4]) -> [f32; 2] {
    let [a, b, c, d] = corners;
    let centre = 0.25 * ((a + d) + (b + c));
    let places = [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]];
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    for [first, second] in [[0, 1], [3, 2], [2, 0], [1, 3]] {
        let values = [centre, corners[first], corners[second]];
        let (share, place) = triangle_part(values, [[0.0, 0.0], places[first], places[second]]);
        area += share;
        moment = [0, 1].map(|axis| moment[axis] + share * place[axis]);
    }
    match area > 0.0 {
        true => moment.map(|moment| moment / area),
        false => [0.0; 2],
    }
}

/// The share of a triangle in which the linear function with these corner values is negative, and the centroid of that part.
fn triangle_part(values: [f32; 3], places: [[f32; 2]; 3]) -> (f32, [f32; 2]) {
    let mean = |points: [[f32; 2]; 3]| {
        [0, 1].map(|axis| (points[0][axis] + points[1][axis] + points[2][axis]) / 3.0)
    };
    let share = triangle_fraction(values);
    let whole = mean(places);
    if share == 0.0 || share == 1.0 {
        return (share, whole);
    }
    let negative = values.map(|value| value < 0.0);
    let odd = match negative {
        [a, b, c] if b == c && a != b => 0,
        [a, b, c] if a == c && b != a => 1,
        _ => 2,
    };
    // The corner that lies alone on its side, and where the edges from it change sign.
    let alone = places[odd];
    let crossing = |other: usize| {
        let way = values[odd] / (values[odd] - values[other]);
        [0, 1].map(|axis| alone[axis] + way * (places[other][axis] - alone[axis]))
    };
    let tip = mean([alone, crossing((odd + 1) % 3), crossing((odd + 2) % 3)]);
    if negative[odd] {
        return (share, tip);
    }
    let rest = [0, 1].map(|axis| (whole[axis] - (1.0 - share) * tip[axis]) / share);
    (share, rest)
}
