//! Symmetric tridiagonal systems by L D Lᵀ without pivoting (Thomas 1949; Carlson 2004, table 5).

/// Solves `d[i] x[i] − c[i−1] x[i−1] − c[i] x[i+1] = rhs[i]` with couplings `c[i]` between rows i and i + 1; the solution replaces
/// `rhs`, and `diagonal` is used up. The diagonal must exceed the sum of its couplings, which makes every pivot positive.
///
/// # Panics
/// When lengths do not fit: there is one coupling fewer than there are rows.
pub fn solve_tridiagonal(diagonal: &mut [f64], couplings: &[f64], rhs: &mut [f64]) {
    let count = rhs.len();
    assert_eq!(diagonal.len(), count, "one diagonal entry a row");
    assert_eq!(
        couplings.len() + 1,
        count.max(1),
        "one coupling between rows"
    );
    for row in 1..count {
        let share = couplings[row - 1] / diagonal[row - 1];
        diagonal[row] -= share * couplings[row - 1];
        rhs[row] += share * rhs[row - 1];
    }
    for row in (0..count).rev() {
        let above = match row + 1 < count {
            true => couplings[row] * rhs[row + 1],
            false => 0.0,
        };
        rhs[row] = (rhs[row] + above) / diagonal[row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_solution_is_recovered() {
        let count = 200;
        let couplings: Vec<f64> = (1..count)
            .map(|row| 1.0 + 0.3 * f64::from(row).sin())
            .collect();
        let coupling = |row: usize| couplings.get(row).copied().unwrap_or(0.0);
        let exact: Vec<f64> = (0..count)
            .map(|row| (0.1 * f64::from(row)).sin() + 0.2)
            .collect();
        let mut diagonal: Vec<f64> = (0..count as usize)
            .map(|row| 2.7 + 0.01 * row as f64)
            .collect();
        let mut rhs: Vec<f64> = (0..count as usize)
            .map(|row| {
                let below = if row > 0 {
                    coupling(row - 1) * exact[row - 1]
                } else {
                    0.0
                };
                let above = exact.get(row + 1).map_or(0.0, |next| coupling(row) * next);
                diagonal[row] * exact[row] - below - above
            })
            .collect();
        solve_tridiagonal(&mut diagonal, &couplings, &mut rhs);
        for (found, exact) in rhs.iter().zip(&exact) {
            assert!((found - exact).abs() < 1e-12, "{found} {exact}");
        }
    }

    #[test]
    fn one_row_and_no_row() {
        let mut rhs = [6.0];
        solve_tridiagonal(&mut [2.0], &[], &mut rhs);
        assert_eq!(rhs, [3.0]);
        solve_tridiagonal(&mut [], &[], &mut []);
    }
}
