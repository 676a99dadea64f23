//! A scene file under another name: every comment kept, and the files that it reads where their copies will be.

use std::ops::Range;

use crate::SceneErrors;
use crate::node::{self, Located, Node};
use crate::place::source;
use crate::written::quoted;

/// The text of a scene under another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneCopy {
    /// The text, in which only the name and the paths of files have changed.
    pub text: String,
    /// Paths of files that the scene reads, relative to it: before and now, each once.
    pub files: Vec<(String, String)>,
}

/// Copies the text of a scene. It is called `name` from now on, unless it is called as its file is; files that it reads are
/// to be in the folder `folder` beside it. Messages call the text `source_name`.
pub fn copied(
    text: &str,
    source_name: &str,
    name: &str,
    folder: &str,
) -> Result<SceneCopy, SceneErrors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = node::parse(&source(source_name, text))
        .map_err(|problems| SceneErrors::new(source_name, problems))?;
    let mut files: Vec<(String, String)> = Vec::new();
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    if let Some(own) = value(&tree, "name")
        && matches!(own.node, Node::Text(_))
    {
        changes.push((own.place.span.clone(), quoted(name)));
    }
    each_file(&tree, &mut |file, located| {
        let known = files.iter().find(|(before, _)| before == file);
        let now = known.map_or_else(|| place_in(folder, file, &files), |(_, now)| now.clone());
        changes.push((located.place.span.clone(), quoted(&now)));
        if known.is_none() {
            files.push((file.into(), now));
        }
    });
    changes.sort_by_key(|(span, _)| span.start);
    let mut copy = String::new();
    let mut done = 0;
    for (span, now) in changes {
        copy.push_str(&text[done..span.start]);
        copy.push_str(&now);
        done = span.end;
    }
    copy.push_str(&text[done..]);
    Ok(SceneCopy { text: copy, files })
}

/// The value of a key of a table.
fn value<'a>(located: &'a Located, name: &str) -> Option<&'a Located> {
    match &located.node {
        Node::Table(entries) => {
            let entry = entries.iter().find(|entry| entry.name == name);
            entry.map(|entry| &entry.value)
        }
        _ => None,
    }
}

/// Visits every path of a file: what stands under a key `file`, or for the mesh that it is.
fn each_file(located: &Located, visit: &mut impl FnMut(&str, &Located)) {
    match &located.node {
        Node::Table(entries) => {
            for entry in entries {
                match &entry.value.node {
                    Node::Text(file) if ["file", "mesh"].contains(&entry.name.as_str()) => {
                        visit(file, &entry.value)
                    }
                    _ => each_file(&entry.value, visit),
                }
            }
        }
        Node::List(items) => items.iter().for_each(|item| each_file(item, visit)),
        _ => {}
    }
}

/// Where the copy of a file goes, beside those that have a place already.
fn place_in(folder: &str, file: &str, taken: &[(String, String)]) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let mut place = format!("{folder}/{name}");
    let mut count = 1;
    while taken.iter().any(|(_, now)| *now == place) {
        count += 1;
        place = format!("{folder}/{count}-{name}");
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_and_paths_change() {
        let text = "# first\nname = 'old' # kept\n[[collider]]\nshape.mesh = { file = \"a/cat.obj\", scale = 2 } # too\n\
                    [[liquid]]\n[liquid.shape]\nunion = [{ mesh.file = \"b/cat.obj\" }, { mesh = \"a/cat.obj\" }]\n";
        let copy = copied(text, "old.toml", "new", "new-files").unwrap();
        let expected = text
            .replace("'old'", "\"new\"")
            .replace("a/cat.obj", "new-files/cat.obj")
            .replace("b/cat.obj", "new-files/2-cat.obj");
        assert_eq!(copy.text, expected);
        let files = [
            ("a/cat.obj", "new-files/cat.obj"),
            ("b/cat.obj", "new-files/2-cat.obj"),
        ];
        assert_eq!(copy.files, files.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn a_scene_that_is_called_as_its_file_is_stays_so() {
        let text = "[domain]\nsize = [1, 1, 1]\n";
        assert_eq!(copied(text, "old.toml", "new", "f").unwrap().text, text);
        assert!(copied("name = ", "old.toml", "new", "f").is_err());
    }
}
