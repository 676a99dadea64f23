//! Integral quantities of a FLIP liquid.

use glam::DVec3;
use ooze_core::{LiquidSetup, Measure};
use ooze_field::{Field, reduce};

use super::state::FlipState;

/// Momentum, energy and the like, from the particles; `volume` and `packing` are left to the surface.
pub(crate) fn of_particles(
    state: &FlipState,
    setup: &LiquidSetup,
    particle_volume: f64,
) -> Measure {
    let particles = &state.particles;
    let indices: Vec<u32> = (0..particles.len() as u32).collect();
    let mass = |index: usize| {
        let material = usize::from(particles.material[index]);
        f64::from(setup.materials[material].density) * particle_volume
    };
    let sum =
        |term: &(dyn Fn(usize) -> f64 + Sync)| reduce::sum(&indices, |&index| term(index as usize));
    let vector = |term: &(dyn Fn(usize) -> DVec3 + Sync)| {
        DVec3::from_array(std::array::from_fn(|axis| sum(&|index| term(index)[axis])))
    };
    let momentum = |index: usize| particles.velocity[index].as_dvec3() * mass(index);
    Measure {
        particles: particles.len(),
        volume: 0.0,
        expected_volume: state.expected_volume,
        mass: sum(&mass),
        momentum: vector(&momentum),
        angular_momentum: vector(&|index| {
            particles.position[index].as_dvec3().cross(momentum(index))
        }),
        kinetic_energy: sum(&|index| {
            0.5 * mass(index) * particles.velocity[index].as_dvec3().length_squared()
        }),
        potential_energy: sum(&|index| {
            mass(index) * setup.potential(particles.position[index].as_dvec3())
        }),
        elastic_energy: None,
        max_speed: f64::from(max_speed(state)),
        ..Measure::default()
    }
}

/// Largest speed of a particle; zero without particles.
pub(crate) fn max_speed(state: &FlipState) -> f32 {
    reduce::max(&state.particles.velocity, |velocity| {
        velocity.length_squared()
    })
    .max(0.0)
    .sqrt()
}

/// The volume in cubic metres of cells with shares of liquid; `counted` tells how much counts of a cell, by its number in storage
/// and its share.
pub(crate) fn volume(
    shares: &Field<f32>,
    counted: impl Fn(glam::IVec3, usize, f64) -> f64 + Sync,
) -> f64 {
    let topology = shares.topology();
    let cells = reduce::sum_indices(topology.tile_count(), |slot| {
        let tile = shares.tile(slot).iter().enumerate();
        tile.filter(|&(_, &share)| share > 0.0)
            .map(|(local, &share)| {
                let index = slot * topology.tile_cells() + local;
                counted(topology.cell(slot, local), index, f64::from(share))
            })
            .sum()
    });
    cells * topology.lattice().cell_volume()
}
