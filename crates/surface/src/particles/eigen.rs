//! Principal axes of a symmetric 3×3 matrix by Jacobi rotations.

use glam::{Mat3, Vec3};

/// A symmetric 3×3 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Symmetric {
    /// xx, yy, zz.
    pub(crate) diagonal: Vec3,
    /// yz, xz, xy: entry `k` couples the two axes other than `k`.
    pub(crate) off: Vec3,
}

/// Sweeps after which a 3×3 matrix in single precision is diagonal; convergence is quadratic.
const SWEEPS: usize = 6;

impl Symmetric {
    /// The matrix `axes · diag(values) · axesᵀ`.
    pub(crate) fn from_axes(axes: &Mat3, values: Vec3) -> Self {
        let entry = |row: usize, column: usize| {
            let products = (0..3).map(|k| values[k] * axes.col(k)[row] * axes.col(k)[column]);
            products.sum::<f32>()
        };
        Self {
            diagonal: Vec3::new(entry(0, 0), entry(1, 1), entry(2, 2)),
            off: Vec3::new(entry(1, 2), entry(0, 2), entry(0, 1)),
        }
    }

    /// Eigenvalues and the matrix with their unit eigenvectors as columns, in no particular order.
    pub(crate) fn eigen(mut self) -> (Vec3, Mat3) {
        let mut axes = [Vec3::X, Vec3::Y, Vec3::Z];
        for _ in 0..SWEEPS {
            let scale = self.diagonal.abs().max_element();
            if self.off.abs().max_element() <= 1e-6 * scale {
                break;
            }
            for third in 0..3 {
                self.rotate(third, &mut axes);
            }
        }
        (self.diagonal, Mat3::from_cols(axes[0], axes[1], axes[2]))
    }

    /// Rotates in the plane of the two axes other than `third` so that their coupling vanishes (Golub & Van Loan,
    /// sec. 8.5.2).
    fn rotate(&mut self, third: usize, axes: &mut [Vec3; 3]) {
        let (p, q) = ((third + 1) % 3, (third + 2) % 3);
        let coupling = self.off[third];
        if coupling == 0.0 {
            return;
        }
        let tau = (self.diagonal[q] - self.diagonal[p]) / (2.0 * coupling);
        let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        let sine = tangent * cosine;
        self.diagonal[p] -= tangent * coupling;
        self.diagonal[q] += tangent * coupling;
        self.off[third] = 0.0;
        let (with_q, with_p) = (self.off[p], self.off[q]);
        // off[q] couples p with the third axis, off[p] couples q with it.
        self.off[q] = cosine * with_p - sine * with_q;
        self.off[p] = sine * with_p + cosine * with_q;
        let (along_p, along_q) = (axes[p], axes[q]);
        axes[p] = cosine * along_p - sine * along_q;
        axes[q] = sine * along_p + cosine * along_q;
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn axes_and_values_come_back() {
        let values = [
            Vec3::new(1.0, 2.0, 5.0),
            Vec3::new(3.0, 3.0, 0.1),
            Vec3::new(0.0, 0.0, 7.0),
            Vec3::splat(2.0),
        ];
        for (index, &expected) in values.iter().enumerate() {
            for turn in 0..20 {
                let angle = turn as f32 * 0.7 + index as f32;
                let axis = Vec3::new(angle.sin(), (3.0 * angle).cos(), 0.3).normalize();
                let turned = Mat3::from_quat(Quat::from_axis_angle(axis, angle));
                let matrix = Symmetric::from_axes(&turned, expected);
                let (found, axes) = matrix.eigen();
                let mut sorted = found.to_array();
                sorted.sort_by(f32::total_cmp);
                let mut wanted = expected.to_array();
                wanted.sort_by(f32::total_cmp);
                for (a, b) in sorted.iter().zip(wanted) {
                    assert!((a - b).abs() < 1e-5, "{found} {expected}");
                }
                let again = Symmetric::from_axes(&axes, found);
                assert!(again.diagonal.abs_diff_eq(matrix.diagonal, 1e-5));
                assert!(again.off.abs_diff_eq(matrix.off, 1e-5));
                let unit = axes * axes.transpose();
                assert!(unit.abs_diff_eq(Mat3::IDENTITY, 1e-5));
            }
        }
    }
}
