//! Changing keys of a scene from the command line.

use crate::file::SceneKeys;
use crate::keys::{Kind, TableKind};
use crate::node::{Entry, Located, Node, parse_value};
use crate::place::{Place, Source, join, source};
use crate::problem::Problem;

/// One key that is changed: a flag of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The flag as messages name it, as `--set`.
    flag: String,
    /// Path of the key, as `domain.cells` or `liquid.0.velocity`; `liquid.0.velocity` is the same.
    key: String,
    /// TOML text of the value. A word without quotes is taken as a string, and values with commas between as a list:
    /// shells eat quotes and brackets.
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

    /// The parts of the key.
    fn path(&self) -> Vec<&str> {
        let parts = self.key.split(['.', '[']);
        parts
            .map(|part| part.strip_suffix(']').unwrap_or(part))
            .collect()
    }

    /// Whether it decides the same as another does.
    fn decides_with(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|change| change.path().join("."));
        let alternative = |pair: &[&str; 2]| pair.contains(&&*one) && pair.contains(&&*two);
        let method = |key: &str| matches!(key, "method" | "method.preset");
        one == two || ALTERNATIVES.iter().any(alternative) || method(&one) && method(&two)
    }

    /// The flag as it was typed.
    pub(crate) fn typed(&self) -> String {
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
    // Of several `--set` the last wins; a flag of its own and a `--set` have no order that people would know.
    let (sets, flags): (Vec<&Override>, Vec<&Override>) =
        overrides.iter().partition(|change| change.flag == "--set");
    for flag in flags {
        for set in sets.iter().filter(|set| set.decides_with(flag)) {
            let (flag, set) = (flag.typed(), set.typed());
            let place = Place {
                source: source("--set", &set),
                span: 0..set.len(),
                key: "".into(),
            };
            let message = format!("`{flag}` and `{set}` say different things about the same");
            problems.push(Problem::error(&place, message).help("leave one of them out"));
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
    let path = change.path();
    if path.iter().any(|part| part.is_empty()) {
        return Err(Problem::error(&whole, format!("`{text}` names no key"))
            .help("write --set key=value, as --set domain.cells=128"));
    }
    if change.value.is_empty() {
        return Err(Problem::error(&whole, format!("`{text}` has no value"))
            .help("write --set key=value, as --set domain.cells=128"));
    }
    let place = Place {
        span: start..text.len(),
        ..whole.clone()
    };
    let node = value_of(&source, start, &change.value, &path.join("."))?;
    let node = match (kind_at(&path), node) {
        // A list of one needs no brackets.
        (Some(Kind::List { .. }), lone @ (Node::Text(_) | Node::Whole(_) | Node::Number(_))) => {
            Node::List(vec![Located {
                node: lone,
                place: place.clone(),
            }])
        }
        (_, node) => node,
    };
    for pair in ALTERNATIVES {
        for (one, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if path.join(".") == one {
                remove(root, &other.split('.').collect::<Vec<_>>());
            }
        }
    }
    insert(root, &path, Located { node, place }, &whole)
}

/// What a path of keys leads to, as far as the description of scenes tells.
fn kind_at(path: &[&str]) -> Option<Kind> {
    let mut kind = Kind::Table(SceneKeys::description);
    for part in path {
        kind = match kind {
            Kind::Table(describe) => {
                let mut keys = describe().keys.into_iter();
                keys.find(|key| key.name == *part)?.kind
            }
            Kind::Variants(describe) => {
                let mut variants = describe().variants.into_iter();
                variants.find(|variant| variant.name == *part)?.kind
            }
            Kind::Named(items) | Kind::List { items, .. } => *items,
            _ => return None,
        };
    }
    Some(kind)
}

/// The value: TOML, a bare word, or several with commas between.
fn value_of(source: &Source, start: usize, value: &str, key: &str) -> Result<Node, Problem> {
    let word = |letter: char| letter.is_alphanumeric() || "-_+".contains(letter);
    let whole = parse_value(source, start, start + value.len(), key);
    let Err(problem) = whole else {
        return whole;
    };
    if value.chars().all(word) {
        return Ok(Node::Text(value.into()));
    }
    let parts: Vec<&str> = value.split(',').collect();
    if parts.len() < 2 || value.contains(['[', '{', '"', '\'']) {
        return Err(problem);
    }
    let mut items = Vec::new();
    let mut at = start;
    for (index, part) in parts.into_iter().enumerate() {
        let key = format!("{key}.{index}");
        let lead = part.len() - part.trim_start().len();
        let begin = at + lead;
        let node = value_of(source, begin, part.trim(), &key)?;
        let place = Place {
            source: source.clone(),
            span: begin..begin + part.trim().len(),
            key: key.as_str().into(),
        };
        items.push(Located { node, place });
        at += part.len() + 1;
    }
    Ok(Node::List(items))
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
    if matches!(at.node, Node::Text(_))
        && let Some(shorthand) = shorthand_at(&key)
    {
        if *first == shorthand && rest.is_empty() {
            return insert(at, rest, value, whole);
        }
        let entry = Entry {
            name: shorthand.into(),
            place: at.place.clone(),
            value: at.clone(),
        };
        at.node = Node::Table(vec![entry]);
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
                    let help = match first.parse::<usize>() {
                        Ok(_) => format!("items count from 0, as {key}.0"),
                        Err(_) => format!("say which, counted from 0, as {key}.0.{first}"),
                    };
                    Err(Problem::error(whole, message).help(help))
                }
            }
        }
        other => Err(Problem::error(
            whole,
            format!("`{key}` is {}, it has no key `{first}`", other.what()),
        )),
    }
}

/// The key that a string in place of a table stands for.
fn shorthand_at(key: &str) -> Option<&'static str> {
    let path: Vec<&str> = key.split('.').collect();
    match kind_at(&path)? {
        Kind::Table(describe) => {
            let TableKind { shorthand, .. } = describe();
            shorthand
        }
        _ => None,
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
