//! Arguments of the commands that take scenes: which scene, what to change in it, how to follow it.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};

use super::Display;

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
