//! The newest complete state of a run, from which it continues bit for bit.
//!
//! A checkpoint is one archive, `checkpoint/state.npz`: the arrays of the liquid and of the solids, and a header with the
//! moment it was taken at. It may lie inside a frame, so the header also holds what the frame has added up so far. A new
//! checkpoint replaces the old one by a rename: there is always a whole one.

use std::path::Path;

use ooze_core::{Checkpoint, Progress};
use serde::{Deserialize, Serialize};

use crate::CacheError;
use crate::archive::{self, Content, Contents};

const HEADER: &str = "checkpoint.json";
/// Raised when the meaning of a checkpoint changes.
const VERSION: u32 = 1;
/// What a checkpoint says about the files around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Surroundings {
    /// Length of `stats.jsonl` in bytes.
    pub statistics_bytes: u64,
    /// Length of `probes.csv` in bytes.
    pub probes_bytes: u64,
    /// Checksum of `scene.toml`.
    pub scene_checksum: u32,
}

#[derive(Serialize, Deserialize)]
struct Header {
    version: u32,
    #[serde(flatten)]
    progress: Progress,
    #[serde(flatten)]
    surroundings: Surroundings,
}

fn members<'a>(checkpoint: &'a Checkpoint, header: &'a [u8]) -> Vec<(String, Content<'a>)> {
    let mut members = vec![(HEADER.to_owned(), Content::Raw(header))];
    let groups = [
        ("liquid", &checkpoint.liquid),
        ("solids", &checkpoint.solids),
    ];
    for (group, channels) in groups {
        for (name, data) in channels.iter() {
            members.push((format!("{group}/{name}.npy"), Content::Array(data)));
        }
    }
    members
}

fn header(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<Vec<u8>, CacheError> {
    let header = Header {
        version: VERSION,
        progress: checkpoint.progress.clone(),
        surroundings: surroundings.clone(),
    };
    serde_json::to_vec_pretty(&header)
        .map_err(|error| CacheError::unexpected(path, error.to_string()))
}

pub(crate) fn write(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<(), CacheError> {
    let header = header(path, checkpoint, surroundings)?;
    archive::write(path, &members(checkpoint, &header))
}

/// The bytes that a checkpoint has as a file, with right checksums whatever it holds.
pub(crate) fn bytes(
    path: &Path,
    checkpoint: &Checkpoint,
    surroundings: &Surroundings,
) -> Result<Vec<u8>, CacheError> {
    let header = header(path, checkpoint, surroundings)?;
    archive::sealed(path, &members(checkpoint, &header))
}

pub(crate) fn read(path: &Path) -> Result<(Checkpoint, Surroundings), CacheError> {
    taken_from(path, archive::read(path)?)
}

/// The checkpoint that an archive from `path` holds.
pub(crate) fn taken_from(
    path: &Path,
    contents: Contents,
) -> Result<(Checkpoint, Surroundings), CacheError> {
    let header = contents
        .raw
        .iter()
        .find(|(name, _)| name == HEADER)
        .ok_or_else(|| CacheError::unexpected(path, "holds no checkpoint"))?;
    let header: Header = serde_json::from_slice(&header.1).map_err(|error| {
        CacheError::unexpected(
            path,
            format!("was written by another version of ooze ({error}); continue with that one"),
        )
    })?;
    if header.version != VERSION {
        return Err(CacheError::unexpected(
            path,
            format!(
                "is a checkpoint of version {}, and this ooze reads version {VERSION}; continue with the ooze that wrote it",
                header.version
            ),
        ));
    }
    let mut checkpoint = Checkpoint {
        progress: header.progress,
        ..Checkpoint::default()
    };
    for (name, data) in contents.arrays.iter() {
        if let Some(name) = name.strip_prefix("liquid/") {
            checkpoint.liquid.insert(name, data.clone());
        } else if let Some(name) = name.strip_prefix("solids/") {
            checkpoint.solids.insert(name, data.clone());
        }
    }
    Ok((checkpoint, header.surroundings))
}
