//! Kernels of one resolution, scaled so that sums over a lattice at rest are exact: densities, gradients of linear fields,
//! Laplacians of parabolas and the stress of a shear flow.

use crate::boundary::wall::{Moment, WallIntegral};
use crate::kernel::{Kernel, KernelShape, LaplacianWeight};
use crate::resolution::Resolution;

/// The kernels.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// Kernel of densities.
    pub density: Kernel,
    /// Kernel of gradients.
    pressure: Kernel,
    /// Weights of diffusion, and of viscosity as Müller et al. (2003) have it.
    pub laplacian: LaplacianWeight,
    /// Factor on sums of `density`.
    pub density_scale: f32,
    /// Factor on sums of gradients.
    gradient_scale: f32,
    /// The factor of radial viscosity, 2 (d + 2) in the limit of many neighbours (Monaghan & Gingold 1983).
    pub radial_viscosity: f32,
    /// What is added to squares of distances that something is divided by.
    pub soft_square: f32,
    /// Sum of W behind a wall full of particles at rest.
    pub wall_density: WallIntegral,
    /// ∫ |W′| cos θ behind a wall.
    pub wall_push: WallIntegral,
    /// ∫ |W′| r cos² θ behind a wall: what a pressure that grows behind it adds.
    pub wall_growth: WallIntegral,
    /// ∫ of the Laplacian's weight behind a wall.
    pub wall_drag: WallIntegral,
    /// ∫ of the Laplacian's weight times the distance along the normal behind a wall.
    pub wall_flux: WallIntegral,
    /// The interaction radius.
    pub radius: f32,
}

impl Kernels {
    /// The kernels of a resolution.
    pub fn new(shapes: [KernelShape; 2], resolution: &Resolution) -> Self {
        let Resolution {
            radius,
            spacing,
            space,
        } = *resolution;
        let [density, pressure] = shapes.map(|shape| Kernel::new(shape, radius, space));
        let volume = resolution.particle_volume() as f32;
        let dimensions = space.dimensions() as f32;
        let sum = density.value(0.0) + resolution.lattice_sum(|r| density.value(r));
        let density_scale = 1.0 / (volume * sum);
        // −Σ V r W′ = d for an exact gradient.
        let moment = volume * resolution.lattice_sum(|r| -r * pressure.slope(r));
        let gradient_scale = dimensions / moment;
        let laplacian = LaplacianWeight::new(radius, space);
        // Σ V x²/2 w = 1.
        let moment = resolution.lattice_sum(|r| 0.5 * r * r / dimensions * laplacian.value(r));
        let laplacian = laplacian.scaled(1.0 / (volume * moment));
        // A shear flow has the stress μ γ if K V Σ r³ |W′|/(r² + η²) = 2 d (d + 2).
        let soft_square = (0.05 * radius).powi(2);
        let moment = resolution.lattice_sum(|r| {
            -gradient_scale * pressure.slope(r) * r.powi(3) / (r * r + soft_square)
        });
        let radial_viscosity = 2.0 * dimensions * (dimensions + 2.0) / (volume * moment);
        let wall = |moment, function: &dyn Fn(f32) -> f32| {
            WallIntegral::of_layers(space, radius, spacing, moment, |r| {
                f64::from(function(r as f32))
            })
        };
        let slope = |r: f32| -gradient_scale * pressure.slope(r);
        Self {
            // Behind walls there is one particle in each volume at rest.
            wall_density: wall(Moment::Sum, &|r| density.value(r)).scaled(density_scale / volume),
            wall_push: wall(Moment::Towards, &slope),
            wall_growth: wall(Moment::Square, &|r| r * slope(r)),
            wall_drag: wall(Moment::Sum, &|r| laplacian.value(r)),
            wall_flux: wall(Moment::Towards, &|r| r * laplacian.value(r)),
            density,
            pressure,
            laplacian,
            density_scale,
            gradient_scale,
            radial_viscosity,
            soft_square,
            radius,
        }
    }

    /// −W′ of the kernel of gradients: never negative.
    #[inline(always)]
    pub fn steepness(&self, distance: f32) -> f32 {
        -self.gradient_scale * self.pressure.slope(distance)
    }
}
