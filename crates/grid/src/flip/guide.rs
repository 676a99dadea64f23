//! Which rotations the walls at a piece of liquid allow.
//!
//! A rotation ω about a piece's centre moves the liquid at a point r from it into the wall with the normal n at the speed
//! n · (ω × r) = ω · g, g = r × n. Of a wanted rotation the one that comes nearest to it and hardly does so minimises
//!
//! ```text
//! Σ |(ω − wanted) × r|² + κ Σ (ω · g)²:    (M + κ Q) ω = M wanted,    M = Σ (|r|² I − r rᵀ),    Q = Σ g gᵀ
//! ```
//!
//! over the cells of the piece beside walls. Round drums and the axes across floors are free; other rotations are taken away.

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::volume::Pieces;
use crate::boundary::Boundary;
use crate::moments::{CLEAR, outer};

/// The weight κ of motion into walls.
const STRICTNESS: f64 = 100.0;

/// What holds a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guide {
    /// The sums M and Q over its cells beside walls.
    motion: DMat3,
    into_walls: DMat3,
    cells: usize,
    /// Whether an emitter drives some of it.
    driven: bool,
}

impl Guide {
    const NONE: Self = Self {
        motion: DMat3::ZERO,
        into_walls: DMat3::ZERO,
        cells: 0,
        driven: false,
    };

    /// The guides of all pieces around their centres; entry 0, the spray, is no piece.
    pub(crate) fn of(pieces: &Pieces, boundary: &Boundary, centres: &[DVec3]) -> Vec<Self> {
        let owner = pieces.owner();
        let topology = owner.topology();
        let reach = CLEAR * topology.lattice().cell_size;
        let tiles: Vec<Vec<(u32, Self)>> = (0..topology.tile_count())
            .into_par_iter()
            .map(|slot| {
                let near = boundary.near(slot);
                let mut found: Vec<(u32, Self)> = Vec::new();
                for (local, &piece) in owner.tile(slot).iter().enumerate() {
                    let driven = (0..3).any(|axis| boundary.is_driven(axis, slot, local));
                    let walled = near && boundary.distance.tile(slot)[local] < reach;
                    if piece == 0 || !(driven || walled) {
                        continue;
                    }
                    if found.last().is_none_or(|run| run.0 != piece) {
                        found.push((piece, Self::NONE));
                    }
                    let Some((_, guide)) = found.last_mut() else {
                        continue;
                    };
                    guide.driven |= driven;
                    if walled {
                        let point = owner.position(topology.cell(slot, local));
                        let normal = boundary.outward(point).as_dvec3();
                        guide.add_wall(point.as_dvec3() - centres[piece as usize], normal);
                    }
                }
                found
            })
            .collect();
        let mut guides = vec![Self::NONE; centres.len()];
        for (piece, part) in tiles.into_iter().flatten() {
            guides[piece as usize].add(&part);
        }
        guides
    }

    fn add_wall(&mut self, offset: DVec3, normal: DVec3) {
        let square = DMat3::from_diagonal(DVec3::splat(offset.length_squared()));
        self.motion += square - outer(offset);
        self.into_walls += outer(offset.cross(normal));
        self.cells += 1;
    }

    fn add(&mut self, other: &Self) {
        self.motion += other.motion;
        self.into_walls += other.into_walls;
        self.cells += other.cells;
        self.driven |= other.driven;
    }

    /// As much of a rotation as the walls allow; nothing of it where an emitter holds the piece.
    pub(crate) fn allowed(&self, wanted: DVec3, flat: bool) -> DVec3 {
        if self.driven {
            return DVec3::ZERO;
        }
        if self.cells == 0 {
            return wanted;
        }
        let stiff = self.motion + STRICTNESS * self.into_walls;
        let allowed = if flat {
            wanted * (self.motion.z_axis.z / stiff.z_axis.z)
        } else {
            stiff.inverse() * (self.motion * wanted)
        };
        // A single cell, or a row of them, tells nothing.
        if allowed.is_finite() {
            allowed
        } else {
            DVec3::ZERO
        }
    }
}
