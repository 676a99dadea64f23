//! PNG files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::error::RenderError;
use crate::image::Picture;

/// Writes a picture as PNG.
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), RenderError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let encode = || -> Result<(), png::EncodingError> {
        let mut image = encoder.write_header()?;
        image.write_image_data(picture.bytes())?;
        image.finish()
    };
    encode().map_err(|error| encoding_error(path, error))?;
    Ok(ooze_files::write(path, &bytes)?)
}

/// Reads a PNG of 8-bit RGB or RGBA; opacity is left out.
pub fn read_png(path: &Path) -> Result<Picture, RenderError> {
    let unreadable = |source: std::io::Error| RenderError::Read {
        path: path.to_owned(),
        source,
    };
    let undecodable = |reason: String| RenderError::Codec {
        path: path.to_owned(),
        codec: "PNG",
        reason,
    };
    let file = File::open(path).map_err(unreadable)?;
    let decoder = png::Decoder::new(BufReader::new(file));
    let mut reader = decoder
        .read_info()
        .map_err(|error| undecodable(error.to_string()))?;
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| undecodable("the image is too large for memory".to_owned()))?;
    let mut bytes = vec![0; size];
    let frame = reader
        .next_frame(&mut bytes)
        .map_err(|error| undecodable(error.to_string()))?;
    let channels = match (frame.color_type, frame.bit_depth) {
        (png::ColorType::Rgb, png::BitDepth::Eight) => 3,
        (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
        (colour, depth) => {
            return Err(undecodable(format!(
                "{colour:?} of {depth:?} bits is not supported; use 8-bit RGB"
            )));
        }
    };
    let pixels = bytes[..frame.buffer_size()]
        .chunks_exact(channels)
        .map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect();
    Ok(Picture {
        width: frame.width,
        height: frame.height,
        pixels,
    })
}

/// The renderer's error for the encoder's.
pub(super) fn encoding_error(path: &Path, error: png::EncodingError) -> RenderError {
    RenderError::Codec {
        path: path.to_owned(),
        codec: "PNG",
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_the_round_trip() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("picture.png");
        let mut picture = Picture::filled(17, 9, [1, 2, 3]);
        for (index, pixel) in picture.pixels.iter_mut().enumerate() {
            *pixel = [index as u8, (index * 3) as u8, (index * 7) as u8];
        }
        write_png(&path, &picture).expect("writable");
        assert_eq!(read_png(&path).expect("readable"), picture);
    }

    #[test]
    fn damaged_and_missing_files_are_named() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("broken.png");
        assert!(matches!(read_png(&path), Err(RenderError::Read { .. })));
        std::fs::write(&path, b"not a picture").expect("writable");
        let message = read_png(&path).expect_err("not a PNG").to_string();
        assert!(message.contains("broken.png"), "{message}");
    }
}
