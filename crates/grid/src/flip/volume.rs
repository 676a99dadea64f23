//! Volume correction: each connected piece of the surface is moved in or out a little until it encloses the volume of
//! the particles in it.
//!
//! A surface wrapped around particles depends on how they happen to lie; what is conserved is their number. Pieces that
//! the grid can see are offset along their normals, which is adding a constant to their signed distance. Particles in no
//! piece, or in one of fewer cells than it takes to have a shape, are spray: each counts with its own volume.

use glam::{IVec3, Vec3};
use ooze_field::level_set::Components;
use ooze_field::{Field, fraction, level_set};
use rayon::prelude::*;

use super::order::CellOrder;

/// Longest offset, in cells.
const LONGEST_OFFSET: f64 = 0.75;
/// Pieces of fewer cells are spray.
const SMALLEST_PIECE: u32 = 8;
/// Area of a smooth surface per cell face that it crosses: 2/3 on average over directions.
const AREA_PER_FACE: f64 = 2.0 / 3.0;

/// The pieces of a liquid: which cells and particles belong to which.
pub(crate) struct Pieces {
    /// Piece of each cell of the liquid and of the cells around it, from 1 on; 0 elsewhere.
    owner: Field<u32>,
    /// Particles in each piece; entry 0 counts the spray.
    particles: Vec<usize>,
    /// Faces between liquid and air of each piece.
    faces: Vec<usize>,
}

impl Pieces {
    /// Finds the pieces of the liquid inside a surface.
    pub(crate) fn find(surface: &Field<f32>, order: &CellOrder, positions: &[Vec3]) -> Self {
        let mut components = level_set::components(surface);
        drop_small(&mut components);
        let owner = components.spread();
        let mut particles = vec![0; components.count as usize + 1];
        let mut faces = vec![0; components.count as usize + 1];
        let topology = &order.topology;
        let cells = topology.tile_cells();
        let counts: Vec<Vec<(u32, usize, usize)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut found = Vec::new();
                for local in 0..cells {
                    let index = slot * cells + local;
                    let count = order.cell_particles(index).len();
                    let label = components.labels.values()[index];
                    let exposed = if label == 0 {
                        0
                    } else {
                        exposed_faces(&components.labels, topology.cell(slot, local))
                    };
                    if count + exposed > 0 {
                        found.push((owner.values()[index], count, exposed));
                    }
                }
                found
            })
            .collect();
        for (piece, count, exposed) in counts.into_iter().flatten() {
            particles[piece as usize] += count;
            faces[piece as usize] += exposed;
        }
        debug_assert_eq!(particles.iter().sum::<usize>(), positions.len());
        Self {
            owner,
            particles,
            faces,
        }
    }

    /// Number of pieces.
    pub(crate) fn count(&self) -> usize {
        self.particles.len() - 1
    }

    /// Piece of each cell of the liquid and of the cells around it, from 1 on; 0 elsewhere.
    pub(crate) fn owner(&self) -> &Field<u32> {
        &self.owner
    }

    /// Particles that belong to no piece.
    pub(crate) fn spray(&self) -> usize {
        self.particles[0]
    }

    /// Whether a cell belongs to a piece or borders on one.
    #[inline]
    pub(crate) fn owns(&self, cell: IVec3) -> bool {
        self.owner.get(cell) > 0
    }

    /// Offsets each piece until it encloses its particles' volume. `particle_volume` is in cells, `room` the share of
    /// each cell that is free of solids. The first round guesses from the piece's area, later ones follow secants. Returns the
    /// volume of all pieces before it, in cells.
    pub(crate) fn correct(
        &self,
        surface: &mut Field<f32>,
        room: &Field<f32>,
        particle_volume: f64,
        rounds: usize,
    ) -> f64 {
        let cell_size = f64::from(surface.topology().lattice().cell_size);
        let count = self.particles.len();
        let mut offset = vec![0.0; count];
        let mut previous: Option<(Vec<f64>, Vec<f64>)> = None;
        let mut uncorrected = 0.0;
        for round in 0..rounds {
            let volume = self.volumes(surface, room);
            if round == 0 {
                uncorrected = volume[1..].iter().sum();
            }
            let mut step = vec![0.0; count];
            for piece in 1..count {
                let excess = volume[piece] - self.particles[piece] as f64 * particle_volume;
                let area = match &previous {
                    Some((volumes, steps)) if steps[piece].abs() > 1e-4 => {
                        (volumes[piece] - volume[piece]) / steps[piece]
                    }
                    _ => AREA_PER_FACE * self.faces[piece] as f64,
                };
                let smallest = 0.25 * AREA_PER_FACE * self.faces[piece].max(1) as f64;
                let wanted = offset[piece] + excess / area.max(smallest);
                let allowed = wanted.clamp(-LONGEST_OFFSET, LONGEST_OFFSET);
                step[piece] = allowed - offset[piece];
                offset[piece] = allowed;
            }
            self.shift(surface, &step, cell_size);
            previous = Some((volume, step));
        }
        uncorrected
    }

    /// Volume of each piece in cells.
    fn volumes(&self, surface: &Field<f32>, room: &Field<f32>) -> Vec<f64> {
        let shares = fraction::cell_fractions(surface);
        let tiles: Vec<Vec<(u32, f64)>> = (0..surface.topology().tile_count())
            .into_par_iter()
            .map(|slot| {
                // Neighbouring cells mostly belong to the same piece: add up runs.
                let mut runs: Vec<(u32, f64)> = Vec::new();
                let cells = shares.tile(slot).iter().zip(room.tile(slot));
                for ((&share, &room), &owner) in cells.zip(self.owner.tile(slot)) {
                    if share > 0.0 && owner > 0 {
                        let volume = f64::from(share * room);
                        match runs.last_mut() {
                            Some(run) if run.0 == owner => run.1 += volume,
                            _ => runs.push((owner, volume)),
                        }
                    }
                }
                runs
            })
            .collect();
        let mut volume = vec![0.0; self.particles.len()];
        for (owner, part) in tiles.into_iter().flatten() {
            volume[owner as usize] += part;
        }
        volume
    }

    fn shift(&self, surface: &mut Field<f32>, step: &[f64], cell_size: f64) {
        surface.par_tiles_mut().for_each(|(slot, tile)| {
            for (value, &owner) in tile.iter_mut().zip(self.owner.tile(slot)) {
                *value += (step[owner as usize] * cell_size) as f32;
            }
        });
    }
}

/// Takes the labels of small components away.
fn drop_small(components: &mut Components) {
    let mut sizes = vec![0u32; components.count as usize + 1];
    for &label in components.labels.values() {
        sizes[label as usize] += 1;
    }
    let labels = components.labels.values_mut();
    labels.par_iter_mut().with_min_len(4096).for_each(|label| {
        if sizes[*label as usize] < SMALLEST_PIECE {
            *label = 0;
        }
    });
}

/// Faces of a liquid cell towards cells without liquid.
fn exposed_faces(labels: &Field<u32>, cell: IVec3) -> usize {
    let axes = if labels.topology().lattice().flat {
        2
    } else {
        3
    };
    (0..2 * axes)
        .filter(|side| {
            let mut other = cell;
            other[side / 2] += 2 * (side % 2) as i32 - 1;
            labels.get(other) == 0
        })
        .count()
}
