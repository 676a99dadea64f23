//! What the caller's rows are on the grid.

use super::level::SHEAR;
use crate::rows::{UnknownPlace, WeightedRows};

/// What a row samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    /// One of the six samples of a cell: a stretch or the shear of a lower edge.
    Strain { cell: [i32; 3], sample: usize },
    /// The sum of a cell's stretches.
    Bulk { cell: [i32; 3] },
    /// Something else, as next to walls.
    Other,
}

/// A face of a row, and whether the row's sample lies below it.
#[derive(Clone, Copy)]
struct Face {
    cell: [i32; 3],
    axis: usize,
    above: bool,
}

impl Face {
    /// The cell whose stretch the face is part of.
    #[inline]
    fn stretched(self) -> [i32; 3] {
        moved(self.cell, self.axis, -i32::from(self.above))
    }

    /// The cell above the edge in whose shear with another axis the face takes part.
    #[inline]
    fn sheared(self, other: usize) -> [i32; 3] {
        moved(self.cell, other, i32::from(!self.above))
    }
}

#[inline]
fn moved(mut cell: [i32; 3], axis: usize, by: i32) -> [i32; 3] {
    cell[axis] += by;
    cell
}

/// The sample of a row: faces above it have positive coefficients, those below it negative ones.
#[inline]
pub(super) fn classify(rows: &WeightedRows, places: &[UnknownPlace], row: usize) -> Sample {
    let (columns, coefficients) = rows.row(row);
    let faces = columns.iter().zip(coefficients);
    let mut faces = faces.map(|(&column, &coefficient)| {
        let place = places[column as usize];
        Face {
            cell: place.cell,
            axis: usize::from(place.axis),
            above: coefficient > 0.0,
        }
    });
    let Some(first) = faces.next() else {
        return Sample::Other;
    };
    let mut axes = [false; 3];
    axes[first.axis] = true;
    let mut stretched = true;
    // Whether all faces agree on the shear with each other axis.
    let mut sheared = [true; 3];
    let mut count = 1;
    for face in faces {
        axes[face.axis] = true;
        count += 1;
        stretched &= face.stretched() == first.stretched();
        for other in 0..3 {
            // A face of the other component moves along the first one's axis instead.
            let along = if face.axis == first.axis {
                other
            } else {
                first.axis
            };
            let takes_part = face.axis == first.axis || face.axis == other;
            sheared[other] &= takes_part && face.sheared(along) == first.sheared(other);
        }
    }
    if count < 2 {
        return Sample::Other;
    }
    for other in (0..3).filter(|&other| other != first.axis) {
        if sheared[other] {
            let edge = 3 - first.axis - other;
            debug_assert!(SHEAR[edge] == (first.axis, other) || SHEAR[edge] == (other, first.axis));
            return Sample::Strain {
                cell: first.sheared(other),
                sample: 3 + edge,
            };
        }
    }
    let cell = first.stretched();
    match (stretched, axes.iter().filter(|&&has| has).count()) {
        (true, 1) => Sample::Strain {
            cell,
            sample: first.axis,
        },
        (true, _) => Sample::Bulk { cell },
        (false, _) => Sample::Other,
    }
}
