//! Names that people type, and what is known of methods and properties by name.

use crate::file::{liquid_properties, material_properties};
use crate::keys::{self, Methods};

/// What to write instead of an unknown name: the known one that it is probably a misspelling of, or all of them.
pub fn suggestion(word: &str, known: &[&str]) -> String {
    keys::suggestion(word, known)
}

/// Names of the methods that read a property of materials or liquids, by its key in scene files, as `thermal.melting_point`.
pub fn readers_of(property: &str) -> Vec<&'static str> {
    let known: Vec<_> = material_properties()
        .into_iter()
        .chain(liquid_properties())
        .collect();
    // A key of a table is read by those who read the table, unless it says otherwise itself.
    let table = property.split('.').next().unwrap_or(property);
    let find = |name: &str| known.iter().find(|(key, _)| key == name);
    let found = find(property).or_else(|| find(table));
    found
        .map_or(Methods::ALL, |(_, readers)| readers.methods)
        .names()
}
