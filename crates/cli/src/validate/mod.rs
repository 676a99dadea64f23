//! The validation suite: reference cases, run with the real solvers and compared with exact solutions, laboratory data
//! and published numbers. A case is a scene under `validation/` and its analysis here.

mod bodies;
mod buckling;
mod coiling;
mod confined;
mod cost;
mod elastic;
mod energy;
mod gaps;
mod goo_scenes;
mod heat;
mod inertia;
mod laid_rope;
mod level_sets;
mod particles;
mod relaxation;
mod rest;
mod slender;
mod surfaces;
mod trial;
mod viscous;
mod volumes;
mod warm_slot;

pub(crate) use trial::{figures_of, figures_until};

use ooze_core::StepError;
use ooze_particles::ConstantError;
use ooze_scene::{Override, Scene, SceneErrors};
use serde::Serialize;
use thiserror::Error;

use crate::pictures::PictureError;
use ooze::SimulationError;

/// A reference case.
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub summary: &'static str,
    /// Whether it takes seconds rather than minutes.
    pub quick: bool,
    /// Runs it.
    run: fn(&Case) -> Result<Vec<Verdict>, CaseError>,
}

/// One number, measured against what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Case and quantity, as `martin-moyce/slope`.
    pub case: String,
    /// The method that was used.
    pub method: String,
    /// Cells along the longest side of the domain.
    pub resolution: i32,
    /// What came out.
    pub measured: f64,
    /// What should.
    pub expected: f64,
    /// Deviation, in the sense that the tolerance has.
    pub error: f64,
    /// Largest deviation that passes.
    pub tolerance: f64,
    /// Whether it passes.
    pub pass: bool,
}

/// A case that could not be carried through.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The case's scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A liquid outside of a scene could not be made.
    #[error(transparent)]
    Constants(#[from] ConstantError),
    /// A constant could not be measured.
    #[error(transparent)]
    Shown(#[from] ooze_particles::cases::ShownError),
    /// A liquid outside of a scene could not advance.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A surface could not be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// All cases, in the order in which they are run.
pub fn cases() -> Vec<Case> {
    [
        rest::cases(),
        volumes::cases(),
        inertia::cases(),
        relaxation::cases(),
        particles::cases(),
        viscous::cases(),
        heat::cases(),
        gaps::cases(),
        confined::cases(),
        warm_slot::cases(),
        bodies::cases(),
        slender::cases(),
        buckling::cases(),
        coiling::cases(),
        elastic::cases(),
        energy::cases(),
        goo_scenes::cases(),
        cost::cases(),
        surfaces::cases(),
        level_sets::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Case {
    /// Runs the case.
    pub fn run(&self) -> Result<Vec<Verdict>, CaseError> {
        (self.run)(self)
    }

    /// Judges a number.
    fn verdict(&self, scene: &Scene, quantity: &str, numbers: Numbers) -> Verdict {
        let cells = scene.setup.domain.cells.max_element();
        self.judge(scene.method_name, cells, quantity, numbers)
    }

    /// Judges a number that a method found on so many cells.
    fn judge(&self, method: &str, cells: i32, quantity: &str, numbers: Numbers) -> Verdict {
        let Numbers {
            measured,
            expected,
            error,
            tolerance,
        } = numbers;
        Verdict {
            case: format!("{}/{quantity}", self.name),
            method: method.into(),
            resolution: cells,
            measured,
            expected,
            error,
            tolerance,
            pass: error <= tolerance,
        }
    }
}

/// What a verdict is made from.
struct Numbers {
    measured: f64,
    expected: f64,
    error: f64,
    tolerance: f64,
}

impl Numbers {
    /// A number whose deviation must be within a share of `scale`.
    fn within(measured: f64, expected: f64, scale: f64, tolerance: f64) -> Self {
        Self {
            measured,
            expected,
            error: (measured - expected).abs() / scale,
            tolerance,
        }
    }

    /// A number that must agree within a share of what is expected.
    fn relative(measured: f64, expected: f64, tolerance: f64) -> Self {
        Self::within(measured, expected, expected.abs(), tolerance)
    }

    /// A number that must not exceed a limit.
    fn at_most(measured: f64, limit: f64) -> Self {
        Self::within(measured, 0.0, 1.0, limit)
    }

    /// A number that must reach a limit; what is missing is the error.
    fn at_least(measured: f64, limit: f64) -> Self {
        Self {
            measured,
            expected: limit,
            // Not the other way round: a number that is none must not pass.
            error: if measured >= limit {
                0.0
            } else {
                limit - measured
            },
            tolerance: 0.0,
        }
    }
}

/// Reads a case's scene.
fn read(text: &str, name: &str, overrides: &[Override]) -> Result<Scene, SceneErrors> {
    Scene::parse_with(text, name, "", overrides)
}
