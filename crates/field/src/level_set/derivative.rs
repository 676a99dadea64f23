//! One-sided derivatives of level sets: first-order upwind differences, ENO and WENO (Osher & Fedkiw 2003, sec. 3.2 to
//! 3.4), and the Godunov choice between them.

/// How a one-sided derivative is taken from the samples along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// The difference of two samples: first order.
    Upwind,
    /// The smoother of two parabolas (ENO): second order.
    Eno2,
    /// The smoothest of three cubics (ENO): third order.
    Eno3,
    /// A weighted mean of three cubics (WENO): fifth order where the level set is smooth.
    Weno5,
}

/// Samples along an axis that derivatives read, the sample itself in the middle.
pub(super) const STENCIL: usize = 7;
const MIDDLE: usize = STENCIL / 2;

impl Derivative {
    /// The derivatives from below and from above, in units of the value per cell.
    #[inline]
    pub(super) fn both(self, values: &[f32; STENCIL]) -> [f32; 2] {
        // Difference n lies between samples n and n + 1.
        let first: [f32; STENCIL - 1] = std::array::from_fn(|n| values[n + 1] - values[n]);
        match self {
            Self::Upwind => [first[MIDDLE - 1], first[MIDDLE]],
            Self::Eno2 | Self::Eno3 => {
                let third = self == Self::Eno3;
                [MIDDLE - 1, MIDDLE].map(|interval| eno(&first, interval, third))
            }
            Self::Weno5 => {
                let below = [first[0], first[1], first[2], first[3], first[4]];
                let above = [first[5], first[4], first[3], first[2], first[1]];
                [weno(below), weno(above)]
            }
        }
    }
}

/// The derivative at the middle sample of the Newton polynomial that begins with the difference `interval` and takes the
/// smaller of two higher differences each time.
#[inline]
fn eno(first: &[f32; STENCIL - 1], interval: usize, third_order: bool) -> f32 {
    // Divided differences: second[n] is centred on sample n + 1, third[n] lies between samples n + 1 and n + 2.
    let second: [f32; STENCIL - 2] = std::array::from_fn(|n| 0.5 * (first[n + 1] - first[n]));
    let third: [f32; STENCIL - 3] = std::array::from_fn(|n| (second[n + 1] - second[n]) / 3.0);
    let offset = MIDDLE as f32 - interval as f32;
    let (low, high) = (second[interval - 1], second[interval]);
    let (curvature, start) = if low.abs() <= high.abs() {
        (low, interval - 1)
    } else {
        (high, interval)
    };
    let mut slope = first[interval] + curvature * (2.0 * offset - 1.0);
    if third_order {
        let (low, high) = (third[start - 1], third[start]);
        let change = if low.abs() <= high.abs() { low } else { high };
        let offset = MIDDLE as f32 - start as f32;
        slope += change * (3.0 * offset * offset - 6.0 * offset + 2.0);
    }
    slope
}

/// The weighted mean of Jiang & Peng 2000 of five differences, the upwind ones first.
#[inline]
fn weno(v: [f32; 5]) -> f32 {
    let candidates = [
        (2.0 * v[0] - 7.0 * v[1] + 11.0 * v[2]) / 6.0,
        (-v[1] + 5.0 * v[2] + 2.0 * v[3]) / 6.0,
        (2.0 * v[2] + 5.0 * v[3] - v[4]) / 6.0,
    ];
    let square = |value: f32| value * value;
    let roughness = [
        13.0 / 12.0 * square(v[0] - 2.0 * v[1] + v[2])
            + 0.25 * square(v[0] - 4.0 * v[1] + 3.0 * v[2]),
        13.0 / 12.0 * square(v[1] - 2.0 * v[2] + v[3]) + 0.25 * square(v[1] - v[3]),
        13.0 / 12.0 * square(v[2] - 2.0 * v[3] + v[4])
            + 0.25 * square(3.0 * v[2] - 4.0 * v[3] + v[4]),
    ];
    // Relative to the slopes, so that the choice does not depend on units (Osher & Fedkiw 2003, eq. 3.38).
    let largest = v
        .iter()
        .fold(0.0_f32, |most, &value| most.max(square(value)));
    let floor = 1e-6 * largest + f32::MIN_POSITIVE.sqrt();
    let [a, b, c] = [0, 1, 2].map(|n| [0.1, 0.6, 0.3][n] / square(roughness[n] + floor));
    (a * candidates[0] + b * candidates[1] + c * candidates[2]) / (a + b + c)
}

/// Square of the slope along an axis as information that spreads away from the surface sees it (Godunov's choice).
#[inline]
pub(super) fn godunov([below, above]: [f32; 2], outside: bool) -> f32 {
    let (below, above) = if outside {
        (below.max(0.0), above.min(0.0))
    } else {
        (below.min(0.0), above.max(0.0))
    };
    (below * below).max(above * above)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of the derivatives of a sine at steps of `step`, per cell size.
    fn error(derivative: Derivative, step: f64) -> f64 {
        let mut largest: f64 = 0.0;
        for place in 0..40 {
            let centre = 0.37 + 0.15 * f64::from(place);
            let sample = |n: usize| ((centre + (n as f64 - 3.0) * step).sin()) as f32;
            let values: [f32; STENCIL] = std::array::from_fn(sample);
            for slope in derivative.both(&values) {
                largest = largest.max((f64::from(slope) / step - centre.cos()).abs());
            }
        }
        largest
    }

    #[test]
    fn derivatives_have_their_orders() {
        // Steps large enough for single precision to resolve the error.
        for (derivative, coarse, order) in [
            (Derivative::Upwind, 0.1, 0.9),
            (Derivative::Eno2, 0.1, 1.8),
            (Derivative::Eno3, 0.2, 2.7),
            (Derivative::Weno5, 0.5, 4.5),
        ] {
            let ratio = error(derivative, coarse) / error(derivative, 0.5 * coarse);
            assert!(ratio.log2() > order, "{derivative:?}: {}", ratio.log2());
        }
    }

    #[test]
    fn a_crease_is_not_overshot() {
        // A roof: every slope is between those of its sides.
        for shift in 0..20 {
            let top = -1.0 + 0.1 * shift as f32;
            let values: [f32; STENCIL] = std::array::from_fn(|n| -(n as f32 - 3.0 - top).abs());
            for derivative in [
                Derivative::Upwind,
                Derivative::Eno2,
                Derivative::Eno3,
                Derivative::Weno5,
            ] {
                for slope in derivative.both(&values) {
                    assert!(slope.abs() < 1.07, "{derivative:?} at {top}: {slope}");
                }
            }
        }
    }

    #[test]
    fn godunov_looks_towards_the_surface() {
        // Outside the surface of a growing distance only what comes from below counts.
        assert_eq!(godunov([2.0, 3.0], true), 4.0);
        assert_eq!(godunov([2.0, 3.0], false), 9.0);
        assert_eq!(godunov([-2.0, 3.0], true), 0.0);
    }
}
