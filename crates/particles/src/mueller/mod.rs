//! The force-based liquid of Müller, Charypar & Gross (2003) with the interactions of Müller, Solenthaler, Keiser &
//! Gross (2005), as Kasi describes it: pressure from a state equation, viscosity averaged over pairs, tension from colour
//! fields, diffusion of heat and colour, buoyancy from rest densities that may depend on temperature. Time is integrated
//! by a predictor and a corrector.
//!
//! Deviations: densities count particles, pressure forces are the whole gradient ([`forces`]), tension comes from
//! attraction instead of curvature ([`tension`]), sound is damped, negative pressures are dropped unless asked for, and walls count as full of liquid.

mod forces;
mod settings;
mod surface;
mod tension;

use glam::Vec3;
use ooze_core::{
    ChannelError, Channels, Liquid, LiquidSetup, Material, Measure, Obstacles, Solids, StableStep,
    StepError, StepReport,
};
use rayon::prelude::*;

use crate::boundary::contact::{self, ContactRule, Step, Touches};
use crate::common::{apply_forces, find_neighbours, points_of};
use crate::diffusion;
use crate::measure;
use crate::neighbours::{Neighbours, Point};
use crate::particles::{CHUNK, Particles};
use crate::resolution::Resolution;
use crate::scales;
use crate::sources::{NewValues, Sources};
use crate::state::ParticleState;
use forces::{Acceleration, Fluid, Pairs};
pub use settings::{Kernels, MuellerSettings};
use surface::{Colours, FlatSurface};
use tension::Cohesion;

/// Interaction radii that a particle may cross in one step.
const LARGEST_STEP: f32 = 0.2;
/// Names of the channels.
const ACCELERATION: &str = "acceleration";
const TEMPERATURE: &str = "temperature";
const COLOUR: &str = "colour";

/// Share of the spacing by which particles are displaced from their lattice at first: enough to break its symmetry.
/// More would be heat, which pressures alone do not hold together.
const JITTER: f32 = 0.02;

/// The liquid.
pub struct MuellerLiquid {
    setup: LiquidSetup,
    settings: MuellerSettings,
    resolution: Resolution,
    kernels: forces::Kernels,
    sound_speed: f32,
    cohesion: Cohesion,
    flat_surface: FlatSurface,
    values: Vec<NewValues>,
    state: ParticleState,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Fluid of the last step, for measures.
    fluid: Vec<Fluid>,
}

impl MuellerLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: MuellerSettings, solids: &dyn Solids) -> Self {
        let resolution = Resolution::new(&setup.domain, settings.spacing, settings.radius);
        let (coloured, heated) = (settings.diffusivity > 0.0, settings.has_heat());
        let values: Vec<NewValues> = setup
            .materials
            .iter()
            .map(|material| {
                let colour = coloured.then_some(material.appearance.colour);
                NewValues {
                    scalars: heated.then_some(material.temperature).into_iter().collect(),
                    vectors: std::iter::once(Vec3::ZERO).chain(colour).collect(),
                }
            })
            .collect();
        let scalars: &[&'static str] = if heated { &[TEMPERATURE] } else { &[] };
        let vectors: &[&'static str] = if coloured {
            &[ACCELERATION, COLOUR]
        } else {
            &[ACCELERATION]
        };
        let template = Particles::with_channels(scalars, vectors);
        let obstacles = Obstacles::new(&setup.domain, solids);
        let sources = Sources {
            setup: &setup,
            resolution,
            jitter: JITTER,
            values: &values,
        };
        let state = sources.seed(&template, &obstacles);
        let kernels = forces::Kernels::new(settings.kernels.shapes(), &resolution);
        Self {
            sound_speed: sound_speed(&setup, &settings, &resolution),
            cohesion: cohesion(&setup.materials, &settings, &resolution),
            flat_surface: FlatSurface::new(&kernels, &resolution),
            resolution,
            kernels,
            values,
            state,
            settings,
            neighbours: None,
            fluid: Vec::new(),
            setup,
        }
    }

    /// The state.
    pub fn state(&self) -> &ParticleState {
        &self.state
    }

    /// Spacing and radius.
    pub fn resolution(&self) -> Resolution {
        self.resolution
    }

    /// The particles at the surface, as indices into the state, with the surface's outward normals (Kasi, sec. 6.3).
    pub fn surface_particles(&self, solids: &dyn Solids) -> Vec<(usize, Vec3)> {
        let Resolution {
            radius, spacing, ..
        } = self.resolution;
        let flat = self.resolution.flat();
        let mut state = self.state.clone();
        let order = state.sort(radius, 0.0, flat);
        let neighbours = find_neighbours(&state, &self.resolution);
        let positions = &state.particles.position;
        let points = points_of(positions, |_| 0.0);
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let rest = Fluid {
            volume: self.resolution.particle_volume() as f32,
            ..Fluid::default()
        };
        let mut gradients = vec![Vec3::ZERO; positions.len()];
        let colours = Colours {
            kernels: &self.kernels,
            neighbours: &neighbours,
            points: &points,
            fluid: &vec![rest; positions.len()],
            touches: &Touches::find(positions, &obstacles, radius, spacing, flat),
        };
        surface::gradients(colours, &mut gradients);
        let found = order.iter().zip(gradients);
        found
            .filter(|(_, gradient)| self.flat_surface.is_surface(*gradient))
            .map(|(&index, gradient)| (index as usize, -gradient.normalize_or_zero()))
            .collect()
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            setup: &self.setup,
            resolution: self.resolution,
            jitter: JITTER,
            values: &self.values,
        }
    }

    fn material(&self, index: usize) -> &Material {
        &self.setup.materials[usize::from(self.state.particles.material[index])]
    }

    fn mass(&self, index: usize) -> f64 {
        f64::from(self.material(index).density) * self.resolution.particle_volume()
    }
}

/// The speed of sound that keeps compression by weight, blows and surface tension within the settings.
fn sound_speed(setup: &LiquidSetup, settings: &MuellerSettings, resolution: &Resolution) -> f32 {
    let mut energy = scales::largest_energy(setup);
    for material in &setup.materials {
        // The pressure in drops four spacings across.
        let pressure = 0.5 * material.surface_tension / resolution.spacing;
        energy = energy.max(pressure / material.density);
    }
    (energy / settings.compression).max(0.01).sqrt()
}

fn cohesion(
    materials: &[Material],
    settings: &MuellerSettings,
    resolution: &Resolution,
) -> Cohesion {
    let surface: Vec<f32> = materials
        .iter()
        .map(|material| material.surface_tension)
        .collect();
    let interface = |a: usize, b: usize| {
        let difference = (surface[a] - surface[b]).abs();
        settings.interface_tension.unwrap_or(difference)
    };
    Cohesion::new(&surface, interface, resolution)
}

/// A step in the making.
struct Advance<'a> {
    liquid: &'a MuellerLiquid,
    dt: f32,
    base: ParticleState,
    former: Option<Neighbours>,
    rebuilt: Option<Neighbours>,
    middle: Vec<Vec3>,
    points: Vec<Point>,
    flow: Vec<Point>,
    touches: Touches,
    fluid: Vec<Fluid>,
    accelerations: Vec<Acceleration>,
}

impl Advance<'_> {
    /// Predictor: positions in the middle of the step.
    fn predict(&mut self) {
        let half = 0.5 * self.dt;
        let Particles {
            position, velocity, ..
        } = &self.base.particles;
        let pairs = position.par_iter().with_min_len(CHUNK).zip(velocity);
        self.middle = pairs
            .map(|(position, velocity)| *position + *velocity * half)
            .collect();
    }

    /// Particles lie in memory as they lie in space, and know who is near.
    fn find_neighbours(&mut self) {
        let resolution = self.liquid.resolution;
        let margin = self.base.new_margin(&self.middle, resolution.radius);
        if margin.is_none() && self.former.is_some() {
            return;
        }
        if let Some(margin) = margin {
            self.base.sort(resolution.radius, margin, resolution.flat());
            self.predict();
        }
        self.rebuilt = Some(find_neighbours(&self.base, &resolution));
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

    fn touch_walls(&mut self, obstacles: &Obstacles<'_>) {
        let Resolution {
            radius, spacing, ..
        } = self.liquid.resolution;
        let flat = self.liquid.resolution.flat();
        self.touches = Touches::find(&self.middle, obstacles, radius, spacing, flat);
        let material = &self.base.particles.material;
        self.points = points_of(&self.middle, |index| f32::from(material[index]));
        self.flow = points_of(&self.predicted_velocities(), |_| 0.0);
    }

    /// Pressure by the state equation p = c² (ρ − ρ₀), with rest densities that fall with temperature.
    fn evaluate_pressure(&mut self) {
        let liquid = self.liquid;
        let neighbours = lists(&self.rebuilt, &self.former);
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
        let damping = settings.bulk_viscosity * liquid.sound_speed * liquid.resolution.radius;
        let volume = liquid.resolution.particle_volume() as f32;
        let temperatures = particles.scalar(TEMPERATURE);
        let square = liquid.sound_speed * liquid.sound_speed;
        self.fluid = densities
            .par_iter()
            .with_min_len(CHUNK)
            .enumerate()
            .map(|(index, &[density, divergence])| {
                let material = &liquid.setup.materials[usize::from(particles.material[index])];
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
    fn evaluate_forces(&mut self) {
        let liquid = self.liquid;
        let neighbours = lists(&self.rebuilt, &self.former);
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
                * liquid.resolution.radius,
        };
        self.accelerations = vec![Acceleration::default(); particles.len()];
        forces::accelerations(&pairs, &mut self.accelerations);
        // Forces on the whole, too, act from the middle of the step.
        let mut outer = vec![Vec3::ZERO; self.middle.len()];
        apply_forces(&liquid.setup.forces, &self.middle, &mut outer, 1.0);
        for (acceleration, outer) in self.accelerations.iter_mut().zip(outer) {
            acceleration.all += outer;
        }
    }

    /// Corrector: velocities by the accelerations of the middle, positions by the mean velocity; walls hold and push.
    fn correct_and_collide(&mut self) {
        let liquid = self.liquid;
        let rule = ContactRule {
            spacing: liquid.resolution.spacing,
            stickiness: liquid.settings.stickiness,
            stick_reach: liquid.resolution.radius,
        };
        let flat = liquid.resolution.flat();
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
    fn diffuse(&mut self) {
        let liquid = self.liquid;
        let settings = &liquid.settings;
        let neighbours = lists(&self.rebuilt, &self.former);
        let volume = liquid.resolution.particle_volume() as f32;
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
        let domain = &liquid.setup.domain;
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

    fn impulses(&self, bodies: usize) -> Vec<ooze_core::Impulse> {
        let change = |index: usize| {
            let nearest = self.touches.of(index).first();
            let normal = nearest.map_or(Vec3::ZERO, |touch| touch.normal);
            normal * (self.fluid[index].mass * self.accelerations[index].pressed * self.dt)
        };
        contact::impulses(&self.touches, &self.base.particles.position, change, bodies)
    }
}

/// The lists that hold.
fn lists<'a>(rebuilt: &'a Option<Neighbours>, former: &'a Option<Neighbours>) -> &'a Neighbours {
    let lists = rebuilt.as_ref().or(former.as_ref());
    lists.expect("neighbours are found before they are used")
}

impl MuellerLiquid {
    fn heat_diffusivity(&self) -> f32 {
        let own = self.setup.materials.iter().filter_map(|material| {
            let thermal = material.thermal?;
            Some(thermal.diffusivity(material.density))
        });
        let settings = &self.settings;
        settings
            .heat_diffusivity
            .unwrap_or_else(|| own.fold(0.0, f32::max))
    }

    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let former = self.neighbours.take();
        let mut step = self.begin(dt as f32, former);
        report.timed("prediction", |_| step.predict());
        report.timed("neighbours", |_| step.find_neighbours());
        report.timed("walls", |_| step.touch_walls(&obstacles));
        report.timed("pressure", |_| step.evaluate_pressure());
        report.timed("forces", |_| step.evaluate_forces());
        report.timed("correction", |_| step.correct_and_collide());
        report.timed("diffusion", |_| step.diffuse());
        if let Err(error) = step.base.check_finite("forces") {
            self.neighbours = step.former;
            return Err(error);
        }

        // From here on nothing can fail.
        let impulses = step.impulses(obstacles.solids().count());
        let Advance {
            base,
            former,
            rebuilt,
            fluid,
            ..
        } = step;
        self.state = base;
        self.neighbours = rebuilt.or(former);
        self.fluid = fluid;
        report.timed("sources", |_| self.drain_and_emit(solids, time, time + dt));
        report.liquid_cells = self.state.particles.len();
        solids.push(&impulses, dt);
        Ok(())
    }

    fn begin(&self, dt: f32, former: Option<Neighbours>) -> Advance<'_> {
        Advance {
            liquid: self,
            dt,
            base: self.state.clone(),
            former,
            rebuilt: None,
            middle: Vec::new(),
            points: Vec::new(),
            flow: Vec::new(),
            touches: Touches::default(),
            fluid: Vec::new(),
            accelerations: Vec::new(),
        }
    }

    fn drain_and_emit(&mut self, solids: &dyn Solids, from: f64, to: f64) {
        let mut state = std::mem::take(&mut self.state);
        let count = state.particles.len();
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let drained = self.sources().drain(&mut state, to).is_some();
        self.sources().emit(&mut state, &obstacles, from, to);
        if drained || state.particles.len() != count {
            self.neighbours = None;
            self.fluid.clear();
        }
        self.state = state;
    }

    /// Volume of the particles where `inside` holds: by their density, or as at rest where they miss neighbours.
    fn volume_of(&self, inside: impl Fn(Vec3) -> bool + Sync) -> f64 {
        let own = self.resolution.particle_volume();
        let positions = &self.state.particles.position;
        let indices: Vec<u32> = (0..positions.len() as u32).collect();
        ooze_field::reduce::sum(&indices, |&index| {
            if !inside(positions[index as usize]) {
                return 0.0;
            }
            let volume = self
                .fluid
                .get(index as usize)
                .map_or(f64::MAX, |fluid| fluid.volume.into());
            volume.min(own)
        })
    }
}

impl Liquid for MuellerLiquid {
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
        let Resolution {
            radius, spacing, ..
        } = self.resolution;
        let speed = measure::max_speed(&self.state.particles.velocity);
        let walls = Obstacles::new(&self.setup.domain, solids).max_speed();
        let square = f64::from(radius).powi(2);
        let mut limits = vec![
            (
                f64::from(self.settings.cfl * radius / (self.sound_speed + speed)),
                "speed of sound",
            ),
            (
                f64::from(LARGEST_STEP * radius / speed),
                "speed of the liquid",
            ),
            (
                f64::from(LARGEST_STEP * radius / walls),
                "speed of a collider",
            ),
            (0.05 * square / f64::from(self.heat_diffusivity()), "heat"),
        ];
        let hottest = [
            self.settings.bottom_temperature,
            self.settings.top_temperature,
        ];
        for material in &self.setup.materials {
            // Cold liquid is the most viscous.
            let coldest = hottest
                .iter()
                .flatten()
                .fold(material.temperature, |a, &b| a.min(b));
            let viscosity = material.viscosity_at(coldest);
            limits.push((
                0.04 * square * f64::from(material.density / viscosity),
                "viscosity",
            ));
            let tension = f64::from(material.surface_tension);
            let mass = f64::from(material.density) * f64::from(spacing).powi(3);
            let wave = (mass / (2.0 * std::f64::consts::PI * tension)).sqrt();
            limits.push((0.4 * wave, "surface tension"));
        }
        let shortest = limits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, limit) = shortest.unwrap_or((f64::INFINITY, "nothing"));
        StableStep { seconds, limit }
    }

    fn measure(&self, _solids: &dyn Solids) -> Measure {
        let volume = self.volume_of(|_| true);
        let mass = |index: usize| self.mass(index);
        measure::of_particles(
            &self.state.particles,
            mass,
            volume,
            self.state.expected_volume,
        )
    }

    fn channels(&self) -> Channels {
        self.state.particles.channels()
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        self.state = self.state.load(&mut saved)?;
        self.neighbours = None;
        self.fluid.clear();
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let Particles {
            position, velocity, ..
        } = &self.state.particles;
        measure::interpolate(position, &self.resolution, point, |index| velocity[index])
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let position = &self.state.particles.position;
        if self.fluid.len() != position.len() {
            return None;
        }
        let value = |index: usize| Vec3::splat(self.fluid[index].pressure);
        measure::interpolate(position, &self.resolution, point, value).map(|value| value.x)
    }

    fn volume_where(&self, _solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        self.volume_of(inside)
    }
}
