//! What following the surface takes from the path of a free piece of liquid, given back: as `turning`, for where it is.
//!
//! The grid rounds edges and corners, now more below and now more above as they pass through its planes, and the correction of
//! volume gives back to all of the surface what they lose. So the middle of a piece strays by some hundredths of a cell from
//! where its velocity takes it, and in very short steps it lags behind: under gravity, energy out of nothing. But the middle of an
//! incompressible liquid goes where its parts go on the mean, by the liquid's own velocities: those of the air beside it, which the
//! surface also sees, take it astray by some thousandths. A piece that touches nothing and has come to lie elsewhere is shifted as a
//! whole, which keeps its volume and its shape; pieces at walls cannot be shifted.

use glam::{DVec3, IVec3, Vec3};
use ooze_field::{Field, TILE_EDGE, fraction};
use rayon::prelude::*;

use super::volume::Pieces;

/// Longest shift in a step, in fine cells: what is further away has not strayed, but lost or met something.
const LONGEST_SHIFT: f64 = 0.25;
/// Fine cells around the surface in which a level set is shifted; beyond, its distances are found anew from there.
const BAND: f32 = 2.0;

/// Where the middles of pieces are, by label; nowhere of pieces that are not free.
pub(super) type Middles = Vec<Option<DVec3>>;

impl Pieces {
    /// Where the middle of the liquid of each piece gets to if all of it goes the `way` that it has from a point; entry 0 is
    /// nobody's.
    ///
    /// The way is asked for once for each two fine cells along every axis, from the middle of the liquid in them.
    pub(super) fn middles(&self, shown: &Field<f32>, way: impl Fn(Vec3) -> Vec3 + Sync) -> Middles {
        let (shares, middles) = fraction::cell_fractions_and_middles(shown);
        let topology = shown.topology();
        let lattice = *topology.lattice();
        let tiles: Vec<Vec<Part>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let (shares, middles) = (shares.tile(slot), middles.tile(slot));
                let owners = self.owners().tile(slot);
                let (mut whole, mut parts): (Vec<Part>, Vec<Part>) = Default::default();
                for block in blocks(lattice.flat) {
                    for local in block.filter(|&local| shares[local] > 0.0) {
                        let centre = lattice.centre(topology.cell(slot, local));
                        let point = centre + lattice.cell_size * Vec3::from(middles[local]);
                        let share = f64::from(shares[local]);
                        add(&mut parts, (owners[local], share, share * point.as_dvec3()));
                    }
                    for (owner, share, sum) in parts.drain(..) {
                        let way = way((sum / share).as_vec3()).as_dvec3();
                        add(&mut whole, (owner, share, sum + share * way));
                    }
                }
                whole
            })
            .collect();
        let mut sums = vec![(0.0, DVec3::ZERO); self.count() + 1];
        for (owner, share, part) in tiles.into_iter().flatten() {
            let sum = &mut sums[owner as usize];
            *sum = (sum.0 + share, sum.1 + part);
        }
        let pieces = sums.into_iter().enumerate();
        pieces
            .map(|(piece, (share, sum))| (piece > 0 && share > 0.0).then(|| sum / share))
            .collect()
    }

    /// Shifts the pieces that have strayed to where their middles should be, and tells by how much, unless it is none of them.
    pub(super) fn put_back(
        &self,
        phi: &mut Field<f32>,
        shown: &Field<f32>,
        middles: &Middles,
    ) -> Vec<Vec3> {
        if middles.iter().all(Option::is_none) {
            return Vec::new();
        }
        let source = phi.clone();
        let lattice = *source.topology().lattice();
        let longest = LONGEST_SHIFT * f64::from(lattice.cell_size);
        let found = self.middles(shown, |_| Vec3::ZERO).into_iter();
        let shift = |(found, wanted): (Option<DVec3>, &Option<DVec3>)| {
            let shift = (*wanted)? - found?;
            (shift.length() < longest).then(|| shift.as_vec3())
        };
        let pieces = found.zip(middles);
        let shifts: Vec<Vec3> = pieces
            .map(|piece| shift(piece).unwrap_or_default())
            .collect();
        let band = BAND * lattice.cell_size;
        phi.par_tiles_mut().for_each(|(slot, tile)| {
            let owners = self.owners().tile(slot);
            for (local, (value, &owner)) in tile.iter_mut().zip(owners).enumerate() {
                let shift = shifts[owner as usize];
                if value.abs() < band && shift != Vec3::ZERO {
                    let node = source.topology().cell(slot, local);
                    *value -= shift.dot(slope(&source, node));
                }
            }
        });
        shifts
    }
}

/// Some of the liquid of a piece: its label, how many fine cells it fills, and the sum of their places.
type Part = (u32, f64, DVec3);

/// Adds to the last of some parts, or as another if that is of another piece.
fn add(parts: &mut Vec<Part>, (piece, share, sum): Part) {
    match parts.last_mut() {
        Some(last) if last.0 == piece => {
            last.1 += share;
            last.2 += sum;
        }
        _ => parts.push((piece, share, sum)),
    }
}

/// The cells of a tile, by their places in it, two along every axis at a time.
fn blocks(flat: bool) -> impl Iterator<Item = impl Iterator<Item = usize>> {
    const EDGE: usize = TILE_EDGE as usize;
    let (half, layers) = (EDGE / 2, if flat { 1 } else { EDGE / 2 });
    (0..half * half * layers).map(move |block| {
        let lowest = [block % half, block / half % half, block / (half * half)];
        (0..if flat { 4 } else { 8 }).map(move |corner: usize| {
            let [x, y, z] = std::array::from_fn(|axis| 2 * lowest[axis] + (corner >> axis & 1));
            (z * EDGE + y) * EDGE + x
        })
    })
}

/// The gradient of a level set at one of its nodes.
fn slope(phi: &Field<f32>, node: IVec3) -> Vec3 {
    let cell_size = phi.topology().lattice().cell_size;
    let slope = |step: IVec3| (phi.get(node + step) - phi.get(node - step)) / (2.0 * cell_size);
    Vec3::from_array(IVec3::AXES.map(slope))
}
