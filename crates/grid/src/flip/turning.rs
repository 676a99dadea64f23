//! What carrying takes from the spin of a free piece of liquid, given back.
//!
//! Carrying leads the particles of a spinning piece around its centre but leaves their velocities as they are, and the
//! pressure of the next step takes away the part that has come to point outward. A revolution in steps of ωdt costs
//! π ω dt of the spin in this way: a fifth, where the rim of a disc 32 cells across moves by one cell in a step. Internal
//! forces cannot change the angular momentum of a piece that touches nothing, and neither may a change of positions
//! alone: what is missing afterwards is added as a rigid rotation about the centre of mass, the one motion that viscosity
//! has no say in. Momentum and strain stay as they are, and so does what the grid did: a viscous scheme that stops
//! rotation is not made up for.
//!
//! What pieces exchange with walls is the grid's business too, and carrying takes as much from liquid in a drum or a cup: it gets
//! back the rotations that do not lead into the walls it touches (`guide`). Pieces that an emitter holds are left alone.

use glam::{DVec3, Vec3};
use ooze_core::ParticleSet;
use rayon::prelude::*;

use super::guide::Guide;
use super::order::CellOrder;
use super::volume::Pieces;
use crate::boundary::Boundary;
use crate::moments::Moments;

/// The spin that free pieces have before they are carried.
pub(crate) struct Spin<'a> {
    order: &'a CellOrder,
    pieces: &'a Pieces,
    densities: &'a [f32],
    /// What holds each piece.
    guides: Vec<Guide>,
    /// Angular momentum of each piece about its centre.
    spin: Vec<DVec3>,
}

impl<'a> Spin<'a> {
    /// Measures the sorted particles. `densities` holds a density for each material.
    pub(crate) fn measure(
        order: &'a CellOrder,
        particles: &ParticleSet,
        pieces: &'a Pieces,
        boundary: &Boundary,
        densities: &'a [f32],
    ) -> Self {
        let mut spin = Self {
            order,
            pieces,
            densities,
            guides: Vec::new(),
            spin: Vec::new(),
        };
        let moments = spin.moments(particles);
        let centres: Vec<DVec3> = moments.iter().map(Moments::centre).collect();
        spin.guides = Guide::of(pieces, boundary, &centres);
        spin.spin = moments.iter().map(Moments::spin).collect();
        spin
    }

    /// Gives back what has gone since then, while particles kept their order and velocities. `freedom` tells how much of it a
    /// particle may have, by its position.
    pub(crate) fn restore(
        &self,
        particles: &mut ParticleSet,
        freedom: impl Fn(Vec3) -> f32 + Sync,
    ) {
        let flat = self.order.topology.lattice().flat;
        let turns: Vec<Option<(Vec3, Vec3)>> = self
            .moments(particles)
            .iter()
            .zip(&self.spin)
            .zip(&self.guides)
            .enumerate()
            .map(|(piece, ((moments, spin), guide))| {
                // What belongs to no piece is spray.
                let rotation = moments.rotation(*spin - moments.spin(), flat);
                rotation.filter(|_| piece > 0).map(|rotation| {
                    let allowed = guide.allowed(rotation, flat);
                    (moments.centre().as_vec3(), allowed.as_vec3())
                })
            })
            .collect();
        let positions = &particles.position;
        let tiles = self.order.split_by_tile(&mut particles.velocity);
        tiles
            .into_par_iter()
            .enumerate()
            .for_each(|(slot, velocities)| {
                let first = self.order.tile_particles(slot).start;
                self.for_each_particle(slot, |piece, particle| {
                    if let Some((centre, rotation)) = turns[piece] {
                        let position = positions[particle];
                        velocities[particle - first] +=
                            rotation.cross(position - centre) * freedom(position);
                    }
                });
            });
    }

    /// Moments of each piece; entry 0 is the spray.
    fn moments(&self, particles: &ParticleSet) -> Vec<Moments> {
        let tiles: Vec<Vec<(usize, Moments)>> = (0..self.order.topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                // Neighbouring cells mostly belong to the same piece: add up runs.
                let mut runs: Vec<(usize, Moments)> = Vec::new();
                self.for_each_particle(slot, |piece, particle| {
                    if runs.last().is_none_or(|run| run.0 != piece) {
                        runs.push((piece, Moments::NONE));
                    }
                    let material = usize::from(particles.material[particle]);
                    let mass = f64::from(self.densities[material]);
                    let (position, velocity) =
                        (particles.position[particle], particles.velocity[particle]);
                    if let Some((_, moments)) = runs.last_mut() {
                        moments.add_particle(mass, position, velocity);
                    }
                });
                runs
            })
            .collect();
        Moments::gathered(&tiles, self.pieces.count())
    }

    /// The particles of a tile with the pieces that they belonged to when they were sorted.
    fn for_each_particle(&self, slot: usize, mut visit: impl FnMut(usize, usize)) {
        let cells = self.order.topology.tile_cells();
        for (local, &piece) in self.pieces.owner().tile(slot).iter().enumerate() {
            for particle in self.order.cell_particles(slot * cells + local) {
                visit(piece as usize, particle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_core::{Birth, Contact, Domain, KeyframedSolids, Material, Obstacles, Side};

    use super::super::contact::Contacts;
    use super::super::order::tiles_around;
    use super::super::surface::{SphereSizes, Surface};
    use super::*;
    use crate::boundary::FixedTiles;
    use crate::{Sampling, WallWeights};

    const CELL: f32 = 0.05;

    /// Balls of particles that spin about their centres while they fly.
    fn balls(centres: &[Vec3], flat: bool, velocity: impl Fn(Vec3) -> Vec3) -> ParticleSet {
        let mut particles = ParticleSet::default();
        let steps = 8;
        for centre in centres {
            for x in -steps..steps {
                for y in -steps..steps {
                    for z in if flat { 0..1 } else { -steps..steps } {
                        let mut offset =
                            0.5 * CELL * (IVec3::new(x, y, z).as_vec3() + Vec3::splat(0.5));
                        if flat {
                            offset.z = 0.0;
                        }
                        // Not round, so that the axes of inertia differ.
                        let shape = offset * Vec3::new(1.0, 1.3, 1.7);
                        if shape.length() < 0.2 {
                            let identity = particles.len() as u32;
                            let material = Material::newtonian("goo", 1000.0, 1.0, 0.0);
                            let birth = Birth::new(centre + offset, &material);
                            particles.push(&birth, velocity(offset), identity, 0);
                        }
                    }
                }
            }
        }
        particles
    }

    /// Momentum, angular momentum about the centre, and particles after a step of `angle` radians. The first ball
    /// is free; if there is a second it touches the floor.
    fn carried(centres: &[Vec3], flat: bool, angle: f32, given_back: bool) -> [Vec<DVec3>; 2] {
        let domain = Domain {
            lower: Vec3::ZERO,
            cell_size: CELL,
            cells: IVec3::new(40, 40, if flat { 1 } else { 40 }),
            flat,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        };
        let axis = if flat {
            Vec3::Z
        } else {
            Vec3::new(0.3, -0.4, 1.0).normalize()
        };
        let flight = Vec3::new(3.0, -2.0, if flat { 0.0 } else { 1.0 });
        let unsorted = balls(centres, flat, |offset| axis.cross(offset) + flight);
        let topology = tiles_around(domain.lattice(), &unsorted.position, 4).build();
        let (order, permutation) = CellOrder::sort(Arc::new(topology), &unsorted.position);
        let mut particles = ParticleSet::default();
        unsorted.gather_into(&permutation, &mut particles);
        let solids = KeyframedSolids::new(Vec::new());
        let obstacles = Obstacles::new(&domain, &solids);
        let boundary = Boundary::rasterize(
            &order.topology,
            &obstacles,
            WallWeights::Area,
            &mut FixedTiles::default(),
        );
        let sizes = SphereSizes::new(&domain.lattice(), Sampling::Fine);
        let position = &particles.position;
        let touching = vec![0; position.len()];
        let contacts = Contacts::new(&order, position, &touching, Sampling::Fine);
        let surface = Surface::build(&order, position, &contacts, &boundary, sizes, 0.125, 0);
        assert_eq!(surface.pieces.count(), centres.len());
        let spin = Spin::measure(&order, &particles, &surface.pieces, &boundary, &[2.0]);
        let spins = |particles: &ParticleSet| -> Vec<DVec3> {
            let moments = spin.moments(particles);
            moments[1..].iter().map(Moments::spin).collect()
        };
        let before = spins(&particles);
        // The flow of a rotation that flies along, as a midpoint rule carries through it.
        for (position, velocity) in particles.position.iter_mut().zip(&particles.velocity) {
            let turning = *velocity - flight;
            *position +=
                angle * flight + angle * turning + 0.5 * angle * angle * axis.cross(turning);
        }
        if given_back {
            spin.restore(&mut particles, |_| 1.0);
        }
        let momenta = spin.moments(&particles);
        let count = particles.len() as f64;
        let momentum: DVec3 = momenta.iter().map(|moments| moments.momentum).sum();
        assert!((momentum / (2.0 * count) - flight.as_dvec3()).length() < 1e-4);
        [before, spins(&particles)]
    }

    #[test]
    fn carrying_costs_spin_and_it_is_given_back() {
        for flat in [false, true] {
            let z = if flat { 0.025 } else { 1.0 };
            let centre = [Vec3::new(0.9, 1.1, z)];
            let angle = 0.1;
            let [before, after] = carried(&centre, flat, angle, false);
            let loss = 1.0 - after[0].length() / before[0].length();
            // 1 − cos of the angle.
            assert!((loss / 0.005 - 1.0).abs() < 0.1, "flat {flat}: {loss}");
            let [before, after] = carried(&centre, flat, angle, true);
            let change = (after[0] - before[0]).length() / before[0].length();
            assert!(change < 1e-5, "flat {flat}: {change}");
        }
    }

    #[test]
    fn pieces_at_walls_are_left_alone() {
        let centres = [Vec3::new(1.0, 1.2, 1.0), Vec3::new(1.0, 0.17, 1.0)];
        let [before, after] = carried(&centres, false, 0.1, true);
        let changes: Vec<f64> = before
            .iter()
            .zip(&after)
            .map(|(before, after)| (after - before).length() / before.length())
            .collect();
        let (least, most) = (changes[0].min(changes[1]), changes[0].max(changes[1]));
        assert!(least < 1e-5 && most > 0.003, "{changes:?}");
    }
}
