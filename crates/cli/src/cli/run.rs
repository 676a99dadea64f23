//! `ooze run` and `ooze resume`.

use std::path::Path;

use ooze::probes;
use ooze::{Outcome, Simulation};
use ooze_cache::{FolderLock, InputFile, OlderRun, RunFolder, RunInfo, RunWriter};
use ooze_cli::Recorder;
use ooze_cli::scene_setup::{recording, summary};
use ooze_scene::Scene;

use super::arguments::{Following, Resume, Run, VERSION};
use super::exhibition::Exhibition;
use super::failure::Failure;
use super::interrupt::Interrupt;
use super::words::{complain, number};
use super::{memory, progress, source};

/// What Ctrl-C does while the liquid is simulated.
pub(crate) const PROMISE: &str = "stopping after this sub-step";

/// Simulates a scene from its start.
pub(crate) fn run(mut arguments: Run) -> Result<(), Failure> {
    let following = &arguments.following;
    use_threads(following.display.threads)?;
    let quality = arguments.quality.as_deref().map(source::quality_key);
    arguments.choice.changes.set.extend(quality);
    let scene = source::resolve(&arguments.choice)?;
    memory::refuse_too_large(&scene)?;
    let video = scene.output.video && !following.no_video;
    let info = summary(&scene, VERSION, video)?;
    if !following.display.quiet {
        source::show_warnings(&scene);
    }
    let root = arguments
        .output
        .unwrap_or_else(|| Path::new("out").join(&scene.name));
    let lock = FolderLock::take(&root)?;
    let writer = begin(lock, &scene, arguments.force, following.display.quiet)?;
    let simulation = start(&scene, writer.folder())?;
    carry_out(simulation, &scene, writer, info, following)
}

/// Begins to fill a folder, in place of an older run if the user insists.
fn begin(lock: FolderLock, scene: &Scene, force: bool, quiet: bool) -> Result<RunWriter, Failure> {
    let columns = probes::columns(scene);
    let older = match OlderRun::find(&lock) {
        Ok(older) => older,
        Err(error) => {
            lock.leave_no_trace();
            return Err(error.into());
        }
    };
    Ok(match older {
        Some(older) if force => {
            if !quiet {
                complain(&removal(&older));
            }
            RunWriter::replace(lock, older, &scene.source_text, &columns)?
        }
        _ => RunWriter::create(lock, &scene.source_text, &columns)?,
    })
}

/// What `--force` will remove, and what not.
fn removal(older: &OlderRun) -> String {
    let root = older.root();
    let others = older.own_files().len() - older.frames();
    let mut text = format!(
        "removing the older run in {}: {} and {} that ooze made",
        root.display(),
        number(older.frames(), "frame"),
        number(others, "other file"),
    );
    for foreign in older.foreign_files() {
        let name = foreign.strip_prefix(root).unwrap_or(foreign);
        text += &format!("\n  {} stays: ooze did not make it", name.display());
    }
    text
}

/// Continues a run where its checkpoint left it.
pub(crate) fn resume(arguments: Resume) -> Result<(), Failure> {
    let following = &arguments.following;
    use_threads(following.display.threads)?;
    RunFolder::open(&arguments.folder)?;
    let lock = FolderLock::take(&arguments.folder)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let earlier = folder.info()?;
    let scene = source::of_run(&folder)?;
    memory::refuse_too_large(&scene)?;
    // What the user did not want at first is not made now.
    let wanted = earlier.as_ref().and_then(|earlier| earlier.video);
    let video = wanted.unwrap_or(scene.output.video) && !following.no_video;
    let mut info = summary(&scene, VERSION, video)?;
    if let Some(earlier) = earlier {
        refuse_other_inputs(&earlier.inputs, &info.inputs)?;
        info.warnings.extend(another_version(&earlier, &info));
        info.scene = earlier.scene;
        info.pictures = earlier.pictures;
    }
    let (writer, checkpoint) = RunWriter::resume(lock, &probes::columns(&scene))?;
    let mut simulation = start(&scene, writer.folder())?;
    if let Some(checkpoint) = checkpoint {
        let last = checkpoint.progress.frame;
        simulation
            .restore(checkpoint)
            .map_err(|error| Failure::File {
                path: writer.folder().checkpoint_path(),
                what: format!(
                    "{error}; restore it from a copy, or start the run anew with `ooze run --force`"
                ),
            })?;
        tell_missing_frames(&folder, info.particles_every, last)?;
    }
    carry_out(simulation, &scene, writer, info, following)
}

/// Another version may simulate otherwise; that is told now and in `run.json`.
fn another_version(earlier: &RunInfo, now: &RunInfo) -> Option<String> {
    let (before, now) = (&earlier.version, &now.version);
    if before == now {
        return None;
    }
    let warning = format!(
        "ooze {before} began this run and ooze {now} continues it; the frames may differ from those of one version alone"
    );
    complain(&format!("warning: {warning}"));
    Some(warning)
}

/// Frames before the checkpoint that somebody removed do not come back.
fn tell_missing_frames(folder: &RunFolder, every: Option<u32>, last: u32) -> Result<(), Failure> {
    let Some(every) = every else {
        return Ok(());
    };
    for frame in folder.missing_frames(every, last)? {
        complain(&format!(
            "warning: {} is missing; resuming does not make it again, `ooze run --force` does",
            folder.particles_path(frame).display()
        ));
    }
    Ok(())
}

fn start(scene: &Scene, folder: &RunFolder) -> Result<Simulation, Failure> {
    Simulation::of_scene(scene).map_err(|error| Failure::Simulation {
        error,
        folder: folder.root().into(),
    })
}

fn carry_out(
    mut simulation: Simulation,
    scene: &Scene,
    writer: RunWriter,
    info: RunInfo,
    following: &Following,
) -> Result<(), Failure> {
    let (folder, lock) = (writer.folder().clone(), writer.lock().clone());
    let quiet = following.display.quiet;
    let interrupt = Interrupt::listen();
    interrupt.promise(PROMISE);
    // Where a scene asks for no frames there is nothing to show.
    let wanted = info.particles_every.filter(|_| info.video == Some(true));
    let shown = wanted.filter(|_| can_draw(quiet));
    let recorder = Recorder::begin(writer, info, recording(scene))?;
    simulation.add_sink(Box::new(recorder));
    let mut exhibition = None;
    if let Some(every) = shown {
        let opened = Exhibition::open(&folder, &lock, scene, &interrupt)?;
        simulation.add_sink(opened.sink(every));
        exhibition = Some(opened);
    }
    for sink in progress::sinks(following, exhibition.as_ref().map(Exhibition::count)) {
        simulation.add_sink(sink);
    }
    let outcome = simulation.run(&|| interrupt.is_wanted());
    drop(simulation);
    if matches!(outcome, Ok(Outcome::Finished)) && !quiet {
        let (frames, folder) = (scene.time.frames, folder.root().display());
        complain(&format!("all {frames} frames are in {folder}"));
    }
    let pictures = match &exhibition {
        Some(exhibition) => exhibition.finish(&folder.frames()?, quiet),
        None => Ok(()),
    };
    let folder = folder.root().to_owned();
    match outcome {
        Ok(Outcome::Finished) if interrupt.is_wanted() && pictures.is_ok() => {
            Err(Failure::PicturesInterrupted { folder })
        }
        Ok(Outcome::Finished) => pictures,
        Ok(Outcome::Interrupted) => Err(Failure::Interrupted { folder }),
        Err(error) => Err(Failure::Simulation { error, folder }),
    }
}

/// Whether the program can make pictures; says so where it cannot.
fn can_draw(quiet: bool) -> bool {
    let can = cfg!(feature = "pictures");
    if !can && !quiet {
        complain("no pictures: this ooze was built without the feature `pictures`");
    }
    can
}

pub(crate) fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let threads = threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| Failure::Usage(format!("cannot start {threads} threads: {error}")))
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
