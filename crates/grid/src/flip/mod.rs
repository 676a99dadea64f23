//! The FLIP liquid (Zhu & Bridson 2005; Batty & Bridson 2008, sec. 6).

mod carried;
mod contact;
mod elastic;
mod guide;
mod held;
mod kernel;
mod measure;
mod mirror;
mod observe;
mod order;
mod packing;
mod particles;
mod pockets;
mod reader;
mod rheology;
mod scatter;
mod seeding;
mod settling;
mod spacing;
mod spread;
mod state;
mod stress;
mod surface;
mod transfer;
pub(crate) mod turning;
mod volume;
pub(crate) mod walls;

use std::borrow::Cow;

use glam::{IVec3, Vec3};
use ooze_core::{
    ChannelError, Channels, Emitter, Liquid, LiquidSetup, Measure, Obstacles, Solids, StableStep,
    StepError, StepReport,
};
use ooze_field::{Field, FieldByAxis, Place, level_set, sample_faces};
use rayon::prelude::*;

use crate::FlipSettings;
use crate::boundary::{Boundary, FixedTiles};
use crate::gaps::{self, Parted};
use crate::pressure::{Coupling, PressureSystem};
use crate::separation::{Separation, any_lets_go};
use crate::stages::{self, Projection};
use crate::viscosity::{CellViscosity, Grounds, ViscousLiquid, diffusion_number};

use contact::Contacts;
use elastic::Laws;
use order::{CellOrder, tiles_around};
pub use particles::{Affine, Deformation, Particles};
pub(crate) use rheology::NEGLIGIBLE;
pub use seeding::particle_volume;
pub use state::FlipState;
use stress::ElasticStress;
use surface::{SphereSizes, Surface};
pub(crate) use transfer::FaceVelocity;
use turning::Spin;
use walls::Aside;

/// Cells around particles that fields reach, beyond what a step can cross.
const MARGIN_CELLS: i32 = 3;
/// Rounds of volume correction in each step.
const ROUNDS_PER_STEP: usize = 2;

/// A liquid carried by particles and made incompressible on a grid.
///
/// Where viscosity matters, a step projects, diffuses and projects again (Batty & Bridson 2008, sec. 3). The first
/// projection may be saved where nothing holds the liquid against gravity: in free flight results agree to a thousandth,
/// but a tank with walls that the liquid sticks to is stirred, because the viscous solve then sees the whole liquid fall.
pub struct FlipLiquid {
    setup: LiquidSetup,
    settings: FlipSettings,
    densities: Vec<f32>,
    laws: Laws,
    state: FlipState,
    /// What the last step computed on the grid, for probes.
    observed: Option<Observed>,
    /// Memory for the next step's particles.
    spare: Particles,
    /// What fixed solids look like on the grid.
    fixed: FixedTiles,
}

/// Fields of the last step.
struct Observed {
    liquid: Field<f32>,
    velocity: FieldByAxis<f32>,
    pressure: Field<f32>,
}

impl FlipLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: FlipSettings, solids: &dyn Solids) -> Self {
        let domain = setup.domain.clone();
        let obstacles = Obstacles::new(&domain, solids);
        let laws = Laws::new(&setup, &settings);
        let mut seeds = seeding::initial_points(&setup, &settings, &obstacles);
        let densities = setup
            .materials
            .iter()
            .map(|material| material.density)
            .collect();
        let mut liquid = Self {
            setup,
            settings,
            densities,
            laws,
            state: FlipState::default(),
            observed: None,
            spare: Particles::default(),
            fixed: FixedTiles::default(),
        };
        liquid.settle(&mut seeds, &obstacles);
        let (setup, laws) = (&liquid.setup, &liquid.laws);
        let mut state = seeding::seed_initial(setup, &settings, laws, &seeds);
        let start = (-f64::MIN_POSITIVE, 0.0);
        seeding::emit(&mut state, setup, &settings, laws, &obstacles, start);
        liquid.state = state;
        liquid
    }

    /// The state: particles and counters.
    pub fn state(&self) -> &FlipState {
        &self.state
    }

    /// Elastic energy of the particles' strain in joules.
    pub fn elastic_energy(&self) -> f64 {
        let volume = self.particle_volume();
        self.laws.energy(&self.state.particles, volume)
    }

    /// Everything a step does, on a copy of the particles.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let settings = self.settings;
        let order = report.timed("sort", |_| self.sort_particles());
        // The solids stand at the step's end already; the liquid is where they were at its start.
        let arrived = Obstacles::new(&self.setup.domain, solids);
        let obstacles = arrived.at_start();
        let weights = settings.pressure.wall_weights;
        let mut particles = std::mem::take(&mut self.spare);
        let boundary = report.timed("solids", |_| {
            let mut boundary =
                Boundary::rasterize(&order.topology, &obstacles, weights, &mut self.fixed);
            let open = |emitter: &&Emitter| emitter.start <= time && time < emitter.stop;
            boundary.drive(self.setup.emitters.iter().filter(open));
            boundary
        });
        let Surface {
            distance: liquid,
            pieces,
            content,
        } = report.timed("surface", |_| {
            let Particles {
                position, touching, ..
            } = &mut particles;
            self.wrap(
                &order,
                position,
                touching,
                (&boundary, &obstacles),
                ROUNDS_PER_STEP,
            )
        });
        let mut grid = report.timed("to grid", |_| {
            let gradients = held::gradients(&order, &particles, &boundary, &obstacles);
            let (densities, sampling) = (&self.densities, settings.sampling);
            transfer::to_grid(&order, &particles, &gradients, densities, sampling)
        });
        let density = grid.density.take();
        let before = grid.velocity.clone();
        report.timed("forces", |_| {
            stages::apply_forces(&mut grid.velocity, &self.setup.forces, dt)
        });
        let Parted { boundary, gaps } =
            report.timed("solids", |_| gaps::part(&liquid, boundary, &mut grid, dt));
        let coupling = self.coupling(&liquid, &boundary, density.as_ref());
        let mut system = report.timed("assembly", |_| {
            PressureSystem::assemble(&coupling, settings.pressure)
        })?;
        report.liquid_cells = system.size();
        let stress = report.timed("elasticity", |_| {
            let sampling = settings.sampling;
            self.laws.stress(&order, &particles, sampling, dt)
        });
        let grounds_of = |coupling: &Coupling<'_>| {
            let stress = stress.as_ref()?;
            let liquid = self.stressed_liquid(coupling, &obstacles, stress);
            Some(liquid.grounds())
        };
        // Returns the rows that the stress has pushed with.
        let push = |coupling: &Coupling<'_>, grounds: Option<&Grounds>, grid: &mut FaceVelocity| {
            let (velocity, known) = (&mut grid.velocity, &mut grid.known);
            let rows = stress.as_ref().zip(grounds).map(|(stress, grounds)| {
                let liquid = self.stressed_liquid(coupling, &obstacles, stress);
                let rows = liquid.stress_rows(grounds);
                liquid.push(grounds, &rows, &stress.strain, velocity, known, dt);
                rows
            });
            coupling.boundary.impose(velocity, known);
            rows
        };
        let separation = Separation {
            coupling: &coupling,
            obstacles: &obstacles,
            settings: settings.pressure,
            dt,
        };
        let opened = report.timed("separation", |report| {
            let push_between = |boundary: &Boundary, grid: &mut FaceVelocity| {
                let liquid = boundary.cut_off(&liquid);
                let coupling = self.coupling(&liquid, boundary, density.as_ref());
                push(&coupling, grounds_of(&coupling).as_ref(), grid);
            };
            separation.find(&grid, push_between, report)
        })?;
        let (boundary, pressed) = match opened {
            Some(opened) => {
                system = opened.system;
                let cut = opened.boundary.cut_off(&liquid);
                (opened.boundary, Cow::Owned(cut))
            }
            None => (boundary, Cow::Borrowed(&liquid)),
        };
        let boundary = &boundary;
        let coupling = self.coupling(&pressed, boundary, density.as_ref());
        // Viscosity acts there too.
        let grounds = report.timed("weights", |_| grounds_of(&coupling));
        let rows = report.timed("elasticity", |_| {
            push(&coupling, grounds.as_ref(), &mut grid)
        });
        let viscosity = self.viscosity_to_act(&order, &particles, dt);
        let projection = Projection {
            coupling: &coupling,
            tolerance: settings.pressure.tolerance,
            dt,
        };
        let mut pressure = Field::new(&order.topology, Place::Cell, 0.0);
        // Pressure comes first too, because viscosity takes the flow to be free of divergence.
        if viscosity.is_none() || settings.viscosity.first_projection {
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
        }
        if let Some(viscosity) = &viscosity {
            let viscous = ViscousLiquid {
                stiffening: stress
                    .as_ref()
                    .and_then(|stress| stress.stiffening.as_ref()),
                ..self.viscous_liquid(&coupling, &obstacles, viscosity, grounds.as_ref())
            };
            report.timed("viscosity", |report| {
                let mut carried = carried::to_cells(&order, &particles);
                let (velocity, known) = (&mut grid.velocity, &mut grid.known);
                viscous.diffuse_under(carried.as_mut(), velocity, known, dt, report)?;
                if let Some(carried) = carried {
                    stages::add(&mut pressure, &carried.pascals, 1.0);
                    carried::to_particles(&mut particles, carried);
                }
                Ok(())
            })?;
            projection.apply(&mut system, &mut grid, &mut pressure, report)?;
        }
        let strained = stress.as_ref().zip(grounds.as_ref()).zip(rows.as_ref());
        let rates = report.timed("elasticity", |_| {
            strained.map(|((stress, grounds), rows)| {
                let liquid = self.stressed_liquid(&coupling, &obstacles, stress);
                let rates = liquid.strain_rates(grounds, rows, &grid.velocity);
                stress.rates(&order, &particles.position, &rates)
            })
        });
        let continued = report.timed("extrapolation", |_| {
            let layers = settings.cfl.ceil() as u32 + 2;
            gaps::limit(&mut grid, boundary, &gaps);
            stages::close_walls(&mut grid.known, boundary, 0.0);
            boundary.impose(&mut grid.velocity, &mut grid.known);
            level_set::extrapolate_faces(&mut grid.velocity, &mut grid.known, layers);
            let continued = rates.is_some().then(|| grid.velocity.clone());
            walls::constrain(&mut grid.velocity, &grid.known, boundary, &obstacles);
            boundary.impose(&mut grid.velocity, &mut grid.known);
            continued
        });
        report.timed("to particles", |_| {
            let (new, transfer) = (&grid.velocity, settings.transfer);
            transfer::to_particles(&order, &mut particles, new, &before, transfer);
            held::follow(&order, &mut particles, new, boundary, &obstacles);
            walls::touch(
                &order,
                &mut particles,
                boundary,
                &obstacles,
                &pressure,
                (&self.densities, settings.sampling),
                dt as f32,
            );
        });
        if let Some((continued, rates)) = continued.zip(rates) {
            report.timed("elasticity", |_| {
                let turning = walls::turning(&grid.velocity, &continued, boundary);
                transfer::read_gradients(&order, &mut particles, &turning);
                let axes = self.setup.domain.dimensions();
                let laws = &self.laws;
                laws.update(&mut particles, &rates, &settings, axes, dt);
                self.laws.free_spray(&order, &mut particles);
            });
        }
        let displacement = report.timed("density", |report| {
            let (positions, sampling) = (&particles.position, settings.sampling);
            let wanted = settings.density_correction.then(|| {
                spread::displacement(&order, positions, &mut system, &coupling, sampling, report)
            });
            wanted.transpose()
        })?;
        let shifts = report.timed("spacing", |_| match &viscosity {
            None => Vec::new(),
            Some(_) => {
                let (positions, sampling) = (&particles.position, settings.sampling);
                let owner = pieces.owner().values();
                let freedom = |index: usize| content.freedom(owner[index], index);
                let mut shifts =
                    spacing::shifts(&order, positions, &liquid, freedom, boundary, sampling);
                self.laws.hold(&particles, &mut shifts);
                shifts
            }
        });
        report.timed("carry", |_| {
            let velocity = &grid.velocity;
            let aside = Aside {
                faces: displacement.as_ref(),
                shifts: &shifts,
            };
            let dt = dt as f32;
            let shaped = viscosity.is_some() || self.laws.any();
            let moved = obstacles
                .any_moves()
                .then(|| Boundary::rasterize(&order.topology, &arrived, weights, &mut self.fixed));
            let spin = shaped
                .then(|| Spin::measure(&order, &particles, &pieces, boundary, &self.densities));
            walls::carry(
                &order,
                &mut particles,
                velocity,
                aside,
                moved.as_ref().unwrap_or(boundary),
                &arrived,
                dt,
            );
            // Velocities do not turn with the positions: viscous and elastic pieces in flight would spin more slowly in every step.
            if let Some(spin) = spin {
                spin.restore(&mut particles, |point| {
                    held::freedom(boundary, &obstacles, point)
                });
            }
        });
        check_finite(&particles)?;

        // From here on nothing can fail.
        self.spare = std::mem::replace(&mut self.state.particles, particles);
        report.timed("sources", |_| {
            let (state, setup) = (&mut self.state, &self.setup);
            seeding::drain(state, setup, &settings, time + dt);
            let span = (time, time + dt);
            seeding::emit(state, setup, &settings, &self.laws, &arrived, span);
        });
        self.observed = Some(Observed {
            liquid,
            velocity: grid.velocity,
            pressure,
        });
        Ok(())
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
        seeding::particle_volume(&self.setup.domain, self.settings.sampling)
    }

    /// Sorts a copy of the particles into `spare`, by cell.
    fn sort_particles(&mut self) -> CellOrder {
        let margin = MARGIN_CELLS + self.settings.cfl.ceil() as i32;
        let positions = &self.state.particles.position;
        let topology = tiles_around(self.setup.domain.lattice(), positions, margin).build();
        let (order, permutation) = CellOrder::sort(topology.into(), positions);
        self.state
            .particles
            .gather_into(&permutation, &mut self.spare);
        order
    }

    /// The viscosity of the cells, if it is on and large enough to matter, or if an implicit elastic step adds to it.
    fn viscosity_to_act(
        &self,
        order: &CellOrder,
        particles: &Particles,
        dt: f64,
    ) -> Option<CellViscosity> {
        let (density, cell_size) = (self.least_density(), self.setup.domain.cell_size);
        let enabled = self.settings.viscosity.enabled;
        let own = || rheology::cell_viscosity(order, &particles.viscosity, density, dt);
        let stiffening = self.laws.stiffening(cell_size, dt);
        let number = diffusion_number(stiffening, density, f64::from(cell_size), dt);
        let added = (number >= NEGLIGIBLE).then_some(CellViscosity::Uniform(0.0));
        enabled.then(own).flatten().or(added)
    }

    fn stressed_liquid<'a>(
        &self,
        coupling: &'a Coupling<'a>,
        obstacles: &'a Obstacles<'a>,
        stress: &'a ElasticStress,
    ) -> ViscousLiquid<'a> {
        self.viscous_liquid(coupling, obstacles, &stress.modulus, None)
    }

    fn least_density(&self) -> f32 {
        self.densities.iter().copied().fold(f32::INFINITY, f32::min)
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
            elastic: self.laws.any(),
            grounds,
            settings: self.settings.viscosity,
        }
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
            reference_density: self.densities.first().copied().unwrap_or(1.0),
        }
    }
}

fn check_finite(particles: &Particles) -> Result<(), StepError> {
    let broken = |values: &[Vec3]| values.par_iter().position_first(|value| !value.is_finite());
    if let Some(index) = particles
        .strain
        .par_iter()
        .position_first(|strain| !strain.is_finite())
    {
        return Err(StepError::NotFinite {
            stage: "elasticity",
            channel: "strain",
            identity: particles.identity[index],
            value: format!("{:?}", particles.strain[index]),
        });
    }
    let channels = [
        ("position", &particles.position),
        ("velocity", &particles.velocity),
    ];
    for (channel, values) in channels {
        if let Some(index) = broken(values) {
            return Err(StepError::NotFinite {
                stage: "carry",
                channel,
                identity: particles.identity[index],
                value: format!("{:?}", values[index]),
            });
        }
    }
    Ok(())
}

impl Liquid for FlipLiquid {
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
        let (speed, cfl) = (measure::max_speed(&self.state), self.settings.cfl);
        let flow = stages::stable_step(&self.setup, solids, speed, cfl);
        let cell_size = self.setup.domain.cell_size;
        let lets_go = any_lets_go(&Obstacles::new(&self.setup.domain, solids));
        match self.laws.stable_step(&self.settings, cell_size, lets_go) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let mut measure = measure::of_particles(&self.state, &self.setup, self.particle_volume());
        let wrapped = self.wrapped(solids);
        measure.volume = wrapped.volume(|_| 1.0) + wrapped.spray;
        measure.packing = Some(wrapped.packing());
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let depth = 0.5 * self.setup.domain.cell_size;
        measure.trapped = obstacles.trapped(&self.state.particles.position, depth);
        measure.elastic_energy = self.laws.any().then(|| self.elastic_energy());
        measure
    }

    fn channels(&self) -> Channels {
        self.state.particles.channels()
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        let like = seeding::deformation(&self.settings, &self.laws, Vec3::ZERO);
        self.state = FlipState::load(saved, &self.setup, &like)?;
        self.observed = None;
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let observed = self.observed.as_ref()?;
        let inside = observed.liquid.sample(point) < 0.0;
        inside.then(|| sample_faces(&observed.velocity, point))
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let observed = self.observed.as_ref()?;
        let inside = observed.liquid.sample(point) < 0.0;
        inside.then(|| observed.pressure.sample(point))
    }

    fn volume_where(&self, solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let lattice = self.setup.domain.lattice();
        // A cell counts with the share of its octants' centres that are inside.
        self.wrapped(solids).volume(|cell| {
            let octant = |corner: i32| {
                let steps = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3();
                lattice.to_world(cell.as_vec3() + 0.25 + 0.5 * steps)
            };
            (0..8).filter(|&corner| inside(octant(corner))).count() as f64 / 8.0
        })
    }
}
