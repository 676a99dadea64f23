//! Between the vectors of ooze and those of rapier, which comes with another version of the same library.

use glam::{DMat3, DQuat, DVec3, Vec3};
use ooze_geometry::Pose;
use rapier3d_f64::math::{Pose as RapierPose, Rotation, Vector};

/// A vector for rapier.
pub(crate) fn to_rapier(vector: DVec3) -> Vector {
    Vector::new(vector.x, vector.y, vector.z)
}

/// A single-precision vector for rapier.
pub(crate) fn single_to_rapier(vector: Vec3) -> Vector {
    to_rapier(vector.as_dvec3())
}

/// A vector of rapier's.
pub(crate) fn from_rapier(vector: Vector) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

/// A place and an orientation for rapier.
pub(crate) fn placed(translation: DVec3, rotation: DQuat) -> RapierPose {
    let turn = Rotation::from_xyzw(rotation.x, rotation.y, rotation.z, rotation.w);
    RapierPose::from_parts(to_rapier(translation), turn)
}

/// A pose for rapier, without its scale.
pub(crate) fn pose_to_rapier(pose: &Pose) -> RapierPose {
    placed(
        pose.translation.as_dvec3(),
        pose.rotation.as_dquat().normalize(),
    )
}

/// Place and orientation of rapier's.
pub(crate) fn pose_from_rapier(pose: &RapierPose) -> (DVec3, DQuat) {
    let turn = pose.rotation;
    let rotation = DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w).normalize();
    (from_rapier(pose.translation), rotation)
}

/// One along each axis that is open, zero along the others.
pub(crate) fn open(locked: [bool; 3]) -> DVec3 {
    DVec3::from_array(locked.map(|locked| f64::from(u8::from(!locked))))
}

/// A tensor in another frame.
pub(crate) fn turned(tensor: DMat3, rotation: DQuat) -> DMat3 {
    let turn = DMat3::from_quat(rotation);
    turn * tensor * turn.transpose()
}

/// A tensor of inertia among the open rotations, as if it were the only part of it: zero elsewhere.
pub(crate) fn among(inertia: DMat3, locked: [bool; 3]) -> DMat3 {
    let mask = open(locked);
    DMat3::from_cols(
        inertia.col(0) * mask * mask.x,
        inertia.col(1) * mask * mask.y,
        inertia.col(2) * mask * mask.z,
    )
}

/// The inverse of a tensor of inertia among the open rotations; zero elsewhere.
pub(crate) fn inverse_among(inertia: DMat3, locked: [bool; 3]) -> DMat3 {
    let filler = DVec3::ONE - open(locked);
    let inverse = (among(inertia, locked) + DMat3::from_diagonal(filler)).inverse();
    among(inverse, locked)
}
