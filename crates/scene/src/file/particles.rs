//! Keys of the particle methods.

use crate::keys::{choice, number, table};

choice! {
    /// In which order pairs of particles are relaxed.
    enum OrderWord {
        /// All at once, on all threads.
        Parallel "parallel";
        /// One after the other, as published; for small scenes.
        Sequential "sequential";
    }
}

choice! {
    /// Smoothing kernels of density and pressure.
    enum KernelsWord {
        /// Poly6 for density and spiky for pressure.
        Published "published";
        /// The cubic spline for both.
        CubicSpline "cubic-spline";
        /// Wendland's function for both.
        Wendland "wendland";
    }
}

choice! {
    /// Where densities come from.
    enum DensityWord {
        /// The flow changes them.
        Evolved "evolved";
        /// They are sums over neighbours, as published.
        Summed "summed";
    }
}

choice! {
    /// How neighbours of different velocities act on one another.
    enum ViscosityFormWord {
        /// Along the line between them; right at free surfaces.
        Radial "radial";
        /// Along the difference of their velocities, as published.
        Laplacian "laplacian";
    }
}

choice! {
    /// What stands for walls in sums over neighbours.
    enum WallsWord {
        /// Integrals over half-spaces full of liquid: the fastest.
        Distance "distance";
        /// The liquid, mirrored in every step: the most accurate at flat walls.
        Ghosts "ghosts";
        /// Particles on the surfaces of solids and behind them.
        Particles "particles";
    }
}

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
        walls: WallsWord [()] optional;
        /// Whether frames hold the normals of particles at the surface, in the channel `normal`.
        normals: bool [()] optional;
        /// Order of relaxation.
        order: OrderWord [()] optional;
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
        kernels: KernelsWord [()] optional;
        /// Where densities come from.
        density: DensityWord [()] optional;
        /// Diffusion of evolved densities, against noise.
        density_diffusion: f64 [number("").between(0.0, 0.5)] optional;
        /// The form of viscosity.
        viscosity: ViscosityFormWord [()] optional;
        /// What stands for walls.
        walls: WallsWord [()] optional;
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
        /// Temperature of the domain's bottom; left out, it passes no heat.
        bottom_temperature: f64 [number("K").between(0.0, 1e4)] optional;
        /// Temperature of the domain's top; left out, it passes no heat.
        top_temperature: f64 [number("K").between(0.0, 1e4)] optional;
        /// Whether frames hold the normals of particles at the surface, in the channel `normal`.
        normals: bool [()] optional;
    }
}
