//! Systems of six equations.

/// Size of a pivot, relative to its diagonal entry, below which a system says nothing of an unknown.
const SMALLEST_PIVOT: f64 = 1e-9;

/// Solves a symmetric positive definite system by elimination; unknowns that are `held` have given values. Nothing if it does not
/// determine the others.
pub(super) fn solve(
    mut matrix: [[f64; 6]; 6],
    mut right: [f64; 6],
    held: [bool; 6],
    given: [f64; 6],
) -> Option<[f64; 6]> {
    for unknown in (0..6).filter(|&unknown| held[unknown]) {
        for row in 0..6 {
            right[row] -= matrix[row][unknown] * given[unknown];
            matrix[row][unknown] = 0.0;
            matrix[unknown][row] = 0.0;
        }
    }
    for unknown in (0..6).filter(|&unknown| held[unknown]) {
        (matrix[unknown][unknown], right[unknown]) = (1.0, given[unknown]);
    }
    let diagonal: [f64; 6] = std::array::from_fn(|row| matrix[row][row]);
    for pivot in 0..6 {
        let size = matrix[pivot][pivot];
        if size <= SMALLEST_PIVOT * diagonal[pivot] {
            return None;
        }
        for row in pivot + 1..6 {
            let factor = matrix[row][pivot] / size;
            for column in pivot..6 {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; 6];
    for row in (0..6).rev() {
        let known: f64 = (row + 1..6)
            .map(|column| matrix[row][column] * solution[column])
            .sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric positive definite matrix.
    fn matrix() -> [[f64; 6]; 6] {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| match row == column {
                true => 7.0 + row as f64,
                false => 1.0 / (1.0 + row as f64 + column as f64),
            })
        })
    }

    fn product(matrix: [[f64; 6]; 6], vector: [f64; 6]) -> [f64; 6] {
        matrix.map(|row| row.iter().zip(vector).map(|(one, other)| one * other).sum())
    }

    #[test]
    fn what_is_not_held_solves_its_equations() {
        let right = [1.0, -2.0, 0.5, 4.0, 3.0, -1.0];
        let held = [false, true, false, false, true, false];
        let given = [9.0, 0.25, 9.0, 9.0, -0.5, 9.0];
        for held in [[false; 6], held] {
            let found = solve(matrix(), right, held, given).expect("it is definite");
            let check = product(matrix(), found);
            for row in 0..6 {
                match held[row] {
                    true => assert_eq!(found[row], given[row]),
                    false => assert!((check[row] - right[row]).abs() < 1e-13, "{row}: {check:?}"),
                }
            }
        }
    }

    #[test]
    fn a_system_that_says_nothing_of_an_unknown_has_no_solution() {
        let mut matrix = matrix();
        for other in 0..6 {
            (matrix[3][other], matrix[other][3]) = (0.0, 0.0);
        }
        assert_eq!(solve(matrix, [1.0; 6], [false; 6], [0.0; 6]), None);
        let mut held = [false; 6];
        held[3] = true;
        assert!(solve(matrix, [1.0; 6], held, [0.0; 6]).is_some());
        // The first two unknowns count only as their sum.
        for other in 0..6 {
            matrix[1][other] = matrix[0][other];
        }
        for row in &mut matrix {
            row[1] = row[0];
        }
        assert_eq!(solve(matrix, [1.0; 6], held, [0.0; 6]), None);
    }
}
