//! The stages of a step that FLIP has to itself.

use glam::Vec3;
use ooze_commons::reduce;
use ooze_core::{Gradient, Obstacles, ParticleSet, StepError, StepReport};
use ooze_field::{FieldByAxis, level_set};

use super::order::CellOrder;
use super::stress::ElasticStress;
use super::surface::Surface;
use super::transfer::Told;
use super::turning::Spin;
use super::volume::Pieces;
use super::walls::SmallShifts;
use super::{
    FlipLiquid, ROUNDS_PER_STEP, held, mobility, rheology, spacing, spread, transfer, walls,
};
use crate::SymmetricTensor;
use crate::boundary::{Boundary, FixedTiles};
use crate::face_velocity::FaceVelocity;
use crate::momentum::{Elastic, Momentum, Moved};
use crate::stages;
use crate::viscosity::{CellViscosity, NEGLIGIBLE, diffusion_number};
use crate::walls::{Traction, turning};

/// Layers of faces around the particles in which the flow beside walls is read.
const LAYERS_OF_FLOW: u32 = 2;

/// A step in the making: everything happens to a copy of the particles, so that a step that fails leaves the liquid as it was.
pub(super) struct Advance<'a> {
    pub(super) liquid: &'a FlipLiquid,
    pub(super) order: &'a CellOrder,
    /// The solids as they stood at the start of the step. Free ones move as is foretold, and once the liquid has moved them, as it
    /// does.
    pub(super) obstacles: &'a Obstacles<'a>,
    /// Sorted.
    pub(super) particles: ParticleSet,
    /// When it begins, in seconds.
    pub(super) time: f64,
    pub(super) dt: f64,
}

/// What the particles bring to the momentum stage, but for their velocities.
pub(super) struct Brought {
    stress: Option<ElasticStress>,
    viscosity: Option<CellViscosity>,
    /// Densities at faces in kg/m³, where they differ.
    density: Option<FieldByAxis<f32>>,
    /// The sums of their weights at faces.
    weight: FieldByAxis<f32>,
}

impl<'a> Advance<'a> {
    /// The solids, and the emitters that are open, on the grid.
    pub(super) fn rasterize(&self, fixed: &mut FixedTiles) -> Boundary {
        let mut boundary = self.solids_on_grid(self.obstacles, fixed);
        boundary.drive(stages::open_emitters(&self.liquid.setup, self.time));
        self.hold(&mut boundary);
        boundary
    }

    fn solids_on_grid(&self, obstacles: &Obstacles<'_>, fixed: &mut FixedTiles) -> Boundary {
        let weights = self.liquid.settings.pressure.wall_weights;
        Boundary::rasterize(&self.order.topology, obstacles, weights, fixed)
    }

    /// The solids at the end of the step, if they are not where they were.
    pub(super) fn rasterize_arrived(
        &self,
        arrived: &Obstacles<'_>,
        fixed: &mut FixedTiles,
    ) -> Option<Boundary> {
        let moves = arrived.any_moves();
        moves.then(|| self.solids_on_grid(arrived, fixed))
    }

    /// The liquid's surface around the particles.
    pub(super) fn wrap(&mut self, boundary: &Boundary) -> Surface {
        let ParticleSet {
            position, carried, ..
        } = &mut self.particles;
        let solids = (boundary, self.obstacles);
        let liquid = self.liquid;
        let touching = &mut carried[liquid.channels.touching];
        liquid.wrap(self.order, position, touching, solids, ROUNDS_PER_STEP)
    }

    /// The particles' velocities on the faces around them.
    pub(super) fn to_grid(&self, boundary: &Boundary) -> Told {
        let (order, particles) = (self.order, &self.particles);
        let own = particles.carried.optional(self.liquid.channels.gradient);
        let (densities, sampling) = (&self.liquid.densities, self.liquid.settings.sampling);
        let told = |gradients: &[Gradient]| {
            transfer::to_grid(order, particles, gradients, densities, sampling)
        };
        let flow = (own.is_empty() && self.glides_thickly()).then(|| {
            let FaceVelocity {
                mut velocity,
                mut known,
            } = told(&[]).faces;
            level_set::extrapolate_faces(&mut velocity, &mut known, LAYERS_OF_FLOW);
            velocity
        });
        let walls = (boundary, self.obstacles);
        told(&held::gradients(
            order,
            particles,
            own,
            walls,
            flow.as_ref(),
        ))
    }

    /// Whether thick liquid may glide along a wall that moves.
    fn glides_thickly(&self) -> bool {
        held::any_glides(self.obstacles) && self.is_thick()
    }

    /// Whether viscosity acts in the step.
    fn is_thick(&self) -> bool {
        let (liquid, carried) = (self.liquid, &self.particles.carried);
        let viscosities = &carried[liquid.channels.viscosity];
        let largest = reduce::max(viscosities, |&viscosity| viscosity);
        let cell_size = f64::from(liquid.setup.domain.cell_size);
        let number = diffusion_number(largest, liquid.least_density(), cell_size, self.dt);
        liquid.settings.viscosity.enabled && number >= NEGLIGIBLE
    }

    /// What resists motion in the particles.
    pub(super) fn bring(
        &self,
        density: Option<FieldByAxis<f32>>,
        weight: FieldByAxis<f32>,
        report: &mut StepReport,
    ) -> Brought {
        let FlipLiquid {
            laws,
            settings,
            channels,
            ..
        } = self.liquid;
        let stress = report.timed("elasticity", |_| {
            let (order, particles) = (self.order, &self.particles);
            laws.stress(order, particles, channels, settings.sampling, self.dt)
        });
        Brought {
            stress,
            viscosity: self.viscosity_to_act(),
            density,
            weight,
        }
    }

    /// The viscosity of the cells, if it is on and large enough to matter, or if an implicit elastic step adds to it.
    fn viscosity_to_act(&self) -> Option<CellViscosity> {
        let Self {
            liquid,
            order,
            particles,
            dt,
            ..
        } = self;
        let (density, cell_size) = (liquid.least_density(), liquid.setup.domain.cell_size);
        let enabled = liquid.settings.viscosity.enabled;
        let channel = liquid.channels.viscosity;
        let own = || rheology::cell_viscosity(order, particles, channel, density, *dt);
        let stiffening = liquid.laws.stiffening(cell_size, *dt);
        let number = diffusion_number(stiffening, density, f64::from(cell_size), *dt);
        let added = (number >= NEGLIGIBLE).then_some(CellViscosity::Uniform(0.0));
        enabled.then(own).flatten().or(added)
    }

    /// The stage that changes momentum.
    pub(super) fn momentum<'b>(&self, surface: &'b Surface, brought: &'b Brought) -> Momentum<'b>
    where
        'a: 'b,
    {
        let liquid = self.liquid;
        Momentum {
            obstacles: self.obstacles,
            liquid: &surface.distance,
            pressed: None,
            density: brought.density.as_ref(),
            reference_density: liquid.reference_density(),
            least_density: liquid.least_density(),
            forces: &liquid.setup.forces,
            viscosity: brought.viscosity.as_ref(),
            elastic: match &brought.stress {
                Some(stress) => Elastic::Rows(stress.acting()),
                None => Elastic::None,
            },
            content: brought
                .stress
                .as_ref()
                .map(|stress| stress.content(&brought.weight)),
            holds: liquid.laws.holds(liquid.setup.domain.cell_size, self.dt),
            pressure_settings: liquid.settings.pressure,
            viscosity_settings: liquid.settings.viscosity,
            dt: self.dt,
        }
    }

    /// The rates at which the particles are strained in 1/s, if they have stress.
    pub(super) fn strain_rates(
        &self,
        brought: &Brought,
        moved: &Moved<'_>,
    ) -> Option<Vec<SymmetricTensor>> {
        let (stress, rates) = brought.stress.as_ref().zip(moved.strain_rates())?;
        Some(stress.rates(self.order, &self.particles.position, &rates))
    }

    /// Continues velocities around the liquid and lets walls have their say. Returns them as they were before walls did, if that
    /// is `wanted`.
    pub(super) fn extrapolate(
        &self,
        moved: &mut Moved<'_>,
        wanted: bool,
    ) -> Option<FieldByAxis<f32>> {
        let layers = self.liquid.settings.cfl.ceil() as u32 + 2;
        moved.close_walls(0.0);
        let grid = &mut moved.grid;
        level_set::extrapolate_faces(&mut grid.velocity, &mut grid.known, layers);
        let continued = wanted.then(|| grid.velocity.clone());
        moved.constrain(self.obstacles);
        moved.impose();
        continued
    }

    /// Hands velocities back to the particles; `before` are those that they had told the faces.
    pub(super) fn hand_back(&mut self, moved: &Moved<'_>, before: &FieldByAxis<f32>) {
        let thick = self.is_thick();
        let FlipLiquid {
            settings,
            densities,
            channels,
            ..
        } = self.liquid;
        let (order, particles, obstacles) = (self.order, &mut self.particles, self.obstacles);
        let (new, boundary) = (&moved.grid.velocity, moved.boundary());
        let (gradient, transfer) = (channels.gradient, settings.transfer);
        transfer::to_particles(order, particles, gradient, new, before, transfer);
        held::follow(order, particles, new, (boundary, obstacles), thick);
        let traction = Traction {
            boundary,
            obstacles,
            pressure: &moved.pressure,
            cell_size: order.topology.lattice().cell_size,
            dt: self.dt as f32,
        };
        let sampled = (&densities[..], settings.sampling);
        walls::touch(order, particles, channels.touching, &traction, sampled);
    }

    /// Turns, stretches and relaxes the particles' strain. `continued` are the velocities before walls had their say.
    pub(super) fn strain(
        &mut self,
        moved: &Moved<'_>,
        continued: &FieldByAxis<f32>,
        rates: &[SymmetricTensor],
    ) {
        let FlipLiquid {
            setup,
            settings,
            laws,
            channels,
            ..
        } = self.liquid;
        let (order, particles) = (self.order, &mut self.particles);
        let turning = turning(&moved.grid.velocity, continued, moved.boundary());
        if let Some(gradient) = channels.gradient {
            transfer::read_gradients(order, particles, gradient, &turning);
        }
        let axes = setup.domain.dimensions();
        laws.update(particles, channels, rates, settings, axes, self.dt);
        laws.free_spray(order, particles, channels);
    }

    /// The displacement that evens out the density, if it is wanted.
    pub(super) fn displacement(
        &self,
        moved: &mut Moved<'_>,
        report: &mut StepReport,
    ) -> Result<Option<FieldByAxis<f32>>, StepError> {
        let settings = &self.liquid.settings;
        let (order, positions) = (self.order, &self.particles.position);
        let wanted = settings.density_correction.then(|| {
            let (system, coupling) = moved.pressure_system();
            let sampling = settings.sampling;
            spread::displacement(order, positions, system, &coupling, sampling, report)
        });
        wanted.transpose()
    }

    /// The shifts that keep the particles of viscous liquids evenly spaced; none for others.
    pub(super) fn shifts(
        &self,
        brought: &Brought,
        surface: &Surface,
        boundary: &Boundary,
    ) -> Vec<Vec3> {
        if brought.viscosity.is_none() {
            return Vec::new();
        }
        let Surface {
            distance,
            pieces,
            content,
        } = surface;
        let FlipLiquid {
            settings,
            laws,
            channels,
            ..
        } = self.liquid;
        let (order, positions) = (self.order, &self.particles.position);
        let owner = pieces.owner().values();
        let freedom = |index: usize| content.freedom(owner[index], index);
        let sampling = settings.sampling;
        let mut shifts = spacing::shifts(order, positions, distance, freedom, boundary, sampling);
        laws.hold(&self.particles, channels, &mut shifts);
        shifts
    }

    /// How much of what moves particles aside viscosity allows; none for liquids that are not viscous.
    pub(super) fn mobility(&self, brought: &Brought, moved: &Moved<'_>) -> Vec<f32> {
        if brought.viscosity.is_none() {
            return Vec::new();
        }
        let (order, particles) = (self.order, &self.particles);
        let FlipLiquid {
            densities,
            channels,
            ..
        } = self.liquid;
        let (channel, velocity) = (channels.viscosity, &moved.grid.velocity);
        mobility::mobility(order, particles, channel, densities, velocity, self.dt)
    }

    /// Carries the particles and keeps them out of the solids, which have arrived where `after` has them.
    ///
    /// Velocities do not turn with the positions: viscous and elastic `pieces` in flight would spin more slowly in every step.
    pub(super) fn carry(
        &mut self,
        moved: &Moved<'_>,
        aside: SmallShifts<'_>,
        (after, arrived): (&Boundary, &Obstacles<'_>),
        pieces: Option<&Pieces>,
    ) {
        let held = self.held_places();
        let (order, particles, obstacles) = (self.order, &mut self.particles, self.obstacles);
        let (velocity, boundary) = (&moved.grid.velocity, moved.boundary());
        let densities = &self.liquid.densities;
        let spin =
            pieces.map(|pieces| Spin::measure(order, particles, pieces, boundary, densities));
        let dt = self.dt as f32;
        walls::carry(order, particles, velocity, aside, after, arrived, dt);
        if let Some(spin) = spin {
            spin.restore(particles, |point| held::freedom(boundary, obstacles, point));
        }
        self.take_along(&held, arrived);
    }
}

impl Brought {
    /// Whether the liquid keeps its shape in flight: it is viscous or elastic.
    pub(super) fn shapes(&self, liquid: &FlipLiquid) -> bool {
        self.viscosity.is_some() || liquid.laws.any()
    }
}
