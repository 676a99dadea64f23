//! A text that messages quote from: never more of it than a person can read.

use std::ops::Range;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Bytes of a quotation at the most; lines of scenes that people write are far shorter.
const LONGEST: usize = 1000;
/// Bytes that are quoted before and after a place in a line that is too long to be quoted as a whole.
const AROUND: usize = 60;

/// A text and the name under which messages speak of it.
#[derive(Debug)]
pub(crate) struct SourceText {
    name: String,
    text: Arc<str>,
}

impl SourceText {
    /// A text of that name.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }

    /// The name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub(crate) fn inner(&self) -> &str {
        &self.text
    }

    /// The part of a place that is underlined: its beginning, if it is long.
    pub(crate) fn underlined(&self, span: &Range<usize>) -> Range<usize> {
        let end = span.end.min(span.start.saturating_add(AROUND));
        span.start..boundary_before(&self.text, end).max(span.start)
    }
}

/// The nearest place at or before a byte at which a character begins.
pub(crate) fn boundary_before(text: &str, byte: usize) -> usize {
    let mut place = byte.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

impl SourceCode for SourceText {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let whole = self.text.read_span(span, lines_before, lines_after)?;
        let (first, last) = (
            whole.span().offset(),
            whole.span().offset() + whole.span().len(),
        );
        let (start, end) = if last - first <= LONGEST {
            (first, last)
        } else {
            // Only the line of the place, and of that only what is near.
            let place = boundary_before(&self.text, span.offset());
            let line = self.text[..place].rfind('\n').map_or(0, |end| end + 1);
            let near = boundary_before(&self.text, place.saturating_sub(AROUND));
            let reach = span.len().min(AROUND) + AROUND;
            let end = boundary_before(&self.text, place + reach);
            let rest = &self.text[place..end];
            (
                line.max(near),
                rest.find('\n').map_or(end, |length| place + length),
            )
        };
        let before = &self.text[..start];
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..end],
            (start, end - start).into(),
            before.matches('\n').count(),
            before.len() - before.rfind('\n').map_or(0, |end| end + 1),
            whole.line_count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str, place: Range<usize>) -> String {
        let source = SourceText::new("x.toml", text);
        let span = SourceSpan::from(place);
        let contents = source.read_span(&span, 1, 1).expect("a place in the text");
        assert_eq!(contents.name(), Some("x.toml"));
        String::from_utf8(contents.data().to_vec()).expect("whole characters")
    }

    #[test]
    fn lines_are_quoted_whole_unless_they_are_very_long() {
        assert_eq!(
            quoted("a = 1\nb = 2\nc = 3\n", 6..11),
            "a = 1\nb = 2\nc = 3\n"
        );
        let long = format!("a = 1\nb = [{}]\n", "0.25é, ".repeat(200_000));
        for place in [6..long.len(), 700_000..700_004, long.len() - 2..long.len()] {
            let start = (0..).find(|&step| long.is_char_boundary(place.start + step));
            let start = place.start + start.unwrap_or(0);
            let text = quoted(&long, start..place.end.max(start));
            assert!(!text.is_empty() && text.len() < 200, "{}", text.len());
        }
    }
}
