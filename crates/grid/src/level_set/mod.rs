//! The level-set liquid (Goktekin 2011, sec. 3.3 to 3.6; Carlson 2004, ch. 6): velocities on a staggered grid, carried by
//! themselves, and a surface that is a particle level set on a lattice of half the cell size.
//!
//! By default pressure, viscosity and walls are those of the FLIP liquid: a second-order free surface, cut cells and least
//! dissipation. `LevelSetSettings::goktekin_2011` is as published; deviations: velocities
//! inside walls are those of liquid that slides along them or sticks to them, instead of mirror images (alg. 15), and
//! pressure solves leave solid cells out instead of copying pressures into them (alg. 17), which is the same equation.

mod elastic;
mod follow;
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
use ooze_field::level_set::{TrackedSurface, TrackingWalls, retiled};
use ooze_field::{Field, FieldByAxis, Place, sample_faces};

use crate::boundary::{Boundary, FixedTiles};
use crate::elasticity::Strain;
use crate::flip::walls::{self as wall_conditions, Traction};
use crate::flip::{FaceVelocity, NEGLIGIBLE};
use crate::pressure::{Coupling, PressureSystem};
use crate::stages::{self, Projection};
use crate::viscosity::{CellViscosity, ViscousLiquid, diffusion_number};

use elastic::ElasticLaw;
use follow::reach;
use lattices::{Cells, centre_node};
pub use settings::{
    ElasticForce, LevelSetSettings, SurfaceTreatment, VelocityAdvection, WallShape,
};
pub use state::LevelSetState;
use volume::Pieces;
use walls::Walls;

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
                strain: None,
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
        let fixed = &mut self.fixed;
        let boundary = rasterize(&self.setup, &self.settings, fixed, &cells, &obstacles, -1.0);
        let walls = Walls {
            boundary: &boundary,
            domain: &self.setup.domain,
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
        let smooth_coupling = self.coupling(&cells.liquid, &boundary);
        let stress = report.timed("elasticity", |_| {
            self.push_elastically(&mut grid, &smooth_coupling, &obstacles, dt)
        });
        boundary.impose(&mut grid.velocity, &mut grid.known);
        let mut pressure = Field::new(&cells.topology, Place::Cell, 0.0);
        let viscosity = self.viscosity_to_act(stress.as_ref(), &cells.liquid, dt);
        let projection = Projection {
            coupling: &coupling,
            tolerance: settings.pressure.tolerance,
            dt,
            follow: self.state.strain.is_some(),
        };
        // Pressure comes first too, because viscosity takes the flow to be free of divergence.
        if viscosity.is_none() || settings.viscosity.first_projection {
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
        }
        if let Some(viscosity) = &viscosity {
            let viscous = self.viscous_liquid(&smooth_coupling, &obstacles, viscosity);
            report.timed("viscosity", |report| {
                viscous.diffuse(&mut grid.velocity, &mut grid.known, dt, report)
            })?;
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
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
            domain: &self.setup.domain,
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
        state.strain = report.timed("elasticity", |_| {
            let (phi, velocity) = (&state.surface.phi, &grid.velocity);
            self.advanced_strain(
                stress.is_some(),
                phi,
                velocity,
                &cells,
                &boundary,
                dt as f32,
            )
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

    /// What is elastic about the liquid; none if nothing is.
    fn elastic_law(&self) -> Option<ElasticLaw> {
        let Material {
            elasticity,
            density,
            ..
        } = *self.material();
        ElasticLaw::of(elasticity, density, &self.settings)
    }

    /// Lets elastic stress push the faces; returns the strain that it comes from.
    fn push_elastically(
        &self,
        grid: &mut FaceVelocity,
        coupling: &Coupling<'_>,
        obstacles: &Obstacles<'_>,
        dt: f64,
    ) -> Option<Strain> {
        let law = self.elastic_law()?;
        let liquid = coupling.liquid;
        let strain = elastic::on_tiles(self.state.strain.as_ref()?, liquid.topology());
        if law.is_adjoint() {
            let strain = law.relaxed(&strain, liquid, dt as f32);
            let modulus = law.modulus();
            let viscous = self.viscous_liquid(coupling, obstacles, &modulus);
            let grounds = viscous.grounds();
            let (velocity, known) = (&mut grid.velocity, &mut grid.known);
            viscous.push(&grounds, &strain, velocity, known, dt);
        } else {
            law.push_by_differences(&strain, grid, dt);
        }
        Some(strain)
    }

    /// The strain after the step, where the liquid is now.
    fn advanced_strain(
        &self,
        elastic: bool,
        phi: &Field<f32>,
        velocity: &FieldByAxis<f32>,
        cells: &Cells,
        boundary: &Boundary,
        dt: f32,
    ) -> Option<Strain> {
        let law = self.elastic_law().filter(|_| elastic)?;
        let strain = self.state.strain.as_ref()?;
        let liquid = Field::from_cells(&cells.topology, Place::Cell, phi.outside(), |cell| {
            phi.get(centre_node(cell))
        });
        Some(law.advanced(strain, velocity, &liquid, boundary, dt))
    }

    /// The viscosity, if it is on and large enough to matter, with what an implicit elastic step adds.
    fn viscosity_to_act(
        &self,
        strain: Option<&Strain>,
        liquid: &Field<f32>,
        dt: f64,
    ) -> Option<CellViscosity> {
        let Material {
            viscosity, density, ..
        } = *self.material();
        let viscosity = if self.settings.viscosity.enabled {
            viscosity
        } else {
            0.0
        };
        let implicit = self
            .elastic_law()
            .zip(strain)
            .and_then(|(law, strain)| law.implicit_viscosity(strain, liquid, viscosity, dt));
        let cell_size = f64::from(self.setup.domain.cell_size);
        let number = diffusion_number(viscosity, density, cell_size, dt);
        implicit.or_else(|| (number >= NEGLIGIBLE).then_some(CellViscosity::Uniform(viscosity)))
    }

    fn viscous_liquid<'a>(
        &self,
        coupling: &'a Coupling<'a>,
        obstacles: &'a Obstacles<'a>,
        viscosity: &'a CellViscosity,
    ) -> ViscousLiquid<'a> {
        ViscousLiquid {
            coupling,
            obstacles,
            viscosity,
            least_density: self.material().density,
            elastic: self.state.strain.is_some(),
            grounds: None,
            settings: self.settings.viscosity,
        }
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
        let flow = stages::stable_step(&self.setup, solids, speed, self.settings.cfl);
        let law = self.elastic_law();
        match law.and_then(|law| law.stable_step(self.setup.domain.cell_size)) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
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
        let (domain, seed) = (&self.setup.domain, self.setup.seed);
        let elastic = self.elastic_law().is_some();
        self.state = LevelSetState::load(saved, domain, emitters, seed, elastic)?;
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
