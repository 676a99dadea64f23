//! How far the particles of viscous liquids may be moved aside, beside the flow.
//!
//! Density correction and even spacing make up for what carrying does to the order of the particles, which it does as the liquid is
//! strained. Liquid that stands needs neither, and would creep by them, a little in every step: they are rearrangements, which
//! viscosity allows at the rate at which the liquid flows, and beyond that as far as momentum diffuses no further than a cell. So
//! particles are moved aside in full where a step strains the liquid by more than `STRAIN`, or where the liquid is thin, and
//! elsewhere in proportion.

use ooze_core::{Handle, ParticleSet};
use ooze_field::FieldByAxis;
use rayon::prelude::*;

use super::order::CellOrder;
use super::reader::FaceReader;
use crate::viscosity::diffusion_number;

/// Strain of one step from which on particles are moved aside in full.
const STRAIN: f32 = 1e-4;

/// The share, from 0 to 1, of what moves each of the sorted particles aside that viscosity allows in a step of `dt` seconds.
/// `viscosity` is their channel, `densities` are by material.
pub(crate) fn mobility(
    order: &CellOrder,
    particles: &ParticleSet,
    viscosity: Handle<f32>,
    densities: &[f32],
    velocity: &FieldByAxis<f32>,
    dt: f64,
) -> Vec<f32> {
    let cell_size = f64::from(order.topology.lattice().cell_size);
    let viscosities = &particles.carried[viscosity];
    let mut mobility = vec![1.0; particles.len()];
    let tiles = order.split_by_tile(&mut mobility).into_par_iter();
    tiles.enumerate().for_each_init(
        || FaceReader::new(velocity),
        |reader, (slot, mobility)| {
            if mobility.is_empty() {
                return;
            }
            reader.enter(slot);
            for (share, particle) in mobility.iter_mut().zip(order.tile_particles(slot)) {
                let density = densities[usize::from(particles.material[particle])];
                let number = diffusion_number(viscosities[particle], density, cell_size, dt) as f32;
                if number > 1.0 {
                    let [x, y, z] = reader.sample_with_gradient(particles.position[particle]).1;
                    let stretching = x.x * x.x + y.y * y.y + z.z * z.z;
                    let shears = [x.y + y.x, y.z + z.y, z.x + x.z];
                    let shear: f32 = shears.iter().map(|shear| shear * shear).sum();
                    let strain = (stretching + 0.5 * shear).sqrt() * dt as f32;
                    *share = (strain / STRAIN + 1.0 / number).min(1.0);
                }
            }
        },
    );
    mobility
}
