//! A small animated picture for a README: an APNG with one palette, in which each frame stores only the rectangle that
//! changed.

use std::path::Path;

use super::palette::Palette;
use super::png_file::encoding_error;
use ooze_staging::require;

use crate::error::RenderError;
use crate::image::Picture;

/// Size and pace of a preview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreviewSettings {
    /// Width in pixels; smaller frames are not enlarged.
    pub width: u32,
    /// Frames shown at most; others are left out evenly.
    pub frames_max: usize,
    /// Duration of the whole animation in seconds.
    pub seconds: f64,
}

impl Default for PreviewSettings {
    fn default() -> Self {
        Self {
            width: 320,
            frames_max: 48,
            seconds: 4.0,
        }
    }
}

/// A rectangle of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// Writes `frames` as an endlessly repeating APNG and returns the number of frames in it.
pub fn write_preview(
    path: &Path,
    frames: &[Picture],
    settings: &PreviewSettings,
) -> Result<usize, RenderError> {
    require(
        settings.width > 0,
        "preview.width",
        settings.width,
        "positive",
    )?;
    require(
        settings.frames_max > 0,
        "preview.frames_max",
        settings.frames_max,
        "positive",
    )?;
    require(
        settings.seconds > 0.0 && settings.seconds.is_finite(),
        "preview.seconds",
        settings.seconds,
        "positive (seconds)",
    )?;
    let Some(first) = frames.first() else {
        return Err(RenderError::NoFrames {
            path: path.to_owned(),
        });
    };
    let count = frames.len().min(settings.frames_max);
    let width = settings.width.min(first.width);
    let height = first.height_for(width);
    let mut small = Vec::with_capacity(count);
    for index in 0..count {
        let place = index * frames.len() / count;
        let frame = &frames[place];
        if (frame.width, frame.height) != (first.width, first.height) {
            return Err(RenderError::FrameSize {
                path: path.to_owned(),
                frame: place,
                width: frame.width,
                height: frame.height,
                first_width: first.width,
                first_height: first.height,
            });
        }
        small.push(frame.resized(width, height));
    }
    let palette = Palette::of(&small, 256);
    let indexed: Vec<Vec<u8>> = small.iter().map(|frame| palette.indices(frame)).collect();
    let delay = (settings.seconds * 1000.0 / count as f64)
        .round()
        .clamp(1.0, 65_535.0) as u16;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.colours.as_flattened());
    encoder.set_compression(png::Compression::High);
    // Palette indices have no meaningful differences for the filters to find.
    encoder.set_filter(png::Filter::NoFilter);
    let write = || -> Result<(), png::EncodingError> {
        encoder.set_animated(count as u32, 0)?;
        encoder.set_frame_delay(delay, 1000)?;
        let mut image = encoder.write_header()?;
        image.write_image_data(&indexed[0])?;
        for pair in indexed.windows(2) {
            let region = changed_region(&pair[0], &pair[1], width);
            image.reset_frame_position()?;
            image.set_frame_dimension(region.width, region.height)?;
            image.set_frame_position(region.x, region.y)?;
            image.write_image_data(&cut(&pair[1], width, region))?;
        }
        image.finish()
    };
    write().map_err(|error| encoding_error(path, error))?;
    ooze_files::write(path, &bytes)?;
    Ok(count)
}

/// The smallest rectangle that holds all differences, or one pixel where there are none.
fn changed_region(before: &[u8], after: &[u8], width: u32) -> Region {
    let changed = before
        .iter()
        .zip(after)
        .enumerate()
        .filter(|(_, (before, after))| before != after);
    let (mut left, mut right, mut top, mut bottom) = (u32::MAX, 0, u32::MAX, 0);
    for (index, _) in changed {
        let (x, y) = (index as u32 % width, index as u32 / width);
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    if left == u32::MAX {
        return Region {
            x: 0,
            y: 0,
            width: 1,
            height: 1,
        };
    }
    Region {
        x: left,
        y: top,
        width: right - left + 1,
        height: bottom - top + 1,
    }
}

fn cut(indices: &[u8], width: u32, region: Region) -> Vec<u8> {
    (region.y..region.y + region.height)
        .flat_map(|y| {
            let start = (y * width + region.x) as usize;
            indices[start..start + region.width as usize]
                .iter()
                .copied()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_hold_all_changes() {
        let before = vec![0; 20];
        let mut after = before.clone();
        assert_eq!(
            changed_region(&before, &after, 5),
            Region {
                x: 0,
                y: 0,
                width: 1,
                height: 1
            }
        );
        after[7] = 1;
        after[13] = 1;
        let region = changed_region(&before, &after, 5);
        assert_eq!(
            region,
            Region {
                x: 2,
                y: 1,
                width: 2,
                height: 2
            }
        );
        assert_eq!(cut(&after, 5, region), [1, 0, 0, 1]);
    }
}
