//! Pictures and video of liquids.
//!
//! A [`World`] of meshes and particles with [`Look`]s, lit by [`Lights`] on a [`Stage`], seen by a [`Camera`], becomes a
//! [`Picture`] through [`render`]; pictures become files through [`write_png`], [`write_preview`], [`contact_sheet`]
//! and, with the feature `video`, `VideoWriter`.
//!
//! Lengths are metres, temperatures kelvin, colours linear Rec. 709, and +y is up. A picture depends on its input alone,
//! not on the number of threads.

mod error;
mod image;
mod math;
mod output;
mod path;
mod random;
mod render;
mod shade;
mod trace;
mod world;

pub use error::RenderError;
pub use image::{Film, Picture};
pub use ooze_staging::{
    AreaLight, Backdrop, Body, Camera, CameraKey, CameraPath, CameraPose, EnvironmentPicture,
    Framing, Glow, Ground, ImageSettings, Lens, LightShape, Lights, Look, Pattern, Quality, Sky,
    Stage, StagingError, Subsurface, Surroundings, ToneMap, linear_colour,
};
pub use output::{
    Legend, PreviewSettings, SheetSettings, contact_sheet, draw_legend, read_png, write_png,
    write_preview,
};
#[cfg(feature = "video")]
pub use output::{VideoWriter, write_video};
pub use render::{render, render_film};
pub use world::{Object, Particles, Role, World};
