//! Values with a spelling of their own.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PictureSize(pub u32, pub u32);

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no size; write it as 640x360, both even, from 16 to 8192");
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let side = |text: &str| {
            let side: u32 = text.parse().ok()?;
            ((16..=8192).contains(&side) && side.is_multiple_of(2)).then_some(side)
        };
        match (side(width), side(height)) {
            (Some(width), Some(height)) => Ok(Self(width, height)),
            _ => Err(wrong()),
        }
    }
}

/// A stretch of frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameRange(pub RangeInclusive<u32>);

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, otherwise: u32| {
            if text.is_empty() {
                Ok(otherwise)
            } else {
                text.parse()
                    .map_err(|_| format!("`{text}` is not the number of a frame"))
            }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first, 0)?, number(last, u32::MAX)?),
            None => {
                let only = number(text, 0)?;
                (only, only)
            }
        };
        if first > last {
            return Err(format!("frame {first} comes after frame {last}"));
        }
        Ok(Self(first..=last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_ranges_include_both_ends() {
        let parse = |text: &str| text.parse::<FrameRange>().map(|range| range.0);
        assert_eq!(parse("3..5"), Ok(3..=5));
        assert_eq!(parse("3.."), Ok(3..=u32::MAX));
        assert_eq!(parse("..5"), Ok(0..=5));
        assert_eq!(parse("5"), Ok(5..=5));
        assert_eq!(parse("5..3"), Err("frame 5 comes after frame 3".into()));
        assert_eq!(parse("x"), Err("`x` is not the number of a frame".into()));
    }
}
