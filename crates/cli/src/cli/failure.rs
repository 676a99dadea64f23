//! How a command can end other than well, and the exit code of each way. docs/command-line.md lists them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miette::Report;
use ooze::SimulationError;
use ooze_cache::CacheError;
use ooze_cli::bench::BenchError;
use ooze_cli::export::FrameExportError;
use ooze_cli::pictures::PictureError;
#[cfg(feature = "pictures")]
use ooze_cli::plots::PlotError;
use ooze_core::StepError;
use ooze_scene::SceneErrors;
use thiserror::Error;

use super::words::complain;

/// The liquid could not be advanced.
const SIMULATION_FAILED: u8 = 1;
/// The command line makes no sense; clap uses the same.
const WRONG_USAGE: u8 = 2;
/// The scene has errors.
const WRONG_SCENE: u8 = 3;
/// Files cannot be written or read, or are damaged.
const WRONG_FILES: u8 = 4;
/// A bug.
pub(crate) const INTERNAL_ERROR: u8 = 70;
/// The user stopped the run: 128 and the number of the signal, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// A command that did not end well.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// What was typed cannot be done.
    #[error("{0}")]
    Usage(String),
    /// The scene has errors.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A run's files cannot be written or read.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// Another file cannot be written or read, or does not fit.
    #[error("{}: {what}", path.display())]
    File { path: PathBuf, what: String },
    /// Some files of a run are damaged; each has been named.
    #[error("{count} of the run's files {} damaged", if *.count == 1 { "is" } else { "are" })]
    Damaged { count: usize },
    /// Standard output is gone.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// The simulation stopped.
    #[error("{error}{}\nWhat {} holds is whole: look at it with `ooze info`.", advice(error), folder.display())]
    Simulation {
        error: SimulationError,
        folder: PathBuf,
    },
    /// A picture could not be made.
    #[error("{}: {error}", path.display())]
    Picture { path: PathBuf, error: PictureError },
    /// A frame could not be exported.
    #[error("{}: {error}", path.display())]
    Export {
        path: PathBuf,
        error: FrameExportError,
    },
    /// Plots could not be drawn.
    #[cfg(feature = "pictures")]
    #[error(transparent)]
    Plot(PlotError),
    /// Reference cases do not agree with what is expected.
    #[error("{failed} of the numbers {} off", if *.failed == 1 { "is" } else { "are" })]
    Off { failed: usize },
    /// A benchmark could not be carried through.
    #[error(transparent)]
    Bench(BenchError),
    /// The scene needs more memory than there is.
    #[error(
        "{scene} will need about {needed} of memory, and there are {limit} here; take fewer cells (`--resolution`), less liquid, or a larger machine"
    )]
    TooLarge {
        scene: String,
        needed: String,
        limit: String,
    },
    /// The user stopped the making of pictures.
    #[error("stopped; the video shows the pictures that there are. Make the others with:\n  ooze render {}", folder.display())]
    PicturesInterrupted { folder: PathBuf },
    /// The user stopped the run.
    #[error("stopped; a checkpoint was written. Continue with:\n  ooze resume {}", folder.display())]
    Interrupted { folder: PathBuf },
}

/// Turns what went wrong with a picture into a failure that names the file.
pub(crate) fn failed<E: Into<PictureError>>(path: &Path) -> impl FnOnce(E) -> Failure {
    let path: PathBuf = path.to_owned();
    move |error| Failure::Picture {
        path,
        error: error.into(),
    }
}

impl Failure {
    /// The program was built without a feature that the command needs.
    #[cfg(not(feature = "video"))]
    pub(crate) fn lacks(feature: &str) -> Self {
        Self::Usage(format!(
            "this ooze was built without the feature `{feature}`; build it again with `--features {feature}`"
        ))
    }

    /// Tells the user, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let code = self.code();
        match self {
            Self::Scene(errors) => complain(format!("{:?}", Report::new(errors)).trim_end()),
            Self::Interrupted { .. } | Self::PicturesInterrupted { .. } => {
                complain(&self.to_string());
            }
            _ => complain(&format!("error: {self}")),
        }
        ExitCode::from(code)
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => WRONG_USAGE,
            Self::Scene(_) | Self::TooLarge { .. } => WRONG_SCENE,
            Self::Cache(_) | Self::File { .. } | Self::Damaged { .. } | Self::Output(_) => {
                WRONG_FILES
            }
            Self::Simulation { error, .. } => match error {
                SimulationError::Liquid(_) | SimulationError::Bodies(_) => WRONG_SCENE,
                SimulationError::Output(_) => WRONG_FILES,
                SimulationError::Step { .. } | SimulationError::Rewind { .. } => SIMULATION_FAILED,
            },
            Self::Picture { .. } | Self::Export { .. } => WRONG_FILES,
            #[cfg(feature = "pictures")]
            Self::Plot(_) => WRONG_FILES,
            Self::Off { .. } | Self::Bench(_) => SIMULATION_FAILED,
            Self::Interrupted { .. } | Self::PicturesInterrupted { .. } => INTERRUPTED,
        }
    }
}

/// What to try when the liquid could not be advanced.
fn advice(error: &SimulationError) -> &'static str {
    match error {
        // Says itself what to do.
        SimulationError::Step {
            source: StepError::StepTooSmall { .. },
            ..
        } => "",
        SimulationError::Step { .. } => {
            "\nTry shorter steps (`--set time.cfl=1`) or finer cells (`--resolution`), and look for colliders that squeeze the liquid."
        }
        SimulationError::Liquid(_)
        | SimulationError::Bodies(_)
        | SimulationError::Rewind { .. }
        | SimulationError::Output(_) => "",
    }
}
