//! Which particles touch a wall.
//!
//! Particles know where the liquid ends to about half their spacing only, which is not enough to tell liquid on a wall from
//! liquid that is about to meet one: taken by distance alone, either thick liquid is stopped before it arrives, or it lets go
//! of a plunger that is drawn out. Contact therefore has a memory: a particle meets a wall where those of a liquid at rest on
//! it are, and touches it from then on until it is clearly further off. Walls that let go have no such memory.

use glam::{IVec3, Vec3};
use ooze_core::{Obstacles, WallCondition};
use ooze_field::mask::Mask;
use rayon::prelude::*;

use super::order::CellOrder;
use crate::Sampling;
use crate::boundary::Boundary;

/// Distance in spacings within which a particle meets a wall: at rest the lowest ones are half a spacing above the floor, give
/// or take a quarter.
const MEETING: f32 = 0.8;
/// Distance in spacings from which on a particle touches a wall no more.
const LEAVING: f32 = 1.8;
/// Distance in spacings within which a particle that touches a wall tells that the wall is wet: it is up to `LEAVING` off the wall,
/// and in liquid that is stretched while it follows a wall its neighbours are two spacings aside.
const REACH: f32 = 3.0;

/// Spacing of particles at rest in metres.
fn spacing(cell_size: f32, sampling: Sampling) -> f32 {
    match sampling {
        Sampling::Fine => 0.5 * cell_size,
        Sampling::Coarse => cell_size,
    }
}

/// Finds out which of the sorted particles touch a wall now, given those that did so before: flags are 1 where they do.
pub(crate) fn update(
    order: &CellOrder,
    positions: &[Vec3],
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
    sampling: Sampling,
    touching: &mut [u8],
) {
    let spacing = spacing(order.topology.lattice().cell_size, sampling);
    let tiles = order.split_by_tile(touching).into_par_iter().enumerate();
    tiles.for_each(|(slot, touching)| {
        if !boundary.near(slot) {
            touching.fill(0);
            return;
        }
        let positions = &positions[order.tile_particles(slot)];
        for (touching, &position) in touching.iter_mut().zip(positions) {
            let distance = boundary.distance.sample(position);
            let holds = || {
                let body = boundary.body_at(position);
                let condition = body.map(|body| obstacles.contact(body).condition);
                condition != Some(WallCondition::Separating)
            };
            let meets = distance < MEETING * spacing;
            let remembers = *touching == 1 && distance < LEAVING * spacing;
            *touching = u8::from(meets || (remembers && holds()));
        }
    });
}

/// The particles that touch walls, to be asked which walls are wet.
pub(crate) struct Contacts<'a> {
    order: &'a CellOrder,
    positions: &'a [Vec3],
    touching: &'a [u8],
    /// The cells that hold such particles, and those from which one may be within reach.
    cells: Mask,
    around: Mask,
    /// Steps from a cell to those whose particles may be within reach, the nearest first.
    steps: Vec<IVec3>,
    reach: f32,
}

impl<'a> Contacts<'a> {
    pub(crate) fn new(
        order: &'a CellOrder,
        positions: &'a [Vec3],
        touching: &'a [u8],
        sampling: Sampling,
    ) -> Self {
        let topology = &order.topology;
        let mut cells = Mask::empty(topology);
        let count = topology.tile_cells();
        let tiles = cells.tiles_mut().par_iter_mut().enumerate();
        tiles.for_each(|(slot, bits)| {
            if !touching[order.tile_particles(slot)].contains(&1) {
                return;
            }
            for local in 0..count {
                let particles = order.cell_particles(slot * count + local);
                let touches = touching[particles].contains(&1);
                bits[local / 64] |= u64::from(touches) << (local % 64);
            }
        });
        let lattice = topology.lattice();
        let reach = REACH * spacing(lattice.cell_size, sampling);
        let reach_cells = reach / lattice.cell_size;
        Self {
            order,
            positions,
            touching,
            // Tiles reach farther around particles than this.
            around: cells.clone().grown(reach_cells.ceil() as u32),
            cells,
            steps: steps_within(reach_cells, lattice.flat),
            reach,
        }
    }

    /// Whether a point on a wall is wet: whether a particle near it touches the wall.
    pub(crate) fn wet(&self, point: Vec3) -> bool {
        let lattice = self.order.topology.lattice();
        let centre = lattice.cell_of(point);
        let mask = match lattice.flat {
            true => Vec3::new(1.0, 1.0, 0.0),
            false => Vec3::ONE,
        };
        let wets = |&step: &IVec3| {
            let cell = centre + step;
            self.cells.contains(cell) && self.cell_wets(cell, point, mask)
        };
        self.around.contains(centre) && self.steps.iter().any(wets)
    }

    fn cell_wets(&self, cell: IVec3, point: Vec3, mask: Vec3) -> bool {
        let Some(index) = self.order.topology.index(cell) else {
            return false;
        };
        self.order.cell_particles(index).any(|particle| {
            let offset = (self.positions[particle] - point) * mask;
            self.touching[particle] == 1 && offset.length_squared() < self.reach * self.reach
        })
    }
}

/// Steps from a cell to those with a point that is no further than `reach` cells from one of its own, the nearest first.
fn steps_within(reach: f32, flat: bool) -> Vec<IVec3> {
    let around = reach.ceil() as i32;
    let depth = if flat { 0 } else { around };
    let mut steps = Vec::new();
    for z in -depth..=depth {
        for y in -around..=around {
            for x in -around..=around {
                let step = IVec3::new(x, y, z);
                let between = (step.abs() - 1).max(IVec3::ZERO);
                if between.length_squared() as f32 <= reach * reach {
                    steps.push(step);
                }
            }
        }
    }
    steps.sort_by_key(|step| step.length_squared());
    steps
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::random::uniform;
    use ooze_field::Lattice;

    use super::super::order::tiles_around;
    use super::*;

    #[test]
    fn a_point_is_wet_where_a_particle_in_reach_touches_the_wall() {
        for flat in [false, true] {
            for sampling in [Sampling::Fine, Sampling::Coarse] {
                let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(24), flat);
                let depth = if flat { 0.05 } else { 2.4 };
                let pick = |key: u64| {
                    let [x, y, z] = [0, 1, 2].map(|axis| uniform(axis, key));
                    Vec3::new(2.4 * x, 2.4 * y, depth * z)
                };
                let positions: Vec<Vec3> = (0..60).map(pick).collect();
                let topology = Arc::new(tiles_around(lattice, &positions, 4).build());
                let (order, permutation) = CellOrder::sort(topology, &positions);
                let sorted = permutation.iter().map(|&index| positions[index as usize]);
                let sorted: Vec<Vec3> = sorted.collect();
                let touching: Vec<u8> = (0..60).map(|index| u8::from(index % 3 == 0)).collect();
                let contacts = Contacts::new(&order, &sorted, &touching, sampling);
                let reach = REACH * spacing(0.1, sampling);
                let axes = if flat {
                    Vec3::new(1.0, 1.0, 0.0)
                } else {
                    Vec3::ONE
                };
                let mut wet = 0;
                for point in (1000..1400).map(pick) {
                    let mut touchers = sorted.iter().zip(&touching);
                    let expected = touchers.any(|(&position, &touching)| {
                        touching == 1 && ((position - point) * axes).length() < reach
                    });
                    assert_eq!(contacts.wet(point), expected, "{point} {flat} {sampling:?}");
                    wet += u32::from(expected);
                }
                assert!((4..396).contains(&wet), "{wet} of 400 points are wet");
            }
        }
    }
}
