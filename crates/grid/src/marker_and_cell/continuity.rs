//! Velocities on the faces between a cell and the air, so that the cell loses as much as it gets (Carlson 2004, sec. 3.2.3.4, eqs.
//! 22 and 23): the 63 ways in which a cell can border on air.

/// Velocities on a cell's faces, by axis, lower and upper.
pub(super) type CellFaces = [[f32; 2]; 3];
/// Marks of the faces that border on air.
pub(super) type AirFaces = [[bool; 2]; 3];

/// What flows out of a cell, in m/s: its divergence times the cell size.
pub(super) fn outflow(faces: &CellFaces) -> f32 {
    faces.iter().map(|[lower, upper]| upper - lower).sum()
}

/// Sets the faces that border on air.
///
/// | faces at the air | what is done | free of divergence |
/// |---|---|---|
/// | one | solved for | yes |
/// | two opposite | nothing: drips and films fall | no |
/// | two adjacent | opposite faces copied, and half of what is left added to each | yes |
/// | three, none opposite | opposite faces copied | yes |
/// | three, two opposite | the third is solved for | yes |
/// | four, one pair opposite | opposite faces copied for the others, what is left split between the pair | yes |
/// | four, two pairs | a quarter of the divergence to each | yes |
/// | five | the one opposite to the sixth is solved for | yes |
/// | six | nothing: it flies | no |
pub(super) fn continue_to_air(faces: &mut CellFaces, air: &AirFaces) {
    let both = |axis: &usize| air[*axis] == [true; 2];
    let one = |axis: &usize| air[*axis][0] != air[*axis][1];
    let pairs: Vec<usize> = (0..3).filter(both).collect();
    let singles: Vec<usize> = (0..3).filter(one).collect();
    match (pairs.as_slice(), singles.as_slice()) {
        (_, &[axis]) => solve(faces, air, axis),
        ([], singles) => {
            copy(faces, air, singles);
            share(faces, air);
        }
        (&[_], singles) if !singles.is_empty() => {
            copy(faces, air, singles);
            let pair = pairs[0];
            let left = outflow(faces);
            spread(&mut faces[pair], 0.5 * left);
        }
        (&[first, second], []) => {
            let left = outflow(faces);
            spread(&mut faces[first], 0.25 * left);
            spread(&mut faces[second], 0.25 * left);
        }
        // Two opposite faces alone, or all six.
        _ => {}
    }
}

/// Lets a face that is opposite to a known one carry all that the others leave.
fn solve(faces: &mut CellFaces, air: &AirFaces, axis: usize) {
    let left = outflow(faces);
    change(&mut faces[axis], air[axis], left);
}

/// Gives faces the velocities of those that are opposite to them.
fn copy(faces: &mut CellFaces, air: &AirFaces, axes: &[usize]) {
    for &axis in axes {
        let known = faces[axis][usize::from(air[axis][0])];
        faces[axis] = [known; 2];
    }
}

/// Shares what is left between two faces at right angles; between three that were copied nothing is.
fn share(faces: &mut CellFaces, air: &AirFaces) {
    let axes: Vec<usize> = (0..3).filter(|&axis| air[axis] != [false; 2]).collect();
    let each = outflow(faces) / axes.len().max(1) as f32;
    for axis in axes {
        change(&mut faces[axis], air[axis], each);
    }
}

/// Takes an outflow from the one face of an axis that borders on air.
fn change([lower, upper]: &mut [f32; 2], air: [bool; 2], outflow: f32) {
    match air[1] {
        true => *upper -= outflow,
        false => *lower += outflow,
    }
}

/// Takes an outflow from each of two opposite faces.
fn spread([lower, upper]: &mut [f32; 2], each: f32) {
    *lower += each;
    *upper -= each;
}

#[cfg(test)]
mod tests {
    use ooze_core::random::uniform;

    use super::*;

    fn marks(bits: u32) -> AirFaces {
        std::array::from_fn(|axis| std::array::from_fn(|side| bits >> (2 * axis + side) & 1 == 1))
    }

    fn random(bits: u32) -> CellFaces {
        std::array::from_fn(|axis| {
            std::array::from_fn(|side| {
                uniform(u64::from(bits), (2 * axis + side) as u64) * 2.0 - 1.0
            })
        })
    }

    /// Numbers of opposite pairs and of single faces at the air.
    fn configuration(air: &AirFaces) -> (usize, usize) {
        let pairs = air.iter().filter(|both| **both == [true; 2]).count();
        let singles = air.iter().filter(|both| both[0] != both[1]).count();
        (pairs, singles)
    }

    #[test]
    fn each_of_the_63_cases_is_as_the_thesis_has_it() {
        let mut counts = std::collections::BTreeMap::new();
        for bits in 1..64 {
            let (air, before) = (marks(bits), random(bits));
            let mut faces = before;
            continue_to_air(&mut faces, &air);
            let (pairs, singles) = configuration(&air);
            *counts.entry((pairs, singles)).or_insert(0) += 1;
            for axis in 0..3 {
                for side in 0..2 {
                    // What is known is left alone.
                    if !air[axis][side] {
                        assert_eq!(faces[axis][side], before[axis][side], "{bits:06b}");
                    }
                }
            }
            let untouched = matches!((pairs, singles), (1, 0) | (3, 0));
            assert_eq!(faces == before, untouched, "{bits:06b}");
            if !untouched {
                assert!(outflow(&faces).abs() < 1e-5, "{bits:06b}: {faces:?}");
            }
            // Pairs change only where there is nobody else to: with two singles, or with another pair.
            let pair_changes = matches!((pairs, singles), (1, 2) | (2, 0));
            for axis in (0..3).filter(|&axis| air[axis] == [true; 2]) {
                assert_eq!(faces[axis] != before[axis], pair_changes, "{bits:06b}");
                let moved = faces[axis][0] - before[axis][0] + faces[axis][1] - before[axis][1];
                assert!(moved.abs() < 1e-6, "{bits:06b}");
            }
            // Three at a corner, and the singles beside a pair, are copies.
            if singles == 3 || (pairs, singles) == (1, 2) {
                for both in (0..3).filter(|&axis| air[axis][0] != air[axis][1]) {
                    assert_eq!(faces[both][0], faces[both][1], "{bits:06b}");
                }
            }
            // Two at right angles: half the difference of the remaining two each.
            if (pairs, singles) == (0, 2) {
                let rest = (0..3).find(|&axis| air[axis] == [false; 2]).expect("one");
                let half = 0.5 * (before[rest][1] - before[rest][0]);
                for axis in (0..3).filter(|&axis| axis != rest) {
                    assert!((faces[axis][1] - faces[axis][0] + half).abs() < 1e-6);
                }
            }
        }
        let expected = [
            ((0, 1), 6),
            ((0, 2), 12),
            ((0, 3), 8),
            ((1, 0), 3),
            ((1, 1), 12),
            ((1, 2), 12),
            ((2, 0), 3),
            ((2, 1), 6),
            ((3, 0), 1),
        ];
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
    }
}
