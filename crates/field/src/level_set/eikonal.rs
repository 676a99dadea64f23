//! The upwind solution of |∇u| = 1 at a sample from its neighbours' distances.

/// The distances next to a sample along one axis, on the side nearer to the surface: `near` one cell away and `far` two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upwind {
    pub(super) near: f32,
    pub(super) far: f32,
}

/// Distance of a sample, in cells, that solves the discrete eikonal equation Σ c (u - v)² = 1 over the axes whose
/// neighbours lie nearer to the surface than the sample itself.
///
/// Along each axis the difference is second order where the two samples behind form a downhill row, as a distance does
/// (Sethian 1999, sec. 3.1: 3/2 (u - v), v = (4 near - far) / 3), and first order elsewhere. Distances change by one cell
/// from cell to cell at most: a steeper `far` is no distance and is not used.
#[inline]
pub(super) fn distance(mut axes: [Upwind; 3]) -> f32 {
    let mut order = |a: usize, b: usize| {
        if axes[b].near < axes[a].near {
            axes.swap(a, b);
        }
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);
    // All values relative to the nearest one, which keeps the digits of the differences.
    let base = axes[0].near;
    let mut solution = f32::INFINITY;
    let (mut weight, mut first, mut second) = (0.0, 0.0, -1.0);
    for axis in axes {
        if solution <= axis.near - base || !axis.near.is_finite() {
            break;
        }
        let (coefficient, value) = if axis.far <= axis.near && axis.near - axis.far < 1.05 {
            (2.25, (4.0 * (axis.near - base) - (axis.far - base)) / 3.0)
        } else {
            (1.0, axis.near - base)
        };
        weight += coefficient;
        first += coefficient * value;
        second += coefficient * value * value;
        let discriminant = first * first - weight * second;
        if discriminant < 0.0 {
            break;
        }
        solution = (first + discriminant.sqrt()) / weight;
    }
    base + solution
}
