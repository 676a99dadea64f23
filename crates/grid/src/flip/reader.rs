//! Reading face fields at many points near one tile: the tile and its surroundings are copied once, then each read is
//! plain arithmetic.

use glam::{UVec3, Vec3};
use ooze_field::{Block, FieldByAxis, Topology, sample_faces};

/// Cells around the tile that reads may touch without falling back to the field itself.
const RIM: i32 = 3;

/// Interpolates a vector field on faces near one tile.
pub(crate) struct FaceReader<'a> {
    fields: &'a FieldByAxis<f32>,
    axes: usize,
    blocks: [Block<f32>; 3],
    cell_size: f32,
    cells_per_metre: f32,
    /// Lower corner of the tile.
    origin: Vec3,
}

impl<'a> FaceReader<'a> {
    /// A reader that has no tile yet.
    pub(crate) fn new(fields: &'a FieldByAxis<f32>) -> Self {
        let topology: &Topology = fields[0].topology();
        let lattice = topology.lattice();
        Self {
            fields,
            axes: lattice.axes(),
            blocks: std::array::from_fn(|_| Block::new(topology, RIM, 0.0)),
            cell_size: lattice.cell_size,
            cells_per_metre: 1.0 / lattice.cell_size,
            origin: Vec3::ZERO,
        }
    }

    /// Moves on to the tile in `slot`.
    pub(crate) fn enter(&mut self, slot: usize) {
        let topology = self.fields[0].topology();
        let lower = topology.tile_lower(slot).as_vec3();
        self.origin = topology.lattice().to_world(lower);
        for axis in 0..self.axes {
            self.blocks[axis].load(&self.fields[axis], slot);
        }
    }

    /// The vector at a point; the z component of flat fields is zero.
    #[inline]
    pub(crate) fn sample(&self, point: Vec3) -> Vec3 {
        let Some(place) = self.locate(point) else {
            let mut vector = sample_faces(self.fields, point);
            if self.axes == 2 {
                vector.z = 0.0;
            }
            return vector;
        };
        let mut vector = Vec3::ZERO;
        for axis in 0..self.axes {
            let (corners, fraction) = self.corners(axis, &place);
            vector[axis] = trilinear(&corners, fraction);
        }
        vector
    }

    /// The vector at a point and the gradients of its components.
    #[inline]
    pub(crate) fn sample_with_gradient(&self, point: Vec3) -> (Vec3, [Vec3; 3]) {
        let place = self.locate(point);
        let mut vector = Vec3::ZERO;
        let mut gradients = [Vec3::ZERO; 3];
        for axis in 0..self.axes {
            if let Some(place) = &place {
                let (corners, fraction) = self.corners(axis, place);
                vector[axis] = trilinear(&corners, fraction);
                gradients[axis] = slopes(&corners, fraction) / self.cell_size;
            } else {
                vector[axis] = self.fields[axis].sample(point);
                gradients[axis] = self.fields[axis].sample_gradient(point);
            }
            if self.axes == 2 {
                gradients[axis].z = 0.0;
            }
        }
        (vector, gradients)
    }

    /// Where a point is among the copied cells; none if it is not among them.
    #[inline]
    fn locate(&self, point: Vec3) -> Option<Located> {
        let mut local = (point - self.origin) * self.cells_per_metre;
        if self.axes == 2 {
            local.z = 0.0;
        }
        let reach = (RIM - 1) as f32;
        let inside = local.cmpge(Vec3::splat(-reach)) & local.cmplt(Vec3::splat(8.0 + reach));
        // Coordinates from the block's lowest cell on are positive: cutting off the fraction rounds down.
        let shifted = local + RIM as f32;
        inside.all().then(|| Located {
            whole: split(shifted),
            half: split(shifted - 0.5),
        })
    }

    /// The eight values of a component around a point, and how far the point is between them.
    #[inline]
    fn corners(&self, axis: usize, place: &Located) -> ([f32; 8], Vec3) {
        let (mut first, mut fraction) = place.half;
        first[axis] = place.whole.0[axis];
        fraction[axis] = place.whole.1[axis];
        let block = &self.blocks[axis];
        let [_, stride_y, stride_z] = block.strides();
        let start = first.x as usize + first.y as usize * stride_y + first.z as usize * stride_z;
        // One bounds check for all eight.
        let values = &block.values()[start..start + stride_z + stride_y + 2];
        let corners = [
            values[0],
            values[1],
            values[stride_y],
            values[stride_y + 1],
            values[stride_z],
            values[stride_z + 1],
            values[stride_z + stride_y],
            values[stride_z + stride_y + 1],
        ];
        (corners, fraction)
    }
}

/// A point among the cells of a block: lowest lattice points and fractions, for lattices through the cells' corners and
/// through their centres.
struct Located {
    whole: (UVec3, Vec3),
    half: (UVec3, Vec3),
}

#[inline]
fn split(place: Vec3) -> (UVec3, Vec3) {
    let first = place.as_uvec3();
    (first, place - first.as_vec3())
}

#[inline]
fn mix(a: f32, b: f32, share: f32) -> f32 {
    a + (b - a) * share
}

#[inline]
fn trilinear(c: &[f32; 8], f: Vec3) -> f32 {
    let lower = mix(mix(c[0], c[1], f.x), mix(c[2], c[3], f.x), f.y);
    let upper = mix(mix(c[4], c[5], f.x), mix(c[6], c[7], f.x), f.y);
    mix(lower, upper, f.z)
}

#[inline]
fn slopes(c: &[f32; 8], f: Vec3) -> Vec3 {
    let bilinear =
        |a: f32, b: f32, c: f32, d: f32, s: f32, t: f32| mix(mix(a, b, s), mix(c, d, s), t);
    Vec3::new(
        bilinear(c[1] - c[0], c[3] - c[2], c[5] - c[4], c[7] - c[6], f.y, f.z),
        bilinear(c[2] - c[0], c[3] - c[1], c[6] - c[4], c[7] - c[5], f.x, f.z),
        bilinear(c[4] - c[0], c[5] - c[1], c[6] - c[2], c[7] - c[3], f.x, f.y),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_core::random::uniform;
    use ooze_field::{Field, Lattice, Place, TopologyBuilder};

    use super::*;

    #[test]
    fn reads_equal_the_fields_own() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::new(0.3, -0.2, 0.0), 0.25, IVec3::splat(24), flat);
            let builder = TopologyBuilder::new(lattice);
            builder.mark(IVec3::new(10, 10, 10), 5);
            let topology = Arc::new(builder.build());
            let fields: FieldByAxis<f32> = std::array::from_fn(|axis| {
                Field::from_cells(&topology, Place::Face(axis), 0.0, |cell| {
                    let key = cell.dot(IVec3::new(1, 1000, 1_000_000)) as u64;
                    if flat && axis == 2 {
                        0.0
                    } else {
                        uniform(axis as u64, key)
                    }
                })
            });
            let mut reader = FaceReader::new(&fields);
            for slot in 0..topology.tile_count() {
                reader.enter(slot);
                for index in 0..200 {
                    // Points up to five cells outside the tile: some need the field itself.
                    let pick = |axis| 18.0 * uniform(axis, index) - 5.0;
                    let cells =
                        topology.tile_lower(slot).as_vec3() + Vec3::new(pick(0), pick(1), pick(2));
                    let point = lattice.to_world(cells);
                    let expected = sample_faces(&fields, point);
                    assert!(reader.sample(point).abs_diff_eq(expected, 1e-5), "{point}");
                    let (vector, gradients) = reader.sample_with_gradient(point);
                    assert!(vector.abs_diff_eq(expected, 1e-5));
                    let axes = lattice.axes();
                    for axis in 0..axes {
                        let mut expected = fields[axis].sample_gradient(point);
                        if flat {
                            expected.z = 0.0;
                        }
                        assert!(gradients[axis].abs_diff_eq(expected, 1e-3));
                    }
                }
            }
        }
    }
}
