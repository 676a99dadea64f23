//! The level-set liquid (Goktekin 2011, sec. 3.3 to 3.6; Carlson 2004, ch. 6): velocities on a staggered grid, carried by
//! themselves, and a surface that is a particle level set on a lattice of half the cell size.
//!
//! By default pressure, viscosity and walls are those of the FLIP liquid: a second-order free surface, cut cells and least
//! dissipation. `LevelSetSettings::goktekin_2011` is as published, as far as it concerns plain liquids; deviations: velocities
//! inside walls are those of liquid that slides along them or sticks to them, instead of mirror images (alg. 15), and
//! pressure solves leave solid cells out instead of copying pressures into them (alg. 17), which is the same equation.

mod free_surface;
mod lattices;
mod observe;
mod settings;
mod sources;
mod state;
mod transport;
mod volume;
mod walls;

use glam::Vec3;
use ooze_core::{
    ChannelError, Channels, Emitter, Liquid, LiquidSetup, Material, Measure, Obstacles, Solids,
    StableStep, StepError, StepReport,
};
use ooze_field::level_set::{TrackedSurface, TrackingWalls, retiled, trace_back};
use ooze_field::{Field, FieldByAxis, Place, sample_faces};

use crate::boundary::{Boundary, FixedTiles};
use crate::flip::walls::{self as wall_conditions, Traction};
use crate::flip::{FaceVelocity, NEGLIGIBLE};
use crate::pressure::{Coupling, PressureSystem};
use crate::stages;
use crate::viscosity::{CellViscosity, ViscousLiquid, diffusion_number};

use lattices::{Cells, FINE};
pub use settings::{LevelSetSettings, SurfaceTreatment, VelocityAdvection, WallShape};
pub use state::LevelSetState;
use volume::Pieces;
use walls::Walls;

/// Fine cells around what a step can cross that the level set's tiles cover.
const SPARE_FINE_CELLS: i32 = 4;
/// Fine cells that the surface may cross at once: the width of a tile.
const LONGEST_WAY: f32 = 8.0;

/// A liquid whose surface is a level set.
pub struct LevelSetLiquid {
    setup: LiquidSetup,
    settings: LevelSetSettings,
    state: LevelSetState,
    /// What the last step computed, for probes.
    pressure: Option<Field<f32>>,
    /// What fixed solids look like on the grid.
    fixed: FixedTiles,
}

impl LevelSetLiquid {
    /// The liquid of a scene at time zero. All of it is of the material of the first liquid or emitter.
    pub fn new(setup: LiquidSetup, settings: LevelSetSettings, solids: &dyn Solids) -> Self {
        let lattice = setup.domain.lattice();
        let band = settings.tracking.band * 0.5 * lattice.cell_size;
        let phi = sources::initial_level_set(&setup, band, reach(&settings));
        let cells = Cells::around(&phi, lattice);
        let (mut velocity, mut known) = sources::initial_velocity(&setup, &cells.topology);
        let distances = cells.face_distances();
        free_surface::continue_outward(&mut velocity, &mut known, &distances, lattice.cell_size);
        let surface = TrackedSurface {
            particles: Default::default(),
            steps: 0,
            seed: setup.seed,
            phi,
        };
        let mut liquid = Self {
            state: LevelSetState {
                shown: surface.phi.clone(),
                surface,
                velocity,
                piece_volumes: Vec::new(),
                emitted_volume: vec![0.0; setup.emitters.len()],
                expected_volume: 0.0,
            },
            setup,
            settings,
            pressure: None,
            fixed: FixedTiles::default(),
        };
        liquid.settle(solids);
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
        let fixed = &mut self.fixed;
        let boundary = rasterize(&self.setup, &self.settings, fixed, &cells, &obstacles, -1.0);
        let walls = Walls {
            boundary: &boundary,
        };
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
        self.state = state;
    }

    /// Everything a step does, on copies of what it changes.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let settings = self.settings;
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let phi = report.timed("tiles", |_| {
            retiled(&self.state.surface.phi, reach(&settings))
        });
        let cells = report.timed("tiles", |_| {
            Cells::around(&phi, self.setup.domain.lattice())
        });
        let boundary = report.timed("solids", |_| {
            let fixed = &mut self.fixed;
            rasterize(&self.setup, &settings, fixed, &cells, &obstacles, time)
        });
        let mut grid = report.timed("advection", |_| {
            let (old, scheme) = (&self.state.velocity, settings.velocity_advection);
            let (seconds, cfl) = (dt as f32, settings.cfl);
            transport::advect_velocity(old, &cells, &phi, &boundary, seconds, scheme, cfl)
        });
        let pressure_cells = free_surface::pressure_cells(&cells.liquid, settings.surface);
        let coupling = self.coupling(&pressure_cells, &boundary);
        let mut system = report.timed("assembly", |_| {
            PressureSystem::assemble(&coupling, settings.pressure)
        })?;
        report.liquid_cells = system.size();

        stages::apply_forces(&mut grid.velocity, &self.setup.forces, dt);
        boundary.impose(&mut grid.velocity, &mut grid.known);
        let mut pressure = Field::new(&cells.topology, Place::Cell, 0.0);
        let viscosity = self.viscosity_to_act(dt);
        // Pressure comes first too, because viscosity takes the flow to be free of divergence.
        if viscosity.is_none() || settings.viscosity.first_projection {
            self.project(&mut system, &coupling, &mut grid, dt, &mut pressure, report)?;
        }
        if let Some(viscosity) = &viscosity {
            let viscous = ViscousLiquid {
                coupling: &self.coupling(&cells.liquid, &boundary),
                obstacles: &obstacles,
                viscosity,
                least_density: self.material().density,
                settings: settings.viscosity,
            };
            report.timed("viscosity", |report| {
                viscous.diffuse(&mut grid.velocity, &mut grid.known, dt, report)
            })?;
            self.project(&mut system, &coupling, &mut grid, dt, &mut pressure, report)?;
        }
        report.timed("extrapolation", |_| {
            free_surface::enforce_continuity(&mut grid, &cells.liquid, &boundary, settings.surface);
            stages::close_walls(&mut grid.known, &boundary);
            boundary.impose(&mut grid.velocity, &mut grid.known);
            self.continue_velocity(&mut grid, &cells, &phi);
            wall_conditions::constrain(&mut grid.velocity, &grid.known, &boundary, &obstacles);
            boundary.impose(&mut grid.velocity, &mut grid.known);
            let traction = Traction {
                boundary: &boundary,
                obstacles: &obstacles,
                pressure: &pressure,
                cell_size: cells.topology.lattice().cell_size,
                dt: dt as f32,
            };
            walls::touch(&mut grid.velocity, &traction, self.material().density);
        });
        check_finite("pressure", "velocity", &grid.velocity)?;

        let walls = Walls {
            boundary: &boundary,
        };
        let mut state = report.timed("surface", |_| self.moved(phi, &grid.velocity, &walls, dt));
        report.timed("surface", |_| {
            free_surface::renew(
                &mut grid,
                &cells.liquid,
                &state.surface.phi,
                settings.surface,
            );
        });
        state.velocity = grid.velocity;
        report.timed("volume", |_| {
            self.keep_volume(&mut state, &walls, dt as f32)
        });
        check_finite(
            "surface",
            "level set",
            std::slice::from_ref(&state.surface.phi),
        )?;
        report.timed("sources", |_| {
            self.let_in_and_out(&mut state, &walls, time, time + dt);
        });
        self.state = state;
        self.pressure = Some(pressure);
        Ok(())
    }

    /// What the liquid is made of.
    fn material(&self) -> &Material {
        &self.setup.materials[usize::from(self.material_index())]
    }

    fn material_index(&self) -> u8 {
        let initial = self.setup.initial.iter().map(|liquid| liquid.material.0);
        let emitted = self.setup.emitters.iter().map(|emitter| emitter.material.0);
        initial.chain(emitted).next().unwrap_or(0)
    }

    fn coupling<'a>(&self, liquid: &'a Field<f32>, boundary: &'a Boundary) -> Coupling<'a> {
        Coupling {
            liquid,
            boundary,
            density: None,
            reference_density: self.material().density,
        }
    }

    /// The viscosity, if it is on and large enough to matter.
    fn viscosity_to_act(&self, dt: f64) -> Option<CellViscosity> {
        let Material {
            viscosity, density, ..
        } = *self.material();
        let cell_size = f64::from(self.setup.domain.cell_size);
        let number = diffusion_number(viscosity, density, cell_size, dt);
        (self.settings.viscosity.enabled && number >= NEGLIGIBLE)
            .then_some(CellViscosity::Uniform(viscosity))
    }

    fn project(
        &self,
        system: &mut PressureSystem,
        coupling: &Coupling<'_>,
        grid: &mut FaceVelocity,
        dt: f64,
        pressure: &mut Field<f32>,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let tolerance = self.settings.pressure.tolerance;
        report.timed("pressure", |report| {
            stages::project(system, coupling, grid, tolerance, dt, pressure, report)
        })
    }

    /// Continues velocities into the air around the liquid, and into walls.
    fn continue_velocity(&self, grid: &mut FaceVelocity, cells: &Cells, phi: &Field<f32>) {
        let cell_size = cells.topology.lattice().cell_size;
        if self.settings.surface != SurfaceTreatment::Ghost {
            free_surface::extend(grid, phi, cell_size);
        }
        let distances = cells.face_distances();
        let FaceVelocity {
            velocity, known, ..
        } = grid;
        free_surface::continue_outward(velocity, known, &distances, cell_size);
    }

    /// The state after its surface has moved with the flow.
    fn moved(
        &self,
        phi: Field<f32>,
        velocity: &FieldByAxis<f32>,
        walls: &Walls<'_>,
        dt: f64,
    ) -> LevelSetState {
        let mut state = self.state.clone();
        state.surface.phi = phi;
        let flow = |point: Vec3| sample_faces(velocity, point);
        // A long step in parts, none of which crosses a tile.
        let parts = (FINE as f32 * self.settings.cfl / LONGEST_WAY)
            .ceil()
            .max(1.0);
        for _ in 0..parts as u32 {
            let part = dt as f32 / parts;
            state
                .surface
                .advance(&flow, part, &self.settings.tracking, walls);
        }
        state
    }

    /// Cuts the surface off at the solids; where volume is kept, offsets its pieces first.
    fn keep_volume(&self, state: &mut LevelSetState, walls: &Walls<'_>, dt: f32) {
        let surface = &mut state.surface;
        let solids = walls.distances(&surface.phi);
        let mut shown = walls::cut_off(&surface.phi, &solids);
        if self.settings.volume_correction {
            let before = Pieces::find(&self.state.shown);
            let pieces = Pieces::find(&shown);
            let current = pieces.volumes(&shown);
            let flow = |point: Vec3| sample_faces(&state.velocity, point);
            let back = |point: Vec3| trace_back(&flow, point, dt);
            let (volumes, whole) = (&self.state.piece_volumes, state.expected_volume);
            let wanted = pieces.inherit(&before, volumes, back, &current, whole);
            let (phi, particles) = (&mut surface.phi, &mut surface.particles);
            pieces.correct(phi, particles, &solids, &wanted, current);
            shown = walls::cut_off(phi, &solids);
            state.piece_volumes = if pieces.same(&shown) {
                wanted
            } else {
                shared_volumes(&shown, whole)
            };
        }
        state.shown = shown;
    }

    /// Lets liquid in through emitters that are open at any time after `from` until `to`, and out through drains that are open
    /// at `to` and through open sides.
    fn let_in_and_out(&self, state: &mut LevelSetState, walls: &Walls<'_>, from: f64, to: f64) {
        let domain = &self.setup.domain;
        let before = volume::volume_of(&state.shown);
        let mut phi = state.surface.phi.clone();
        sources::close_open_sides(&mut phi, domain);
        for drain in &self.setup.drains {
            if drain.start <= to && to < drain.stop {
                sources::cut_out(&mut phi, domain, &drain.shape);
            }
        }
        let mut changed = phi != state.surface.phi;
        let mut volume = if changed {
            volume::volume_of(&walls::cut_off(&phi, &walls.distances(&phi)))
        } else {
            before
        };
        for (index, emitter) in self.setup.emitters.iter().enumerate() {
            if to < emitter.start || from >= emitter.stop {
                continue;
            }
            let allowance = emitter
                .rate
                .map(|rate| rate * (to.min(emitter.stop) - emitter.start));
            if allowance.is_some_and(|allowed| state.emitted_volume[index] > allowed) {
                continue;
            }
            phi = sources::united(&phi, domain, &emitter.shape, reach(&self.settings));
            sources::close_open_sides(&mut phi, domain);
            let after = volume::volume_of(&walls::cut_off(&phi, &walls.distances(&phi)));
            state.emitted_volume[index] += after - volume;
            volume = after;
            changed = true;
        }
        if !changed {
            return;
        }
        state.surface.phi = phi;
        state.surface.reinitialise(&self.settings.tracking);
        let particles = &self.settings.tracking.particles;
        if let Some(particles) = particles {
            // Particles of what was there before would undo the change.
            let (phi, seed) = (&state.surface.phi, state.surface.seed);
            state.surface.particles.forget_wrong(phi);
            let seed = seed ^ (u64::from(state.surface.steps) << 32);
            state.surface.particles.reseed(phi, particles, seed);
            state
                .surface
                .particles
                .keep_where(|point| walls.leave_free(point));
        }
        let phi = &state.surface.phi;
        state.shown = walls::cut_off(phi, &walls.distances(phi));
        state.expected_volume += volume - before;
        state.piece_volumes = shared_volumes(&state.shown, state.expected_volume);
    }
}

/// The solids and the emitters that are open at `time` on the grid.
fn rasterize(
    setup: &LiquidSetup,
    settings: &LevelSetSettings,
    fixed: &mut FixedTiles,
    cells: &Cells,
    obstacles: &Obstacles<'_>,
    time: f64,
) -> Boundary {
    let weights = settings.pressure.wall_weights;
    let mut boundary = Boundary::rasterize(&cells.topology, obstacles, weights, fixed);
    if settings.walls == WallShape::Voxels {
        walls::voxelise(&mut boundary, obstacles);
    }
    let open = |emitter: &&Emitter| emitter.start <= time && time < emitter.stop;
    boundary.drive(setup.emitters.iter().filter(open));
    boundary
}

/// The volumes of the pieces of a liquid, scaled to a whole.
fn shared_volumes(shown: &Field<f32>, whole: f64) -> Vec<f64> {
    let mut volumes = Pieces::find(shown).volumes(shown);
    volumes[0] = 0.0;
    volume::share_out(&mut volumes, whole);
    volumes
}

/// Fine cells around the liquid that the level set's tiles must cover.
fn reach(settings: &LevelSetSettings) -> i32 {
    FINE * settings.cfl.ceil() as i32 + SPARE_FINE_CELLS
}

fn check_finite(
    stage: &'static str,
    field: &'static str,
    values: &[Field<f32>],
) -> Result<(), StepError> {
    for component in values {
        let broken = component
            .values()
            .iter()
            .position(|value| !value.is_finite());
        if let Some(index) = broken {
            let topology = component.topology();
            let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
            return Err(StepError::GridNotFinite {
                stage,
                field,
                point: component.position(cell),
                value: component.values()[index],
            });
        }
    }
    Ok(())
}

impl Liquid for LevelSetLiquid {
    fn step(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
    ) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        self.advance(time, dt, solids, &mut report)?;
        Ok(report)
    }

    fn stable_step(&self, solids: &dyn Solids) -> StableStep {
        let open = self.setup.emitters.iter();
        let emitted = open.map(|emitter| emitter.velocity.length());
        let speed = emitted.fold(observe::max_speed(&self.state), f32::max);
        stages::stable_step(&self.setup, solids, speed, self.settings.cfl)
    }

    fn measure(&self, _: &dyn Solids) -> Measure {
        observe::measure(&self.state, f64::from(self.material().density))
    }

    fn channels(&self) -> Channels {
        let viscosity = self.material().viscosity;
        observe::channels(
            &self.state,
            &self.setup.domain,
            self.material_index(),
            viscosity,
        )
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        let emitters = self.setup.emitters.len();
        self.state = LevelSetState::load(saved, &self.setup.domain, emitters, self.setup.seed)?;
        self.pressure = None;
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let inside = self.state.shown.sample(point) < 0.0;
        inside.then(|| sample_faces(&self.state.velocity, point))
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let pressure = self.pressure.as_ref()?;
        let inside = self.state.shown.sample(point) < 0.0;
        inside.then(|| pressure.sample(point))
    }

    fn volume_where(&self, _: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        observe::volume_where(&self.state, inside)
    }
}
