//! From what was typed to a checked scene.

use std::path::{Path, PathBuf};

use ooze_cache::RunFolder;
use ooze_scene::{Override, Scene, builtin, suggestion};

use super::arguments::{Changes, SceneChoice};
use super::failure::Failure;
use super::words::complain;

/// Finds and reads the scene that was asked for, with its changes.
pub(crate) fn resolve(choice: &SceneChoice) -> Result<Scene, Failure> {
    let overrides = overrides(&choice.changes);
    let path = Path::new(&choice.scene);
    if path.is_file() {
        return Ok(Scene::load_with(path, &overrides)?);
    }
    let looks_like_a_file = path.extension().is_some() || path.components().count() > 1;
    match builtin::find(&choice.scene) {
        Some(scene) => Ok(Scene::parse_with(
            scene.text,
            &format!("{}.toml", scene.name),
            "",
            &overrides,
        )?),
        None if looks_like_a_file => Err(Failure::File {
            path: path.into(),
            what: "there is no such file; `ooze new NAME` writes a scene to start from".into(),
        }),
        None => Err(unknown_scene(&choice.scene)),
    }
}

/// What to say of a name that is neither a file's nor a built-in scene's.
pub(crate) fn unknown_scene(name: &str) -> Failure {
    let known: Vec<&str> = builtin::list().iter().map(|scene| scene.name).collect();
    let help = suggestion(name, &known);
    Failure::Usage(format!(
        "there is neither a file nor a built-in scene `{name}`; {help}"
    ))
}

/// Reads the scene that a run was made from.
pub(crate) fn of_run(folder: &RunFolder) -> Result<Scene, Failure> {
    of_run_with(folder, &[])
}

/// Reads the scene that a run was made from and changes some of its keys.
pub(crate) fn of_run_with(folder: &RunFolder, overrides: &[Override]) -> Result<Scene, Failure> {
    let base_folder = folder
        .info()?
        .and_then(|info| info.scene_folder)
        .map_or_else(|| folder.root().to_owned(), PathBuf::from);
    let name = folder.scene_path().display().to_string();
    let text = folder.scene_text()?;
    Ok(Scene::parse_with(&text, &name, &base_folder, overrides)?)
}

fn overrides(changes: &Changes) -> Vec<Override> {
    let flags = [
        changes.frames.as_deref().map(Override::frames),
        changes.resolution.as_deref().map(Override::resolution),
        changes.method.as_deref().map(Override::method),
    ];
    let sets = changes.set.iter().map(|text| Override::set(text));
    flags.into_iter().flatten().chain(sets).collect()
}

/// Shows what looks wrong in a scene although it can be run.
pub(crate) fn show_warnings(scene: &Scene) {
    for warning in scene.warnings() {
        let report = miette::Report::new(warning.clone());
        complain(format!("{report:?}").trim_end());
    }
}

/// The key of the scene that `--quality` stands for.
pub(crate) fn quality_key(quality: &str) -> String {
    format!("pictures.quality=\"{quality}\"")
}
