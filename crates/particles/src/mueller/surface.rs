//! The surface as particles see it: the gradient of the colour field c = Σ V_j W (Müller, Charypar & Gross 2003, sec. 3.3;
//! Kasi, sec. 6.3).

use glam::Vec3;

use super::forces::{Fluid, Kernels, between};
use crate::boundary::contact::Touches;
use crate::neighbours::{Neighbours, Point};
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
        let volume = resolution.particle_volume() as f32;
        let missing = resolution.sum_over_lattice(|site| {
            let place = site.as_vec3() * resolution.spacing;
            if site.y <= 0 {
                return 0.0;
            }
            let distance = place.length();
            f64::from(-kernels.pressure.slope(distance) * place.y / distance)
        });
        Self {
            outermost: missing * volume,
        }
    }

    /// Whether a gradient belongs to a surface.
    pub fn is_surface(&self, gradient: Vec3) -> bool {
        gradient.length() > THRESHOLD * self.outermost
    }
}

/// What colour fields are made from.
#[derive(Clone, Copy)]
pub struct Colours<'a> {
    /// Kernels.
    pub kernels: &'a Kernels,
    /// Neighbours.
    pub neighbours: &'a Neighbours,
    /// Positions; the fourth number is a particle's material.
    pub points: &'a [Point],
    /// Volumes.
    pub fluid: &'a [Fluid],
    /// Who touches walls.
    pub touches: &'a Touches,
}

/// Gradient of the colour of all liquid, walls counted as liquid; it points inwards.
pub fn gradients(colours: Colours<'_>, target: &mut [Vec3]) {
    let Colours {
        kernels,
        neighbours,
        points,
        fluid,
        touches,
    } = colours;
    let limit = kernels.radius * kernels.radius;
    neighbours.for_each(target, |index, list, gradient| {
        let own = points[index];
        let mut sum = Vec3::ZERO;
        for &other in list {
            let (away, square) = between(own, points[other as usize]);
            if square < limit && square > 0.0 {
                let distance = square.sqrt();
                let slope = -kernels.pressure.slope(distance) / distance;
                sum += away * (slope * fluid[other as usize].volume);
            }
        }
        for touch in touches.of(index) {
            sum -= touch.normal * kernels.wall_push.at(touch.distance);
        }
        *gradient = sum;
    });
}
