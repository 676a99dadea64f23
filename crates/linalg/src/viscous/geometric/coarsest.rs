//! The coarsest level, solved directly.

use super::super::block_matrix::BlockMatrix;
use super::super::fronts::Factor;
use super::coarsen::Built;
use super::level::{AXES, Level, SAMPLES, SHEAR};
use crate::error::PreconditionerError;
use crate::rows::{WeightedRows, normal_matrix};

#[derive(Debug, Default)]
pub(super) struct Coarsest {
    slot: Vec<u32>,
    factor: Factor,
    right_hand_side: Vec<f32>,
}

impl Coarsest {
    pub(super) fn new(built: &Built) -> Result<Self, PreconditionerError> {
        let Built {
            level,
            active,
            ground,
            ..
        } = built;
        let layout = &level.layout;
        let mut unknown = vec![u32::MAX; active.len()];
        let (mut slot, mut place, mut mass) = (Vec::new(), Vec::new(), Vec::new());
        for row in &layout.row {
            for x in row.faces.start..row.faces.end() {
                for axis in 0..AXES {
                    let index = row.index(AXES, axis, x);
                    if active[index] > 0.0 {
                        unknown[index] = slot.len() as u32;
                        slot.push(index as u32);
                        place.push([x, row.y, row.z]);
                        mass.push(f64::from(level.mass[index]) + f64::from(ground[index]));
                    }
                }
            }
        }
        let face = |cell: [i32; 3], axis: usize| {
            let row = layout.find(cell[1], cell[2]);
            row.map_or(u32::MAX, |row| unknown[row.index(AXES, axis, cell[0])])
        };
        let moved = |mut cell: [i32; 3], axis: usize, by: i32| {
            cell[axis] += by;
            cell
        };
        let mut rows = WeightedRows::default();
        for row in &layout.row {
            for x in row.samples.start..row.samples.end() {
                let cell = [x, row.y, row.z];
                let stretch = |axis: usize| {
                    [
                        (face(cell, axis), -1.0f32),
                        (face(moved(cell, axis, 1), axis), 1.0),
                    ]
                };
                for sample in 0..SAMPLES {
                    let weight = level.weight[row.index(SAMPLES, sample, x)];
                    if weight <= 0.0 {
                        continue;
                    }
                    let entries = if sample < 3 {
                        stretch(sample).to_vec()
                    } else {
                        let (first, second) = SHEAR[sample - 3];
                        vec![
                            (face(cell, first), 1.0),
                            (face(moved(cell, second, -1), first), -1.0),
                            (face(cell, second), 1.0),
                            (face(moved(cell, first, -1), second), -1.0),
                        ]
                    };
                    rows.push(
                        weight,
                        entries.into_iter().filter(|entry| entry.0 != u32::MAX),
                    );
                }
                if !level.bulk.is_empty() {
                    let weight = level.bulk[row.index(1, 0, x)];
                    if weight > 0.0 {
                        let entries = (0..3).flat_map(stretch);
                        rows.push(weight, entries.filter(|entry| entry.0 != u32::MAX));
                    }
                }
            }
        }
        let matrix = normal_matrix(&mass, &rows)?;
        let blocks = BlockMatrix::of_unknowns(&matrix);
        Ok(Self {
            factor: Factor::new(&blocks, &place),
            right_hand_side: vec![0.0; slot.len()],
            slot,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.slot.len() + self.factor.bytes()
    }

    pub(super) fn solve(&mut self, level: &mut Level) {
        for (b, &slot) in self.right_hand_side.iter_mut().zip(&self.slot) {
            *b = level.right_hand_side[slot as usize];
        }
        let slot = &self.slot;
        let x = &mut level.x;
        self.factor.solve(&self.right_hand_side, |index, value| {
            x[slot[index] as usize] = value as f32
        });
    }
}
