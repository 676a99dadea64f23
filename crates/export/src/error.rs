//! What can go wrong with an export. Each message names the frame or file.

use ooze_cache::CacheError;
use ooze_core::ChannelError;
use thiserror::Error;

/// A failure to write files for other programs.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] CacheError),
    /// A value that must not reach a file is NaN or infinite.
    #[error(
        "frame {frame}: `{array}` of item {item} of {of} is not a finite number; the frame is damaged, run the scene again"
    )]
    NotFinite {
        /// The frame.
        frame: u32,
        /// The particles or the mesh.
        of: String,
        /// The array.
        array: String,
        /// Index of the first such item.
        item: usize,
    },
    /// The channels of a frame do not fit one another.
    #[error("frame {frame}: {source}")]
    Channel {
        /// The frame.
        frame: u32,
        /// What is the matter.
        source: ChannelError,
    },
    /// A mesh has an array that not every vertex has a part in.
    #[error("frame {frame}: the mesh of {name} has {vertices} vertices but {found} {array}")]
    Mesh {
        /// The frame.
        frame: u32,
        /// Name of the mesh.
        name: String,
        /// The array.
        array: &'static str,
        /// Items of the array.
        found: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// A frame tells of another number of solids than there are.
    #[error("frame {frame} tells where {found} solids are, but {expected} are shown")]
    Solids {
        /// The frame.
        frame: u32,
        /// Solids in the frame.
        found: usize,
        /// Solids that are shown.
        expected: usize,
    },
}
