//! Frames and checkpoints as the bytes of their files, without a file: for those who try what other bytes do.

use std::path::Path;

use ooze_core::channel_rules::expect_frame;
use ooze_core::{Channels, Checkpoint};

use crate::CacheError;
use crate::archive::{self, Content, Contents};
use crate::checkpoint::{self, Surroundings};

/// Where errors say that the bytes come from.
const NOWHERE: &str = "bytes.npz";

fn opened(bytes: &[u8]) -> Result<Contents, CacheError> {
    let path = Path::new(NOWHERE);
    archive::check_seal(path, bytes)?;
    archive::open(path, bytes)
}

/// The bytes of a file that holds these channels, with right checksums whatever they hold.
pub fn frame_bytes(channels: &Channels) -> Result<Vec<u8>, CacheError> {
    let members: Vec<_> = channels
        .iter()
        .map(|(name, data)| (format!("{name}.npy"), Content::Array(data)))
        .collect();
    archive::sealed(Path::new(NOWHERE), &members)
}

/// The frame that such bytes hold, read as [`crate::RunFolder::read_frame`] reads it.
pub fn frame_from_bytes(bytes: &[u8]) -> Result<Channels, CacheError> {
    let channels = opened(bytes)?.arrays;
    expect_frame(&channels).map_err(|source| CacheError::channel(Path::new(NOWHERE), source))?;
    Ok(channels)
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
