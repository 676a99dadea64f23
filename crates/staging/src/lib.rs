//! What pictures of liquids are made with: cameras, lamps, stages, looks and quality.
//!
//! Plain values with documented units, ranges and defaults: scenes describe pictures in them, and a renderer draws by them.
//! Lengths are metres, temperatures kelvin, colours linear Rec. 709, and +y is up.

mod bounds;
mod camera;
mod camera_path;
mod colour_map;
mod environment;
mod error;
mod glow;
mod lights;
mod look;
mod look_presets;
mod melt;
mod quality;
mod stage;
mod texture;

pub use camera::{Camera, Framing, Lens, ViewFrame};
pub use camera_path::{CameraKey, CameraPath, CameraPose};
pub use colour_map::mapped_colour;
pub use environment::{EnvironmentPicture, Surroundings};
pub use error::{StagingError, require};
pub use lights::{AreaLight, LightShape, Lights, Sky};
pub use look::{Body, Glow, Look, linear_colour, luminance};
pub use quality::{ImageSettings, Quality, QualityPreset, Subsurface, ToneMap};
pub use stage::{Backdrop, Ground, Pattern, Stage};
pub use texture::{Texture, TexturePattern};
