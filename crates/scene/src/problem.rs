//! Errors and warnings that point into the scene file.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode, SourceSpan};

use crate::place::Place;

/// One thing that is wrong, or looks wrong, in a scene; it knows the file, line, column and key.
#[derive(Clone)]
pub struct Problem {
    /// Boxed, because problems travel in results that mostly hold none.
    content: Box<Content>,
}

#[derive(Clone)]
struct Content {
    severity: Severity,
    message: String,
    label: String,
    help: Option<String>,
    place: Place,
    also: Option<Place>,
}

impl Problem {
    /// An error: the scene cannot be run.
    pub(crate) fn error(place: &Place, message: impl Into<String>) -> Self {
        Self {
            content: Box::new(Content {
                severity: Severity::Error,
                message: message.into(),
                label: "here".into(),
                help: None,
                place: place.clone(),
                also: None,
            }),
        }
    }

    /// A warning: the scene runs, but is probably not what was meant.
    pub(crate) fn warning(place: &Place, message: impl Into<String>) -> Self {
        let mut warning = Self::error(place, message);
        warning.content.severity = Severity::Warning;
        warning
    }

    /// The words beside the underline.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.content.label = label.into();
        self
    }

    /// What to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.content.help = Some(help.into());
        self
    }

    /// A second place that has part in it.
    pub(crate) fn and(mut self, place: &Place) -> Self {
        self.content.also = Some(place.clone());
        self
    }

    /// What is wrong, in one sentence that names key, value and what is allowed.
    pub fn message(&self) -> &str {
        &self.content.message
    }

    /// What to do about it, where there is something to say.
    pub fn advice(&self) -> Option<&str> {
        self.content.help.as_deref()
    }

    /// Full path of the key, as `liquid.0.shape.sphere.radius`.
    pub fn key(&self) -> &str {
        &self.content.place.key
    }

    /// Name of the file or flag that it is in.
    pub fn source_name(&self) -> &str {
        self.content.place.source.name()
    }

    /// Line and column in that file or flag, both from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        self.content.place.line_and_column()
    }

    /// Whether the scene can be run nevertheless.
    pub fn is_warning(&self) -> bool {
        self.content.severity == Severity::Warning
    }

    /// `file:line:column: message (advice)`, on one line.
    pub fn line(&self) -> String {
        let (line, column) = self.line_and_column();
        let advice = self.content.help.as_ref().map(|help| format!(" ({help})"));
        let advice = advice.unwrap_or_default();
        format!(
            "{}:{line}:{column}: {}{advice}",
            self.source_name(),
            self.content.message
        )
    }

    /// The order in which problems are told: that of the file.
    pub(crate) fn order(&self) -> (&str, usize) {
        (self.source_name(), self.content.place.span.start)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.content.message)
    }
}

impl fmt::Debug for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.line())
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn severity(&self) -> Option<Severity> {
        Some(self.content.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.content.help.as_deref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&*self.content.place.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let underline = |place: &Place, label: &str| {
            let span = SourceSpan::from(place.source.underlined(&place.span));
            LabeledSpan::new_with_span(Some(label.into()), span)
        };
        let main = underline(&self.content.place, &self.content.label);
        // A second place can be shown only if it is in the same text.
        let also = self.content.also.iter();
        let also = also.filter(|also| also.source.name() == self.content.place.source.name());
        let also = also.map(move |place| underline(place, "and here"));
        Some(Box::new(std::iter::once(main).chain(also)))
    }
}

/// Everything that is wrong with a scene, in the order of the file.
pub struct SceneErrors {
    source_name: String,
    problems: Vec<Problem>,
}

impl SceneErrors {
    pub(crate) fn new(source_name: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by(|a, b| a.order().cmp(&b.order()));
        Self {
            source_name: source_name.into(),
            problems,
        }
    }

    /// The single errors.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// One line an error, for terminals without colours and for logs.
    pub fn lines(&self) -> Vec<String> {
        self.problems.iter().map(Problem::line).collect()
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.len();
        let errors = if count == 1 { "error" } else { "errors" };
        write!(formatter, "{}: {count} {errors}", self.source_name)
    }
}

impl fmt::Debug for SceneErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")?;
        for line in self.lines() {
            write!(formatter, "\n{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}

impl Diagnostic for SceneErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let problems = self.problems.iter();
        Some(Box::new(problems.map(|problem| problem as &dyn Diagnostic)))
    }
}
