//! The upwind solution of |∇u| = 1 at samples, from their neighbours' distances.

/// Samples of a tile, at most.
const CAPACITY: usize = 512;

/// Samples to solve for: for each axis the distances next to them in cells, on the side nearer to the surface. All
/// together, so that the compiler can work on several at once.
pub(super) struct Batch {
    count: usize,
    /// Distances one cell away.
    near: [[f32; CAPACITY]; 3],
    /// Distances two cells away, on the same side.
    far: [[f32; CAPACITY]; 3],
    solution: [f32; CAPACITY],
}

impl Batch {
    pub(super) fn new() -> Self {
        Self {
            count: 0,
            near: [[f32::INFINITY; CAPACITY]; 3],
            far: [[f32::INFINITY; CAPACITY]; 3],
            solution: [0.0; CAPACITY],
        }
    }

    /// Forgets all samples.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Sets the neighbours along an axis of the sample that comes next.
    #[inline]
    pub(super) fn set(&mut self, axis: usize, near: f32, far: f32) {
        self.near[axis][self.count] = near;
        self.far[axis][self.count] = far;
    }

    /// Keeps the sample whose neighbours were set, if `keep`.
    #[inline]
    pub(super) fn push(&mut self, keep: bool) {
        self.count += usize::from(keep);
    }

    /// The distances of all samples, in cells.
    pub(super) fn solve(&mut self) -> &[f32] {
        let [near_x, near_y, near_z] = self.near.each_ref().map(|near| &near[..self.count]);
        let [far_x, far_y, far_z] = self.far.each_ref().map(|far| &far[..self.count]);
        let solution = &mut self.solution[..self.count];
        for sample in 0..solution.len() {
            solution[sample] = distance(
                [near_x[sample], near_y[sample], near_z[sample]],
                [far_x[sample], far_y[sample], far_z[sample]],
            );
        }
        solution
    }
}

/// Distance of a sample, in cells, that solves the discrete eikonal equation Σ c (u - v)² = 1 over the axes whose
/// neighbours lie nearer to the surface than the sample itself.
///
/// Along each axis the difference is second order where the two samples behind form a downhill row, as a distance does
/// (Sethian 1999: 3/2 (u - v), v = (4 near - far) / 3), and first order elsewhere. Distances change by one cell
/// from cell to cell at most: a steeper `far` is no distance and is not used.
///
/// Written without branches: everything is computed and what does not apply is not chosen.
#[inline(always)]
fn distance(near: [f32; 3], far: [f32; 3]) -> f32 {
    // In cells the change over the far row, or zero where it does not count.
    let pick = |condition: bool, yes: f32, no: f32| if condition { yes } else { no };
    let mut axes: [(f32, f32); 3] = std::array::from_fn(|axis| {
        let drop = near[axis] - far[axis];
        (near[axis], pick((0.0..1.05).contains(&drop), drop, -1.0))
    });
    for (a, b) in [(0, 1), (1, 2), (0, 1)] {
        let swap = axes[b].0 < axes[a].0;
        let (first, second) = (axes[a], axes[b]);
        axes[a] = (pick(swap, second.0, first.0), pick(swap, second.1, first.1));
        axes[b] = (pick(swap, first.0, second.0), pick(swap, first.1, second.1));
    }
    // All values relative to the nearest one, which keeps the digits of the differences.
    let base = axes[0].0;
    let coefficient = |axis: usize| pick(axes[axis].1 >= 0.0, 2.25, 1.0);
    let value = |axis: usize| (axes[axis].0 - base) + axes[axis].1.max(0.0) * (1.0 / 3.0);
    let mut weight = coefficient(0);
    let mut first = weight * value(0);
    let mut second = first * value(0) - 1.0;
    let mut solution = value(0) + pick(weight > 1.0, 2.0 / 3.0, 1.0);
    let mut valid = true;
    for axis in [1, 2] {
        let (coefficient, value) = (coefficient(axis), value(axis));
        weight += coefficient;
        first += coefficient * value;
        second += coefficient * value * value;
        let discriminant = first * first - weight * second;
        valid &= (solution > axes[axis].0 - base) & (discriminant >= 0.0);
        let joint = (first + discriminant.max(0.0).sqrt()) / weight;
        solution = pick(valid, joint, solution);
    }
    base + solution
}
