//! Pictures of Radiance, `.hdr` (Ward 1991, "Real pixels", Graphics Gems II): red, green and blue share an exponent, and rows
//! are run-length encoded.

use glam::{Vec3, vec3};

use super::{Raw, pixel_count};

/// The pixels of a file, or what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Raw, String> {
    let mut file = Bytes { rest: bytes };
    let first = file.line()?;
    if !first.starts_with("#?") {
        return Err("it does not begin as a Radiance picture does, with `#?RADIANCE`".into());
    }
    let mut exposure = 1.0_f32;
    loop {
        let line = file.line()?;
        if line.is_empty() {
            break;
        }
        match line.split_once('=') {
            Some(("FORMAT", "32-bit_rle_rgbe")) => {}
            Some(("FORMAT", other)) => {
                return Err(format!(
                    "its format is `{other}`; only `32-bit_rle_rgbe` is read"
                ));
            }
            Some(("EXPOSURE", factor)) => {
                let value: f32 = factor.trim().parse().unwrap_or(0.0);
                if !(value.is_finite() && value > 0.0) {
                    return Err(format!("its exposure is `{factor}`; it must be above 0"));
                }
                exposure *= value;
            }
            _ => {}
        }
    }
    let (width, height) = size(&file.line()?)?;
    let count = pixel_count(width, height)?;
    // Even the densest rows hold a byte for 127 values.
    if count > file.rest.len().saturating_mul(127) {
        return Err(format!("it ends before its {height} rows do"));
    }
    let mut pixels = Vec::with_capacity(count);
    let mut row = vec![[0_u8; 4]; width];
    for index in 0..height {
        file.row(&mut row)
            .map_err(|reason| format!("row {index}: {reason}"))?;
        pixels.extend(row.iter().map(|&shared| decoded(shared) / exposure));
    }
    Ok(Raw {
        width,
        height,
        pixels,
    })
}

/// Width and height from the line that tells them.
fn size(line: &str) -> Result<(usize, usize), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let sides = match words[..] {
        ["-Y", height, "+X", width] => width.parse().ok().zip(height.parse().ok()),
        _ => None,
    };
    sides.ok_or_else(|| {
        format!("its size is given as `{line}`; only `-Y height +X width` is read: rows from the top, columns from the left")
    })
}

/// Light from three mantissas with one exponent.
fn decoded([red, green, blue, exponent]: [u8; 4]) -> Vec3 {
    if exponent == 0 {
        return Vec3::ZERO;
    }
    let scale = f32::from(i16::from(exponent) - 136).exp2();
    vec3(f32::from(red), f32::from(green), f32::from(blue)) * scale
}

struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn line(&mut self) -> Result<String, String> {
        let end = self
            .rest
            .iter()
            .position(|&byte| byte == b'\n')
            .ok_or("it ends within its head")?;
        let line = String::from_utf8_lossy(&self.rest[..end])
            .trim_end()
            .to_owned();
        self.rest = &self.rest[end + 1..];
        Ok(line)
    }

    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], String> {
        let (head, rest) = self
            .rest
            .split_first_chunk::<COUNT>()
            .ok_or("the file ends within it")?;
        self.rest = rest;
        Ok(*head)
    }

    /// Reads one row, in the newer coding by channels if it begins so, else pixel by pixel.
    fn row(&mut self, row: &mut [[u8; 4]]) -> Result<(), String> {
        let width = row.len();
        let begins = self.rest.first_chunk::<4>().copied().unwrap_or_default();
        let told = usize::from(begins[2]) << 8 | usize::from(begins[3]);
        if (8..=0x7fff).contains(&width) && begins[..2] == [2, 2] && begins[2] < 0x80 {
            if told != width {
                return Err(format!("it holds {told} pixels in place of {width}"));
            }
            self.take::<4>()?;
            return (0..4).try_for_each(|channel| self.channel(row, channel));
        }
        self.pixel_by_pixel(row)
    }

    /// One channel of a row: runs of equal values, and stretches of different ones.
    fn channel(&mut self, row: &mut [[u8; 4]], channel: usize) -> Result<(), String> {
        let mut place = 0;
        while place < row.len() {
            let [head] = self.take::<1>()?;
            let run = head > 128;
            let count = usize::from(if run { head - 128 } else { head });
            if count == 0 || place + count > row.len() {
                return Err(format!("a run of {count} values does not fit"));
            }
            let mut value = 0;
            for index in 0..count {
                if !run || index == 0 {
                    [value] = self.take::<1>()?;
                }
                row[place + index][channel] = value;
            }
            place += count;
        }
        Ok(())
    }

    /// The older coding: whole pixels, where mantissas of 1 repeat the one before.
    fn pixel_by_pixel(&mut self, row: &mut [[u8; 4]]) -> Result<(), String> {
        let (mut place, mut shift) = (0, 0);
        while place < row.len() {
            let pixel = self.take::<4>()?;
            if pixel[..3] != [1, 1, 1] {
                row[place] = pixel;
                place += 1;
                shift = 0;
                continue;
            }
            let count = usize::from(pixel[3]) << shift;
            if place == 0 || shift > 16 || place + count > row.len() {
                return Err(format!("a repetition of {count} pixels does not fit"));
            }
            let before = row[place - 1];
            row[place..place + count].fill(before);
            place += count;
            shift += 8;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(size: &str, rows: &[u8]) -> Vec<u8> {
        let mut bytes =
            format!("#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n{size}\n").into_bytes();
        bytes.extend_from_slice(rows);
        bytes
    }

    #[test]
    fn both_codings_give_the_same_light() {
        // Eight pixels of (1, 0.5, 0.25): mantissas 128, 64, 32 of exponent 2^1.
        let by_channels = [2, 2, 0, 8, 136, 128, 136, 64, 136, 32, 136, 129];
        let repeated = [128, 64, 32, 129, 1, 1, 1, 7];
        for rows in [&by_channels[..], &repeated[..]] {
            let raw = parse(&file("-Y 1 +X 8", rows)).expect("sound");
            assert_eq!((raw.width, raw.height), (8, 1));
            assert_eq!(raw.pixels, vec![vec3(1.0, 0.5, 0.25); 8]);
        }
    }

    #[test]
    fn faults_are_named() {
        let reason = |bytes: &[u8]| parse(bytes).err().expect("faulty");
        assert!(reason(b"P6\n").contains("#?RADIANCE"));
        assert!(reason(b"#?RADIANCE\n").contains("head"));
        assert!(reason(&file("+Y 2 +X 8", &[])).contains("-Y height +X width"));
        assert!(reason(&file("-Y 1 +X 8", &[2, 2, 0, 9, 0, 0])).contains("row 0: it holds 9"));
        assert!(reason(&file("-Y 1 +X 8", &[2, 2, 0, 8, 140, 1, 2, 3])).contains("12 values"));
        assert!(reason(&file("-Y 2 +X 1", &[1, 2, 3, 4])).contains("row 1: the file ends"));
        assert!(reason(&file("-Y 99999 +X 99999", &[0; 64])).contains("pixels"));
        assert!(reason(&file("-Y 1 +X 2", &[1, 1, 1, 200])).contains("repetition"));
    }

    #[test]
    fn no_cut_or_changed_byte_panics() {
        let whole = file(
            "-Y 2 +X 8",
            &[
                2, 2, 0, 8, 136, 128, 136, 64, 4, 1, 2, 3, 4, 132, 9, 136, 129, 128, 64, 32, 129,
                1, 1, 1, 7,
            ],
        );
        for cut in 0..whole.len() {
            let _ = parse(&whole[..cut]);
            for value in [0, 1, 2, 127, 128, 129, 255] {
                let mut changed = whole.clone();
                changed[cut] = value;
                let _ = parse(&changed);
            }
        }
    }
}
