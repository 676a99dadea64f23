//! `ooze new`: a scene file to start from, of its own or after another scene, with a schema for editors beside it.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use ooze_scene::{SceneCopy, builtin, copied, starter, starter_for};

use super::arguments::New;
use super::failure::Failure;
use super::source;
use super::words::{complain, say};

/// Name of the schema beside a new scene.
const SCHEMA: &str = "ooze-scene.schema.json";

/// Writes a scene to start from.
pub(crate) fn new(arguments: New) -> Result<(), Failure> {
    let mut path = arguments.name;
    if path.extension().is_none_or(|extension| extension != "toml") {
        path.as_mut_os_string().push(".toml");
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    if path.exists() {
        return Err(is_there(&path));
    }
    let (text, files) = match (&arguments.from, &arguments.method) {
        (Some(from), _) => after(from, &name, &path)?,
        (None, method) => {
            let suited = method
                .as_ref()
                .and_then(|method| starter_for(method, &name));
            (suited.unwrap_or_else(|| starter(&name)), Vec::new())
        }
    };
    // Editors find the schema by a first line that taplo and Even Better TOML understand.
    let text = if text.starts_with("#:schema") {
        text
    } else {
        format!("#:schema ./{SCHEMA}\n{text}")
    };
    for (before, now) in &files {
        copy_file(before, &folder.join(now))?;
    }
    write_new(&path, text.as_bytes())?;
    write_schema(&folder.join(SCHEMA))?;
    say(&format!(
        "wrote {path}{}; try:\n  ooze check {path}\n  ooze run {path}\n",
        match files.len() {
            0 => String::new(),
            1 => " and the file that it reads".into(),
            count => format!(" and the {count} files that it reads"),
        },
        path = path.display(),
    ))
}

/// The text of a scene after another one, and the files that it reads: where they are and where they go.
fn after(from: &str, name: &str, path: &Path) -> Result<(String, Vec<(PathBuf, String)>), Failure> {
    let origin = Path::new(from);
    let (text, source_name, folder) = if origin.is_file() {
        let text = fs::read_to_string(origin).map_err(|error| Failure::File {
            path: origin.into(),
            what: format!("cannot be read: {error}"),
        })?;
        let folder = origin.parent().unwrap_or(Path::new(""));
        (text, from.to_owned(), folder.to_owned())
    } else {
        let built_in = builtin::find(from).ok_or_else(|| source::unknown_scene(from))?;
        // What its head says to type is about this file now.
        let run = |end: &str| format!("ooze run {from}{end}");
        let text = [" ", "\n"]
            .iter()
            .fold(built_in.text.to_owned(), |text, end| {
                let now = format!("ooze run {}{end}", path.display());
                text.replace(&run(end), &now)
            });
        (text, format!("{from}.toml"), PathBuf::new())
    };
    let SceneCopy { text, files } = copied(&text, &source_name, name, &format!("{name}-files"))?;
    let files = files.into_iter();
    let files = files.map(|(before, now)| (folder.join(before), now));
    Ok((text, files.collect()))
}

/// Copies a file that a scene reads; what is there already stays.
fn copy_file(before: &Path, now: &Path) -> Result<(), Failure> {
    let contents = fs::read(before).map_err(|error| Failure::File {
        path: before.into(),
        what: format!("cannot be read: {error}"),
    })?;
    if let Some(folder) = now.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::File {
            path: folder.into(),
            what: format!("cannot be made: {error}"),
        })?;
    }
    if fs::read(now).is_ok_and(|there| there == contents) {
        return Ok(());
    }
    write_new(now, &contents)
}

fn is_there(path: &Path) -> Failure {
    Failure::File {
        path: path.into(),
        what: "is there already; choose another name".into(),
    }
}

/// Writes a file that must not be there yet.
fn write_new(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(contents));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => is_there(path),
        _ => Failure::File {
            path: path.into(),
            what: format!("cannot be written: {error}"),
        },
    })
}

/// Writes the schema, or brings an older one up to date; a file of another kind stays.
fn write_schema(path: &Path) -> Result<(), Failure> {
    let schema = ooze_scene::schema_json();
    let text = format!("{schema:#}\n");
    let Ok(there) = fs::read_to_string(path) else {
        return write_new(path, text.as_bytes());
    };
    if there == text {
        return Ok(());
    }
    let known: Option<serde_json::Value> = serde_json::from_str(&there).ok();
    if known.is_none_or(|known| known["title"] != schema["title"]) {
        complain(&format!(
            "{} is no schema of ooze and stays as it is",
            path.display()
        ));
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Failure::File {
        path: path.into(),
        what: format!("cannot be written: {error}"),
    })
}
