//! The surface as particles see it: the gradient of the colour field c = Σ V_j W (Müller, Charypar & Gross 2003, sec. 3.3;
//! Kasi, sec. 6.3).

use glam::Vec3;

use super::kernels::Kernels;
use super::surroundings::Surroundings;
use crate::resolution::Resolution;

/// Gradients below this share of a flat surface's are disorder, not surface.
const THRESHOLD: f32 = 0.25;

/// The gradient of the colour field across a flat surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatSurface {
    /// Gradient at the outermost layer in 1/m.
    pub outermost: f32,
}

impl FlatSurface {
    /// The flat surface of a lattice.
    pub fn new(kernels: &Kernels, resolution: &Resolution) -> Self {
        Self {
            outermost: flat_gradient(kernels, resolution, 0),
        }
    }

    /// Whether a gradient belongs to a surface.
    pub fn is_surface(&self, gradient: Vec3) -> bool {
        gradient.length() > THRESHOLD * self.outermost
    }
}

/// The colour's gradient in 1/m in the n-th layer below a flat surface of a lattice, the outermost counted as zero.
pub fn flat_gradient(kernels: &Kernels, resolution: &Resolution, layer: i32) -> f32 {
    let volume = resolution.particle_volume() as f32;
    let missing = resolution.sum_over_lattice(|site| {
        if site.y <= layer {
            return 0.0;
        }
        let place = site.as_vec3() * resolution.spacing;
        let distance = place.length();
        f64::from(kernels.steepness(distance) * place.y / distance)
    });
    missing * volume
}

/// Gradient of the colour of all liquid, walls counted as liquid; it points inwards.
pub fn gradients(
    kernels: &Kernels,
    around: Surroundings<'_>,
    volumes: &[f32],
    target: &mut [Vec3],
) {
    around.neighbours.for_each(target, |index, list, gradient| {
        let mut sum = Vec3::ZERO;
        around.visit(index, list, kernels.radius, |pair| {
            let steepness = kernels.steepness(pair.distance) / pair.distance;
            sum += pair.away * (steepness * volumes[pair.other]);
        });
        for touch in around.touches(index) {
            sum -= touch.normal * kernels.wall_push.at(touch.distance);
        }
        *gradient = sum;
    });
}
