//! A finished picture.

/// A picture in 8-bit sRGB, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self {
            width,
            height,
            pixels: vec![colour; width as usize * height as usize],
        }
    }

    /// The pixel in column `x` and row `y`.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// The picture at another size. Shrinking averages the area that each new pixel covers.
    pub fn resized(&self, width: u32, height: u32) -> Self {
        let columns = coverage(self.width, width);
        let rows = coverage(self.height, height);
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for row in &rows {
            for column in &columns {
                let mut sum = [0.0_f32; 3];
                for &(y, row_weight) in row {
                    for &(x, column_weight) in column {
                        for (sum, value) in sum.iter_mut().zip(self.pixel(x, y)) {
                            *sum += row_weight * column_weight * f32::from(value);
                        }
                    }
                }
                pixels.push(sum.map(|value| value.round().clamp(0.0, 255.0) as u8));
            }
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// The height that keeps the proportions at `width`.
    pub fn height_for(&self, width: u32) -> u32 {
        ((f64::from(width) * f64::from(self.height) / f64::from(self.width)).round() as u32).max(1)
    }

    /// Copies `other` with its upper left corner at (`x`, `y`), leaving out what does not fit.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let from = row as usize * other.width as usize;
            let to = (y + row) as usize * self.width as usize + x as usize;
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[from..from + columns]);
        }
    }

    /// The pixels as bytes, red first.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }
}

/// For each of `to` cells the cells of `from` that it covers, and their shares, which sum to 1.
fn coverage(from: u32, to: u32) -> Vec<Vec<(u32, f32)>> {
    let scale = f64::from(from) / f64::from(to);
    (0..to)
        .map(|cell| {
            let (start, end) = (f64::from(cell) * scale, f64::from(cell + 1) * scale);
            (start as u32..from.min(end.ceil() as u32))
                .map(|source| {
                    let overlap = end.min(f64::from(source + 1)) - start.max(f64::from(source));
                    (source, (overlap / scale) as f32)
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resizing_keeps_the_mean() {
        let mut picture = Picture::filled(30, 20, [0, 100, 200]);
        for (index, pixel) in picture.pixels.iter_mut().enumerate() {
            pixel[0] = (index * 7 % 256) as u8;
        }
        let mean = |picture: &Picture| {
            picture
                .pixels
                .iter()
                .map(|pixel| f64::from(pixel[0]))
                .sum::<f64>()
                / picture.pixels.len() as f64
        };
        for (width, height) in [(15, 10), (7, 9), (30, 20)] {
            let resized = picture.resized(width, height);
            assert_eq!(resized.pixels.len(), (width * height) as usize);
            assert!((mean(&resized) - mean(&picture)).abs() < 0.6);
            assert!(resized.pixels.iter().all(|pixel| pixel[1..] == [100, 200]));
        }
        assert_eq!(picture.resized(30, 20), picture);
    }

    #[test]
    fn pasting_clips() {
        let mut picture = Picture::filled(4, 3, [0; 3]);
        picture.paste(&Picture::filled(3, 3, [9; 3]), 2, 1);
        let filled: Vec<usize> = picture
            .pixels
            .iter()
            .enumerate()
            .filter(|(_, pixel)| pixel[0] == 9)
            .map(|(index, _)| index)
            .collect();
        assert_eq!(filled, [6, 7, 10, 11]);
    }
}
