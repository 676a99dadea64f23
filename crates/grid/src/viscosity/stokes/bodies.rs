//! Bodies that move along with thick liquid: their motions are unknown beside velocities and pressures.
//!
//! What is solved for is the change v of each body's motion from what it is without viscosity. A row of strain that ends at a
//! body has the entries E for it, and what flows out of cells as it moves is D_b v (`coupling`):
//!
//! ```text
//! A u + Gᵀ W E v − Dᵀ P              = …
//!        D u + D_b v                 = …
//! M v + Eᵀ W (G u + E v + known) − D_bᵀ P = 0
//! ```

use std::ops::Range;

use crate::coupling::{BodyFace, BodyFaces, BodyRows, FreeBodies, Patches, Six, work};
use crate::reactions::Reactions;
use crate::viscosity::ends::BodyEnds;
use crate::viscosity::rows::RowMaker;
use crate::viscosity::system::ViscousSystem;

use super::cells::PressedFaces;

/// A symmetric matrix for the motion of one body.
pub(super) type Block = [[f64; 6]; 6];

/// Where a row ends at a body.
#[derive(Clone, Copy)]
struct End {
    number: usize,
    /// What the body's motion adds to the strain rate, as a push of that size.
    entry: Six,
}

/// A row with all of its ends at bodies.
struct BodyRow {
    row: usize,
    ends: Range<usize>,
}

/// The part of bodies in a system of velocities and pressures.
pub(super) struct BodyBlock {
    ends: Vec<End>,
    rows: Vec<BodyRow>,
    outflow: BodyRows,
    /// M relative to the mass of a cell full of liquid, and M + EᵀWE.
    mass: Vec<Block>,
    /// That mass in kg.
    cell: f64,
    stiffness: Vec<Block>,
    /// Which motions of each body are possible.
    freedom: Vec<[bool; 6]>,
    /// Radius of gyration of each body in metres: how fast its surface is as it spins.
    reach: Vec<f64>,
    /// How each moves without viscosity.
    start: Vec<Six>,
}

impl BodyBlock {
    pub(super) fn new(
        maker: &RowMaker<'_>,
        (viscous, ends): (&ViscousSystem, &BodyEnds),
        pressed: &PressedFaces,
        (bodies, faces): (&FreeBodies, &BodyFaces),
        patches: &Patches,
    ) -> Self {
        let coupling = maker.liquid.coupling;
        let cell = f64::from(coupling.reference_density)
            * coupling.liquid.topology().lattice().cell_volume();
        let share = |face: &BodyFace| match pressed.is_unknown(face.axis, face.index) {
            true => 1.0 - face.open,
            false => 1.0,
        };
        let mass: Vec<Block> = (0..bodies.len())
            .map(|number| bodies.mass(number).map(|row| row.map(|entry| entry / cell)))
            .collect();
        let mut block = Self {
            ends: Vec::new(),
            rows: Vec::new(),
            outflow: BodyRows::new((bodies, faces), &pressed.row, patches, share),
            stiffness: mass.clone(),
            mass,
            cell,
            freedom: (0..bodies.len())
                .map(|number| bodies.freedom(number))
                .collect(),
            reach: (0..bodies.len())
                .map(|number| bodies.reach(number))
                .collect(),
            start: (0..bodies.len())
                .map(|number| bodies.velocity(number))
                .collect(),
        };
        block.take_ends(ends);
        block.stiffen(viscous);
        block
    }

    /// Notes where rows end at bodies. Ends of a row follow one another.
    fn take_ends(&mut self, ends: &BodyEnds) {
        for end in ends.iter() {
            let place = self.ends.len();
            self.ends.push(End {
                number: end.number,
                entry: end.entry,
            });
            match self.rows.last_mut() {
                Some(last) if last.row == end.row => last.ends.end = place + 1,
                _ => self.rows.push(BodyRow {
                    row: end.row,
                    ends: place..place + 1,
                }),
            }
        }
    }

    /// Adds EᵀWE within each body.
    fn stiffen(&mut self, viscous: &ViscousSystem) {
        for row in &self.rows {
            let weight = f64::from(viscous.rows.weights()[row.row]);
            let ends = &self.ends[row.ends.clone()];
            for first in ends {
                let own = ends.iter().filter(|second| second.number == first.number);
                for second in own {
                    let (a, b) = (first.entry.to_array(), second.entry.to_array());
                    let block = &mut self.stiffness[first.number];
                    for (block, a) in block.iter_mut().zip(a) {
                        for (entry, b) in block.iter_mut().zip(b) {
                            *entry += weight * a * b;
                        }
                    }
                }
            }
        }
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        6 * self.mass.len()
    }

    /// The motions of all bodies, without what is locked.
    pub(super) fn motions(&self, unknown: &[f64]) -> Vec<Six> {
        let bodies = unknown.chunks_exact(6).zip(&self.freedom);
        bodies
            .map(|(motion, freedom)| {
                let free = |index: usize| if freedom[index] { motion[index] } else { 0.0 };
                Six::from_slice(&std::array::from_fn::<f64, 6, _>(free))
            })
            .collect()
    }

    /// Where a row ends at bodies: the body, and what its motion adds to the strain rate.
    pub(super) fn ends_of(&self, row: usize) -> impl Iterator<Item = (usize, Six)> {
        let place = self.rows.binary_search_by_key(&row, |own| own.row);
        let ends = place.map_or(0..0, |place| self.rows[place].ends.clone());
        self.ends[ends].iter().map(|end| (end.number, end.entry))
    }

    /// A body's inertia relative to a cell full of liquid.
    pub(super) fn inertia(&self, number: usize) -> &Block {
        &self.mass[number]
    }

    /// Which motions of a body are possible.
    pub(super) fn freedom(&self, number: usize) -> [bool; 6] {
        self.freedom[number]
    }

    /// What motions add to a row's strain rate.
    fn rate(&self, row: &BodyRow, motions: &[Six]) -> f64 {
        let ends = self.ends[row.ends.clone()].iter();
        ends.map(|end| work(end.entry, motions[end.number])).sum()
    }

    /// The same for any row.
    pub(super) fn strain_rate(&self, row: usize, motions: &[Six]) -> f64 {
        let place = self.rows.binary_search_by_key(&row, |own| own.row);
        place.map_or(0.0, |place| self.rate(&self.rows[place], motions))
    }

    /// −EᵀW times the strain rates that are known: what walls that move already drag at the bodies.
    pub(super) fn right_hand_side(&self, viscous: &ViscousSystem) -> Vec<f64> {
        let mut sides = vec![Six::default(); self.mass.len()];
        for row in &self.rows {
            let [weight, known] = [viscous.rows.weights(), &viscous.known].map(|all| all[row.row]);
            // In stiff liquid a last digit of this stress is more than a body's weight.
            let stress = f64::from(weight) * f64::from(known);
            for end in &self.ends[row.ends.clone()] {
                sides[end.number].add(-stress, end.entry);
            }
        }
        self.unlocked(&sides)
    }

    /// Pushes without those along motions that are locked.
    pub(super) fn unlocked(&self, pushes: &[Six]) -> Vec<f64> {
        let bodies = pushes.iter().zip(&self.freedom);
        bodies
            .flat_map(|(push, freedom)| {
                let push = push.to_array();
                std::array::from_fn::<f64, 6, _>(|index| match freedom[index] {
                    true => push[index],
                    false => 0.0,
                })
            })
            .collect()
    }

    /// Adds so many times what motions do to momentum and outflow.
    pub(super) fn add_motion(
        &self,
        viscous: &ViscousSystem,
        motions: &[Six],
        times: f64,
        momentum: &mut [f64],
        outflow: &mut [f64],
    ) {
        for row in &self.rows {
            let weight = f64::from(viscous.rows.weights()[row.row]);
            let stress = times * weight * self.rate(row, motions);
            let (columns, coefficients) = viscous.rows.row(row.row);
            for (&column, &coefficient) in columns.iter().zip(coefficients) {
                momentum[column as usize] += f64::from(coefficient) * stress;
            }
        }
        self.outflow.add_outflow(motions, times, outflow);
    }

    /// The rows of the bodies: M v + EᵀW(G u + E v) − D_bᵀP.
    pub(super) fn multiply(
        &self,
        viscous: &ViscousSystem,
        (velocity, pressure, unknown): (&[f64], &[f64], &[f64]),
        motions: &[Six],
        product: &mut [f64],
    ) {
        let mut pushes = self.outflow.pushes(pressure);
        for push in &mut pushes {
            *push = Six::from_slice(&push.to_array().map(|entry| -entry));
        }
        for row in &self.rows {
            let weight = f64::from(viscous.rows.weights()[row.row]);
            let rate = viscous.strain_rate(row.row, velocity) + self.rate(row, motions);
            for end in &self.ends[row.ends.clone()] {
                pushes[end.number].add(weight * rate, end.entry);
            }
        }
        for ((push, mass), motion) in pushes.iter_mut().zip(&self.mass).zip(motions) {
            let motion = motion.to_array();
            let inertia = mass.map(|row| row.iter().zip(motion).map(|(a, b)| a * b).sum::<f64>());
            push.add(1.0, Six::from_slice(&inertia));
        }
        // What is locked is an equation of its own: nothing changes.
        let sums = self.unlocked(&pushes);
        let locked = self.freedom.iter().flatten();
        for (((product, sum), &unknown), &free) in
            product.iter_mut().zip(sums).zip(unknown).zip(locked)
        {
            *product = if free { sum } else { unknown };
        }
    }

    /// Adds what pressures do to the bodies, as the rows of these have it: in stiff liquid all that rows of viscosity leave of it is what
    /// moves a body, which single precision would not tell.
    pub(super) fn press(&self, pressure: &[f64], bodies: &FreeBodies, reactions: &mut Reactions) {
        for (number, push) in self.outflow.pushes(pressure).into_iter().enumerate() {
            reactions.press_body(bodies.impulse(number, self.cell, push));
        }
    }

    /// Roughly the motions that answer to pushes: those of the bodies among liquid that stands still.
    pub(super) fn answer(&self, residual: &[f64], motion: &mut [f64]) {
        let bodies = residual.chunks_exact(6).zip(motion.chunks_exact_mut(6));
        let known = self.stiffness.iter().zip(&self.freedom);
        for ((residual, motion), (block, freedom)) in bodies.zip(known) {
            motion.copy_from_slice(&solved(block, freedom, residual));
        }
    }

    /// What a residual is multiplied by, see `StokesSystem::units`.
    pub(super) fn units(&self) -> impl Iterator<Item = f64> {
        self.stiffness
            .iter()
            .flat_map(|block| (0..6).map(|index| 1.0 / block[index][index]))
    }

    /// The largest change of any body's speed in m/s.
    pub(super) fn largest_change(&self, unknown: &[f64]) -> f64 {
        self.fastest(self.motions(unknown))
    }

    /// The largest speed in m/s of any body, with what is solved for.
    pub(super) fn largest_speed(&self, unknown: &[f64]) -> f64 {
        let mut motions = self.motions(unknown);
        for (motion, start) in motions.iter_mut().zip(&self.start) {
            motion.add(1.0, *start);
        }
        self.fastest(motions)
    }

    fn fastest(&self, motions: Vec<Six>) -> f64 {
        let bodies = motions.into_iter().zip(&self.reach);
        let speeds =
            bodies.map(|(motion, reach)| motion.linear.length() + reach * motion.angular.length());
        speeds.fold(0.0, f64::max)
    }

    /// Whether pressure that is even in enclosed parts of the liquid pushes no body.
    pub(super) fn balances(&self, rows: &[u32], cells: usize) -> bool {
        self.outflow.balances(rows, cells)
    }
}

/// Solves a body's equations among the motions that are free, by Cholesky's decomposition.
fn solved(block: &Block, freedom: &[bool; 6], side: &[f64]) -> [f64; 6] {
    let entry = |row: usize, column: usize| match (freedom[row] && freedom[column], row == column) {
        (true, _) => block[row][column],
        (false, same) => f64::from(u8::from(same)),
    };
    let mut lower = [[0.0; 6]; 6];
    for row in 0..6 {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
            let left = entry(row, column) - known;
            lower[row][column] = match row == column {
                // A motion that the others leave nothing of does nothing.
                true => left.max(f64::MIN_POSITIVE).sqrt(),
                false => left / lower[column][column],
            };
        }
    }
    let mut x = [0.0; 6];
    for row in 0..6 {
        let known: f64 = (0..row).map(|k| lower[row][k] * x[k]).sum();
        x[row] = (side[row] - known) / lower[row][row];
    }
    for row in (0..6).rev() {
        let known: f64 = (row + 1..6).map(|k| lower[k][row] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row][row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_of_free_motions_are_solved_and_locked_ones_left_alone() {
        let mut block = [[0.0; 6]; 6];
        for (row, entries) in block.iter_mut().enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                *entry = 1.0 / (1.0 + row as f64 + column as f64);
            }
            entries[row] += 1.0;
        }
        let side = [1.0, -2.0, 0.5, 3.0, 0.25, 7.0];
        let freedom = [true, true, false, true, true, true];
        let x = solved(&block, &freedom, &side);
        assert_eq!(x[2], side[2]);
        for row in (0..6).filter(|&row| row != 2) {
            let columns = (0..6).filter(|&column| column != 2);
            let product: f64 = columns.map(|column| block[row][column] * x[column]).sum();
            assert!((product - side[row]).abs() < 1e-12, "{product}");
        }
    }
}
