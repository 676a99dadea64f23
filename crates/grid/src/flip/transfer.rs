//! Velocities from particles to the faces of the grid and back: FLIP/PIC blends (Zhu & Bridson 2005) and APIC
//! (Jiang et al. 2015).

use glam::Vec3;
use ooze_core::{Gradient, Handle, ParticleSet};
use ooze_field::{Field, FieldByAxis, Place, face_fields};
use rayon::prelude::*;

use super::kernel::{Kernel, Linear, Quadratic};
use super::order::CellOrder;
use super::reader::FaceReader;
use super::scatter::scatter;
use crate::face_velocity::FaceVelocity;
use crate::{Sampling, Transfer};

/// What particles tell the faces around them.
pub(crate) struct Told {
    pub(crate) faces: FaceVelocity,
    /// Mean density of the particles around each face in kg/m³, where materials of different density meet.
    pub(crate) density: Option<FieldByAxis<f32>>,
    /// The sum of the weights of the particles around each face.
    pub(crate) weight: FieldByAxis<f32>,
}

/// Weight below which a face has no particle near enough to tell its velocity.
const LEAST_WEIGHT: f32 = 1e-5;

/// Mass-weighted mean of the particles' velocities on every face, continued with `gradients` if there are any. `densities` holds
/// a density for each material.
pub(crate) fn to_grid(
    order: &CellOrder,
    particles: &ParticleSet,
    gradients: &[Gradient],
    densities: &[f32],
    sampling: Sampling,
) -> Told {
    // Most particles have nothing to say but their own velocity, wherever the face is.
    let constant = |axis: usize, particle: usize| {
        let own = particles.velocity[particle][axis];
        move |_: Vec3| own
    };
    let linear = |axis: usize, particle: usize| {
        let own = particles.velocity[particle][axis];
        let gradient = gradients[particle][axis];
        move |offset: Vec3| own + gradient.dot(offset)
    };
    match (sampling, gradients.is_empty()) {
        (Sampling::Fine, true) => to_grid_with::<Linear, _>(order, particles, densities, constant),
        (Sampling::Fine, false) => to_grid_with::<Linear, _>(order, particles, densities, linear),
        (Sampling::Coarse, true) => {
            to_grid_with::<Quadratic, _>(order, particles, densities, constant)
        }
        (Sampling::Coarse, false) => {
            to_grid_with::<Quadratic, _>(order, particles, densities, linear)
        }
    }
}

/// `speak` gives the velocity component along an axis that a particle has to say at an offset from itself.
fn to_grid_with<K: Kernel, Speech: Fn(Vec3) -> f32>(
    order: &CellOrder,
    particles: &ParticleSet,
    densities: &[f32],
    speak: impl Fn(usize, usize) -> Speech + Sync,
) -> Told {
    let topology = &order.topology;
    let mut velocity = face_fields(topology, 0.0);
    let mut known = face_fields(topology, 0u8);
    let mut weight = face_fields(topology, 0.0);
    let uniform = densities.windows(2).all(|pair| pair[0] == pair[1]);
    let mut density = (!uniform).then(|| face_fields(topology, densities[0]));
    let axes = topology.lattice().axes();
    for axis in 0..axes {
        let place = Place::Face(axis);
        if let Some(density) = &mut density {
            let [momentum, mass, share] =
                scatter::<3, K, _>(order, &particles.position, place, |particle| {
                    let density = densities[usize::from(particles.material[particle])];
                    let speed = speak(axis, particle);
                    move |offset| [density * speed(offset), density, 1.0]
                });
            density[axis] = divide(&mass, &share, densities[0]);
            velocity[axis] = divide(&momentum, &mass, 0.0);
            known[axis] = mark(&share);
            weight[axis] = share;
        } else {
            let [momentum, share] =
                scatter::<2, K, _>(order, &particles.position, place, |particle| {
                    let speed = speak(axis, particle);
                    move |offset| [speed(offset), 1.0]
                });
            velocity[axis] = divide(&momentum, &share, 0.0);
            known[axis] = mark(&share);
            weight[axis] = share;
        }
    }
    Told {
        faces: FaceVelocity { velocity, known },
        density,
        weight,
    }
}

/// A quotient where the denominator says that there is something.
pub(crate) fn divide(
    numerator: &Field<f32>,
    denominator: &Field<f32>,
    otherwise: f32,
) -> Field<f32> {
    let mut quotient = Field::new(numerator.topology(), numerator.place(), otherwise);
    quotient.par_tiles_mut().for_each(|(slot, tile)| {
        let parts = numerator.tile(slot).iter().zip(denominator.tile(slot));
        for (value, (&above, &below)) in tile.iter_mut().zip(parts) {
            if below > LEAST_WEIGHT {
                *value = above / below;
            }
        }
    });
    quotient
}

fn mark(weight: &Field<f32>) -> Field<u8> {
    let mut known = Field::new(weight.topology(), weight.place(), 0);
    known.par_tiles_mut().for_each(|(slot, tile)| {
        for (flag, &weight) in tile.iter_mut().zip(weight.tile(slot)) {
            *flag = u8::from(weight > LEAST_WEIGHT);
        }
    });
    known
}

/// The part of the new grid velocity that a particle takes beside its own: `new - share * old`, so that one
/// interpolation serves the blend `share * (own + new - old) + (1 - share) * new`.
pub(crate) fn flip_remainder(
    new: &FieldByAxis<f32>,
    old: &FieldByAxis<f32>,
    share: f32,
) -> FieldByAxis<f32> {
    std::array::from_fn(|axis| {
        let mut remainder = new[axis].clone();
        remainder.par_tiles_mut().for_each(|(slot, tile)| {
            for (value, &old) in tile.iter_mut().zip(old[axis].tile(slot)) {
                *value -= share * old;
            }
        });
        remainder
    })
}

/// Hands the grid's velocities to the particles, and to the channel `gradient` those of affine transfers.
pub(crate) fn to_particles(
    order: &CellOrder,
    particles: &mut ParticleSet,
    gradient: Option<Handle<Gradient>>,
    new: &FieldByAxis<f32>,
    old: &FieldByAxis<f32>,
    transfer: Transfer,
) {
    let velocities = order.split_by_tile(&mut particles.velocity);
    let positions = &particles.position;
    match transfer {
        Transfer::Flip(share) => {
            let remainder = flip_remainder(new, old, share);
            velocities.into_par_iter().enumerate().for_each_init(
                || FaceReader::new(&remainder),
                |reader, (slot, velocities)| {
                    let range = order.tile_particles(slot);
                    if range.is_empty() {
                        return;
                    }
                    reader.enter(slot);
                    for (velocity, &position) in velocities.iter_mut().zip(&positions[range]) {
                        *velocity = *velocity * share + reader.sample(position);
                    }
                },
            );
        }
        Transfer::Apic => {
            let gradients = particles.carried.optional_mut(gradient);
            let gradients = order.split_by_tile(gradients);
            let tiles = velocities.into_par_iter().zip(gradients).enumerate();
            tiles.for_each_init(
                || FaceReader::new(new),
                |reader, (slot, (velocities, gradients))| {
                    let range = order.tile_particles(slot);
                    if range.is_empty() {
                        return;
                    }
                    reader.enter(slot);
                    let own = velocities.iter_mut().zip(gradients);
                    for ((velocity, affine), &position) in own.zip(&positions[range]) {
                        // The gradient of the interpolant is APIC's affine matrix for the trilinear kernel.
                        (*velocity, *affine) = reader.sample_with_gradient(position);
                    }
                },
            );
        }
    }
}

/// Gives the particles the gradients of the grid's velocities.
pub(crate) fn read_gradients(
    order: &CellOrder,
    particles: &mut ParticleSet,
    gradient: Handle<Gradient>,
    new: &FieldByAxis<f32>,
) {
    let positions = &particles.position;
    let gradients = order.split_by_tile(&mut particles.carried[gradient]);
    gradients.into_par_iter().enumerate().for_each_init(
        || FaceReader::new(new),
        |reader, (slot, gradients)| {
            let range = order.tile_particles(slot);
            if range.is_empty() {
                return;
            }
            reader.enter(slot);
            for (affine, &position) in gradients.iter_mut().zip(&positions[range]) {
                *affine = reader.sample_with_gradient(position).1;
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_commons::reduce;
    use ooze_core::random::uniform;
    use ooze_core::{Birth, ChannelRule, Material};
    use ooze_field::{Lattice, Topology};

    use super::super::order::tiles_around;
    use super::*;

    /// Spinning particles; the channel `affine` holds the gradient of their velocities.
    fn cloud(flat: bool) -> (CellOrder, ParticleSet) {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(16), flat);
        let mut particles = ParticleSet::default();
        let gradient = ChannelRule::new("affine", |_| [Vec3::ZERO; 3]);
        let gradient = particles.carried.register(gradient);
        for index in 0..6_000 {
            let pick = |axis| 0.3 + uniform(axis, index);
            let position = Vec3::new(pick(0), pick(1), if flat { 0.05 } else { pick(2) });
            let material = Material::newtonian("water", 1000.0, 0.0, 0.0);
            let birth = Birth::new(position, &material);
            particles.push(&birth, spin(position, flat), index as u32, 0);
        }
        particles.carried[gradient].fill(spin_matrix(flat));
        let topology: Arc<Topology> =
            Arc::new(tiles_around(lattice, &particles.position, 2).build());
        let (order, permutation) = CellOrder::sort(topology, &particles.position);
        let mut sorted = ParticleSet::default();
        particles.gather_into(&permutation, &mut sorted);
        (order, sorted)
    }

    fn axis_of_spin(flat: bool) -> Vec3 {
        if flat {
            Vec3::Z
        } else {
            Vec3::new(1.0, -2.0, 0.5)
        }
    }

    fn spin(point: Vec3, flat: bool) -> Vec3 {
        axis_of_spin(flat).cross(point - Vec3::splat(0.8))
    }

    fn spin_matrix(flat: bool) -> Gradient {
        let axis = axis_of_spin(flat);
        let column = |unit: Vec3| axis.cross(unit);
        let columns = [column(Vec3::X), column(Vec3::Y), column(Vec3::Z)];
        std::array::from_fn(|row| Vec3::new(columns[0][row], columns[1][row], columns[2][row]))
    }

    /// Carries velocities to a grid that changes nothing, and back.
    fn there_and_back(
        order: &CellOrder,
        particles: &mut ParticleSet,
        gradient: Option<Handle<Gradient>>,
        transfer: Transfer,
    ) {
        let gradients = particles.carried.optional(gradient);
        let grid = to_grid(order, particles, gradients, &[1000.0], Sampling::Fine);
        let velocity = &grid.faces.velocity;
        to_particles(order, particles, gradient, velocity, velocity, transfer);
    }

    #[test]
    fn affine_transfer_keeps_a_rigid_rotation_exactly() {
        for flat in [false, true] {
            let (order, mut particles) = cloud(flat);
            let before = particles.clone();
            let gradient = particles.carried.find("affine");
            there_and_back(&order, &mut particles, gradient, Transfer::Apic);
            for index in 0..particles.len() {
                let change = particles.velocity[index] - before.velocity[index];
                assert!(change.length() < 2e-5, "{change}");
            }
        }
    }

    #[test]
    fn pure_flip_with_an_unchanged_grid_changes_nothing() {
        let (order, mut particles) = cloud(false);
        let before = particles.clone();
        there_and_back(&order, &mut particles, None, Transfer::Flip(1.0));
        for (after, before) in particles.velocity.iter().zip(&before.velocity) {
            assert!(after.abs_diff_eq(*before, 1e-5));
        }
    }

    #[test]
    fn transfer_to_the_grid_keeps_momentum_and_mean_density() {
        let (order, mut particles) = cloud(false);
        for (index, material) in particles.material.iter_mut().enumerate() {
            *material = (index % 2) as u8;
        }
        let densities = [500.0, 1500.0];
        for sampling in [Sampling::Fine, Sampling::Coarse] {
            let grid = to_grid(&order, &particles, &[], &densities, sampling);
            let density = grid.density.as_ref().expect("two densities");
            for axis in 0..3 {
                let place = Place::Face(axis);
                let [share] =
                    scatter::<1, Linear, _>(&order, &particles.position, place, |_| |_| [1.0]);
                let on_grid = match sampling {
                    Sampling::Fine => reduce::sum_indices(share.values().len(), |index| {
                        let mass = share.values()[index] * density[axis].values()[index];
                        f64::from(mass * grid.faces.velocity[axis].values()[index])
                    }),
                    Sampling::Coarse => continue,
                };
                let on_particles: f64 = (0..particles.len())
                    .map(|index| {
                        let mass = densities[usize::from(particles.material[index])];
                        f64::from(mass * particles.velocity[index][axis])
                    })
                    .sum();
                let scale = 6_000.0 * 1_000.0;
                assert!((on_grid - on_particles).abs() < 1e-5 * scale);
            }
            let all = density.iter().flat_map(|field| field.values());
            assert!(
                all.into_iter()
                    .all(|&value| (499.9..=1500.1).contains(&value))
            );
        }
    }
}
