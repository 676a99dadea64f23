//! Smoothed aggregation for thin liquid: sheets, strands and droplets.
//!
//! Aggregation after Vaněk, Mandel & Brezina 1996, with a coarse space of motions that strain nothing. The matrix is
//! no M-matrix, and what converges slowly are not constants but rigid motions of every part that hangs together:
//! translations alone cannot represent them, and unknowns shared between neighbouring strands glue them together.
//!
//! - Level of faces: Gauss-Seidel by cubes of 3³ cells in eight colours (`blocks`, `fine`).
//! - Level of pieces: the faces of a cube that strong strain samples hold together (`classes`, `pieces`), with the
//!   motions that the samples inside resist by less than a threshold (`kernel`): the rigid ones and hinges.
//!   Prolongation is smoothed once (`smooth`); the coarse matrix is the Galerkin product (`block_matrix`), in unknowns
//!   that make its diagonal blocks the identity; block Gauss-Seidel (`block_level`).
//! - Level of bodies: the same on cubes of 3³ cubes (`bodies`), solved by a sparse Cholesky factorisation (`fronts`).
//!
//! Deviations from textbook aggregation: the number of motions of an aggregate is not fixed, since a sheet one cell
//! thin folds without strain; pieces that their mass holds, and those that touch nothing else, have no coarser
//! level, so that little is left of the hierarchy when viscosity is low.
//!
//! # Why the cycle is symmetric and positive definite
//!
//! With a forward sweep `M` before the coarse correction `B` and the transposed sweep after it, the cycle is
//! `Mᵀ D M + (1 − Mᵀ A) P B Pᵀ (1 − A M)`: positive definite if the diagonal D is and B is semi-definite, whatever
//! roundings do to the coarse matrix. B is of the same form again, or a factorisation `(L Lᵀ)⁻¹`.
//!
//! Levels are stored and cycled in f32. The hierarchy is built in f64, because the energy of nearly rigid motions is a
//! small difference of large numbers.

mod block_level;
mod blocks;
mod bodies;
mod classes;
mod fine;
mod kernel;
mod pieces;
mod shared;
mod smooth;
mod transfer;

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::rows::{Incidence, UnknownPlace, WeightedRows};
use crate::solve::Preconditioner;
use crate::viscous::block_matrix::BlockMatrix;
use crate::viscous::check_system;
use crate::viscous::fronts::Factor;
use crate::viscous::scales::Scales;
use block_level::BlockLevel;
use blocks::Blocks;
use bodies::Bodies;
use fine::FineLevel;
use pieces::Pieces;
use transfer::Transfer;

/// Damping of the second prolongation: the spectrum of normalised block matrices reaches 1.5 in bulk liquid and 3.5 in
/// foams of droplets; iterations hardly depend on it.
const BODY_DAMPING: f64 = 0.65;

/// The multigrid preconditioner for `A = diag(mass) + Gᵀ W G` on a staggered grid, see the module's head.
#[derive(Debug)]
pub struct StrainMultigrid {
    /// The caller's row of each unknown, and the unknown of each of the caller's rows.
    row: Vec<u32>,
    unknown: Vec<u32>,
    fine: FineLevel,
    to_blocks: Transfer,
    blocks: BlockLevel,
    to_bodies: Transfer,
    body_right_hand_side: Vec<f32>,
    body_x: shared::SharedVector,
    factor: Factor,
}

impl StrainMultigrid {
    /// Builds the hierarchy of a matrix from [`normal_matrix`](crate::normal_matrix), with the place of each unknown
    /// and the rows it was made of.
    ///
    /// Rows should couple faces of cells that touch, as strain samples do. Longer ones are allowed, but a sweep may then
    /// meet them in an order that depends on the number of threads.
    ///
    /// # Errors
    /// When there is not one place per unknown, two unknowns share a place, an axis is not 0 to 2, a row names an
    /// unknown that does not exist, a diagonal entry is not positive or the lattice is too large.
    pub fn new(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Self, PreconditionerError> {
        rayon::scope(|_| {
            check_system(matrix, places, rows)?;
            Self::build(matrix, places, rows)
        })
    }

    fn build(
        matrix: &SymmetricMatrix,
        places: &[UnknownPlace],
        rows: &WeightedRows,
    ) -> Result<Self, PreconditionerError> {
        let cubes = Blocks::new(matrix.size(), |i| places[i].cell, |i| places[i].axis)?;
        for pair in cubes.item.windows(2) {
            let [first, second] = [pair[0] as usize, pair[1] as usize];
            if places[first] == places[second] {
                return Err(PreconditionerError::SamePlace {
                    first,
                    second,
                    cell: places[first].cell,
                });
            }
        }
        let incidence = Incidence::new(matrix.size(), rows);
        let classes = classes::classify(matrix, rows, &cubes.block);
        let scales = Scales::new(matrix, rows);
        let pieces = Pieces::find(matrix, &scales.mass, &cubes, rows, &classes, &incidence);
        let fine = FineLevel::new(matrix, &cubes, &pieces);
        let mut prolongation = smooth::prolongation(&scales, rows, &incidence, &pieces);
        let mut block_matrix = smooth::coarse_matrix(matrix, &cubes, &pieces, &prolongation);
        let factors = block_matrix.factor_diagonal();
        block_matrix.normalise(&factors);
        smooth::normalise(&mut prolongation, &factors);
        let to_blocks = Transfer::new(prolongation, &pieces.mode_start);
        let coupled: Vec<bool> = (0..block_matrix.nodes())
            .map(|node| block_matrix.blocks(node).len() > 1)
            .collect();
        let bodies = Bodies::find(&cubes, &pieces, rows, &classes, &coupled, &factors)?;
        let body_count = bodies.place.len();
        let product = smooth::multiply(&block_matrix, &bodies.tentative, body_count);
        let body_prolongation = smooth::smooth(
            &block_matrix,
            &bodies.tentative,
            &product,
            BODY_DAMPING,
            body_count,
        );
        let product = smooth::multiply(&block_matrix, &body_prolongation, body_count);
        let body_order: Vec<u32> = (0..body_count as u32).collect();
        let body_matrix = BlockMatrix::product(
            &bodies.mode_start,
            &body_prolongation,
            &product,
            &body_order,
        );
        let factor = Factor::new(&body_matrix, &bodies.place);
        let to_bodies = Transfer::new(body_prolongation, &bodies.mode_start);
        let blocks = BlockLevel::new(block_matrix, &cubes, &pieces.node_block);
        Ok(Self {
            row: pieces.row,
            unknown: pieces.unknown,
            fine,
            to_blocks,
            blocks,
            to_bodies,
            body_right_hand_side: vec![0.0; body_matrix.size()],
            body_x: shared::SharedVector::new(body_matrix.size()),
            factor,
        })
    }
}

impl Preconditioner for StrainMultigrid {
    fn apply(&mut self, residual: &[f64], out: &mut [f64]) {
        let right_hand_side = self.fine.right_hand_side.par_chunks_mut(CHUNK);
        let rows = self.row.par_chunks(CHUNK);
        right_hand_side.zip(rows).for_each(|(b, row)| {
            for (b, &row) in b.iter_mut().zip(row) {
                *b = residual[row as usize] as f32;
            }
        });
        self.fine.sweep_from_zero();
        if self.blocks.size() > 0 {
            self.fine.find_residual();
            self.to_blocks
                .restrict(&self.fine.residual, &mut self.blocks.right_hand_side);
            self.correct_blocks();
            self.to_blocks.prolong(&self.blocks.x, &self.fine.x);
        }
        self.fine.sweep_back();
        let unknowns = self.unknown.par_chunks(CHUNK);
        let x = &self.fine.x;
        out.par_chunks_mut(CHUNK)
            .zip(unknowns)
            .for_each(|(out, unknown)| {
                for (out, &unknown) in out.iter_mut().zip(unknown) {
                    *out = f64::from(x.get(unknown as usize));
                }
            });
    }
}

impl StrainMultigrid {
    /// Unknowns on each level, finest first.
    pub fn level_sizes(&self) -> Vec<usize> {
        vec![self.fine.x.len(), self.blocks.size(), self.body_x.len()]
    }

    /// Bytes held, besides a few per level.
    pub fn bytes(&self) -> usize {
        let numbering = 4 * (self.row.len() + self.unknown.len());
        let bodies = 4 * (self.body_right_hand_side.len() + self.body_x.len());
        numbering
            + self.fine.bytes()
            + self.to_blocks.bytes()
            + self.blocks.bytes()
            + self.to_bodies.bytes()
            + bodies
            + self.factor.bytes()
    }

    fn correct_blocks(&mut self) {
        self.blocks.sweep_from_zero();
        if self.body_x.len() > 0 {
            self.blocks.find_residual();
            self.to_bodies
                .restrict(&self.blocks.residual, &mut self.body_right_hand_side);
            let x = &self.body_x;
            self.factor
                .solve(&self.body_right_hand_side, |index, value| {
                    x.set(index, value as f32)
                });
            self.to_bodies.prolong(&self.body_x, &self.blocks.x);
        }
        self.blocks.sweep_back();
    }
}
