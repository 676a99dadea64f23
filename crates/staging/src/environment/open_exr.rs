//! Pictures of OpenEXR, `.exr`.

use exr::prelude::{ReadChannels, ReadLayers, read};
use glam::{Vec3, vec3};
use std::io::Cursor;

use super::{Raw, pixel_count};

/// The pixels of the first layer with red, green and blue, or what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Raw, String> {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .rgb_channels(
            |size, _| Raw {
                width: size.width(),
                height: size.height(),
                // A picture that is too large gets no pixels, and is refused below.
                pixels: vec![Vec3::ZERO; pixel_count(size.width(), size.height()).unwrap_or(0)],
            },
            |raw, place, (red, green, blue): (f32, f32, f32)| {
                let index = place.y() * raw.width + place.x();
                if let Some(pixel) = raw.pixels.get_mut(index) {
                    // Filters leave traces of negative light behind bright edges.
                    *pixel = vec3(red, green, blue).max(Vec3::ZERO);
                }
            },
        )
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(|error| format!("it is not read as OpenEXR: {error}"))?;
    let raw = image.layer_data.channel_data.pixels;
    pixel_count(raw.width, raw.height)?;
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_picture_is_read_and_a_cut_one_refused() {
        let mut bytes = Vec::new();
        let image = exr::prelude::Image::from_channels(
            (4, 2),
            exr::prelude::SpecificChannels::rgb(|place: exr::prelude::Vec2<usize>| {
                (place.x() as f32, place.y() as f32, 0.25_f32)
            }),
        );
        exr::prelude::WritableImage::write(&image)
            .non_parallel()
            .to_buffered(Cursor::new(&mut bytes))
            .expect("written");
        let raw = parse(&bytes).expect("sound");
        assert_eq!((raw.width, raw.height), (4, 2));
        assert_eq!(raw.pixels[4 + 3], vec3(3.0, 1.0, 0.25));
        let reason = parse(&bytes[..bytes.len() / 2]).err().expect("cut");
        assert!(reason.contains("OpenEXR"), "{reason}");
    }
}
