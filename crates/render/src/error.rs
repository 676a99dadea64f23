//! Everything that can go wrong between a mesh and a picture file, each naming the thing at fault.

use std::path::PathBuf;

use ooze_files::FileError;
use ooze_staging::StagingError;

/// Why a picture or a video could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// What the picture was to be made with makes no sense.
    #[error(transparent)]
    Staging(#[from] StagingError),
    /// A position, normal, velocity, colour or temperature is NaN or infinite.
    #[error(
        "{object}: {attribute} {index} is {value}, which is not finite; drop or repair that vertex before rendering"
    )]
    NotFinite {
        /// Name of the object.
        object: String,
        /// The attribute at fault, such as `position`.
        attribute: &'static str,
        /// Index of the vertex or particle.
        index: usize,
        /// The value found, as text.
        value: String,
    },
    /// A triangle names a vertex that does not exist.
    #[error(
        "{object}: triangle {triangle} names vertex {vertex}, but the mesh has {vertices} vertices"
    )]
    VertexIndex {
        /// Name of the object.
        object: String,
        /// Index of the triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// Number of vertices there are.
        vertices: usize,
    },
    /// An attribute array is neither empty nor one entry a vertex.
    #[error(
        "{object}: {found} {attribute} entries for {expected} vertices; give one for each, or none"
    )]
    AttributeLength {
        /// Name of the object.
        object: String,
        /// The attribute at fault.
        attribute: &'static str,
        /// Number of vertices or particles.
        expected: usize,
        /// Number of entries found.
        found: usize,
    },
    /// A video, preview or contact sheet was asked of no frames.
    #[error("{path}: there are no frames to put into it")]
    NoFrames {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// A frame differs in size from the first.
    #[error(
        "{path}: frame {frame} is {width}×{height}, but the first frame was {first_width}×{first_height}"
    )]
    FrameSize {
        /// The file being written.
        path: PathBuf,
        /// Index of the frame.
        frame: usize,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Width of the first frame.
        first_width: u32,
        /// Height of the first frame.
        first_height: u32,
    },
    /// The operating system refused to write.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file that was to be written.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The operating system refused to read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file that was to be read.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// An encoder or decoder refused its input.
    #[error("{path}: {codec} failed: {reason}")]
    Codec {
        /// The file being read or written.
        path: PathBuf,
        /// The codec at work.
        codec: &'static str,
        /// Its reason.
        reason: String,
    },
}

impl From<FileError> for RenderError {
    fn from(error: FileError) -> Self {
        Self::Write {
            path: error.path,
            source: error.source,
        }
    }
}
