//! Cubic interpolation (Catmull & Rom 1974) along each axis, limited to the values around the point.

use glam::{IVec3, Vec3};

use crate::field::split;
use crate::{Field, FieldByAxis};

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
                let row = self.row(base + IVec3::new(-1, y as i32 - 1, z as i32 - 1));
                let value: f32 = row
                    .iter()
                    .zip(along_x)
                    .map(|(value, weight)| value * weight)
                    .sum();
                layer += weight * value;
                if (1..3).contains(&y) && (1..3).contains(&z) {
                    lowest = lowest.min(row[1]).min(row[2]);
                    highest = highest.max(row[1]).max(row[2]);
                }
            }
            sum += layer_weights[z] * layer;
        }
        sum.max(lowest).min(highest)
    }

    /// The values of four cells from `first` upward along x.
    #[inline]
    fn row(&self, first: IVec3) -> [f32; 4] {
        if first.x & 7 <= 4 {
            // All in one tile.
            match self.topology().index(first) {
                Some(index) => {
                    let values = &self.values()[index..index + 4];
                    [values[0], values[1], values[2], values[3]]
                }
                None => [self.outside(); 4],
            }
        } else {
            std::array::from_fn(|step| self.get(first + IVec3::new(step as i32, 0, 0)))
        }
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
