//! A level's matrix while the hierarchy is built: a network of conductances.
//!
//! Row i of the matrix reads Σⱼ wᵢⱼ (xᵢ − xⱼ) + gᵢ xᵢ: unknowns are joined by weights w and held at zero by grounds g.
//! Ground is kept apart from the weights, so that a part without ground stays so on every level. Unknowns are sorted
//! by colour, red before black.

use rayon::prelude::*;

use super::place::{EXTENT, Place};
use super::rows::{Entry, Rows, split_lengths};
use crate::error::PreconditionerError;
use crate::matrix::SymmetricMatrix;
use crate::reduce::CHUNK;

/// Grounds below this fraction of the diagonal are roundings of the f64 diagonal.
const ZERO_GROUND: f64 = 1e-12;

/// Conductances between the unknowns of one level, see the file's head.
#[derive(Debug, Default)]
pub(super) struct Network {
    /// Number of red unknowns; the black ones follow.
    pub(super) red: usize,
    pub(super) place: Vec<Place>,
    pub(super) rows: Rows,
    pub(super) ground: Vec<f32>,
}

/// How the caller's numbering and the level's map to one another.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The caller's row of each unknown.
    pub(super) row: Vec<u32>,
    /// The unknown of each of the caller's rows.
    pub(super) unknown: Vec<u32>,
    red: usize,
}

impl Numbering {
    /// Sorts by colour, keeping the caller's order within each.
    fn by_colour(place: &[Place]) -> Self {
        let count = place.len();
        let black: Vec<usize> = place
            .par_chunks(CHUNK)
            .map(|place| place.iter().map(|place| place.colour()).sum())
            .collect();
        let red = count - black.iter().sum::<usize>();
        let chunk_length = |chunk: usize| CHUNK.min(count - chunk * CHUNK);
        let mut row = vec![0; count];
        let mut unknown = vec![0; count];
        let (red_rows, black_rows) = row.split_at_mut(red);
        let red_rows = split_lengths(
            red_rows,
            black
                .iter()
                .enumerate()
                .map(|(c, black)| chunk_length(c) - black),
        );
        let black_rows = split_lengths(black_rows, black.iter().copied());
        // Where the unknowns of each chunk start, by colour.
        let mut next = [0, red as u32];
        let starts: Vec<[u32; 2]> = black
            .iter()
            .enumerate()
            .map(|(chunk, &black)| {
                let start = next;
                next[0] += (chunk_length(chunk) - black) as u32;
                next[1] += black as u32;
                start
            })
            .collect();
        red_rows
            .into_par_iter()
            .zip(black_rows)
            .zip(starts)
            .zip(unknown.par_chunks_mut(CHUNK).zip(place.par_chunks(CHUNK)))
            .enumerate()
            .for_each(
                |(chunk, (((red_rows, black_rows), start), (unknown, place)))| {
                    let mut filled = [0, 0];
                    let rows = [red_rows, black_rows];
                    for (offset, (unknown, place)) in unknown.iter_mut().zip(place).enumerate() {
                        let colour = place.colour();
                        *unknown = start[colour] + filled[colour] as u32;
                        rows[colour][filled[colour]] = (chunk * CHUNK + offset) as u32;
                        filled[colour] += 1;
                    }
                },
            );
        Self { row, unknown, red }
    }
}

impl Network {
    /// The network of a matrix, with the numbering that sorts its unknowns by colour.
    pub(super) fn from_matrix(
        matrix: &SymmetricMatrix,
        coordinates: &[[i32; 3]],
    ) -> Result<(Self, Numbering), PreconditionerError> {
        let place = pack(coordinates)?;
        let numbering = Numbering::by_colour(&place);
        let count = matrix.size();
        let mut ground = vec![0.0; count];
        let rows = Rows::build_with(&mut ground, |unknown, ground, entries| {
            let row = numbering.row[unknown] as usize;
            let mut sum = 0.0;
            for (column, value) in matrix.row(row) {
                sum += f64::from(value);
                entries.push(Entry {
                    column: numbering.unknown[column],
                    weight: -value,
                });
            }
            let diagonal = matrix.diagonal()[row];
            let surplus = diagonal + sum;
            *ground = if surplus > ZERO_GROUND * diagonal {
                surplus as f32
            } else {
                0.0
            };
        });
        check_signs(matrix, &rows)?;
        let place = numbering
            .row
            .par_iter()
            .map(|&row| place[row as usize])
            .collect();
        Ok((
            Self {
                red: numbering.red,
                place,
                rows,
                ground,
            },
            numbering,
        ))
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.place.len()
    }

    /// 0 for red unknowns, 1 for black ones.
    pub(super) fn colour(&self, unknown: usize) -> usize {
        usize::from(unknown >= self.red)
    }
}

fn pack(coordinates: &[[i32; 3]]) -> Result<Vec<Place>, PreconditionerError> {
    let bounds = coordinates
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut bounds = [[i32::MAX; 3], [i32::MIN; 3]];
            for coordinate in chunk {
                for axis in 0..3 {
                    bounds[0][axis] = bounds[0][axis].min(coordinate[axis]);
                    bounds[1][axis] = bounds[1][axis].max(coordinate[axis]);
                }
            }
            bounds
        })
        .reduce(
            || [[i32::MAX; 3], [i32::MIN; 3]],
            |a, b| {
                [
                    [0, 1, 2].map(|axis| a[0][axis].min(b[0][axis])),
                    [0, 1, 2].map(|axis| a[1][axis].max(b[1][axis])),
                ]
            },
        );
    // An even origin keeps blocks and colours of the lattice independent of where the liquid is.
    let origin = bounds[0].map(|low| low & !1);
    for axis in 0..3 {
        if i64::from(bounds[1][axis]) - i64::from(origin[axis]) >= EXTENT {
            return Err(PreconditionerError::Extent {
                axis,
                low: bounds[0][axis],
                high: bounds[1][axis],
                limit: EXTENT,
            });
        }
    }
    Ok(coordinates
        .par_iter()
        .with_min_len(CHUNK)
        .map(|&coordinate| Place::new(coordinate, origin))
        .collect())
}

fn check_signs(matrix: &SymmetricMatrix, rows: &Rows) -> Result<(), PreconditionerError> {
    let wrong = rows
        .entries
        .par_chunks(CHUNK)
        .any(|entries| entries.iter().any(|entry| entry.weight < 0.0));
    if !wrong {
        return Ok(());
    }
    let positive = (0..matrix.size()).find_map(|row| {
        matrix
            .row(row)
            .find(|&(_, value)| value > 0.0)
            .map(|(column, value)| PreconditionerError::PositiveCoupling { row, column, value })
    });
    positive.map_or(Ok(()), Err)
}
