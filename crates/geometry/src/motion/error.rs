//! What can be wrong with a motion.

use thiserror::Error;

/// A part of a motion that makes no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {parameter} is {value}, but must be {allowed}")]
pub struct MotionError {
    /// Where the fault is: `keyframe 2` (counted from 1), `spin` or `rest pose`.
    pub place: String,
    /// The parameter at fault, as `scale`.
    pub parameter: &'static str,
    /// Its value, printed.
    pub value: String,
    /// The values that would have been accepted.
    pub allowed: String,
}
