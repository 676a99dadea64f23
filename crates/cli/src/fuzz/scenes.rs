//! Scene files: built-in scenes in which stretches of text, numbers and lines are others.

use ooze_scene::{Override, Scene, builtin, starter};

use super::Answer;
use super::random::Random;

/// Words and values that get past the first line.
const PATCHES: [&str; 30] = [
    "",
    "0",
    "-1",
    "1e30",
    "1e-30",
    "nan",
    "inf",
    "-inf",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\n",
    "#",
    "=",
    ".",
    "true",
    "\"water\"",
    "\"flip\"",
    "\"level-set\"",
    "[1, 1, 1]",
    "[0, 0, 0]",
    "[[1]]",
    "1979-05-27",
    "9223372036854775807",
    "é",
    "\u{0}",
    "shape",
    "motion",
];

/// Scenes as they are written, and what they are called.
fn text(random: &mut Random) -> String {
    let scenes = builtin::list();
    let choice = random.below(scenes.len() + 1);
    match scenes.get(choice) {
        Some(scene) => scene.text.to_owned(),
        None => starter("x"),
    }
}

/// Replaces some stretches of text.
fn patch(text: &mut String, random: &mut Random) {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let start = random.below(letters.len() + 1);
        let end = (start + random.below(12)).min(letters.len());
        let patch = *random.pick(&PATCHES);
        letters.splice(start..end, patch.chars());
    }
    *text = letters.into_iter().collect();
}

/// Replaces some numbers.
fn renumber(text: &mut String, random: &mut Random) {
    for _ in 0..=random.below(2) {
        let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
        let starts: Vec<usize> = text
            .char_indices()
            .filter(|(at, letter)| letter.is_ascii_digit() && !text[..*at].ends_with(is_part))
            .map(|(at, _)| at)
            .collect();
        if starts.is_empty() {
            return;
        }
        let start = *random.pick(&starts);
        let rest = text[start..].find(|letter| !is_part(letter));
        let end = rest.map_or(text.len(), |length| start + length);
        let number = match random.below(3) {
            0 => random.count().to_string(),
            _ => format!("{:e}", random.number()),
        };
        text.replace_range(start..end, &number);
    }
}

/// Moves, doubles or drops some lines.
fn shuffle(text: &mut String, random: &mut Random) {
    let mut lines: Vec<&str> = text.lines().collect();
    for _ in 0..=random.below(4) {
        if lines.is_empty() {
            break;
        }
        let line = lines[random.below(lines.len())];
        let target = random.below(lines.len());
        match random.below(3) {
            0 => lines.insert(target, line),
            1 => {
                lines.remove(target);
            }
            _ => lines[target] = line,
        }
    }
    *text = lines.join("\n");
}

/// Reads one altered scene.
pub(super) fn attempt(random: &mut Random) -> Answer {
    let mut text = text(random);
    let mut overrides = Vec::new();
    match random.below(5) {
        0 => patch(&mut text, random),
        1 => renumber(&mut text, random),
        2 => shuffle(&mut text, random),
        3 => {
            renumber(&mut text, random);
            patch(&mut text, random);
        }
        _ => {
            let keys = [
                "domain.cells",
                "time.frames",
                "gravity",
                "liquid.0.velocity",
            ];
            let further = ["method.cfl", "seed", "domain.size", "collider.0.shape"];
            let key = random.pick(&[keys, further].concat()).to_string();
            let value = match random.below(3) {
                0 => (*random.pick(&PATCHES)).to_owned(),
                1 => format!("[{0:e}, {0}, 1]", random.number()),
                _ => format!("{:e}", random.number()),
            };
            overrides.push(Override::set(&format!("{key}={value}")));
        }
    }
    match Scene::parse_with(&text, "fuzz.toml", "no-such-folder", &overrides) {
        Ok(scene) => {
            let domain = &scene.setup.domain;
            if domain.cells.min_element() < 1 || domain.cell_size.is_nan() {
                return Err("a domain without cells was accepted".into());
            }
            Ok(true)
        }
        Err(errors) => {
            let lines = text.lines().count() + 1;
            for problem in errors.problems() {
                let (line, column) = problem.line_and_column();
                if line < 1 || column < 1 || (line > lines && overrides.is_empty()) {
                    return Err(format!("a problem at line {line} of {lines}"));
                }
            }
            // To draw it must not fail either: spans lie inside of the text.
            let mut drawn = String::new();
            let handler = miette::NarratableReportHandler::new();
            match (
                errors.problems().is_empty(),
                handler.render_report(&mut drawn, &errors),
            ) {
                (false, Ok(())) => Ok(false),
                _ => Err("an error that cannot be shown".into()),
            }
        }
    }
}
