//! At most 256 colours for a whole clip: median cut (Heckbert 1982) over a histogram of 5 bits a channel, and ordered
//! dithering with a pattern that stands still from frame to frame.

use crate::image::Picture;

const BITS: u32 = 5;
const CELLS: usize = 1 << (3 * BITS);
/// Strength of the dithering in 8-bit steps; below the size of a histogram cell, so it does not show.
const DITHER: f32 = 7.0;
/// The 4×4 pattern of Bayer 1973.
const BAYER: [[f32; 4]; 4] = [
    [0.0, 8.0, 2.0, 10.0],
    [12.0, 4.0, 14.0, 6.0],
    [3.0, 11.0, 1.0, 9.0],
    [15.0, 7.0, 13.0, 5.0],
];

/// A palette and the entry for each colour cell.
pub(super) struct Palette {
    pub(super) colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// Colour cells that share a palette entry.
struct Group {
    cells: Vec<u32>,
    weight: u64,
}

fn cell_of(colour: [u8; 3]) -> usize {
    colour.iter().fold(0, |cell, &value| {
        cell << BITS | usize::from(value >> (8 - BITS))
    })
}

fn channel(cell: u32, index: u32) -> u32 {
    cell >> (BITS * (2 - index)) & ((1 << BITS) - 1)
}

impl Palette {
    /// The palette of all `frames`.
    pub(super) fn of(frames: &[Picture], size: usize) -> Self {
        let mut counts = vec![0_u64; CELLS];
        let mut sums = vec![[0_u64; 3]; CELLS];
        for colour in frames.iter().flat_map(|frame| &frame.pixels) {
            let cell = cell_of(*colour);
            counts[cell] += 1;
            for (sum, value) in sums[cell].iter_mut().zip(colour) {
                *sum += u64::from(*value);
            }
        }
        let cells: Vec<u32> = (0..CELLS as u32)
            .filter(|&cell| counts[cell as usize] > 0)
            .collect();
        let weight = counts.iter().sum();
        let mut groups = vec![Group { cells, weight }];
        while groups.len() < size {
            // Splitting the group of most pixels times extent, not of most pixels, keeps small bright accents.
            let worst = (0..groups.len())
                .filter(|&index| groups[index].cells.len() > 1)
                .max_by_key(|&index| {
                    groups[index].weight.isqrt() * u64::from(widest(&groups[index].cells).1)
                });
            let Some(worst) = worst else { break };
            let group = groups.swap_remove(worst);
            groups.extend(split(group, &counts));
        }
        let colours: Vec<[u8; 3]> = groups
            .iter()
            .map(|group| mean(group, &counts, &sums))
            .collect();
        let nearest = (0..CELLS as u32)
            .map(|cell| nearest_entry(cell, &colours))
            .collect();
        Self { colours, nearest }
    }

    /// The palette entries of a picture's pixels.
    pub(super) fn indices(&self, picture: &Picture) -> Vec<u8> {
        picture
            .pixels
            .iter()
            .enumerate()
            .map(|(index, colour)| {
                let (x, y) = (
                    index % picture.width as usize,
                    index / picture.width as usize,
                );
                let shift = ((BAYER[y % 4][x % 4] + 0.5) / 16.0 - 0.5) * DITHER;
                self.nearest[cell_of(
                    colour.map(|value| (f32::from(value) + shift).round().clamp(0.0, 255.0) as u8),
                )]
            })
            .collect()
    }
}

/// The channel in which cells differ most, and by how much.
fn widest(cells: &[u32]) -> (u32, u32) {
    (0..3)
        .map(|index| {
            let values = cells.iter().map(|&cell| channel(cell, index));
            let (least, most) = values.fold((u32::MAX, 0), |(least, most), value| {
                (least.min(value), most.max(value))
            });
            (index, most - least + 1)
        })
        .max_by_key(|&(index, extent)| (extent, 2 - index))
        .unwrap_or((0, 1))
}

/// Halves a group by pixels along its widest channel.
fn split(group: Group, counts: &[u64]) -> [Group; 2] {
    let (axis, _) = widest(&group.cells);
    let mut cells = group.cells;
    cells.sort_by_key(|&cell| (channel(cell, axis), cell));
    let mut passed = 0;
    let middle = cells
        .iter()
        .position(|&cell| {
            passed += counts[cell as usize];
            2 * passed >= group.weight
        })
        .map_or(1, |place| (place + 1).clamp(1, cells.len() - 1));
    let upper = cells.split_off(middle);
    [cells, upper].map(|cells| {
        let weight = cells.iter().map(|&cell| counts[cell as usize]).sum();
        Group { cells, weight }
    })
}

fn mean(group: &Group, counts: &[u64], sums: &[[u64; 3]]) -> [u8; 3] {
    let count: u64 = group.cells.iter().map(|&cell| counts[cell as usize]).sum();
    std::array::from_fn(|index| {
        let sum: u64 = group
            .cells
            .iter()
            .map(|&cell| sums[cell as usize][index])
            .sum();
        ((sum + count / 2) / count.max(1)) as u8
    })
}

fn nearest_entry(cell: u32, colours: &[[u8; 3]]) -> u8 {
    // Green weighs most to the eye, blue least.
    const WEIGHTS: [i32; 3] = [3, 6, 1];
    let centre: [i32; 3] =
        [0, 1, 2].map(|index| ((channel(cell, index) * 2 + 1) << (7 - BITS)) as i32);
    let distance = |colour: &[u8; 3]| -> i32 {
        (0..3)
            .map(|index| WEIGHTS[index] * (i32::from(colour[index]) - centre[index]).pow(2))
            .sum()
    };
    (0..colours.len())
        .min_by_key(|&entry| distance(&colours[entry]))
        .unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let mut picture = Picture::filled(8, 8, [200, 30, 40]);
        picture.pixels[5] = [10, 250, 90];
        let palette = Palette::of(std::slice::from_ref(&picture), 256);
        assert_eq!(palette.colours.len(), 2);
        assert!(
            palette.colours.contains(&[200, 30, 40]) && palette.colours.contains(&[10, 250, 90])
        );
    }

    #[test]
    fn gradients_stay_close() {
        let mut picture = Picture::filled(256, 64, [0; 3]);
        for (index, pixel) in picture.pixels.iter_mut().enumerate() {
            *pixel = [
                (index % 256) as u8,
                255 - (index % 256) as u8,
                (index / 256 * 4) as u8,
            ];
        }
        let palette = Palette::of(std::slice::from_ref(&picture), 256);
        assert!(palette.colours.len() <= 256 && palette.colours.len() > 200);
        let indices = palette.indices(&picture);
        let error: f64 = picture
            .pixels
            .iter()
            .zip(indices)
            .map(|(colour, entry)| {
                let entry = palette.colours[usize::from(entry)];
                (0..3)
                    .map(|index| f64::from(colour[index].abs_diff(entry[index])))
                    .sum::<f64>()
                    / 3.0
            })
            .sum::<f64>()
            / picture.pixels.len() as f64;
        assert!(error < 8.0, "mean error {error}");
    }
}
