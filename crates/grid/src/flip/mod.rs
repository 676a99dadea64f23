//! The FLIP liquid (Zhu & Bridson 2005; Batty & Bridson 2008, sec. 6).

mod aboard;
pub(crate) mod channels;
mod contact;
mod elastic;
mod exchange;
mod frozen;
mod guide;
mod heat;
mod held;
mod kernel;
mod leaving;
mod liquid;
mod mirror;
mod mobility;
mod observe;
pub(crate) mod order;
mod packing;
mod pockets;
mod reader;
pub(crate) mod rheology;
mod scatter;
pub(crate) mod seeding;
mod settling;
mod spacing;
mod spread;
mod state;
mod step;
mod stress;
mod surface;
mod transfer;
mod turning;
mod volume;
mod walls;

use std::mem;

use glam::Vec3;
use ooze_core::{LiquidSetup, Obstacles, ParticleSet, Solids, StepError, StepReport, gather};

use crate::FlipSettings;
use crate::boundary::{Boundary, FixedTiles};
use crate::heat::ThermalMaterials;
use crate::momentum::Parts;
use crate::stages;

use channels::FlipChannels;
use contact::Contacts;
use elastic::Laws;
use observe::Observed;
use order::{CellOrder, tiles_around};
pub(crate) use seeding::particle_volume;
pub use state::FlipState;
use step::Advance;
use surface::{SphereSizes, Surface};
use transfer::Told;
use walls::SmallShifts;

/// Cells around particles that fields reach, beyond what a step can cross.
const MARGIN_CELLS: i32 = 3;
/// Rounds of volume correction in each step.
const ROUNDS_PER_STEP: usize = 2;

/// A liquid carried by particles and made incompressible on a grid.
pub struct FlipLiquid {
    setup: LiquidSetup,
    settings: FlipSettings,
    densities: Vec<f32>,
    thermal: ThermalMaterials,
    laws: Laws,
    channels: FlipChannels,
    state: FlipState,
    /// What the last step computed on the grid, for probes.
    observed: Option<Observed>,
    /// Memory for the next step's particles.
    spare: ParticleSet,
    /// What fixed solids look like on the grid.
    fixed: FixedTiles,
    /// How many particles each body that melts had aboard at the start.
    seeded: Vec<usize>,
}

impl FlipLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: FlipSettings, solids: &dyn Solids) -> Self {
        let domain = setup.domain.clone();
        let obstacles = Obstacles::new(&domain, solids);
        let laws = Laws::new(&setup, &settings);
        let mut carried = setup.carried.clone();
        let warm = crate::heat::matters(&setup, &obstacles);
        let melts = setup.initial.iter().any(|liquid| liquid.hold.is_some());
        let channels = FlipChannels::register(&mut carried, &settings, &laws, (warm, melts));
        let mut seeds = seeding::sources(&setup, settings.sampling).initial_points(&obstacles);
        let densities = setup
            .materials
            .iter()
            .map(|material| material.density)
            .collect();
        let thermal = ThermalMaterials::new(&setup.materials);
        let fixed = FixedTiles::new(&setup.forces);
        let mut liquid = Self {
            setup,
            settings,
            densities,
            thermal,
            laws,
            channels,
            state: FlipState {
                particles: ParticleSet::carrying(&carried),
                ..FlipState::default()
            },
            observed: None,
            spare: ParticleSet::default(),
            fixed,
            seeded: Vec::new(),
        };
        let initial = &liquid.setup.initial;
        let aboard = aboard::take_bodies(initial, &mut seeds);
        liquid.settle(&mut seeds, &obstacles);
        for (points, aboard) in seeds.iter_mut().zip(aboard) {
            points.extend(aboard);
        }
        let sources = seeding::sources(&liquid.setup, settings.sampling);
        let (particles, inventory) = sources.seed(&carried, &seeds, &obstacles);
        liquid.state = FlipState {
            particles,
            inventory,
        };
        liquid.seeded = liquid.aboard_of_each();
        liquid
    }

    /// The state: particles and counters.
    pub fn state(&self) -> &FlipState {
        &self.state
    }

    /// Elastic energy of the particles' strain in joules.
    pub fn elastic_energy(&self) -> f64 {
        let volume = self.particle_volume();
        self.laws
            .energy(&self.state.particles, &self.channels, volume)
    }

    /// Everything a step does, on a copy of the particles.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let (order, mut aboard) = report.timed("sort", |_| self.sort_particles());
        let riders = aboard.carried.optional(self.channels.frozen).to_vec();
        let (particles, mut fixed) = (mem::take(&mut self.spare), mem::take(&mut self.fixed));
        // The solids stand at the step's end already, free ones as is foretold; the liquid is where they were at its start.
        let foretold = solids.all().to_vec();
        let departing = Obstacles::of(&self.setup.domain, &foretold).at_start();
        let mut step = Advance {
            liquid: self,
            order: &order,
            obstacles: &departing,
            particles,
            time,
            dt,
        };
        let boundary = report.timed("solids", |_| step.rasterize(&mut fixed));
        let surface = report.timed("surface", |_| step.wrap(&boundary));
        report.timed("heat", |report| match aboard.is_empty() {
            true => step.heat(&boundary, &surface.distance, report),
            false => step.heat_all(&mut aboard, &surface.distance, &mut fixed, report),
        })?;
        let Told {
            mut faces,
            density,
            weight,
        } = report.timed("to grid", |_| step.to_grid(&boundary));
        let before = faces.velocity.clone();
        report.timed("forces", |_| {
            stages::apply_forces(&mut faces.velocity, &self.setup.forces, dt)
        });
        let brought = step.bring(density, weight, report);
        let momentum = step.momentum(&surface, &brought);
        let mut moved = momentum.change(boundary, faces, report)?;
        stages::let_follow(solids, report, dt);
        let arrived = Obstacles::new(&self.setup.domain, solids);
        let departed = arrived.at_start();
        step.obstacles = &departed;
        let rates = report.timed("elasticity", |_| step.strain_rates(&brought, &moved));
        let continued = report.timed("extrapolation", |_| {
            step.extrapolate(&mut moved, rates.is_some())
        });
        report.timed("to particles", |_| step.hand_back(&moved, &before));
        if let Some((continued, rates)) = continued.zip(rates) {
            report.timed("elasticity", |_| step.strain(&moved, &continued, &rates));
        }
        let displacement =
            report.timed("density", |report| step.displacement(&mut moved, report))?;
        let shifts = report.timed("spacing", |_| {
            step.shifts(&brought, &surface, moved.boundary())
        });
        let mobility = report.timed("spacing", |_| step.mobility(&brought, &moved));
        report.timed("carry", |_| {
            let aside = SmallShifts {
                faces: displacement.as_ref(),
                shifts: &shifts,
                mobility: &mobility,
            };
            let after = step.rasterize_arrived(&arrived, &mut fixed);
            let pieces = brought.shapes(self).then_some(&surface.pieces);
            let walls = (after.as_ref().unwrap_or(moved.boundary()), &arrived);
            step.carry(&moved, aside, walls, pieces);
        });
        step.ride(&mut aboard, &riders, &arrived);
        let left = self.remains(&aboard, &arrived);
        let Parts { grid, pressure, .. } = moved.into_parts();
        let mut particles = step.particles;
        particles.append(&aboard);
        particles.check_finite("carry")?;

        // From here on nothing can fail.
        solids.wear(&left);
        self.fixed = fixed;
        self.observed = Some(Observed {
            liquid: surface.distance,
            velocity: grid.velocity,
            pressure,
        });
        self.spare = mem::replace(&mut self.state.particles, particles);
        let before = self.heat_content();
        report.timed("sources", |_| self.drain_and_emit(time, time + dt, solids));
        self.book_sources(before, report);
        Ok(())
    }

    /// Lets particles out and in.
    fn drain_and_emit(&mut self, from: f64, to: f64, solids: &dyn Solids) {
        let FlipState {
            particles,
            inventory,
        } = &mut self.state;
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let sources = seeding::sources(&self.setup, self.settings.sampling);
        sources.drain(particles, inventory, to);
        sources.emit(particles, inventory, &obstacles, (from, to));
    }

    /// The surface around sorted particles. `touching` tells which of them touched a wall before, and then which do now.
    fn wrap(
        &self,
        order: &CellOrder,
        positions: &[Vec3],
        touching: &mut [u8],
        (boundary, obstacles): (&Boundary, &Obstacles<'_>),
        rounds: usize,
    ) -> Surface {
        let sampling = self.settings.sampling;
        contact::update(order, positions, boundary, obstacles, sampling, touching);
        let contacts = Contacts::new(order, positions, touching, sampling);
        let lattice = self.setup.domain.lattice();
        let sizes = SphereSizes::new(&lattice, sampling);
        let volume_in_cells = self.particle_volume() / lattice.cell_volume();
        let rounds = match self.settings.volume_correction {
            true => rounds,
            false => 0,
        };
        Surface::build(
            order,
            positions,
            &contacts,
            boundary,
            sizes,
            volume_in_cells,
            rounds,
        )
    }

    fn particle_volume(&self) -> f64 {
        self.settings.particle_volume(&self.setup.domain)
    }

    /// Sorts a copy of the particles of the flow into `spare`, by cell, and tells which are aboard of bodies.
    fn sort_particles(&mut self) -> (CellOrder, ParticleSet) {
        let margin = MARGIN_CELLS + self.settings.cfl.ceil() as i32;
        let positions = &self.state.particles.position;
        let topology = tiles_around(self.setup.domain.lattice(), positions, margin).build();
        let [mut free, aboard] = self.parted();
        let (order, permutation) = match aboard.is_empty() {
            true => CellOrder::sort(topology.into(), positions),
            false => {
                let flowing = free.iter().map(|&index| positions[index as usize]);
                let flowing: Vec<Vec3> = flowing.collect();
                CellOrder::sort(topology.into(), &flowing)
            }
        };
        gather(&mut free, &permutation);
        let particles = &self.state.particles;
        particles.gather_into(&free, &mut self.spare);
        let mut riders = ParticleSet::default();
        particles.gather_into(&aboard, &mut riders);
        (order, riders)
    }

    fn least_density(&self) -> f32 {
        self.densities.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// The density that pressures refer to, in kg/m³.
    fn reference_density(&self) -> f32 {
        self.densities.first().copied().unwrap_or(1.0)
    }
}
