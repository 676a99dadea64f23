//! What sticks to bodies, and moves with them.
//!
//! Where liquid has set around a body, ice that has frozen on again say, the two are one piece. Neither moves by itself but against all the
//! stiffness between them, which tells nothing of how they move together: a preconditioner that takes one after the other finds a
//! millionth of that, and an iteration goes into each motion of each body. Here a body takes along all that stiff rows join to it, as a rigid
//! whole: with Z such motions, Z (Zᵀ B Z)⁻¹ Zᵀ of what viscosity and inertia B leave over is what [`BodyBlock::answer`] and the
//! viscous cycle begin with.

use ooze_commons::DisjointSets;

use crate::coupling::{FreeBodies, Six, work};
use crate::viscosity::faces::face_position;
use crate::viscosity::rows::RowMaker;
use crate::viscosity::system::ViscousSystem;

use super::bodies::BodyBlock;
use super::cells::PressedFaces;

/// Pivots below this share of the diagonal are roundings.
const LEAST_PIVOT: f64 = 1e-13;

/// Bodies that stiff liquid joins, and what of it they take along.
struct Piece {
    bodies: Vec<usize>,
    /// Cholesky's factor of Zᵀ B Z, by rows; what is beyond the diagonal means nothing.
    lower: Vec<f64>,
}

/// A face that moves with a body.
struct Follower {
    face: usize,
    /// The body.
    number: usize,
    /// Its velocity is this times the body's motion.
    entry: Six,
}

/// The pieces that bodies are in, with what sticks to them.
#[derive(Default)]
pub(super) struct Stuck {
    pieces: Vec<Piece>,
    followers: Vec<Follower>,
}

impl Stuck {
    /// Finds what rows of more than this weight join to bodies; nothing if that is no liquid.
    pub(super) fn find(
        maker: &RowMaker<'_>,
        viscous: &ViscousSystem,
        pressed: &PressedFaces,
        (bodies, block): (&FreeBodies, &BodyBlock),
        stiff: f64,
    ) -> Self {
        let mut stuck = Self::default();
        let faces = viscous.mass.len();
        let mut sets = DisjointSets::new(faces + bodies.len());
        for (row, &weight) in viscous.rows.weights().iter().enumerate() {
            if f64::from(weight) > stiff {
                let (columns, _) = viscous.rows.row(row);
                for pair in columns.windows(2) {
                    sets.join(pair[0], pair[1]);
                }
                let first = columns.first().copied();
                for (number, _) in block.ends_of(row) {
                    if let Some(first) = first {
                        sets.join(first, (faces + number) as u32);
                    }
                }
            }
        }
        let root = |number: usize| sets.root((faces + number) as u32);
        let mut members: Vec<(u32, usize)> =
            (0..bodies.len()).map(|own| (root(own), own)).collect();
        members.sort_unstable();
        let topology = maker.weights.cells.topology();
        for (face, place) in pressed.faces.places.iter().enumerate() {
            let own = sets.root(face as u32);
            let first = members.partition_point(|&(root, _)| root < own);
            let candidates = members[first..]
                .iter()
                .take_while(|&&(root, _)| root == own);
            let axis = usize::from(place.axis);
            let point = face_position(topology, axis, place.cell.into());
            let arms = candidates.map(|&(_, number)| (number, bodies.arm(number, point)));
            let nearest =
                arms.min_by(|(_, a), (_, b)| a.length_squared().total_cmp(&b.length_squared()));
            if let Some((number, arm)) = nearest {
                stuck.followers.push(Follower {
                    face,
                    number,
                    entry: Six::push(axis, arm, 1.0),
                });
            }
        }
        if !stuck.is_any() {
            return stuck;
        }
        for group in members.chunk_by(|a, b| a.0 == b.0) {
            stuck.pieces.push(Piece {
                bodies: group.iter().map(|&(_, number)| number).collect(),
                lower: Vec::new(),
            });
        }
        stuck.weigh(viscous, block);
        stuck
    }

    /// Whether anything sticks to any body.
    pub(super) fn is_any(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Assembles Zᵀ B Z and factors it.
    fn weigh(&mut self, viscous: &ViscousSystem, block: &BodyBlock) {
        // Where each body's motions are: its piece, and their place in it.
        let mut place = vec![(0, 0); block.size() / 6];
        for (index, piece) in self.pieces.iter_mut().enumerate() {
            let size = 6 * piece.bodies.len();
            piece.lower = vec![0.0; size * size];
            for (at, &number) in piece.bodies.iter().enumerate() {
                place[number] = (index, 6 * at);
                for (row, entries) in block.inertia(number).iter().enumerate() {
                    let start = (6 * at + row) * size + 6 * at;
                    piece.lower[start..start + 6].copy_from_slice(entries);
                }
            }
        }
        let mut follower = vec![u32::MAX; viscous.mass.len()];
        for (index, own) in (0..).zip(&self.followers) {
            follower[own.face] = index;
            let entry = own.entry.to_array();
            let (piece, at) = place[own.number];
            self.pieces[piece].add(viscous.mass[own.face], (at, &entry), (at, &entry));
        }
        let mut parts: Vec<(usize, Six)> = Vec::new();
        for (row, &weight) in viscous.rows.weights().iter().enumerate() {
            parts.clear();
            let (columns, coefficients) = viscous.rows.row(row);
            let mut add = |number: usize, times: f64, entry: Six| match parts
                .iter_mut()
                .find(|part| part.0 == number)
            {
                Some((_, sum)) => sum.add(times, entry),
                None => {
                    let mut sum = Six::default();
                    sum.add(times, entry);
                    parts.push((number, sum));
                }
            };
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                if let Some(own) = self.followers.get(follower[column as usize] as usize) {
                    add(own.number, f64::from(coefficient), own.entry);
                }
            }
            for (number, entry) in block.ends_of(row) {
                add(number, 1.0, entry);
            }
            for &(first, a) in &parts {
                for &(second, b) in &parts {
                    let ((piece, at), (other, other_at)) = (place[first], place[second]);
                    if piece == other {
                        let (a, b) = (a.to_array(), b.to_array());
                        self.pieces[piece].add(f64::from(weight), (at, &a), (other_at, &b));
                    }
                }
            }
        }
        for piece in &mut self.pieces {
            let free = piece
                .bodies
                .iter()
                .flat_map(|&number| block.freedom(number));
            let free: Vec<bool> = free.collect();
            piece.factor(&free);
        }
    }

    /// Adds to a correction the motions that answer to what is left over, of bodies with all that sticks to them.
    pub(super) fn answer(
        &self,
        block: &BodyBlock,
        (momentum, pushes): (&[f64], &[f64]),
        (velocity, motions): (&mut [f64], &mut [f64]),
    ) {
        let mut sums: Vec<Six> = pushes.chunks_exact(6).map(Six::from_slice).collect();
        for own in &self.followers {
            sums[own.number].add(momentum[own.face], own.entry);
        }
        let sides = block.unlocked(&sums);
        for piece in &self.pieces {
            let own = |number: &usize| sides[6 * number..6 * number + 6].iter().copied();
            let mut side: Vec<f64> = piece.bodies.iter().flat_map(own).collect();
            piece.solve(&mut side);
            for (&number, motion) in piece.bodies.iter().zip(side.chunks_exact(6)) {
                motions[6 * number..6 * number + 6].copy_from_slice(motion);
            }
        }
        let moved = block.motions(motions);
        for own in &self.followers {
            velocity[own.face] += work(own.entry, moved[own.number]);
        }
    }
}

impl Piece {
    /// Adds a weight times the product of two parts of a row, that begin at these places.
    fn add(&mut self, weight: f64, (at, a): (usize, &[f64; 6]), (other, b): (usize, &[f64; 6])) {
        let size = 6 * self.bodies.len();
        for (row, a) in (at..).zip(a) {
            let start = row * size + other;
            for (entry, b) in self.lower[start..start + 6].iter_mut().zip(b) {
                *entry += weight * a * b;
            }
        }
    }

    /// Factors the matrix; motions that are locked are left alone.
    fn factor(&mut self, free: &[bool]) {
        let size = free.len();
        let lower = &mut self.lower;
        for row in 0..size {
            for column in 0..size {
                if !(free[row] && free[column]) {
                    lower[row * size + column] = f64::from(u8::from(row == column));
                }
            }
        }
        for row in 0..size {
            for column in 0..=row {
                let (own, other) = (row * size, column * size);
                let known: f64 = (0..column).map(|k| lower[own + k] * lower[other + k]).sum();
                let left = lower[own + column] - known;
                lower[own + column] = match row == column {
                    // A motion that the others leave nothing of does nothing.
                    true if left > LEAST_PIVOT * lower[own + column] => left.sqrt(),
                    true => f64::INFINITY,
                    false => left / lower[other + column],
                };
            }
        }
    }

    /// Solves for motions, in place.
    fn solve(&self, x: &mut [f64]) {
        let (size, lower) = (x.len(), &self.lower);
        for row in 0..size {
            let known: f64 = (0..row).map(|k| lower[row * size + k] * x[k]).sum();
            x[row] = (x[row] - known) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|k| lower[k * size + row] * x[k]).sum();
            x[row] = (x[row] - known) / lower[row * size + row];
        }
    }
}
