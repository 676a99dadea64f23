//! Scene files: from TOML text to a checked scene.
//!
//! [`Scene::load`] reads a file; everything that is wrong with it is returned at once as [`SceneErrors`], each error with
//! file, line, column, key, value and what would be allowed. Every key is described once, in code, and that description
//! also gives [`schema_json`] and [`reference_markdown`].

pub mod builtin;
mod check;
mod copy;
mod file;
mod keys;
mod names;
mod node;
mod overrides;
mod pictures;
mod place;
mod prediction;
mod presets;
mod problem;
mod reference;
mod scene;
mod schema;
mod source_text;
mod starter;
mod written;

pub use copy::{SceneCopy, copied};
pub use names::{readers_of, suggestion};
pub use overrides::Override;
pub use pictures::{
    ColourChannel, Colouring, Environment, GroundSettings, Lamp, Lighting, PictureSettings, Show,
    StageKind, SurfaceRecipe, View,
};
pub use prediction::Prediction;
pub use presets::{Method, method_names};
pub use problem::{Problem, SceneErrors};
pub use reference::{materials_markdown, reference_markdown};
pub use scene::{OutputSettings, Probe, ProbeQuantity, Scene, SolidLook, TimeSettings, TracerLook};
pub use schema::schema_json;
pub use starter::{starter, starter_for};
