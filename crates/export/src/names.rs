//! Names from scenes as other programs want them.

use std::collections::BTreeSet;

/// Letters, digits and underscores only; anything else becomes an underscore.
pub(crate) fn word(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.chars()
        .map(|letter| if plain(letter) { letter } else { '_' })
        .collect()
}

/// A word that does not begin with a digit, as identifiers must not.
pub(crate) fn identifier(name: &str) -> String {
    let word = word(name);
    match word.chars().next() {
        Some(first) if !first.is_ascii_digit() => word,
        _ => format!("_{word}"),
    }
}

/// Different identifiers for all of some names, in their order.
pub(crate) fn identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    names
        .into_iter()
        .map(|name| {
            let plain = identifier(name);
            let numbered = (2..).map(|number| format!("{plain}_{number}"));
            let free = std::iter::once(plain.clone())
                .chain(numbered)
                .find(|candidate| !taken.contains(candidate))
                .expect("there are more numbers than names");
            taken.insert(free.clone());
            free
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_different_identifiers() {
        let names = [
            "honey",
            "2nd honey",
            "",
            "gold-leaf",
            "gold leaf",
            "gold_leaf_2",
        ];
        let expected = [
            "honey",
            "_2nd_honey",
            "_",
            "gold_leaf",
            "gold_leaf_2",
            "gold_leaf_2_2",
        ];
        assert_eq!(identifiers(names), expected);
    }
}
