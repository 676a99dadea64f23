//! Volume correction: each connected piece of the liquid is moved in or out a little until it has the volume that it should.
//!
//! What a piece should have follows it from step to step: a piece that splits hands its volume down in proportion to where its
//! parts came from, pieces that meet add theirs (after Kim et al. 2007, who correct with a divergence instead). What belonged
//! to droplets too small for the grid is shared out over the rest.

use glam::Vec3;
use ooze_field::level_set::{self, Components, SurfaceParticles};
use ooze_field::{Field, floor, fraction};
use rayon::prelude::*;

use super::walls::cut_off;

/// Longest offset in one step, in fine cells.
const LONGEST_OFFSET: f64 = 0.5;
/// Offsets shorter than this share of a fine cell do not move particles.
const SHORTEST_OFFSET: f64 = 1e-5;
/// Pieces of fewer samples have no shape to speak of: they are left as they are.
const SMALLEST_PIECE: u32 = 8;
/// Area of a smooth surface per face between samples that it crosses: 2/3 on average over directions.
const AREA_PER_FACE: f64 = 2.0 / 3.0;
/// Rounds of correction in a step.
const ROUNDS: usize = 3;

/// The pieces of a liquid.
pub(super) struct Pieces {
    components: Components,
    /// Piece of each sample of the liquid and of those around it; 0 elsewhere.
    owner: Field<u32>,
    /// Samples in each piece; entry 0 counts the others.
    sizes: Vec<u32>,
    /// Faces between samples in the liquid and outside of each piece.
    faces: Vec<u32>,
}

impl Pieces {
    /// Finds the pieces inside a level set.
    pub(super) fn find(shown: &Field<f32>) -> Self {
        let components = level_set::components(shown);
        let count = components.count as usize + 1;
        let topology = shown.topology();
        let axes = if topology.lattice().flat { 2 } else { 3 };
        let labels = &components.labels;
        let tiles: Vec<Vec<(u32, u32, u32)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut runs: Vec<(u32, u32, u32)> = Vec::new();
                for (local, &label) in labels.tile(slot).iter().enumerate() {
                    if label == 0 {
                        continue;
                    }
                    let deep = shown.tile(slot)[local] <= -2.0 * topology.lattice().cell_size;
                    let exposed = if deep {
                        0
                    } else {
                        let cell = topology.cell(slot, local);
                        let steps = glam::IVec3::AXES.into_iter().take(axes);
                        let around = steps.flat_map(|step| [cell - step, cell + step]);
                        around.filter(|&other| labels.get(other) == 0).count() as u32
                    };
                    match runs.last_mut() {
                        Some(run) if run.0 == label => {
                            run.1 += 1;
                            run.2 += exposed;
                        }
                        _ => runs.push((label, 1, exposed)),
                    }
                }
                runs
            })
            .collect();
        let (mut sizes, mut faces) = (vec![0; count], vec![0; count]);
        for (label, size, exposed) in tiles.into_iter().flatten() {
            sizes[label as usize] += size;
            faces[label as usize] += exposed;
        }
        Self {
            owner: components.spread(),
            components,
            sizes,
            faces,
        }
    }

    /// Whether a level set that was offset a little still has the same pieces.
    pub(super) fn same(&self, shown: &Field<f32>) -> bool {
        let now = level_set::components(shown);
        now.count == self.components.count
            && now
                .labels
                .values()
                .par_iter()
                .zip(self.owner.values())
                .all(|(&label, &owner)| label == 0 || label == owner)
    }

    /// Volumes of the pieces in cubic metres; entry 0 is empty.
    pub(super) fn volumes(&self, shown: &Field<f32>) -> Vec<f64> {
        let shares = fraction::cell_fractions(shown);
        let tiles: Vec<Vec<(u32, f64)>> = (0..shown.topology().tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut runs: Vec<(u32, f64)> = Vec::new();
                for (&share, &owner) in shares.tile(slot).iter().zip(self.owner.tile(slot)) {
                    if share > 0.0 {
                        match runs.last_mut() {
                            Some(run) if run.0 == owner => run.1 += f64::from(share),
                            _ => runs.push((owner, f64::from(share))),
                        }
                    }
                }
                runs
            })
            .collect();
        let mut volumes = vec![0.0; self.sizes.len()];
        let cell_volume = fine_cell_volume(shown);
        for (owner, share) in tiles.into_iter().flatten() {
            volumes[owner as usize] += share * cell_volume;
        }
        volumes
    }

    /// The volumes that the pieces should have, given those of the pieces a step before and the way back to them. Together
    /// they have the `whole` volume.
    pub(super) fn inherit(
        &self,
        before: &Self,
        volumes: &[f64],
        back: impl Fn(Vec3) -> Vec3 + Sync,
        current: &[f64],
        whole: f64,
    ) -> Vec<f64> {
        let mut wanted = current.to_vec();
        if before.components.count == 1 && self.components.count == 1 {
            wanted[1] = volumes[1];
        } else {
            let links = self.links(before, back);
            let mut descendants = vec![0u64; volumes.len()];
            for &(from, _, samples) in &links {
                descendants[from as usize] += samples;
            }
            let mut inherited = vec![0.0; wanted.len()];
            for &(from, to, samples) in &links {
                let share = samples as f64 / descendants[from as usize] as f64;
                inherited[to as usize] += share * volumes[from as usize];
            }
            for (piece, inherited) in inherited.into_iter().enumerate() {
                // What came from nowhere has what it has.
                if inherited > 0.0 && self.sizes[piece] >= SMALLEST_PIECE {
                    wanted[piece] = inherited;
                }
            }
        }
        wanted[0] = 0.0;
        share_out(&mut wanted, whole);
        wanted
    }

    /// How many samples of each piece came from each piece before: (from, to, samples), in order.
    fn links(&self, before: &Self, back: impl Fn(Vec3) -> Vec3 + Sync) -> Vec<(u32, u32, u64)> {
        let labels = &self.components.labels;
        let topology = labels.topology();
        let lattice = *topology.lattice();
        let mut links: Vec<(u32, u32, u64)> = (0..topology.tile_count())
            .into_par_iter()
            .flat_map_iter(|slot| {
                let mut runs: Vec<(u32, u32, u64)> = Vec::new();
                for (local, &to) in labels.tile(slot).iter().enumerate() {
                    if to == 0 {
                        continue;
                    }
                    let point = back(labels.position(topology.cell(slot, local)));
                    // The nearest node.
                    let from = before.owner.get(floor(lattice.to_cells(point) + 0.5));
                    if from == 0 {
                        continue;
                    }
                    match runs.last_mut() {
                        Some(run) if (run.0, run.1) == (from, to) => run.2 += 1,
                        _ => runs.push((from, to, 1)),
                    }
                }
                runs
            })
            .collect();
        links.sort_unstable();
        links.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 += next.2;
            }
            same
        });
        links
    }

    /// Offsets each piece until it has its volume, particles and all. The first round guesses from the area, later ones follow
    /// secants.
    pub(super) fn correct(
        &self,
        phi: &mut Field<f32>,
        particles: &mut SurfaceParticles,
        solids: &Field<f32>,
        wanted: &[f64],
        current: Vec<f64>,
    ) {
        let lattice = *phi.topology().lattice();
        let cell_size = f64::from(lattice.cell_size);
        let thickness = fine_cell_volume(phi) / cell_size.powi(3);
        let face_area = AREA_PER_FACE * thickness * cell_size * cell_size;
        let longest = LONGEST_OFFSET * cell_size;
        let mut volume = current;
        let mut offset = vec![0.0; wanted.len()];
        let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
        for round in 0..ROUNDS {
            let mut step = vec![0.0; wanted.len()];
            for piece in 1..wanted.len() {
                if self.sizes[piece] < SMALLEST_PIECE {
                    continue;
                }
                let guess = face_area * f64::from(self.faces[piece].max(1));
                let area = match &last {
                    Some((volumes, steps)) if steps[piece].abs() > 1e-6 * cell_size => {
                        (volume[piece] - volumes[piece]) / steps[piece]
                    }
                    _ => guess,
                };
                let lacking = wanted[piece] - volume[piece];
                let outward = offset[piece] + lacking / area.max(0.1 * guess);
                let allowed = outward.clamp(-longest, longest);
                step[piece] = allowed - offset[piece];
                offset[piece] = allowed;
            }
            phi.par_tiles_mut().for_each(|(slot, tile)| {
                for (value, &owner) in tile.iter_mut().zip(self.owner.tile(slot)) {
                    *value -= step[owner as usize] as f32;
                }
            });
            if round + 1 < ROUNDS {
                let now = self.volumes(&cut_off(phi, solids));
                last = Some((std::mem::replace(&mut volume, now), step));
            }
        }
        self.move_particles(phi, particles, &offset);
    }

    /// Moves particles with the surface, or they would take the correction back.
    fn move_particles(&self, phi: &Field<f32>, particles: &mut SurfaceParticles, offset: &[f64]) {
        let lattice = *phi.topology().lattice();
        let shortest = SHORTEST_OFFSET * f64::from(lattice.cell_size);
        if offset.iter().all(|offset| offset.abs() < shortest) {
            return;
        }
        particles.position.par_iter_mut().for_each(|position| {
            let normal = level_set::normal(phi, *position);
            let foot = *position - phi.sample(*position) * normal;
            let owner = self.owner.get(floor(lattice.to_cells(foot) + 0.5));
            *position += normal * offset[owner as usize] as f32;
        });
    }
}

/// Scales volumes so that they add up to the whole.
pub(super) fn share_out(volumes: &mut [f64], whole: f64) {
    let sum: f64 = volumes.iter().sum();
    if sum > 0.0 {
        for volume in volumes {
            *volume *= whole / sum;
        }
    }
}

/// Volume of a cell of the fine lattice; in flat scenes it is as thick as the slab.
pub(super) fn fine_cell_volume(phi: &Field<f32>) -> f64 {
    let lattice = phi.topology().lattice();
    lattice.cell_volume() * if lattice.flat { 2.0 } else { 1.0 }
}

/// Volume inside a level set on the fine lattice, in cubic metres.
pub(super) fn volume_of(shown: &Field<f32>) -> f64 {
    let thickness = fine_cell_volume(shown) / shown.topology().lattice().cell_volume();
    level_set::volume(shown) * thickness
}
