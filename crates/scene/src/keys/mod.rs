//! How keys of a scene file are described: each once, in code, with name, type, unit, default, range and meaning.
//!
//! The macros [`table!`], [`variants!`] and [`choice!`] declare Rust types. What they are given, doc comments included,
//! drives three things that therefore cannot disagree: the reader, which collects every error of a file with its place;
//! the JSON schema; and the reference. Variants are tagged by their key (`shape.sphere = { .. }`).

mod choices;
mod describe;
mod macros;
mod methods;
mod near;
mod read;
mod values;

pub(crate) use describe::{
    ChoiceKind, KeyKind, Kind, OptionKind, Presence, Readers, TableKind, VariantKind, VariantsKind,
    doc,
};
pub(crate) use macros::{choice, kept, presence, readers, stored, table, variants};
pub(crate) use methods::{FULL, GRID, MOMENTUM, Methods, SMOOTH_WALLS, listed};
pub(crate) use near::{nearest, suggestion};
pub(crate) use read::{Asked, Reader, TableReader, read_choice, read_variant};
pub(crate) use values::{
    List, Named, Number, Text, Vector, count, degrees, metres, number, plain, seconds, vector,
};

use crate::node::Located;

/// A type that values of keys can have.
pub(crate) trait Value: Sized {
    /// What more there is to say about a value of this type: unit, range.
    type Rules;

    /// The description for schema and reference.
    fn kind(rules: &Self::Rules) -> Kind;

    /// Reads a value; on an error the reader has noted it.
    fn read(located: &Located, rules: &Self::Rules, reader: &mut Reader) -> Option<Self>;
}

/// A value as it would be written in a scene file, for the defaults in the reference.
pub(crate) trait AsWritten {
    /// The TOML text.
    fn as_written(&self) -> String;
}
