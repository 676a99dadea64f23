//! The viscoelastic liquid of Clavet, Beaudoin & Poulin (2005), as Kasi describes it: double density relaxation,
//! springs with plastic rest lengths, viscosity impulses, stickiness (algorithms 1 to 5).
//!
//! Deviations: velocities take up the sum of displacements instead of a difference of positions, which is the same up to
//! rounding; walls contribute to densities as if they were full of liquid; attraction at the surface can be reduced
//! (see [`ClavetConstants`]); and the parallel order, the default, relaxes all pairs at once.

mod constants;
mod relaxation;
mod sequential;
mod settings;
mod springs;
mod viscosity;

use glam::Vec3;
use ooze_core::{
    ChannelError, Channels, Liquid, LiquidSetup, Measure, Obstacles, Solids, StableStep, StepError,
    StepReport,
};
use rayon::prelude::*;

use crate::boundary::contact::{self, ContactRule, Step, Touches};
use crate::boundary::wall::{Moment, WallIntegral};
use crate::common::{apply_forces, find_neighbours, points_of};
use crate::diffusion;
use crate::kernel::LaplacianWeight;
use crate::measure;
use crate::neighbours::Neighbours;
use crate::particles::{CHUNK, Particles};
use crate::resolution::Resolution;
use crate::sources::{NewValues, Sources};
use crate::state::ParticleState;
pub use constants::{ClavetConstants, ConstantError, Lattice};
use relaxation::{Densities, Displacement};
pub use settings::{ClavetSettings, RelaxationOrder};
use springs::{SpringRule, SpringTable, Springs};
use viscosity::ViscosityRule;

/// Displacement, in interaction radii, that the pressure of a particle's neighbours may cause at the most.
const LONGEST_PUSH: f32 = 1.0;
/// Interaction radii that sound may cross in one step without softening.
const STABLE_CFL: f32 = 0.4;
/// Interaction radii that a particle may cross in one step.
const LARGEST_STEP: f32 = 0.25;

/// Share of the spacing by which particles are displaced from their lattice at first: enough for the liquid not to begin
/// as a crystal, which bears shear.
const JITTER: f32 = 0.25;

/// The liquid.
pub struct ClavetLiquid {
    setup: LiquidSetup,
    settings: ClavetSettings,
    resolution: Resolution,
    constants: Vec<ClavetConstants>,
    wall: WallDensity,
    values: Vec<NewValues>,
    state: ClavetState,
    /// Made from the state, and kept between steps for speed.
    neighbours: Option<Neighbours>,
    /// Memory for the next step's springs.
    spare_springs: Springs,
    /// Densities of the last step, for measures.
    densities: Vec<Densities>,
}

/// Everything that a later step depends on.
#[derive(Clone, Debug, Default)]
pub struct ClavetState {
    /// What all particle liquids have.
    pub base: ParticleState,
    springs: SpringStore,
}

/// Springs, beside lists of neighbours or on their own.
#[derive(Clone, Debug)]
enum SpringStore {
    Loose(SpringTable),
    Aligned(Springs),
}

impl Default for SpringStore {
    fn default() -> Self {
        Self::Loose(SpringTable::empty(0))
    }
}

impl SpringStore {
    fn table(&self, neighbours: Option<&Neighbours>, count: usize) -> SpringTable {
        match (self, neighbours) {
            (Self::Loose(table), _) => table.clone(),
            (Self::Aligned(springs), Some(neighbours)) => springs.table(neighbours, count),
            (Self::Aligned(_), None) => SpringTable::empty(count),
        }
    }
}

/// What walls add to sums over neighbours, as functions of their distance.
#[derive(Clone, Debug)]
pub(crate) struct WallDensity {
    reach: WallIntegral,
    density: WallIntegral,
    near_density: WallIntegral,
    push: WallIntegral,
    near_push: WallIntegral,
}

impl WallDensity {
    fn new(resolution: &Resolution) -> Self {
        let per_volume = 1.0 / resolution.particle_volume();
        let integral = |moment, power: i32| {
            WallIntegral::new(resolution.space, resolution.radius, moment, |r| {
                per_volume * (1.0 - r / f64::from(resolution.radius)).powi(power)
            })
        };
        Self {
            reach: integral(Moment::Sum, 1),
            density: integral(Moment::Sum, 2),
            near_density: integral(Moment::Sum, 3),
            push: integral(Moment::Towards, 1),
            near_push: integral(Moment::Towards, 2),
        }
    }
}

impl ClavetLiquid {
    /// The liquid of a scene at time zero, with constants from its materials.
    pub fn new(
        setup: LiquidSetup,
        settings: ClavetSettings,
        solids: &dyn Solids,
    ) -> Result<Self, ConstantError> {
        let constants = Self::constants_of(&setup, &settings)?;
        Self::with_constants(setup, settings, constants, solids)
    }

    /// The constants of each material of a scene, or why one is out of range.
    pub fn constants_of(
        setup: &LiquidSetup,
        settings: &ClavetSettings,
    ) -> Result<Vec<ClavetConstants>, ConstantError> {
        let resolution = Resolution::new(&setup.domain, settings.spacing, settings.radius);
        let speed = sound_speed(setup, settings, &resolution);
        let materials = setup.materials.iter();
        materials
            .map(|material| ClavetConstants::of_material(material, settings, &resolution, speed))
            .collect()
    }

    /// The liquid with the method's own constants, one set a material.
    pub fn with_constants(
        setup: LiquidSetup,
        settings: ClavetSettings,
        constants: Vec<ClavetConstants>,
        solids: &dyn Solids,
    ) -> Result<Self, ConstantError> {
        for (constants, material) in constants.iter().zip(&setup.materials) {
            constants.check(&material.name)?;
        }
        let resolution = Resolution::new(&setup.domain, settings.spacing, settings.radius);
        let coloured = settings.diffusivity > 0.0;
        let values: Vec<NewValues> = setup
            .materials
            .iter()
            .map(|material| NewValues {
                scalars: Vec::new(),
                vectors: coloured
                    .then_some(material.appearance.colour)
                    .into_iter()
                    .collect(),
            })
            .collect();
        let template = Particles::with_channels(&[], if coloured { &["colour"] } else { &[] });
        let obstacles = Obstacles::new(&setup.domain, solids);
        let sources = Sources {
            setup: &setup,
            resolution,
            jitter: JITTER,
            values: &values,
        };
        let base = sources.seed(&template, &obstacles);
        let mut liquid = Self {
            resolution,
            wall: WallDensity::new(&resolution),
            state: ClavetState {
                springs: SpringStore::Loose(SpringTable::empty(base.particles.len())),
                base,
            },
            constants,
            values,
            settings,
            neighbours: None,
            spare_springs: Springs::default(),
            densities: Vec::new(),
            setup,
        };
        liquid.relax_springs();
        Ok(liquid)
    }

    /// Elastic liquid begins without strain.
    fn relax_springs(&mut self) {
        let rule = SpringRule::new(&self.constants, self.resolution.radius, 1.0, 1.0);
        if !rule.is_active() {
            return;
        }
        let Self {
            resolution, state, ..
        } = self;
        let margin = 0.1 * resolution.radius;
        state
            .base
            .sort(resolution.radius, margin, resolution.flat());
        let particles = &state.base.particles;
        let neighbours = find_neighbours(&state.base, resolution);
        let points = points_of(&particles.position, |index| {
            f32::from(particles.material[index])
        });
        let table = Springs::relaxed(&neighbours, &points, &particles.material, &rule);
        self.state.springs = SpringStore::Loose(table);
    }

    /// The state.
    pub fn state(&self) -> &ClavetState {
        &self.state
    }

    /// The constants of each material.
    pub fn constants(&self) -> &[ClavetConstants] {
        &self.constants
    }

    /// Spacing and radius.
    pub fn resolution(&self) -> Resolution {
        self.resolution
    }

    /// Sums of weights 1 − q, of their squares (density) and cubes (near-density) in the last step, in the order of the state.
    pub fn densities(&self) -> &[[f32; 3]] {
        &self.densities
    }

    /// Number of springs.
    pub fn spring_count(&self) -> usize {
        let count = self.state.base.particles.len();
        let table = self.state.springs.table(self.neighbours.as_ref(), count);
        table.other.len() / 2
    }

    /// Fastest wave of any material.
    fn wave_speed(&self) -> f32 {
        let speeds = self.constants.iter();
        speeds
            .map(|constants| constants.wave_speed(&self.resolution))
            .fold(0.0, f32::max)
    }

    /// The step in which waves cross one interaction radius.
    fn crossing_time(&self) -> f32 {
        self.resolution.radius / self.wave_speed()
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            setup: &self.setup,
            resolution: self.resolution,
            jitter: JITTER,
            values: &self.values,
        }
    }

    fn mass(&self, material: u8) -> f32 {
        self.constants[usize::from(material)].mass
    }
}

/// The speed of sound that keeps compression within the settings: weight, blows, surface tension and elasticity.
fn sound_speed(setup: &LiquidSetup, settings: &ClavetSettings, resolution: &Resolution) -> f32 {
    let energy = crate::scales::largest_energy(setup);
    let mut square = energy / settings.compression;
    for material in &setup.materials {
        let tension = 20.0 * material.surface_tension / (material.density * resolution.spacing);
        let modulus = material
            .elasticity
            .map_or(0.0, |elastic| elastic.shear_modulus());
        square = square.max(tension).max(5.0 * modulus / material.density);
    }
    square.max(0.01).sqrt()
}

/// A step in the making: everything happens to copies, so that a step that fails leaves the liquid as it was.
struct Advance<'a> {
    liquid: &'a ClavetLiquid,
    dt: f32,
    softness: f32,
    base: ParticleState,
    /// Lists from before the step, which hold unless there are new ones.
    former: Option<Neighbours>,
    rebuilt: Option<Neighbours>,
    /// Springs as this step leaves them; none as long as they are as before.
    springs: Option<SpringStore>,
    spare_springs: Springs,
    touches: Touches,
    predicted: Vec<Vec3>,
    displacements: Vec<Displacement>,
    densities: Vec<Densities>,
}

impl Advance<'_> {
    fn positions_ahead(&self) -> Vec<Vec3> {
        let Particles {
            position, velocity, ..
        } = &self.base.particles;
        let pairs = position.par_iter().with_min_len(CHUNK).zip(velocity);
        pairs
            .map(|(position, velocity)| *position + *velocity * self.dt)
            .collect()
    }

    /// Particles lie in memory as they lie in space, and know who is near.
    fn find_neighbours(&mut self) {
        let resolution = self.liquid.resolution;
        let ahead = self.positions_ahead();
        let margin = self.base.new_margin(&ahead, resolution.radius);
        if margin.is_none() && self.former.is_some() {
            return;
        }
        let count = ahead.len();
        let mut table = self.liquid.state.springs.table(self.former.as_ref(), count);
        if let Some(margin) = margin {
            let order = self.base.sort(resolution.radius, margin, resolution.flat());
            table = table.gather(&order, count);
        }
        self.rebuilt = Some(find_neighbours(&self.base, &resolution));
        self.springs = Some(SpringStore::Loose(table));
    }

    fn apply_viscosity(&mut self) {
        let liquid = self.liquid;
        let constants = &liquid.constants;
        let acts = |constants: &ClavetConstants| {
            constants.linear_viscosity > 0.0 || constants.quadratic_viscosity > 0.0
        };
        if !constants.iter().any(acts) {
            return;
        }
        let resolution = &liquid.resolution;
        let inverse_radius = 1.0 / resolution.radius;
        let mut rule = ViscosityRule {
            inverse_radius,
            largest_loss: 2.0 / resolution.lattice_sum(|_| 1.0),
            quadratic: liquid.settings.quadratic_viscosity,
            dt: self.dt,
        };
        let neighbours = lists(&self.rebuilt, &self.former);
        let Particles {
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
                let needed = self.dt * strongest.fold(0.0, f32::max) * reach;
                let sweeps = needed.ceil().clamp(1.0, viscosity::MOST_SWEEPS);
                rule.dt /= sweeps;
                for _ in 0..sweeps as usize {
                    let flow = points_of(velocity, |index| of(index).linear_viscosity);
                    viscosity::apply(rule, neighbours, &points, &flow, velocity);
                }
            }
            RelaxationOrder::Sequential => {
                sequential::viscosity(rule, neighbours, position, constants, material, velocity)
            }
        }
    }

    fn predict(&mut self) {
        self.predicted = self.positions_ahead();
        self.displacements = vec![Displacement::default(); self.predicted.len()];
    }

    fn touch_walls(&mut self, obstacles: &Obstacles<'_>) {
        let Resolution {
            radius, spacing, ..
        } = self.liquid.resolution;
        let flat = self.liquid.resolution.flat();
        self.touches = Touches::find(&self.predicted, obstacles, radius, spacing, flat);
    }

    fn adjust_and_apply_springs(&mut self) {
        let liquid = self.liquid;
        let radius = liquid.resolution.radius;
        let rule = SpringRule::new(&liquid.constants, radius, self.dt, self.softness);
        if !rule.is_active() {
            return;
        }
        let neighbours = lists(&self.rebuilt, &self.former);
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

    fn relax_densities(&mut self) {
        let liquid = self.liquid;
        let Resolution { radius, .. } = liquid.resolution;
        let inverse_radius = 1.0 / radius;
        let scale = self.softness * self.dt * self.dt;
        let reach = liquid.resolution.lattice_sum(|r| 1.0 - r * inverse_radius);
        let highest = LONGEST_PUSH * radius / reach;
        let material = &self.base.particles.material;
        let mut positions = self.displaced();
        self.densities = vec![[0.0; 3]; positions.len()];
        let neighbours = lists(&self.rebuilt, &self.former);
        let Self {
            touches,
            densities,
            displacements,
            ..
        } = self;
        match liquid.settings.order {
            RelaxationOrder::Parallel => {
                let points = points_of(&positions, |_| 0.0);
                relaxation::densities(
                    inverse_radius,
                    neighbours,
                    &points,
                    touches,
                    &liquid.wall,
                    densities,
                );
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
                    touches,
                    &liquid.wall,
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
                    touches,
                    wall: &liquid.wall,
                };
                sequential::relax(&relaxation, &mut positions, densities, displacements);
            }
        }
    }

    /// Moves the particles; velocities take up all displacements.
    fn collide_and_move(&mut self) {
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
            ..
        } = &mut self.base.particles;
        position
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(velocity)
            .zip(age)
            .zip(self.displacements.par_iter().zip(&self.predicted))
            .enumerate()
            .for_each(
                |(index, (((position, velocity), age), (displacement, predicted)))| {
                    let Displacement { moved, pressed } = *displacement;
                    let step = Step {
                        from: *position,
                        found_at: *predicted,
                        moved: *predicted + moved,
                        pressed,
                    };
                    let touches = touches.of(index);
                    let mut all = moved;
                    if !touches.is_empty() {
                        all += rule.correct(touches, step, dt) - step.moved;
                    }
                    if flat {
                        all.z = 0.0;
                        velocity.z = 0.0;
                    }
                    *velocity += all / dt;
                    *position += *velocity * dt;
                    *age += dt;
                },
            );
    }

    fn diffuse_colour(&mut self) {
        let liquid = self.liquid;
        let diffusivity = liquid.settings.diffusivity;
        if diffusivity == 0.0 {
            return;
        }
        let resolution = &liquid.resolution;
        let weight = LaplacianWeight::new(resolution.radius, resolution.space);
        let rate = diffusivity * self.dt * resolution.particle_volume() as f32;
        let neighbours = lists(&self.rebuilt, &self.former);
        let particles = &mut self.base.particles;
        let points = points_of(&particles.position, |_| 1.0);
        for channel in &mut particles.vectors {
            diffusion::spread(neighbours, &points, weight, rate, &mut channel.values);
        }
    }

    /// What walls took from the liquid's momentum.
    fn impulses(&self, bodies: usize) -> Vec<ooze_core::Impulse> {
        let particles = &self.base.particles;
        let change = |index: usize| {
            let nearest = self.touches.of(index).first();
            let normal = nearest.map_or(Vec3::ZERO, |touch| touch.normal);
            let mass = self.liquid.mass(particles.material[index]);
            normal * (mass * self.displacements[index].pressed / self.dt)
        };
        contact::impulses(&self.touches, &particles.position, change, bodies)
    }
}

/// The lists that hold.
fn lists<'a>(rebuilt: &'a Option<Neighbours>, former: &'a Option<Neighbours>) -> &'a Neighbours {
    let lists = rebuilt.as_ref().or(former.as_ref());
    lists.expect("neighbours are found before they are used")
}

/// The material of the point that pads lists.
const NO_MATERIAL: f32 = -1.0;

impl ClavetLiquid {
    /// One step: algorithm 1.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let (former, spare) = (
            self.neighbours.take(),
            std::mem::take(&mut self.spare_springs),
        );
        let mut step = self.begin(dt as f32, former, spare);
        report.timed("forces", |_| {
            let Particles {
                position, velocity, ..
            } = &mut step.base.particles;
            apply_forces(&self.setup.forces, position, velocity, dt as f32);
        });
        report.timed("neighbours", |_| step.find_neighbours());
        report.timed("viscosity", |_| step.apply_viscosity());
        report.timed("prediction", |_| step.predict());
        report.timed("walls", |_| step.touch_walls(&obstacles));
        report.timed("springs", |_| step.adjust_and_apply_springs());
        report.timed("relaxation", |_| step.relax_densities());
        report.timed("collisions", |_| step.collide_and_move());
        report.timed("diffusion", |_| step.diffuse_colour());
        if let Err(error) = step.base.check_finite("relaxation") {
            self.neighbours = step.former;
            return Err(error);
        }

        // From here on nothing can fail.
        let impulses = step.impulses(obstacles.solids().count());
        let Advance {
            base,
            former,
            rebuilt,
            springs,
            densities,
            spare_springs,
            ..
        } = step;
        self.spare_springs = spare_springs;
        self.state.base = base;
        if let Some(springs) = springs {
            let before = std::mem::replace(&mut self.state.springs, springs);
            if let SpringStore::Aligned(springs) = before {
                self.spare_springs = springs;
            }
        }
        self.neighbours = rebuilt.or(former);
        self.densities = densities;
        report.timed("sources", |_| self.drain_and_emit(solids, time, time + dt));
        report.liquid_cells = self.state.base.particles.len();
        solids.push(&impulses, dt);
        Ok(())
    }

    fn begin(&self, dt: f32, former: Option<Neighbours>, spare_springs: Springs) -> Advance<'_> {
        let stable = STABLE_CFL * self.crossing_time();
        Advance {
            liquid: self,
            dt,
            softness: (stable / dt).powi(2).min(1.0),
            base: self.state.base.clone(),
            former,
            rebuilt: None,
            springs: None,
            spare_springs,
            touches: Touches::default(),
            predicted: Vec::new(),
            displacements: Vec::new(),
            densities: Vec::new(),
        }
    }

    fn drain_and_emit(&mut self, solids: &dyn Solids, from: f64, to: f64) {
        let mut state = std::mem::take(&mut self.state);
        let count = state.base.particles.len();
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let kept = self.sources().drain(&mut state.base, to);
        self.sources().emit(&mut state.base, &obstacles, from, to);
        let now = state.base.particles.len();
        if kept.is_some() || now != count {
            let order = kept.unwrap_or_else(|| (0..count as u32).collect());
            let table = state.springs.table(self.neighbours.as_ref(), count);
            state.springs = SpringStore::Loose(table.gather(&order, now));
            self.neighbours = None;
            self.densities.clear();
        }
        self.state = state;
    }

    /// Pressure of a particle in pascals: the virial of the energies of [`ClavetConstants`].
    fn pressure(&self, index: usize) -> f32 {
        let sums = self.densities[index];
        let constants = &self.constants[usize::from(self.state.base.particles.material[index])];
        let dimensions = self.resolution.space.dimensions() as f32;
        let [far, near] = Lattice::compressions(sums, dimensions);
        let excess = (sums[1] - constants.rest_density).max(constants.lowest_excess);
        let density = constants.mass / self.resolution.particle_volume() as f32;
        let pressure = constants.stiffness * excess;
        let near_pressure = constants.near_stiffness * sums[2];
        density * self.resolution.radius * (0.25 * pressure * far + near_pressure * near / 6.0)
    }

    /// Volume of the particles where `inside` holds: by their density, or as at rest where they miss neighbours.
    fn volume_of(&self, inside: impl Fn(Vec3) -> bool + Sync) -> f64 {
        let own = self.resolution.particle_volume();
        let rest = Lattice::new(&self.resolution).density;
        let positions = &self.state.base.particles.position;
        let indices: Vec<u32> = (0..positions.len() as u32).collect();
        ooze_field::reduce::sum(&indices, |&index| {
            if !inside(positions[index as usize]) {
                return 0.0;
            }
            let density = self
                .densities
                .get(index as usize)
                .map_or(rest, |found| found[1]);
            own * f64::from((rest / density).min(1.0))
        })
    }
}

impl Liquid for ClavetLiquid {
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
        let radius = f64::from(self.resolution.radius);
        let speed = f64::from(measure::max_speed(&self.state.base.particles.velocity));
        let walls = f64::from(Obstacles::new(&self.setup.domain, solids).max_speed());
        let limits = [
            (
                f64::from(self.settings.cfl * self.crossing_time()),
                "speed of sound",
            ),
            (
                f64::from(LARGEST_STEP) * radius / speed,
                "speed of the liquid",
            ),
            (
                f64::from(LARGEST_STEP) * radius / walls,
                "speed of a collider",
            ),
        ];
        let shortest = limits.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, limit) = shortest.unwrap_or((f64::INFINITY, "nothing"));
        StableStep { seconds, limit }
    }

    fn measure(&self, _solids: &dyn Solids) -> Measure {
        let base = &self.state.base;
        let mass = |index: usize| f64::from(self.mass(base.particles.material[index]));
        let volume = self.volume_of(|_| true);
        measure::of_particles(&base.particles, mass, volume, base.expected_volume)
    }

    fn channels(&self) -> Channels {
        self.state.base.particles.channels()
    }

    fn save(&self) -> Channels {
        let mut saved = self.state.base.save();
        let count = self.state.base.particles.len();
        self.state
            .springs
            .table(self.neighbours.as_ref(), count)
            .save(&mut saved);
        saved
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        let base = self.state.base.load(&mut saved)?;
        let table = SpringTable::load(&mut saved, base.particles.len())?;
        self.state = ClavetState {
            base,
            springs: SpringStore::Loose(table),
        };
        self.neighbours = None;
        self.densities.clear();
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let Particles {
            position, velocity, ..
        } = &self.state.base.particles;
        measure::interpolate(position, &self.resolution, point, |index| velocity[index])
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let position = &self.state.base.particles.position;
        if self.densities.len() != position.len() {
            return None;
        }
        let value = |index: usize| Vec3::splat(self.pressure(index));
        measure::interpolate(position, &self.resolution, point, value).map(|value| value.x)
    }

    fn volume_where(&self, _solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        self.volume_of(inside)
    }
}
