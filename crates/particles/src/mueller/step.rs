//! The stages of one step: a predictor to its middle, forces there, a corrector.

use glam::Vec3;
use ooze_core::{Impulse, Obstacles};
use rayon::prelude::*;

use super::forces::{self, Acceleration, Fluid, Pairs};
use super::{ACCELERATION, COLOUR, MuellerLiquid, TEMPERATURE};
use crate::boundary::contact::{self, Step, Touches};
use crate::liquid::lists::{Lists, Renewal, points_of};
use crate::liquid::{apply_forces, diffusion, positions_ahead};
use crate::neighbours::{Neighbours, Point};
use crate::particles::{CHUNK, Particles};
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
    touches: Touches,
    pub fluid: Vec<Fluid>,
    accelerations: Vec<Acceleration>,
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
            fluid: Vec::new(),
            accelerations: Vec::new(),
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

    /// Velocities in the middle of the step, by the last accelerations.
    fn predicted_velocities(&self) -> Vec<Vec3> {
        let half = 0.5 * self.dt;
        let particles = &self.base.particles;
        let last = particles.vector(ACCELERATION);
        let pairs = particles.velocity.par_iter().with_min_len(CHUNK).zip(last);
        pairs
            .map(|(velocity, last)| *velocity + *last * half)
            .collect()
    }

    pub fn touch_walls(&mut self, obstacles: &Obstacles<'_>) {
        self.touches = self.liquid.basis.touches(&self.middle, obstacles);
        let material = &self.base.particles.material;
        self.points = points_of(&self.middle, |index| f32::from(material[index]));
        self.flow = points_of(&self.predicted_velocities(), |_| 0.0);
    }

    /// Pressure by the state equation p = c² (ρ − ρ₀), with rest densities that fall with temperature.
    pub fn evaluate_pressure(&mut self) {
        let liquid = self.liquid;
        let neighbours = self.lists.current();
        let settings = &liquid.settings;
        let particles = &self.base.particles;
        let mut densities = vec![[0.0; 2]; particles.len()];
        let (kernels, points) = (&liquid.kernels, &self.points);
        forces::densities(
            kernels,
            neighbours,
            points,
            &self.flow,
            &self.touches,
            &mut densities,
        );
        let damping = settings.bulk_viscosity * liquid.sound_speed * liquid.basis.resolution.radius;
        let volume = liquid.basis.resolution.particle_volume() as f32;
        let temperatures = particles.scalar(TEMPERATURE);
        let square = liquid.sound_speed * liquid.sound_speed;
        self.fluid = densities
            .par_iter()
            .with_min_len(CHUNK)
            .enumerate()
            .map(|(index, &[density, divergence])| {
                let material =
                    &liquid.basis.setup.materials[usize::from(particles.material[index])];
                let temperature = temperatures
                    .get(index)
                    .copied()
                    .unwrap_or(material.temperature);
                let warming = temperature - material.temperature;
                let swollen = 1.0 + settings.thermal_expansion * warming;
                let compression = density * volume * swollen - 1.0;
                let pull = liquid.cohesion.pressure[usize::from(particles.material[index])];
                let state = material.density * square * compression + pull;
                let pressure = state - material.density * damping * divergence;
                Fluid {
                    pressure: if state < 0.0 {
                        settings.attraction * state
                    } else {
                        pressure.max(0.0)
                    },
                    // Particles that miss neighbours have not swollen.
                    volume: (1.0 / density).min(volume * swollen),
                    mass: material.density * volume,
                    viscosity: material.viscosity_at(temperature),
                }
            })
            .collect();
    }

    /// Accelerations in the middle of the step.
    pub fn evaluate_forces(&mut self) {
        let liquid = self.liquid;
        let neighbours = self.lists.current();
        let particles = &self.base.particles;
        let pairs = Pairs {
            kernels: &liquid.kernels,
            neighbours,
            points: &self.points,
            flow: &self.flow,
            fluid: &self.fluid,
            cohesion: &liquid.cohesion,
            touches: &self.touches,
            artificial: liquid.settings.artificial_viscosity
                * liquid.sound_speed
                * liquid.basis.resolution.radius,
        };
        self.accelerations = vec![Acceleration::default(); particles.len()];
        forces::accelerations(&pairs, &mut self.accelerations);
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
        let rule = liquid.basis.contact_rule(liquid.settings.stickiness);
        let flat = liquid.basis.resolution.flat();
        let (dt, touches) = (self.dt, &self.touches);
        let Particles {
            position,
            velocity,
            age,
            vectors,
            ..
        } = &mut self.base.particles;
        position
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(velocity)
            .zip(age)
            .zip(&mut vectors[0].values)
            .zip(self.accelerations.par_iter().zip(&self.middle))
            .enumerate()
            .for_each(
                |(index, ((((position, velocity), age), kept), (acceleration, middle)))| {
                    let mut change = acceleration.all * dt;
                    if flat {
                        change.z = 0.0;
                        velocity.z = 0.0;
                    }
                    *kept = change / dt;
                    let mut displacement = (*velocity + change * 0.5) * dt;
                    *velocity += change;
                    let touches = touches.of(index);
                    if !touches.is_empty() {
                        let step = Step {
                            from: *position,
                            found_at: *middle,
                            moved: *position + displacement,
                            pressed: acceleration.pressed * dt * dt,
                        };
                        let aside = rule.correct(touches, step, dt) - step.moved;
                        displacement += aside;
                        *velocity += aside / dt;
                    }
                    *position += displacement;
                    *age += dt;
                },
            );
    }

    /// Heat spreads between particles and from the domain's bottom and top; colours spread between particles.
    pub fn diffuse(&mut self) {
        let liquid = self.liquid;
        let settings = &liquid.settings;
        let neighbours = self.lists.current();
        let volume = liquid.basis.resolution.particle_volume() as f32;
        let weight = liquid.kernels.laplacian;
        let (dt, points) = (self.dt, &self.points);
        let particles = &mut self.base.particles;
        if settings.diffusivity > 0.0 {
            let rate = settings.diffusivity * dt * volume;
            for channel in particles
                .vectors
                .iter_mut()
                .filter(|channel| channel.name == COLOUR)
            {
                diffusion::spread(neighbours, points, weight, rate, &mut channel.values);
            }
        }
        let domain = &liquid.basis.setup.domain;
        let sides = [
            (settings.bottom_temperature, domain.lower.y, 1.0),
            (settings.top_temperature, domain.upper().y, -1.0),
        ];
        let diffusivity = liquid.heat_diffusivity();
        for channel in particles
            .scalars
            .iter_mut()
            .filter(|channel| channel.name == TEMPERATURE)
        {
            let rate = diffusivity * dt * volume;
            diffusion::spread(neighbours, points, weight, rate, &mut channel.values);
            for (wall, height, sign) in sides {
                let Some(wall) = wall else { continue };
                for (value, point) in channel.values.iter_mut().zip(points) {
                    let distance = sign * (point[1] - height);
                    // The mirrored liquid is as much beyond the wall's temperature as this is below.
                    let share = 2.0 * diffusivity * dt * liquid.kernels.wall_drag.at(distance);
                    *value += (wall - *value) * share.min(1.0);
                }
            }
        }
    }

    pub fn impulses(&self, bodies: usize) -> Vec<Impulse> {
        let change = |index: usize| {
            let nearest = self.touches.of(index).first();
            let normal = nearest.map_or(Vec3::ZERO, |touch| touch.normal);
            normal * (self.fluid[index].mass * self.accelerations[index].pressed * self.dt)
        };
        contact::impulses(&self.touches, &self.base.particles.position, change, bodies)
    }
}
