//! Where particles come from and where they go: initial liquids, emitters, drains and open sides.
//!
//! Particles are placed on a jittered lattice of sites. An emitter's lattice moves with the emitted liquid: a site that
//! enters the emitter's region during a step becomes a particle, so that the emitted stream has the same spacing as
//! everything else whatever the speed and the time step, and the choice depends on the time alone.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::random::{hash, uniform};
use ooze_core::{Domain, Emitter, LiquidSetup, MaterialId, Obstacles, Side};
use ooze_geometry::{Aabb, Shape};
use rayon::prelude::*;

use super::particles::{Affine, Particles};
use super::state::FlipState;
use crate::{FlipSettings, Sampling, Transfer};

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
struct Sites<'a> {
    domain: &'a Domain,
    spacing: f32,
    seed: u64,
}

impl<'a> Sites<'a> {
    fn new(domain: &'a Domain, sampling: Sampling, seed: u64) -> Self {
        Self {
            domain,
            spacing: domain.cell_size / per_axis(sampling) as f32,
            seed,
        }
    }

    /// Position of a site relative to the lattice's origin.
    fn position(&self, site: IVec3) -> Vec3 {
        let key = hash(
            self.seed,
            hash(site.x as u64, hash(site.y as u64, site.z as u64)),
        );
        let jitter = |axis| 0.5 + JITTER * (uniform(key, axis) - 0.5);
        let mut local = site.as_vec3() + Vec3::new(jitter(0), jitter(1), jitter(2));
        local *= self.spacing;
        if self.domain.flat {
            local.z = 0.5 * self.domain.cell_size;
        }
        local
    }

    /// Sites, when the lattice is displaced by `shift`, inside `bounds` and the domain.
    fn inside(&self, bounds: Aabb, shift: Vec3) -> Vec<IVec3> {
        let region = bounds
            .intersection(Aabb::new(self.domain.lower, self.domain.upper()))
            .dilated(self.spacing);
        if region.is_empty() {
            return Vec::new();
        }
        let site_of = |point: Vec3| {
            ((point - self.domain.lower - shift) / self.spacing)
                .floor()
                .as_ivec3()
        };
        let (mut first, mut last) = (site_of(region.lower), site_of(region.upper));
        if self.domain.flat {
            (first.z, last.z) = (0, 0);
        }
        (first.z..=last.z)
            .into_par_iter()
            .flat_map_iter(move |z| {
                (first.y..=last.y)
                    .flat_map(move |y| (first.x..=last.x).map(move |x| IVec3::new(x, y, z)))
            })
            .collect()
    }
}

/// The shape's distance; flat scenes cut shapes in the middle of the slab.
fn shape_distance(domain: &Domain, shape: &Shape, point: Vec3) -> f32 {
    let mut point = point;
    if domain.flat {
        point.z = domain.lower.z + 0.5 * domain.cell_size;
    }
    shape.distance(point)
}

fn shape_bounds(domain: &Domain, shape: &Shape) -> Aabb {
    let mut bounds = shape.bounds();
    if domain.flat && bounds.lower.z <= domain.upper().z && bounds.upper.z >= domain.lower.z {
        bounds.lower.z = domain.lower.z;
        bounds.upper.z = domain.upper().z;
    }
    bounds
}

fn free_of_solids(obstacles: &Obstacles<'_>, point: Vec3) -> bool {
    obstacles
        .nearest(point)
        .is_none_or(|(distance, _)| distance > 0.0)
}

fn inside_domain(domain: &Domain, point: Vec3) -> bool {
    let inside = point.cmpge(domain.lower) & point.cmplt(domain.upper());
    inside.x && inside.y && (inside.z || domain.flat)
}

/// Fills the initial liquids with particles. Where two overlap, the first in the scene wins.
pub(crate) fn seed_initial(
    setup: &LiquidSetup,
    settings: &FlipSettings,
    obstacles: &Obstacles<'_>,
) -> FlipState {
    let domain = &setup.domain;
    let sites = Sites::new(domain, settings.sampling, setup.seed);
    let mut state = FlipState::default();
    for (index, liquid) in setup.initial.iter().enumerate() {
        let earlier = &setup.initial[..index];
        let candidates = sites.inside(shape_bounds(domain, &liquid.shape), Vec3::ZERO);
        let points: Vec<Vec3> = candidates
            .into_par_iter()
            .map(|site| domain.lower + sites.position(site))
            .filter(|&point| {
                let taken = |other: &ooze_core::InitialLiquid| {
                    shape_distance(domain, &other.shape, point) < 0.0
                };
                inside_domain(domain, point)
                    && shape_distance(domain, &liquid.shape, point) < 0.0
                    && !earlier.iter().any(taken)
                    && free_of_solids(obstacles, point)
            })
            .collect();
        let centre = centre_of(&points);
        for point in points {
            let velocity = liquid.velocity + liquid.spin.cross(point - centre);
            let affine = affine_of(settings.transfer, liquid.spin);
            let viscosity = match &liquid.viscosity_gradient {
                Some(gradient) => gradient.at(point),
                None => setup.materials[usize::from(liquid.material.0)].viscosity,
            };
            state.add(point, velocity, affine, liquid.material.0, viscosity);
        }
    }
    state.emitted_volume = vec![0.0; setup.emitters.len()];
    state.expected_volume =
        state.particles.len() as f64 * particle_volume(domain, settings.sampling);
    state
}

fn centre_of(points: &[Vec3]) -> Vec3 {
    let sum: DVec3 = points.iter().map(|point| point.as_dvec3()).sum();
    (sum / points.len().max(1) as f64).as_vec3()
}

/// The velocity gradient of a rigid spin, where the transfer carries one.
fn affine_of(transfer: Transfer, spin: Vec3) -> Option<Affine> {
    let rows = [
        Vec3::new(0.0, -spin.z, spin.y),
        Vec3::new(spin.z, 0.0, -spin.x),
        Vec3::new(-spin.y, spin.x, 0.0),
    ];
    (transfer == Transfer::Apic).then_some(rows)
}

/// Adds what emitters emit between `from` and `to`, and drives the liquid inside them. A `from` before an emitter's
/// start fills its region.
pub(crate) fn emit(
    state: &mut FlipState,
    setup: &LiquidSetup,
    settings: &FlipSettings,
    obstacles: &Obstacles<'_>,
    from: f64,
    to: f64,
) {
    for (index, emitter) in setup.emitters.iter().enumerate() {
        if to < emitter.start || from >= emitter.stop {
            continue;
        }
        drive(&mut state.particles, &setup.domain, emitter);
        let seed = hash(setup.seed, index as u64 + 1);
        let sites = Sites::new(&setup.domain, settings.sampling, seed);
        let points = entering_sites(&setup.domain, &sites, emitter, obstacles, from, to);
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
            let affine = affine_of(settings.transfer, Vec3::ZERO);
            state.add(point, emitter.velocity, affine, material, viscosity);
            state.emitted_volume[index] += volume;
            state.expected_volume += volume;
        }
    }
}

/// Sites of an emitter's moving lattice that are in its region at `to` and were not at `from`.
fn entering_sites(
    domain: &Domain,
    sites: &Sites<'_>,
    emitter: &Emitter,
    obstacles: &Obstacles<'_>,
    from: f64,
    to: f64,
) -> Vec<Vec3> {
    let begins = from < emitter.start;
    let travelled = |time: f64| (emitter.velocity.as_dvec3() * (time - emitter.start)).as_vec3();
    let shift = travelled(to.min(emitter.stop));
    let step = shift - travelled(from.max(emitter.start));
    let inside = |point: Vec3| shape_distance(domain, &emitter.shape, point) < 0.0;
    sites
        .inside(shape_bounds(domain, &emitter.shape), shift)
        .into_par_iter()
        .map(|site| domain.lower + sites.position(site) + shift)
        .filter(|&point| {
            inside(point)
                && (begins || !inside(point - step))
                && inside_domain(domain, point)
                && free_of_solids(obstacles, point)
        })
        .collect()
}

/// Liquid inside an emitter moves as the emitter says.
fn drive(particles: &mut Particles, domain: &Domain, emitter: &Emitter) {
    let bounds = shape_bounds(domain, &emitter.shape);
    particles
        .velocity
        .par_iter_mut()
        .zip(&particles.position)
        .for_each(|(velocity, &point)| {
            if bounds.contains(point) && shape_distance(domain, &emitter.shape, point) < 0.0 {
                *velocity = emitter.velocity;
            }
        });
}

/// Removes the particles inside drains that are open at `time`, and those beyond open sides.
pub(crate) fn drain(
    state: &mut FlipState,
    setup: &LiquidSetup,
    settings: &FlipSettings,
    time: f64,
) {
    let domain = &setup.domain;
    let open: Vec<(&Shape, Aabb)> = setup
        .drains
        .iter()
        .filter(|drain| drain.start <= time && time < drain.stop)
        .map(|drain| (drain.shape.as_ref(), shape_bounds(domain, &drain.shape)))
        .collect();
    if open.is_empty() && !has_open_side(domain) {
        return;
    }
    let stays = |point: Vec3| {
        let swallowed = |(shape, bounds): &(&Shape, Aabb)| {
            bounds.contains(point) && shape_distance(domain, shape, point) < 0.0
        };
        inside_domain(domain, point) && !open.iter().any(swallowed)
    };
    let kept: Vec<u32> = state
        .particles
        .position
        .par_iter()
        .enumerate()
        .filter(|&(_, &point)| stays(point))
        .map(|(index, _)| index as u32)
        .collect();
    let removed = state.particles.len() - kept.len();
    if removed > 0 {
        let mut rest = Particles::default();
        state.particles.gather_into(&kept, &mut rest);
        state.particles = rest;
        state.expected_volume -= removed as f64 * particle_volume(domain, settings.sampling);
    }
}

fn has_open_side(domain: &Domain) -> bool {
    let sides = domain.sides.iter().take(domain.dimensions()).flatten();
    sides.into_iter().any(|side| *side == Side::Open)
}
