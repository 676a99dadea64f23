//! What can be typed. Each flag is defined once, here and in the files beside; its help is the text beside it.

mod measuring;
mod showing;
mod simulating;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

pub(crate) use measuring::{Bench, Forecasts, Fuzz, Validate};
pub(crate) use showing::{
    Compare, Export, ExportFormat, ExportParts, Info, Mesh, MeshFormat, Plot, PlotFormat, Render,
    Sheet, Video,
};
pub(crate) use simulating::{Changes, Check, Following, Materials, New, Resume, Run, SceneChoice};
pub(crate) use values::FrameRange;

/// The exit codes, as `ooze --help` shows them.
const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  the simulation failed: the liquid could not be advanced; or a reference case is off
    2  the command line makes no sense
    3  the scene has errors
    4  files cannot be written or read, or are damaged
   70  a bug in ooze
  130  interrupted; a checkpoint was written, `ooze resume` continues";

/// Version of the program, with the commit that it was built from.
pub(crate) const VERSION: &str = env!("OOZE_VERSION");

/// Animates viscous, elastic, yielding and melting liquids.
///
/// Start with `ooze run dam-break`, or with `ooze new my-scene`.
#[derive(Debug, Parser)]
#[command(name = "ooze", version = VERSION, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// Reads the command line; leaves with help or an explanation where there is nothing to run.
pub(crate) fn parse() -> Arguments {
    Arguments::parse()
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene and write its frames
    Run(Run),
    /// Continue a run that was interrupted or killed
    Resume(Resume),
    /// Look for errors in a scene and predict what it costs, without running it
    Check(Check),
    /// List the built-in scenes
    List,
    /// Write a commented scene file to start from
    New(New),
    /// List the materials, or show one of them: values, sources, and which methods read what
    Materials(Materials),
    /// Show a run: progress, figures, damaged files
    Info(Info),
    /// Write particles and surfaces of a run for other programs
    Export(Export),
    /// Make pictures and a video of a run
    Render(Render),
    /// Write the liquid's surface in every frame of a run
    Mesh(Mesh),
    /// Put pictures of a run together to a video or a small animated preview
    Video(Video),
    /// Put pictures of a run on one sheet
    Sheet(Sheet),
    /// Draw figures and probes of a run over time
    Plot(Plot),
    /// Put figures and pictures of several runs side by side
    Compare(Compare),
    /// Run reference cases and compare them with theory and experiment
    Validate(Validate),
    /// Measure what whole scenes cost, and how cost grows
    Bench(Bench),
    /// Try what nonsense does: altered scenes, meshes and files of runs
    #[command(hide = true)]
    Fuzz(Fuzz),
    /// Print the JSON schema of scene files, for editors
    Schema,
    /// Print the reference of scene files in Markdown
    Reference,
    /// Print completions for a shell
    Completions(Completions),
    /// Write manual pages, one for each command
    Man(Man),
}

/// How work is carried out and shown; none of it changes the result.
#[derive(Debug, Args)]
pub(crate) struct Display {
    /// Threads to use [default: one a processor]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,

    /// Show no progress, only errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder to write to; it must be there
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
