//! Solids and the level set: the liquid is continued into walls, what is seen of it ends there, and no particle enters.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{IVec3, Vec3};
use ooze_core::{Domain, Obstacles, Side};
use ooze_field::level_set::TrackingWalls;
use ooze_field::{Field, FieldByAxis, NO_TILE, Place, face_fields, sample_faces};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::walls::{Traction, is_rough};

/// Cells of the fine lattice up to which there is no gap between liquid and wall: liquid that has landed is next to nothing from
/// the wall, on either side.
const LEAST_GAP: f32 = 0.1;

/// The solids of a step, as the level set sees them.
pub(super) struct Walls<'a> {
    boundary: &'a Boundary,
    domain: &'a Domain,
    /// The distances that were asked for last.
    latest: Mutex<Option<Arc<Field<f32>>>>,
}

impl<'a> Walls<'a> {
    pub(super) fn new(boundary: &'a Boundary, domain: &'a Domain) -> Self {
        Self {
            boundary,
            domain,
            latest: Mutex::default(),
        }
    }

    /// Distance of the fine lattice's nodes from the nearest solid, negative inside. A step asks several times for those on the
    /// same tiles.
    pub(super) fn distances(&self, phi: &Field<f32>) -> Arc<Field<f32>> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match latest.as_ref() {
            Some(known) if Arc::ptr_eq(known.topology(), phi.topology()) => Arc::clone(known),
            _ => Arc::clone(latest.insert(Arc::new(self.find_distances(phi)))),
        }
    }

    fn find_distances(&self, phi: &Field<f32>) -> Field<f32> {
        let solid = &self.boundary.distance;
        let mut distances = Field::new(phi.topology(), Place::Node, solid.outside());
        let topology = phi.topology();
        distances.par_tiles_mut().for_each(|(slot, tile)| {
            // A tile of fine nodes lies in one tile of cells, and touches the next.
            let slot_of_cells = solid.topology().slot_of(topology.tile_lower(slot) >> 1);
            let known = slot_of_cells != NO_TILE;
            if known && !self.boundary.near(slot_of_cells as usize) {
                return;
            }
            for (local, distance) in tile.iter_mut().enumerate() {
                let point = phi.position(topology.cell(slot, local));
                *distance = if known {
                    solid.sample(point)
                } else {
                    self.to_closed_sides(point).min(solid.outside())
                };
            }
        });
        distances
    }

    /// A point that is as far before the nearest solid as is asked, from one that is in it.
    pub(super) fn put_before(&self, point: Vec3, clearance: f32) -> Vec3 {
        let distance = self.boundary.distance.sample(point);
        point + self.boundary.outward(point) * (clearance - distance)
    }

    /// Distance from the closed sides of the domain: all that is known of solids where an emitter opens far from the liquid.
    fn to_closed_sides(&self, point: Vec3) -> f32 {
        let (lower, upper) = (self.domain.lower, self.domain.upper());
        let closed =
            |axis: usize, side: usize| matches!(self.domain.sides[axis][side], Side::Closed(_));
        let mut nearest = f32::INFINITY;
        for axis in 0..self.domain.dimensions() {
            if closed(axis, 0) {
                nearest = nearest.min(point[axis] - lower[axis]);
            }
            if closed(axis, 1) {
                nearest = nearest.min(upper[axis] - point[axis]);
            }
        }
        nearest
    }
}

impl TrackingWalls for Walls<'_> {
    /// As if walls were mirrors, so that the free surface meets them at right angles (Batty & Bridson 2008, fig. 7).
    fn continue_into(&self, phi: &mut Field<f32>) {
        let source = phi.clone();
        let topology = source.topology();
        let solids = self.distances(phi);
        phi.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, value) in tile.iter_mut().enumerate() {
                let depth = solids.tile(slot)[local];
                if depth < 0.0 {
                    let point = source.position(topology.cell(slot, local));
                    let mirrored = point - self.boundary.outward(point) * (2.0 * depth);
                    *value = source.sample(mirrored);
                }
            }
        });
    }

    fn leave_free(&self, point: Vec3) -> bool {
        let distance = &self.boundary.distance;
        let topology = distance.topology();
        let slot = topology.slot_of(topology.lattice().cell_of(point));
        let far = slot != NO_TILE && !self.boundary.near(slot as usize);
        far || distance.sample(point) >= 0.0
    }
}

/// Ends the liquid at cells before the walls that it does not touch, which mirror it: liquid and mirror image would seem to be
/// one body, and thick liquid would stick to a wall before it gets there. The gap is told from the level set before the wall:
/// at the wall itself the mirror image bends it.
pub(super) fn part(liquid: &mut Field<f32>, phi: &Field<f32>, boundary: &Boundary) {
    let topology = liquid.topology().clone();
    let fine_cell = phi.topology().lattice().cell_size;
    liquid.par_tiles_mut().for_each(|(slot, tile)| {
        if !boundary.near(slot) {
            return;
        }
        for (local, value) in tile.iter_mut().enumerate() {
            let centre = topology.lattice().centre(topology.cell(slot, local));
            let depth = boundary.distance.sample(centre);
            if depth >= 0.0 {
                continue;
            }
            let outward = boundary.outward(centre);
            let foot = centre - outward * depth;
            let before = |cells: f32| phi.sample(foot + outward * (cells * fine_cell));
            let gap = before(0.0).max(2.0 * before(1.0) - before(2.0));
            if gap > LEAST_GAP * fine_cell {
                *value = value.max(gap - depth);
            }
        }
    });
}

/// A level set less the solids.
pub(super) fn cut_off(phi: &Field<f32>, solids: &Field<f32>) -> Field<f32> {
    let mut shown = phi.clone();
    shown.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, &solid) in tile.iter_mut().zip(solids.tile(slot)) {
            *value = value.max(-solid);
        }
    });
    shown
}

/// Friction and stickiness on the faces next to walls that the liquid touches; `density` tells the density of a cell in kg/m³.
pub(super) fn touch(
    velocity: &mut FieldByAxis<f32>,
    liquid: &Field<f32>,
    traction: &Traction<'_>,
    density: impl Fn(IVec3) -> f32 + Sync,
) {
    if !is_rough(traction.obstacles) {
        return;
    }
    let source = velocity.clone();
    for (axis, field) in velocity.iter_mut().enumerate() {
        let topology = field.topology().clone();
        let open = &traction.boundary.open[axis];
        field.par_tiles_mut().for_each(|(slot, tile)| {
            if !traction.boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                if open.tile(slot)[local] > 0.0 {
                    let cell = topology.cell(slot, local);
                    let point = open.position(cell);
                    if !traction.reaches(point) || liquid.sample(traction.foot(point)) >= 0.0 {
                        continue;
                    }
                    let whole = sample_faces(&source, point);
                    *value += traction.act(point, whole, density(cell))[axis] - whole[axis];
                }
            }
        });
    }
}

/// Gives tangential faces just inside voxelised walls the mirror images of those before the wall: the same velocity where the
/// liquid slips, the opposite one relative to the wall where it does not (Goktekin 2011, alg. 15).
pub(super) fn mirror(
    velocity: &mut FieldByAxis<f32>,
    boundary: &Boundary,
    obstacles: &Obstacles<'_>,
) {
    let source = velocity.clone();
    let axes = source[0].topology().lattice().axes();
    let solid = |cell: IVec3| boundary.room.get(cell) == 0.0;
    for (axis, field) in velocity.iter_mut().enumerate().take(axes) {
        let topology = field.topology().clone();
        let along = IVec3::AXES[axis];
        field.par_tiles_mut().for_each(|(slot, tile)| {
            if !boundary.near(slot) {
                return;
            }
            for (local, value) in tile.iter_mut().enumerate() {
                let cell = topology.cell(slot, local);
                if !solid(cell) || !solid(cell - along) {
                    continue;
                }
                let across = (0..axes).filter(|&other| other != axis);
                let beside = across.flat_map(|other| [IVec3::AXES[other], -IVec3::AXES[other]]);
                let before = beside
                    .map(|step| cell + step)
                    .filter(|&cell| !solid(cell) && !solid(cell - along));
                let (mut sum, mut count) = (0.0, 0.0);
                for cell in before {
                    sum += source[axis].get(cell);
                    count += 1.0;
                }
                let point = boundary.open[axis].position(cell);
                if let Some(body) = boundary.body_at(point).filter(|_| count > 0.0) {
                    let mean = sum / count;
                    let wall = obstacles.velocity(body, point)[axis];
                    let held = obstacles.contact(body).condition.holds();
                    *value = if held { 2.0 * wall - mean } else { mean };
                }
            }
        });
    }
}

/// Makes cells whole: solid if their centre is, free otherwise (Goktekin 2011, sec. 3.6). A face between a solid and a free
/// cell moves with the solid.
pub(super) fn voxelise(boundary: &mut Boundary, obstacles: &Obstacles<'_>) {
    let topology = boundary.distance.topology().clone();
    let lattice = *topology.lattice();
    let solid = Field::from_cells(&topology, Place::Cell, 0u8, |cell| {
        u8::from(boundary.distance.sample(lattice.centre(cell)) < 0.0)
    });
    let mut open = face_fields(&topology, 1.0f32);
    let mut wall_velocity = face_fields(&topology, 0.0f32);
    for axis in 0..3 {
        let offset = Place::Face(axis).offset();
        open[axis]
            .par_tiles_mut()
            .zip(wall_velocity[axis].par_tiles_mut())
            .for_each(|((slot, open), (_, velocity))| {
                if !boundary.near(slot) {
                    return;
                }
                for local in 0..open.len() {
                    let cell = topology.cell(slot, local);
                    let below = cell - IVec3::AXES[axis];
                    if solid.get(cell) != 0 || solid.get(below) != 0 {
                        let point = lattice.to_world(cell.as_vec3() + offset);
                        open[local] = 0.0;
                        velocity[local] = boundary
                            .body_at(point)
                            .map_or(0.0, |body| obstacles.velocity(body, point)[axis]);
                    }
                }
            });
    }
    boundary.room = Field::from_cells(&topology, Place::Cell, 1.0, |cell| {
        f32::from(1 - solid.get(cell))
    });
    (boundary.open, boundary.wall_velocity) = (open, wall_velocity);
}
