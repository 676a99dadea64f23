//! Frames and checkpoints as the bytes of their files, without a file: for those who ask how many there are, or try what other
//! bytes do.

use std::path::Path;

use ooze_core::{Channels, Checkpoint, Frame, LiquidSetup};

use crate::CacheError;
use crate::archive::{self, Content, Contents};
use crate::checkpoint::{self, Surroundings};
use crate::frame::{self, Members};
use crate::npy;

/// Where errors say that the bytes come from.
const NOWHERE: &str = "bytes.npz";

fn opened(bytes: &[u8]) -> Result<Contents, CacheError> {
    let path = Path::new(NOWHERE);
    archive::check_seal(path, bytes)?;
    archive::open(path, bytes)
}

/// The bytes of a file that holds this frame, with right checksums whatever it holds.
pub fn frame_bytes(frame: &Frame) -> Result<Vec<u8>, CacheError> {
    archive::sealed(Path::new(NOWHERE), &Members::of(frame).list())
}

/// The frame that such bytes hold, read as [`crate::RunFolder::read_frame`] reads it.
pub fn frame_from_bytes(bytes: &[u8], setup: &LiquidSetup) -> Result<Frame, CacheError> {
    frame::taken_from(Path::new(NOWHERE), opened(bytes)?, setup)
}

/// The bytes of an archive whose channels are what `change` makes of them, with right checksums.
pub fn with_channels(
    bytes: &[u8],
    change: impl FnOnce(&mut Channels),
) -> Result<Vec<u8>, CacheError> {
    let mut channels = opened(bytes)?.arrays;
    let file = |name: &str| format!("{name}.npy");
    let before: Vec<String> = channels.iter().map(|(name, _)| file(name)).collect();
    change(&mut channels);
    with_members(bytes, |members| {
        members.retain(|(name, _)| !before.contains(name));
        let changed = channels.iter();
        members.extend(changed.map(|(name, data)| (file(name), npy::encode(data))));
    })
}

/// The bytes of a file that holds this checkpoint, with right checksums whatever it holds.
pub fn checkpoint_bytes(checkpoint: &Checkpoint) -> Result<Vec<u8>, CacheError> {
    let surroundings = Surroundings {
        statistics_bytes: 0,
        probes_bytes: 0,
        scene_checksum: 0,
    };
    checkpoint::bytes(Path::new(NOWHERE), checkpoint, &surroundings)
}

/// The checkpoint that such bytes hold.
pub fn checkpoint_from_bytes(bytes: &[u8]) -> Result<Checkpoint, CacheError> {
    let (checkpoint, _) = checkpoint::taken_from(Path::new(NOWHERE), opened(bytes)?)?;
    Ok(checkpoint)
}

/// The members of an archive as bytes, and an archive of them, with right checksums, that holds what `change` makes of them.
pub fn with_members(
    bytes: &[u8],
    change: impl FnOnce(&mut Vec<(String, Vec<u8>)>),
) -> Result<Vec<u8>, CacheError> {
    let path = Path::new(NOWHERE);
    let mut members = archive::members(path, bytes)?;
    change(&mut members);
    let contents: Vec<_> = members
        .iter()
        .map(|(name, data)| (name.clone(), Content::Raw(data)))
        .collect();
    archive::sealed(path, &contents)
}
