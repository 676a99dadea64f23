//! Operators on level sets and on values known near a surface only.

mod advection;
mod components;
mod derivative;
mod eikonal;
mod extrapolate;
mod geometry;
mod marching;
mod near_surface;
mod particles;
mod reinitialise;
mod relaxation;
mod tracking;

pub use crate::fraction::volume;
pub use advection::{Advection, advect, trace_back};
pub use components::{Components, components};
pub use derivative::Derivative;
pub use extrapolate::{extrapolate, extrapolate_faces};
pub use geometry::{curvature, curvatures, gradient, normal};
pub use marching::{march_faces_outward, march_outward};
pub use particles::{Air, ParticleSettings, PathRule, SurfaceParticles, follow};
pub use reinitialise::{redistance_inside, reinitialise};
pub use relaxation::{Relaxation, extend_faces, relax_to_distance};
pub use tracking::{
    NoWalls, Reinitialisation, TrackedSurface, TrackingSettings, TrackingWalls, retiled,
};
