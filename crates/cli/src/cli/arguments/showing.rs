//! Arguments of the commands that show runs, or make something of them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Display;
use super::values::{FrameRange, PictureSize};

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

    /// Colour the liquid by `temperature`, `melted`, `viscosity` or `speed`, with a legend [default: as the scene says]
    #[arg(long, value_name = "CHANNEL")]
    pub colour_by: Option<String>,

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
