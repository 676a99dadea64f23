//! Elastic liquids that nothing drives: kinetic, potential and elastic energy together never grow.

use ooze_scene::{Override, Scene};
use rayon::prelude::*;

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Share of what was put in, and of what lifting the liquid by a cell takes, that may come out of nothing.
const SHARE_PUT_IN: f64 = 1e-3;
const SHARE_OF_CELL: f64 = 1e-2;

const METHODS: [&str; 3] = ["flip", "apic", "level-set"];

const AT_REST: &str = include_str!("../../../../validation/jelly-at-rest.toml");
const FALL: &str = include_str!("../../../../validation/jelly-fall.toml");

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "jelly-energy",
            summary: "jelly that stands, and jelly that falls into a groove, gains no energy in 2 s on any grid method",
            quick: false,
            run: short,
        },
        Case {
            name: "jelly-energy-long",
            summary: "the same for 10 s, from 1 Pa to 1 MPa, explicitly and implicitly; stiffer up to 1 GPa, and finer up to 64 cells, for shorter",
            quick: false,
            run: long,
        },
    ]
}

/// One run of a scene.
struct Trial {
    text: &'static str,
    method: &'static str,
    scheme: &'static str,
    modulus: f64,
    cells: u32,
    seconds: f64,
}

impl Trial {
    fn scene(&self, case: &Case) -> Result<Scene, CaseError> {
        let settings = [
            format!("method.preset={}", self.method),
            format!("method.elasticity.scheme={}", self.scheme),
            format!("materials.jelly.elasticity.modulus={}", self.modulus),
            format!("domain.cells={}", self.cells),
            format!("time.duration={}", self.seconds),
        ];
        let overrides = settings.each_ref().map(|setting| Override::set(setting));
        Ok(read(self.text, case.name, &overrides)?)
    }

    /// The largest gain of energy over the one that is allowed.
    fn verdict(&self, case: &Case) -> Result<Verdict, CaseError> {
        let scene = self.scene(case)?;
        let mut frames = Vec::new();
        follow(&scene, |_, liquid, solids| {
            frames.push(liquid.measure(solids));
        })?;
        let start = &frames[0];
        let lift = start.mass * GRAVITY * f64::from(scene.setup.domain.cell_size);
        let mut released = 0.0_f64;
        let mut largest = 0.0_f64;
        for now in &frames[1..] {
            released = released.max(start.potential_energy - now.potential_energy);
            let put_in = start.kinetic_energy + released;
            let allowed = (SHARE_PUT_IN * put_in).max(SHARE_OF_CELL * lift);
            largest = largest.max((now.total_energy() - start.total_energy()) / allowed);
        }
        let what = if self.text == FALL { "fall" } else { "rest" };
        let quantity = format!(
            "gain over allowed, {what}, {:e} Pa, {}",
            self.modulus, self.scheme
        );
        Ok(case.verdict(&scene, &quantity, Numbers::at_most(largest, 1.0)))
    }
}

/// The verdicts of trials, which run side by side.
fn verdicts(case: &Case, trials: Vec<Trial>) -> Result<Vec<Verdict>, CaseError> {
    let verdicts = trials.into_par_iter().map(|trial| trial.verdict(case));
    verdicts.collect()
}

fn short(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut trials = Vec::new();
    for method in METHODS {
        for (text, cells) in [(AT_REST, 8), (FALL, 12)] {
            for modulus in [1e4, 1e6] {
                trials.push(Trial {
                    text,
                    method,
                    scheme: "automatic",
                    modulus,
                    cells,
                    seconds: 2.0,
                });
            }
        }
    }
    verdicts(case, trials)
}

fn long(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut trials = Vec::new();
    for method in METHODS {
        for text in [AT_REST, FALL] {
            for (modulus, cells, seconds) in [
                (1.0, 8, 10.0),
                (1e2, 8, 10.0),
                (1e3, 16, 10.0),
                (1e4, 16, 10.0),
                (1e5, 8, 10.0),
                (1e5, 32, 5.0),
                (1e5, 64, 0.5),
                (1e6, 16, 10.0),
                (1e8, 8, 1.0),
                (1e9, 8, 0.2),
            ] {
                for scheme in ["explicit", "automatic", "implicit"] {
                    // A frame would need more than a thousand sub-steps.
                    if scheme == "explicit" && modulus >= 1e9 {
                        continue;
                    }
                    trials.push(Trial {
                        text,
                        method,
                        scheme,
                        modulus,
                        cells,
                        seconds,
                    });
                }
            }
        }
    }
    verdicts(case, trials)
}
