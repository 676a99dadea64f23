//! Ellipsoidal kernels that follow the shape of the liquid around each particle (Yu & Turk 2013): flat on surfaces and
//! in sheets, long in strands, round inside and for droplets.
//!
//! Differences from the paper:
//! - Kernel radii grow with the power 3/2 of the neighbours' standard deviation, between the deviation itself and the
//!   variance that the paper uses, and stay between two limits. A particle without neighbours then has the sharpest
//!   kernel in all directions, and no neighbour count is needed below which kernels turn into spheres.
//! - Centres are smoothed (eq. 6) on request only: it draws surfaces back and presses sheets of two layers into one, and
//!   what it does for plane surfaces, smoothing of the mesh does without either.
//! - A kernel weighs a particle's own volume instead of mass over density (eq. 2), more for particles that are alone, so
//!   that the surface at half of the full value encloses the volume of a pool, a sheet, a strand and a droplet alike.

use std::f32::consts::PI;

use glam::Vec3;
use rayon::prelude::*;

use super::eigen::Symmetric;
use super::order::CellOrder;
use super::surroundings::{Surroundings, full_variance, surroundings_or_ideal};

/// Distance, in particle spacings, up to which neighbours shape a kernel. With 2.5, kernels on an unevenly sampled pool
/// are turned by half as much again.
pub(super) const SEARCH_REACH: f32 = 3.0;
/// The largest radius of a kernel in particle spacings.
const LARGEST_RADIUS: f32 = 2.5;
/// The least radius of a kernel in particle spacings: with it a sheet one particle thick has its true thickness at half
/// of the full value.
const SHARPEST_RADIUS: f32 = 1.2;
/// Radius of kernels deep in the liquid, where all they have to do is to leave no gaps.
const DEEP_RADIUS: f32 = 2.0;

/// The kernel of a particle: `weight · (1 - rᵀ form r)³` where positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    /// Its centre.
    pub(crate) centre: Vec3,
    /// Its value at the centre.
    pub(crate) weight: f32,
    /// The quadratic form that is 1 where the kernel ends, in 1/m².
    pub(crate) form: Symmetric,
    /// Half the size of the box around it.
    pub(crate) extent: Vec3,
    /// Whether it lies deep in the liquid, where the shape of the surface does not depend on it.
    pub(crate) deep: bool,
}

/// The kernels of sorted particles, their centres moved by a share `centre_smoothing` of the way to the mean of their
/// neighbours.
pub(super) fn kernels(order: &CellOrder, spacing: f32, centre_smoothing: f32) -> Vec<Kernel> {
    surroundings_or_ideal(order, spacing)
        .par_iter()
        .zip(order.positions())
        .with_min_len(256)
        .map(|(around, &position)| {
            if is_deep(around, spacing) {
                let weight = own_weight(around.fill);
                Kernel::round(position, DEEP_RADIUS, weight, spacing, order.flat(), true)
            } else {
                let centre = position + centre_smoothing * around.shift;
                Kernel::fitted(around, centre, spacing, order.flat())
            }
        })
        .collect()
}

/// Whether a particle has liquid all around, so far that no kernel of such a particle reaches the surface.
fn is_deep(around: &Surroundings, spacing: f32) -> bool {
    around.fill > 0.85 && around.shift.length_squared() < (0.12 * spacing).powi(2)
}

impl Kernel {
    /// A spherical kernel whose radius is given in particle spacings; its integral is `weight` particle volumes.
    pub(crate) fn round(
        centre: Vec3,
        radius: f32,
        weight: f32,
        spacing: f32,
        flat: bool,
        deep: bool,
    ) -> Self {
        Self {
            centre,
            weight: weight / unit_integral(Vec3::splat(radius), flat),
            form: Symmetric {
                diagonal: Vec3::splat((radius * spacing).powi(-2)),
                off: Vec3::ZERO,
            },
            extent: Vec3::splat(radius * spacing),
            deep,
        }
    }

    /// The kernel that fits the neighbours' spread.
    fn fitted(around: &Surroundings, centre: Vec3, spacing: f32, flat: bool) -> Self {
        let (variances, axes) = around.spread.eigen();
        let full = full_variance(flat) * (SEARCH_REACH * spacing).powi(2);
        let radii = Vec3::from_array(variances.to_array().map(|variance| {
            let deviation = (variance.max(0.0) / full).sqrt();
            (LARGEST_RADIUS * deviation * deviation.sqrt()).clamp(SHARPEST_RADIUS, LARGEST_RADIUS)
        }));
        let squares = radii * radii * (spacing * spacing);
        let outline = Symmetric::from_axes(&axes, squares).diagonal;
        Self {
            centre,
            weight: own_weight(around.fill) / unit_integral(radii, flat),
            form: Symmetric::from_axes(&axes, squares.recip()),
            extent: Vec3::from_array(outline.to_array().map(f32::sqrt)),
            deep: false,
        }
    }

    /// The box around the kernel.
    pub(super) fn bounds(&self) -> (Vec3, Vec3) {
        (self.centre - self.extent, self.centre + self.extent)
    }
}

/// Integral of a kernel with the value 1 at its centre, in particle volumes; radii are given in particle spacings.
/// ∫ (1 - r²)³ is 64π/315 over the unit ball and π/4 over the disc. The spread of flat liquids has no part along z, so
/// that their third axis stays z and comes last.
fn unit_integral(radii: Vec3, flat: bool) -> f32 {
    if flat {
        PI / 4.0 * radii.x * radii.y
    } else {
        64.0 * PI / 315.0 * radii.element_product()
    }
}

/// How many times its volume a particle weighs, given how full its neighbourhood is. Fitted so that strands and droplets,
/// whose kernels are cut off at half of the full value nearer to the centre than their volume asks for, come out right
/// on cells of half a spacing.
fn own_weight(fill: f32) -> f32 {
    1.0 + 1.25 * (1.0 - fill.sqrt() / 0.85).max(0.0).powi(2)
}
