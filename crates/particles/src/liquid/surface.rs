//! The surface as particles see it: the gradient of the colour field c = Σ V_j W (Müller, Charypar & Gross 2003, sec. 3.3;
//! Kasi, sec. 6.3). Walls count as liquid.

use glam::Vec3;

use super::kernels::Kernels;
use super::lists::{find_neighbours, points_of};
use super::surroundings::{Surroundings, WallSums};
use crate::boundary::contact::Touches;
use crate::kernel::KernelShape;
use crate::resolution::Resolution;
use crate::state::ParticleState;

/// Gradients below this share of a flat surface's are disorder, not surface.
const THRESHOLD: f32 = 0.25;

/// Finds the particles at a liquid's surface.
#[derive(Clone, Debug)]
pub struct SurfaceSense {
    kernels: Kernels,
    resolution: Resolution,
    /// Gradient at the outermost layer of a flat surface, in 1/m.
    outermost: f32,
    /// What walls add to each particle's gradient, in 1/m.
    walls: Vec<Vec3>,
}

impl SurfaceSense {
    /// The sense of particles of a resolution, without walls.
    pub fn new(resolution: &Resolution) -> Self {
        let kernels = Kernels::new([KernelShape::Wendland; 2], resolution);
        Self {
            outermost: flat_gradient(&kernels, resolution, 0),
            kernels,
            resolution: *resolution,
            walls: Vec::new(),
        }
    }

    /// Takes in what the particles touch.
    pub fn feel(&mut self, touches: &Touches, count: usize) {
        let kernels = &self.kernels;
        let gradient = |index: usize| {
            let touches = touches.of(index).iter();
            touches
                .map(|touch| -touch.normal * kernels.wall_push.at(touch.distance))
                .sum()
        };
        self.walls = (0..count).map(gradient).collect();
    }

    /// Outward unit normals of the particles at the surface, and zero for the others. `volumes` are the particles'
    /// volumes in m³.
    pub fn normals(&self, state: &ParticleState, volumes: &[f32]) -> Vec<Vec3> {
        let Self {
            kernels,
            resolution,
            ..
        } = self;
        let mut sorted = state.clone();
        let order = sorted.sort(resolution.radius, 0.0, resolution.flat());
        let neighbours = find_neighbours(&sorted, resolution);
        let points = points_of(&sorted.particles.position, |index| {
            volumes[order[index] as usize]
        });
        let around = Surroundings {
            neighbours: &neighbours,
            first: 0,
            points: &points,
            walls: WallSums::None,
        };
        let mut gradients = vec![Vec3::ZERO; order.len()];
        neighbours.for_each(
            &mut gradients,
            #[inline(always)]
            |index, list, gradient| {
                let mut sum = Vec3::ZERO;
                around.visit(index, list, kernels.radius, |pair| {
                    let steepness = kernels.steepness(pair.distance) / pair.distance;
                    sum += pair.away * (steepness * points[pair.other][3]);
                });
                *gradient = sum;
            },
        );
        let mut normals = vec![Vec3::ZERO; order.len()];
        for (gradient, &index) in gradients.into_iter().zip(&order) {
            let walls = self.walls.get(index as usize);
            let gradient = gradient + walls.copied().unwrap_or_default();
            if gradient.length() > THRESHOLD * self.outermost {
                normals[index as usize] = -gradient.normalize();
            }
        }
        normals
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
