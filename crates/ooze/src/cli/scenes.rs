//! `ooze list`, `ooze new`, `ooze schema` and `ooze reference`.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use ooze_scene::builtin;

use super::arguments::New;
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

/// Writes a scene to start from.
pub(crate) fn new(arguments: New) -> Result<(), Failure> {
    let mut path = arguments.name;
    if path.extension().is_none_or(|extension| extension != "toml") {
        path.as_mut_os_string().push(".toml");
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let text = ooze_scene::starter(&name);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => say(&format!(
            "wrote {path}; try:\n  ooze check {path}\n  ooze run {path}\n",
            path = path.display()
        )),
        Err(error) => {
            let what = match error.kind() {
                ErrorKind::AlreadyExists => "is there already; choose another name".into(),
                _ => format!("cannot be written: {error}"),
            };
            Err(Failure::File { path, what })
        }
    }
}

/// The JSON schema of scene files.
pub(crate) fn schema() -> Result<(), Failure> {
    say(&format!("{:#}\n", ooze_scene::schema_json()))
}

/// The reference of scene files.
pub(crate) fn reference() -> Result<(), Failure> {
    say(&ooze_scene::reference_markdown())
}
