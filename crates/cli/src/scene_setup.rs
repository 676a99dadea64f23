//! What is recorded of a run of a scene.

use std::path::Path;

use ooze_cache::{CacheError, InputFile, Machine, RunInfo, RunStatus, Totals};
use ooze_scene::Scene;

use crate::recorder::{CheckpointPolicy, Recording};

/// What a scene asks to be recorded.
pub fn recording(scene: &Scene) -> Recording {
    let output = &scene.output;
    Recording {
        particles_every: output.particles.then_some(output.every),
        channels: output.channels.clone(),
        checkpoints: CheckpointPolicy {
            frames: output.checkpoint_frames.unwrap_or(0),
            interval: std::time::Duration::from_secs_f64(60.0 * output.checkpoint_minutes),
        },
    }
}

/// The summary of a run of a scene that is about to begin, by this version of the program.
pub fn summary(scene: &Scene, version: &str, video: bool) -> Result<RunInfo, CacheError> {
    let warnings = scene.warnings().iter();
    let meshes = scene.mesh_files.iter();
    Ok(RunInfo {
        version: version.into(),
        scene: scene.name.clone(),
        method: scene.method_name.into(),
        seed: scene.setup.seed,
        frames: scene.time.frames,
        frame_rate: scene.time.frame_rate,
        particles_every: scene.output.particles.then_some(scene.output.every),
        video: Some(video),
        scene_folder: absolute(&scene.base_folder),
        inputs: meshes
            .map(|path| InputFile::of(path))
            .collect::<Result<_, _>>()?,
        status: RunStatus::Running,
        machine: Machine::here(rayon::current_num_threads()),
        totals: Totals::default(),
        pictures: None,
        warnings: warnings.map(|warning| warning.line()).collect(),
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
