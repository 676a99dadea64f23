//! Scenes as TOML text again.

use std::fmt::Write;

use crate::node::{Entry, Located, Node};
use crate::overrides::Override;

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

/// A text in the quotes that it needs.
pub(crate) fn quoted(text: &str) -> String {
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
