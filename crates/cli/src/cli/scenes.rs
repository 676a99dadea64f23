//! `ooze list`, `ooze schema` and `ooze reference`.

use ooze_scene::builtin;

use super::failure::Failure;
use super::words::say;

/// One line a built-in scene.
pub(crate) fn list() -> Result<(), Failure> {
    let width = builtin::list()
        .iter()
        .map(|scene| scene.name.len())
        .max()
        .unwrap_or(0);
    let lines: Vec<String> = builtin::list()
        .iter()
        .map(|scene| format!("{:width$}  {}\n", scene.name, scene.summary))
        .collect();
    say(&lines.concat())
}

/// The JSON schema of scene files.
pub(crate) fn schema() -> Result<(), Failure> {
    say(&format!("{:#}\n", ooze_scene::schema_json()))
}

/// The reference of scene files.
pub(crate) fn reference() -> Result<(), Failure> {
    say(&ooze_scene::reference_markdown())
}
