//! Elasticity of the FLIP liquid: strain is carried by the particles and never smoothed; the grid sees the mean of their stress,
//! and strains them at just the rates that this stress works on (`stress`).
//!
//! Particles keep their rate of rotation too, and hand it to the grid whatever the transfer (after Jiang et al. 2015, sec. 5.2):
//! without it a rigid rotation on the grid would be as uneven as the particles are, and uneven rotation is strain. The rest
//! of the gradient is left out: beyond the surface nothing but the particle itself tells what it is, and there it would
//! go on straining for ever.

use glam::{IVec3, Vec3};
use ooze_commons::reduce;
use ooze_core::{Carried, Elasticity, Gradient, LiquidSetup, ParticleSet};
use rayon::prelude::*;

use super::channels::FlipChannels;
use super::order::{CHUNK, CellOrder};
use super::stress::{ElasticStress, Stressed};
use crate::elasticity::{
    MaterialLaw, PointLaw, StepBounds, SymmetricTensor, explicit_limit, implicit_limit,
    implicitness, kept_strain, relaxed, softening,
};
use crate::{ElasticityScheme, FlipSettings, Sampling, ViscosityScheme};

/// Cells of a neighbourhood, and the particles in it (of 216, or 36 in the plane, inside the liquid) below which they are
/// spray.
const NEIGHBOURS: i32 = 27;
const FEW: usize = 12;
const NEIGHBOURS_IN_PLANE: i32 = 9;
const FEW_IN_PLANE: usize = 4;

/// Elastic behaviour by material; materials without it have a modulus of zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Laws {
    by_material: Vec<MaterialLaw>,
    scheme: Option<ElasticityScheme>,
    /// Largest modulus in Pa, largest modulus over density in m²/s², and largest decay rate in 1/s.
    largest_modulus: f32,
    stiffness: f64,
    decay_rate: f64,
    /// The longest step of an implicit scheme in seconds.
    implicit_step: f64,
}

impl Laws {
    pub(crate) fn new(setup: &LiquidSetup, settings: &FlipSettings) -> Self {
        let elastic = |law: &Elasticity| law.modulus > 0.0;
        let materials = setup.materials.iter();
        let present = materials
            .clone()
            .any(|material| material.elasticity.as_ref().is_some_and(elastic));
        if !settings.elasticity.enabled || !present {
            return Self::default();
        }
        let none = Elasticity {
            modulus: 0.0,
            yield_strain: 0.0,
            decay_rate: 0.0,
        };
        let mut laws = Self {
            by_material: Vec::new(),
            scheme: Some(
                match (settings.elasticity.scheme, settings.viscosity.scheme) {
                    (scheme, ViscosityScheme::Variational) => scheme,
                    // The others have no solve that an implicit step could share.
                    _ => ElasticityScheme::Explicit,
                },
            ),
            largest_modulus: 0.0,
            stiffness: 0.0,
            decay_rate: 0.0,
            implicit_step: f64::INFINITY,
        };
        for material in materials {
            let law = material.elasticity.filter(elastic).unwrap_or(none);
            let stiffness = f64::from(law.modulus / material.density);
            laws.largest_modulus = laws.largest_modulus.max(law.modulus);
            laws.stiffness = laws.stiffness.max(stiffness);
            laws.decay_rate = laws.decay_rate.max(f64::from(law.decay_rate));
            if law.modulus > 0.0 {
                let viscosity = if settings.viscosity.enabled {
                    material.viscosity
                } else {
                    0.0
                };
                let cell_size = setup.domain.cell_size;
                let longest = implicit_limit(&law, material.density, viscosity, cell_size);
                laws.implicit_step = laws.implicit_step.min(longest);
            }
            laws.by_material.push(MaterialLaw::new(material, law));
        }
        laws
    }

    /// Whether anything is elastic.
    pub(crate) fn any(&self) -> bool {
        self.scheme.is_some()
    }

    /// The longest explicit step, and what limits it.
    fn limit(&self, cell_size: f32) -> (f64, &'static str) {
        explicit_limit(self.stiffness, self.decay_rate, f64::from(cell_size))
    }

    /// The longest step that is stable, if elasticity limits it. Liquid that may leave a wall asks for explicit steps.
    pub(crate) fn stable_step(
        &self,
        settings: &FlipSettings,
        cell_size: f32,
        may_leave: impl Fn() -> bool,
    ) -> Option<(f64, &'static str)> {
        let bounds = StepBounds {
            explicit: self.limit(cell_size),
            implicit: self.implicit_step,
            decay_rate: self.decay_rate,
        };
        Some(bounds.longest(self.scheme?, settings.elasticity.decay, may_leave))
    }

    /// Whether walls that let go hold the liquid for a step of `dt` seconds: it is as long as a liquid is granted that did not
    /// touch them, and stress that acted explicitly for so long would throw off what lands.
    pub(crate) fn holds(&self, cell_size: f32, dt: f64) -> bool {
        let (limit, _) = self.limit(cell_size);
        let automatic = self.scheme == Some(ElasticityScheme::Automatic);
        automatic && implicitness(ElasticityScheme::Automatic, limit, dt) > 0.0
    }

    /// The stress of sorted particles, for a step of `dt` seconds; none if nothing is strained or can be.
    pub(crate) fn stress(
        &self,
        order: &CellOrder,
        particles: &ParticleSet,
        channels: &FlipChannels,
        sampling: Sampling,
        dt: f64,
    ) -> Option<ElasticStress> {
        let scheme = self.scheme?;
        if particles.is_empty() {
            return None;
        }
        let (limit, _) = self.limit(order.topology.lattice().cell_size);
        let share = implicitness(scheme, limit, dt);
        let step = dt as f32;
        let half = (0.5 * share * dt) as f32;
        let largest = self.largest_modulus;
        let stressed = self.for_each(particles, channels, |law, strain| Stressed {
            strain: relaxed(strain, law, step) * (law.modulus / largest),
            stiffening: half * law.modulus * softening(strain, law, step),
        });
        let (positions, implicit) = (&particles.position, share > 0.0);
        let stress = ElasticStress::of(order, positions, &stressed, largest, implicit, sampling);
        Some(stress)
    }

    /// The viscosity in Pa s that an implicit step of `dt` seconds adds at most.
    pub(crate) fn stiffening(&self, cell_size: f32, dt: f64) -> f32 {
        let (limit, _) = self.limit(cell_size);
        let share = |scheme| implicitness(scheme, limit, dt);
        (0.5 * dt * self.scheme.map_or(0.0, share)) as f32 * self.largest_modulus
    }

    fn for_each<T: Send>(
        &self,
        particles: &ParticleSet,
        channels: &FlipChannels,
        value: impl Fn(&Elasticity, SymmetricTensor) -> T + Sync,
    ) -> Vec<T> {
        let melted = melted(&particles.carried, channels);
        let material = particles.material.par_iter();
        material
            .zip(particles.carried.optional(channels.strain))
            .enumerate()
            .with_min_len(CHUNK)
            .map(|(index, (&material, &strain))| {
                let law = &self.by_material[usize::from(material)];
                value(&law.of(melted.get(index).copied()), strain)
            })
            .collect()
    }

    /// Lets the strain of the particles grow at these rates for `dt` seconds and turn with the gradients of their velocities; of
    /// the gradients the rotation is kept.
    pub(crate) fn update(
        &self,
        particles: &mut ParticleSet,
        channels: &FlipChannels,
        rates: &[SymmetricTensor],
        settings: &FlipSettings,
        axes: usize,
        dt: f64,
    ) {
        let point = PointLaw::new(&settings.elasticity, dt as f32, axes);
        let ParticleSet {
            carried, material, ..
        } = particles;
        let Some((strain, gradient)) = channels.strain.zip(channels.gradient) else {
            return;
        };
        let melted = melted(carried, channels).to_vec();
        let (strains, gradients) = carried.pair_mut(strain, gradient);
        strains
            .par_iter_mut()
            .zip(rates)
            .zip(gradients.par_iter_mut().zip(material.par_iter()))
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(index, ((strain, &rate), (gradient, &material)))| {
                let law = self.by_material[usize::from(material)].of(melted.get(index).copied());
                if law.modulus > 0.0 {
                    *strain = point.strained(*strain, rate, gradient, &law);
                }
                *gradient = rotation_of(gradient);
            });
    }

    /// Lets strain follow what has melted and set since the particles had melted so far as `before` tells (see [`kept_strain`]).
    pub(crate) fn follow_melting(
        &self,
        particles: &mut ParticleSet,
        channels: &FlipChannels,
        before: &[f32],
    ) {
        let ParticleSet {
            carried, material, ..
        } = particles;
        let Some((strain, heat)) = channels.strain.zip(channels.heat) else {
            return;
        };
        let (strains, melted) = carried.pair_mut(strain, heat.melted);
        strains
            .par_iter_mut()
            .zip(material.par_iter())
            .zip(before.par_iter().zip(melted.par_iter()))
            .with_min_len(CHUNK)
            .for_each(|((strain, &material), (&before, &after))| {
                let law = &self.by_material[usize::from(material)];
                let [old, new] = [before, after].map(|melted| law.of(Some(melted)).modulus);
                *strain = *strain * kept_strain(old, new);
            });
    }

    /// Takes away the shifts of particles that their strain holds where they are among their neighbours, since they are elastic
    /// and do not flow: a shift would carry strain to where it does not belong, and that is work out of nothing.
    pub(crate) fn hold(
        &self,
        particles: &ParticleSet,
        channels: &FlipChannels,
        shifts: &mut [Vec3],
    ) {
        if !self.any() {
            return;
        }
        let held = self.for_each(particles, channels, |law, strain| {
            law.modulus > 0.0 && strain.norm() < law.yield_strain
        });
        let shifts = shifts.par_iter_mut().zip(&held);
        shifts
            .filter(|(_, held)| **held)
            .for_each(|(shift, _)| *shift = Vec3::ZERO);
    }

    /// Frees particles of their strain and gradient where too few are around to tell either: spray would be torn by what
    /// the grid makes of it.
    pub(crate) fn free_spray(
        &self,
        order: &CellOrder,
        particles: &mut ParticleSet,
        channels: &FlipChannels,
    ) {
        let Some((strain, gradient)) = channels.strain.zip(channels.gradient) else {
            return;
        };
        let (strains, gradients) = particles.carried.pair_mut(strain, gradient);
        let topology = &order.topology;
        let (steps, least) = if topology.lattice().flat {
            (NEIGHBOURS_IN_PLANE, FEW_IN_PLANE)
        } else {
            (NEIGHBOURS, FEW)
        };
        let around = |cell: IVec3| -> usize {
            let counts = (0..steps).map(|step| {
                let offset = IVec3::new(step % 3, step / 3 % 3, step / 9) - 1;
                let offset = if steps == NEIGHBOURS {
                    offset
                } else {
                    offset.with_z(0)
                };
                let index = topology.index(cell + offset);
                index.map_or(0, |index| order.cell_particles(index).len())
            });
            counts.sum()
        };
        let strains = order.split_by_tile(strains).into_par_iter();
        let tiles = strains.zip(order.split_by_tile(gradients)).enumerate();
        tiles.for_each(|(slot, (strains, gradients))| {
            let first = order.tile_particles(slot).start;
            for local in 0..topology.tile_cells() {
                let own = order.cell_particles(slot * topology.tile_cells() + local);
                // A cell that holds enough by itself need not look around.
                if own.is_empty()
                    || own.len() >= least
                    || around(topology.cell(slot, local)) >= least
                {
                    continue;
                }
                let own = own.start - first..own.end - first;
                strains[own.clone()].fill(SymmetricTensor::ZERO);
                gradients[own].fill([Vec3::ZERO; 3]);
            }
        });
    }

    /// Elastic energy ½ μ_e ‖ε‖² of all particles in joules, each of `volume` cubic metres.
    pub(crate) fn energy(
        &self,
        particles: &ParticleSet,
        channels: &FlipChannels,
        volume: f64,
    ) -> f64 {
        let densities = self.for_each(particles, channels, |law, strain| {
            0.5 * law.modulus * strain.dot(strain)
        });
        volume * reduce::sum(&densities, |&density| f64::from(density))
    }
}

/// The shares of the particles that have melted; none where heat does not matter.
fn melted<'a>(carried: &'a Carried, channels: &FlipChannels) -> &'a [f32] {
    carried.optional(channels.heat.map(|heat| heat.melted))
}

/// The part of a velocity gradient that turns.
fn rotation_of(gradient: &Gradient) -> Gradient {
    std::array::from_fn(|row| {
        let transposed = Vec3::from_array(std::array::from_fn(|column| gradient[column][row]));
        0.5 * (gradient[row] - transposed)
    })
}
