//! Elastic liquids that nothing drives: kinetic, potential and elastic energy together never grow.
//!
//! A step changes velocities by the forces at its start and then carries the liquid with them, so that they belong to its middle;
//! positions and strains belong to its end. Energies of two moments do not add up: in free fall their sum sinks by ½ m g² t dt,
//! and while a body is being squeezed it rises by half of what the last step stored. Potential and elastic energy therefore count
//! with their means over the step: in the linear case that sum is the one which leapfrog steps conserve.

use std::sync::{Arc, Mutex, PoisonError};

use ooze::Simulation;
use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze_core::Measure;
use ooze_scene::{Override, Scene};
use rayon::prelude::*;

use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Share of what was put in, and of what lifting the liquid by a cell takes, that may come out of nothing.
const SHARE_PUT_IN: f64 = 1e-3;
const SHARE_OF_CELL: f64 = 1e-2;

const METHODS: [&str; 3] = ["flip", "apic", "level-set"];
const PARTICLES: [&str; 2] = ["flip", "apic"];

/// A long case.
#[derive(Clone, Copy)]
struct Extent {
    name: &'static str,
    /// In Pa.
    modulus: f64,
    /// Along the domain.
    cells: u32,
    seconds: f64,
}

/// Extents by their names, from moduli in Pa, cells along the domain, and seconds.
macro_rules! extents {
    ($($name:literal: $modulus:literal, $cells:literal, $seconds:literal;)*) => {
        &[$(Extent { name: $name, modulus: $modulus, cells: $cells, seconds: $seconds }),*]
    };
}

const EXTENTS: &[Extent] = extents! {
    "jelly-energy-1e0-8": 1.0, 8, 10.0;
    "jelly-energy-1e2-8": 1e2, 8, 10.0;
    "jelly-energy-1e3-16": 1e3, 16, 10.0;
    "jelly-energy-1e4-16": 1e4, 16, 10.0;
    "jelly-energy-1e5-8": 1e5, 8, 10.0;
    "jelly-energy-1e6-16": 1e6, 16, 10.0;
    "jelly-energy-1e8-8": 1e8, 8, 1.0;
    "jelly-energy-1e9-8": 1e9, 8, 0.2;
    "jelly-energy-1e2-32": 1e2, 32, 5.0;
    "jelly-energy-1e5-32": 1e5, 32, 5.0;
    "jelly-energy-1e6-32": 1e6, 32, 1.0;
    "jelly-energy-1e3-64": 1e3, 64, 1.0;
    "jelly-energy-1e5-64": 1e5, 64, 0.5;
};

const AT_REST: &str = include_str!("../../../../validation/jelly-at-rest.toml");
const FALL: &str = include_str!("../../../../validation/jelly-fall.toml");

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case {
            name: "jelly-energy",
            summary: "jelly that stands, and jelly that falls into a groove, gains no energy in 2 s on any grid method",
            quick: false,
            run: short,
        },
        Case {
            name: "jelly-energy-level-set",
            summary: "what jelly of level sets gains in all of the following",
            quick: false,
            run: |case| long(case, &["level-set"], EXTENTS),
        },
    ];
    cases.extend(EXTENTS.iter().map(|extent| Case {
        name: extent.name,
        summary: "jelly of particles of that modulus in Pa, on so many cells, gains no energy with any scheme",
        quick: false,
        run: |case| {
            let extents = EXTENTS.iter().filter(|extent| extent.name == case.name);
            let extents: Vec<Extent> = extents.copied().collect();
            long(case, &PARTICLES, &extents)
        },
    }));
    cases
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
        let ledger = Arc::new(Mutex::new(Ledger::default()));
        let mut simulation = Simulation::of_scene(&scene)?;
        simulation.add_sink(Box::new(Bookkeeper(Arc::clone(&ledger))));
        simulation.run(&|| false)?;
        let ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
        let cell_size = f64::from(scene.setup.domain.cell_size);
        let gain = ledger.largest_gain(cell_size);
        let what = if self.text == FALL { "fall" } else { "rest" };
        let quantity = format!(
            "gain over allowed, {what}, {:e} Pa, {}",
            self.modulus, self.scheme
        );
        Ok(case.verdict(&scene, &quantity, Numbers::at_most(gain, 1.0)))
    }
}

/// The energies of a run.
#[derive(Default)]
struct Ledger {
    /// What the liquid was like at the start and after each sub-step.
    moments: Vec<Measure>,
}

impl Ledger {
    /// The largest gain of energy over the one that is allowed, for cells of this size in metres.
    fn largest_gain(&self, cell_size: f64) -> f64 {
        let Some(start) = self.moments.first() else {
            return 0.0;
        };
        let lift = start.mass * GRAVITY * cell_size;
        let mut released = 0.0_f64;
        let mut largest = 0.0_f64;
        for step in self.moments.windows(2) {
            let [before, now] = [&step[0], &step[1]];
            released = released.max(start.potential_energy - now.potential_energy);
            let put_in = start.kinetic_energy + released;
            let allowed = (SHARE_PUT_IN * put_in).max(SHARE_OF_CELL * lift);
            let stored = 0.5 * (stored_energy(before) + stored_energy(now));
            let gain = now.kinetic_energy + stored - start.total_energy();
            largest = largest.max(gain / allowed);
        }
        largest
    }
}

/// The energy of where the liquid is and how it is strained, in joules.
fn stored_energy(measure: &Measure) -> f64 {
    measure.total_energy() - measure.kinetic_energy
}

/// Fills a ledger.
struct Bookkeeper(Arc<Mutex<Ledger>>);

impl Sink for Bookkeeper {
    fn sub_step(&mut self, moment: &Moment) -> Result<(), SinkError> {
        let mut ledger = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ledger.moments.push(moment.liquid.measure(moment.solids));
        Ok(())
    }

    fn frame(&mut self, moment: &Moment, _finished: &mut Finished) -> Result<(), SinkError> {
        self.sub_step(moment)
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

fn long(
    case: &Case,
    methods: &[&'static str],
    extents: &[Extent],
) -> Result<Vec<Verdict>, CaseError> {
    let mut trials = Vec::new();
    for &method in methods {
        for text in [AT_REST, FALL] {
            for &Extent {
                modulus,
                cells,
                seconds,
                ..
            } in extents
            {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A mass of 1 kg on a spring of 1 N/m in steps of 0.3 s, from a stretch of 1 m on, whose force is `growth` times too large.
    fn oscillator(growth: f64) -> Ledger {
        let (mut stretch, mut velocity, dt) = (1.0_f64, 0.0_f64, 0.3);
        let mut ledger = Ledger::default();
        for _ in 0..100 {
            ledger.moments.push(Measure {
                mass: 1e-6,
                kinetic_energy: 0.5 * velocity * velocity,
                elastic_energy: Some(0.5 * stretch * stretch),
                ..Measure::default()
            });
            velocity -= growth * stretch * dt;
            stretch += velocity * dt;
        }
        ledger
    }

    #[test]
    fn energies_of_one_moment_tell_gains_from_the_rhythm_of_steps() {
        let plain = |ledger: &Ledger| {
            let total = ledger.moments.iter().map(Measure::total_energy);
            total.fold(0.0, f64::max) / ledger.moments[0].total_energy()
        };
        let sound = oscillator(1.0);
        assert!(plain(&sound) > 1.1, "{}", plain(&sound));
        let start = sound.moments[0].total_energy();
        let allowed = SHARE_OF_CELL * sound.moments[0].mass * GRAVITY;
        // The mean of what is stored at both ends of a step is above what leapfrog conserves by at most (ω dt)²/2.
        assert!(sound.largest_gain(1.0) * allowed < 0.05 * start);
        let driven = oscillator(1.1);
        assert!(driven.largest_gain(1.0) * allowed > 0.1 * start);
    }
}
