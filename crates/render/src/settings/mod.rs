//! What a user may choose: plain values with documented units, ranges and defaults.

mod camera;
mod camera_path;
mod lights;
mod look;
mod look_presets;
mod quality;
mod stage;

pub(crate) use camera::ViewFrame;
pub use camera::{Camera, Framing, Lens};
pub use camera_path::{CameraKey, CameraPath, CameraPose};
pub use lights::{AreaLight, LightShape, Lights, Sky};
pub use look::{Body, Glow, Look, linear_colour};
pub use quality::{ImageSettings, Quality, Subsurface, ToneMap};
pub use stage::{Backdrop, Ground, Pattern, Stage};
