//! What can be wrong with a camera, a lamp, a look or a panorama, each naming the thing at fault.

use std::path::PathBuf;

/// Why something is of no use for a picture.
#[derive(Debug, thiserror::Error)]
pub enum StagingError {
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
    /// A picture of surroundings is of no use.
    #[error("{path}: {reason}")]
    Environment {
        /// The picture's file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system refused to read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file that was to be read.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl StagingError {
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
pub fn require(
    valid: bool,
    setting: &str,
    value: impl std::fmt::Debug,
    allowed: &'static str,
) -> Result<(), StagingError> {
    if valid {
        Ok(())
    } else {
        Err(StagingError::setting(setting, value, allowed))
    }
}
