//! Video: H.264 (High profile) in an mp4 with its index first, which ordinary players and browsers open.
//!
//! The encoder's conversion from RGB uses the BT.601 matrix and limited range, and the stream is tagged so. It runs on
//! one thread, so the same frames give the same file.

use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile,
    QpRange, RateControlMode, VuiConfig,
};
use openh264::formats::{RgbSliceU8, YUVBuffer};
use openh264::{OpenH264API, Timestamp};
use std::path::{Path, PathBuf};

use ooze_staging::require;

use crate::error::RenderError;
use crate::image::Picture;

/// Collects frames into a video file, which appears when [`VideoWriter::finish`] is called.
pub struct VideoWriter {
    path: PathBuf,
    frame_rate: f64,
    frames: usize,
    stream: Option<Stream>,
}

/// What exists once the size of the frames is known.
struct Stream {
    size: (u32, u32),
    encoder: Encoder,
    muxer: Muxer<Vec<u8>>,
}

impl VideoWriter {
    /// A video at `path` with a frame rate in frames per second. Its size is that of the first frame, an odd width or
    /// height rounded up by repeating the last column or row, because H.264 needs even ones.
    pub fn new(path: &Path, frame_rate: f64) -> Result<Self, RenderError> {
        require(
            (0.1..=1000.0).contains(&frame_rate),
            "frame_rate",
            frame_rate,
            "between 0.1 and 1000 (frames per second)",
        )?;
        Ok(Self {
            path: path.to_owned(),
            frame_rate,
            frames: 0,
            stream: None,
        })
    }

    /// Adds a frame.
    pub fn push(&mut self, picture: &Picture) -> Result<(), RenderError> {
        let failed = |codec: &'static str, reason: String| RenderError::Codec {
            path: self.path.clone(),
            codec,
            reason,
        };
        let size = (picture.width, picture.height);
        if self.stream.is_none() {
            self.stream = Some(open_stream(&self.path, size, self.frame_rate)?);
        }
        let Some(stream) = &mut self.stream else {
            return Ok(());
        };
        if stream.size != size {
            return Err(RenderError::FrameSize {
                path: self.path.clone(),
                frame: self.frames,
                width: size.0,
                height: size.1,
                first_width: stream.size.0,
                first_height: stream.size.1,
            });
        }
        let even = with_even_sides(picture);
        let source = RgbSliceU8::new(even.bytes(), (even.width as usize, even.height as usize));
        let planes = YUVBuffer::from_rgb8_source(source);
        let time = self.frames as f64 / self.frame_rate;
        let (coded, key) = encode(&mut stream.encoder, &planes, time)
            .map_err(|error| failed("H.264", error.to_string()))?;
        stream
            .muxer
            .write_video(time, &coded, key)
            .map_err(|error| failed("mp4", error.to_string()))?;
        self.frames += 1;
        Ok(())
    }

    /// Writes the file and returns the number of frames in it.
    pub fn finish(self) -> Result<usize, RenderError> {
        let Some(mut stream) = self.stream else {
            return Err(RenderError::NoFrames { path: self.path });
        };
        stream
            .muxer
            .finish_in_place()
            .map_err(|error| RenderError::Codec {
                path: self.path.clone(),
                codec: "mp4",
                reason: error.to_string(),
            })?;
        ooze_files::write(&self.path, &stream.muxer.into_writer())?;
        Ok(self.frames)
    }
}

/// One coded frame, and whether it can be decoded alone. A frame that the encoder skips because those before it were too
/// large is coded again as one that it may not skip.
fn encode(
    encoder: &mut Encoder,
    planes: &YUVBuffer,
    time: f64,
) -> Result<(Vec<u8>, bool), openh264::Error> {
    let timestamp = || Timestamp::from_millis((time * 1000.0).round() as u64);
    let coded = encoder.encode_at(planes, timestamp())?;
    if !matches!(coded.frame_type(), FrameType::Skip) {
        return Ok((coded.to_vec(), matches!(coded.frame_type(), FrameType::IDR)));
    }
    encoder.force_intra_frame();
    let coded = encoder.encode_at(planes, timestamp())?;
    Ok((coded.to_vec(), matches!(coded.frame_type(), FrameType::IDR)))
}

/// Writes `frames` as a video.
pub fn write_video<'a>(
    path: &Path,
    frames: impl IntoIterator<Item = &'a Picture>,
    frame_rate: f64,
) -> Result<usize, RenderError> {
    let mut writer = VideoWriter::new(path, frame_rate)?;
    frames
        .into_iter()
        .try_for_each(|frame| writer.push(frame))?;
    writer.finish()
}

fn open_stream(path: &Path, size: (u32, u32), frame_rate: f64) -> Result<Stream, RenderError> {
    let (width, height) = (size.0.next_multiple_of(2), size.1.next_multiple_of(2));
    let (longer, shorter) = (width.max(height), width.min(height));
    require(
        shorter >= 16 && longer <= 3840 && shorter <= 2160,
        "video size",
        size,
        "at least 16 pixels a side and at most 3840×2160, upright or lying",
    )?;
    // Far above what the quantisers below produce, so that quality decides and no frame is skipped for its size. (With
    // skipping switched off the encoder would print a warning.)
    let bits = (f64::from(width) * f64::from(height) * frame_rate).clamp(500_000.0, 200_000_000.0);
    let configuration = EncoderConfig::new()
        .profile(Profile::High)
        .complexity(Complexity::High)
        .rate_control_mode(RateControlMode::Quality)
        .bitrate(BitRate::from_bps(bits as u32))
        .qp(QpRange::new(18, 26))
        .max_frame_rate(FrameRate::from_hz(frame_rate as f32))
        .intra_frame_period(IntraFramePeriod::from_num_frames(
            ((frame_rate * 2.0).round() as u32).max(1),
        ))
        .background_detection(false)
        .num_threads(1)
        .vui(VuiConfig::bt601());
    let encoder =
        Encoder::with_api_config(OpenH264API::from_source(), configuration).map_err(|error| {
            RenderError::Codec {
                path: path.to_owned(),
                codec: "H.264",
                reason: error.to_string(),
            }
        })?;
    let muxer = MuxerBuilder::new(Vec::new())
        .video(VideoCodec::H264, width, height, frame_rate)
        .with_fast_start(true)
        .build()
        .map_err(|error| RenderError::Codec {
            path: path.to_owned(),
            codec: "mp4",
            reason: error.to_string(),
        })?;
    Ok(Stream {
        size,
        encoder,
        muxer,
    })
}

/// The picture with its last column and row repeated where a side is odd.
fn with_even_sides(picture: &Picture) -> std::borrow::Cow<'_, Picture> {
    let (width, height) = (
        picture.width.next_multiple_of(2),
        picture.height.next_multiple_of(2),
    );
    if (width, height) == (picture.width, picture.height) {
        return std::borrow::Cow::Borrowed(picture);
    }
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| picture.pixel(x.min(picture.width - 1), y.min(picture.height - 1)))
        .collect();
    std::borrow::Cow::Owned(Picture {
        width,
        height,
        pixels,
    })
}
