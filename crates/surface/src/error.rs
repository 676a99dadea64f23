//! What can be wrong with the input of a surface.

use glam::Vec3;
use thiserror::Error;

/// Why there is no surface.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SurfaceError {
    /// A particle is nowhere.
    #[error("particle {index} is at {position}, which is not a place: coordinates must be finite")]
    PositionNotFinite {
        /// The particle, counted from 0.
        index: usize,
        /// Its position.
        position: Vec3,
    },
    /// A particle is too far from the origin for cells to be told apart.
    #[error(
        "particle {index} is at {position}, further than {limit} m from the origin; drop it, or simulate nearer to the \
         origin"
    )]
    TooFar {
        /// The particle, counted from 0.
        index: usize,
        /// Its position.
        position: Vec3,
        /// The largest coordinate allowed for particles of this size, in metres.
        limit: f32,
    },
    /// There are more particles than can be numbered.
    #[error("{found} particles are more than the {limit} that a surface can be made of")]
    TooMany {
        /// Number of particles.
        found: usize,
        /// The most allowed.
        limit: usize,
    },
    /// An array does not have one entry a particle.
    #[error("{name} has {found} entries for {expected} particles; give one each or none at all")]
    AttributeLength {
        /// The array.
        name: &'static str,
        /// Its length.
        found: usize,
        /// Number of particles.
        expected: usize,
    },
    /// A particle's attribute is infinite or not a number.
    #[error("{name} of particle {index} is not finite")]
    AttributeNotFinite {
        /// The array.
        name: &'static str,
        /// The particle, counted from 0.
        index: usize,
    },
    /// A number is out of its range.
    #[error("{name} is {value}, but must be {allowed}")]
    OutOfRange {
        /// The field or setting.
        name: &'static str,
        /// Its value.
        value: f32,
        /// What is allowed.
        allowed: &'static str,
    },
}
