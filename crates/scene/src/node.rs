//! A scene file as a tree of values that know where they stand.
//!
//! The tree is our own and not `toml`'s, because flags of the command line are merged into it, each with places in a
//! text of its own.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::place::{Place, Source, join};
use crate::problem::Problem;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    /// A date or time, for which a scene has no use.
    Moment,
    List(Vec<Located>),
    Table(Vec<Entry>),
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub node: Node,
    pub place: Place,
}

/// A key of a table and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    /// Where the key itself stands.
    pub place: Place,
    pub value: Located,
}

/// Tables nested deeper than this are no scene, and must not exhaust the stack.
const DEEPEST: usize = 64;

impl Node {
    /// What it is, in words.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Moment => "a date or time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl Located {
    /// Names of the entries of a table inside this one.
    pub(crate) fn names_under(&self, table: &str) -> Vec<String> {
        let inside = |located: &Self, name: &str| match &located.node {
            Node::Table(entries) => entries.iter().find(|entry| entry.name == name).cloned(),
            _ => None,
        };
        match inside(self, table).map(|entry| entry.value.node) {
            Some(Node::Table(entries)) => entries.into_iter().map(|entry| entry.name).collect(),
            _ => Vec::new(),
        }
    }
}

/// Parses a whole file; all syntax errors are returned, not the first only.
pub(crate) fn parse(source: &Source) -> Result<Located, Vec<Problem>> {
    let (document, errors) = DeTable::parse_recoverable(source.inner());
    let mut problems: Vec<Problem> = errors
        .iter()
        .map(|error| syntax_error(source, error))
        .collect();
    let mut builder = Builder {
        source,
        problems: &mut problems,
    };
    let node = builder.table(document.get_ref(), "", 0);
    let root = Located {
        node,
        place: Place {
            source: source.clone(),
            span: 0..0,
            key: "".into(),
        },
    };
    if problems.is_empty() {
        Ok(root)
    } else {
        Err(problems)
    }
}

/// Parses a lone value between two bytes of the source.
pub(crate) fn parse_value(
    source: &Source,
    offset: usize,
    end: usize,
    key: &str,
) -> Result<Node, Problem> {
    let text = &source.inner()[offset..end];
    let whole = Place {
        source: source.clone(),
        span: offset..end,
        key: key.into(),
    };
    let value = DeValue::parse(text).map_err(|error| {
        Problem::error(
            &whole,
            format!(
                "the value of `{key}` is not valid TOML: {}",
                error.message()
            ),
        )
    })?;
    let mut problems = Vec::new();
    let mut builder = Builder {
        source,
        problems: &mut problems,
    };
    let mut located = builder.value(&value, key.into(), 0);
    if let Some(problem) = problems.pop() {
        return Err(problem);
    }
    shift(&mut located, offset);
    Ok(located.node)
}

/// Moves the places of a tree by some bytes.
fn shift(located: &mut Located, offset: usize) {
    let move_place = |place: &mut Place| {
        place.span = place.span.start + offset..place.span.end + offset;
    };
    move_place(&mut located.place);
    match &mut located.node {
        Node::List(items) => items.iter_mut().for_each(|item| shift(item, offset)),
        Node::Table(entries) => {
            for entry in entries {
                move_place(&mut entry.place);
                shift(&mut entry.value, offset);
            }
        }
        _ => {}
    }
}

fn syntax_error(source: &Source, error: &toml::de::Error) -> Problem {
    let end = source.inner().len();
    let place = Place {
        source: source.clone(),
        span: error.span().unwrap_or(end..end),
        key: "".into(),
    };
    Problem::error(
        &place,
        format!("this is not valid TOML: {}", error.message()),
    )
    .label(error.message())
}

/// Turns `toml`'s tree into ours.
struct Builder<'a> {
    source: &'a Source,
    problems: &'a mut Vec<Problem>,
}

impl Builder<'_> {
    fn value(&mut self, value: &Spanned<DeValue<'_>>, key: Arc<str>, depth: usize) -> Located {
        let place = Place {
            source: self.source.clone(),
            span: value.span(),
            key: key.clone(),
        };
        let node = match value.get_ref() {
            DeValue::String(text) => Node::Text(text.to_string()),
            DeValue::Boolean(flag) => Node::Flag(*flag),
            DeValue::Datetime(_) => Node::Moment,
            // A whole number beyond 64 bits is a number all the same; whoever wants a count will refuse it.
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
                .map_or(Node::Number(f64::INFINITY), Node::Whole),
            DeValue::Float(digits) => Node::Number(digits.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Array(_) | DeValue::Table(_) if depth == DEEPEST => {
                let message = "this is nested deeper than any scene needs";
                self.problems.push(Problem::error(&place, message));
                Node::Moment
            }
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                let items = items.map(|(index, item)| {
                    self.value(item, format!("{key}.{index}").into(), depth + 1)
                });
                Node::List(items.collect())
            }
            DeValue::Table(table) => self.table(table, &key, depth + 1),
        };
        Located { node, place }
    }

    fn table(&mut self, table: &DeTable<'_>, key: &str, depth: usize) -> Node {
        let entries = table.iter().map(|(name, value)| {
            let path = join(key, name.get_ref());
            Entry {
                name: name.get_ref().to_string(),
                place: Place {
                    source: self.source.clone(),
                    span: name.span(),
                    key: path.clone(),
                },
                value: self.value(value, path, depth),
            }
        });
        let mut entries: Vec<Entry> = entries.collect();
        // `toml` sorts by name; people expect the order of the file.
        entries.sort_by_key(|entry| entry.place.span.start);
        Node::Table(entries)
    }
}
