//! Where a body is on the grid: the list of places that it occupies, with the volume of the piece that is in each and the way to it from
//! the centre of mass (Carlson 2004, sec. 5.5).
//!
//! A place is a face with the cube of a cell's volume around it. What a body takes of the cube is cut octant by octant from distances
//! at nodes, which is quicker and smoother than to ask for 64 points of each: over all faces across an axis the pieces add up to the
//! body, for every axis.

use std::sync::Arc;

use glam::{DVec3, IVec3, Vec3};
use ooze_field::fraction::VolumeFractions;
use ooze_field::{Field, FieldByAxis, Lattice, Place, TILE_EDGE, Topology, TopologyBuilder};
use ooze_geometry::Aabb;

/// Cells around a body in which its distance is known: as many as velocities are continued by and liquid crosses in a step.
const MARGIN: f32 = 3.0;
/// Cells from a body within which liquid touches it: no body moves further in a step.
const TOUCH: f32 = 1.0;

/// A piece of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The axis that the face is normal to, and the cell above it.
    pub(super) axis: usize,
    pub(super) cell: IVec3,
    /// The way from the centre of mass to the face's centre.
    pub(super) arm: DVec3,
    /// What the body takes of the cube around the face, from 0 to 1.
    pub(super) share: f64,
}

/// A body in pieces.
pub(super) struct Pieces {
    /// Distance at nodes, negative inside.
    distance: Field<f32>,
    pub(super) list: Vec<Piece>,
}

/// The tiles around a body within a box; none if it is beyond the domain.
pub(super) fn tiles_around(lattice: &Lattice, bounds: Aabb) -> Option<Arc<Topology>> {
    let around = bounds.dilated(MARGIN * lattice.cell_size);
    // A margin of a tile around the domain is all that there is.
    let whole = Aabb::new(
        lattice.to_world(Vec3::splat(-(TILE_EDGE as f32))),
        lattice.to_world(lattice.cells.as_vec3() + TILE_EDGE as f32),
    );
    let within = around.intersection(whole);
    if within.is_empty() && !lattice.flat {
        return None;
    }
    let [lower, upper] = [within.lower, within.upper].map(|corner| lattice.cell_of(corner));
    let along = |axis: usize| {
        let (first, last) = match lattice.flat && axis == 2 {
            true => (0, 0),
            false => (lower[axis], upper[axis]),
        };
        (first..last).step_by(TILE_EDGE as usize).chain([last])
    };
    let builder = TopologyBuilder::new(*lattice);
    for z in along(2) {
        for y in along(1) {
            for x in along(0) {
                builder.mark(IVec3::new(x, y, z), 0);
            }
        }
    }
    Some(Arc::new(builder.build()))
}

/// Distances at the nodes of tiles.
pub(super) fn distances(
    topology: &Arc<Topology>,
    distance: impl Fn(Vec3) -> f32 + Sync,
) -> Field<f32> {
    let outside = MARGIN * topology.lattice().cell_size;
    Field::from_points(topology, Place::Node, outside, |point| {
        distance(point).min(outside)
    })
}

/// Whether the liquid of a level set on the lattice of half the cell size comes as near to a body as that may move in a step. Nodes
/// and centres of cells, which are samples of it, are dense enough to tell.
pub(super) fn touches(distance: &Field<f32>, phi: &Field<f32>) -> bool {
    let topology = distance.topology();
    let lattice = topology.lattice();
    let near = TOUCH * lattice.cell_size;
    let before = |distance: f32| (0.0..near).contains(&distance);
    (0..topology.tile_count()).any(|slot| {
        let nodes = distance.tile(slot).iter().enumerate();
        let mut nodes = nodes.filter(|&(_, &distance)| distance.abs() < near);
        nodes.any(|(local, &node)| {
            let cell = topology.cell(slot, local);
            let centre = || distance.sample(lattice.centre(cell));
            before(node) && phi.get(2 * cell) < 0.0
                || phi.get(2 * cell + 1) < 0.0 && before(centre())
        })
    })
}

impl Pieces {
    /// Those of a body with its centre of mass somewhere.
    pub(super) fn of(distance: Field<f32>, centre: DVec3) -> Self {
        let topology = distance.topology();
        let axes = topology.lattice().axes();
        let shares = VolumeFractions::with_smallest_octant(&distance, 0.0).faces;
        let mut list = Vec::new();
        for (axis, shares) in shares.iter().enumerate().take(axes) {
            for slot in 0..topology.tile_count() {
                for (local, &share) in shares.tile(slot).iter().enumerate() {
                    if share > 0.0 {
                        let cell = topology.cell(slot, local);
                        list.push(Piece {
                            axis,
                            cell,
                            arm: shares.position(cell).as_dvec3() - centre,
                            share: f64::from(share),
                        });
                    }
                }
            }
        }
        Self { distance, list }
    }

    /// Lowest cells of the tiles that the body has a part of.
    pub(super) fn tiles(&self) -> impl Iterator<Item = IVec3> {
        let topology = self.distance.topology();
        let slots = 0..topology.tile_count();
        let inside = |&slot: &usize| self.distance.tile(slot).iter().any(|&node| node < 0.0);
        slots.filter(inside).map(|slot| topology.tile_lower(slot))
    }

    /// Adds the body to a level set at cell centres.
    pub(super) fn flood(&self, liquid: &mut Field<f32>) {
        let topology = self.distance.topology();
        let lattice = *topology.lattice();
        for slot in 0..topology.tile_count() {
            for local in 0..topology.tile_cells() {
                let cell = topology.cell(slot, local);
                let distance = self.distance.sample(lattice.centre(cell));
                if distance < self.distance.outside() {
                    liquid.set(cell, liquid.get(cell).min(distance));
                }
            }
        }
    }

    /// Changes the velocities at all pieces.
    pub(super) fn change(
        &self,
        velocity: &mut FieldByAxis<f32>,
        changed: impl Fn(&Piece, f64) -> f64,
    ) {
        for piece in &self.list {
            let field = &mut velocity[piece.axis];
            let value = f64::from(field.get(piece.cell));
            field.set(piece.cell, changed(piece, value) as f32);
        }
    }
}
