//! The stages of one step: a predictor to its middle, densities and forces there, a corrector. Velocities change once, in
//! the middle of the way, and densities by the flow before, pressures after: a leapfrog, which keeps the energy of sound.

use glam::Vec3;
use ooze_core::{Impulse, Obstacles, ParticleSet, Solid};
use rayon::prelude::*;

use super::MuellerLiquid;
use super::density::{self, Flow, Sums};
use super::forces::{self, Acceleration, Fluid, Pairs};
use super::settings::DensityRule;
use super::walls;
use crate::CHUNK;
use crate::boundary::contact::Touches;
use crate::liquid::lists::{Lists, Renewal, points_of};
use crate::liquid::motion::{Motion, move_particles};
use crate::liquid::surroundings::Surroundings;
use crate::liquid::walls::{TouchingLiquid, WallForm, WallState, Walls};
use crate::liquid::yielding::WallChanges;
use crate::liquid::{apply_forces, positions_ahead};
use crate::neighbours::{Neighbours, Point};
use crate::state::ParticleState;

/// A step in the making.
pub(super) struct Advance<'a> {
    liquid: &'a MuellerLiquid,
    dt: f32,
    pub base: ParticleState,
    pub lists: Lists,
    middle: Vec<Vec3>,
    points: Vec<Point>,
    flow: Vec<Point>,
    pub touches: Touches,
    volumes: Vec<f32>,
    walls: Walls,
    pub wall_state: WallState,
    pub sums: Vec<Sums>,
    pub fluid: Vec<Fluid>,
    accelerations: Vec<Acceleration>,
    /// What contact did to the particles' velocities, in m/s.
    contact: Vec<Vec3>,
}

impl<'a> Advance<'a> {
    pub fn begin(liquid: &'a MuellerLiquid, dt: f32, former: Option<Neighbours>) -> Self {
        Self {
            liquid,
            dt,
            base: liquid.state.clone(),
            lists: Lists::from_last_step(former),
            middle: Vec::new(),
            points: Vec::new(),
            flow: Vec::new(),
            touches: Touches::default(),
            volumes: Vec::new(),
            walls: Walls::default(),
            wall_state: liquid.wall_state.clone(),
            sums: Vec::new(),
            fluid: Vec::new(),
            accelerations: Vec::new(),
            contact: Vec::new(),
        }
    }

    /// Predictor: positions in the middle of the step.
    pub fn predict(&mut self) {
        self.middle = positions_ahead(&self.base.particles, 0.5 * self.dt);
    }

    /// Particles lie in memory as they lie in space, and know who is near.
    pub fn find_neighbours(&mut self) {
        let Self { lists, base, .. } = self;
        let renewal = lists.renew(base, &self.middle, &self.liquid.basis.resolution);
        if matches!(renewal, Renewal::Order(_)) {
            self.predict();
        }
    }

    /// Walls around the particles, as integrals or as particles of their own.
    pub fn touch_walls(&mut self, obstacles: &Obstacles<'_>) {
        let Self { liquid, base, .. } = self;
        let basis = &liquid.basis;
        liquid
            .walls
            .follow(&mut self.wall_state, obstacles, &basis.resolution);
        self.touches = basis.touches(&self.middle, obstacles);
        let ParticleSet {
            material, velocity, ..
        } = &base.particles;
        self.volumes = liquid.volumes(&base.particles);
        let beside = TouchingLiquid {
            positions: &self.middle,
            velocities: velocity,
            touches: &self.touches,
            obstacles,
        };
        let volume = |index: usize| self.volumes[index];
        let state = &self.wall_state;
        self.walls = Walls::around(&liquid.walls, state, beside, &basis.resolution, volume);
        let walls = &self.walls;
        let point = |position: &Vec3, fourth: f32| position.extend(fourth).to_array();
        self.points = points_of(&self.middle, |index| f32::from(material[index]));
        let places = walls.position.iter();
        self.points
            .extend(places.map(|position| point(position, 0.0)));
        self.flow = points_of(velocity, |index| basis.material(material[index]).density);
        let density = liquid.densest();
        let moving = walls.velocity.iter();
        self.flow
            .extend(moving.map(|velocity| point(velocity, density)));
        self.volumes.extend(&walls.volume);
    }

    fn around(&self) -> Surroundings<'_> {
        Surroundings {
            neighbours: self.lists.current(),
            first: 0,
            points: &self.points,
            walls: walls::sums_of(&self.walls, &self.touches),
        }
    }

    /// Pressure by the state equation p = c² (ρ − ρ₀), with rest densities that fall with temperature.
    fn state_pressure(&self, index: usize) -> f32 {
        let liquid = self.liquid;
        let particles = &self.base.particles;
        let density = liquid.basis.material(particles.material[index]).density;
        let swelling = liquid.swelling(particles, index);
        let excess = particles.carried[liquid.channels.compression][index] * swelling - 1.0;
        density * liquid.sound_speed * liquid.sound_speed * excess
    }

    /// Densities in the middle of the step: the flow changes them, or neighbours are counted.
    pub fn evolve_densities(&mut self) {
        let liquid = self.liquid;
        let settings = &liquid.settings;
        let volume = liquid.basis.resolution.particle_volume() as f32;
        let particles = &self.base.particles;
        let mut pressures = Vec::with_capacity(self.points.len());
        (0..particles.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|index| self.state_pressure(index))
            .collect_into_vec(&mut pressures);
        let of_walls = self.wall_pressures(|index| pressures[index]);
        pressures.push(0.0);
        pressures.extend(of_walls);
        let pairs = pressures.iter().zip(&self.volumes);
        let before: Vec<[f32; 2]> = pairs
            .map(|(&pressure, &volume)| [pressure, volume])
            .collect();
        let flow = Flow {
            kernels: &liquid.kernels,
            around: self.around(),
            flow: &self.flow,
            fluid: &before,
            gravity: liquid.gravity,
            sound_speed: liquid.sound_speed,
            diffusion: settings.density_diffusion,
            volume,
        };
        let mut sums = vec![Sums::default(); particles.len()];
        density::sums(&flow, &mut sums);
        let dt = self.dt;
        if settings.walls == WallForm::Particles {
            let mut state = self.wall_state.clone();
            let resolution = &liquid.basis.resolution;
            let samples = &liquid.walls.samples;
            let (walls, middle) = (&self.walls, &self.middle);
            walls::evolve(walls, samples, &flow, middle, resolution, &mut state, dt);
            self.wall_state = state;
        }
        let compressions = &mut self.base.particles.carried[liquid.channels.compression];
        let values = compressions.par_iter_mut().with_min_len(CHUNK);
        values.zip(&sums).for_each(|(compression, sums)| {
            *compression = match settings.density {
                DensityRule::Evolved => {
                    let rate = sums.diffusion - *compression * sums.divergence;
                    sums.near_counted(*compression + rate * dt)
                }
                DensityRule::Summed => sums.counted,
            };
        });
        self.sums = sums;
    }

    /// Pressures and what else neighbours need to know.
    pub fn evaluate_pressures(&mut self) {
        let liquid = self.liquid;
        let settings = &liquid.settings;
        let particles = &self.base.particles;
        let damping = settings.bulk_viscosity * liquid.sound_speed * liquid.resolution().radius;
        let volume = liquid.basis.resolution.particle_volume() as f32;
        let temperatures = particles.carried.optional(liquid.channels.temperature);
        let mut fluid = Vec::with_capacity(self.points.len());
        self.sums
            .par_iter()
            .with_min_len(CHUNK)
            .enumerate()
            .map(|(index, sums)| {
                let material = liquid.basis.material(particles.material[index]);
                let temperature = temperatures.get(index).copied();
                let state = self.state_pressure(index);
                let pressure = state - material.density * damping * sums.divergence;
                Fluid {
                    pressure: if state < 0.0 {
                        settings.attraction * state
                    } else {
                        pressure.max(0.0)
                    },
                    volume: self.volumes[index],
                    mass: material.density * volume,
                    viscosity: material
                        .melt_viscosity_at(temperature.unwrap_or(material.temperature)),
                }
            })
            .collect_into_vec(&mut fluid);
        let of_walls = self.wall_pressures(|index| fluid[index].pressure);
        fluid.push(Fluid::default());
        let density = liquid.densest();
        let walls = self.walls.volume.iter().zip(&self.walls.drag);
        let walls = walls.zip(of_walls);
        fluid.extend(walls.map(|((&volume, &viscosity), pressure)| Fluid {
            pressure,
            volume,
            mass: density * volume,
            viscosity,
        }));
        self.fluid = fluid;
    }

    fn wall_pressures(&self, of_liquid: impl Fn(usize) -> f32) -> Vec<f32> {
        let liquid = self.liquid;
        let density = liquid.densest();
        let stiffness = density * liquid.sound_speed * liquid.sound_speed;
        let source = |index: usize| (self.middle[index], of_liquid(index));
        let form = liquid.walls.form;
        let growth = liquid.gravity * density;
        let (walls, state) = (&self.walls, &self.wall_state);
        walls::pressures(walls, form, state, stiffness, source, growth)
    }

    /// Accelerations in the middle of the step.
    pub fn evaluate_forces(&mut self) {
        let liquid = self.liquid;
        let artificial = liquid.settings.artificial_viscosity;
        let around = self.around();
        let pairs = Pairs {
            kernels: &liquid.kernels,
            around,
            flow: &self.flow,
            fluid: &self.fluid,
            viscosity: liquid.settings.viscosity,
            artificial: artificial * liquid.sound_speed * liquid.resolution().radius,
            gravity: liquid.gravity,
        };
        let mut accelerations = vec![Acceleration::default(); self.middle.len()];
        forces::accelerations(&pairs, &mut accelerations);
        let tension = &liquid.tension;
        tension.accelerate(&liquid.kernels, around, &self.fluid, &mut accelerations);
        self.accelerations = accelerations;
        // Forces on the whole, too, act from the middle of the step.
        let mut outer = vec![Vec3::ZERO; self.middle.len()];
        apply_forces(&liquid.basis.setup.forces, &self.middle, &mut outer, 1.0);
        for (acceleration, outer) in self.accelerations.iter_mut().zip(outer) {
            acceleration.all += outer;
        }
    }

    /// Corrector: velocities by the accelerations of the middle, positions by the mean velocity; walls hold and push.
    pub fn correct_and_collide(&mut self) {
        let liquid = self.liquid;
        let stickiness = liquid.settings.stickiness;
        let contacts = liquid.basis.contacts(&self.touches, stickiness);
        let (dt, accelerations, middle) = (self.dt, &self.accelerations, &self.middle);
        let particles = &mut self.base.particles;
        self.contact = move_particles(particles, contacts, dt, |index, velocity| {
            let Acceleration { all, walls } = accelerations[index];
            Motion {
                way: (velocity + all * (0.5 * dt)) * dt,
                velocity: velocity + all * dt,
                found_at: middle[index],
                pressed: walls.length() * dt * dt,
            }
        });
    }

    /// Heat and colours spread.
    pub fn diffuse(&mut self) {
        let Self {
            liquid,
            dt,
            lists,
            points,
            base,
            ..
        } = self;
        liquid.diffuse(lists.current(), points, &mut base.particles, *dt);
    }

    /// What solids get of what walls took from the liquid's momentum, by pressure, drag and contact.
    pub fn hand_over(&mut self, solids: &[Solid]) -> Vec<Impulse> {
        let Self {
            liquid,
            base,
            touches,
            accelerations,
            contact,
            fluid,
            ..
        } = self;
        let changes = WallChanges {
            touches,
            velocity: |index: usize| accelerations[index].walls * self.dt + contact[index],
            mass: |_, index: usize| fluid[index].mass,
        };
        changes.hand_over(base, liquid.basis.resolution.radius, solids)
    }
}
