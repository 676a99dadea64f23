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
mod liquid;
mod rest;
mod settings;
mod step;
mod tension;
mod walls;

use glam::Vec3;
use ooze_core::{Carried, ChannelRule, Handle, LiquidSetup, Material, Solids};

use crate::liquid::surface::SurfaceSense;
use crate::liquid::walls::{WallKind, WallState};
use crate::liquid::{Basis, colour, kernels, scales};
use crate::neighbours::Neighbours;
use crate::resolution::Resolution;
use crate::state::ParticleState;
use density::Sums;
use forces::Fluid;
pub use settings::{DensityRule, Kernels, MuellerSettings, ViscosityForm};
use tension::Tension;

/// Share of the spacing by which particles are displaced from their lattice at first: enough to break its symmetry. More
/// would be motion that liquid at rest must lose again.
const JITTER: f32 = 0.02;

/// What this liquid's particles carry.
#[derive(Clone, Copy, Debug)]
struct MuellerChannels {
    /// Densities over those at rest.
    compression: Handle<f32>,
    /// Temperatures in kelvin, where heat matters.
    temperature: Option<Handle<f32>>,
    /// Colours, where they spread.
    colour: Option<Handle<Vec3>>,
}

impl MuellerChannels {
    fn register(carried: &mut Carried, settings: &MuellerSettings, setup: &LiquidSetup) -> Self {
        let compression = ChannelRule::new("compression", |_| 1.0).in_frames();
        let temperature = ChannelRule::new("temperature", |birth| birth.temperature).in_frames();
        let heat = settings.has_heat(setup);
        Self {
            compression: carried.register(compression),
            temperature: heat.then(|| carried.register(temperature)),
            colour: (settings.diffusivity > 0.0).then(|| carried.register(colour())),
        }
    }
}

/// The liquid.
pub struct MuellerLiquid {
    basis: Basis,
    channels: MuellerChannels,
    settings: MuellerSettings,
    kernels: kernels::Kernels,
    sound_speed: f32,
    /// The acceleration that pressure balances at rest.
    gravity: Vec3,
    tension: Tension,
    state: ParticleState,
    /// Walls, and what changes of them.
    walls: WallKind,
    wall_state: WallState,
    /// Finds the surface, if frames are to hold its normals.
    sense: Option<SurfaceSense>,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Fluid and sums over neighbours of the last step, for measures.
    fluid: Vec<Fluid>,
    sums: Vec<Sums>,
}

impl MuellerLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: MuellerSettings, solids: &dyn Solids) -> Self {
        let resolution = settings.resolution(&setup.domain);
        let mut carried = setup.carried.clone();
        let channels = MuellerChannels::register(&mut carried, &settings, &setup);
        let basis = Basis::new(setup, resolution, JITTER, carried);
        let kernels = kernels::Kernels::new(settings.kernels.shapes(), &resolution);
        let sound_speed = sound_speed(&basis.setup, &settings, &resolution);
        let mut state = basis.seed(solids);
        rest::press(
            &mut state,
            channels.compression,
            &basis,
            solids,
            sound_speed,
        );
        let walls = WallKind::new(settings.walls, &basis, solids);
        Self {
            sound_speed,
            gravity: scales::gravity(&basis.setup),
            tension: tension(&basis.setup.materials, &settings, &kernels, &resolution),
            wall_state: WallState::new(&walls.samples),
            walls,
            sense: settings
                .normals
                .then(|| basis.surface_sense(&state, solids)),
            state,
            basis,
            channels,
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
        let sense = self.basis.surface_sense(&self.state, solids);
        let normals = sense.normals(&self.state, &self.volumes(&self.state.particles));
        let at_surface = normals.into_iter().enumerate();
        at_surface
            .filter(|(_, normal)| *normal != Vec3::ZERO)
            .collect()
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
