//! What particles know about the surface between the samples: the error correction of the particle level set (Enright et
//! al. 2002, sec. 3.3), applied to the points that a subdivision adds (Carlson 2004, sec. 6.4).

use glam::{IVec3, Vec3};
use ooze_field::{Field, NO_TILE};
use rayon::prelude::*;

use crate::slab::POINTS_PER_CELL;
use crate::tiles::order_key;

/// A particle of a particle level set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideParticle {
    /// Where it is.
    pub position: Vec3,
    /// Distance to the surface that it stands for, in metres.
    pub radius: f32,
    /// Whether it marks liquid; otherwise it marks air.
    pub liquid: bool,
}

/// What escaped particles say about a point: the lowest value of those of the liquid, the highest of those of the air.
#[derive(Clone, Copy, Debug)]
struct Claim {
    point: IVec3,
    liquid: f64,
    air: f64,
}

/// The claims of all escaped particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Corrections {
    /// One for each point, in order.
    claims: Vec<Claim>,
    /// Lowest samples of the cubes with such points and the tile each belongs to, in order of tiles.
    cubes: Vec<(u32, IVec3)>,
}

impl Corrections {
    /// The claims of the particles that are on the wrong side of the surface by more than their radius, on the added
    /// points (in quarters) of the cubes that they are in.
    pub(super) fn new(
        field: &Field<f32>,
        level: f32,
        particles: &[SideParticle],
        points: &[IVec3],
    ) -> Self {
        let added: Vec<IVec3> = points
            .iter()
            .copied()
            .filter(|point| point.cmpne(point / POINTS_PER_CELL * POINTS_PER_CELL).any())
            .collect();
        let cell_size = f64::from(field.topology().lattice().cell_size);
        let origin = field.position(IVec3::ZERO).as_dvec3();
        let escaped: Vec<(&SideParticle, IVec3)> = particles
            .par_iter()
            .filter(|particle| {
                let value = field.sample(particle.position) - level;
                let depth = if particle.liquid { value } else { -value };
                depth > particle.radius
            })
            .map(|particle| {
                let place = (particle.position.as_dvec3() - origin) / cell_size;
                (particle, place.floor().as_ivec3())
            })
            .collect();
        let quarter = cell_size / f64::from(POINTS_PER_CELL);
        let mut claims: Vec<Claim> = escaped
            .par_iter()
            .flat_map_iter(|&(particle, cube)| {
                added.iter().map(move |&step| {
                    let point = POINTS_PER_CELL * cube + step;
                    let position = origin + quarter * point.as_dvec3();
                    let distance = position.distance(particle.position.as_dvec3());
                    let beyond = distance - f64::from(particle.radius);
                    let (liquid, air) = if particle.liquid {
                        (beyond, f64::NEG_INFINITY)
                    } else {
                        (f64::INFINITY, -beyond)
                    };
                    Claim { point, liquid, air }
                })
            })
            .collect();
        claims.par_sort_unstable_by_key(|claim| order_key(claim.point));
        // Lowest and highest do not depend on the order of a point's claims.
        claims.dedup_by(|next, kept| {
            let same = next.point == kept.point;
            if same {
                kept.liquid = kept.liquid.min(next.liquid);
                kept.air = kept.air.max(next.air);
            }
            same
        });
        let topology = field.topology();
        let owner = |cube: IVec3| {
            let corners =
                (0..8).map(|number| topology.slot_of(cube + crate::cubes::corner(number)));
            corners.min().unwrap_or(NO_TILE)
        };
        let mut cubes: Vec<(u32, IVec3)> = escaped
            .iter()
            .flat_map(|&(_, cube)| {
                (0..27).map(move |entry| cube + crate::tiles::neighbour_step(entry))
            })
            .map(|cube| (owner(cube), cube))
            .filter(|&(slot, _)| slot != NO_TILE)
            .collect();
        cubes.sort_unstable_by_key(|&(slot, cube)| (slot, order_key(cube)));
        cubes.dedup();
        Self { claims, cubes }
    }

    /// Lowest samples of the cubes of a tile with points that particles may have corrected.
    pub(super) fn cubes_of(&self, slot: usize) -> impl Iterator<Item = IVec3> + '_ {
        let slot = slot as u32;
        let first = self.cubes.partition_point(|&(other, _)| other < slot);
        self.cubes[first..]
            .iter()
            .take_while(move |&&(other, _)| other == slot)
            .map(|&(_, cube)| cube)
    }

    /// The value at a point, given the interpolated one: of what liquid and air claim, the nearer to the surface counts
    /// (Enright et al. 2002, eq. 17).
    pub(super) fn correct(&self, point: IVec3, value: f64) -> f64 {
        let place = self
            .claims
            .binary_search_by_key(&order_key(point), |claim| order_key(claim.point));
        match place {
            Ok(place) => {
                let lowest = value.min(self.claims[place].liquid);
                let highest = value.max(self.claims[place].air);
                if highest.abs() <= lowest.abs() {
                    highest
                } else {
                    lowest
                }
            }
            Err(_) => value,
        }
    }
}
