//! Volume correction: each connected piece of the surface is moved in or out a little until it encloses the volume of
//! the particles in it.
//!
//! A surface wrapped around particles depends on how they happen to lie; what is conserved is their number. Pieces that
//! the grid can see are offset along their normals, which is adding a constant to their signed distance. Particles in no
//! piece, or in one of fewer cells than it takes to have a shape, are spray: each counts with its own volume.
//!
//! Air that a piece has shut in (`pockets`) moves as liquid does and keeps its room: the piece encloses it beside the volume of
//! its particles. To make up for it, the surface around a pile would be drawn in below its outermost particles, the more of its
//! folds have closed. A gap that only the sampling tore is told from a bubble by what the particles need: as far as they enclose
//! less than their volume without it, the gap is theirs.

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

/// What the pieces of a liquid enclose before they are offset, in cells; entry 0 means nothing.
pub(crate) struct Content {
    /// The share of each cell that was air before it was filled, if any was.
    air: Option<Field<f32>>,
    /// Everything.
    volume: Vec<f64>,
    /// Air that was filled.
    filled: Vec<f64>,
    /// As much of it as the particles do not need: it keeps its room beside them.
    bubbles: Vec<f64>,
}

impl Content {
    /// Volume that the particles of all pieces enclose as they lie.
    pub(crate) fn uncorrected(&self) -> f64 {
        self.volume[1..].iter().sum::<f64>() - self.filled()
    }

    /// Air that was filled.
    pub(crate) fn filled(&self) -> f64 {
        self.filled[1..].iter().sum()
    }

    /// The share of a piece's cell that is a bubble, by the cell's number in storage.
    pub(crate) fn bubble(&self, piece: u32, index: usize) -> f64 {
        let filled = |air: &Field<f32>| f64::from(air.values()[index]);
        self.air.as_ref().map_or(0.0, filled) * self.bubble_share(piece)
    }

    /// How freely the particles of a piece's cell may move aside: not beside a bubble, which they would fill one by one, but into a
    /// gap that was torn.
    pub(crate) fn freedom(&self, piece: u32, index: usize) -> f32 {
        match &self.air {
            Some(air) if air.values()[index] > 0.0 => 1.0 - self.bubble_share(piece) as f32,
            _ => 1.0,
        }
    }

    /// The share of a piece's filled air that is in bubbles.
    fn bubble_share(&self, piece: u32) -> f64 {
        let piece = piece as usize;
        self.bubbles[piece] / self.filled[piece].max(f64::MIN_POSITIVE)
    }
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

    /// What each piece encloses before it is offset. `particle_volume` is in cells, `room` the share of each cell that is free of
    /// solids, and `air` the share that was air before it was filled.
    pub(crate) fn content(
        &self,
        surface: &Field<f32>,
        room: &Field<f32>,
        air: Option<Field<f32>>,
        particle_volume: f64,
    ) -> Content {
        let volume = self.volumes(surface, room);
        let filled = match &air {
            Some(air) => self.sums(air, room),
            None => vec![0.0; volume.len()],
        };
        let bubbles = (0..volume.len()).map(|piece| {
            let own = self.particles[piece] as f64 * particle_volume;
            (volume[piece] - own).clamp(0.0, filled[piece])
        });
        Content {
            bubbles: bubbles.collect(),
            air,
            volume,
            filled,
        }
    }

    /// Offsets each piece until it encloses its particles' volume and its bubbles. `particle_volume` is in cells, `room` the share
    /// of each cell that is free of solids, `content` what pieces enclose before. The first round guesses from the piece's area,
    /// later ones follow secants.
    pub(crate) fn correct(
        &self,
        surface: &mut Field<f32>,
        room: &Field<f32>,
        content: &Content,
        particle_volume: f64,
        rounds: usize,
    ) {
        let cell_size = f64::from(surface.topology().lattice().cell_size);
        let count = self.particles.len();
        let mut offset = vec![0.0; count];
        let mut previous: Option<(Vec<f64>, Vec<f64>)> = None;
        for round in 0..rounds {
            let volume = match round {
                0 => content.volume.clone(),
                _ => self.volumes(surface, room),
            };
            let mut step = vec![0.0; count];
            for piece in 1..count {
                let own = self.particles[piece] as f64 * particle_volume;
                let excess = volume[piece] - own - content.bubbles[piece];
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
            self.shift(surface, content.air.as_ref(), &step, cell_size);
            previous = Some((volume, step));
        }
    }

    /// Volume of each piece in cells.
    fn volumes(&self, surface: &Field<f32>, room: &Field<f32>) -> Vec<f64> {
        self.sums(&fraction::cell_fractions(surface), room)
    }

    /// The sum of shares of cells over each piece, in cells.
    fn sums(&self, shares: &Field<f32>, room: &Field<f32>) -> Vec<f64> {
        let tiles: Vec<Vec<(u32, f64)>> = (0..shares.topology().tile_count())
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

    /// Moves the surfaces of pieces by steps in cells, inward where they are positive: but what was filled does not open again.
    fn shift(
        &self,
        surface: &mut Field<f32>,
        air: Option<&Field<f32>>,
        step: &[f64],
        cell_size: f64,
    ) {
        let metres: Vec<f32> = step.iter().map(|step| (step * cell_size) as f32).collect();
        surface.par_tiles_mut().for_each(|(slot, tile)| {
            let air = air.map(|air| air.tile(slot));
            for (local, (value, &owner)) in tile.iter_mut().zip(self.owner.tile(slot)).enumerate() {
                let step = metres[owner as usize];
                let filled = air.is_some_and(|air| air[local] > 0.0);
                *value += if filled { step.min(0.0) } else { step };
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
    let axes = labels.topology().lattice().axes();
    (0..2 * axes)
        .filter(|side| {
            let mut other = cell;
            other[side / 2] += 2 * (side % 2) as i32 - 1;
            labels.get(other) == 0
        })
        .count()
}
