//! Descriptions of keys as data, for the JSON schema and the reference.

use super::methods::Methods;
use super::values::{Number, Vector, Whole};

/// The type of a value.
pub(crate) enum Kind {
    Number(Number),
    Whole(Whole),
    Vector(Vector),
    Flag,
    /// A string; one of the given, if there are any.
    Text(Vec<&'static str>),
    Choice(fn() -> ChoiceKind),
    List {
        items: Box<Kind>,
        least: usize,
    },
    /// A table whose keys are names that the user chooses.
    Named(Box<Kind>),
    Table(fn() -> TableKind),
    Variants(fn() -> VariantsKind),
}

/// A table with keys.
pub(crate) struct TableKind {
    /// Unique among tables and variants.
    pub id: &'static str,
    pub doc: String,
    pub keys: Vec<KeyKind>,
    /// The key that a plain string in place of the table stands for.
    pub shorthand: Option<&'static str>,
}

/// A key of a table.
pub(crate) struct KeyKind {
    pub name: &'static str,
    pub doc: String,
    pub kind: Kind,
    pub presence: Presence,
    pub readers: Readers,
}

/// Who reads a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Readers {
    pub methods: Methods,
    /// Whether a liquid is another in kind for methods that do not read the key.
    pub essential: bool,
}

/// Whether a key must be there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Presence {
    Required,
    Optional,
    /// Left out, it has this value.
    Default(String),
}

/// Several kinds of tables, told apart by the one key that they stand under.
pub(crate) struct VariantsKind {
    /// Unique among tables and variants.
    pub id: &'static str,
    pub doc: String,
    pub variants: Vec<VariantKind>,
}

/// One of several kinds.
pub(crate) struct VariantKind {
    pub name: &'static str,
    pub doc: String,
    pub kind: Kind,
}

impl VariantKind {
    /// Whether the name alone, as a string, says everything.
    pub(crate) fn needs_no_table(&self) -> bool {
        match self.kind {
            Kind::Table(describe) => {
                let needed = |key: &KeyKind| key.presence == Presence::Required;
                !describe().keys.iter().any(needed)
            }
            _ => false,
        }
    }
}

/// A string out of a few.
pub(crate) struct ChoiceKind {
    pub doc: String,
    pub options: Vec<OptionKind>,
}

/// One of the words of a choice.
pub(crate) struct OptionKind {
    pub name: &'static str,
    pub doc: String,
    /// The methods that know it.
    pub methods: Methods,
}

/// Joins the lines of a doc comment.
pub(crate) fn doc(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join(" ")
}

impl Kind {
    /// The unit of numbers and vectors that have one.
    pub(crate) fn unit(&self) -> Option<&'static str> {
        let unit = match self {
            Self::Number(rules) => rules.unit,
            Self::Vector(rules) => rules.component.unit,
            _ => "",
        };
        (!unit.is_empty()).then_some(unit)
    }
}
