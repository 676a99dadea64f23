//! Even spacing inside viscous streams: particles that are nearer to one another than they should be move apart.
//!
//! A stretching flow draws particles apart along the stream and crowds them across it, and thick liquids never mix them
//! again: the stream falls into layers with gaps between them, although each cell holds the right number. Shifting
//! particles down the gradient of their own concentration (Lind et al. 2012) evens that out at a scale below the cell,
//! which the density correction does not see. At the surface and at walls a shift keeps only the part along them, so
//! that the liquid's shape stays as it is. Velocities are left alone: the shifts are a small share of the spacing, and
//! the velocity of a viscous liquid is smooth.

use glam::{IVec3, Vec3};
use ooze_field::Field;
use rayon::prelude::*;

use super::order::CellOrder;
use crate::Sampling;
use crate::boundary::Boundary;

/// Distance in spacings within which particles push one another.
const REACH: f32 = 1.5;
/// Shift by one near neighbour, and the longest of a step, in spacings.
const STRENGTH: f32 = 0.15;
const LONGEST: f32 = 0.15;
/// Depths in spacings between which the freedom to move outward grows from nothing to all.
const SHALLOW: f32 = 0.5;
const DEEP: f32 = 2.0;

/// Where to shift each of the sorted particles, in metres.
pub(crate) fn shifts(
    order: &CellOrder,
    positions: &[Vec3],
    liquid: &Field<f32>,
    boundary: &Boundary,
    sampling: Sampling,
) -> Vec<Vec3> {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let spacing = match sampling {
        Sampling::Fine => 0.5 * lattice.cell_size,
        Sampling::Coarse => lattice.cell_size,
    };
    let mut shifts = vec![Vec3::ZERO; positions.len()];
    let tiles = order.split_by_tile(&mut shifts);
    tiles.into_par_iter().enumerate().for_each_init(
        Vec::new,
        |neighbours: &mut Vec<Vec3>, (slot, shifts)| {
            let first = order.tile_particles(slot).start;
            for local in 0..topology.tile_cells() {
                let own = order.cell_particles(slot * topology.tile_cells() + local);
                if own.is_empty() {
                    continue;
                }
                gather(order, positions, topology.cell(slot, local), neighbours);
                for particle in own {
                    let position = positions[particle];
                    let crowding = crowding(position, neighbours, REACH * spacing, lattice.flat);
                    let mut shift =
                        (STRENGTH * spacing * crowding).clamp_length_max(LONGEST * spacing);
                    let outward = liquid.sample_gradient(position).normalize_or_zero();
                    shift = held(shift, outward, -liquid.sample(position) / spacing);
                    if boundary.near(slot) {
                        let depth = boundary.distance.sample(position) / spacing;
                        shift = held(shift, -boundary.outward(position), depth);
                    }
                    shifts[particle - first] = shift;
                }
            }
        },
    );
    shifts
}

/// The particles of the cells around one.
fn gather(order: &CellOrder, positions: &[Vec3], cell: IVec3, found: &mut Vec<Vec3>) {
    found.clear();
    let topology = &order.topology;
    let depth = if topology.lattice().flat {
        0..=0
    } else {
        -1..=1
    };
    for z in depth {
        for y in -1..=1 {
            for x in -1..=1 {
                if let Some(index) = topology.index(cell + IVec3::new(x, y, z)) {
                    found.extend_from_slice(&positions[order.cell_particles(index)]);
                }
            }
        }
    }
}

/// The direction away from the neighbours, each weighted by its nearness.
fn crowding(position: Vec3, neighbours: &[Vec3], reach: f32, flat: bool) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for &neighbour in neighbours {
        let mut offset = position - neighbour;
        if flat {
            offset.z = 0.0;
        }
        let squared = offset.length_squared();
        // The particle itself is among them.
        if squared < reach * reach && squared > 0.0 {
            let distance = squared.sqrt();
            let nearness = 1.0 - distance / reach;
            sum += offset * (nearness * nearness / distance);
        }
    }
    sum
}

/// Takes away the part of a shift towards a side that is `depth` spacings off.
fn held(shift: Vec3, towards: Vec3, depth: f32) -> Vec3 {
    let freedom = ((depth - SHALLOW) / (DEEP - SHALLOW)).clamp(0.0, 1.0);
    shift - towards * (shift.dot(towards).max(0.0) * (1.0 - freedom))
}
