//! What can be typed. Each flag is defined once, here; its help is the text beside it.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

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

/// Which scene, and what to change in it.
#[derive(Debug, Args)]
pub(crate) struct SceneChoice {
    /// A scene file, or the name of a built-in scene (see `ooze list`)
    #[arg(value_hint = ValueHint::FilePath)]
    pub scene: String,

    #[command(flatten)]
    pub changes: Changes,
}

/// What to change in a scene.
#[derive(Clone, Debug, Args)]
pub(crate) struct Changes {
    /// Simulate so many frames after the first
    #[arg(long, value_name = "N")]
    pub frames: Option<String>,

    /// Divide the longest side of the domain into so many cells
    #[arg(long, value_name = "CELLS")]
    pub resolution: Option<String>,

    /// Simulate with another method
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(ooze_scene::method_names()))]
    pub method: Option<String>,

    /// Change a key of the scene, as `--set gravity=0,-1.6,0` or `--set liquid.0.material=honey`; may be repeated. Quote what
    /// the shell would change, as `--set 'gravity=[0, -1.6, 0]'`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Changes {
    /// The flags as they would be typed.
    pub(crate) fn flags(&self) -> Vec<String> {
        let named = [
            ("--frames", &self.frames),
            ("--resolution", &self.resolution),
            ("--method", &self.method),
        ];
        let named = named.into_iter().filter_map(|(flag, value)| {
            let value = value.as_ref()?;
            Some([flag.into(), value.clone()])
        });
        let sets = self.set.iter().map(|text| ["--set".into(), text.clone()]);
        named.chain(sets).flatten().collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub choice: SceneChoice,

    /// Folder to write to [default: out/<scene>]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Quality of the pictures: `preview` when in a hurry, `draft` or `final` [default: as the scene says]
    #[arg(long, value_name = "QUALITY")]
    pub quality: Option<String>,

    /// Replace an older run in the folder; files that ooze did not make stay
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub following: Following,
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The run's folder
    pub folder: PathBuf,

    #[command(flatten)]
    pub following: Following,
}

/// How a simulation is followed; none of it changes the result.
#[derive(Debug, Args)]
pub(crate) struct Following {
    /// Make no pictures and no video
    #[arg(long)]
    pub no_video: bool,

    /// Print the figures of each frame on standard output, one JSON object a line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub display: Display,
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
pub(crate) struct Check {
    #[command(flatten)]
    pub choice: SceneChoice,

    /// Print one JSON object: errors and warnings with their places, and what the run will take
    #[arg(long)]
    pub json: bool,

    /// Look for errors only and foretell nothing, as editors want it at every keystroke
    #[arg(long)]
    pub quick: bool,

    /// Threads that the run will use [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// Name of the scene; the file is called NAME.toml
    pub name: PathBuf,

    /// Copy a built-in scene or a scene file, with its comments and the meshes that it reads
    #[arg(long, value_name = "SCENE", conflicts_with = "method")]
    pub from: Option<String>,

    /// Write a scene that suits this method
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(ooze_scene::method_names()))]
    pub method: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Materials {
    /// The material to show [default: a line for each]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The run's folder
    pub folder: PathBuf,

    /// Show every frame, not a selection
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The run's folder
    pub folder: PathBuf,

    /// Format of the files
    #[arg(long, value_enum)]
    pub format: ExportFormat,

    /// Particles, surfaces or both [default: all that the format has a place for]
    #[arg(long, value_enum, value_name = "PARTS")]
    pub what: Option<ExportParts>,

    /// Folder to write to, or for USD also a file ending in .usdc or .usd [default: DIR/export]
    #[arg(short, long, visible_alias = "to", value_name = "TARGET")]
    pub output: Option<PathBuf>,

    /// Frames to write, both ends included: `10..20`, `10..`, `..20` or `10` [default: all]
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,

    /// Threads to use [default: one a processor]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,

    /// Show no progress, only errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The run's folder
    pub folder: PathBuf,

    /// `preview` when in a hurry, `draft` for a good look, `final` for the real thing [default: as the scene says]
    #[arg(long, value_name = "QUALITY")]
    pub quality: Option<String>,

    /// Width and height of the pictures, both even [default: as the scene says]
    #[arg(long, value_name = "WxH")]
    pub size: Option<PictureSize>,

    /// Folder for pictures and video, to keep those of the run as they are [default: DIR/images, and the video in DIR]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub again: Again,
}

#[derive(Debug, Args)]
pub(crate) struct Mesh {
    /// The run's folder
    pub folder: PathBuf,

    /// Format of the files
    #[arg(long, value_enum, default_value_t = MeshFormat::Ply)]
    pub format: MeshFormat,

    /// Folder to write to [default: DIR/meshes]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Print the figures of each surface on standard output, one JSON object a line
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub again: Again,
}

/// How frames of a run are worked on once more.
#[derive(Debug, Args)]
pub(crate) struct Again {
    /// Change a key of the scene, as `--set pictures.exposure=1`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,

    /// Frames to take, both ends included: `10..20`, `10..`, `..20` or `10` [default: all]
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,

    /// Make anew what is there already
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub display: Display,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MeshFormat {
    /// Binary PLY with normals, velocities, colours and temperatures
    Ply,
    /// Wavefront OBJ with normals
    Obj,
}

impl MeshFormat {
    /// How files of the format end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Obj => "obj",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Video {
    /// The run's folder, with pictures in it
    pub folder: PathBuf,

    /// Frames to show, both ends included: `10..20`, `10..`, `..20` or `10` [default: all]
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,

    /// Frames shown in a second [default: the scene's]
    #[arg(long, value_name = "RATE")]
    pub frame_rate: Option<f64>,

    /// Write a small animated PNG for a web page instead
    #[arg(long)]
    pub preview: bool,

    /// File to write [default: DIR/<scene>.mp4, or DIR/preview.png]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Sheet {
    /// The run's folder, with pictures in it
    pub folder: PathBuf,

    /// Pictures on the sheet
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=400))]
    pub count: u16,

    /// Pictures in a row
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=40))]
    pub columns: u16,

    /// File to write [default: DIR/sheet.png]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Plot {
    /// The run's folder
    pub folder: PathBuf,

    /// File to write, ending in .svg or .png [default: DIR/plots.svg]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The runs' folders
    #[arg(required = true, num_args = 2..)]
    pub folders: Vec<PathBuf>,

    /// Moments at which pictures are put side by side
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub count: u16,

    /// Format of the plots
    #[arg(long, value_enum, default_value_t = PlotFormat::Svg)]
    pub format: PlotFormat,

    /// Folder to write to
    #[arg(short, long, value_name = "DIR", default_value = "out/compare")]
    pub output: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PlotFormat {
    /// Scalable lines
    Svg,
    /// Pixels
    Png,
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

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PictureSize(pub u32, pub u32);

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no size; write it as 640x360, both even, from 16 to 8192");
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let side = |text: &str| {
            let side: u32 = text.parse().ok()?;
            ((16..=8192).contains(&side) && side.is_multiple_of(2)).then_some(side)
        };
        match (side(width), side(height)) {
            (Some(width), Some(height)) => Ok(Self(width, height)),
            _ => Err(wrong()),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Cases to run [default: all]
    pub cases: Vec<String>,

    /// Only cases that take seconds
    #[arg(long)]
    pub quick: bool,

    /// Print one JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,

    /// Threads to use [default: one a processor]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Run one workload and print its cost as JSON [default: all, as tables with ratios]; `forecasts` runs built-in
    /// scenes and compares what they take with what `ooze check` foretells
    pub workload: Option<String>,

    /// Scenes whose forecasts are compared [default: all that are built in]
    #[arg(long = "scene", value_name = "NAME")]
    pub scenes: Vec<String>,

    #[command(flatten)]
    pub changes: Changes,

    /// Threads to use [default: 2, and 1 for comparison]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// Number of cases
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub cases: u64,

    /// Number of the first case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first: u64,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Threads to use [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,

    /// Seconds after which a case counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub limit: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Binary PLY, a file a frame: particles with every channel, surfaces with normals and velocities
    Ply,
    /// Wavefront OBJ text, a file a frame: surfaces with normals
    Obj,
    /// VTK XML, a file a frame and a .pvd collection: particles and surfaces with everything they carry
    Vtk,
    /// Universal Scene Description, one file: particles, surfaces, colliders, materials, camera
    Usd,
    /// Comma-separated text, a file a frame: particles with every channel
    Csv,
}

impl ExportFormat {
    /// What is typed for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Obj => "obj",
            Self::Vtk => "vtk",
            Self::Usd => "usd",
            Self::Csv => "csv",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportParts {
    /// The particles
    Particles,
    /// The liquid's surface
    Surface,
    /// Particles and surface
    Both,
}

/// A stretch of frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameRange(pub RangeInclusive<u32>);

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, otherwise: u32| {
            if text.is_empty() {
                Ok(otherwise)
            } else {
                text.parse()
                    .map_err(|_| format!("`{text}` is not the number of a frame"))
            }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first, 0)?, number(last, u32::MAX)?),
            None => {
                let only = number(text, 0)?;
                (only, only)
            }
        };
        if first > last {
            return Err(format!("frame {first} comes after frame {last}"));
        }
        Ok(Self(first..=last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn frame_ranges_include_both_ends() {
        let parse = |text: &str| text.parse::<FrameRange>().map(|range| range.0);
        assert_eq!(parse("3..5"), Ok(3..=5));
        assert_eq!(parse("3.."), Ok(3..=u32::MAX));
        assert_eq!(parse("..5"), Ok(0..=5));
        assert_eq!(parse("5"), Ok(5..=5));
        assert_eq!(parse("5..3"), Err("frame 5 comes after frame 3".into()));
        assert_eq!(parse("x"), Err("`x` is not the number of a frame".into()));
    }
}
