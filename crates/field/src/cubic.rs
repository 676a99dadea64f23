//! Cubic interpolation (Catmull & Rom 1974) along each axis, limited to the values around the point.

use glam::{IVec3, Vec3};

use crate::field::split;
use crate::{Field, FieldByAxis, NO_TILE};

/// Weights of the four samples around a point at `t` between the two middle ones.
#[inline]
fn weights(t: f32) -> [f32; 4] {
    let square = t * t;
    let cube = square * t;
    [
        0.5 * (2.0 * square - cube - t),
        0.5 * (3.0 * cube - 5.0 * square + 2.0),
        0.5 * (4.0 * square - 3.0 * cube + t),
        0.5 * (cube - square),
    ]
}

impl Field<f32> {
    /// Cubic interpolation at a point: third order where the field is smooth, without new extrema, since the result stays
    /// between the smallest and the largest of the 2×2×2 samples around the point.
    pub fn sample_cubic(&self, point: Vec3) -> f32 {
        let lattice = self.topology().lattice();
        let (base, fraction) = split(lattice.to_cells(point) - self.place().offset());
        let [along_x, along_y, along_z] = fraction.to_array().map(weights);
        let stencil = Stencil::new(self, base - 1);
        let mut sum = 0.0;
        let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
        // A flat lattice has one layer.
        let (layers, layer_weights) = if lattice.flat {
            (1..2, [0.0, 1.0, 0.0, 0.0])
        } else {
            (0..4, along_z)
        };
        for z in layers {
            let mut layer = 0.0;
            for (y, weight) in along_y.into_iter().enumerate() {
                let row = stencil.row(y, z);
                let products: [f32; 4] = std::array::from_fn(|x| row[x] * along_x[x]);
                layer += weight * ((products[0] + products[1]) + (products[2] + products[3]));
                if (1..3).contains(&y) && (1..3).contains(&z) {
                    lowest = lowest.min(row[1]).min(row[2]);
                    highest = highest.max(row[1]).max(row[2]);
                }
            }
            sum += layer_weights[z] * layer;
        }
        sum.max(lowest).min(highest)
    }
}

/// The 4×4×4 values from a cell upward.
struct Stencil<'a> {
    field: &'a Field<f32>,
    first: IVec3,
    /// The tiles around that of the first cell, if it exists.
    around: Option<&'a [u32; 27]>,
}

impl<'a> Stencil<'a> {
    #[inline]
    fn new(field: &'a Field<f32>, first: IVec3) -> Self {
        let topology = field.topology();
        let around = match topology.slot_of(first) {
            NO_TILE => None,
            slot => Some(topology.neighbours(slot as usize)),
        };
        Self {
            field,
            first,
            around,
        }
    }

    /// Four values along x.
    #[inline]
    fn row(&self, y: usize, z: usize) -> [f32; 4] {
        let Some(around) = self.around else {
            return std::array::from_fn(|x| {
                self.field
                    .get(self.first + IVec3::new(x as i32, y as i32, z as i32))
            });
        };
        let place = (self.first & 7) + IVec3::new(0, y as i32, z as i32);
        let beyond: IVec3 = place >> 3_i32;
        let entry = (13 + 3 * beyond.y + 9 * beyond.z) as usize;
        let local = self.field.topology().local_of(place.with_x(0));
        let start = place.x as usize;
        let below = self.tile_row(around[entry], local);
        if start <= 4 {
            return std::array::from_fn(|x| below[start + x]);
        }
        let above = self.tile_row(around[entry + 1], local);
        std::array::from_fn(|x| {
            let index = start + x;
            if index < 8 {
                below[index]
            } else {
                above[index - 8]
            }
        })
    }

    /// The eight values of a tile along x from `local` on.
    #[inline]
    fn tile_row(&self, slot: u32, local: usize) -> [f32; 8] {
        if slot == NO_TILE {
            return [self.field.outside(); 8];
        }
        let row = &self.field.tile(slot as usize)[local..local + 8];
        std::array::from_fn(|x| row[x])
    }
}

/// The vector whose components live on the faces, interpolated at a point with [`Field::sample_cubic`].
pub fn sample_faces_cubic(faces: &FieldByAxis<f32>, point: Vec3) -> Vec3 {
    Vec3::new(
        faces[0].sample_cubic(point),
        faces[1].sample_cubic(point),
        faces[2].sample_cubic(point),
    )
}
