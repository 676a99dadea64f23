//! Velocities beside the solved faces of a viscous liquid.
//!
//! Particles at the surface read faces that no solve reaches. These change as their neighbours do, which leaves each what sets it
//! apart from them. In thin liquid that is the liquid's own motion. In thick liquid it is what the projection has left there, before
//! viscosity took it from the liquid itself; nothing ever would from these faces, and particles in the skin of the thickest wax
//! would crawl on. So it fades as viscosity has it, by 1 + s in a step (s = ν dt/dx²), towards the velocities of the solved faces,
//! continued along straight lines: a body that turns turns with its skin.

use glam::IVec3;
use ooze_field::mask::{Mask, set_cells};
use ooze_field::{Field, FieldByAxis};
use rayon::prelude::*;

use super::{ViscousLiquid, diffusion_number};

/// Layers of faces around the solved ones, as far as a particle inside the liquid reaches.
const LAYERS: u32 = 2;

impl ViscousLiquid<'_> {
    /// Lets what sets faces apart from the solved ones beside them fade for `dt` seconds, where they are known.
    pub(super) fn draw_along(
        &self,
        velocity: &mut FieldByAxis<f32>,
        known: &FieldByAxis<u8>,
        solved: &FieldByAxis<u8>,
        dt: f64,
    ) {
        for (axis, velocity) in velocity.iter_mut().enumerate() {
            let mut continued = velocity.clone();
            continue_straight(&mut continued, &solved[axis]);
            let beside = |slot: usize, local: usize| {
                known[axis].tile(slot)[local] != 0 && solved[axis].tile(slot)[local] == 0
            };
            velocity.par_tiles_mut().for_each(|(slot, tile)| {
                let topology = continued.topology();
                for (local, value) in tile.iter_mut().enumerate() {
                    let along = continued.tile(slot)[local];
                    if *value != along && beside(slot, local) {
                        let number = self.number_at(axis, topology.cell(slot, local), dt);
                        *value = along + (*value - along) / (1.0 + number);
                    }
                }
            });
        }
    }

    /// The diffusion number at a face: that of the thinner liquid beside it.
    fn number_at(&self, axis: usize, face: IVec3, dt: f64) -> f32 {
        let cell_size = f64::from(self.coupling.liquid.topology().lattice().cell_size);
        let sides = [face, face - IVec3::AXES[axis]].map(|cell| self.viscosity.at(cell));
        let known = sides.into_iter().filter(|&viscosity| viscosity > 0.0);
        let thinner = known.reduce(f32::min).unwrap_or(0.0);
        diffusion_number(thinner, self.least_density, cell_size, dt) as f32
    }
}

/// Continues known values into the layers around them: along straight lines through two that are known, or as the mean of those
/// beside where there is no such line.
fn continue_straight(values: &mut Field<f32>, known: &Field<u8>) {
    let topology = values.topology().clone();
    let mut mask = Mask::of(known, |flag| flag != 0).with_outside(false);
    for _ in 0..LAYERS {
        let layer: Vec<Vec<(usize, f32)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut frontier = mask.any_next(slot);
                for (word, known) in frontier.iter_mut().zip(mask.tile(slot)) {
                    *word &= !known;
                }
                let places = set_cells(&frontier);
                let beyond = |local| (local, beyond(values, &mask, topology.cell(slot, local)));
                places.map(beyond).collect()
            })
            .collect();
        let tiles = layer.iter().zip(mask.tiles_mut());
        let values = values.values_mut().chunks_mut(topology.tile_cells());
        for ((found, bits), values) in tiles.zip(values) {
            for &(local, value) in found {
                values[local] = value;
                bits[local / 64] |= 1 << (local % 64);
            }
        }
    }
}

/// What a value is that has known ones beside it.
fn beyond(values: &Field<f32>, known: &Mask, place: IVec3) -> f32 {
    let (mut on_lines, mut lines) = (0.0, 0);
    let (mut beside, mut neighbours) = (0.0, 0);
    for along in &IVec3::AXES[..known.axes()] {
        for step in [*along, -*along] {
            let (next, other) = (place + step, place + 2 * step);
            if !known.contains(next) {
                continue;
            }
            beside += values.get(next);
            neighbours += 1;
            if known.contains(other) {
                on_lines += 2.0 * values.get(next) - values.get(other);
                lines += 1;
            }
        }
    }
    match lines {
        0 => beside / neighbours as f32,
        _ => on_lines / lines as f32,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;
    use ooze_field::{Lattice, Place, TopologyBuilder};

    use super::*;

    #[test]
    fn linear_velocities_go_on_as_they_are() {
        for flat in [false, true] {
            let lattice = Lattice::new(Vec3::ZERO, 0.5, IVec3::splat(24), flat);
            let builder = TopologyBuilder::new(lattice);
            builder.mark(IVec3::splat(10), 8);
            let topology = Arc::new(builder.build());
            let place = Place::Face(1);
            let slopes = if flat {
                Vec3::new(1.0, -2.0, 0.0)
            } else {
                Vec3::new(1.0, -2.0, 0.5)
            };
            let inside = |cell: IVec3| {
                let offset = (cell - IVec3::splat(10)).as_vec3();
                let offset = if flat { offset.with_z(0.0) } else { offset };
                offset.length() < 3.2
            };
            let exact = Field::from_points(&topology, place, 0.0, |point| slopes.dot(point));
            let known = Field::from_cells(&topology, place, 0, |cell| u8::from(inside(cell)));
            let mut values = Field::from_cells(&topology, place, 0.0, |cell| {
                if inside(cell) { exact.get(cell) } else { 1e3 }
            });
            continue_straight(&mut values, &known);
            let mut reached = 0;
            for slot in 0..topology.tile_count() {
                for local in 0..topology.tile_cells() {
                    let (value, exact) = (values.tile(slot)[local], exact.tile(slot)[local]);
                    if value != 1e3 {
                        assert!((value - exact).abs() < 1e-3, "{value} {exact}");
                        reached += u32::from(known.tile(slot)[local] == 0);
                    }
                }
            }
            assert!(reached > 20, "{reached}");
        }
    }
}
