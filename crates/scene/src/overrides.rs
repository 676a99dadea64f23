//! Changing keys of a scene from the command line.

use std::fmt::Write;

use crate::node::{Entry, Located, Node, parse_value};
use crate::place::{Place, Source, join, source};
use crate::problem::Problem;

/// One key that is changed: a flag of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The flag as messages name it, as `--set`.
    flag: String,
    /// Path of the key, as `domain.cells` or `liquid.0.velocity`.
    key: String,
    /// TOML text of the value; a word without quotes is taken as a string.
    value: String,
}

/// Keys of which only one may be given: setting one takes the other away.
const ALTERNATIVES: [[&str; 2]; 2] = [
    ["domain.cells", "domain.cell_size"],
    ["time.frames", "time.duration"],
];

impl Override {
    /// `--set key=value`; the text after `--set`.
    pub fn set(key_and_value: &str) -> Self {
        let (key, value) = key_and_value.split_once('=').unwrap_or((key_and_value, ""));
        Self::new("--set", key.trim(), value.trim())
    }

    /// `--resolution cells`: cells along the longest side.
    pub fn resolution(cells: &str) -> Self {
        Self::new("--resolution", "domain.cells", cells)
    }

    /// `--frames count`.
    pub fn frames(count: &str) -> Self {
        Self::new("--frames", "time.frames", count)
    }

    /// `--method preset`.
    pub fn method(preset: &str) -> Self {
        Self::new("--method", "method.preset", preset)
    }

    fn new(flag: &str, key: &str, value: &str) -> Self {
        Self {
            flag: flag.into(),
            key: key.into(),
            value: value.into(),
        }
    }

    /// The flag as it was typed.
    fn typed(&self) -> String {
        if self.flag == "--set" {
            format!("--set {}={}", self.key, self.value)
        } else {
            format!("{} {}", self.flag, self.value)
        }
    }
}

/// Works all overrides into the tree of a scene; what cannot be done is noted.
pub(crate) fn apply(root: &mut Located, overrides: &[Override], problems: &mut Vec<Problem>) {
    for change in overrides {
        if let Err(problem) = apply_one(root, change) {
            problems.push(problem);
        }
    }
}

fn apply_one(root: &mut Located, change: &Override) -> Result<(), Problem> {
    let text = change.typed();
    let start = text.len() - change.value.len();
    let source = source(&change.flag, &text);
    let whole = Place {
        source: source.clone(),
        span: 0..text.len(),
        key: change.key.as_str().into(),
    };
    if change.key.is_empty() || change.key.split('.').any(str::is_empty) {
        return Err(Problem::error(&whole, format!("`{text}` names no key"))
            .help("write --set key=value, as --set domain.cells=128"));
    }
    if change.value.is_empty() {
        return Err(Problem::error(&whole, format!("`{text}` has no value"))
            .help("write --set key=value, as --set domain.cells=128"));
    }
    let value = Located {
        node: value_of(&source, start, change)?,
        place: Place {
            span: start..text.len(),
            ..whole.clone()
        },
    };
    for pair in ALTERNATIVES {
        for (one, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if change.key == one {
                remove(root, &other.split('.').collect::<Vec<_>>());
            }
        }
    }
    let path: Vec<&str> = change.key.split('.').collect();
    insert(root, &path, value, &whole)
}

/// The value, which may be a bare word: shells eat quotes.
fn value_of(source: &Source, start: usize, change: &Override) -> Result<Node, Problem> {
    let word = |letter: char| letter.is_alphanumeric() || "-_+".contains(letter);
    let parsed = parse_value(source, start, &change.key);
    match parsed {
        Err(_) if change.value.chars().all(word) => Ok(Node::Text(change.value.clone())),
        other => other,
    }
}

/// Puts a value where the path leads; missing tables are made.
fn insert(at: &mut Located, path: &[&str], value: Located, whole: &Place) -> Result<(), Problem> {
    let Some((first, rest)) = path.split_first() else {
        at.node = value.node;
        at.place = Place {
            key: at.place.key.clone(),
            ..value.place
        };
        return Ok(());
    };
    let key = at.place.key.clone();
    // `method = "flip"` is short for `method.preset = "flip"`.
    if matches!(at.node, Node::Text(_)) && matches!(*first, "preset" | "base") && rest.is_empty() {
        return insert(at, rest, value, whole);
    }
    match &mut at.node {
        Node::Table(entries) => {
            if let Some(entry) = entries.iter_mut().find(|entry| entry.name == *first) {
                return insert(&mut entry.value, rest, value, whole);
            }
            let place = Place {
                key: join(&key, first),
                ..value.place.clone()
            };
            let mut made = Located {
                node: Node::Table(Vec::new()),
                place: place.clone(),
            };
            insert(&mut made, rest, value, whole)?;
            entries.push(Entry {
                name: (*first).into(),
                place,
                value: made,
            });
            Ok(())
        }
        Node::List(items) => {
            let count = items.len();
            let item = first
                .parse::<usize>()
                .ok()
                .and_then(|index| items.get_mut(index));
            match item {
                Some(item) => insert(item, rest, value, whole),
                None => {
                    let message = format!("`{first}` is no item of `{key}`, which has {count}");
                    Err(Problem::error(whole, message)
                        .help(format!("items count from 0, as {key}.0")))
                }
            }
        }
        other => Err(Problem::error(
            whole,
            format!("`{key}` is {}, it has no key `{first}`", other.what()),
        )),
    }
}

fn remove(at: &mut Located, path: &[&str]) {
    let (Some((first, rest)), Node::Table(entries)) = (path.split_first(), &mut at.node) else {
        return;
    };
    if rest.is_empty() {
        entries.retain(|entry| entry.name != *first);
    } else if let Some(entry) = entries.iter_mut().find(|entry| entry.name == *first) {
        remove(&mut entry.value, rest);
    }
}

/// The tree as TOML text, with a head that says where it comes from.
pub(crate) fn written(root: &Located, source_name: &str, overrides: &[Override]) -> String {
    let mut text = format!("# {} with", source_name.replace(char::is_control, " "));
    for change in overrides {
        let typed = change.typed().replace(char::is_control, " ");
        let _ = write!(text, " {typed}");
    }
    text.push('\n');
    let Node::Table(entries) = &root.node else {
        return text;
    };
    // What has no header of its own must come first.
    let (sections, plain): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| is_section(entry));
    write_pairs(&mut text, plain);
    for entry in sections {
        let name = bare(&entry.name);
        match &entry.value.node {
            Node::Table(entries) => {
                let _ = writeln!(text, "\n[{name}]");
                write_pairs(&mut text, entries);
            }
            Node::List(items) => {
                for item in items {
                    if let Node::Table(entries) = &item.node {
                        let _ = writeln!(text, "\n[[{name}]]");
                        write_pairs(&mut text, entries);
                    }
                }
            }
            _ => {}
        }
    }
    text
}

/// Whether an entry of the file is written under a header: a table, or a list of tables.
fn is_section(entry: &Entry) -> bool {
    match &entry.value.node {
        Node::Table(_) => true,
        Node::List(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item.node, Node::Table(_)))
        }
        _ => false,
    }
}

/// Writes one `key = value` a line.
fn write_pairs<'a>(text: &mut String, entries: impl IntoIterator<Item = &'a Entry>) {
    for entry in entries {
        let _ = writeln!(
            text,
            "{} = {}",
            bare(&entry.name),
            inline(&entry.value.node)
        );
    }
}

/// A key, in quotes if it needs them.
fn bare(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if !name.is_empty() && name.chars().all(plain) {
        name.into()
    } else {
        quoted(name)
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

/// A value on one line.
fn inline(node: &Node) -> String {
    match node {
        Node::Text(text) => quoted(text),
        Node::Whole(value) => value.to_string(),
        // The shortest text that reads back as the same number, and reads back as a number with a point.
        Node::Number(value) => toml::Value::Float(*value).to_string(),
        Node::Flag(value) => value.to_string(),
        Node::Moment => "\"\"".into(),
        Node::List(items) => {
            let items: Vec<String> = items.iter().map(|item| inline(&item.node)).collect();
            format!("[{}]", items.join(", "))
        }
        Node::Table(entries) => {
            let pair =
                |entry: &Entry| format!("{} = {}", bare(&entry.name), inline(&entry.value.node));
            let pairs: Vec<String> = entries.iter().map(pair).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}
