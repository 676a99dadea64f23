//! Velocities of cells that have just been filled, from the markers that came (Carlson 2004, sec. 3.2.3.3).

use glam::{IVec3, Vec3};
use ooze_core::ParticleSet;
use ooze_field::{Field, FieldByAxis};
use rayon::prelude::*;

use super::cells::{Cells, Role};
use crate::flip::order::CellOrder;

/// Cells around a face among whose markers the nearest is found: a newly filled cell has one of its own nearer than they end.
const REACH: i32 = 2;

/// Sets the velocities of faces that bordered on no liquid before and do now. Faces that newly filled cells share with cells that
/// were liquid before are known.
pub(super) fn refill(
    cells: &Cells<'_>,
    order: &CellOrder,
    markers: &ParticleSet,
    wet_before: &Field<f32>,
    velocity: &mut FieldByAxis<f32>,
) {
    let was_wet = |cell: IVec3| wet_before.get(cell) != 0.0;
    for (axis, velocity) in velocity.iter_mut().enumerate().take(cells.axes()) {
        let step = IVec3::AXES[axis];
        let open = |role: &Role| role.is_open();
        let set: Vec<(IVec3, f32)> = cells
            .listed(cells.role[axis].values(), open)
            .into_par_iter()
            .filter(|&face| !was_wet(face) && !was_wet(face - step))
            .filter_map(|face| {
                let point = cells.point(axis, face);
                let around = Around { order, markers };
                let velocity = around.mean(axis, face, point);
                let velocity = velocity.or_else(|| around.nearest(axis, face, point))?;
                Some((face, velocity))
            })
            .collect();
        for (face, value) in set {
            velocity.set(face, value);
        }
    }
}

/// Markers around a face.
struct Around<'a> {
    order: &'a CellOrder,
    markers: &'a ParticleSet,
}

impl Around<'_> {
    fn of(&self, cell: IVec3) -> std::ops::Range<usize> {
        let index = self.order.topology.index(cell);
        index.map_or(0..0, |index| self.order.cell_particles(index))
    }

    /// The mean velocity of the markers in a cube of a cell's size around the face.
    fn mean(&self, axis: usize, face: IVec3, point: Vec3) -> Option<f32> {
        let half = 0.5 * self.order.topology.lattice().cell_size;
        let (mut sum, mut count) = (0.0, 0);
        for marker in [face - IVec3::AXES[axis], face]
            .into_iter()
            .flat_map(|cell| self.of(cell))
        {
            if (self.markers.position[marker][axis] - point[axis]).abs() <= half {
                sum += self.markers.velocity[marker][axis];
                count += 1;
            }
        }
        (count > 0).then(|| sum / count as f32)
    }

    /// The velocity of the nearest marker.
    fn nearest(&self, axis: usize, face: IVec3, point: Vec3) -> Option<f32> {
        let depth = match self.order.topology.lattice().flat {
            true => 0,
            false => REACH,
        };
        let mut nearest: Option<(f32, usize)> = None;
        for z in -depth..=depth {
            for y in -REACH..=REACH {
                for x in -REACH..=REACH {
                    for marker in self.of(face + IVec3::new(x, y, z)) {
                        let distance = self.markers.position[marker].distance_squared(point);
                        if nearest.is_none_or(|(least, _)| distance < least) {
                            nearest = Some((distance, marker));
                        }
                    }
                }
            }
        }
        nearest.map(|(_, marker)| self.markers.velocity[marker][axis])
    }
}
