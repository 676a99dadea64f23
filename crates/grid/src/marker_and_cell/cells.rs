//! What cells and faces are: solid, liquid or air (Carlson 2004, sec. 3.2.1 and 3.2.3.3). Solids are made of whole cells.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{BodyId, Obstacles, ParticleSet};
use ooze_field::{Field, FieldByAxis, Place, Topology, face_fields};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::flip::order::CellOrder;

/// Share of a cell's room below which it is solid.
const HALF: f32 = 0.5;

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Air,
    Solid,
    /// It holds a marker or more.
    Liquid,
}

/// What a face is between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Air on both sides.
    Air,
    /// Liquid and air.
    Surface,
    /// Liquid on both sides: its velocity is solved for.
    Fluid,
    /// Solid on one side.
    Wall,
    /// Inside an emitter, whose velocity it has.
    Driven,
    /// Solid on both sides, where liquid may glide.
    Gliding,
    /// Solid on both sides, where it may not.
    Holding,
}

impl Role {
    /// Whether pressure changes its velocity.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Fluid | Self::Surface)
    }
}

/// Marks the cells that are solid.
pub(super) fn solid_cells(boundary: &Boundary) -> Field<Kind> {
    let topology = boundary.room.topology();
    let mut kind = Field::new(topology, Place::Cell, Kind::Air);
    kind.par_tiles_mut().for_each(|(slot, tile)| {
        if boundary.near(slot) {
            for (kind, &room) in tile.iter_mut().zip(boundary.room.tile(slot)) {
                if room < HALF {
                    *kind = Kind::Solid;
                }
            }
        }
    });
    kind
}

/// The grid of one step: what its cells and faces are.
pub(super) struct Cells<'a> {
    pub(super) topology: Arc<Topology>,
    pub(super) boundary: &'a Boundary,
    pub(super) obstacles: &'a Obstacles<'a>,
    pub(super) kind: Field<Kind>,
    pub(super) role: FieldByAxis<Role>,
    /// Velocities of walls and of what emitters drive, on the faces that are such.
    pub(super) imposed: FieldByAxis<f32>,
    /// Densities over the reference density, of cells with liquid; none where all are one.
    density: Option<Field<f32>>,
}

impl<'a> Cells<'a> {
    /// The cells with markers are liquid unless they are solid.
    pub(super) fn new(
        order: &CellOrder,
        mut kind: Field<Kind>,
        boundary: &'a Boundary,
        obstacles: &'a Obstacles<'a>,
    ) -> Self {
        let topology = Arc::clone(&order.topology);
        let each = topology.tile_cells();
        kind.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, kind) in tile.iter_mut().enumerate() {
                let marked = !order.cell_particles(slot * each + local).is_empty();
                if marked && *kind == Kind::Air {
                    *kind = Kind::Liquid;
                }
            }
        });
        let mut cells = Self {
            role: face_fields(&topology, Role::Air),
            imposed: face_fields(&topology, 0.0),
            topology,
            boundary,
            obstacles,
            kind,
            density: None,
        };
        cells.find_roles();
        cells
    }

    fn find_roles(&mut self) {
        let axes = self.axes();
        let mut roles = face_fields(&self.topology, Role::Air);
        let mut imposed = face_fields(&self.topology, 0.0);
        let moves = self.obstacles.any_moves();
        for (axis, (roles, imposed)) in roles.iter_mut().zip(&mut imposed).enumerate().take(axes) {
            let step = IVec3::AXES[axis];
            roles.par_tiles_mut().zip(imposed.par_tiles_mut()).for_each(
                |((slot, roles), (_, imposed))| {
                    let above = self.kind.tile(slot);
                    for (local, role) in roles.iter_mut().enumerate() {
                        let face = self.topology.cell(slot, local);
                        let below = self.kind.get(face - step);
                        if self.boundary.is_driven(axis, slot, local) {
                            *role = Role::Driven;
                            imposed[local] = self.boundary.wall_velocity[axis].tile(slot)[local];
                            continue;
                        }
                        *role = match (below, above[local]) {
                            (Kind::Liquid, Kind::Liquid) => Role::Fluid,
                            (Kind::Solid, Kind::Solid) => self.inside(axis, face),
                            (Kind::Solid, _) | (_, Kind::Solid) => Role::Wall,
                            (Kind::Liquid, _) | (_, Kind::Liquid) => Role::Surface,
                            (Kind::Air, Kind::Air) => Role::Air,
                        };
                        if moves && matches!(role, Role::Wall | Role::Holding) {
                            imposed[local] = self.wall_velocity(axis, face);
                        }
                    }
                },
            );
        }
        (self.role, self.imposed) = (roles, imposed);
    }

    fn inside(&self, axis: usize, face: IVec3) -> Role {
        let body = self.body(self.point(axis, face));
        let holds = body.is_some_and(|body| self.obstacles.contact(body).condition.holds());
        if holds { Role::Holding } else { Role::Gliding }
    }

    fn wall_velocity(&self, axis: usize, face: IVec3) -> f32 {
        let point = self.point(axis, face);
        let body = self.body(point);
        body.map_or(0.0, |body| self.obstacles.velocity(body, point)[axis])
    }

    /// The solid nearest to a point.
    pub(super) fn body(&self, point: Vec3) -> Option<BodyId> {
        self.boundary.body_at(point)
    }

    /// The centre of a face.
    pub(super) fn point(&self, axis: usize, face: IVec3) -> Vec3 {
        self.role[axis].position(face)
    }

    pub(super) fn axes(&self) -> usize {
        self.topology.lattice().axes()
    }

    pub(super) fn cell_size(&self) -> f64 {
        f64::from(self.topology.lattice().cell_size)
    }

    pub(super) fn is_liquid(&self, cell: IVec3) -> bool {
        self.kind.get(cell) == Kind::Liquid
    }

    /// The places of values that are wanted, in the order of storage.
    pub(super) fn listed<T: Send + Sync>(
        &self,
        values: &[T],
        wanted: impl Fn(&T) -> bool + Sync,
    ) -> Vec<IVec3> {
        let each = self.topology.tile_cells();
        let wanted = &wanted;
        values
            .par_chunks(each)
            .enumerate()
            .flat_map_iter(|(slot, tile)| {
                let found = tile.iter().enumerate().filter(|(_, value)| wanted(value));
                found.map(move |(local, _)| self.topology.cell(slot, local))
            })
            .collect()
    }

    /// The cells that hold liquid.
    pub(super) fn liquid_cells(&self) -> Vec<IVec3> {
        self.listed(self.kind.values(), |kind| *kind == Kind::Liquid)
    }

    /// The same with densities of the cells from their markers, relative to that of the first material.
    pub(super) fn with_densities(
        mut self,
        order: &CellOrder,
        particles: &ParticleSet,
        densities: &[f32],
    ) -> Self {
        if densities.windows(2).all(|pair| pair[0] == pair[1]) {
            return self;
        }
        let each = self.topology.tile_cells();
        let mut mean = Field::new(&self.topology, Place::Cell, 1.0);
        mean.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, mean) in tile.iter_mut().enumerate() {
                let own = &particles.material[order.cell_particles(slot * each + local)];
                if !own.is_empty() {
                    let of = |material: &u8| densities[usize::from(*material)] / densities[0];
                    *mean = own.iter().map(of).sum::<f32>() / own.len() as f32;
                }
            }
        });
        self.density = Some(mean);
        self
    }

    /// Density at a face over the reference density: the mean of the liquid on its sides.
    pub(super) fn density(&self, axis: usize, face: IVec3) -> f32 {
        let Some(density) = &self.density else {
            return 1.0;
        };
        let below = face - IVec3::AXES[axis];
        match (self.is_liquid(below), self.is_liquid(face)) {
            (true, false) => density.get(below),
            (false, true) => density.get(face),
            _ => 0.5 * (density.get(below) + density.get(face)),
        }
    }
}
