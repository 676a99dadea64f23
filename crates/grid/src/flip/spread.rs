//! Density correction: particles that crowd are moved apart, so that the liquid keeps its volume.
//!
//! Advection lets particles clump and thin out, which the velocity's divergence does not see. As in the implicit density
//! projection of Kugelstadt et al. 2019, a second solve with the pressure matrix finds the smallest displacement that
//! restores the rest density; it moves particles and leaves velocities alone. Deviations: the matrix of the coming
//! pressure solve is used (the displacements are far below a cell), and the tolerance is loose, since what is missed
//! is corrected in the next step.

use glam::{IVec3, Vec3};
use ooze_core::{StepError, StepReport};
use ooze_field::{Block, Field, FieldByAxis, Place, face_fields};
use rayon::prelude::*;

use super::kernel::{Kernel, Linear, Quadratic};
use super::order::CellOrder;
use super::scatter::scatter;
use crate::Sampling;
use crate::boundary::Boundary;
use crate::pressure::{Coupling, PressureSystem};

/// Residual of the solve: errors are corrected again in the next step.
const TOLERANCE: f64 = 0.05;
/// Largest excess and largest lack of density that one step corrects. Crowds are where liquid meets liquid or a wall, and must
/// be parted before more comes; a lack may fill by itself.
const LARGEST_EXCESS: f32 = 1.0;
const LARGEST_LACK: f32 = 0.25;
/// Share of the deviation that one step corrects.
const RELAXATION: f32 = 0.5;
/// Share of a cell's reach that must be free of solids for its density to mean anything.
const LEAST_ROOM: f32 = 0.1;

/// The displacement on faces, in metres, that moves particles towards an even density.
pub(crate) fn displacement(
    order: &CellOrder,
    positions: &[Vec3],
    system: &mut PressureSystem,
    coupling: &Coupling<'_>,
    sampling: Sampling,
    report: &mut StepReport,
) -> Result<FieldByAxis<f32>, StepError> {
    let density = relative_density(order, positions, coupling.boundary, sampling);
    let cell_size = order.topology.lattice().cell_size;
    let right_hand_side = system.right_hand_side(|cell| {
        let excess = density.get(cell) - 1.0;
        // Near the surface a lack of particles is natural.
        let lowest = if coupling.liquid.get(cell) < -cell_size {
            -LARGEST_LACK
        } else {
            0.0
        };
        RELAXATION * cell_size * excess.clamp(lowest, LARGEST_EXCESS)
    });
    let potential = system.solve("density", TOLERANCE, &right_hand_side, report)?;
    let mut displacement = face_fields(&order.topology, 0.0);
    let mut known = face_fields(&order.topology, 0);
    system.subtract_gradient(coupling, &potential, &mut displacement, &mut known);
    Ok(displacement)
}

/// Density of particles at cell centres relative to the rest density, walls taken into account.
fn relative_density(
    order: &CellOrder,
    positions: &[Vec3],
    boundary: &Boundary,
    sampling: Sampling,
) -> Field<f32> {
    let flat = order.topology.lattice().flat;
    match sampling {
        Sampling::Fine => {
            let rest = if flat { 4.0 } else { 8.0 };
            density_with::<Linear>(order, positions, boundary, rest, [0.125, 0.75, 0.125])
        }
        Sampling::Coarse => {
            let shares = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
            density_with::<Quadratic>(order, positions, boundary, 1.0, shares)
        }
    }
}

/// `shares` are the parts of the kernel's integral over the cell below, the cell itself and the cell above.
fn density_with<K: Kernel>(
    order: &CellOrder,
    positions: &[Vec3],
    boundary: &Boundary,
    rest: f32,
    shares: [f32; 3],
) -> Field<f32> {
    let [mut density] = scatter::<1, K, _>(order, positions, Place::Cell, |_| |_| [1.0]);
    let topology = &order.topology;
    let flat = topology.lattice().flat;
    density.par_tiles_mut().for_each_init(
        || Block::new(topology, 1, 1.0f32),
        |block, (slot, tile)| {
            let near = boundary.near(slot);
            if near {
                block.load(&boundary.room, slot);
            }
            for (local, value) in tile.iter_mut().enumerate() {
                let reachable = if near {
                    smooth(block, topology.local_cell(local), shares, flat)
                } else {
                    1.0
                };
                *value = if reachable > LEAST_ROOM {
                    *value / (rest * reachable)
                } else {
                    1.0
                };
            }
        },
    );
    density
}

/// The mean of the 3×3×3 cells around one, weighted along each axis.
fn smooth(block: &Block<f32>, local: IVec3, shares: [f32; 3], flat: bool) -> f32 {
    let depth: &[(i32, f32)] = if flat {
        &[(0, 1.0)]
    } else {
        &[(-1, shares[0]), (0, shares[1]), (1, shares[2])]
    };
    let mut sum = 0.0;
    for &(z, weight_z) in depth {
        for (y, weight_y) in (-1..).zip(shares) {
            for (x, weight_x) in (-1..).zip(shares) {
                let share = block.get(local + IVec3::new(x, y, z));
                sum += weight_x * weight_y * weight_z * share;
            }
        }
    }
    sum
}
