//! Pilots of earlier checks, in the user's cache folder: `$XDG_CACHE_HOME/ooze`, `~/.cache/ooze`, or what the system has
//! instead.

use std::env;
use std::fs;
use std::path::PathBuf;

use ooze_scene::Scene;
use serde::{Deserialize, Serialize};

use super::Pilot;

/// What a pilot depends on, with what it showed.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: String,
    threads: usize,
    scene: String,
    pilot: Pilot,
}

/// The pilot of this scene, if the same program has run it on as many threads.
pub(super) fn find(scene: &Scene) -> Option<Pilot> {
    let text = fs::read(path(scene)?).ok()?;
    let entry: Entry = serde_json::from_slice(&text).ok()?;
    let same = entry.version == env!("OOZE_VERSION")
        && entry.threads == rayon::current_num_threads()
        && entry.scene == scene.source_text;
    same.then_some(entry.pilot)
}

/// Keeps a pilot for next time. Without a place to keep it, it will be run again: no harm done.
pub(super) fn keep(scene: &Scene, pilot: &Pilot) {
    let entry = Entry {
        version: env!("OOZE_VERSION").into(),
        threads: rayon::current_num_threads(),
        scene: scene.source_text.clone(),
        pilot: pilot.clone(),
    };
    let text = serde_json::to_string(&entry);
    if let (Some(path), Ok(text)) = (path(scene), text)
        && let Some(folder) = path.parent()
        && fs::create_dir_all(folder).is_ok()
    {
        let _ = ooze_files::write(&path, text.as_bytes());
    }
}

fn path(scene: &Scene) -> Option<PathBuf> {
    let file = format!("{}.{}.json", scene.name, scene.method_name);
    Some(folder()?.join("pilots").join(file))
}

/// The folder in which programs keep what they can make again.
fn folder() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let home = || given("HOME").map(PathBuf::from);
    let base = match () {
        () if given("XDG_CACHE_HOME").is_some() => given("XDG_CACHE_HOME").map(PathBuf::from),
        () if cfg!(windows) => given("LOCALAPPDATA").map(PathBuf::from),
        () if cfg!(target_os = "macos") => home().map(|home| home.join("Library/Caches")),
        () => home().map(|home| home.join(".cache")),
    };
    Some(base?.join("ooze"))
}
