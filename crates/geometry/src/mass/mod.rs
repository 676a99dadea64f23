//! Volume, centre and moments of inertia of solids of density one.
//!
//! Meshes: exact sums over the tetrahedra between the origin and the triangles (Lien & Kajiya 1984), in double precision. Shapes with
//! closed forms have them. Everything else is split into ever smaller cubes by its distance ([`subdivide`]).

mod mesh;
mod section;
mod subdivide;

use std::ops::Add;

use glam::{DMat3, DVec3};

pub(crate) use section::section;
pub(crate) use subdivide::subdivide;

/// Volume, centre and inertia of a solid of density one, in the frame of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume in m³.
    pub volume: f64,
    /// Centre of mass.
    pub centre: DVec3,
    /// Tensor of inertia about the centre in m⁵: times the density, it is in kg m².
    pub inertia: DMat3,
}

/// Volume, centre, and second moments ∫ (x - c)(x - c)ᵀ about the centre: the parts of a solid add up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    pub(crate) volume: f64,
    pub(crate) centre: DVec3,
    pub(crate) second: DMat3,
}

impl Moments {
    /// Those of a solid that is symmetric to the planes through its centre along the axes, by its mean squares along these.
    pub(crate) fn symmetric(volume: f64, centre: DVec3, mean_squares: DVec3) -> Self {
        Self {
            volume,
            centre,
            second: DMat3::from_diagonal(volume * mean_squares),
        }
    }

    /// Those of a solid that is round about an axis, by its mean squares along the axis and across it.
    pub(crate) fn round(volume: f64, centre: DVec3, axis: DVec3, along: f64, across: f64) -> Self {
        let axial = outer(axis, axis);
        let second = (axial * along + (DMat3::IDENTITY - axial) * across) * volume;
        Self {
            volume,
            centre,
            second,
        }
    }

    /// Those of a solid that is scaled, then rotated, then moved.
    pub(crate) fn placed(self, translation: DVec3, rotation: DMat3, scale: f64) -> Self {
        Self {
            volume: self.volume * scale.powi(3),
            centre: translation + rotation * (scale * self.centre),
            second: rotation * self.second * rotation.transpose() * scale.powi(5),
        }
    }

    /// As others know them; none where there is nothing of which to speak.
    pub(crate) fn properties(self) -> Option<MassProperties> {
        let trace = (0..3).map(|axis| self.second.col(axis)[axis]).sum::<f64>();
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - self.second;
        let fair = self.volume > 0.0 && self.volume.is_finite() && self.centre.is_finite();
        (fair && inertia.is_finite()).then_some(MassProperties {
            volume: self.volume,
            centre: self.centre,
            inertia,
        })
    }
}

impl Add for Moments {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let volume = self.volume + other.volume;
        if volume == 0.0 {
            return Self::default();
        }
        let way = other.centre - self.centre;
        let reduced = self.volume * other.volume / volume;
        Self {
            volume,
            centre: self.centre + way * (other.volume / volume),
            second: self.second + other.second + outer(way, way) * reduced,
        }
    }
}

/// The matrix a bᵀ.
pub(crate) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests;
