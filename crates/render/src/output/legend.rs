//! A bar of colours with the numbers that they stand for, in a corner of a picture.

use super::font::{HEIGHT, draw_text, text_width};
use crate::image::{Picture, encoded_colour};
use glam::Vec3;

/// What a bar of colours says.
pub struct Legend<'a> {
    /// What the numbers are, and their unit.
    pub title: &'a str,
    /// The number at the left end.
    pub low: &'a str,
    /// The number at the right end.
    pub high: &'a str,
    /// The linear colour at a share of the way from left to right.
    pub colour: &'a dyn Fn(f32) -> Vec3,
}

const PAPER: [u8; 3] = [24, 24, 26];
const INK: [u8; 3] = [235, 235, 232];

/// Draws a legend into the lower left corner of a picture, as large as suits it.
pub fn draw_legend(picture: &mut Picture, legend: &Legend<'_>) {
    let scale = (picture.height / 240).max(1);
    let (margin, line) = (4 * scale, HEIGHT * scale);
    let ends = text_width(legend.low, scale) + 3 * line + text_width(legend.high, scale);
    let width = (picture.width / 4)
        .max(ends)
        .max(text_width(legend.title, scale));
    let height = 3 * line + 2 * margin;
    let mut card = Picture::filled(width + 2 * margin, height + 2 * margin, PAPER);
    draw_text(&mut card, legend.title, margin, margin, scale, INK);
    for column in 0..width {
        let share = (column as f32 + 0.5) / width as f32;
        let stripe = Picture::filled(1, line, encoded_colour((legend.colour)(share)));
        card.paste(&stripe, margin + column, 2 * margin + line);
    }
    let below = 3 * margin + 2 * line;
    draw_text(&mut card, legend.low, margin, below, scale, INK);
    let right = margin + width - text_width(legend.high, scale);
    draw_text(&mut card, legend.high, right, below, scale, INK);
    let top = picture.height.saturating_sub(card.height + margin);
    picture.paste(&card, margin, top);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_stay_in_their_corner_and_show_both_ends() {
        let mut picture = Picture::filled(320, 240, [128; 3]);
        let legend = Legend {
            title: "speed (m/s)",
            low: "0",
            high: "2.5",
            colour: &|share| Vec3::new(share, 0.0, 1.0 - share),
        };
        draw_legend(&mut picture, &legend);
        let is_blue = |pixel: &[u8; 3]| pixel[2] > 240 && pixel[0] < 30;
        let is_red = |pixel: &[u8; 3]| pixel[0] > 240 && pixel[2] < 30;
        assert!(picture.pixels.iter().any(is_blue) && picture.pixels.iter().any(is_red));
        let upper = &picture.pixels[..320 * 180];
        assert!(upper.iter().all(|pixel| *pixel == [128; 3]));
        assert!((0..240).all(|row| picture.pixel(200, row) == [128; 3]));
        // Too small for it: what fits is drawn.
        draw_legend(&mut Picture::filled(16, 16, [0; 3]), &legend);
    }
}
