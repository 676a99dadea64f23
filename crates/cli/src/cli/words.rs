//! Talking to the user: results go to standard output, everything else to standard error.

use std::io::{self, Write};
use std::time::Duration;

use super::failure::Failure;

/// Writes a result to standard output. A reader that has gone away (`ooze list | head`) is no error.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Writes a message to standard error. There is nowhere to complain if that fails.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A duration in the two units that matter: `1 h 05 min`, `2 min 07 s`, `3.4 s`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds >= 3600 {
        format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60)
    } else if seconds >= 60 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// A size in bytes with three digits and a binary unit.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else if size < 10.0 {
        format!("{size:.1} {}", UNITS[unit])
    } else {
        format!("{size:.0} {}", UNITS[unit])
    }
}

/// A length in metres, or in millimetres where that reads better.
pub(crate) fn length(metres: f64) -> String {
    if metres < 0.1 {
        format!("{:.3} mm", 1000.0 * metres)
    } else {
        format!("{metres:.3} m")
    }
}

/// So many of something: `1 picture`, `1 200 pictures`.
pub(crate) fn number(count: usize, of: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {of}{plural}", self::count(count as u64))
}

/// A whole number with thin gaps between groups of three digits.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(duration(Duration::from_millis(3440)), "3.4 s");
        assert_eq!(duration(Duration::from_secs(127)), "2 min 07 s");
        assert_eq!(duration(Duration::from_secs(3900)), "1 h 05 min");
        assert_eq!(bytes(900), "900 bytes");
        assert_eq!(bytes(1024 * 1024 * 3 / 2), "1.5 MiB");
        assert_eq!(bytes(80 << 30), "80 GiB");
        assert_eq!(length(0.015_000_001), "15.000 mm");
        assert_eq!(length(2.5), "2.500 m");
        assert_eq!(count(7), "7");
        assert_eq!(count(1234567), "1 234 567");
        assert_eq!(count(123456), "123 456");
        assert_eq!(number(1, "picture"), "1 picture");
        assert_eq!(number(1200, "picture"), "1 200 pictures");
    }
}
