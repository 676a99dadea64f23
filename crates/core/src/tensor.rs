//! Symmetric tensors of rank two.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Vec3};

/// A symmetric tensor: three diagonal components, and three off the diagonal, of which the one named by an axis couples
/// the two other axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SymmetricTensor {
    /// xx, yy and zz.
    pub diagonal: Vec3,
    /// yz, zx and xy.
    pub shear: Vec3,
}

impl SymmetricTensor {
    /// Nothing.
    pub const ZERO: Self = Self {
        diagonal: Vec3::ZERO,
        shear: Vec3::ZERO,
    };

    /// The symmetric part of a gradient: entry `[row][column]` is the derivative of component `row` along `column`.
    #[inline]
    pub fn rate(gradient: &[Vec3; 3]) -> Self {
        Self {
            diagonal: Vec3::new(gradient[0].x, gradient[1].y, gradient[2].z),
            shear: 0.5
                * Vec3::new(
                    gradient[1].z + gradient[2].y,
                    gradient[2].x + gradient[0].z,
                    gradient[0].y + gradient[1].x,
                ),
        }
    }

    /// The tensor without its trace; in a plane (`axes` = 2) without changing the component across it.
    #[inline]
    pub fn deviator(self, axes: usize) -> Self {
        let trace = self.diagonal.element_sum();
        let mut diagonal = self.diagonal - trace / axes as f32;
        if axes == 2 {
            diagonal.z = self.diagonal.z;
        }
        Self { diagonal, ..self }
    }

    /// Frobenius norm.
    #[inline]
    pub fn norm(self) -> f32 {
        (self.diagonal.length_squared() + 2.0 * self.shear.length_squared()).sqrt()
    }

    /// Inner product.
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.diagonal.dot(other.diagonal) + 2.0 * self.shear.dot(other.shear)
    }

    /// `turn` T `turn`ᵀ.
    #[inline]
    pub fn rotated(self, turn: &Mat3) -> Self {
        let product = *turn * Mat3::from(self) * turn.transpose();
        Self {
            diagonal: Vec3::new(product.x_axis.x, product.y_axis.y, product.z_axis.z),
            shear: Vec3::new(product.y_axis.z, product.z_axis.x, product.x_axis.y),
        }
    }

    /// Whether all components are finite.
    pub fn is_finite(self) -> bool {
        self.diagonal.is_finite() && self.shear.is_finite()
    }
}

impl From<SymmetricTensor> for Mat3 {
    #[inline]
    fn from(tensor: SymmetricTensor) -> Self {
        let SymmetricTensor { diagonal, shear } = tensor;
        Self::from_cols(
            Vec3::new(diagonal.x, shear.z, shear.y),
            Vec3::new(shear.z, diagonal.y, shear.x),
            Vec3::new(shear.y, shear.x, diagonal.z),
        )
    }
}

impl std::ops::Add for SymmetricTensor {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            diagonal: self.diagonal + other.diagonal,
            shear: self.shear + other.shear,
        }
    }
}

impl std::ops::Mul<f32> for SymmetricTensor {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self {
            diagonal: self.diagonal * factor,
            shear: self.shear * factor,
        }
    }
}
