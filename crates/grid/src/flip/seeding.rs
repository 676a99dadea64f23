//! Where particles come from and where they go: initial liquids, emitters, drains and open sides, on the lattice of sites
//! that all methods share.

use glam::Vec3;
use ooze_core::random::hash;
use ooze_core::seeding::{self, Sites};
use ooze_core::{Domain, LiquidSetup, MaterialId, Obstacles};

use super::carried;
use super::elastic::Laws;
use super::particles::{Deformation, Particles};
use super::state::FlipState;
use crate::{FlipSettings, Sampling, SymmetricTensor, Transfer};

/// Share of the spacing by which a site may be displaced along each axis.
const JITTER: f32 = 0.5;

/// Particles along each axis of a cell.
fn per_axis(sampling: Sampling) -> i32 {
    match sampling {
        Sampling::Fine => 2,
        Sampling::Coarse => 1,
    }
}

/// Volume that one particle stands for, in cubic metres.
pub fn particle_volume(domain: &Domain, sampling: Sampling) -> f64 {
    let per_cell = f64::from(per_axis(sampling)).powi(domain.dimensions() as i32);
    domain.lattice().cell_volume() / per_cell
}

/// The lattice of sites.
fn sites(domain: &Domain, sampling: Sampling, seed: u64) -> Sites<'_> {
    Sites {
        domain,
        spacing: domain.cell_size / per_axis(sampling) as f32,
        jitter: JITTER,
        seed,
    }
}

/// Where particles of each initial liquid start. Where two overlap, the first in the scene wins.
pub(crate) fn initial_points(
    setup: &LiquidSetup,
    settings: &FlipSettings,
    obstacles: &Obstacles<'_>,
) -> Vec<Vec<Vec3>> {
    let sites = sites(&setup.domain, settings.sampling, setup.seed);
    (0..setup.initial.len())
        .map(|index| seeding::initial_sites(setup, index, &sites, obstacles))
        .collect()
}

/// Fills the initial liquids with particles at the points of each.
pub(crate) fn seed_initial(
    setup: &LiquidSetup,
    settings: &FlipSettings,
    laws: &Laws,
    seeds: &[Vec<Vec3>],
) -> FlipState {
    let domain = &setup.domain;
    let mut state = FlipState::default();
    for (liquid, points) in setup.initial.iter().zip(seeds) {
        let centre = seeding::centre_of(points);
        for &point in points {
            let velocity = liquid.velocity + liquid.spin.cross(point - centre);
            let deformation = deformation(settings, laws, liquid.spin);
            let viscosity = match &liquid.viscosity_gradient {
                Some(gradient) => gradient.at(point),
                None => setup.materials[usize::from(liquid.material.0)].viscosity,
            };
            state.add(point, velocity, deformation, liquid.material.0, viscosity);
        }
    }
    state.emitted_volume = vec![0.0; setup.emitters.len()];
    state.expected_volume =
        state.particles.len() as f64 * particle_volume(domain, settings.sampling);
    state
}

/// What a particle of a liquid that spins rigidly carries, where the method wants it.
pub(crate) fn deformation(settings: &FlipSettings, laws: &Laws, spin: Vec3) -> Deformation {
    let rows = [
        Vec3::new(0.0, -spin.z, spin.y),
        Vec3::new(spin.z, 0.0, -spin.x),
        Vec3::new(-spin.y, spin.x, 0.0),
    ];
    let affine = settings.transfer == Transfer::Apic || laws.any();
    Deformation {
        affine: affine.then_some(rows),
        strain: laws.any().then_some(SymmetricTensor::ZERO),
        pressure: carried::wanted(settings, laws).then_some(0.0),
    }
}

/// Adds what emitters emit between `from` and `to`, and drives the liquid inside them. A `from` before an emitter's
/// start fills its region.
pub(crate) fn emit(
    state: &mut FlipState,
    setup: &LiquidSetup,
    settings: &FlipSettings,
    laws: &Laws,
    obstacles: &Obstacles<'_>,
    (from, to): (f64, f64),
) {
    for (index, emitter) in setup.emitters.iter().enumerate() {
        if to < emitter.start || from >= emitter.stop {
            continue;
        }
        let Particles {
            position, velocity, ..
        } = &mut state.particles;
        seeding::drive(position, velocity, &setup.domain, emitter);
        let seed = hash(setup.seed, index as u64 + 1);
        let sites = sites(&setup.domain, settings.sampling, seed);
        let points = seeding::entering_sites(&sites, emitter, obstacles, from, to);
        let volume = particle_volume(&setup.domain, settings.sampling);
        let allowance = emitter
            .rate
            .map(|rate| rate * (to.min(emitter.stop) - emitter.start));
        let MaterialId(material) = emitter.material;
        let viscosity = setup.materials[usize::from(material)].viscosity;
        for point in points {
            if allowance.is_some_and(|allowed| state.emitted_volume[index] + volume > allowed) {
                break;
            }
            let deformation = deformation(settings, laws, Vec3::ZERO);
            state.add(point, emitter.velocity, deformation, material, viscosity);
            state.emitted_volume[index] += volume;
            state.expected_volume += volume;
        }
    }
}

/// Removes the particles inside drains that are open at `time`, and those beyond open sides.
pub(crate) fn drain(
    state: &mut FlipState,
    setup: &LiquidSetup,
    settings: &FlipSettings,
    time: f64,
) {
    let domain = &setup.domain;
    let Some(kept) = seeding::remaining(setup, &state.particles.position, time) else {
        return;
    };
    let removed = state.particles.len() - kept.len();
    if removed > 0 {
        let mut rest = Particles::default();
        state.particles.gather_into(&kept, &mut rest);
        state.particles = rest;
        let each = particle_volume(domain, settings.sampling);
        state.expected_volume = seeding::volume_without(state.expected_volume, removed, each);
    }
}
