//! Words and numbers of text files, with the line they stand on.

use std::{borrow::Cow, str::FromStr};

use glam::Vec3;

use crate::MeshFault;

/// A fault on a line.
pub(super) fn fault(line: usize, problem: impl Into<String>) -> MeshFault {
    MeshFault::Line {
        line,
        problem: problem.into(),
    }
}

/// The lines of a file with their numbers, from 1; refuses files that are not text. Bytes that are not UTF-8 pass, as
/// they stand in names and comments of old files.
pub(super) fn lines(
    bytes: &[u8],
) -> impl Iterator<Item = (usize, Result<Cow<'_, str>, MeshFault>)> {
    bytes
        .split(|&byte| byte == b'\n')
        .enumerate()
        .map(|(index, line)| {
            let text = if line.contains(&0) {
                Err(fault(
                    index + 1,
                    "not text: is this a binary file of another format?",
                ))
            } else {
                Ok(String::from_utf8_lossy(line))
            };
            (index + 1, text)
        })
}

/// The next word as a number; `what` names it in the fault.
pub(super) fn number<T: FromStr>(
    words: &mut dyn Iterator<Item = &str>,
    line: usize,
    what: &str,
) -> Result<T, MeshFault> {
    let word = words
        .next()
        .ok_or_else(|| fault(line, format!("{what} is missing")))?;
    word.parse().map_err(|_| {
        fault(
            line,
            format!("{what} is `{}`, not a number", shortened(word)),
        )
    })
}

/// The next three words as coordinates.
pub(super) fn vector(
    words: &mut dyn Iterator<Item = &str>,
    line: usize,
) -> Result<Vec3, MeshFault> {
    let mut coordinates = [0.0; 3];
    for (coordinate, name) in coordinates.iter_mut().zip(["x", "y", "z"]) {
        *coordinate = number(words, line, name)?;
    }
    Ok(Vec3::from_array(coordinates))
}

/// A word, cut to a length that fits in a message.
pub(super) fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    if word.chars().count() <= LONGEST {
        return word.to_owned();
    }
    word.chars().take(LONGEST).chain("…".chars()).collect()
}
