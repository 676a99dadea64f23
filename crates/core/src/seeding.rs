//! Where particles are put: a lattice of sites with a little disorder, at rest for liquid that is there at the start, and
//! moving with the liquid in emitters.
//!
//! An emitter's lattice moves with the emitted liquid: a site that enters the emitter's region during a step becomes a
//! particle, so that the emitted stream has the same spacing as everything else whatever the speed and the time step,
//! and the choice depends on the time alone.

use glam::{DVec3, IVec3, Vec3};
use ooze_geometry::{Aabb, Shape};
use rayon::prelude::*;

use crate::random::{hash, uniform};
use crate::{Domain, Emitter, Holder, InitialLiquid, LiquidSetup, Obstacles, Side};

/// The lattice of sites.
#[derive(Clone, Copy)]
pub struct Sites<'a> {
    /// The box that sites are in.
    pub domain: &'a Domain,
    /// Distance of neighbouring sites in metres.
    pub spacing: f32,
    /// Share of the spacing by which a site may be displaced along each axis.
    pub jitter: f32,
    /// Seed of the displacements.
    pub seed: u64,
}

impl Sites<'_> {
    /// Position of a site relative to the lattice's origin.
    pub fn position(&self, site: IVec3) -> Vec3 {
        let key = hash(
            self.seed,
            hash(site.x as u64, hash(site.y as u64, site.z as u64)),
        );
        let jitter = |axis| 0.5 + self.jitter * (uniform(key, axis) - 0.5);
        let mut local = site.as_vec3() + Vec3::new(jitter(0), jitter(1), jitter(2));
        local *= self.spacing;
        if self.domain.flat {
            local.z = 0.5 * self.domain.cell_size;
        }
        local
    }

    /// Sites, when the lattice is displaced by `shift`, inside `bounds` and the domain.
    pub fn inside(&self, bounds: Aabb, shift: Vec3) -> Vec<IVec3> {
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
pub fn shape_distance(domain: &Domain, shape: &Shape, point: Vec3) -> f32 {
    let mut point = point;
    if domain.flat {
        point.z = domain.lower.z + 0.5 * domain.cell_size;
    }
    shape.distance(point)
}

/// The box around a shape; in flat scenes it is as deep as the slab if the shape meets it.
pub fn shape_bounds(domain: &Domain, shape: &Shape) -> Aabb {
    let mut bounds = shape.bounds();
    if domain.flat && bounds.lower.z <= domain.upper().z && bounds.upper.z >= domain.lower.z {
        bounds.lower.z = domain.lower.z;
        bounds.upper.z = domain.upper().z;
    }
    bounds
}

/// Whether a point is outside of every obstacle.
pub fn free_of_solids(obstacles: &Obstacles<'_>, point: Vec3) -> bool {
    obstacles
        .nearest(point)
        .is_none_or(|(distance, _)| distance > 0.0)
}

/// Whether a point is inside the domain.
pub fn inside_domain(domain: &Domain, point: Vec3) -> bool {
    let inside = point.cmpge(domain.lower) & point.cmplt(domain.upper());
    inside.x && inside.y && (inside.z || domain.flat)
}

/// The sites that one of the initial liquids fills. Where two overlap, the first in the scene wins; bodies that melt fill their own room.
pub fn initial_sites(
    setup: &LiquidSetup,
    index: usize,
    sites: &Sites<'_>,
    obstacles: &Obstacles<'_>,
) -> Vec<Vec3> {
    let domain = &setup.domain;
    let liquid = &setup.initial[index];
    let holder = liquid.hold.as_ref().map(|hold| &hold.by);
    let (earlier, obstacles) = match holder {
        Some(Holder::Body { .. }) => (&[][..], obstacles.without_melting()),
        _ => (&setup.initial[..index], *obstacles),
    };
    sites
        .inside(shape_bounds(domain, &liquid.shape), Vec3::ZERO)
        .into_par_iter()
        .map(|site| domain.lower + sites.position(site))
        .filter(|&point| {
            let taken = |other: &InitialLiquid| shape_distance(domain, &other.shape, point) < 0.0;
            inside_domain(domain, point)
                && shape_distance(domain, &liquid.shape, point) < 0.0
                && !earlier.iter().any(taken)
                && free_of_solids(&obstacles, point)
        })
        .collect()
}

/// Mean of some points; the origin for none.
pub fn centre_of(points: &[Vec3]) -> Vec3 {
    let sum: DVec3 = points.iter().map(|point| point.as_dvec3()).sum();
    (sum / points.len().max(1) as f64).as_vec3()
}

/// Sites of an emitter's moving lattice that are in its region at `to` and were not at `from`.
pub fn entering_sites(
    sites: &Sites<'_>,
    emitter: &Emitter,
    obstacles: &Obstacles<'_>,
    from: f64,
    to: f64,
) -> Vec<Vec3> {
    let domain = sites.domain;
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

/// Whether liquid can leave the domain.
pub fn has_open_side(domain: &Domain) -> bool {
    let sides = domain.sides.iter().take(domain.dimensions()).flatten();
    sides.into_iter().any(|side| *side == Side::Open)
}

/// Which particles remain when drains that are open at `time` swallow what is inside them, and open sides what is beyond
/// them; none if nothing can be lost.
pub fn remaining(setup: &LiquidSetup, positions: &[Vec3], time: f64) -> Option<Vec<u32>> {
    let domain = &setup.domain;
    let open: Vec<(&Shape, Aabb)> = setup
        .drains
        .iter()
        .filter(|drain| drain.start <= time && time < drain.stop)
        .map(|drain| (drain.shape.as_ref(), shape_bounds(domain, &drain.shape)))
        .collect();
    if open.is_empty() && !has_open_side(domain) {
        return None;
    }
    let stays = |point: Vec3| {
        let swallowed = |(shape, bounds): &(&Shape, Aabb)| {
            bounds.contains(point) && shape_distance(domain, shape, point) < 0.0
        };
        inside_domain(domain, point) && !open.iter().any(swallowed)
    };
    let kept = positions
        .par_iter()
        .enumerate()
        .filter(|&(_, &point)| stays(point))
        .map(|(index, _)| index as u32)
        .collect();
    Some(kept)
}

/// Volume of a liquid of particles of one volume `each` when `removed` of them have left. It is counted in whole particles:
/// were their volumes just taken away, rounding would leave a trace of a liquid of which nothing is left.
pub fn volume_without(expected: f64, removed: usize, each: f64) -> f64 {
    let particles = (expected / each).round();
    (particles - removed as f64).max(0.0) * each
}

/// Liquid inside an emitter moves as the emitter says.
pub fn drive(positions: &[Vec3], velocities: &mut [Vec3], domain: &Domain, emitter: &Emitter) {
    let bounds = shape_bounds(domain, &emitter.shape);
    velocities
        .par_iter_mut()
        .zip(positions)
        .for_each(|(velocity, &point)| {
            if bounds.contains(point) && shape_distance(domain, &emitter.shape, point) < 0.0 {
                *velocity = emitter.velocity;
            }
        });
}

#[cfg(test)]
mod tests {
    use super::volume_without;

    #[test]
    fn nothing_is_left_of_a_liquid_that_leaves_bit_by_bit() {
        let each = 0.1 / 3.0;
        let mut volume = 997.0 * each;
        for removed in [1, 7, 189, 300, 499] {
            volume = volume_without(volume, removed, each);
            assert!(volume > 0.0);
        }
        assert_eq!(volume_without(volume, 1, each), 0.0);
    }
}
