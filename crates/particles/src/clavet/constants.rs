//! From materials in SI units to the constants of Clavet, Beaudoin & Poulin (2005).
//!
//! Clavet's density ρ = Σ (1 − q)² and near-density ρⁿ = Σ (1 − q)³ are pure numbers, so stiffnesses are accelerations.
//! Displacing pairs by Δt² (P (1 − q) + Pⁿ (1 − q)²) is the same as giving each particle the energy per mass
//!
//! ```text
//! e = k h/8 (ρ − ρ₀)² + k_near h/12 ρⁿ²
//! ```
//!
//! from which everything follows for a lattice of the particles' spacing. With A = dρ/d ln n and B = dρⁿ/d ln n, the
//! changes of the densities when the lattice shrinks, which for sums over few neighbours differ from ρ and ρⁿ,
//!
//! - *Pressure* is p = ρ_m h (k/4 (ρ − ρ₀) A + k_near/6 ρⁿ B), ρ_m the density in kg/m³.
//! - *Rest density.* No pressure at the spacing: ρ₀ = ρ* (1 + y) with y = 2/3 (k_near/k) ρⁿ* B*/(ρ* A*), less a small share of
//!   A* for the disorder of particles with little near-pressure.
//! - *Stiffness.* c² = dp/dρ_m, the square of the speed of sound, is proportional to k. It is chosen so that the weight
//!   of the liquid and the blows it takes compress it by no more than the setting `compression`:
//!   c² = (g H + v²/2)/compression.
//! - *Viscosity.* Radial impulses σ (1 − q) u between approaching particles are a shear viscosity
//!   ν = σ Σ (1 − q) r²/(8 d (d + 2)) in d dimensions. What a packing bears no longer calms the noise of its particles where
//!   near-pressure is small: σ is no less than what the setting `damping` says.
//! - *Elasticity.* Springs between all neighbours are a solid of shear modulus
//!   G/ρ = k_spring h² (n h³) π/450, in two dimensions k_spring h² (n h²) π/320.
//! - *Yield.* The strain of the most stretched direction in simple shear is 1/√2 of the strain's norm: the yield ratio is
//!   the yield strain over √2, and the plasticity is the decay rate.
//! - *Surface tension* emerges from the attraction of particles that miss neighbours. Published, it is of the order of
//!   ρ s c²/10 (s the spacing): with a stiffness that keeps the volume, a thousand times that of water. The pressure of
//!   deficient particles is therefore bounded from below, P ≥ −k ρ* (y + cohesion): cohesion 1 never binds (published),
//!   0 leaves what holds the bulk together. Tension grows linearly between.

use ooze_core::Material;
use thiserror::Error;

use super::ClavetSettings;
use crate::resolution::Resolution;

/// The constants of one material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClavetConstants {
    /// Mass of a particle in kg.
    pub mass: f32,
    /// Stiffness k in m/s².
    pub stiffness: f32,
    /// Near-stiffness k_near in m/s².
    pub near_stiffness: f32,
    /// Rest density ρ₀.
    pub rest_density: f32,
    /// Lowest value of ρ − ρ₀ that attracts.
    pub lowest_excess: f32,
    /// Linear viscosity σ in 1/s.
    pub linear_viscosity: f32,
    /// Quadratic viscosity β in 1/m.
    pub quadratic_viscosity: f32,
    /// Spring stiffness k_spring in 1/s²; zero for no springs.
    pub spring_stiffness: f32,
    /// Yield ratio γ.
    pub yield_ratio: f32,
    /// Plasticity α in 1/s.
    pub plasticity: f32,
}

/// A constant that the method does not work with.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "{name} of `{material}` is {value}, but must be between {lowest} and {highest}{unit}: choose another material, spacing or compression"
)]
pub struct ConstantError {
    /// The material's name.
    pub material: String,
    /// The constant's name.
    pub name: &'static str,
    /// Its value.
    pub value: f32,
    /// Smallest value allowed.
    pub lowest: f32,
    /// Largest value allowed.
    pub highest: f32,
    /// The unit.
    pub unit: &'static str,
}

/// Sums over a lattice of particles at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestLattice {
    /// Σ (1 − q).
    pub reach: f32,
    /// ρ* = Σ (1 − q)².
    pub density: f32,
    /// ρⁿ* = Σ (1 − q)³.
    pub near_density: f32,
    dimensions: f32,
}

impl RestLattice {
    /// The lattice of a resolution.
    pub fn new(resolution: &Resolution) -> Self {
        let weight = |r: f32| 1.0 - r / resolution.radius;
        Self {
            reach: resolution.lattice_sum(weight),
            density: resolution.lattice_sum(|r| weight(r).powi(2)),
            near_density: resolution.lattice_sum(|r| weight(r).powi(3)),
            dimensions: resolution.space.dimensions() as f32,
        }
    }

    /// A and B of three sums over weights 1 − q, their squares and cubes.
    pub fn compressions(sums: [f32; 3], dimensions: f32) -> [f32; 2] {
        let [reach, density, near_density] = sums;
        [
            2.0 / dimensions * (reach - density),
            3.0 / dimensions * (density - near_density),
        ]
    }

    fn sums(&self) -> [f32; 3] {
        [self.reach, self.density, self.near_density]
    }

    /// y, by which the rest density exceeds the density at rest.
    pub fn excess(&self, near_ratio: f32) -> f32 {
        let [far, near] = Self::compressions(self.sums(), self.dimensions);
        2.0 / 3.0 * near_ratio * self.near_density * near / (self.density * far)
    }

    /// The density without pressure. Particles that near-pressure does not hold in a lattice find a closer order, by
    /// [`DISORDER`] where there is none of it: a little more room at rest makes up for that.
    fn rest_density(&self, near_ratio: f32) -> f32 {
        let [far, _] = Self::compressions(self.sums(), self.dimensions);
        let closer = DISORDER * (1.0 - near_ratio / NEAR_RATIO_OF_SPRINGS).max(0.0);
        self.density * (1.0 + self.excess(near_ratio)) - closer * far
    }

    /// Pressure over ρ_m h k when the rest density is that of another lattice.
    fn pressure(&self, rest_density: f32, near_ratio: f32) -> f32 {
        let [far, near] = Self::compressions(self.sums(), self.dimensions);
        0.25 * (self.density - rest_density) * far + near_ratio / 6.0 * self.near_density * near
    }
}

/// c²/(h k): the change of pressure with density at rest, from lattices a little wider and narrower.
fn sound_per_stiffness(resolution: &Resolution, near_ratio: f32) -> f32 {
    const CHANGE: f32 = 0.01;
    let lattice = RestLattice::new(resolution);
    let rest_density = lattice.density * (1.0 + lattice.excess(near_ratio));
    let pressure = |scale: f32| {
        let spacing = resolution.spacing * scale;
        let lattice = RestLattice::new(&Resolution {
            spacing,
            ..*resolution
        });
        lattice.pressure(rest_density, near_ratio)
    };
    let volumes = f32::ln(1.0 + CHANGE) - f32::ln(1.0 - CHANGE);
    (pressure(1.0 - CHANGE) - pressure(1.0 + CHANGE)) / (volumes * lattice.dimensions)
}

/// Surface tension in units of ρ s c² with cohesion 0, and what cohesion adds, estimated, not yet measured on drops.
const TENSION_WITHOUT_COHESION: f32 = 0.01;
const TENSION_OF_COHESION: f32 = 0.1;
/// Near-stiffness over stiffness in liquids without springs. Near-pressure makes a packing that bears shear, in proportion to the
/// stiffness: it holds back what flows by its weight, however short the steps and fine the particles. Much less of it lets
/// particles meet in pairs, and the liquid sinks into itself.
const NEAR_RATIO: f32 = 0.15;
/// The same in liquids with springs, which bear shear themselves; the stronger packing lets them be drawn to strings.
const NEAR_RATIO_OF_SPRINGS: f32 = 0.5;
/// Share of its volume by which a liquid without near-pressure would sink into itself, from what water in tanks does.
const DISORDER: f32 = 0.009;
/// Share of a Maxwell liquid's viscosity that is not in its springs.
const SOLVENT_SHARE: f32 = 0.05;

impl ClavetConstants {
    /// The constants of a material for a speed of sound in m/s.
    pub fn of_material(
        material: &Material,
        settings: &ClavetSettings,
        resolution: &Resolution,
        sound_speed: f32,
    ) -> Result<Self, ConstantError> {
        let lattice = RestLattice::new(resolution);
        let radius = resolution.radius;
        let springs = Springiness::of(material);
        let near_ratio = settings.near_ratio.unwrap_or(springs.near_ratio());
        let y = lattice.excess(near_ratio);
        let stiffness =
            sound_speed * sound_speed / (radius * sound_per_stiffness(resolution, near_ratio));
        let cohesion = settings.cohesion.unwrap_or_else(|| {
            let unit = material.density * resolution.spacing * sound_speed * sound_speed;
            let wanted = material.surface_tension / unit - TENSION_WITHOUT_COHESION;
            (wanted / TENSION_OF_COHESION).clamp(0.0, 1.0)
        });
        let spring_stiffness =
            springs.modulus / material.density * stiffness_per_modulus(resolution);
        let constants = Self {
            mass: (f64::from(material.density) * resolution.particle_volume()) as f32,
            stiffness,
            near_stiffness: near_ratio * stiffness,
            rest_density: lattice.rest_density(near_ratio),
            lowest_excess: -lattice.density * (y + cohesion),
            linear_viscosity: (springs.viscosity / material.density
                * impulse_per_viscosity(resolution))
            .max(settings.damping * sound_speed / radius),
            quadratic_viscosity: settings.quadratic_viscosity,
            spring_stiffness,
            yield_ratio: springs.yield_strain * std::f32::consts::FRAC_1_SQRT_2,
            plasticity: springs.decay_rate,
        };
        constants.check(&material.name)?;
        Ok(constants)
    }

    /// Refuses constants outside of the ranges in which the method is known to work.
    pub fn check(&self, material: &str) -> Result<(), ConstantError> {
        let ranges = [
            ("mass", self.mass, 1e-12, 1e6, " kg"),
            ("stiffness", self.stiffness, 1e-3, 1e8, " m/s²"),
            ("near-stiffness", self.near_stiffness, 0.0, 1e9, " m/s²"),
            ("rest density", self.rest_density, 0.1, 100.0, ""),
            (
                "lowest excess of density",
                self.lowest_excess,
                -100.0,
                0.0,
                "",
            ),
            ("linear viscosity", self.linear_viscosity, 0.0, 1e9, " 1/s"),
            (
                "quadratic viscosity",
                self.quadratic_viscosity,
                0.0,
                1e6,
                " 1/m",
            ),
            (
                "spring stiffness",
                self.spring_stiffness,
                0.0,
                1e10,
                " 1/s²",
            ),
            ("yield ratio", self.yield_ratio, 0.0, 1.0, ""),
            ("plasticity", self.plasticity, 0.0, 1e4, " 1/s"),
        ];
        for (name, value, lowest, highest, unit) in ranges {
            if !(lowest..=highest).contains(&value) {
                return Err(ConstantError {
                    material: material.into(),
                    name,
                    value,
                    lowest,
                    highest,
                    unit,
                });
            }
        }
        Ok(())
    }

    /// Speed of longitudinal waves in m/s: sound, and three times the shear modulus of the springs.
    pub fn wave_speed(&self, resolution: &Resolution) -> f32 {
        let near_ratio = self.near_stiffness / self.stiffness;
        let sound =
            self.stiffness * resolution.radius * sound_per_stiffness(resolution, near_ratio);
        let shear = self.spring_stiffness / stiffness_per_modulus(resolution);
        let springs = 3.0 * shear;
        (sound + springs).sqrt()
    }
}

/// What a material's springs and impulses are made from.
struct Springiness {
    modulus: f32,
    yield_strain: f32,
    decay_rate: f32,
    viscosity: f32,
}

impl Springiness {
    fn near_ratio(&self) -> f32 {
        if self.modulus > 0.0 {
            NEAR_RATIO_OF_SPRINGS
        } else {
            NEAR_RATIO
        }
    }

    fn of(material: &Material) -> Self {
        let mut springs = Self {
            modulus: 0.0,
            yield_strain: 0.0,
            decay_rate: 0.0,
            viscosity: material.viscosity,
        };
        match (material.elasticity, material.relaxation_time) {
            (Some(elasticity), _) => {
                springs.modulus = elasticity.shear_modulus();
                springs.yield_strain = elasticity.yield_strain;
                springs.decay_rate = elasticity.decay_rate;
            }
            // Maxwell: viscosity is modulus times memory.
            (None, Some(time)) => {
                springs.modulus = material.viscosity / time;
                springs.decay_rate = 1.0 / time;
            }
            (None, None) => {}
        }
        if let Some(time) = material.relaxation_time {
            let solvent = material.viscosity - springs.modulus * time;
            springs.viscosity = solvent.max(SOLVENT_SHARE * material.viscosity);
        }
        springs
    }
}

/// σ of impulses between approaching pairs for a kinematic viscosity of 1 m²/s, in 1/m²: 8 d (d + 2)/Σ (1 − q) r².
fn impulse_per_viscosity(resolution: &Resolution) -> f32 {
    let dimensions = resolution.space.dimensions() as f32;
    let moment = resolution.lattice_sum(|r| (1.0 - r / resolution.radius) * r * r);
    8.0 * dimensions * (dimensions + 2.0) / moment
}

/// Stiffness of springs for a shear modulus of 1 m²/s² times the density, in 1/m². Springs push and pull: half of what impulses
/// between approaching pairs only would take.
fn stiffness_per_modulus(resolution: &Resolution) -> f32 {
    let pi = std::f32::consts::PI;
    let Resolution {
        spacing, radius, ..
    } = *resolution;
    let in_a_cube = (radius / spacing).powi(resolution.space.dimensions());
    let constant = if resolution.flat() { 320.0 } else { 450.0 };
    constant / (pi * radius * radius * in_a_cube)
}
