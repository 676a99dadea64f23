//! Volume correction: each connected piece of the liquid is moved in or out a little until it has the volume that it should.
//!
//! What a piece should have follows it from step to step: a piece that splits hands its volume down in proportion to where its
//! parts came from, pieces that meet add theirs (after Kim et al. 2007, who correct with a divergence instead). What belonged
//! to droplets too small for the grid is shared out over the rest.

use glam::Vec3;
use ooze_field::level_set::{self, Components, SurfaceParticles};
use ooze_field::{Field, FieldReader, floor, fraction};
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
/// Most rounds of correction in a step; calm steps need one or two.
const ROUNDS: usize = 8;
/// Share of a piece's volume that may be missing.
const CLOSE_ENOUGH: f64 = 1e-4;

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
        let axes = topology.lattice().axes();
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

    /// Number of pieces.
    pub(super) fn count(&self) -> usize {
        self.components.count as usize
    }

    /// Samples in a piece.
    pub(super) fn size(&self, piece: usize) -> u32 {
        self.sizes[piece]
    }

    /// The piece that each node of the fine lattice belongs to or is next to; 0 for none.
    pub(super) fn owners(&self) -> &Field<u32> {
        &self.owner
    }

    /// The same of one node.
    #[inline]
    pub(super) fn owner(&self, node: glam::IVec3) -> usize {
        self.owner.get(node) as usize
    }

    /// The volumes that the pieces should have, given those of the pieces a step before and the [`Pieces::links`] to them.
    /// Together they have the `whole` volume.
    pub(super) fn inherit(
        &self,
        links: &[(u32, u32, u64)],
        volumes: &[f64],
        current: &[f64],
        whole: f64,
    ) -> Vec<f64> {
        let mut wanted = current.to_vec();
        let mut descendants = vec![0u64; volumes.len()];
        for &(from, _, samples) in links {
            descendants[from as usize] += samples;
        }
        let mut inherited = vec![0.0; wanted.len()];
        for &(from, to, samples) in links {
            let share = samples as f64 / descendants[from as usize] as f64;
            inherited[to as usize] += share * volumes[from as usize];
        }
        for (piece, inherited) in inherited.into_iter().enumerate() {
            // What came from nowhere has what it has.
            if inherited > 0.0 && self.sizes[piece] >= SMALLEST_PIECE {
                wanted[piece] = inherited;
            }
        }
        wanted[0] = 0.0;
        share_out(&mut wanted, whole);
        wanted
    }

    /// What pieces hand down that have one heir each, who has no other forebear; by piece. Nothing of nothing.
    pub(super) fn hand_down<T: Copy>(
        &self,
        links: &[(u32, u32, u64)],
        before: &[Option<T>],
    ) -> Vec<Option<T>> {
        if before.is_empty() {
            return Vec::new();
        }
        let mut heirs = vec![0u32; before.len()];
        let mut forebears = vec![0u32; self.sizes.len()];
        for &(from, to, _) in links {
            heirs[from as usize] += 1;
            forebears[to as usize] += 1;
        }
        let mut handed = vec![None; self.sizes.len()];
        for &(from, to, _) in links {
            if heirs[from as usize] == 1 && forebears[to as usize] == 1 {
                handed[to as usize] = before[from as usize];
            }
        }
        handed
    }

    /// How many samples of each piece came from each piece before, given the way back: (from, to, samples), in order.
    pub(super) fn links(
        &self,
        before: &Self,
        back: impl Fn(Vec3) -> Vec3 + Sync,
    ) -> Vec<(u32, u32, u64)> {
        if before.components.count == 1 && self.components.count == 1 {
            return vec![(1, 1, u64::from(self.sizes[1]))];
        }
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

    /// Offsets each piece until it has its volume, and tells by how much. The first round guesses from the area, later ones follow
    /// secants between the offsets that were too small and too large.
    pub(super) fn correct(
        &self,
        phi: &mut Field<f32>,
        solids: &Field<f32>,
        wanted: &[f64],
        mut volumes: Vec<f64>,
    ) -> Vec<f64> {
        let lattice = *phi.topology().lattice();
        let cell_size = f64::from(lattice.cell_size);
        let thickness = fine_cell_volume(phi) / cell_size.powi(3);
        let face_area = AREA_PER_FACE * thickness * cell_size * cell_size;
        let area = |piece: usize| face_area * f64::from(self.faces[piece].max(1));
        let longest = LONGEST_OFFSET * cell_size;
        let mut searches: Vec<Search> = (0..wanted.len())
            .map(|piece| Search::new(wanted[piece], area(piece), longest))
            .collect();
        let mut offset = vec![0.0; wanted.len()];
        for _ in 0..ROUNDS {
            let mut step = vec![0.0; wanted.len()];
            for piece in 1..wanted.len() {
                if self.sizes[piece] >= SMALLEST_PIECE {
                    let next = searches[piece].next(offset[piece], volumes[piece]);
                    step[piece] = next - offset[piece];
                    offset[piece] = next;
                }
            }
            if step.iter().all(|&step| step == 0.0) {
                break;
            }
            phi.par_tiles_mut().for_each(|(slot, tile)| {
                for (value, &owner) in tile.iter_mut().zip(self.owner.tile(slot)) {
                    *value -= step[owner as usize] as f32;
                }
            });
            volumes = self.volumes(&cut_off(phi, solids));
        }
        offset
    }

    /// Moves particles with the surface, or they would take corrections back: by the offset of each piece, and by its shift if there
    /// are any.
    pub(super) fn move_particles(
        &self,
        phi: &Field<f32>,
        particles: &mut SurfaceParticles,
        offset: &[f64],
        shifts: &[Vec3],
    ) {
        let lattice = *phi.topology().lattice();
        let shortest = SHORTEST_OFFSET * f64::from(lattice.cell_size);
        if shifts.is_empty() && offset.iter().all(|offset| offset.abs() < shortest) {
            return;
        }
        let reader = FieldReader::of(phi);
        particles.position.par_iter_mut().for_each(|position| {
            let (distance, gradient) = reader.sample_with_gradient(*position);
            let normal = gradient.normalize_or_zero();
            let foot = *position - distance * normal;
            let owner = self.owner.get(floor(lattice.to_cells(foot) + 0.5));
            let shift = shifts.get(owner as usize).copied().unwrap_or_default();
            *position += normal * offset[owner as usize] as f32 + shift;
        });
    }
}

/// The search for the offset at which one piece has its volume, which grows with the offset.
struct Search {
    wanted: f64,
    /// Growth of the volume with the offset, as far as it is known.
    area: f64,
    least_area: f64,
    /// The nearest offsets and volumes that were tried below and above.
    below: Option<(f64, f64)>,
    above: Option<(f64, f64)>,
    longest: f64,
}

impl Search {
    fn new(wanted: f64, area: f64, longest: f64) -> Self {
        Self {
            wanted,
            area,
            least_area: 0.1 * area,
            below: None,
            above: None,
            longest,
        }
    }

    /// The offset to try after one has given a volume; the same if that is good enough.
    fn next(&mut self, offset: f64, volume: f64) -> f64 {
        let lacking = self.wanted - volume;
        if lacking.abs() <= CLOSE_ENOUGH * self.wanted {
            return offset;
        }
        let bound = if lacking > 0.0 {
            &mut self.below
        } else {
            &mut self.above
        };
        *bound = Some((offset, volume));
        let next = match (self.below, self.above) {
            (Some((low, small)), Some((high, large))) => {
                // A secant that stays away from the ends, where the volume jumps.
                let share = (self.wanted - small) / (large - small);
                low + (high - low) * share.clamp(0.1, 0.9)
            }
            _ => {
                // Where the guess was too timid, the next one is bolder.
                let outward = offset + lacking / self.area;
                self.area = (0.5 * self.area).max(self.least_area);
                outward
            }
        };
        next.clamp(-self.longest, self.longest)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_the_offset_of_a_volume() {
        // A ball of radius 1, offset until it is as large as one of 1.1 or 0.8; and one against a wall whose volume jumps.
        let ball = |offset: f64| (1.0_f64 + offset).powi(3);
        let jump = |offset: f64| ball(offset) + if offset > 0.05 { 0.2 } else { 0.0 };
        let volumes: [&dyn Fn(f64) -> f64; 2] = [&ball, &jump];
        for (which, volume) in volumes.into_iter().enumerate() {
            for wanted in [1.331, 0.512, 1.0 + 1e-5] {
                let mut search = Search::new(wanted, 3.0, 0.5);
                let mut offset = 0.0;
                for _ in 0..ROUNDS {
                    offset = search.next(offset, volume(offset));
                }
                // The jump leaves out the volume of 1.331; the search ends beside it.
                let tolerance = if which == 1 && wanted > 1.3 {
                    0.2
                } else {
                    2e-4
                };
                let error = (volume(offset) / wanted - 1.0).abs();
                assert!(error < tolerance, "{which} {wanted}: {error}");
            }
        }
    }
}
