//! Keys of the particle methods.

use ooze_particles::{DensityRule, Kernels, RelaxationOrder, ViscosityForm, WallForm};

use crate::keys::{number, table};

table! {
    /// Stages of Clavet's liquid; what is left out is as the preset has it.
    struct ClavetKeys "clavet" {
        /// Distance of particles in cells of the domain.
        spacing: f64 [number("").between(0.2, 2.0)] optional;
        /// Interaction radius in spacings.
        radius: f64 [number("").between(1.6, 4.0)] optional;
        /// Compression that the weight of the liquid may cause: softer is faster.
        compression: f64 [number("").between(1e-4, 0.5)] optional;
        /// Near-stiffness divided by stiffness. Left out, 0.15, and 0.5 for materials with springs.
        near_ratio: f64 [number("").between(0.01, 10.0)] optional;
        /// Share of the attraction at the surface: 1 as published, 0 as little as holds the liquid together. Left out, the
        /// material's surface tension decides.
        cohesion: f64 [number("").between(0.0, 1.0)] optional;
        /// Quadratic viscosity, against particles that fly into one another.
        quadratic_viscosity: f64 [number("1/m").between(0.0, 1e5)] optional;
        /// Strongest pull of sticky walls.
        stickiness: f64 [number("m/s²").between(0.0, 1e4)] optional;
        /// Diffusivity of colour.
        diffusivity: f64 [number("m²/s").between(0.0, 1.0)] optional;
        /// What stands for walls.
        walls: WallForm [()] optional;
        /// Whether frames hold the normals of particles at the surface, in the channel `normal`.
        normals: bool [()] optional;
        /// Order of relaxation.
        order: RelaxationOrder [()] optional;
    }
}

table! {
    /// Stages of the force-based liquid; what is left out is as the preset has it.
    struct MuellerKeys "mueller" {
        /// Distance of particles in cells of the domain.
        spacing: f64 [number("").between(0.2, 2.0)] optional;
        /// Interaction radius in spacings.
        radius: f64 [number("").between(1.6, 4.0)] optional;
        /// Compression that the weight of the liquid may cause: softer is faster.
        compression: f64 [number("").between(1e-4, 0.5)] optional;
        /// Kernels of density and pressure.
        kernels: Kernels [()] optional;
        /// Where densities come from.
        density: DensityRule [()] optional;
        /// Diffusion of evolved densities, against noise.
        density_diffusion: f64 [number("").between(0.0, 0.5)] optional;
        /// The form of viscosity.
        viscosity: ViscosityForm [()] optional;
        /// What stands for walls.
        walls: WallForm [()] optional;
        /// Share of negative pressures that attract: 1 as published, 0 for none.
        attraction: f64 [number("").between(0.0, 1.0)] optional;
        /// Tension between liquids that do not mix; 0 lets them mix. Left out, the difference of their surface tensions.
        interface_tension: f64 [number("N/m").between(0.0, 100.0)] optional;
        /// Artificial viscosity (Monaghan 1992), against disorder.
        artificial_viscosity: f64 [number("").between(0.0, 2.0)] optional;
        /// Bulk viscosity in units of the speed of sound times the radius, against sound.
        bulk_viscosity: f64 [number("").between(0.0, 0.2)] optional;
        /// Strongest pull of sticky walls.
        stickiness: f64 [number("m/s²").between(0.0, 1e4)] optional;
        /// Diffusivity of colour.
        diffusivity: f64 [number("m²/s").between(0.0, 1.0)] optional;
        /// Expansion with temperature of materials that do not say their own.
        thermal_expansion: f64 [number("1/K").between(0.0, 0.1)] optional;
        /// Diffusivity of heat. Left out, the materials' own.
        heat_diffusivity: f64 [number("m²/s").between(0.0, 1.0)] optional;
        /// Whether frames hold the normals of particles at the surface, in the channel `normal`.
        normals: bool [()] optional;
    }
}
