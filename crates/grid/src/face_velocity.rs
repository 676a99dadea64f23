//! Velocities on the faces of the grid.

use ooze_field::FieldByAxis;

/// Velocities on faces, and on which faces they mean something.
#[derive(Clone, Debug)]
pub(crate) struct FaceVelocity {
    /// Component along the face's normal in m/s.
    pub(crate) velocity: FieldByAxis<f32>,
    /// One where the velocity is known.
    pub(crate) known: FieldByAxis<u8>,
}
