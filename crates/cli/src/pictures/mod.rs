//! Pictures of a run from its cached frames: surfaces, solids, camera and light.

#[cfg(feature = "pictures")]
mod colouring;
pub(crate) mod liquids;
#[cfg(feature = "pictures")]
mod melts;
#[cfg_attr(
    not(feature = "pictures"),
    allow(dead_code, reason = "only pictures tell melt from solid")
)]
mod portions;
#[cfg(feature = "pictures")]
mod section;
#[cfg_attr(
    not(feature = "pictures"),
    allow(dead_code, reason = "exports place solids themselves")
)]
pub(crate) mod solids;
#[cfg(feature = "pictures")]
mod studio;
mod subject;
#[cfg(feature = "pictures")]
mod tracers;

use ooze_core::ChannelError;
#[cfg(feature = "pictures")]
use ooze_render::RenderError;
use ooze_staging::StagingError;
use ooze_surface::SurfaceError;
use thiserror::Error;

#[cfg(feature = "pictures")]
pub use colouring::{natural_range, short, unit, widened};
pub use liquids::{LiquidSurface, surfaces};
pub use portions::particle_volume;
#[cfg(feature = "pictures")]
pub use studio::{Drawn, Studio};
pub use subject::subject_of;

/// A picture that could not be made.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The frame lacks a channel.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The frame lacks the channel by which it is to be coloured.
    #[error(
        "`pictures.colour_by` is `{channel}`, but frames of this run do not hold it; they hold {found}"
    )]
    Colouring {
        /// The channel.
        channel: &'static str,
        /// Those that the frame has.
        found: String,
    },
    /// A particle is of a material that the scene does not have.
    #[error("particle {index} is of material {material}, but the scene has only {count}")]
    Material {
        /// Index of the particle in its frame.
        index: usize,
        /// What the frame says.
        material: u8,
        /// Number of materials in the scene.
        count: usize,
    },
    /// The frame was made with other solids than the scene has.
    #[error("the frame was made with other solids ({found}) than the scene has ({expected})")]
    Solids {
        /// Names in the frame.
        found: String,
        /// Names in the scene.
        expected: String,
    },
    /// The particles have no proper surface.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// What pictures are made with makes no sense.
    #[error(transparent)]
    Staging(#[from] StagingError),
    /// The renderer refused.
    #[cfg(feature = "pictures")]
    #[error(transparent)]
    Render(#[from] RenderError),
}
