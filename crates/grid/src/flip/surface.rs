//! The liquid's surface from its particles: a level set of the union of particle spheres (Batty & Bridson 2008,
//! sec. 5.1), closed so that gaps between particles do not become bubbles.
//!
//! Spheres of a radius that surely overlap are united first; then the distances inside are computed anew from that
//! surface, and the surface is drawn back until a lone particle has a sphere of its own volume again. Thus the surface
//! encloses the particles' volume, flat pools and droplets alike.

use std::f32::consts::PI;

use glam::{IVec3, Vec3};
use ooze_field::{Block, Field, Lattice, Place, level_set};
use rayon::prelude::*;

use super::contact::Contacts;
use super::mirror::Mirror;
use super::order::CellOrder;
use super::pockets;
use super::volume::{Content, Pieces};
use crate::Sampling;
use crate::boundary::Boundary;

/// Distances are kept within this many cells of the surface.
const BAND_CELLS: f32 = 3.0;
/// Fill above which a cell is liquid wherever its particles lie.
const CROWDED_FILL: f32 = 0.75;
/// Fewer particles tell nothing of a cell's fill.
const FEWEST_FOR_FILL: f32 = 3.0;
/// A particle that is no nearer than this many cells is not looked for: two cells around a cell hold all that are.
const REACH_CELLS: f32 = 2.5;

/// Cells by which a particle may seem to be outside the cell that it was sorted into.
const ROUNDING: f32 = 0.01;

/// Sizes of the spheres that stand for particles, in metres, and how many of them fill a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SphereSizes {
    /// Radius of the sphere (disc, in flat scenes) with a particle's volume.
    pub(crate) particle: f32,
    /// Radius with which spheres are united before the surface is drawn back.
    pub(crate) closing: f32,
    /// Particles in a full cell.
    pub(crate) rest_count: f32,
}

impl SphereSizes {
    /// Sizes for a lattice and a sampling.
    pub(crate) fn new(lattice: &Lattice, sampling: Sampling) -> Self {
        let (spacing, closing) = match sampling {
            Sampling::Fine => (0.5, 0.85),
            Sampling::Coarse => (1.0, 1.3),
        };
        let particle = if lattice.flat {
            spacing * (1.0 / PI).sqrt()
        } else {
            spacing * (3.0 / (4.0 * PI)).cbrt()
        };
        Self {
            particle: particle * lattice.cell_size,
            closing: closing * lattice.cell_size,
            rest_count: (1.0 / spacing).powi(lattice.axes() as i32),
        }
    }
}

/// The liquid's surface between the solids.
pub(crate) struct Surface {
    /// Signed distance at cell centres, continued into solids.
    pub(crate) distance: Field<f32>,
    /// The pieces of liquid.
    pub(crate) pieces: Pieces,
    /// What the pieces enclose before they are corrected.
    pub(crate) content: Content,
}

impl Surface {
    /// The surface of sorted particles, each of a `particle_volume` in cells. Each connected piece is made to enclose their volume
    /// in so many rounds of correction.
    pub(crate) fn build(
        order: &CellOrder,
        positions: &[Vec3],
        contacts: &Contacts<'_>,
        boundary: &Boundary,
        sizes: SphereSizes,
        particle_volume: f64,
        rounds: usize,
    ) -> Self {
        // Nobody asks what is deeper in solids than the band.
        let band = BAND_CELLS * order.topology.lattice().cell_size;
        let mirror = Mirror::new(contacts, boundary, band);
        let mut distance = wrap(order, positions, &mirror, sizes);
        let air = pockets::fill(&mut distance, boundary);
        mirror.wet_sealed_patches(&mut distance, boundary);
        let (pieces, room) = (Pieces::find(&distance, order, positions), &boundary.room);
        let content = pieces.content(&distance, room, air, particle_volume);
        pieces.correct(&mut distance, room, &content, particle_volume, rounds);
        Self {
            distance,
            pieces,
            content,
        }
    }
}

/// Signed distance to the surface around sorted particles. Liquid that touches a wall continues into it before the surface
/// is drawn back, or it would be drawn back from the wall too.
fn wrap(order: &CellOrder, positions: &[Vec3], mirror: &Mirror, sizes: SphereSizes) -> Field<f32> {
    let lattice = *order.topology.lattice();
    let mut distance = union_of_spheres(order, positions, sizes.closing);
    mirror.extend(&mut distance);
    level_set::redistance_inside(&mut distance, BAND_CELLS * lattice.cell_size);
    let withdrawal = sizes.closing - sizes.particle;
    distance.par_tiles_mut().for_each(|(_, tile)| {
        for value in tile {
            *value += withdrawal;
        }
    });
    include_crowded(&mut distance, order, sizes.rest_count);
    mirror.extend(&mut distance);
    distance
}

/// Takes cells that hold their fill of particles into the liquid, wherever in the cell the particles lie. A film on the
/// floor that never reaches the cells' centres would not be liquid otherwise, and could be crowded without limit.
fn include_crowded(distance: &mut Field<f32>, order: &CellOrder, rest_count: f32) {
    let topology = distance.topology().clone();
    let cell_size = topology.lattice().cell_size;
    let cells = topology.tile_cells();
    distance.par_tiles_mut().for_each(|(slot, tile)| {
        if order.tile_particles(slot).is_empty() {
            return;
        }
        for (local, value) in tile.iter_mut().enumerate() {
            let count = order.cell_particles(slot * cells + local).len() as f32;
            if count >= FEWEST_FOR_FILL {
                let fill = count / rest_count;
                *value = value.min((CROWDED_FILL - fill).max(-0.5) * cell_size);
            }
        }
    });
}

/// Distance to the nearest particle less `radius`. Cells whose neighbours all hold particles are surely inside and
/// get a constant.
fn union_of_spheres(order: &CellOrder, positions: &[Vec3], radius: f32) -> Field<f32> {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let cells = topology.tile_cells();
    let mut occupied = Field::new(topology, Place::Cell, 0u8);
    occupied.par_tiles_mut().for_each(|(slot, tile)| {
        for (local, flag) in tile.iter_mut().enumerate() {
            *flag = u8::from(!order.cell_particles(slot * cells + local).is_empty());
        }
    });
    let far = REACH_CELLS * lattice.cell_size - radius;
    let mut distance = Field::new(topology, Place::Cell, far);
    let depth = if lattice.flat { 1 } else { 3 };
    let all = 9 * depth as u8;
    let steps = steps_around(lattice.flat);
    distance.par_tiles_mut().for_each_init(
        || (Block::new(topology, 2, 0u8), Vec::new(), Vec::new()),
        |(block, around, spare), (slot, tile)| {
            block.load(&occupied, slot);
            if block.values().iter().all(|&flag| flag == 0) {
                return;
            }
            // Occupied cells among the 27 around each cell, then whether there are any among the 125.
            let strides = &block.strides()[..lattice.axes()];
            around.clear();
            around.extend_from_slice(block.values());
            for &stride in strides {
                add_neighbours(around, spare, stride);
            }
            let counts = around.clone();
            for &stride in strides {
                add_neighbours(around, spare, stride);
            }
            for (local, value) in tile.iter_mut().enumerate() {
                let place = block.at(topology.local_cell(local));
                if counts[place] == all {
                    *value = -radius;
                } else if around[place] > 0 {
                    let cell = topology.cell(slot, local);
                    let occupied = |step: IVec3| block.get(topology.local_cell(local) + step) != 0;
                    let nearest = nearest_particle(order, positions, cell, &steps, occupied);
                    *value = nearest.min(far + radius) - radius;
                }
            }
        },
    );
    distance
}

/// Adds to each entry the entries one stride before and after it.
fn add_neighbours(values: &mut [u8], spare: &mut Vec<u8>, stride: usize) {
    spare.clear();
    spare.extend_from_slice(values);
    let length = values.len();
    for (value, &before) in values[stride..].iter_mut().zip(&spare[..length - stride]) {
        *value = value.saturating_add(before);
    }
    for (value, &after) in values[..length - stride].iter_mut().zip(&spare[stride..]) {
        *value = value.saturating_add(after);
    }
}

/// Distance from a cell's centre to the nearest particle in the cells that `steps` lead to; `occupied` tells which of them have any.
fn nearest_particle(
    order: &CellOrder,
    positions: &[Vec3],
    cell: IVec3,
    steps: &[Step],
    occupied: impl Fn(IVec3) -> bool,
) -> f32 {
    let lattice = order.topology.lattice();
    let centre = lattice.centre(cell);
    let mask = match lattice.flat {
        true => Vec3::new(1.0, 1.0, 0.0),
        false => Vec3::ONE,
    };
    let mut nearest = f32::INFINITY;
    for &Step { step, least } in steps {
        if nearest < least * lattice.cell_size * lattice.cell_size {
            break;
        }
        if !occupied(step) {
            continue;
        }
        let Some(index) = order.topology.index(cell + step) else {
            continue;
        };
        for &position in &positions[order.cell_particles(index)] {
            nearest = nearest.min(((position - centre) * mask).length_squared());
        }
    }
    nearest.sqrt()
}

/// The way from a cell to one of those around it.
struct Step {
    step: IVec3,
    /// What the squared distance of the first one's centre from the other is not below, in cells, whatever the rounding.
    least: f32,
}

/// The ways to the cells at most two away, the nearest first.
fn steps_around(flat: bool) -> Vec<Step> {
    let depth = if flat { 0 } else { 2 };
    let mut steps = Vec::new();
    for z in -depth..=depth {
        for y in -2..=2 {
            for x in -2..=2 {
                let step = IVec3::new(x, y, z);
                let between = (step.abs().as_vec3() - 0.5 - ROUNDING).max(Vec3::ZERO);
                let least = between.length_squared();
                steps.push(Step { step, least });
            }
        }
    }
    steps.sort_by(|one, other| one.least.total_cmp(&other.least));
    steps
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::random::uniform;
    use ooze_core::{Domain, KeyframedSolids, Obstacles, Side};

    use super::super::order::tiles_around;
    use super::*;
    use crate::WallWeights;
    use crate::boundary::FixedTiles;

    /// A jittered lattice of particles inside `inside`, and its surface.
    fn fill(flat: bool, sampling: Sampling, inside: impl Fn(Vec3) -> bool) -> (usize, Field<f32>) {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(40), flat);
        let spacing = match sampling {
            Sampling::Fine => 0.05,
            Sampling::Coarse => 0.1,
        };
        let count = (4.0 / spacing) as i32;
        let mut positions = Vec::new();
        for z in 0..if flat { 1 } else { count } {
            for y in 0..count {
                for x in 0..count {
                    let key = ((z * count + y) * count + x) as u64;
                    let jitter = |axis| 0.5 + 0.6 * (uniform(axis, key) - 0.5);
                    let shift = Vec3::new(jitter(0), jitter(1), jitter(2));
                    let point = (IVec3::new(x, y, z).as_vec3() + shift) * spacing;
                    if inside(point) {
                        positions.push(point);
                    }
                }
            }
        }
        let topology = Arc::new(tiles_around(lattice, &positions, 4).build());
        let (order, permutation) = CellOrder::sort(topology, &positions);
        let sorted: Vec<Vec3> = permutation
            .iter()
            .map(|&index| positions[index as usize])
            .collect();
        let domain = Domain {
            lower: lattice.origin,
            cell_size: lattice.cell_size,
            cells: lattice.cells,
            flat,
            sides: [[Side::Open; 2]; 3],
        };
        let solids = KeyframedSolids::new(Vec::new());
        let obstacles = Obstacles::new(&domain, &solids);
        let boundary = Boundary::rasterize(
            &order.topology,
            &obstacles,
            WallWeights::Area,
            &mut FixedTiles::default(),
        );
        let sizes = SphereSizes::new(&lattice, sampling);
        let touching = vec![0; sorted.len()];
        let contacts = Contacts::new(&order, &sorted, &touching, sampling);
        let mirror = Mirror::new(&contacts, &boundary, BAND_CELLS * lattice.cell_size);
        let surface = wrap(&order, &sorted, &mirror, sizes);
        (positions.len(), surface)
    }

    #[test]
    fn the_surface_encloses_the_volume_of_the_particles() {
        let centre = Vec3::splat(2.0);
        for flat in [false, true] {
            for sampling in [Sampling::Fine, Sampling::Coarse] {
                let (count, surface) = fill(flat, sampling, |point| {
                    let mut offset = point - centre;
                    if flat {
                        offset.z = 0.0;
                    }
                    offset.length() < 1.1
                });
                let per_cell = match (flat, sampling) {
                    (_, Sampling::Coarse) => 1.0,
                    (true, Sampling::Fine) => 4.0,
                    (false, Sampling::Fine) => 8.0,
                };
                let expected = count as f64 * 1e-3 / per_cell;
                let measured = level_set::volume(&surface);
                let error = measured / expected - 1.0;
                assert!(error.abs() < 0.04, "flat {flat}, {sampling:?}: {error}");
            }
        }
    }

    #[test]
    fn a_filled_body_has_no_bubbles_and_a_gap_stays_open() {
        let (_, surface) = fill(false, Sampling::Fine, |point| (point.x - 2.0).abs() > 0.2);
        for step in 0..200 {
            let pick = |axis| 0.6 + 2.8 * uniform(axis, step);
            let point = Vec3::new(pick(0), pick(1), pick(2));
            let expected = 0.2 - (point.x - 2.0).abs();
            let distance = surface.sample(point);
            // Within the surface's roughness of half a cell; interpolation cuts the ridge in the middle of the gap.
            let kept = |distance: f32| distance.clamp(-0.15, 0.1);
            assert!(
                (kept(distance) - kept(expected)).abs() < 0.06,
                "{point} {distance}"
            );
        }
    }
}
