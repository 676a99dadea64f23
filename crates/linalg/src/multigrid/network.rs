//! A level's matrix while the hierarchy is built: a network of conductances.
//!
//! Row i of the matrix reads Σⱼ wᵢⱼ (xᵢ − xⱼ) + gᵢ xᵢ: unknowns are joined by weights w and held at zero by grounds g.
//! Ground is kept apart from the weights, so that a part without ground stays so on every level. Unknowns are sorted
//! by colour, red before black.

use ooze_commons::reduce::CHUNK;
use rayon::prelude::*;

use super::couplings::{Couplings, RowBuilder, RowCouplings};
use super::numbering::{Numbering, pack};
use super::place::Place;
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;

/// Grounds below this fraction of the diagonal are roundings of the f64 diagonal.
const ZERO_GROUND: f64 = 1e-12;

/// Conductances between the unknowns of one level, see the file's head.
#[derive(Debug, Default)]
pub(super) struct Network {
    /// Number of red unknowns; the black ones follow.
    pub(super) red: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) couplings: Couplings,
}

/// What is known of one unknown besides its couplings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node {
    pub(super) place: Place,
    /// Strongest coupling; 0 for unknowns that the coarser level need not see: those without couplings, and those
    /// held by ground at least as much as by their neighbours, whose error a sweep reduces by half and more.
    pub(super) strength: f32,
    pub(super) ground: f32,
    /// Sum of ground and couplings.
    pub(super) diagonal: f32,
    /// Number of couplings in slots that lead to unknowns in the same block of 2³ cells.
    pub(super) inner: u8,
    /// Whether there are couplings beyond the slots.
    pub(super) extra: bool,
}

/// Sum and maximum of the weights of a row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weights {
    sum: f64,
    strongest: f32,
}

impl Weights {
    /// Takes in one more weight.
    #[inline]
    pub(super) fn add(&mut self, weight: f32) {
        self.sum += f64::from(weight);
        self.strongest = self.strongest.max(weight);
    }
}

impl Node {
    /// Fills in what follows from ground and couplings.
    pub(super) fn describe(&mut self, ground: f64, weights: &Weights) {
        let held = ground >= weights.sum;
        self.strength = if held { 0.0 } else { weights.strongest };
        self.ground = ground as f32;
        self.diagonal = (ground + weights.sum) as f32;
    }
}

impl Network {
    /// The network of a matrix, with the numbering that sorts its unknowns by colour.
    pub(super) fn from_matrix(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
    ) -> Result<(Self, Numbering), PreconditionerError> {
        check_signs(matrix)?;
        let place = pack(coordinates)?;
        let numbering = Numbering::by_colour(&place);
        let mut nodes = vec![Node::default(); matrix.size()];
        let mut none = vec![(); matrix.size()];
        let fill = |unknown: usize, node: &mut Node, (): &mut (), builder: &mut RowBuilder| {
            let row = numbering.row[unknown] as usize;
            node.place = place[row];
            let mut weights = Weights::default();
            for (column, value) in matrix.row(row) {
                weights.add(-value);
                let inner = node.place.shares_block(place[column], 1);
                builder.push(numbering.unknown[column], -value, inner);
            }
            let diagonal = matrix.diagonal()[row];
            let surplus = diagonal - weights.sum;
            let grounded = surplus > ZERO_GROUND * diagonal;
            node.describe(if grounded { surplus } else { 0.0 }, &weights);
        };
        let couplings = Couplings::build(numbering.red, &mut nodes, &mut none, fill);
        let network = Self {
            red: numbering.red,
            nodes,
            couplings,
        };
        Ok((network, numbering))
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Whether any two unknowns are coupled.
    pub(super) fn has_couplings(&self) -> bool {
        self.nodes.iter().any(|node| node.diagonal > node.ground)
    }

    /// The couplings of an unknown.
    #[inline]
    pub(super) fn row(&self, unknown: usize) -> RowCouplings<'_> {
        self.couplings.row(unknown, &self.nodes[unknown])
    }
}

/// The preconditioner is built from weights, which are off-diagonals of the opposite sign.
fn check_signs(matrix: &SymmetricMatrix) -> Result<(), PreconditionerError> {
    let values = matrix.values().par_chunks(CHUNK);
    if !values.any(|values| values.iter().any(|&value| value > 0.0)) {
        return Ok(());
    }
    let positive = (0..matrix.size()).find_map(|row| {
        let (column, value) = matrix.row(row).find(|&(_, value)| value > 0.0)?;
        Some(PreconditionerError::PositiveCoupling { row, column, value })
    });
    positive.map_or(Ok(()), Err)
}
