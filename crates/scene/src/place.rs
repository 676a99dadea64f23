//! Where something stands: in the scene file, or in a flag of the command line.

use std::ops::Range;
use std::sync::Arc;

use crate::source_text::{SourceText, boundary_before};

/// A text that keys were read from: the scene file itself, or one `--set` flag.
pub(crate) type Source = Arc<SourceText>;

/// Makes a source of a text and the name under which messages speak of it.
pub(crate) fn source(name: &str, text: &str) -> Source {
    Arc::new(SourceText::new(name, text))
}

/// A stretch of a source, and the key that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The text.
    pub source: Source,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// Full path of the key, as `liquid.0.shape.sphere.radius`; empty for the file as a whole.
    pub key: Arc<str>,
}

impl Place {
    /// Line and column of the first character, both from 1.
    pub(crate) fn line_and_column(&self) -> (usize, usize) {
        let text = self.source.inner();
        let before = &text[..boundary_before(text, self.span.start)];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .map_or(0, |last| last.chars().count());
        (line, column + 1)
    }

    /// The text of the place, good for a message.
    pub(crate) fn text(&self) -> String {
        let text = self.source.inner().get(self.span.clone());
        short(text.unwrap_or_default())
    }
}

/// A text on one line and not too long for a message.
pub(crate) fn short(text: &str) -> String {
    const LONGEST: usize = 40;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        line
    } else {
        line.chars().take(LONGEST).chain("...".chars()).collect()
    }
}

/// The path of a key inside a table.
pub(crate) fn join(table: &str, key: &str) -> Arc<str> {
    if table.is_empty() {
        key.into()
    } else {
        format!("{table}.{key}").into()
    }
}

/// A value and where it was read.
#[derive(Clone, Debug)]
pub(crate) struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands; the table that lacks it if it was filled in.
    pub place: Place,
    /// Whether the file says so; otherwise it is a default.
    pub explicit: bool,
}

impl<T> std::ops::Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let place = Place {
            source: source("x.toml", "a = 1\nname = \"é\" # ü\n"),
            span: 17..19,
            key: "".into(),
        };
        assert_eq!(place.line_and_column(), (2, 11));
        assert_eq!(place.text(), "#");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("a\n  b"), "a b");
        assert_eq!(short(&"é".repeat(50)).chars().count(), 43);
    }

    #[test]
    fn a_place_past_the_end_is_the_end() {
        let place = Place {
            source: source("x.toml", "é"),
            span: 1..9,
            key: "".into(),
        };
        assert_eq!(place.line_and_column(), (1, 1));
        assert_eq!(place.text(), "");
    }
}
