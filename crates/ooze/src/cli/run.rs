//! `ooze run` and `ooze resume`.

use std::path::Path;

use ooze::probes;
use ooze::scene_setup::recording;
use ooze::{Outcome, Recorder, Simulation};
use ooze_cache::{InputFile, Machine, RunFolder, RunInfo, RunStatus, RunWriter, Totals};
use ooze_scene::Scene;

use super::arguments::{Following, Resume, Run, VERSION};
use super::failure::Failure;
use super::interrupt::Interrupt;
use super::words::complain;
use super::{progress, render, source};

/// Simulates a scene from its start.
pub(crate) fn run(mut arguments: Run) -> Result<(), Failure> {
    use_threads(arguments.following.display.threads)?;
    let quality = arguments.quality.as_deref().map(render::quality_key);
    arguments.choice.changes.set.extend(quality);
    let scene = source::resolve(&arguments.choice)?;
    let info = describe(&scene)?;
    if !arguments.following.display.quiet {
        source::show_warnings(&scene);
    }
    let root = arguments
        .output
        .unwrap_or_else(|| Path::new("out").join(&scene.name));
    let columns = probes::columns(&scene);
    let writer = RunWriter::create(&root, &scene.source_text, &columns, arguments.force)?;
    let simulation = Simulation::of_scene(&scene);
    carry_out(simulation, &scene, writer, info, &arguments.following)?;
    show(&root, &scene, &arguments.following)
}

/// Pictures and a video, unless the scene or the user wants none.
fn show(root: &Path, scene: &Scene, following: &Following) -> Result<(), Failure> {
    if scene.output.video && !following.no_video {
        render::video_of_run(root, scene, &following.display)?;
    }
    Ok(())
}

/// Continues a run where its checkpoint left it.
pub(crate) fn resume(arguments: Resume) -> Result<(), Failure> {
    use_threads(arguments.following.display.threads)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let earlier = folder.info()?;
    let scene = source::of_run(&folder)?;
    let mut info = describe(&scene)?;
    if let Some(earlier) = earlier {
        refuse_other_inputs(&earlier.inputs, &info.inputs)?;
        info.scene = earlier.scene;
    }
    let (writer, checkpoint) = RunWriter::resume(folder, &probes::columns(&scene))?;
    let mut simulation = Simulation::of_scene(&scene);
    if let Some(checkpoint) = checkpoint {
        simulation
            .restore(checkpoint)
            .map_err(|error| Failure::File {
                path: arguments.folder.clone(),
                what: format!("the checkpoint does not fit the scene: {error}"),
            })?;
    }
    carry_out(simulation, &scene, writer, info, &arguments.following)?;
    show(&arguments.folder, &scene, &arguments.following)
}

fn carry_out(
    mut simulation: Simulation,
    scene: &Scene,
    writer: RunWriter,
    info: RunInfo,
    following: &Following,
) -> Result<(), Failure> {
    let folder = writer.folder().root().to_owned();
    let recorder = Recorder::begin(writer, info, recording(scene))?;
    simulation.add_sink(Box::new(recorder));
    for sink in progress::sinks(following) {
        simulation.add_sink(sink);
    }
    let interrupt = Interrupt::listen();
    match simulation.run(&|| interrupt.is_wanted()) {
        Ok(Outcome::Finished) => {
            if !following.display.quiet {
                complain(&format!(
                    "all {} frames are in {}",
                    scene.time.frames,
                    folder.display()
                ));
            }
            Ok(())
        }
        Ok(Outcome::Interrupted) => Err(Failure::Interrupted { folder }),
        Err(error) => Err(Failure::Simulation { error, folder }),
    }
}

pub(crate) fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let threads = threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| Failure::Usage(format!("cannot start {threads} threads: {error}")))
}

/// The summary of a run that is about to begin.
fn describe(scene: &Scene) -> Result<RunInfo, Failure> {
    Ok(RunInfo {
        version: VERSION.into(),
        scene: scene.name.clone(),
        method: scene.method_name.into(),
        seed: scene.setup.seed,
        frames: scene.time.frames,
        frame_rate: scene.time.frame_rate,
        scene_folder: absolute(&scene.base_folder),
        inputs: scene
            .mesh_files
            .iter()
            .map(|path| InputFile::of(path))
            .collect::<Result<_, _>>()?,
        status: RunStatus::Running,
        machine: Machine::here(rayon::current_num_threads()),
        totals: Totals::default(),
        warnings: scene
            .warnings()
            .iter()
            .map(|warning| warning.line())
            .collect(),
    })
}

/// The folder from which relative paths begin wherever a resume is started from.
fn absolute(folder: &Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let absolute = std::path::absolute(folder).ok()?;
    absolute.to_str().map(str::to_owned)
}

/// A mesh that was edited since would make a resumed run differ from a whole one.
fn refuse_other_inputs(earlier: &[InputFile], now: &[InputFile]) -> Result<(), Failure> {
    for (earlier, now) in earlier.iter().zip(now) {
        if !earlier.has_contents_of(now) {
            return Err(Failure::File {
                path: now.path.clone().into(),
                what: "was changed since the run began; put the old file back, or start anew with `ooze run`".into(),
            });
        }
    }
    Ok(())
}
