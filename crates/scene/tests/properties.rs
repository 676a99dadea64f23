//! Whatever is thrown at the reader, it answers with a scene or with errors that have a place in the text.

use ooze_scene::{Override, Scene, builtin, starter};
use proptest::prelude::*;

/// Reads a text and checks what any answer must satisfy.
fn read(text: &str, overrides: &[Override]) -> Result<(), TestCaseError> {
    match Scene::parse_with(text, "random.toml", "no-such-folder", overrides) {
        Ok(scene) => {
            prop_assert!(scene.setup.domain.cells.min_element() >= 1);
            prop_assert!(scene.setup.domain.cell_size > 0.0);
            prop_assert!(scene.time.frames >= 1);
            prop_assert!(scene.warnings().iter().all(|warning| warning.is_warning()));
            prop_assert_eq!(
                scene.colliders.len() + scene.bodies.len(),
                scene.solid_looks.len()
            );
        }
        Err(errors) => {
            prop_assert!(!errors.problems().is_empty());
            let lines = text.lines().count();
            for problem in errors.problems() {
                let (line, column) = problem.line_and_column();
                prop_assert!(line >= 1 && column >= 1 && line <= lines + 1, "{problem:?}");
                prop_assert!(!problem.message().is_empty());
            }
            // Drawing must not fail either: spans lie inside of the text.
            let mut drawn = String::new();
            let handler = miette::NarratableReportHandler::new();
            prop_assert!(handler.render_report(&mut drawn, &errors).is_ok());
        }
    }
    Ok(())
}

/// Keys and words that occur in scenes, so that random files get past the first line.
const WORDS: &[&str] = &[
    "domain",
    "size",
    "cells",
    "cell_size",
    "flat",
    "sides",
    "top",
    "closed",
    "open",
    "contact",
    "friction",
    "time",
    "frame_rate",
    "duration",
    "frames",
    "method",
    "preset",
    "pressure",
    "tolerance",
    "materials",
    "base",
    "viscosity",
    "thermal",
    "viscosity_law",
    "vogel",
    "liquid",
    "shape",
    "sphere",
    "centre",
    "radius",
    "box",
    "lower",
    "upper",
    "union",
    "difference",
    "from",
    "subtract",
    "shell",
    "of",
    "thickness",
    "transform",
    "rotation",
    "axis",
    "angle",
    "mesh",
    "file",
    "collider",
    "motion",
    "keyframes",
    "position",
    "spin",
    "emitter",
    "velocity",
    "speed",
    "direction",
    "drain",
    "force",
    "swirl",
    "probe",
    "name",
    "measure",
    "front",
    "body",
    "output",
    "channels",
    "seed",
    "gravity",
    "é",
    "x.y",
];

fn key() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(WORDS);
    proptest::collection::vec(word, 1..3).prop_map(|words| {
        let quoted = words.iter().map(|word| format!("{word:?}"));
        quoted.collect::<Vec<_>>().join(".")
    })
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|value| value.to_string()),
        any::<f64>().prop_map(|value| toml::Value::Float(value).to_string()),
        (-3i32..200).prop_map(|value| value.to_string()),
        Just("[1, 1, 1]".to_owned()),
        Just("0.5".to_owned()),
        Just("true".to_owned()),
        Just("1979-05-27".to_owned()),
        proptest::sample::select(WORDS).prop_map(|word| format!("{word:?}")),
        proptest::sample::select(&["water", "flip", "apic", "+x", "slip", "open"][..])
            .prop_map(|word| format!("{word:?}")),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(", "))),
            proptest::collection::vec((key(), inner), 0..4).prop_map(|pairs| {
                let pairs: Vec<String> = pairs
                    .into_iter()
                    .map(|(key, value)| format!("{key} = {value}"))
                    .collect();
                format!("{{ {} }}", pairs.join(", "))
            }),
        ]
    })
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (key(), value()).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => key().prop_map(|key| format!("[{key}]")),
        1 => key().prop_map(|key| format!("[[{key}]]")),
    ]
}

/// A built-in scene in which some stretches of text are replaced.
fn mutated() -> impl Strategy<Value = String> {
    let mut texts: Vec<String> = builtin::list()
        .iter()
        .map(|builtin| builtin.text.to_owned())
        .collect();
    texts.push(starter("x"));
    let patch = prop_oneof![
        Just(String::new()),
        Just("0".to_owned()),
        Just("-1".to_owned()),
        Just("1e30".to_owned()),
        Just("nan".to_owned()),
        Just("[".to_owned()),
        Just("\"".to_owned()),
        Just("\n".to_owned()),
        value(),
        "\\PC{1,4}",
    ];
    let patches =
        proptest::collection::vec((any::<proptest::sample::Index>(), 0usize..8, patch), 1..4);
    (proptest::sample::select(texts), patches).prop_map(|(text, patches)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (index, length, patch) in patches {
            let start = index.index(letters.len());
            let end = (start + length).min(letters.len());
            letters.splice(start..end, patch.chars());
        }
        letters.into_iter().collect()
    })
}

/// A built-in scene in which one number is another.
fn renumbered() -> impl Strategy<Value = String> {
    let texts: Vec<&str> = builtin::list().iter().map(|builtin| builtin.text).collect();
    let number = prop_oneof![
        any::<f64>().prop_map(|value| toml::Value::Float(value).to_string()),
        (-1e6f64..1e6).prop_map(|value| toml::Value::Float(value).to_string()),
        (-9i32..1).prop_map(|power| format!("1e{power}")),
        Just("0.0".to_owned()),
    ];
    (
        proptest::sample::select(texts),
        any::<proptest::sample::Index>(),
        number,
    )
        .prop_map(|(text, index, number)| {
            let digit = |letter: char| letter.is_ascii_digit() || letter == '.';
            let starts: Vec<usize> = text
                .char_indices()
                .filter(|(at, letter)| letter.is_ascii_digit() && !text[..*at].ends_with(digit))
                .map(|(at, _)| at)
                .collect();
            let start = *index.get(&starts);
            let end = text[start..]
                .find(|letter| !digit(letter))
                .map_or(text.len(), |length| start + length);
            format!("{}{number}{}", &text[..start], &text[end..])
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_letters_are_answered(text in "\\PC*") {
        read(&text, &[])?;
    }

    #[test]
    fn random_toml_is_answered(lines in proptest::collection::vec(line(), 0..12)) {
        let text = lines.join("\n");
        read(&text, &[])?;
        // With a domain it gets further.
        read(&format!("[domain]\nsize = [1, 1, 1]\ncells = 8\n{text}"), &[])?;
    }

    #[test]
    fn mutated_scenes_are_answered(text in mutated()) {
        read(&text, &[])?;
    }

    #[test]
    fn scenes_with_another_number_are_answered(text in renumbered()) {
        read(&text, &[])?;
    }

    #[test]
    fn random_overrides_are_answered(key in "[a-z.0-9=]{0,12}", known in key(), value in value()) {
        let text = builtin::list()[0].text;
        read(text, &[Override::set(&format!("{key}={value}"))])?;
        read(text, &[Override::set(&format!("{}={value}", known.replace('"', "")))])?;
    }
}
