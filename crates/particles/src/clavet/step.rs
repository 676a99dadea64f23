//! The stages of one step (Clavet, Beaudoin & Poulin 2005, algorithm 1), each of which picks the parallel or the sequential
//! form.

use glam::Vec3;
use ooze_core::{Impulse, Obstacles, ParticleSet, Solid};
use rayon::prelude::*;

use super::relaxation::{self, Densities, Displacement};
use super::springs::{self, SpringRule, Springs};
use super::state::SpringStore;
use super::viscosity::{self, StageFactors, Stages, ViscosityRule};
use super::wall::WallParts;
use super::{ClavetConstants, ClavetLiquid, RelaxationOrder, sequential};
use crate::CHUNK;
use crate::boundary::contact::Touches;
use crate::kernel::LaplacianWeight;
use crate::liquid::lists::{Lists, Renewal, points_of};
use crate::liquid::motion::{Motion, move_particles};
use crate::liquid::walls::{TouchingLiquid, WallState, Walls};
use crate::liquid::yielding::WallChanges;
use crate::liquid::{apply_forces, diffusion, positions_ahead};
use crate::neighbours::Neighbours;
use crate::resolution::Resolution;
use crate::state::ParticleState;

/// Displacement, in interaction radii, that the pressure of a particle's neighbours may cause at the most.
const LONGEST_PUSH: f32 = 1.0;
/// Interaction radii that sound may cross in one step without softening.
///
/// Prediction and relaxation together multiply an oscillation of frequency ω by √(1 − a) in a step, a = ω² Δt², as long as
/// a < 1, and are stable up to a = 4/3. For the fastest waves of a lattice a is between 0.5 and 0.9 then, for interaction
/// radii from 1.6 to 4 spacings and near-stiffnesses up to 2.5 times the stiffness; crowding and larger ones take the rest.
const STABLE_CFL: f32 = 0.4;

/// A step in the making: everything happens to copies, so that a step that fails leaves the liquid as it was.
pub(super) struct Advance<'a> {
    liquid: &'a ClavetLiquid,
    dt: f32,
    softness: f32,
    pub base: ParticleState,
    pub lists: Lists,
    /// Springs as this step leaves them; none as long as they are as before.
    pub springs: Option<SpringStore>,
    pub spare_springs: Springs,
    pub touches: Touches,
    walls: Walls,
    pub wall_state: WallState,
    predicted: Vec<Vec3>,
    displacements: Vec<Displacement>,
    /// What contact did to the particles' velocities, in m/s.
    contact: Vec<Vec3>,
    pub densities: Vec<Densities>,
}

impl<'a> Advance<'a> {
    pub fn begin(
        liquid: &'a ClavetLiquid,
        dt: f32,
        former: Option<Neighbours>,
        spare_springs: Springs,
    ) -> Self {
        let stable = STABLE_CFL * liquid.crossing_time();
        Self {
            liquid,
            dt,
            softness: (stable / dt).powi(2).min(1.0),
            base: liquid.state.base.clone(),
            lists: Lists::from_last_step(former),
            springs: None,
            spare_springs,
            touches: Touches::default(),
            walls: Walls::default(),
            wall_state: liquid.wall_state.clone(),
            predicted: Vec::new(),
            displacements: Vec::new(),
            contact: Vec::new(),
            densities: Vec::new(),
        }
    }

    pub fn apply_forces(&mut self) {
        let ParticleSet {
            position, velocity, ..
        } = &mut self.base.particles;
        apply_forces(&self.liquid.basis.setup.forces, position, velocity, self.dt);
    }

    /// Particles lie in memory as they lie in space, and know who is near.
    pub fn find_neighbours(&mut self) {
        let ahead = positions_ahead(&self.base.particles, self.dt);
        let Self { lists, base, .. } = self;
        let renewal = lists.renew(base, &ahead, &self.liquid.basis.resolution);
        if matches!(renewal, Renewal::None) {
            return;
        }
        let mut table = self.liquid.state.table(lists.former());
        if let Renewal::Order(order) = renewal {
            table = table.gather(&order, ahead.len());
        }
        self.springs = Some(SpringStore::Loose(table));
    }

    pub fn apply_viscosity(&mut self) {
        let liquid = self.liquid;
        let constants = &liquid.constants;
        let acts = |constants: &ClavetConstants| {
            constants.linear_viscosity > 0.0 || constants.quadratic_viscosity > 0.0
        };
        if !constants.iter().any(acts) {
            return;
        }
        let resolution = &liquid.basis.resolution;
        let inverse_radius = 1.0 / resolution.radius;
        let pairs = resolution.lattice_sum(|_| 1.0);
        let mut rule = ViscosityRule {
            inverse_radius,
            largest_loss: 2.0 / pairs,
            quadratic: liquid.settings.quadratic_viscosity,
            dt: self.dt,
        };
        let neighbours = self.lists.current();
        let ParticleSet {
            position,
            velocity,
            material,
            ..
        } = &mut self.base.particles;
        let of = |index: usize| &constants[usize::from(material[index])];
        match liquid.settings.order {
            RelaxationOrder::Parallel => {
                let points = points_of(position, |index| of(index).mass);
                let strongest = constants.iter().map(|each| each.linear_viscosity);
                let reach = resolution.lattice_sum(|r| 1.0 - r * inverse_radius);
                let shares = self.dt * strongest.fold(0.0, f32::max) * reach;
                let stages = Stages::new(shares, resolution.space.dimensions());
                rule.dt /= stages.sweeps();
                rule.largest_loss = 2.0 * stages.shares.max(1.0) / pairs;
                let mut before = velocity.clone();
                for stage in 1..=stages.count {
                    let flow = points_of(velocity, |index| of(index).linear_viscosity);
                    let factors = StageFactors::of(stage);
                    std::mem::swap(velocity, &mut before);
                    viscosity::apply(rule, factors, neighbours, &points, &flow, velocity);
                }
            }
            RelaxationOrder::Sequential => {
                sequential::viscosity(rule, neighbours, position, constants, material, velocity)
            }
        }
    }

    pub fn predict(&mut self) {
        self.predicted = positions_ahead(&self.base.particles, self.dt);
        self.displacements = vec![Displacement::default(); self.predicted.len()];
    }

    pub fn touch_walls(&mut self, obstacles: &Obstacles<'_>) {
        let liquid = self.liquid;
        let resolution = &liquid.basis.resolution;
        self.touches = liquid.basis.touches(&self.predicted, obstacles);
        let state = &mut self.wall_state;
        liquid.walls.follow(state, obstacles, resolution);
        let beside = TouchingLiquid {
            positions: &self.predicted,
            velocities: &self.base.particles.velocity,
            touches: &self.touches,
            obstacles,
        };
        let volume = resolution.particle_volume() as f32;
        self.walls = Walls::around(&liquid.walls, state, beside, resolution, |_| volume);
    }

    pub fn adjust_and_apply_springs(&mut self) {
        let liquid = self.liquid;
        let radius = liquid.basis.resolution.radius;
        let rule = SpringRule::new(&liquid.constants, radius, self.dt, self.softness);
        if !rule.is_active() {
            return;
        }
        let neighbours = self.lists.current();
        let material = &self.base.particles.material;
        let count = material.len();
        let before = self.springs.as_ref().unwrap_or(&liquid.state.springs);
        match liquid.settings.order {
            RelaxationOrder::Parallel => {
                let aligned;
                let current = match before {
                    SpringStore::Aligned(springs) => springs,
                    SpringStore::Loose(table) => {
                        aligned = Springs::align(table, neighbours);
                        &aligned
                    }
                };
                let mut adjusted = std::mem::take(&mut self.spare_springs);
                let mut points = points_of(&self.predicted, |index| f32::from(material[index]));
                points[count][3] = NO_MATERIAL;
                let displacements = &mut self.displacements;
                springs::apply(
                    &rule,
                    neighbours,
                    current,
                    &mut adjusted,
                    &points,
                    displacements,
                );
                self.springs = Some(SpringStore::Aligned(adjusted));
            }
            RelaxationOrder::Sequential => {
                let table = before.table(Some(neighbours), count);
                let mut moved = self.predicted.clone();
                let table = sequential::springs(&rule, neighbours, &table, material, &mut moved);
                let pairs = moved.into_iter().zip(&self.predicted);
                for (displacement, (after, before)) in self.displacements.iter_mut().zip(pairs) {
                    displacement.moved += after - *before;
                }
                self.springs = Some(SpringStore::Loose(table));
            }
        }
    }

    /// Where particles are after the displacements so far.
    fn displaced(&self) -> Vec<Vec3> {
        let pairs = self
            .predicted
            .par_iter()
            .with_min_len(CHUNK)
            .zip(&self.displacements);
        pairs
            .map(|(predicted, displacement)| *predicted + displacement.moved)
            .collect()
    }

    pub fn relax_densities(&mut self) {
        let liquid = self.liquid;
        let Resolution { radius, .. } = liquid.basis.resolution;
        let inverse_radius = 1.0 / radius;
        let scale = self.softness * self.dt * self.dt;
        let reach = liquid
            .basis
            .resolution
            .lattice_sum(|r| 1.0 - r * inverse_radius);
        let highest = LONGEST_PUSH * radius / reach;
        let material = &self.base.particles.material;
        let mut positions = self.displaced();
        self.densities = vec![[0.0; 3]; positions.len()];
        let neighbours = self.lists.current();
        let walls = WallParts {
            integrals: &liquid.wall_density,
            touches: &self.touches,
            particles: &self.walls,
            inverse_radius,
            inverse_volume: 1.0 / liquid.basis.resolution.particle_volume() as f32,
            count: positions.len(),
        };
        let Self {
            densities,
            displacements,
            ..
        } = self;
        match liquid.settings.order {
            RelaxationOrder::Parallel => {
                let points = points_of(&positions, |_| 0.0);
                relaxation::densities(inverse_radius, neighbours, &points, walls, densities);
                let mut pressures = vec![[0.0; 4]; points.len()];
                relaxation::pressures(
                    &liquid.constants,
                    material,
                    densities,
                    scale,
                    highest,
                    &mut pressures,
                );
                relaxation::displace(
                    inverse_radius,
                    neighbours,
                    &points,
                    &pressures,
                    walls,
                    displacements,
                );
            }
            RelaxationOrder::Sequential => {
                let relaxation = sequential::Relaxation {
                    inverse_radius,
                    scale,
                    highest,
                    neighbours,
                    constants: &liquid.constants,
                    material,
                    walls,
                };
                sequential::relax(&relaxation, &mut positions, densities, displacements);
            }
        }
    }

    /// Moves the particles; velocities take up all displacements.
    pub fn collide_and_move(&mut self) {
        let liquid = self.liquid;
        let stickiness = liquid.settings.stickiness;
        let contacts = liquid.basis.contacts(&self.touches, stickiness);
        let (dt, displacements, predicted) = (self.dt, &self.displacements, &self.predicted);
        let particles = &mut self.base.particles;
        self.contact = move_particles(particles, contacts, dt, |index, velocity| {
            let Displacement { moved, pressed, .. } = displacements[index];
            let velocity = velocity + moved / dt;
            Motion {
                way: velocity * dt,
                velocity,
                found_at: predicted[index],
                pressed,
            }
        });
    }

    pub fn diffuse_colour(&mut self) {
        let liquid = self.liquid;
        let Some(colour) = liquid.colour else {
            return;
        };
        let resolution = &liquid.basis.resolution;
        let weight = LaplacianWeight::new(resolution.radius, resolution.space);
        let rate = liquid.settings.diffusivity * self.dt * resolution.particle_volume() as f32;
        let neighbours = self.lists.current();
        let particles = &mut self.base.particles;
        let points = points_of(&particles.position, |_| 1.0);
        let colours = &mut particles.carried[colour];
        diffusion::spread(neighbours, &points, weight, rate, colours);
    }

    /// What solids get of what walls took from the liquid's momentum, by their pressure and by contact.
    pub fn hand_over(&mut self, solids: &[Solid]) -> Vec<Impulse> {
        let Self {
            liquid,
            base,
            touches,
            displacements,
            contact,
            ..
        } = self;
        let changes = WallChanges {
            touches,
            velocity: |index: usize| displacements[index].walls / self.dt + contact[index],
            mass: |material: u8, _| liquid.constants[usize::from(material)].mass,
        };
        changes.hand_over(base, liquid.basis.resolution.radius, solids)
    }
}

/// The material of the point that pads lists.
const NO_MATERIAL: f32 = -1.0;
