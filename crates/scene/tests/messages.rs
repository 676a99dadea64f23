//! Broken and suspicious scenes: each gives exactly the messages that its fixture states, at the stated line and column.

use ooze_scene::{Problem, Scene};

/// One scene of a fixture file.
struct Case {
    title: String,
    scene: String,
    expected: Vec<String>,
}

fn cases(fixture: &str) -> Vec<Case> {
    let parts = fixture.split("\n=== ").skip(1);
    parts
        .map(|part| {
            let (title, rest) = part.split_once('\n').expect("a title");
            let (scene, expected) = rest
                .split_once("---\n")
                .unwrap_or_else(|| panic!("{title}: no dashes"));
            let expected = expected.lines().filter(|line| !line.is_empty());
            Case {
                title: title.into(),
                scene: scene.into(),
                expected: expected.map(String::from).collect(),
            }
        })
        .collect()
}

/// Whether `text` is as `pattern` says; ` ... ` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split(" ... ");
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut open_ended = false;
    for part in parts {
        open_ended = part.is_empty();
        match rest.find(part) {
            Some(start) => rest = &rest[start + part.len()..],
            None => return false,
        }
    }
    open_ended || rest.is_empty()
}

fn compare(case: &Case, found: &[Problem]) -> Option<String> {
    let found: Vec<String> = found
        .iter()
        .map(|problem| problem.line().replacen("scene.toml:", "", 1))
        .collect();
    let same = found.len() == case.expected.len()
        && case
            .expected
            .iter()
            .zip(&found)
            .all(|(pattern, line)| matches(pattern, line));
    (!same).then(|| {
        format!(
            "=== {}\nexpected:\n{}\nfound:\n{}\n",
            case.title,
            case.expected.join("\n"),
            found.join("\n")
        )
    })
}

fn assert_all(failures: Vec<String>) {
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn broken_scenes_are_refused_with_the_stated_messages() {
    let cases = cases(include_str!("broken-scenes.txt"));
    assert!(cases.len() >= 40, "only {} broken scenes", cases.len());
    let failures = cases.iter().filter_map(|case| {
        match Scene::parse(&case.scene, "scene.toml", "no-such-folder") {
            Ok(_) => Some(format!("=== {} was accepted", case.title)),
            Err(errors) => {
                assert!(!case.expected.is_empty(), "{} expects nothing", case.title);
                assert!(
                    errors
                        .problems()
                        .iter()
                        .all(|problem| !problem.is_warning())
                );
                compare(case, errors.problems())
            }
        }
    });
    assert_all(failures.collect());
}

#[test]
fn suspicious_scenes_are_accepted_with_the_stated_warnings() {
    let cases = cases(include_str!("suspicious-scenes.txt"));
    let failures = cases.iter().filter_map(|case| {
        match Scene::parse(&case.scene, "scene.toml", "no-such-folder") {
            Err(errors) => Some(format!("=== {} was refused: {errors:?}", case.title)),
            Ok(scene) => {
                assert!(scene.warnings().iter().all(Problem::is_warning));
                compare(case, scene.warnings())
            }
        }
    });
    assert_all(failures.collect());
}

#[test]
fn all_errors_of_a_file_are_told_at_once_in_its_order() {
    let text = include_str!("many-errors.toml");
    let errors = Scene::parse(text, "scene.toml", "").unwrap_err();
    // Every line that is wrong says so in a comment.
    let wrong = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("# wrong"));
    let wrong: Vec<usize> = wrong.map(|(index, _)| index + 1).collect();
    let told: Vec<usize> = errors
        .problems()
        .iter()
        .map(|problem| problem.line_and_column().0)
        .collect();
    assert_eq!(told, wrong, "{errors:?}");
    assert!(wrong.len() >= 15);
    assert_eq!(
        errors.to_string(),
        format!("scene.toml: {} errors", wrong.len())
    );
}

#[test]
fn an_error_is_drawn_with_the_line_underlined() {
    let text = "[domain]\nsize = [1, 1, 1]\ncells = 3\n";
    let errors = Scene::parse(text, "scene.toml", "").unwrap_err();
    let mut drawn = String::new();
    miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none())
        .render_report(&mut drawn, &errors)
        .unwrap();
    for part in [
        "scene.toml: 1 error",
        "scene.toml:3:9",
        "cells = 3",
        "must be a whole number, from 4 to 16384",
    ] {
        assert!(drawn.contains(part), "{part} is missing in\n{drawn}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.toml");
    let errors = Scene::load(&missing).unwrap_err();
    assert!(
        errors.lines()[0].contains("missing.toml cannot be read"),
        "{errors:?}"
    );
    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, [b'a', b'=', 0xff, 0xfe]).unwrap();
    let errors = Scene::load(&binary).unwrap_err();
    assert!(
        errors.lines()[0].contains("is no UTF-8 text: byte 2 is wrong"),
        "{errors:?}"
    );
    let errors = Scene::load(folder.path()).unwrap_err();
    assert!(errors.lines()[0].contains("cannot be read"), "{errors:?}");
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_no_harm() {
    let text = "\u{feff}[domain]\r\nsize = [1, 1, 1]\r\ncells = 3\r\n";
    let errors = Scene::parse(text, "scene.toml", "").unwrap_err();
    assert_eq!(errors.problems()[0].line_and_column(), (3, 9));
}
