//! Samples of a function on sparse tiles, with a level at which a surface is wanted: what all extractors read.

use glam::{DVec3, IVec3, Vec3};
use ooze_field::{Field, mask::TileBits};

use crate::tiles::Tiles;

/// Vertices keep this share of an edge's length from its ends, so that no triangle collapses where a sample lies on the
/// surface.
const EDGE_MARGIN: f64 = 1e-3;

/// Sampled function values; negative (below the level) is inside the liquid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples<'a> {
    /// Where there are samples.
    pub(crate) tiles: &'a Tiles,
    /// The values, tile by tile.
    pub(crate) values: &'a [f32],
    /// Position of sample (0, 0, 0).
    pub(crate) origin: Vec3,
    /// Distance of samples in metres.
    pub(crate) cell_size: f32,
    /// The level of the surface.
    pub(crate) level: f32,
    /// Value of samples where there are no tiles: outside.
    pub(crate) beyond: f32,
}

impl<'a> Samples<'a> {
    /// The samples of a field that lives on `tiles`.
    pub(crate) fn of(field: &'a Field<f32>, tiles: &'a Tiles, level: f32) -> Self {
        let lattice = field.topology().lattice();
        let outside = field.outside();
        Self {
            tiles,
            values: field.values(),
            origin: field.position(IVec3::ZERO),
            cell_size: lattice.cell_size,
            level,
            // Liquid ends where the tiles do; NaN counts as outside too.
            beyond: if outside >= level {
                outside
            } else {
                level + lattice.cell_size
            },
        }
    }

    /// Values of a tile.
    #[inline]
    pub(crate) fn tile(&self, slot: usize) -> &'a [f32] {
        let count = self.tiles.tile_samples();
        &self.values[slot * count..(slot + 1) * count]
    }

    /// The value at `local`, counted from the lowest sample of the tile in `slot` (from -8 to 15).
    #[inline]
    pub(crate) fn value(&self, slot: usize, local: IVec3) -> f32 {
        match self.tiles.find(slot, local) {
            Some((slot, sample)) => self.tile(slot)[sample],
            None => self.beyond,
        }
    }

    /// Whether a value is inside. NaN is not.
    #[inline]
    pub(crate) fn inside(&self, value: f32) -> bool {
        value < self.level
    }

    /// The samples of a tile that are inside: bit `8 y + x` of word z.
    pub(crate) fn inside_bits(&self, slot: usize) -> TileBits {
        let mut bits = TileBits::default();
        for (word, layer) in bits.iter_mut().zip(self.tile(slot).chunks_exact(64)) {
            for (bit, &value) in layer.iter().enumerate() {
                *word |= u64::from(self.inside(value)) << bit;
            }
        }
        bits
    }

    /// Where between two neighbouring samples, as a share of the way from the first, the function crosses the level.
    #[inline]
    pub(crate) fn crossing(&self, from: f32, to: f32) -> f64 {
        crossing(
            f64::from(from) - f64::from(self.level),
            f64::from(to) - f64::from(self.level),
        )
    }

    /// Position of a point given in units of samples. In double precision, so that it does not move with the place on
    /// the lattice.
    #[inline]
    pub(crate) fn position(&self, point: DVec3) -> Vec3 {
        (self.origin.as_dvec3() + point * f64::from(self.cell_size)).as_vec3()
    }
}

/// The zero between two values of different sign, as a share of the way from the first. Infinite values and NaN pull it
/// to the middle or to an end, never out of the interval.
#[inline]
pub(crate) fn crossing(from: f64, to: f64) -> f64 {
    let share = from / (from - to);
    if share.is_nan() {
        0.5
    } else {
        share.clamp(EDGE_MARGIN, 1.0 - EDGE_MARGIN)
    }
}
