//! What can be wrong with the parameters of a shape.

use thiserror::Error;

/// A parameter of a shape that makes no sense.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{shape}: {parameter} is {value}, but must be {allowed}")]
pub struct ShapeError {
    /// The kind of shape, as `sphere` or `shell`.
    pub shape: &'static str,
    /// The parameter at fault, as `radius`.
    pub parameter: &'static str,
    /// Its value, printed.
    pub value: String,
    /// The values that would have been accepted.
    pub allowed: String,
}
