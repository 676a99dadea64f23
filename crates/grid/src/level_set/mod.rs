//! The level-set liquid (Goktekin 2011, sec. 3.3 to 3.6; Carlson 2004, ch. 6): velocities on a staggered grid, carried by
//! themselves, and a surface that is a particle level set on a lattice of half the cell size.
//!
//! By default pressure, viscosity and walls are those of the FLIP liquid: a second-order free surface, cut cells and least
//! dissipation. `LevelSetSettings::goktekin_2011` is as published; deviation: pressure solves leave solid cells out instead of
//! copying pressures into them (alg. 17), which is the same equation.

mod air;
mod elastic;
mod follow;
mod free_surface;
mod lattices;
mod mixture;
mod observe;
mod pockets;
mod rheology;
mod settings;
mod sources;
mod state;
mod strain_rates;
mod transport;
mod turning;
mod volume;
mod walls;

use std::borrow::Cow;

use glam::{IVec3, Vec3};
use ooze_core::{
    ChannelError, Channels, Emitter, Liquid, LiquidSetup, Measure, Obstacles, Solids, StableStep,
    StepError, StepReport,
};
use ooze_field::fraction::VolumeFractions;
use ooze_field::level_set::{Air, TrackedSurface, TrackingWalls, retiled};
use ooze_field::{Field, FieldByAxis, Flow, Place, sample_faces};

use crate::boundary::{Boundary, FixedTiles};
use crate::elasticity::Strain;
use crate::flip::FaceVelocity;
use crate::flip::walls::{self as wall_conditions, Traction};
use crate::gaps::{self, Parted};
use crate::pressure::{Coupling, PressureSystem};
use crate::separation::{Separation, any_lets_go};
use crate::stages::{self, Projection};
use crate::viscosity::{CellViscosity, Grounds, StressRows, ViscousLiquid};

use air::AirFlow;
use elastic::ElasticLaw;
use follow::reach;
use lattices::Cells;
pub use mixture::Mixture;
use rheology::Stands;
pub use settings::{
    ElasticForce, LevelSetSettings, SurfaceTreatment, VelocityAdvection, WallShape,
};
pub use state::LevelSetState;
use strain_rates::RowRates;
use turning::Turning;
use volume::Pieces;
use walls::Walls;

/// Open share of a face up to which its velocity is continued from its neighbours instead of being the pressure's: little
/// flows through it, however fast it is.
const NEARLY_SHUT: f32 = 0.1;

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
}

impl LevelSetLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: LevelSetSettings, solids: &dyn Solids) -> Self {
        let lattice = setup.domain.lattice();
        let band = settings.tracking.band * 0.5 * lattice.cell_size;
        let phi = sources::initial_level_set(&setup, band, reach(&settings));
        let cells = Cells::around(&phi, lattice);
        let mixture = Mixture::new(&setup, &cells.topology);
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
        let mut liquid = Self {
            flows,
            state: LevelSetState {
                shown: surface.phi.clone(),
                surface,
                velocity,
                strain: None,
                mixture,
                piece_volumes: Vec::new(),
                piece_spins: Vec::new(),
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
        // The solids stand at the step's end already; the liquid is where they were at its start.
        let arrived = Obstacles::new(&self.setup.domain, solids);
        let obstacles = arrived.at_start();
        let phi = report.timed("tiles", |_| {
            retiled(&self.state.surface.phi, reach(&settings))
        });
        let mut cells = report.timed("tiles", |_| {
            Cells::around(&phi, self.setup.domain.lattice())
        });
        let boundary = report.timed("solids", |_| {
            let fixed = &mut self.fixed;
            let boundary = rasterize(&self.setup, &settings, fixed, &cells, &obstacles, time);
            walls::part(&mut cells.liquid, &phi, &boundary);
            boundary
        });
        let mixture = report.timed("tiles", |_| {
            let open = open_emitters(&self.setup, time);
            let mixture = &self.state.mixture;
            mixture.on_tiles(&cells.topology, &self.setup.domain, open)
        });
        let densities = self.face_densities(&mixture, &cells.topology);
        let mut grid = report.timed("advection", |_| {
            let (old, scheme) = (&self.state.velocity, settings.velocity_advection);
            let (seconds, cfl) = (dt as f32, settings.cfl);
            transport::advect_velocity(old, &cells, &phi, &boundary, seconds, scheme, cfl)
        });
        let density = |cell| self.density(&mixture, cell);
        let before = settings
            .volume_correction
            .then(|| report.timed("volume", |_| Pieces::find(&self.state.shown)));
        let turning = before.as_ref().map(|pieces| {
            report.timed("spin", |_| Turning {
                pieces,
                shown: &self.state.shown,
                shares: VolumeFractions::of(&cells.liquid).faces,
            })
        });
        if let Some(turning) = &turning {
            report.timed("spin", |_| {
                turning.restore(&mut grid.velocity, &self.state.piece_spins, density);
            });
        }
        stages::apply_forces(&mut grid.velocity, &self.setup.forces, dt);
        let Parted { boundary, gaps } = report.timed("solids", |_| {
            gaps::part(&cells.liquid, boundary, &mut grid, dt)
        });
        let pressure_cells = free_surface::pressure_cells(&cells.liquid, settings.surface);
        let coupling = self.coupling(&pressure_cells, &boundary, densities.as_ref());
        let mut system = report.timed("assembly", |_| {
            PressureSystem::assemble(&coupling, settings.pressure)
        })?;
        report.liquid_cells = system.size();
        let spins = report.timed("spin", |_| {
            let measure = |turning: &Turning| turning.measure(&grid.velocity, density, &boundary);
            turning.as_ref().map(measure).unwrap_or_default()
        });
        let strain = report.timed("elasticity", |_| {
            let strain = self.state.strain.as_ref();
            strain.map(|strain| elastic::on_tiles(strain, &cells.topology))
        });
        let acting = report.timed("elasticity", |_| {
            let law = self.elastic_law().filter(ElasticLaw::is_adjoint);
            let relaxed = |law: ElasticLaw| {
                let strain = strain.as_ref()?;
                Some(law.relaxed(strain, &mixture, &cells.liquid, dt as f32))
            };
            law.and_then(relaxed).or_else(|| strain.clone())
        });
        let law = self.elastic_law();
        let modulus = law
            .as_ref()
            .map(|law| law.modulus(&mixture, &cells.topology));
        let stressed = |coupling: &Coupling<'_>| {
            let modulus = modulus.as_ref()?;
            law.as_ref().filter(|law| law.is_adjoint())?;
            let viscous = self.viscous_liquid(coupling, &obstacles, modulus, None);
            let grounds = viscous.grounds();
            let rows = viscous.stress_rows(&grounds);
            Some((grounds, rows))
        };
        type Stressed = Option<(Grounds, StressRows)>;
        let push = |coupling: &Coupling<'_>, stressed: &Stressed, grid: &mut FaceVelocity| {
            if let (Some(law), Some(strain)) = (&law, &acting) {
                match modulus.as_ref().zip(stressed.as_ref()) {
                    Some((modulus, (grounds, rows))) => {
                        let viscous = self.viscous_liquid(coupling, &obstacles, modulus, None);
                        let (velocity, known) = (&mut grid.velocity, &mut grid.known);
                        viscous.push(grounds, rows, strain, velocity, known, dt);
                    }
                    None => law.push_by_differences(strain, &mixture, grid, density, dt),
                }
            }
            let (velocity, known) = (&mut grid.velocity, &mut grid.known);
            coupling.boundary.impose(velocity, known);
        };
        let separation = Separation {
            coupling: &coupling,
            obstacles: &obstacles,
            settings: settings.pressure,
            dt,
        };
        let opened = report.timed("separation", |report| {
            let push_between = |boundary: &Boundary, grid: &mut FaceVelocity| {
                let liquid = boundary.cut_off(&cells.liquid);
                let coupling = self.coupling(&liquid, boundary, densities.as_ref());
                push(&coupling, &stressed(&coupling), grid);
            };
            separation.find(&grid, push_between, report)
        })?;
        let (boundary, pressed, smooth) = match opened {
            Some(opened) => {
                system = opened.system;
                let cut = |liquid: &Field<f32>| Cow::Owned(opened.boundary.cut_off(liquid));
                let (pressed, smooth) = (cut(&pressure_cells), cut(&cells.liquid));
                (opened.boundary, pressed, smooth)
            }
            None => {
                let (pressed, smooth) = (Cow::Borrowed(&pressure_cells), &cells.liquid);
                (boundary, pressed, Cow::Borrowed(smooth))
            }
        };
        let boundary = &boundary;
        let coupling = self.coupling(&pressed, boundary, densities.as_ref());
        let smooth_coupling = self.coupling(&smooth, boundary, densities.as_ref());
        // Viscosity acts there too.
        let stressed = report.timed("weights", |_| stressed(&smooth_coupling));
        report.timed("elasticity", |_| {
            push(&smooth_coupling, &stressed, &mut grid)
        });
        let mut pressure = Field::new(&cells.topology, Place::Cell, 0.0);
        let viscosity = self.viscosity_to_act(strain.as_ref(), &mixture, &cells.liquid, dt);
        let projection = Projection {
            coupling: &coupling,
            tolerance: settings.pressure.tolerance,
            dt,
        };
        // Pressure comes first too, because viscosity takes the flow to be free of divergence.
        if viscosity.is_none() || settings.viscosity.first_projection {
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
        }
        if let Some(viscosity) = &viscosity {
            let grounds = stressed.as_ref().map(|(grounds, _)| grounds);
            let viscous = self.viscous_liquid(&smooth_coupling, &obstacles, viscosity, grounds);
            report.timed("viscosity", |report| {
                viscous.diffuse(&mut grid.velocity, &mut grid.known, dt, report)
            })?;
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
        }
        let shaped = strain.is_some() || viscosity.is_some();
        let spins = if shaped { spins } else { Vec::new() };
        // Neither pressure nor stress turns a free piece, but they weigh its faces differently.
        if let Some(turning) = &turning {
            report.timed("spin", |_| {
                turning.restore(&mut grid.velocity, &spins, density)
            });
        }
        let rates = report.timed("elasticity", |_| {
            let ((grounds, rows), modulus) = stressed.as_ref().zip(modulus.as_ref())?;
            let viscous = self.viscous_liquid(&smooth_coupling, &obstacles, modulus, None);
            let rates = viscous.plain_strain_rates(grounds, rows, &grid.velocity);
            Some(RowRates::new(rates, viscous.stress_shares(rows)))
        });
        let pieces = before.as_ref().map(|pieces| (pieces, spins));
        report.timed("extrapolation", |_| {
            free_surface::enforce_continuity(&mut grid, &cells.liquid, boundary, settings.surface);
            gaps::limit(&mut grid, boundary, &gaps);
            stages::close_walls(&mut grid.known, boundary, NEARLY_SHUT);
            boundary.impose(&mut grid.velocity, &mut grid.known);
            self.continue_velocity(&mut grid, &cells, &phi);
            wall_conditions::constrain(&mut grid.velocity, &grid.known, boundary, &obstacles);
            if settings.walls == WallShape::Voxels {
                walls::mirror(&mut grid.velocity, boundary, &obstacles);
            }
            boundary.impose(&mut grid.velocity, &mut grid.known);
            let traction = Traction {
                boundary,
                obstacles: &obstacles,
                pressure: &pressure,
                cell_size: cells.topology.lattice().cell_size,
                dt: dt as f32,
            };
            walls::touch(&mut grid.velocity, &cells.liquid, &traction, density);
        });
        check_finite("pressure", "velocity", &grid.velocity)?;

        let boundary_after = report.timed("solids", |_| {
            let weights = settings.pressure.wall_weights;
            let fixed = &mut self.fixed;
            let rasterize = || Boundary::rasterize(&cells.topology, &arrived, weights, fixed);
            obstacles.any_moves().then(rasterize)
        });
        let domain = &self.setup.domain;
        let departed = Walls::new(boundary, domain);
        let walls = Walls::new(boundary_after.as_ref().unwrap_or(boundary), domain);
        // The other treatments continue velocities as published; and particles of air that hold gaps open must not be blown out
        // of them.
        let particles = settings.tracking.particles;
        let yields = particles.is_none_or(|particles| particles.air != Air::Holding);
        let around = match settings.surface {
            SurfaceTreatment::Ghost if yields => report.timed("air", |report| {
                let air = AirFlow {
                    liquid: &cells.liquid,
                    far: &cells.far,
                    boundary,
                    cfl: settings.cfl,
                    through_walls: strain.is_some(),
                };
                air.without_divergence(&grid.velocity, report)
                    .map(Cow::Owned)
            })?,
            _ => Cow::Borrowed(&grid.velocity),
        };
        let mut flow = report.timed("surface", |_| Flow::new(&around));
        let (mut state, filled) = report.timed("surface", |_| {
            let fastest = stages::fastest(&around);
            self.moved(phi, &flow, fastest, [&departed, &walls], dt)
        });
        report.filled_volume = filled;
        if settings.surface == SurfaceTreatment::Smooth {
            report.timed("surface", |_| {
                free_surface::renew(&mut grid, &cells.liquid, &state.surface.phi);
                flow = Flow::new(&grid.velocity);
            });
        }
        let moved = cells.level_set(&state.surface.phi);
        state.mixture = report.timed("advection", |_| mixture.advanced(&flow, &moved, dt as f32));
        state.strain = report.timed("elasticity", |_| {
            let (law, strain) = (law.as_ref()?, strain?);
            let (velocity, dt) = (&grid.velocity, dt as f32);
            Some(match &rates {
                Some(rates) => {
                    let liquid = &cells.liquid;
                    let strained = law.strained(strain, &mixture, velocity, rates, liquid, dt);
                    let carried = elastic::carried(&strained, &flow, &moved, dt);
                    let stands = Stands {
                        phi: &state.surface.phi,
                        liquid: &moved,
                        boundary: boundary_after.as_ref().unwrap_or(boundary),
                        obstacles: &arrived,
                    };
                    let shares = self.stress_shares(law, &state.mixture, &stands);
                    rates.restrained(&strained, carried, &shares)
                }
                None => {
                    let carried = elastic::carried(&strain, &flow, &moved, dt);
                    law.strained_by_differences(carried, &mixture, velocity, &moved, boundary, dt)
                }
            })
        });
        state.velocity = grid.velocity;
        report.timed("volume", |_| {
            self.keep_volume(&mut state, &walls, pieces, &flow, dt as f32)
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

    fn coupling<'a>(
        &self,
        liquid: &'a Field<f32>,
        boundary: &'a Boundary,
        density: Option<&'a FieldByAxis<f32>>,
    ) -> Coupling<'a> {
        Coupling {
            liquid,
            boundary,
            density,
            reference_density: self.least_density(),
        }
    }

    fn viscous_liquid<'a>(
        &self,
        coupling: &'a Coupling<'a>,
        obstacles: &'a Obstacles<'a>,
        viscosity: &'a CellViscosity,
        grounds: Option<&'a Grounds>,
    ) -> ViscousLiquid<'a> {
        ViscousLiquid {
            coupling,
            obstacles,
            viscosity,
            stiffening: None,
            least_density: self.least_density(),
            elastic: self.state.strain.is_some(),
            grounds,
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
    boundary.drive(open_emitters(setup, time));
    boundary
}

/// The emitters that are open at a moment.
fn open_emitters(setup: &LiquidSetup, time: f64) -> impl Iterator<Item = &Emitter> {
    let open = move |emitter: &&Emitter| emitter.start <= time && time < emitter.stop;
    setup.emitters.iter().filter(open)
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
        let lets_go = any_lets_go(&Obstacles::new(&self.setup.domain, solids));
        match law.map(|law| law.stable_step(lets_go)) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let state = &self.state;
        let law = self.elastic_law();
        let elastic = law.as_ref().zip(state.strain.as_ref());
        let (adjoint, plain) = match elastic {
            Some((law, _)) if law.is_adjoint() => (elastic, None),
            _ => (None, elastic),
        };
        let mut measure = observe::measure(
            state,
            |cell| self.density(&state.mixture, cell),
            |point| self.setup.potential(point),
            plain.map(|(law, strain)| {
                move |fine: IVec3| law.energy_density(strain, &state.mixture, fine)
            }),
        );
        if let Some((law, strain)) = adjoint {
            measure.elastic_energy = Some(self.stored_energy(law, strain, solids));
        }
        measure
    }

    fn channels(&self) -> Channels {
        let (state, setup) = (&self.state, &self.setup);
        let mut channels = observe::channels(state, &setup.domain, &setup.materials);
        let particles = self.settings.tracking.particles;
        let air = particles.map_or(Air::Absent, |particles| particles.air);
        observe::show_escaped(state, air, &mut channels);
        channels
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        let elastic = self.elastic_law().is_some();
        let corrected = self.settings.volume_correction;
        self.state = LevelSetState::load(saved, &self.setup, elastic, corrected)?;
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
