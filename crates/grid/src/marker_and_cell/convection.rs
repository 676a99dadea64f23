//! The best guess of velocities: how they carry themselves, forward in time (Carlson 2004, eqs. 25-27 and 43).

use glam::IVec3;
use ooze_field::{Block, FieldByAxis};
use rayon::prelude::*;

use super::cells::{Cells, Role};
use super::settings::Convection;

/// Velocities on the faces with liquid on both sides after they have carried themselves for `dt` seconds; elsewhere as they were.
pub(super) fn convect(
    cells: &Cells<'_>,
    velocity: &FieldByAxis<f32>,
    scheme: Convection,
    dt: f64,
) -> FieldByAxis<f32> {
    let topology = &cells.topology;
    let axes = cells.axes();
    let ratio = (dt / cells.cell_size()) as f32;
    let mut carried = velocity.clone();
    for (axis, carried) in carried.iter_mut().enumerate().take(axes) {
        let blocks = || [0, 1, 2].map(|_| Block::new(topology, 1, 0.0f32));
        let tiles = carried.par_tiles_mut();
        tiles.for_each_init(blocks, |blocks, (slot, tile)| {
            let roles = cells.role[axis].tile(slot);
            if !roles.contains(&Role::Fluid) {
                return;
            }
            for (block, component) in blocks.iter_mut().zip(velocity) {
                block.load(component, slot);
            }
            for (local, value) in tile.iter_mut().enumerate() {
                if roles[local] == Role::Fluid {
                    let cell = topology.local_cell(local);
                    *value -= ratio * outflow(blocks, axis, axes, cell, scheme, ratio);
                }
            }
        });
    }
    carried
}

/// What a component of velocity loses at a face by being carried, in m²/s² (a sum over both sides of the fluxes along each axis).
fn outflow(
    velocity: &[Block<f32>; 3],
    axis: usize,
    axes: usize,
    face: IVec3,
    scheme: Convection,
    ratio: f32,
) -> f32 {
    let own = &velocity[axis];
    let (place, strides) = (own.at(face), own.strides());
    let mut sum = 0.0;
    for along in 0..axes {
        let step = strides[along];
        let carrier = velocity[along].values();
        for (side, lower) in [(1.0, place), (-1.0, place - step)] {
            let [behind, ahead] = [lower, lower + step].map(|index| own.values()[index]);
            // The speed across the middle between both samples: in cells for the component itself, on edges for the others.
            let upper = lower + step;
            let speed = 0.5 * (carrier[upper] + carrier[upper - strides[axis]]);
            let diffused = match scheme {
                Convection::Central => 0.0,
                Convection::Balanced => speed * speed * ratio,
                Convection::Upwind => speed.abs(),
            };
            sum += side * 0.5 * (speed * (behind + ahead) - diffused * (ahead - behind));
        }
    }
    sum
}
