//! Elastic liquids that nothing drives: kinetic, potential and elastic energy together never grow.

use ooze_scene::{Override, Scene};

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Share of what was put in, and of what lifting the liquid by a cell takes, that may come out of nothing.
const SHARE_PUT_IN: f64 = 1e-3;
const SHARE_OF_CELL: f64 = 1e-2;

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
            summary: "the same for 10 s, from 1 Pa to 1 MPa and up to 32 cells, explicitly and implicitly; 100 MPa for 1 s",
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
        // The first frame evens out how the liquid was filled with particles.
        let (seeded, start) = (&frames[0], &frames[1]);
        let lift = start.mass * GRAVITY * f64::from(scene.setup.domain.cell_size);
        let mut released = 0.0_f64;
        let mut largest = 0.0_f64;
        for now in &frames[2..] {
            released = released.max(seeded.potential_energy - now.potential_energy);
            let put_in = seeded.kinetic_energy + released;
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

fn short(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for method in ["flip", "apic", "level-set"] {
        for (text, cells) in [(AT_REST, 8), (FALL, 12)] {
            for modulus in [1e4, 1e6] {
                let trial = Trial {
                    text,
                    method,
                    scheme: "automatic",
                    modulus,
                    cells,
                    seconds: 2.0,
                };
                verdicts.push(trial.verdict(case)?);
            }
        }
    }
    Ok(verdicts)
}

fn long(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for method in ["flip", "apic", "level-set"] {
        for text in [AT_REST, FALL] {
            for (modulus, cells, seconds) in [
                (1.0, 8, 10.0),
                (1e2, 8, 10.0),
                (1e3, 16, 10.0),
                (1e4, 16, 10.0),
                (1e5, 8, 10.0),
                (1e5, 32, 10.0),
                (1e6, 16, 10.0),
                (1e8, 8, 1.0),
            ] {
                for scheme in ["explicit", "automatic", "implicit"] {
                    let trial = Trial {
                        text,
                        method,
                        scheme,
                        modulus,
                        cells,
                        seconds,
                    };
                    verdicts.push(trial.verdict(case)?);
                }
            }
        }
    }
    Ok(verdicts)
}
