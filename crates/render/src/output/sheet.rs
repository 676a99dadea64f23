//! Contact sheets: many frames in one picture.

use super::font::{HEIGHT, draw_text, text_width};

use ooze_staging::{ImageSettings, StagingError, require};

use crate::error::RenderError;
use crate::image::Picture;

/// Layout of a contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetSettings {
    /// Frames side by side.
    pub columns: u32,
    /// Width of a frame in pixels.
    pub frame_width: u32,
    /// Space between frames in pixels.
    pub gap: u32,
    /// Colour between frames.
    pub background: [u8; 3],
}

impl Default for SheetSettings {
    fn default() -> Self {
        Self {
            columns: 4,
            frame_width: 320,
            gap: 6,
            background: [24, 24, 26],
        }
    }
}

/// Lays labelled frames out in a grid, row by row. Frames of other proportions than the first are fitted into its cell.
pub fn contact_sheet(
    frames: &[(String, Picture)],
    settings: &SheetSettings,
) -> Result<Picture, RenderError> {
    require(
        settings.columns > 0,
        "sheet.columns",
        settings.columns,
        "positive",
    )?;
    require(
        settings.frame_width > 0,
        "sheet.frame_width",
        settings.frame_width,
        "positive",
    )?;
    let Some((_, first)) = frames.first() else {
        return Err(RenderError::NoFrames {
            path: "contact sheet".into(),
        });
    };
    let (cell_width, cell_height) = (settings.frame_width, first.height_for(settings.frame_width));
    let columns = settings.columns.min(frames.len() as u32);
    let rows = (frames.len() as u32).div_ceil(columns);
    let side = |count: u32, cell: u32| count * (cell + settings.gap) + settings.gap;
    let (width, height) = (side(columns, cell_width), side(rows, cell_height));
    let limit = ImageSettings::SIZE_LIMIT;
    if width > limit || height > limit {
        return Err(RenderError::Staging(StagingError::ImageSize {
            width,
            height,
            limit,
        }));
    }
    let mut sheet = Picture::filled(width, height, settings.background);
    for (index, (label, picture)) in frames.iter().enumerate() {
        let (column, row) = (index as u32 % columns, index as u32 / columns);
        let (left, top) = (side(column, cell_width), side(row, cell_height));
        let fitted = fit(picture, cell_width, cell_height);
        let (inset_x, inset_y) = (
            (cell_width - fitted.width) / 2,
            (cell_height - fitted.height) / 2,
        );
        sheet.paste(&fitted, left + inset_x, top + inset_y);
        draw_label(&mut sheet, label, left, top, cell_width);
    }
    Ok(sheet)
}

/// The largest copy of a picture that fits into a cell.
fn fit(picture: &Picture, cell_width: u32, cell_height: u32) -> Picture {
    let height = picture.height_for(cell_width);
    if height <= cell_height {
        return picture.resized(cell_width, height);
    }
    let width = u64::from(picture.width) * u64::from(cell_height) / u64::from(picture.height);
    picture.resized((width as u32).clamp(1, cell_width), cell_height)
}

/// White on a dark tag in the upper left corner, twice as large where there is room.
fn draw_label(sheet: &mut Picture, label: &str, left: u32, top: u32, cell_width: u32) {
    if label.is_empty() {
        return;
    }
    let scale = if cell_width >= 240 { 2 } else { 1 };
    let pad = 2 * scale;
    let width = (text_width(label, scale) + 2 * pad).min(cell_width);
    sheet.paste(
        &Picture::filled(width, HEIGHT * scale + 2 * pad, [20, 20, 22]),
        left,
        top,
    );
    draw_text(sheet, label, left + pad, top + pad, scale, [236, 236, 232]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(count: usize) -> Vec<(String, Picture)> {
        (0..count)
            .map(|index| {
                (
                    String::new(),
                    Picture::filled(64, 36, [10 * index as u8 + 10, 0, 0]),
                )
            })
            .collect()
    }

    #[test]
    fn frames_lie_in_reading_order() {
        let settings = SheetSettings {
            columns: 3,
            frame_width: 32,
            gap: 2,
            background: [0, 0, 255],
        };
        let sheet = contact_sheet(&frames(5), &settings).expect("sound");
        assert_eq!((sheet.width, sheet.height), (3 * 34 + 2, 2 * 20 + 2));
        for index in 0..5 {
            let (column, row) = (index % 3, index / 3);
            assert_eq!(
                sheet.pixel(2 + column * 34 + 16, 2 + row * 20 + 9),
                [10 * index as u8 + 10, 0, 0]
            );
        }
        assert_eq!(sheet.pixel(2 + 2 * 34 + 16, 2 + 20 + 9), [0, 0, 255]);
    }

    #[test]
    fn labels_are_drawn_inside_their_frame() {
        let settings = SheetSettings {
            columns: 1,
            frame_width: 64,
            gap: 0,
            background: [0; 3],
        };
        let sheet = contact_sheet(
            &[("frame 7".to_owned(), Picture::filled(64, 36, [90; 3]))],
            &settings,
        )
        .expect("sound");
        assert!(sheet.pixels.contains(&[236, 236, 232]) && sheet.pixels.contains(&[90; 3]));
    }

    #[test]
    fn other_proportions_are_fitted() {
        let tall = Picture::filled(10, 100, [200, 0, 0]);
        let fitted = fit(&tall, 32, 18);
        assert_eq!((fitted.width, fitted.height), (1, 18));
    }

    #[test]
    fn no_frames_is_an_error() {
        assert!(matches!(
            contact_sheet(&[], &SheetSettings::default()),
            Err(RenderError::NoFrames { .. })
        ));
    }
}
