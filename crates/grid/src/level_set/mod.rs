//! The level-set liquid (Goktekin 2011, sec. 3.3 to 3.6; Carlson 2004, ch. 6): velocities on a staggered grid, carried by
//! themselves, and a surface that is a particle level set on a lattice of half the cell size.
//!
//! By default pressure, viscosity and walls are those of the FLIP liquid: a second-order free surface, cut cells and least
//! dissipation. `LevelSetSettings::goktekin_2011` is as published; deviation: pressure solves leave solid cells out instead of
//! copying pressures into them (alg. 17), which is the same equation.

mod air;
mod bodies;
mod channels;
mod content;
mod elastic;
mod follow;
mod free_surface;
mod heat;
mod lattices;
mod liquid;
mod mixture;
mod observe;
mod paths;
mod pockets;
mod rheology;
mod settings;
mod sources;
mod state;
mod step;
mod strain_rates;
mod tracers;
mod transport;
mod turning;
mod volume;
mod walls;
mod warmth;
mod wet_cells;

use std::mem;

use ooze_core::{LiquidSetup, Obstacles, Solids, StepError, StepReport, TracerCloud};
use ooze_field::Field;
use ooze_field::level_set::{TrackedSurface, TrackingWalls, retiled};

use crate::boundary::{Boundary, FixedTiles};
use crate::elasticity::Strain;
use crate::face_velocity::FaceVelocity;
use crate::heat::{ThermalMaterials, matters};
use crate::momentum::Parts;
use crate::rigid_fluid::ImmersedBodies;
use crate::stages;

pub use channels::CellChannels;
use follow::{Arrival, reach};
use lattices::Cells;
pub use mixture::Mixture;
pub use settings::{
    ElasticForce, LevelSetSettings, SurfaceTreatment, VelocityAdvection, WallShape,
};
pub use state::LevelSetState;
pub(crate) use state::on_common_tiles;
use step::Advance;
use volume::Pieces;
use walls::Walls;
pub use warmth::Warmth;

/// A liquid whose surface is a level set.
pub struct LevelSetLiquid {
    setup: LiquidSetup,
    settings: LevelSetSettings,
    state: LevelSetState,
    /// What each emitter emits in cubic metres a second.
    flows: Vec<f64>,
    /// What the last step computed, for probes.
    pressure: Option<Field<f32>>,
    /// What fixed solids look like on the grid.
    fixed: FixedTiles,
    /// What heat needs to know of the materials.
    thermal: ThermalMaterials,
}

impl LevelSetLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: LevelSetSettings, solids: &dyn Solids) -> Self {
        let lattice = setup.domain.lattice();
        let band = settings.tracking.band * 0.5 * lattice.cell_size;
        let phi = sources::initial_level_set(&setup, band, reach(&settings));
        let cells = Cells::around(&phi, lattice);
        let mixture = Mixture::new(&setup, &cells.topology);
        let channels = CellChannels::new(&setup, &cells.topology);
        let warm = matters(&setup, &Obstacles::new(&setup.domain, solids));
        let warmth = warm.then(|| Warmth::new(&setup, &mixture, &cells.topology));
        let (mut velocity, mut known) = sources::initial_velocity(&setup, &cells.topology);
        let distances = cells.face_distances();
        free_surface::continue_outward(&mut velocity, &mut known, &distances, lattice.cell_size);
        let surface = TrackedSurface {
            particles: Default::default(),
            steps: 0,
            seed: setup.seed,
            phi,
        };
        let emitters = setup.emitters.iter();
        let flows = emitters
            .map(|emitter| sources::flow_of(&setup.domain, emitter))
            .collect();
        let fixed = FixedTiles::new(&setup.forces);
        let mut liquid = Self {
            flows,
            thermal: ThermalMaterials::new(&setup.materials),
            state: LevelSetState {
                shown: surface.phi.clone(),
                surface,
                velocity,
                strain: None,
                mixture,
                channels,
                warmth,
                piece_volumes: Vec::new(),
                piece_spins: Vec::new(),
                immersed: Vec::new(),
                emitted_volume: vec![0.0; setup.emitters.len()],
                expected_volume: 0.0,
                tracers: TracerCloud::default(),
            },
            setup,
            settings,
            pressure: None,
            fixed,
        };
        liquid.settle(solids);
        if liquid.elastic_law().is_some() {
            liquid.state.strain = Some(Strain::zero(liquid.state.velocity[0].topology()));
        }
        liquid
    }

    /// The state: level set, particles, velocities and counters.
    pub fn state(&self) -> &LevelSetState {
        &self.state
    }

    /// Fits the initial level set to the solids and seeds particles.
    fn settle(&mut self, solids: &dyn Solids) {
        let cells = Cells::around(&self.state.surface.phi, self.setup.domain.lattice());
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let mut fixed = self.fixed.clone();
        let boundary = self.rasterize(&mut fixed, &cells, &obstacles, -1.0);
        let walls = Walls::new(&boundary, &self.setup.domain);
        let mut phi = self.state.surface.phi.clone();
        walls.continue_into(&mut phi);
        let seed = self.setup.seed;
        let mut surface = TrackedSurface::new(phi, &self.settings.tracking, seed);
        surface
            .particles
            .keep_where(|point| walls.leave_free(point));
        let shown = walls::cut_off(&surface.phi, &walls.distances(&surface.phi));
        let pieces = Pieces::find(&shown);
        self.state.piece_volumes = pieces.volumes(&shown);
        self.state.expected_volume = self.state.piece_volumes.iter().sum();
        (self.state.surface, self.state.shown) = (surface, shown);
        let before = -f64::MIN_POSITIVE;
        let mut state = self.state.clone();
        self.let_in_and_out(&mut state, &walls, before, 0.0);
        self.renew_tracers(&mut state, &walls, (before, 0.0));
        self.state = state;
        self.fixed = fixed;
    }

    /// Everything a step does, on copies of what it changes.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        // The solids stand at the step's end already, free ones as is foretold; the liquid is where they were at its start.
        let foretold = solids.all().to_vec();
        let obstacles = Obstacles::of(&self.setup.domain, &foretold).at_start();
        let mut fixed = mem::take(&mut self.fixed);
        let phi = report.timed("tiles", |_| {
            retiled(&self.state.surface.phi, reach(&self.settings))
        });
        let bodies = self.immersed(&phi, &obstacles, dt, report);
        let bodies = bodies.as_ref();
        let mut cells = report.timed("tiles", |_| self.cells(&phi, bodies));
        let standing = report.timed("solids", |_| {
            let standing = self.rasterize(&mut fixed, &cells, &obstacles, time);
            walls::part(&mut cells.liquid, &phi, &standing);
            standing
        });
        let (obstacles, boundary, standing) = match bodies {
            None => (obstacles, standing, None),
            Some(bodies) => report.timed("coupling", |_| {
                cells.flood(bodies);
                let others = obstacles.without_free();
                let boundary = self.rasterize(&mut fixed, &cells, &others, time);
                (others, boundary, Some(standing))
            }),
        };
        let mixture = report.timed("tiles", |_| self.mixture_on(&cells, time));
        let channels = report.timed("tiles", |_| self.channels_on(&cells, time));
        let warmth = report.timed("tiles", |_| self.warmth_on(&cells, time));
        let mut step = Advance {
            liquid: self,
            cells: &cells,
            mixture: &mixture,
            channels: &channels,
            warm: None,
            obstacles: &obstacles,
            dt,
        };
        if let Some(warmth) = warmth {
            report.timed("heat", |report| step.heat(warmth, time, &boundary, report))?;
        }
        let resistance = step.resistance(&boundary, report);
        let by_differences = |grid: &mut FaceVelocity| step.push_by_differences(&resistance, grid);
        let momentum = step.momentum(&resistance, &by_differences);
        let twice = bodies.filter(|bodies| bodies.presses_twice());
        let (flowed, momentum) = match twice {
            None => (None, momentum),
            Some(bodies) => {
                let flowed =
                    step.flow_in_place(&phi, boundary.clone(), bodies, momentum, report)?;
                (Some(flowed), step.projection(&resistance))
            }
        };
        let old = flowed
            .as_ref()
            .map_or(&self.state.velocity, |flowed| &flowed.velocity);
        let mut grid = report.timed("advection", |_| step.advect(old, &phi, &boundary));
        let mut turned = step.pieces(report);
        report.timed("spin", |_| step.restore_spins(turned.as_ref(), &mut grid));
        if flowed.is_none() {
            report.timed("forces", |_| step.force(bodies, &mut grid));
        }
        report.timed("spin", |_| {
            let walls = standing.as_ref().unwrap_or(&boundary);
            step.note_free(turned.as_mut(), &resistance, &grid, walls)
        });
        let mut moved = momentum.change(boundary, grid, report)?;
        if let Some(flowed) = flowed {
            flowed.join(&mut moved, report);
        }
        step.act_on(bodies, &mut moved, report);
        stages::let_follow(solids, report, dt);
        let arrived = Obstacles::new(&self.setup.domain, solids);
        let departed = match bodies {
            None => arrived.at_start(),
            Some(bodies) => {
                report.timed("coupling", |_| {
                    bodies.make_rigid(&mut moved.grid.velocity, arrived.solids())
                });
                arrived.at_start().without_free()
            }
        };
        // Neither pressure nor stress turns a free piece, but they weigh its faces differently.
        report.timed("spin", |_| {
            step.restore_spins(turned.as_ref(), &mut moved.grid)
        });
        let rates = report.timed("elasticity", |_| step.strain_rates(&moved));
        report.timed("extrapolation", |_| {
            step.extrapolate(&phi, &mut moved, &departed)
        });
        let Parts {
            boundary,
            mut grid,
            pressure,
        } = moved.into_parts();
        report.timed("extrapolation", |_| {
            step.touch(&mut grid, (&boundary, &departed), &pressure)
        });
        stages::check_finite("pressure", "velocity", &grid.velocity)?;
        let after = report.timed("solids", |_| step.rasterize_arrived(&arrived, &mut fixed));
        let standing = standing.as_ref().unwrap_or(&boundary);
        let arrival = Arrival {
            departed: standing,
            between: &boundary,
            boundary: after.as_ref().unwrap_or(standing),
            obstacles: &arrived,
        };
        let strained = resistance.stress.map(|stress| (stress, rates));
        let mut state = step.follow(phi, grid, strained, turned.as_ref(), &arrival, report)?;
        let count = arrived.solids().len();
        state.immersed = bodies.map_or(Vec::new(), |bodies| bodies.wet(count));
        state.channels.renew(&self.setup, (time, time + dt));
        report.timed("sources", |report| {
            let walls = Walls::new(arrival.boundary, &self.setup.domain);
            let before = self.content_before_sources(&state);
            self.let_in_and_out(&mut state, &walls, time, time + dt);
            self.renew_tracers(&mut state, &walls, (time, time + dt));
            self.book_sources(before, &state, report);
        });
        self.state = state;
        self.pressure = Some(pressure);
        self.fixed = fixed;
        Ok(())
    }

    /// The cells around the liquid, and around the bodies that are a part of it.
    fn cells(&self, phi: &Field<f32>, bodies: Option<&ImmersedBodies>) -> Cells {
        let tiles = bodies.into_iter().flat_map(ImmersedBodies::tiles);
        Cells::around_both(phi, tiles, self.setup.domain.lattice())
    }

    /// The shares of materials in these cells, with those of the emitters that are open at `time`.
    fn mixture_on(&self, cells: &Cells, time: f64) -> Mixture {
        let open = stages::open_emitters(&self.setup, time);
        let mixture = &self.state.mixture;
        mixture.on_tiles(&cells.topology, &self.setup.domain, open)
    }

    /// What else is carried in these cells, with what the emitters emit that are open at `time`.
    fn channels_on(&self, cells: &Cells, time: f64) -> CellChannels {
        let open = stages::open_emitters(&self.setup, time);
        let channels = &self.state.channels;
        channels.on_tiles(&cells.topology, &self.setup, open)
    }

    /// How warm these cells are, where heat matters, with the liquid of the emitters that are open at `time`.
    fn warmth_on(&self, cells: &Cells, time: f64) -> Option<Warmth> {
        let warmth = self.state.warmth.as_ref()?;
        let open = stages::open_emitters(&self.setup, time);
        Some(warmth.on_tiles(&cells.topology, &self.setup, open))
    }

    /// The solids and the emitters that are open at `time` on the grid.
    fn rasterize(
        &self,
        fixed: &mut FixedTiles,
        cells: &Cells,
        obstacles: &Obstacles<'_>,
        time: f64,
    ) -> Boundary {
        let weights = self.settings.pressure.wall_weights;
        let mut boundary = Boundary::rasterize(&cells.topology, obstacles, weights, fixed);
        if self.settings.walls == WallShape::Voxels {
            walls::voxelise(&mut boundary, obstacles);
        }
        boundary.drive(stages::open_emitters(&self.setup, time));
        boundary
    }
}
