//! Words that are probably misspelt.

/// The known word that `word` is probably a misspelling of.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    let distance = |name: &str| strsim::damerau_levenshtein(&word, &name.replace('-', "_"));
    let best = known.iter().copied().min_by_key(|name| distance(name));
    let best = best.filter(|best| !best.is_empty())?;
    // One slip in three letters is a typo; more is another word.
    let length = word.chars().count().max(best.len());
    let tolerated = (length / 3).max(1).min(length - 1);
    let abbreviated = word.len() >= 3 && best.starts_with(&word);
    (distance(best) <= tolerated || abbreviated).then_some(best)
}

/// What to write instead of an unknown word.
pub(crate) fn suggestion(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("known: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_recognised_and_other_words_are_not() {
        let known = ["radius", "centre", "flip_fraction", "no-slip"];
        assert_eq!(nearest("radus", &known), Some("radius"));
        assert_eq!(nearest("center", &known), Some("centre"));
        assert_eq!(nearest("flip-fraction", &known), Some("flip_fraction"));
        assert_eq!(nearest("no_slip", &known), Some("no-slip"));
        assert_eq!(nearest("rad", &known), Some("radius"));
        assert_eq!(nearest("temperature", &known), None);
        assert_eq!(nearest("", &known), None);
        assert_eq!(nearest("a", &["b"]), None);
        assert_eq!(nearest("x", &["+x"]), Some("+x"));
        assert_eq!(nearest("x", &[]), None);
    }
}
