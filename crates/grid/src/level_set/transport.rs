//! Velocities carried by themselves: semi-Lagrangian with the midpoint rule (Goktekin 2011, alg. 2) and MacCormack's correction
//! (Selle et al. 2008).

use glam::Vec3;
use ooze_field::level_set::trace_back;
use ooze_field::{Field, FieldByAxis, Flow, Place, face_fields};
use rayon::prelude::*;

use super::VelocityAdvection;
use super::lattices::{Cells, face_node};
use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;

/// Cells beyond what a step can cross that the first pass of MacCormack's scheme is needed in.
const SPARE_CELLS: f32 = 2.0;
/// Distance from walls in cells within which MacCormack's correction is left out.
const BESIDE_WALLS: f32 = 1.5;

/// The velocities `old` after they have carried themselves for `dt` seconds, on the faces of the liquid: those of its cells,
/// and those whose centres are in it. The latter are all that a drop or sheet thinner than a cell has.
pub(super) fn advect_velocity(
    old: &FieldByAxis<f32>,
    cells: &Cells,
    phi: &Field<f32>,
    boundary: &Boundary,
    dt: f32,
    scheme: VelocityAdvection,
    cfl: f32,
) -> FaceVelocity {
    let topology = &cells.topology;
    let flow = Flow::new(old);
    let flow = |point: Vec3| flow.at(point);
    let axes = topology.lattice().axes();
    let near = match scheme {
        VelocityAdvection::SemiLagrangian => 0.0,
        VelocityAdvection::MacCormack => (cfl + SPARE_CELLS) * topology.lattice().cell_size,
    };
    let mut grid = FaceVelocity {
        velocity: face_fields(topology, 0.0),
        known: face_fields(topology, 0u8),
    };
    for axis in 0..axes {
        let place = Place::Face(axis);
        let step = glam::IVec3::AXES[axis];
        let mut known = Field::new(topology, place, 0u8);
        let mut carried = Field::new(topology, place, 0.0f32);
        carried.par_tiles_mut().zip(known.par_tiles_mut()).for_each(
            |((slot, tile), (_, known))| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let cell = topology.cell(slot, local);
                    let touches = cells.liquid.get(cell).min(cells.liquid.get(cell - step)) < 0.0
                        || phi.get(face_node(axis, cell)) < 0.0;
                    let open = boundary.open[axis].tile(slot)[local] > 0.0;
                    known[local] = u8::from(touches && open);
                    if touches || cells.far.tile(slot)[local] < near {
                        let point = old[axis].position(cell);
                        *value = old[axis].sample(trace_back(&flow, point, dt));
                    }
                }
            },
        );
        if scheme == VelocityAdvection::MacCormack {
            carried = corrected(&carried, &known, &old[axis], boundary, &flow, dt);
        }
        grid.velocity[axis] = carried;
        grid.known[axis] = known;
    }
    grid
}

/// Takes off half of what a carried field loses on the way there and back, as far as the values around the place that they came
/// from allow. Beside walls the first order stays: faces that are partly shut can be fast without much flowing through them, and
/// what they lose would be given back to them in every step.
pub(super) fn corrected(
    forward: &Field<f32>,
    known: &Field<u8>,
    old: &Field<f32>,
    boundary: &Boundary,
    flow: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
) -> Field<f32> {
    let topology = forward.topology();
    let beside = BESIDE_WALLS * topology.lattice().cell_size;
    let mut result = forward.clone();
    result.par_tiles_mut().for_each(|(slot, tile)| {
        for (local, value) in tile.iter_mut().enumerate() {
            if known.tile(slot)[local] != 0 {
                let cell = topology.cell(slot, local);
                let point = forward.position(cell);
                if boundary.near(slot) && boundary.distance.sample(point) < beside {
                    continue;
                }
                let back = forward.sample(trace_back(flow, point, -dt));
                let (lowest, highest) = old.range_around(trace_back(flow, point, dt));
                *value = (*value + 0.5 * (old.get(cell) - back)).clamp(lowest, highest);
            }
        }
    });
    result
}
