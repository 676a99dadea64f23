//! Even spacing inside viscous streams: particles that are nearer to one another than they should be move apart.
//!
//! A stretching flow draws particles apart along the stream and crowds them across it, and thick liquids never mix them
//! again: the stream falls into layers with gaps between them, although each cell holds the right number. Shifting
//! particles down the gradient of their own concentration (Lind et al. 2012) evens that out at a scale below the cell,
//! which the density correction does not see. At the surface and at walls a shift keeps only the part along them, so
//! that the liquid's shape stays as it is. Velocities are left alone: the shifts are a small share of the spacing, and
//! the velocity of a viscous liquid is smooth.

use glam::{IVec3, Vec3};
use ooze_commons::widest;
use ooze_field::{Field, FieldReader};
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
/// Cells below the surface beyond which nobody sees gaps and the density correction is enough.
const DEEPEST: f32 = 4.0;

/// Where to shift each of the sorted particles, in metres. `freedom` tells how much of its shift the particles of a cell may have,
/// by the cell's number in storage.
pub(crate) fn shifts(
    order: &CellOrder,
    positions: &[Vec3],
    liquid: &Field<f32>,
    freedom: impl Fn(usize) -> f32 + Sync,
    boundary: &Boundary,
    sampling: Sampling,
) -> Vec<Vec3> {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let spacing = match sampling {
        Sampling::Fine => 0.5 * lattice.cell_size,
        Sampling::Coarse => lattice.cell_size,
    };
    let reader = FieldReader::of(liquid);
    let mut shifts = vec![Vec3::ZERO; positions.len()];
    let tiles = order.split_by_tile(&mut shifts);
    tiles.into_par_iter().enumerate().for_each_init(
        Neighbours::default,
        |neighbours, (slot, shifts)| {
            let first = order.tile_particles(slot).start;
            for local in 0..topology.tile_cells() {
                let own = order.cell_particles(slot * topology.tile_cells() + local);
                let cell = topology.cell(slot, local);
                if own.is_empty() || liquid.get(cell) < -DEEPEST * lattice.cell_size {
                    continue;
                }
                neighbours.gather(order, positions, cell);
                let freedom = freedom(slot * topology.tile_cells() + local);
                for particle in own {
                    let position = positions[particle];
                    let crowding = neighbours.crowding(position, REACH * spacing);
                    let mut shift =
                        (STRENGTH * spacing * crowding).clamp_length_max(LONGEST * spacing);
                    if lattice.flat {
                        shift.z = 0.0;
                    }
                    let (distance, gradient) = reader.sample_with_gradient(position);
                    let outward = gradient.normalize_or_zero();
                    shift = held(shift, outward, -distance / spacing);
                    if boundary.near(slot) {
                        let depth = boundary.distance.sample(position) / spacing;
                        shift = held(shift, -boundary.outward(position), depth);
                    }
                    shifts[particle - first] = shift * freedom;
                }
            }
        },
    );
    shifts
}

/// Neighbours that are looked at together.
const LANES: usize = 8;
/// A coordinate so far away that what is there pushes nothing.
const FAR: f32 = 1e9;

/// The particles in and around a cell, by coordinate, filled up to whole lanes.
#[derive(Default)]
struct Neighbours {
    coordinates: [Vec<f32>; 3],
}

impl Neighbours {
    fn gather(&mut self, order: &CellOrder, positions: &[Vec3], cell: IVec3) {
        for coordinates in &mut self.coordinates {
            coordinates.clear();
        }
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
                        for position in &positions[order.cell_particles(index)] {
                            for (axis, coordinates) in self.coordinates.iter_mut().enumerate() {
                                coordinates.push(position[axis]);
                            }
                        }
                    }
                }
            }
        }
        let whole = self.coordinates[0].len().next_multiple_of(LANES);
        for coordinates in &mut self.coordinates {
            coordinates.resize(whole, FAR);
        }
    }

    /// The direction away from the neighbours, each weighted by its nearness. The particle itself adds nothing.
    fn crowding(&self, position: Vec3, reach: f32) -> Vec3 {
        widest(
            #[inline(always)]
            |_| self.crowding_by_lanes(position, 1.0 / reach),
        )
    }

    #[inline(always)]
    fn crowding_by_lanes(&self, position: Vec3, per_reach: f32) -> Vec3 {
        let [x, y, z] = &self.coordinates;
        let lanes = x.as_chunks::<LANES>().0.iter();
        let lanes = lanes
            .zip(y.as_chunks::<LANES>().0)
            .zip(z.as_chunks::<LANES>().0);
        let mut sums = [[0.0f32; LANES]; 3];
        for ((x, y), z) in lanes {
            for lane in 0..LANES {
                let offset = [
                    position.x - x[lane],
                    position.y - y[lane],
                    position.z - z[lane],
                ];
                let squared = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
                let per_distance = 1.0 / squared.max(f32::MIN_POSITIVE).sqrt();
                let nearness = (1.0 - squared * per_distance * per_reach).max(0.0);
                let weight = nearness * nearness * per_distance;
                for (sum, offset) in sums.iter_mut().zip(offset) {
                    sum[lane] += offset * weight;
                }
            }
        }
        Vec3::from_array(sums.map(|lanes| lanes.iter().sum()))
    }
}

/// Takes away the part of a shift towards a side that is `depth` spacings off.
fn held(shift: Vec3, towards: Vec3, depth: f32) -> Vec3 {
    let freedom = ((depth - SHALLOW) / (DEEP - SHALLOW)).clamp(0.0, 1.0);
    shift - towards * (shift.dot(towards).max(0.0) * (1.0 - freedom))
}
