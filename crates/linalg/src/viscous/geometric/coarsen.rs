//! Coarser levels.

use super::layout::Layout;
use super::level::{AXES, Level, SAMPLES};
use super::transfer::{BETWEEN, COINCIDENT, Component, POOLED, Pooling, face_taps, pool};

/// How much of what a wall holds a coarse face is held: it is twice as far from the wall, and a quarter of the fine
/// values next to the wall goes to the coarse face inside it.
const WALL: f32 = 2.0 / 3.0;
/// Strain per coarse cell is twice that per fine cell; weights are for its square.
const SCALE: f32 = 0.25;

/// A level together with what only its construction needs.
pub(super) struct Built {
    pub(super) level: Level,
    /// 1 at unknowns, 0 elsewhere.
    pub(super) active: Vec<f32>,
    /// Number of unknowns that each sample touches.
    pub(super) counts: Vec<f32>,
    /// What walls hold, besides mass.
    pub(super) ground: Vec<f32>,
}

/// Where a coarser level has unknowns.
struct CoarseFaces {
    layout: Layout,
    active: Vec<f32>,
}

impl CoarseFaces {
    /// The parents of a level's unknowns.
    fn new(fine: &Layout, active: &[f32]) -> Self {
        let extents = fine.coarsen(|row, axis| {
            if row.faces.length == 0 {
                return None;
            }
            let start = row.index(AXES, axis, row.faces.start);
            let active = &active[start..start + row.faces.length as usize];
            let first = active.iter().position(|&active| active > 0.0)?;
            let last = active.iter().rposition(|&active| active > 0.0)?;
            let at = |index: usize| row.faces.start + index as i32;
            Some((at(first), at(last)))
        });
        let layout = Layout::new(&extents);
        let mut parents = vec![0.0; AXES * layout.places];
        pool_faces(fine, active, 1.0, &layout, &mut parents);
        for parent in &mut parents {
            *parent = if *parent > 0.0 { 1.0 } else { 0.0 };
        }
        Self {
            layout,
            active: parents,
        }
    }
}

/// Restricts a field of faces.
fn pool_faces(fine: &Layout, from: &[f32], scale: f32, coarse: &Layout, into: &mut [f32]) {
    let poolings = [0, 1, 2].map(|axis| Pooling {
        component: Component {
            of: AXES,
            index: axis,
        },
        taps: face_taps(axis),
        scale,
        faces: true,
    });
    pool(fine, from, coarse, into, &poolings);
}

impl Built {
    /// Number of unknowns.
    pub(super) fn unknowns(&self) -> usize {
        self.active.iter().filter(|&&active| active > 0.0).count()
    }

    /// The level, ready for cycles: mass and ground become one, and the diagonal is bounded.
    pub(super) fn finish(mut self) -> Level {
        for (mass, ground) in self.level.mass.iter_mut().zip(&self.ground) {
            *mass += ground;
        }
        self.level.bound(&self.active, &self.counts);
        self.level
    }

    /// The same liquid on the grid twice as coarse.
    pub(super) fn coarsen(&self) -> Self {
        let fine = &self.level.layout;
        let CoarseFaces { layout, active } = CoarseFaces::new(fine, &self.active);
        let mut level = Level::new(layout, !self.level.bulk.is_empty());
        let coarse = &level.layout;
        let mut ground = vec![0.0; level.mass.len()];
        pool_faces(fine, &self.level.mass, 1.0, coarse, &mut level.mass);
        if self.ground.iter().any(|&ground| ground > 0.0) {
            pool_faces(fine, &self.ground, WALL, coarse, &mut ground);
        }
        let poolings: Vec<Pooling> = (0..SAMPLES)
            .map(|sample| Pooling {
                component: Component {
                    of: SAMPLES,
                    index: sample,
                },
                taps: [0, 1, 2].map(|axis| sample_taps(sample, axis)),
                scale: SCALE,
                faces: false,
            })
            .collect();
        pool(
            fine,
            &self.level.weight,
            coarse,
            &mut level.weight,
            &poolings,
        );
        if !level.bulk.is_empty() {
            // The stretches of a fine cell come of several coarse cells each, but no coarse cell besides its own has all
            // its faces for sure. What that misses, the weights of the stretches bound.
            let pooling = Pooling {
                component: Component { of: 1, index: 0 },
                taps: [POOLED; 3],
                scale: SCALE,
                faces: false,
            };
            pool(fine, &self.level.bulk, coarse, &mut level.bulk, &[pooling]);
        }
        Self {
            counts: level.count_faces(&active),
            level,
            active,
            ground,
        }
    }
}

/// What a coarse sample takes of fine ones along an axis.
fn sample_taps(sample: usize, axis: usize) -> [f32; 4] {
    match sample.checked_sub(3) {
        // Stretches: fine cells make up coarse ones along the axis, and lie between them along the others.
        None if axis == sample => POOLED,
        // Edges: fine ones lie between coarse ones along their own axis, and coincide with them along the others.
        Some(edge) if axis != edge => COINCIDENT,
        _ => BETWEEN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finest::Finest;
    use super::super::level::SHEAR;
    use super::super::transfer::prolong;
    use super::*;
    use crate::matrix::SymmetricMatrix;
    use crate::rows::{UnknownPlace, WeightedRows, normal_matrix};

    /// Numbers in [0, 1) (Knuth's linear congruence).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 40) as f32 / (1 << 24) as f32
        }
    }

    fn moved(mut cell: [i32; 3], axis: usize, by: i32) -> [i32; 3] {
        cell[axis] += by;
        cell
    }

    /// A ragged block with random weights; with walls, some faces are held on their own.
    fn system(walls: bool, bulk: bool) -> (SymmetricMatrix, Vec<UnknownPlace>, WeightedRows) {
        let mut random = Random(5);
        let cells = (0..512).map(|index| [index % 8 - 3, index / 8 % 8, index / 64]);
        let places: Vec<UnknownPlace> = cells
            .clone()
            .flat_map(|cell| [0u8, 1, 2].map(|axis| UnknownPlace { cell, axis }))
            .filter(|_| random.next() < 0.9)
            .collect();
        let find = |cell: [i32; 3], axis: usize| {
            let wanted = UnknownPlace {
                cell,
                axis: axis as u8,
            };
            let found = places.iter().position(|place| *place == wanted);
            found.map(|unknown| unknown as u32)
        };
        let mut rows = WeightedRows::default();
        for cell in cells {
            let stretch = |axis: usize| [(moved(cell, axis, 1), axis, 1.0), (cell, axis, -1.0)];
            let shear = |edge: usize| {
                let (first, second) = SHEAR[edge];
                [
                    (cell, first, 1.0),
                    (moved(cell, second, -1), first, -1.0),
                    (cell, second, 1.0),
                    (moved(cell, first, -1), second, -1.0),
                ]
            };
            let mut samples: Vec<Vec<_>> = Vec::new();
            for axis in 0..3 {
                samples.push(stretch(axis).to_vec());
                samples.push(shear(axis).to_vec());
            }
            if bulk {
                samples.push((0..3).flat_map(stretch).collect());
            }
            for faces in samples {
                let entries: Option<Vec<(u32, f32)>> = faces
                    .iter()
                    .map(|&(cell, axis, sign)| Some((find(cell, axis)?, sign)))
                    .collect();
                if let Some(entries) = entries.filter(|_| random.next() < 0.9) {
                    rows.push(10.0 * random.next() + 0.1, entries);
                }
            }
        }
        if walls {
            for unknown in (0..places.len() as u32).step_by(7) {
                rows.push(0.5 + random.next(), [(unknown, 2.0)]);
            }
        }
        let mass: Vec<f64> = places
            .iter()
            .map(|_| f64::from(random.next()) + 0.01)
            .collect();
        (normal_matrix(&mass, &rows).unwrap(), places, rows)
    }

    /// `A x` without a matrix.
    fn product(level: &mut Level) -> Vec<f64> {
        level.right_hand_side.fill(0.0);
        level.find_residual();
        level
            .residual
            .iter()
            .map(|&value| -f64::from(value))
            .collect()
    }

    fn energy(level: &mut Level) -> f64 {
        let product = product(level);
        product
            .iter()
            .zip(&level.x)
            .map(|(a, &x)| a * f64::from(x))
            .sum()
    }

    #[test]
    fn the_finest_operator_is_the_matrix() {
        let (matrix, places, rows) = system(true, true);
        let Finest { built, slot, .. } = Finest::new(&matrix, &places, &rows).unwrap().unwrap();
        let mut level = built.finish();
        let mut random = Random(9);
        let x: Vec<f64> = places
            .iter()
            .map(|_| f64::from(random.next()) - 0.5)
            .collect();
        for (&slot, &x) in slot.iter().zip(&x) {
            level.x[slot as usize] = x as f32;
        }
        let mut expected = vec![0.0; x.len()];
        matrix.multiply(&x, &mut expected);
        let found = product(&mut level);
        for (unknown, expected) in expected.iter().enumerate() {
            let found = found[slot[unknown] as usize];
            assert!(
                (found - expected).abs() < 2e-4,
                "{found} instead of {expected}"
            );
        }
    }

    #[test]
    fn coarse_grids_resist_at_least_as_much_as_fine_ones() {
        let (matrix, places, rows) = system(false, false);
        let Finest { built, .. } = Finest::new(&matrix, &places, &rows).unwrap().unwrap();
        let coarse = built.coarsen();
        let active = coarse.active.clone();
        let (mut fine, mut coarse) = (built.finish(), coarse.finish());
        let mut random = Random(3);
        let mut least = f64::INFINITY;
        for _ in 0..20 {
            for (x, active) in coarse.x.iter_mut().zip(&active) {
                *x = active * (random.next() - 0.5);
            }
            fine.x.fill(0.0);
            prolong(&coarse, &mut fine);
            let (fine, coarse) = (energy(&mut fine), energy(&mut coarse));
            assert!(fine <= coarse * (1.0 + 1e-5), "{fine} above {coarse}");
            least = least.min(fine / coarse);
        }
        assert!(
            least > 0.1,
            "coarse motions are held {} times too much",
            1.0 / least
        );
    }

    #[test]
    fn rigid_motions_are_the_same_on_all_grids() {
        let (matrix, places, rows) = system(false, true);
        let Finest { built, .. } = Finest::new(&matrix, &places, &rows).unwrap().unwrap();
        let coarse = built.coarsen();
        let fine_active = built.active.clone();
        let coarse_active = coarse.active.clone();
        let (mut fine, mut coarse) = (built.finish(), coarse.finish());
        // A turn about an oblique axis, and a shift.
        let velocity = |point: [f32; 3], axis: usize| {
            let turn = [0.3, -0.5, 0.7];
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            turn[next] * point[last] - turn[last] * point[next] + 0.1
        };
        let rigid = |level: &Level, active: &[f32], size: f32| {
            let mut field = vec![0.0; active.len()];
            for row in &level.layout.row {
                for x in row.faces.start..row.faces.end() {
                    for axis in 0..AXES {
                        let mut point = [x, row.y, row.z].map(|place| size * (place as f32 + 0.5));
                        point[axis] -= 0.5 * size;
                        let index = row.index(AXES, axis, x);
                        field[index] = active[index] * velocity(point, axis);
                    }
                }
            }
            field
        };
        let expected = rigid(&fine, &fine_active, 1.0);
        coarse.x = rigid(&coarse, &coarse_active, 2.0);
        prolong(&coarse, &mut fine);
        for (found, expected) in fine.x.iter().zip(&expected) {
            assert!(
                (found - expected).abs() < 1e-4,
                "{found} instead of {expected}"
            );
        }
        let held: f64 = coarse
            .mass
            .iter()
            .zip(&coarse.x)
            .map(|(m, x)| f64::from(m * x * x))
            .sum();
        assert!((energy(&mut coarse) - held).abs() < 1e-4 * held);
    }
}
