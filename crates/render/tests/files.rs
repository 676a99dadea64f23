//! Files: video, animated preview, contact sheet, and targets that cannot be written.

use ooze_render::{
    Picture, PreviewSettings, RenderError, SheetSettings, VideoWriter, contact_sheet, read_png,
    write_png, write_preview, write_video,
};
use std::path::Path;

/// Frames of a bright square that crosses a dark gradient.
fn clip(count: u32, width: u32, height: u32) -> Vec<Picture> {
    (0..count)
        .map(|frame| {
            let mut picture = Picture::filled(width, height, [0; 3]);
            for (index, pixel) in picture.pixels.iter_mut().enumerate() {
                let (x, y) = (index as u32 % width, index as u32 / width);
                *pixel = [(x * 90 / width) as u8, (y * 90 / height) as u8, 60];
            }
            picture.paste(
                &Picture::filled(width / 6, height / 6, [250, 180, 20]),
                frame * width / count,
                height / 3,
            );
            picture
        })
        .collect()
}

/// The boxes directly inside `bytes`: name and content.
fn boxes(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let mut rest = bytes;
    let mut found = Vec::new();
    while rest.len() >= 8 {
        let size = u32::from_be_bytes(rest[..4].try_into().expect("four bytes")) as usize;
        assert!(
            size >= 8 && size <= rest.len(),
            "box of {size} bytes in {}",
            rest.len()
        );
        found.push((
            String::from_utf8_lossy(&rest[4..8]).into_owned(),
            &rest[8..size],
        ));
        rest = &rest[size..];
    }
    assert!(rest.is_empty(), "{} bytes after the last box", rest.len());
    found
}

fn child<'a>(bytes: &'a [u8], name: &str) -> &'a [u8] {
    boxes(bytes)
        .into_iter()
        .find(|(found, _)| found == name)
        .unwrap_or_else(|| panic!("no box `{name}`"))
        .1
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("temporary folder")
}

#[test]
fn video_holds_every_frame_at_the_right_pace() {
    let folder = folder();
    let path = folder.path().join("clip.mp4");
    assert_eq!(
        write_video(&path, &clip(36, 160, 90), 24.0).expect("writable"),
        36
    );
    let bytes = std::fs::read(&path).expect("readable");
    let top = boxes(&bytes);
    let names: Vec<&str> = top.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[0], "ftyp");
    // The index comes first, so that players can start before the file has arrived.
    let place = |name: &str| {
        names
            .iter()
            .position(|found| *found == name)
            .expect("present")
    };
    assert!(place("moov") < place("mdat"), "{names:?}");
    let movie = child(&bytes, "moov");
    let media = child(child(movie, "trak"), "mdia");
    let header = child(media, "mdhd");
    let (timescale, duration) = (f64::from(number(header, 12)), f64::from(number(header, 16)));
    assert!(
        (duration / timescale - 36.0 / 24.0).abs() < 1e-3,
        "{duration} / {timescale}"
    );
    let table = child(child(media, "minf"), "stbl");
    assert_eq!(number(child(table, "stsz"), 8), 36);
    let description = child(table, "stsd");
    assert_eq!(&description[12..16], b"avc1");
    let size = |at: usize| u16::from_be_bytes([description[at], description[at + 1]]);
    assert_eq!((size(8 + 8 + 24), size(8 + 8 + 26)), (160, 90));
    // Sample times are evenly spread.
    let times = child(table, "stts");
    let entries = number(times, 4) as usize;
    let samples: Vec<(u32, u32)> = (0..entries)
        .map(|entry| (number(times, 8 + 8 * entry), number(times, 12 + 8 * entry)))
        .collect();
    assert_eq!(samples.iter().map(|(count, _)| count).sum::<u32>(), 36);
    assert!(
        samples
            .iter()
            .all(|&(_, step)| f64::from(step) == timescale / 24.0),
        "{samples:?}"
    );
}

#[test]
fn no_frame_is_lost_however_hard_it_is_to_code() {
    // Noise needs far more bits than the encoder means to spend.
    let mut state = 1_u32;
    let frames: Vec<Picture> = (0..40)
        .map(|_| {
            let mut picture = Picture::filled(160, 96, [0; 3]);
            for value in picture.pixels.as_flattened_mut() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *value = (state >> 24) as u8;
            }
            picture
        })
        .collect();
    let folder = folder();
    let path = folder.path().join("noise.mp4");
    assert_eq!(write_video(&path, &frames, 24.0).expect("writable"), 40);
    let bytes = std::fs::read(&path).expect("readable");
    let table = child(
        child(child(child(child(&bytes, "moov"), "trak"), "mdia"), "minf"),
        "stbl",
    );
    assert_eq!(number(child(table, "stsz"), 8), 40);
}

#[test]
fn the_same_frames_give_the_same_video() {
    let folder = folder();
    let paths = ["first.mp4", "second.mp4"].map(|name| folder.path().join(name));
    for path in &paths {
        write_video(path, &clip(8, 64, 48), 30.0).expect("writable");
    }
    let [first, second] = paths.map(|path| std::fs::read(path).expect("readable"));
    assert!(first == second);
}

#[test]
fn odd_sizes_become_even() {
    let folder = folder();
    let path = folder.path().join("odd.mp4");
    write_video(&path, &clip(3, 95, 61), 25.0).expect("writable");
    let bytes = std::fs::read(&path).expect("readable");
    let table = child(
        child(child(child(child(&bytes, "moov"), "trak"), "mdia"), "minf"),
        "stbl",
    );
    let description = child(table, "stsd");
    let size = |at: usize| u16::from_be_bytes([description[at], description[at + 1]]);
    assert_eq!((size(40), size(42)), (96, 62));
}

#[test]
fn video_refuses_what_it_cannot_show() {
    let folder = folder();
    let path = folder.path().join("clip.mp4");
    assert!(matches!(
        write_video(&path, &[], 24.0),
        Err(RenderError::NoFrames { .. })
    ));
    assert!(VideoWriter::new(&path, 0.0).is_err() && VideoWriter::new(&path, f64::NAN).is_err());
    let mut writer = VideoWriter::new(&path, 24.0).expect("sound");
    writer
        .push(&Picture::filled(32, 32, [9; 3]))
        .expect("first frame");
    let message = writer
        .push(&Picture::filled(32, 30, [9; 3]))
        .expect_err("other size")
        .to_string();
    assert!(
        message.contains("frame 1 is 32×30") && message.contains("32×32"),
        "{message}"
    );
    let message = write_video(&path, &[Picture::filled(8000, 16, [0; 3])], 24.0)
        .expect_err("too wide")
        .to_string();
    assert!(
        message.contains("(8000, 16)") && message.contains("3840"),
        "{message}"
    );
    assert!(!path.exists(), "nothing may be left behind");
}

/// The frames of an APNG, each laid over the one before, as colours.
fn played(path: &Path) -> Vec<Picture> {
    let mut decoder = png::Decoder::new(std::io::BufReader::new(
        std::fs::File::open(path).expect("readable"),
    ));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG");
    let count = reader
        .info()
        .animation_control()
        .expect("animated")
        .num_frames;
    let mut canvas = Picture::filled(reader.info().width, reader.info().height, [0; 3]);
    let mut bytes = vec![0; reader.output_buffer_size().expect("fits")];
    (0..count)
        .map(|_| {
            let frame = reader.next_frame(&mut bytes).expect("a frame");
            let control = *reader.info().frame_control().expect("control");
            let pixels = bytes[..frame.buffer_size()]
                .chunks_exact(3)
                .map(|pixel| [pixel[0], pixel[1], pixel[2]])
                .collect();
            canvas.paste(
                &Picture {
                    width: control.width,
                    height: control.height,
                    pixels,
                },
                control.x_offset,
                control.y_offset,
            );
            canvas.clone()
        })
        .collect()
}

#[test]
fn preview_plays_the_clip_in_small() {
    let folder = folder();
    let path = folder.path().join("preview.png");
    let frames = clip(30, 640, 360);
    let settings = PreviewSettings {
        width: 160,
        frames_max: 10,
        seconds: 2.0,
    };
    assert_eq!(
        write_preview(&path, &frames, &settings).expect("writable"),
        10
    );
    let played = played(&path);
    assert_eq!(played.len(), 10);
    for (index, shown) in played.iter().enumerate() {
        let original = frames[index * 3].resized(160, 90);
        let error: f64 = shown
            .bytes()
            .iter()
            .zip(original.bytes())
            .map(|(a, b)| f64::from(a.abs_diff(*b)))
            .sum();
        assert!(
            error / (original.bytes().len() as f64) < 5.0,
            "frame {index}"
        );
    }
    let size = std::fs::metadata(&path).expect("exists").len();
    assert!(size < 60_000, "{size} bytes");
}

#[test]
fn preview_of_one_frame_and_of_a_still_clip_work() {
    let folder = folder();
    let path = folder.path().join("preview.png");
    let still = vec![Picture::filled(40, 30, [120, 60, 20]); 5];
    for frames in [&still[..1], &still[..]] {
        write_preview(&path, frames, &PreviewSettings::default()).expect("writable");
        assert!(
            played(&path)
                .iter()
                .all(|shown| shown.pixels.iter().all(|pixel| *pixel == [120, 60, 20]))
        );
    }
    assert!(matches!(
        write_preview(&path, &[], &PreviewSettings::default()),
        Err(RenderError::NoFrames { .. })
    ));
    let mixed = [still[0].clone(), Picture::filled(30, 40, [0; 3])];
    assert!(matches!(
        write_preview(&path, &mixed, &PreviewSettings::default()),
        Err(RenderError::FrameSize { frame: 1, .. })
    ));
}

#[test]
fn contact_sheet_can_be_written_and_read() {
    let folder = folder();
    let path = folder.path().join("sheet.png");
    let frames: Vec<(String, Picture)> = clip(7, 96, 54)
        .into_iter()
        .enumerate()
        .map(|(index, picture)| (format!("{index}"), picture))
        .collect();
    let sheet = contact_sheet(
        &frames,
        &SheetSettings {
            columns: 3,
            frame_width: 96,
            ..SheetSettings::default()
        },
    )
    .expect("sound");
    write_png(&path, &sheet).expect("writable");
    assert_eq!(read_png(&path).expect("readable"), sheet);
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let folder = folder();
    let missing = folder.path().join("no").join("such").join("folder.png");
    let picture = Picture::filled(32, 32, [1; 3]);
    let messages = [
        write_png(&missing, &picture).expect_err("no folder"),
        write_video(&missing, std::slice::from_ref(&picture), 24.0).expect_err("no folder"),
        write_preview(
            &missing,
            std::slice::from_ref(&picture),
            &PreviewSettings::default(),
        )
        .expect_err("no folder"),
        write_png(folder.path(), &picture).expect_err("a folder is in the way"),
    ];
    for error in messages {
        assert!(matches!(error, RenderError::Write { .. }), "{error}");
        assert!(error.to_string().contains("cannot write"), "{error}");
    }
}
