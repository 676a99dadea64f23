//! Flow between walls of liquid that is thicker where it is colder, against its closed form.

use ooze_scene::Override;

use super::confined::{farthest, profile};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Depth of the slot in metres, speed of its lid in m/s, and how many times as thick the liquid is at the lid as at the floor.
const DEPTH: f64 = 0.1;
const LID: f64 = 0.005;
const CONTRAST: f64 = 10.0;
/// Intervals of the quadrature.
const INTERVALS: usize = 2000;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "warm-slot",
        summary: "syrup ten times as thick at a cold lid as at the floor is dragged along a closed slot as integrals tell, within 1 %",
        quick: true,
        run: warm_slot,
    }]
}

/// A method, with viscosity and number of steps that suit it, and the least order. `carlson-2004` solves for pressure after viscosity:
/// it needs νdt/h² to be small at the lid, and its error is of first order in that, whatever the cells are.
const WAYS: [(&str, &str, &str, Option<f64>); 4] = [
    ("flip", "100", "40", Some(1.5)),
    ("apic", "100", "40", Some(1.5)),
    ("level-set", "100", "40", Some(1.5)),
    ("carlson-2004", "1", "400", None),
];

fn warm_slot(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/warm-slot.toml");
    let expected = Expected::new();
    let mut verdicts = Vec::new();
    for (method, viscosity, frames, order) in WAYS {
        let mut errors = Vec::new();
        for cell_size in [0.01, 0.005] {
            let overrides = [
                Override::method(method),
                Override::set(&format!("domain.cell_size={cell_size}")),
                Override::set(&format!("materials.syrup.viscosity={viscosity}")),
                Override::frames(frames),
            ];
            let scene = read(text, case.name, &overrides)?;
            let speeds = profile(&scene, 0.0, DEPTH)?;
            errors.push(farthest(
                speeds
                    .iter()
                    .map(|&(place, speed)| speed / LID - expected.at(place)),
            ));
            if let [.., coarse, fine] = errors[..] {
                let error = Numbers::at_most(fine, 0.01);
                verdicts.push(case.verdict(&scene, "largest error over U", error));
                if let Some(order) = order {
                    let order = Numbers::at_least((coarse / fine).log2(), order);
                    verdicts.push(case.verdict(&scene, "order", order));
                }
            }
        }
    }
    Ok(verdicts)
}

/// Speeds over that of the lid: μ u′ = a + b y with ∫u dy = 0, so that u = a A + b B with A = ∫dy/μ and B = ∫y dy/μ.
struct Expected {
    speeds: Vec<f64>,
}

impl Expected {
    fn new() -> Self {
        let place = |index: usize| index as f64 / INTERVALS as f64;
        let fluidity = |place: f64| CONTRAST.powf(1.0 - place);
        let [simple, moment] = [
            integral(|index| fluidity(place(index))),
            integral(|index| place(index) * fluidity(place(index))),
        ];
        let ends = [simple[INTERVALS], moment[INTERVALS]];
        let [flow_of_simple, flow_of_moment] =
            [&simple, &moment].map(|speeds| integral(|index| speeds[index])[INTERVALS]);
        let determinant = ends[0] * flow_of_moment - ends[1] * flow_of_simple;
        let (a, b) = (flow_of_moment / determinant, -flow_of_simple / determinant);
        let parts = simple.iter().zip(&moment);
        Self {
            speeds: parts
                .map(|(simple, moment)| a * simple + b * moment)
                .collect(),
        }
    }

    /// At a place from 0 at the floor to 1 at the lid.
    fn at(&self, place: f64) -> f64 {
        self.speeds[(place * INTERVALS as f64).round() as usize]
    }
}

/// The integral from 0 to each of the places between 0 and 1, by trapezia.
fn integral(value: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0];
    for index in 0..INTERVALS {
        let mean = 0.5 * (value(index) + value(index + 1));
        sums.push(sums[index] + mean / INTERVALS as f64);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_meets_its_conditions() {
        let Expected { speeds } = Expected::new();
        assert!(speeds[0].abs() < 1e-12 && (speeds[INTERVALS] - 1.0).abs() < 1e-9);
        let flow = integral(|index| speeds[index])[INTERVALS];
        assert!(flow.abs() < 1e-9, "{flow}");
        // Shear stress is straight: μ u′ at thirds of the depth.
        let stress = |place: f64| {
            let index = (place * INTERVALS as f64) as usize;
            let slope = (speeds[index + 1] - speeds[index - 1]) * 0.5 * INTERVALS as f64;
            slope * CONTRAST.powf(index as f64 / INTERVALS as f64)
        };
        let [low, middle, high] = [0.25, 0.5, 0.75].map(stress);
        assert!(
            (low + high - 2.0 * middle).abs() < 1e-3 * (high - low),
            "{low} {middle} {high}"
        );
    }
}
