//! Reading tables: what is there, what is missing, what nobody knows; every fault is noted, none ends the reading.

use super::near::{nearest, suggestion};
use super::{Kind, Readers, TableKind, Value};
use crate::node::{Entry, Located, Node};
use crate::place::{Place, Placed, short};
use crate::problem::Problem;

/// A key of the file, or a word, that not every method reads.
pub(crate) struct Asked {
    /// Where it stands.
    pub place: Place,
    /// The key or the word itself.
    pub name: &'static str,
    pub readers: Readers,
}

/// Collects the problems of a file while it is read.
pub(crate) struct Reader {
    /// What was found so far.
    pub problems: Vec<Problem>,
    /// What the file asks for that not every method reads.
    pub asked: Vec<Asked>,
    /// Names of materials that the file defines.
    pub materials: Vec<String>,
    /// Describes the whole file, to tell where a misplaced key belongs.
    root: fn() -> TableKind,
}

impl Reader {
    /// A reader of a file with these materials of its own.
    pub(crate) fn new(root: fn() -> TableKind, materials: Vec<String>) -> Self {
        Self {
            problems: Vec::new(),
            asked: Vec::new(),
            materials,
            root,
        }
    }

    /// Notes something that not every method reads.
    pub(crate) fn ask(&mut self, place: &Place, name: &'static str, readers: Readers) {
        self.asked.push(Asked {
            place: place.clone(),
            name,
            readers,
        });
    }

    /// Notes that a value is not what it must be.
    pub(crate) fn wrong<T>(&mut self, located: &Located, allowed: &str) -> Option<T> {
        let found = match &located.node {
            Node::List(items) if items.iter().any(|item| matches!(item.node, Node::Table(_))) => {
                format!("a list of {}", items.len())
            }
            Node::Table(_) | Node::Moment => located.node.what().into(),
            _ => located.place.text(),
        };
        let key = &located.place.key;
        self.problems.push(
            Problem::error(
                &located.place,
                format!("`{key}` is {found}, but must be {allowed}"),
            )
            .label(format!("must be {allowed}")),
        );
        None
    }

    /// Notes a word that is none of those allowed.
    pub(crate) fn unknown_word<T>(
        &mut self,
        located: &Located,
        word: &str,
        known: &[&str],
    ) -> Option<T> {
        let key = &located.place.key;
        self.problems.push(
            Problem::error(
                &located.place,
                format!(
                    "`{key}` is \"{}\", which is none of those known",
                    short(word)
                ),
            )
            .label("unknown")
            .help(suggestion(word, known)),
        );
        None
    }

    /// Notes a key that its table does not have.
    fn unknown_key(&mut self, entry: &Entry, table: &Place, known: &[&'static str]) {
        let name = short(&entry.name);
        let owner = if table.key.is_empty() {
            "a scene".into()
        } else {
            format!("`{}`", table.key)
        };
        let elsewhere = || {
            let description = (self.root)();
            let mut homes = Vec::new();
            homes_of(&entry.name, &description, "", &mut homes);
            homes.into_iter().find(|home| *home != table.key.as_ref())
        };
        let help = match nearest(&entry.name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match elsewhere() {
                Some(home) if home.is_empty() => {
                    format!("`{name}` belongs at the top of the file, before the first [table]")
                }
                Some(home) => format!("`{name}` belongs in `{home}`"),
                None if known.is_empty() => "it has no keys".into(),
                None => format!("known keys: {}", known.join(", ")),
            },
        };
        self.problems.push(
            Problem::error(&entry.place, format!("{owner} has no key `{name}`"))
                .label("unknown key")
                .help(help),
        );
    }
}

/// Tables of the first two levels that have a key of that name.
fn homes_of(name: &str, table: &TableKind, path: &str, homes: &mut Vec<String>) {
    if table.keys.iter().any(|key| key.name == name) {
        homes.push(path.into());
    }
    if path.is_empty() {
        for key in &table.keys {
            let inner = match &key.kind {
                Kind::List { items, .. } => items,
                other => other,
            };
            if let Kind::Table(describe) = inner {
                homes_of(name, &describe(), key.name, homes);
            }
        }
    }
}

/// A table whose keys are being read.
pub(crate) struct TableReader<'a> {
    entries: Vec<Entry>,
    /// Keys that unknown keys are probably misspellings of: told once is enough.
    misspelt: Vec<&'static str>,
    place: &'a Place,
    reader: &'a mut Reader,
}

impl<'a> TableReader<'a> {
    /// Opens a table and notes keys that it should not have. A string stands for the table that has it under the key
    /// `shorthand`.
    pub(crate) fn open(
        located: &'a Located,
        known: &[&'static str],
        shorthand: Option<&'static str>,
        reader: &'a mut Reader,
    ) -> Option<Self> {
        let entries = match (&located.node, shorthand) {
            (Node::Table(entries), _) => entries.clone(),
            (Node::Text(_), Some(name)) => vec![Entry {
                name: name.into(),
                place: located.place.clone(),
                value: located.clone(),
            }],
            (_, Some(_)) => return reader.wrong(located, "a string or a table"),
            _ => return reader.wrong(located, "a table"),
        };
        let mut misspelt = Vec::new();
        for entry in &entries {
            if !known.contains(&entry.name.as_str()) {
                reader.unknown_key(entry, &located.place, known);
                misspelt.extend(nearest(&entry.name, known));
            }
        }
        Some(Self {
            entries,
            misspelt,
            place: &located.place,
            reader,
        })
    }

    /// Notes a key that not every method reads, if it is there.
    pub(crate) fn ask(&mut self, name: &'static str, readers: Readers) {
        if let Some(entry) = self.entries.iter().find(|entry| entry.name == name) {
            self.reader.ask(&entry.place, name, readers);
        }
    }

    /// Reads a key if it is there; the outer option tells whether it is.
    fn find<T: Value>(&mut self, name: &str, rules: &T::Rules) -> Option<Option<Placed<T>>> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        let value = T::read(&entry.value, rules, self.reader);
        Some(value.map(|value| Placed {
            value,
            place: entry.value.place.clone(),
            explicit: true,
        }))
    }

    /// A key that must be there.
    pub(crate) fn required<T: Value>(&mut self, name: &str, rules: &T::Rules) -> Option<Placed<T>> {
        if let Some(found) = self.find(name, rules) {
            return found;
        }
        if self.misspelt.contains(&name) {
            return None;
        }
        let message = match self.place.key.as_ref() {
            "" => format!("the scene lacks `{name}`"),
            table => format!("`{table}` lacks the key `{name}`"),
        };
        self.reader
            .problems
            .push(Problem::error(self.place, message).label(format!("`{name}` is missing")));
        None
    }

    /// A table that must be there, though the rest can be looked at without.
    pub(crate) fn vital<T: Value>(&mut self, name: &str, rules: &T::Rules) -> Option<Placed<T>> {
        self.required(name, rules)
    }

    /// A key that may be left out.
    pub(crate) fn optional<T: Value>(&mut self, name: &str, rules: &T::Rules) -> Option<Placed<T>> {
        self.find(name, rules).flatten()
    }

    /// A key with a default. After a fault the default stands in, so that the rest of the file is checked too.
    pub(crate) fn default<T: Value>(
        &mut self,
        name: &str,
        rules: &T::Rules,
        default: impl Into<T>,
    ) -> Option<Placed<T>> {
        let found = self.find(name, rules).flatten();
        Some(found.unwrap_or_else(|| Placed {
            value: default.into(),
            place: self.place.clone(),
            explicit: false,
        }))
    }

    /// A table or list that may be left out and then is empty.
    pub(crate) fn section<T: Value>(&mut self, name: &str, rules: &T::Rules) -> Option<Placed<T>> {
        if let Some(Some(found)) = self.find(name, rules) {
            return Some(found);
        }
        let place = Place {
            key: crate::place::join(&self.place.key, name),
            ..self.place.clone()
        };
        let empty = Located {
            node: match T::kind(rules) {
                Kind::List { .. } => Node::List(Vec::new()),
                _ => Node::Table(Vec::new()),
            },
            place: place.clone(),
        };
        let value = T::read(&empty, rules, self.reader)?;
        Some(Placed {
            value,
            place,
            explicit: false,
        })
    }
}

/// Reads which of several kinds a table is, and its content.
pub(crate) fn read_variant(
    located: &Located,
    known: &[&'static str],
    reader: &mut Reader,
) -> Option<(&'static str, Located)> {
    let find = |name: &str| known.iter().copied().find(|known| *known == name);
    match &located.node {
        Node::Text(name) => match find(name) {
            Some(name) => {
                let node = Node::Table(Vec::new());
                let place = located.place.clone();
                Some((name, Located { node, place }))
            }
            None => reader.unknown_word(located, name, known),
        },
        Node::Table(entries) => {
            for entry in entries {
                if find(&entry.name).is_none() {
                    reader.unknown_key(entry, &located.place, known);
                }
            }
            let mut kinds = entries
                .iter()
                .filter_map(|entry| Some((find(&entry.name)?, entry)));
            match (kinds.next(), kinds.next()) {
                (Some((name, entry)), None) => Some((name, entry.value.clone())),
                (Some((first, _)), Some((second, entry))) => {
                    let key = &located.place.key;
                    let message = format!(
                        "`{key}` is both `{first}` and `{second}`, but must be one of them"
                    );
                    let problem = Problem::error(&entry.place, message).label("the second");
                    let typed = entry.place.source.name().starts_with("--");
                    reader.problems.push(if typed {
                        problem.help(format!(
                            "set the whole to replace it: `{{ {second} = {{ ... }} }}`, one level up"
                        ))
                    } else {
                        problem
                    });
                    None
                }
                (None, _) if entries.is_empty() => {
                    reader.wrong(located, &format!("one of: {}", known.join(", ")))
                }
                (None, _) => None,
            }
        }
        _ => reader.wrong(located, &format!("one of: {}", known.join(", "))),
    }
}

/// Reads a word out of a few.
pub(crate) fn read_choice<T: Copy>(
    located: &Located,
    options: &[(&'static str, T)],
    reader: &mut Reader,
) -> Option<T> {
    let names: Vec<&'static str> = options.iter().map(|(name, _)| *name).collect();
    let Node::Text(text) = &located.node else {
        return reader.wrong(located, &format!("one of: {}", quoted(&names)));
    };
    match options.iter().find(|(name, _)| name == text) {
        Some((_, option)) => Some(*option),
        None => reader.unknown_word(located, text, &names),
    }
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}
