//! What free bodies add to a pressure system: D M⁻¹ Dᵀ, where D is what flows out of cells as the bodies move.

use glam::IVec3;
use ooze_commons::reduce::dot;
use ooze_field::Field;
use ooze_linalg::{FloatingComponents, Operator, SymmetricMatrix};

use super::{BodyFace, BodyFaces, FreeBodies, Patches, Six};
use crate::pressure::NO_ROW;

/// Share of a body's surface below which what pushes on it from all sides alike counts as nothing.
const CLOSED: f64 = 1e-3;

/// A face of a cell with a pressure: rows of the cells below and above, and the motion of its body that flows through it.
#[derive(Clone, Copy, Debug)]
struct Passed {
    below: u32,
    above: u32,
    number: u32,
    /// The push on the body of a difference of pressure of one.
    push: Six,
}

/// D of the bodies: what flows out of each cell as they move, and its adjoint, what pressures push them with.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyRows {
    passed: Vec<Passed>,
    count: usize,
}

impl BodyRows {
    /// Those of faces beside cells with rows, with the share of each face that moves with its body: what the body shuts of it, or all.
    pub(crate) fn new(
        (bodies, faces): (&FreeBodies, &BodyFaces),
        row: &Field<u32>,
        patches: &Patches,
        share: impl Fn(&BodyFace) -> f32,
    ) -> Self {
        let passed = faces.iter().filter_map(|face| {
            let at = |cell: IVec3| row.get(patches.source(cell));
            let below = at(face.cell - IVec3::AXES[face.axis]);
            let above = at(face.cell);
            let share = share(face);
            if (below == NO_ROW && above == NO_ROW) || share == 0.0 {
                return None;
            }
            let is_shut_share = share == 1.0 - face.open;
            let arm = if is_shut_share {
                face.shut_arm
            } else {
                face.arm
            };
            Some(Passed {
                below,
                above,
                number: face.number as u32,
                push: Six::push(face.axis, arm, f64::from(share)),
            })
        });
        Self {
            passed: passed.collect(),
            count: bodies.len(),
        }
    }

    /// What a pressure pushes the bodies with, Dᵀ P.
    pub(crate) fn pushes(&self, pressure: &[f64]) -> Vec<Six> {
        let at = |row: u32| match row {
            NO_ROW => 0.0,
            row => pressure[row as usize],
        };
        let mut pushes = vec![Six::default(); self.count];
        for face in &self.passed {
            let difference = at(face.below) - at(face.above);
            pushes[face.number as usize].add(difference, face.push);
        }
        pushes
    }

    /// Adds so many times what flows out of the cells as the bodies move, D V.
    pub(crate) fn add_outflow(&self, motions: &[Six], times: f64, outflow: &mut [f64]) {
        for face in &self.passed {
            let flow = times * work(face.push, motions[face.number as usize]);
            if let Some(below) = outflow.get_mut(face.below as usize) {
                *below += flow;
            }
            if let Some(above) = outflow.get_mut(face.above as usize) {
                *above -= flow;
            }
        }
    }

    /// The diagonal of D M⁻¹ Dᵀ times a mass, of as many rows as there are cells.
    fn diagonal(&self, bodies: &FreeBodies, mass: f64, size: usize) -> Vec<f64> {
        // Sums by cell and body: sorted, because a cell may have several faces of one body.
        let mut parts: Vec<(u32, u32, Six)> = Vec::with_capacity(2 * self.passed.len());
        for face in &self.passed {
            for (row, sign) in [(face.below, 1.0), (face.above, -1.0)] {
                if row != NO_ROW {
                    let mut push = Six::default();
                    push.add(sign, face.push);
                    parts.push((row, face.number, push));
                }
            }
        }
        parts.sort_by_key(|&(row, number, _)| (row, number));
        let mut diagonal = vec![0.0; size];
        for group in parts.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let mut sum = Six::default();
            for &(_, _, push) in group {
                sum.add(1.0, push);
            }
            let (row, number, _) = group[0];
            diagonal[row as usize] += mass * work(sum, bodies.answer(number as usize, sum));
        }
        diagonal
    }

    /// Whether an even pressure in these rows alone would push no body.
    pub(crate) fn balances(&self, rows: &[u32], size: usize) -> bool {
        let mut even = vec![0.0; size];
        for &row in rows {
            even[row as usize] = 1.0;
        }
        let pushes = self.pushes(&even);
        let mut surface = vec![0.0; self.count];
        for face in &self.passed {
            surface[face.number as usize] += face.push.linear.length();
        }
        let parts = pushes.iter().zip(surface);
        parts
            .into_iter()
            .all(|(push, surface)| push.linear.length() <= CLOSED * surface)
    }
}

/// The work of an impulse in a motion.
pub(crate) fn work(impulse: Six, motion: Six) -> f64 {
    impulse.linear.dot(motion.linear) + impulse.angular.dot(motion.angular)
}

/// A pressure matrix with bodies that give way: A = L + m D M⁻¹ Dᵀ, m the mass of a cell full of liquid.
pub(crate) struct WithBodies<'a> {
    matrix: &'a SymmetricMatrix,
    rows: &'a BodyRows,
    bodies: &'a FreeBodies,
    mass: f64,
    diagonal: Vec<f64>,
}

impl<'a> WithBodies<'a> {
    pub(crate) fn new(
        matrix: &'a SymmetricMatrix,
        rows: &'a BodyRows,
        bodies: &'a FreeBodies,
        mass: f64,
    ) -> Self {
        let mut diagonal = rows.diagonal(bodies, mass, matrix.size());
        for (sum, own) in diagonal.iter_mut().zip(matrix.diagonal()) {
            *sum += own;
        }
        Self {
            matrix,
            rows,
            bodies,
            mass,
            diagonal,
        }
    }

    /// How a pressure makes the bodies move, m M⁻¹ Dᵀ P.
    fn answers(&self, pressure: &[f64]) -> Vec<Six> {
        let pushes = self.rows.pushes(pressure).into_iter().enumerate();
        pushes
            .map(|(number, push)| {
                let mut motion = Six::default();
                motion.add(self.mass, self.bodies.answer(number, push));
                motion
            })
            .collect()
    }
}

impl Operator for WithBodies<'_> {
    fn size(&self) -> usize {
        self.matrix.size()
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        self.matrix.multiply(x, y);
        self.rows.add_outflow(&self.answers(x), 1.0, y);
    }

    fn multiply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.multiply(x, y);
        dot(x, y)
    }

    /// Enclosed liquid floats in pressure only if it surrounds its bodies: a piston feels it.
    fn floating_components(&self) -> FloatingComponents {
        let floating = FloatingComponents::find(self.matrix);
        let size = self.matrix.size();
        let balanced =
            (0..floating.count()).all(|part| self.rows.balances(floating.rows(part), size));
        match balanced {
            true => floating,
            false => FloatingComponents::default(),
        }
    }
}
