//! The force-based liquid of Müller, Charypar & Gross (2003) with the interactions of Müller, Solenthaler, Keiser &
//! Gross (2005), as Kasi describes it: pressure from a state equation, viscosity averaged over pairs, tension from colour
//! fields, diffusion of heat and colour, buoyancy from rest densities that may depend on temperature. Time is integrated
//! by a predictor and a corrector.
//!
//! Deviations: densities count particles, pressure forces are the whole gradient ([`forces`]), tension comes from
//! attraction instead of curvature ([`tension`]), sound is damped, negative pressures are dropped unless asked for, and walls count as full of liquid.

mod forces;
mod liquid;
mod settings;
mod step;
mod surface;
mod tension;

use glam::Vec3;
use ooze_core::{LiquidSetup, Material, Obstacles, Solids};

use crate::boundary::contact::Touches;
use crate::liquid::lists::{find_neighbours, points_of};
use crate::liquid::{Basis, Start, scales};
use crate::neighbours::Neighbours;
use crate::resolution::Resolution;
use crate::state::ParticleState;
use forces::Fluid;
pub use settings::{Kernels, MuellerSettings};
use surface::{Colours, FlatSurface};
use tension::Cohesion;

/// Names of the channels.
const ACCELERATION: &str = "acceleration";
const TEMPERATURE: &str = "temperature";
const COLOUR: &str = "colour";

/// Share of the spacing by which particles are displaced from their lattice at first: enough to break its symmetry.
/// More would be heat, which pressures alone do not hold together.
const JITTER: f32 = 0.02;

/// The liquid.
pub struct MuellerLiquid {
    basis: Basis,
    settings: MuellerSettings,
    kernels: forces::Kernels,
    sound_speed: f32,
    cohesion: Cohesion,
    flat_surface: FlatSurface,
    state: ParticleState,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Fluid of the last step, for measures.
    fluid: Vec<Fluid>,
}

impl MuellerLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: MuellerSettings, solids: &dyn Solids) -> Self {
        let resolution = Resolution::new(&setup.domain, settings.spacing, settings.radius);
        let mut scalars: Vec<Start<f32>> = Vec::new();
        if settings.has_heat() {
            scalars.push((TEMPERATURE, |material| material.temperature));
        }
        let mut vectors: Vec<Start<Vec3>> = vec![(ACCELERATION, |_| Vec3::ZERO)];
        if settings.diffusivity > 0.0 {
            vectors.push((COLOUR, |material| material.appearance.colour));
        }
        let basis = Basis::new(setup, resolution, JITTER, &scalars, &vectors);
        let kernels = forces::Kernels::new(settings.kernels.shapes(), &resolution);
        Self {
            sound_speed: sound_speed(&basis.setup, &settings, &resolution),
            cohesion: cohesion(&basis.setup.materials, &settings, &resolution),
            flat_surface: FlatSurface::new(&kernels, &resolution),
            state: basis.seed(solids),
            basis,
            kernels,
            settings,
            neighbours: None,
            fluid: Vec::new(),
        }
    }

    /// The state.
    pub fn state(&self) -> &ParticleState {
        &self.state
    }

    /// Spacing and radius.
    pub fn resolution(&self) -> Resolution {
        self.basis.resolution
    }

    /// The particles at the surface, as indices into the state, with the surface's outward normals (Kasi, sec. 6.3).
    pub fn surface_particles(&self, solids: &dyn Solids) -> Vec<(usize, Vec3)> {
        let Resolution {
            radius, spacing, ..
        } = self.basis.resolution;
        let flat = self.basis.resolution.flat();
        let mut state = self.state.clone();
        let order = state.sort(radius, 0.0, flat);
        let neighbours = find_neighbours(&state, &self.basis.resolution);
        let positions = &state.particles.position;
        let points = points_of(positions, |_| 0.0);
        let obstacles = Obstacles::new(&self.basis.setup.domain, solids);
        let rest = Fluid {
            volume: self.basis.resolution.particle_volume() as f32,
            ..Fluid::default()
        };
        let mut gradients = vec![Vec3::ZERO; positions.len()];
        let colours = Colours {
            kernels: &self.kernels,
            neighbours: &neighbours,
            points: &points,
            fluid: &vec![rest; positions.len()],
            touches: &Touches::find(positions, &obstacles, radius, spacing, flat),
        };
        surface::gradients(colours, &mut gradients);
        let found = order.iter().zip(gradients);
        found
            .filter(|(_, gradient)| self.flat_surface.is_surface(*gradient))
            .map(|(&index, gradient)| (index as usize, -gradient.normalize_or_zero()))
            .collect()
    }

    fn heat_diffusivity(&self) -> f32 {
        let own = self.basis.setup.materials.iter().filter_map(|material| {
            let thermal = material.thermal?;
            Some(thermal.diffusivity(material.density))
        });
        let settings = &self.settings;
        settings
            .heat_diffusivity
            .unwrap_or_else(|| own.fold(0.0, f32::max))
    }
}

/// The speed of sound that keeps compression by weight, blows and surface tension within the settings.
fn sound_speed(setup: &LiquidSetup, settings: &MuellerSettings, resolution: &Resolution) -> f32 {
    let mut energy = scales::largest_energy(setup);
    for material in &setup.materials {
        // The pressure in drops four spacings across.
        let pressure = 0.5 * material.surface_tension / resolution.spacing;
        energy = energy.max(pressure / material.density);
    }
    (energy / settings.compression).max(0.01).sqrt()
}

fn cohesion(
    materials: &[Material],
    settings: &MuellerSettings,
    resolution: &Resolution,
) -> Cohesion {
    let surface: Vec<f32> = materials
        .iter()
        .map(|material| material.surface_tension)
        .collect();
    let interface = |a: usize, b: usize| {
        let difference = (surface[a] - surface[b]).abs();
        settings.interface_tension.unwrap_or(difference)
    };
    Cohesion::new(&surface, interface, resolution)
}
