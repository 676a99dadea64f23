//! Which particles touch a wall.
//!
//! Particles know where the liquid ends to about half their spacing only, which is not enough to tell liquid on a wall from
//! liquid that is about to meet one: taken by distance alone, either thick liquid is stopped before it arrives, or it lets go
//! of a plunger that is drawn out. Contact therefore has a memory: a particle meets a wall where those of a liquid at rest on
//! it are, and touches it from then on until it is clearly further off. Walls that let go have no such memory.

use glam::{IVec3, Vec3};
use ooze_core::{Obstacles, WallCondition};
use ooze_field::{Field, Place};
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
            let body = boundary.body_at(position);
            let lets_go = body
                .is_some_and(|body| obstacles.contact(body).condition == WallCondition::Separating);
            let remembers = *touching == 1 && !lets_go;
            let range = if remembers { LEAVING } else { MEETING };
            *touching = u8::from(boundary.distance.sample(position) < range * spacing);
        }
    });
}

/// The particles that touch walls, to be asked which walls are wet.
pub(crate) struct Contacts<'a> {
    order: &'a CellOrder,
    positions: &'a [Vec3],
    touching: &'a [u8],
    /// Marks the cells that hold such particles.
    cells: Field<u8>,
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
        let mut cells = Field::new(topology, Place::Cell, 0u8);
        let count = topology.tile_cells();
        cells.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, flag) in tile.iter_mut().enumerate() {
                let particles = order.cell_particles(slot * count + local);
                *flag = u8::from(touching[particles].contains(&1));
            }
        });
        Self {
            order,
            positions,
            touching,
            cells,
            reach: REACH * spacing(topology.lattice().cell_size, sampling),
        }
    }

    /// Whether a point on a wall is wet: whether a particle near it touches the wall.
    pub(crate) fn wet(&self, point: Vec3) -> bool {
        let topology = &self.order.topology;
        let lattice = topology.lattice();
        let around = (self.reach / lattice.cell_size).ceil() as i32;
        let (depth, mask) = if lattice.flat {
            (0, Vec3::new(1.0, 1.0, 0.0))
        } else {
            (around, Vec3::ONE)
        };
        let centre = lattice.cell_of(point);
        for z in -depth..=depth {
            for y in -around..=around {
                for x in -around..=around {
                    let cell = centre + IVec3::new(x, y, z);
                    if self.cells.get(cell) == 1 && self.cell_wets(cell, point, mask) {
                        return true;
                    }
                }
            }
        }
        false
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
