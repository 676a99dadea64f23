//! The force-based liquid of Müller, Charypar & Gross (2003) with the interactions of Müller, Solenthaler, Keiser &
//! Gross (2005), as Kasi describes it: pressure from a state equation, viscosity averaged over pairs, tension from colour
//! fields, diffusion of heat and colour, buoyancy from rest densities that may depend on temperature. Time is integrated
//! by a predictor and a corrector.
//!
//! Deviations: densities follow the flow instead of being summed ([`density`], a setting), volumes are those at rest and
//! pressure forces are the whole gradient ([`forces`]), viscosity is radial (a setting), the curvature of surfaces is that of
//! unit normals ([`tension`]), sound is damped, liquid at rest begins with the pressure of its weight ([`rest`]), and walls
//! count as full of liquid, by integrals, mirrored or sampled ([`walls`]).

mod density;
mod forces;
mod heat;
mod kernels;
mod liquid;
mod rest;
mod settings;
mod step;
mod surface;
mod surroundings;
mod tension;
mod walls;

use glam::Vec3;
use ooze_core::{LiquidSetup, Material, Obstacles, Solids};

use crate::boundary::contact::Touches;
use crate::boundary::samples::WallSamples;
use crate::liquid::lists::{find_neighbours, points_of};
use crate::liquid::{Basis, Start, scales};
use crate::neighbours::{Neighbours, Point};
use crate::particles::Particles;
use crate::resolution::Resolution;
use crate::state::ParticleState;
use density::Sums;
use forces::Fluid;
pub use settings::{DensityRule, Kernels, MuellerSettings, ViscosityForm, WallForm};
use surface::FlatSurface;
use surroundings::{Surroundings, WallSums};
use tension::Tension;
use walls::WallState;

/// Names of the channels.
const COMPRESSION: &str = "compression";
const TEMPERATURE: &str = "temperature";
const COLOUR: &str = "colour";

/// Share of the spacing by which particles are displaced from their lattice at first: enough to break its symmetry. More
/// would be motion that liquid at rest must lose again.
const JITTER: f32 = 0.02;

/// The liquid.
pub struct MuellerLiquid {
    basis: Basis,
    settings: MuellerSettings,
    kernels: kernels::Kernels,
    sound_speed: f32,
    /// The acceleration that pressure balances at rest.
    gravity: Vec3,
    tension: Tension,
    flat_surface: FlatSurface,
    state: ParticleState,
    /// Particles of walls, where they are asked for, and what changes of them.
    samples: WallSamples,
    wall_state: WallState,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Fluid and sums over neighbours of the last step, for measures.
    fluid: Vec<Fluid>,
    sums: Vec<Sums>,
}

impl MuellerLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: MuellerSettings, solids: &dyn Solids) -> Self {
        let resolution = Resolution::new(&setup.domain, settings.spacing, settings.radius);
        let mut scalars: Vec<Start<f32>> = vec![(COMPRESSION, |_| 1.0)];
        if settings.has_heat() {
            scalars.push((TEMPERATURE, |material| material.temperature));
        }
        let mut vectors: Vec<Start<Vec3>> = Vec::new();
        if settings.diffusivity > 0.0 {
            vectors.push((COLOUR, |material| material.appearance.colour));
        }
        let basis = Basis::new(setup, resolution, JITTER, &scalars, &vectors);
        let kernels = kernels::Kernels::new(settings.kernels.shapes(), &resolution);
        let sound_speed = sound_speed(&basis.setup, &settings, &resolution);
        let mut state = basis.seed(solids);
        rest::press(&mut state, &basis, solids, sound_speed);
        let obstacles = Obstacles::new(&basis.setup.domain, solids);
        let samples = walls::sampled(&settings, &basis, &obstacles);
        Self {
            sound_speed,
            gravity: scales::gravity(&basis.setup),
            tension: tension(&basis.setup.materials, &settings, &kernels, &resolution),
            flat_surface: FlatSurface::new(&kernels, &resolution),
            state,
            wall_state: WallState::new(&samples),
            samples,
            basis,
            kernels,
            settings,
            neighbours: None,
            fluid: Vec::new(),
            sums: Vec::new(),
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

    /// Density of the heaviest liquid in kg/m³.
    fn densest(&self) -> f32 {
        let densities = self.basis.setup.materials.iter();
        densities
            .map(|material| material.density)
            .fold(0.0, f32::max)
    }

    /// The particles at the surface, as indices into the state, with the surface's outward normals (Kasi, sec. 6.3).
    pub fn surface_particles(&self, solids: &dyn Solids) -> Vec<(usize, Vec3)> {
        let view = SurfaceView::new(self, solids);
        let volumes = self.volumes(&view.state.particles);
        let mut gradients = vec![Vec3::ZERO; view.order.len()];
        surface::gradients(&self.kernels, view.around(), &volumes, &mut gradients);
        let found = view.order.iter().zip(gradients);
        found
            .filter(|(_, gradient)| self.flat_surface.is_surface(*gradient))
            .map(|(&index, gradient)| (index as usize, -gradient.normalize_or_zero()))
            .collect()
    }
}

/// The particles and who is near whom, outside of a step.
struct SurfaceView {
    state: ParticleState,
    /// Where the particles are in the liquid's own state.
    order: Vec<u32>,
    neighbours: Neighbours,
    points: Vec<Point>,
    touches: Touches,
}

impl SurfaceView {
    fn new(liquid: &MuellerLiquid, solids: &dyn Solids) -> Self {
        let resolution = &liquid.basis.resolution;
        let mut state = liquid.state.clone();
        let order = state.sort(resolution.radius, 0.0, resolution.flat());
        let Particles {
            position, material, ..
        } = &state.particles;
        let obstacles = Obstacles::new(&liquid.basis.setup.domain, solids);
        Self {
            neighbours: find_neighbours(&state, resolution),
            points: points_of(position, |index| f32::from(material[index])),
            touches: liquid.basis.touches(position, &obstacles),
            order,
            state,
        }
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            neighbours: &self.neighbours,
            first: 0,
            points: &self.points,
            walls: WallSums::Integrals(&self.touches),
        }
    }
}

/// The speed of sound that keeps compression by weight, blows and tension within the settings.
fn sound_speed(setup: &LiquidSetup, settings: &MuellerSettings, resolution: &Resolution) -> f32 {
    let mut energy = scales::largest_energy(setup);
    for material in &setup.materials {
        // The pressure in drops ten spacings across.
        let pressure = 0.2 * largest_tension(material, settings) / resolution.spacing;
        energy = energy.max(pressure / material.density);
    }
    (energy / settings.compression).max(0.01).sqrt()
}

/// The tension of a material's surface or of its interfaces, whichever is larger, in N/m.
fn largest_tension(material: &Material, settings: &MuellerSettings) -> f32 {
    let interface = settings.interface_tension.unwrap_or(0.0);
    material.surface_tension.max(interface)
}

fn tension(
    materials: &[Material],
    settings: &MuellerSettings,
    kernels: &kernels::Kernels,
    resolution: &Resolution,
) -> Tension {
    let surface: Vec<f32> = materials
        .iter()
        .map(|material| material.surface_tension)
        .collect();
    let interface = |a: usize, b: usize| {
        let difference = (surface[a] - surface[b]).abs();
        settings.interface_tension.unwrap_or(difference)
    };
    Tension::new(&surface, interface, kernels, resolution)
}
