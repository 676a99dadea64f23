//! The viscoelastic liquid of Clavet, Beaudoin & Poulin (2005), as Kasi describes it: double density relaxation,
//! springs with plastic rest lengths, viscosity impulses, stickiness (algorithms 1 to 5).
//!
//! Deviations: velocities take up the sum of displacements instead of a difference of positions, which is the same up to
//! rounding; walls contribute to densities as if they were full of liquid ([`wall`]); attraction at the surface can be reduced
//! (see [`ClavetConstants`]); and the parallel order, the default, relaxes all pairs at once.

mod constants;
mod liquid;
mod relaxation;
mod sequential;
mod settings;
mod springs;
mod state;
mod step;
mod viscosity;
mod wall;

use glam::Vec3;
use ooze_core::{Handle, LiquidSetup, Solids};

use crate::liquid::lists::{find_neighbours, points_of};
use crate::liquid::surface::SurfaceSense;
use crate::liquid::walls::{WallKind, WallState};
use crate::liquid::{Basis, colour, scales};
use crate::neighbours::Neighbours;
use crate::resolution::Resolution;
pub use constants::{ClavetConstants, ConstantError, RestLattice};
use relaxation::Densities;
pub use settings::{ClavetSettings, RelaxationOrder};
use springs::{SpringRule, Springs};
pub use state::ClavetState;
use state::SpringStore;
use viscosity::Stages;
use wall::WallDensity;

/// Share of the spacing by which particles are displaced from their lattice at first: enough for the liquid not to begin
/// as a crystal, which bears shear.
const JITTER: f32 = 0.25;

/// The liquid.
pub struct ClavetLiquid {
    basis: Basis,
    /// Colours, where they spread.
    colour: Option<Handle<Vec3>>,
    settings: ClavetSettings,
    constants: Vec<ClavetConstants>,
    wall_density: WallDensity,
    /// Walls, and what changes of them.
    walls: WallKind,
    wall_state: WallState,
    /// Finds the surface, if frames are to hold its normals.
    sense: Option<SurfaceSense>,
    state: ClavetState,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Memory for the next step's springs.
    spare_springs: Springs,
    /// Densities of the last step, for measures.
    densities: Vec<Densities>,
}

impl ClavetLiquid {
    /// The liquid of a scene at time zero, with constants from its materials.
    pub fn new(
        setup: LiquidSetup,
        settings: ClavetSettings,
        solids: &dyn Solids,
    ) -> Result<Self, ConstantError> {
        let constants = Self::constants_of(&setup, &settings)?;
        Self::with_constants(setup, settings, constants, solids)
    }

    /// The constants of each material of a scene, or why one is out of range.
    pub fn constants_of(
        setup: &LiquidSetup,
        settings: &ClavetSettings,
    ) -> Result<Vec<ClavetConstants>, ConstantError> {
        let resolution = settings.resolution(&setup.domain);
        let speed = sound_speed(setup, settings, &resolution);
        let materials = setup.materials.iter();
        materials
            .map(|material| ClavetConstants::of_material(material, settings, &resolution, speed))
            .collect()
    }

    /// The viscosity in Pa s that each material of a scene shows in steps of the method's own length: its own, or less where
    /// it would take more stages than a step has.
    pub fn viscosity_shown(
        setup: &LiquidSetup,
        settings: &ClavetSettings,
        constants: &[ClavetConstants],
    ) -> Vec<f32> {
        let resolution = settings.resolution(&setup.domain);
        let speeds = constants.iter().map(|each| each.wave_speed(&resolution));
        let step = settings.cfl * resolution.radius / speeds.fold(0.0, f32::max);
        let reach = resolution.lattice_sum(|r| 1.0 - r / resolution.radius);
        let pairs = setup.materials.iter().zip(constants);
        pairs
            .map(|(material, constants)| {
                let shares = step * constants.linear_viscosity * reach;
                let stages = Stages::new(shares, resolution.space.dimensions());
                material.viscosity * (stages.shares * stages.sweeps() / shares).min(1.0)
            })
            .collect()
    }

    /// The liquid with the method's own constants, one set a material.
    pub fn with_constants(
        setup: LiquidSetup,
        settings: ClavetSettings,
        constants: Vec<ClavetConstants>,
        solids: &dyn Solids,
    ) -> Result<Self, ConstantError> {
        for (constants, material) in constants.iter().zip(&setup.materials) {
            constants.check(&material.name)?;
        }
        let resolution = settings.resolution(&setup.domain);
        let mut carried = setup.carried.clone();
        let colour = (settings.diffusivity > 0.0).then(|| carried.register(colour()));
        let basis = Basis::new(setup, resolution, JITTER, carried);
        let seeded = basis.seed(solids);
        let walls = WallKind::new(settings.walls, &basis, solids);
        let mut liquid = Self {
            wall_density: WallDensity::new(&resolution),
            wall_state: WallState::new(&walls.samples),
            walls,
            sense: None,
            state: ClavetState::without_springs(seeded),
            basis,
            colour,
            constants,
            settings,
            neighbours: None,
            spare_springs: Springs::default(),
            densities: Vec::new(),
        };
        liquid.relax_springs();
        if settings.normals {
            let sense = liquid.basis.surface_sense(&liquid.state.base, solids);
            liquid.sense = Some(sense);
        }
        Ok(liquid)
    }

    /// Elastic liquid begins without strain.
    fn relax_springs(&mut self) {
        let rule = SpringRule::new(&self.constants, self.basis.resolution.radius, 1.0, 1.0);
        if !rule.is_active() {
            return;
        }
        let Self { basis, state, .. } = self;
        let resolution = &basis.resolution;
        let margin = 0.1 * resolution.radius;
        state
            .base
            .sort(resolution.radius, margin, resolution.flat());
        let particles = &state.base.particles;
        let neighbours = find_neighbours(&state.base, resolution);
        let points = points_of(&particles.position, |index| {
            f32::from(particles.material[index])
        });
        let table = Springs::relaxed(&neighbours, &points, &particles.material, &rule);
        self.state.springs = SpringStore::Loose(table);
    }

    /// The state.
    pub fn state(&self) -> &ClavetState {
        &self.state
    }

    /// The constants of each material.
    pub fn constants(&self) -> &[ClavetConstants] {
        &self.constants
    }

    /// Spacing and radius.
    pub fn resolution(&self) -> Resolution {
        self.basis.resolution
    }

    /// Sums of weights 1 − q, of their squares (density) and cubes (near-density) in the last step, in the order of the state.
    pub fn densities(&self) -> &[[f32; 3]] {
        &self.densities
    }

    /// Number of springs.
    pub fn spring_count(&self) -> usize {
        self.state.table(self.neighbours.as_ref()).other.len() / 2
    }

    /// Fastest wave of any material.
    fn wave_speed(&self) -> f32 {
        let speeds = self.constants.iter();
        speeds
            .map(|constants| constants.wave_speed(&self.basis.resolution))
            .fold(0.0, f32::max)
    }

    /// The step in which waves cross one interaction radius.
    fn crossing_time(&self) -> f32 {
        self.basis.resolution.radius / self.wave_speed()
    }
}

/// The speed of sound that keeps compression within the settings: weight, blows, surface tension and elasticity.
fn sound_speed(setup: &LiquidSetup, settings: &ClavetSettings, resolution: &Resolution) -> f32 {
    let energy = scales::largest_energy(setup);
    let mut square = energy / settings.compression;
    for material in &setup.materials {
        let tension = 20.0 * material.surface_tension / (material.density * resolution.spacing);
        let modulus = material
            .elasticity
            .map_or(0.0, |elastic| elastic.shear_modulus());
        square = square.max(tension).max(5.0 * modulus / material.density);
    }
    square.max(0.01).sqrt()
}
