//! What transport takes from the spin of a free piece of liquid, given back: as `flip::turning`, for velocities on faces.
//!
//! Velocities that are carried along a rotation keep their directions, and the pressure of the next step takes away the part
//! that has come to point outward: 1 − cos ωdt of the spin in each step. Internal forces cannot change the angular momentum of
//! a piece that touches nothing, and neither may transport: what is missing afterwards is added as a rigid rotation about
//! the centre of mass. Pieces that touch a wall or an emitter, have split, or have met another are left alone.

use glam::{DVec3, IVec3, Vec3};
use ooze_field::{Field, FieldByAxis, sample_faces};
use rayon::prelude::*;

use super::lattices::{FINE, face_node};
use super::paths::Middles;
use super::volume::Pieces;
use crate::boundary::Boundary;
use crate::moments::{CLEAR, Moments};

/// Samples of the level set below which a piece is a drop without a shape that could turn.
const FEW: u32 = 512;
const FEW_IN_PLANE: u32 = 64;
/// Cells from walls from which on a piece can be shifted.
const APART: f32 = 0.1;
/// Share of a piece's rotation that may be given back at once.
const LARGEST_PART: f64 = 0.25;

/// Angular momentum of each piece about its centre of mass, by label; none of pieces that are not free.
pub(super) type Spins = Vec<Option<DVec3>>;

/// A liquid in its pieces.
pub(super) struct Turning<'a> {
    pub(super) pieces: &'a Pieces,
    /// The level set that the pieces are of.
    pub(super) shown: &'a Field<f32>,
    /// Shares of liquid around the faces of cells.
    pub(super) shares: &'a FieldByAxis<f32>,
}

impl Turning<'_> {
    /// The spins of the pieces that are clear of walls and emitters. `density` tells the density of a cell in kg/m³.
    pub(super) fn measure(
        &self,
        velocity: &FieldByAxis<f32>,
        density: impl Fn(IVec3) -> f32 + Sync,
        clearances: &[f32],
    ) -> Spins {
        let moments = self.moments(velocity, density);
        let flat = self.shown.topology().lattice().flat;
        let least = if flat { FEW_IN_PLANE } else { FEW };
        let pieces = moments.iter().zip(clearances).enumerate();
        pieces
            .map(|(piece, (moments, &clearance))| {
                let clear = clearance >= CLEAR;
                let free = clear && self.pieces.size(piece) >= least && moments.mass > 0.0;
                free.then(|| moments.spin())
            })
            .collect()
    }

    /// Where the middles of the pieces that touch nothing will be after they have moved for `dt` with these velocities (midpoint
    /// rule).
    pub(super) fn carried_middles(
        &self,
        velocity: &FieldByAxis<f32>,
        clearances: &[f32],
        dt: f32,
    ) -> Middles {
        let apart = |clearance: f32| clearance >= APART;
        if !clearances.iter().any(|&clearance| apart(clearance)) {
            return Middles::new();
        }
        let sample = |point: Vec3| sample_faces(velocity, point);
        let way = |point: Vec3| dt * sample(point + 0.5 * dt * sample(point));
        let middles = self.pieces.middles(self.shown, way).into_iter();
        middles
            .zip(clearances)
            .map(|(middle, &clearance)| middle.filter(|_| apart(clearance)))
            .collect()
    }

    /// Gives velocities the spins that the pieces had before they were carried.
    pub(super) fn restore(
        &self,
        velocity: &mut FieldByAxis<f32>,
        spins: &Spins,
        density: impl Fn(IVec3) -> f32 + Sync,
    ) {
        if spins.len() != self.pieces.count() + 1 || spins.iter().all(Option::is_none) {
            return;
        }
        let flat = self.shown.topology().lattice().flat;
        let turns: Vec<Option<(Vec3, Vec3)>> = self
            .moments(velocity, density)
            .iter()
            .zip(spins)
            .map(|(moments, spin)| {
                let spin = (*spin)?;
                let whole = moments.rotation(spin, flat)?;
                let rotation = moments.rotation(spin - moments.spin(), flat)?;
                // Transport takes little at once; what is more is no loss of a turning body.
                let little = rotation.length() < LARGEST_PART * whole.length();
                little.then(|| (moments.centre().as_vec3(), rotation.as_vec3()))
            })
            .collect();
        for (axis, field) in velocity.iter_mut().enumerate() {
            let topology = field.topology().clone();
            let (lattice, offset) = (*topology.lattice(), field.place().offset());
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let cell = topology.cell(slot, local);
                    let owner = self.pieces.owner(face_node(axis, cell));
                    if let Some((centre, rotation)) = turns[owner] {
                        let point = lattice.to_world(cell.as_vec3() + offset);
                        *value += rotation.cross(point - centre)[axis];
                    }
                }
            });
        }
    }

    /// Moments of each piece, from the faces and with their shares of liquid as the viscous stage has them: the sums that it
    /// keeps. Entry 0 is nobody's.
    fn moments(
        &self,
        velocity: &FieldByAxis<f32>,
        density: impl Fn(IVec3) -> f32 + Sync,
    ) -> Vec<Moments> {
        let topology = self.shares[0].topology();
        let lattice = *topology.lattice();
        let axes = lattice.axes();
        let cell_volume = lattice.cell_volume();
        let tiles: Vec<Vec<(usize, Moments)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut runs: Vec<(usize, Moments)> = Vec::new();
                for (axis, shares) in self.shares.iter().enumerate().take(axes) {
                    for (local, &share) in shares.tile(slot).iter().enumerate() {
                        if share <= 0.0 {
                            continue;
                        }
                        let cell = topology.cell(slot, local);
                        let piece = self.pieces.owner(face_node(axis, cell));
                        if runs.last().is_none_or(|run| run.0 != piece) {
                            runs.push((piece, Moments::NONE));
                        }
                        // A face has all of the mass along its own axis, and none along the others.
                        let count = axes as f32;
                        let mass = f64::from(density(cell) * share / count) * cell_volume;
                        let mut own = Vec3::ZERO;
                        own[axis] = count * velocity[axis].get(cell);
                        if let Some((_, moments)) = runs.last_mut() {
                            moments.add_particle(mass, shares.position(cell), own);
                        }
                    }
                }
                runs
            })
            .collect();
        Moments::gathered(&tiles, self.pieces.count())
    }

    /// How far each piece is from the nearest wall, in cells; 0 for those that meet an emitter, and for entry 0.
    pub(super) fn clearances(&self, boundary: &Boundary) -> Vec<f32> {
        let topology = self.shown.topology();
        let cells = boundary.distance.topology();
        let outermost = -2.0 * topology.lattice().cell_size;
        let tiles: Vec<Vec<(usize, f32)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let mut runs: Vec<(usize, f32)> = Vec::new();
                for (local, &value) in self.shown.tile(slot).iter().enumerate() {
                    let node = topology.cell(slot, local);
                    let piece = self.pieces.owner(node);
                    if value >= 0.0 || piece == 0 {
                        continue;
                    }
                    let cell = node.div_euclid(IVec3::splat(FINE));
                    let driven = cells.index(cell).is_some_and(|index| {
                        let (slot, local) =
                            (index / cells.tile_cells(), index % cells.tile_cells());
                        (0..3).any(|axis| boundary.is_driven(axis, slot, local))
                    });
                    let distance = match driven {
                        true => 0.0,
                        false if value < outermost => continue,
                        // The surface is as much nearer to a wall before it as the node is deep.
                        false => boundary.distance.sample(self.shown.position(node)) + value,
                    };
                    match runs.last_mut() {
                        Some(run) if run.0 == piece => run.1 = run.1.min(distance),
                        _ => runs.push((piece, distance)),
                    }
                }
                runs
            })
            .collect();
        let mut clearances = vec![f32::INFINITY; self.pieces.count() + 1];
        clearances[0] = 0.0;
        for (piece, distance) in tiles.into_iter().flatten() {
            let clearance = distance / cells.lattice().cell_size;
            clearances[piece] = clearances[piece].min(clearance);
        }
        clearances
    }
}
