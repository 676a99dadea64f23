//! Everything that can go wrong between a mesh and a picture file, each naming the thing at fault.

use std::path::PathBuf;

/// Why a picture or a video could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The image has no pixels, or more than the renderer accepts.
    #[error(
        "image size {width}×{height} is out of range: width and height must be between 1 and {limit}"
    )]
    ImageSize {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
        /// Largest accepted width or height.
        limit: u32,
    },
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
    /// A setting is outside its range.
    #[error("{setting} is {value}; it must be {allowed}")]
    Setting {
        /// The setting, as a dotted path.
        setting: String,
        /// The value found, as text.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// No preset has this name.
    #[error("no {kind} is called `{name}`{}; known: {known}", suggestion.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default())]
    UnknownName {
        /// What was looked up: `look` or `quality`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest known name, if one is near.
        suggestion: Option<String>,
        /// All known names.
        known: String,
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
    /// A picture of surroundings is of no use.
    #[error("{path}: {reason}")]
    Environment {
        /// The picture's file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
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

impl RenderError {
    /// An out-of-range setting.
    pub(crate) fn setting(
        setting: impl Into<String>,
        value: impl std::fmt::Debug,
        allowed: &'static str,
    ) -> Self {
        Self::Setting {
            setting: setting.into(),
            value: format!("{value:?}"),
            allowed,
        }
    }

    /// A name that is not among `known`, with the nearest one suggested.
    pub(crate) fn unknown_name(kind: &'static str, name: &str, known: &[&str]) -> Self {
        let suggestion = known
            .iter()
            .map(|candidate| (strsim::jaro_winkler(candidate, name), candidate))
            .filter(|(score, _)| *score > 0.75)
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .map(|(_, candidate)| (*candidate).to_owned());
        Self::UnknownName {
            kind,
            name: name.to_owned(),
            suggestion,
            known: known.join(", "),
        }
    }
}

/// Refuses a setting unless `valid`.
pub(crate) fn require(
    valid: bool,
    setting: &str,
    value: impl std::fmt::Debug,
    allowed: &'static str,
) -> Result<(), RenderError> {
    if valid {
        Ok(())
    } else {
        Err(RenderError::setting(setting, value, allowed))
    }
}
