//! Where liquid comes from and where it goes.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::Shape;

/// Index into the scene's list of materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaterialId(pub u8);

/// Liquid that is there at the start.
#[derive(Clone, Debug)]
pub struct InitialLiquid {
    /// Name in the scene file.
    pub name: String,
    /// The region it fills.
    pub shape: Arc<Shape>,
    /// What it is made of.
    pub material: MaterialId,
    /// Velocity at the start in m/s.
    pub velocity: Vec3,
    /// Initial spin about the shape's own centre in radians per second.
    pub spin: Vec3,
}

/// A region that liquid flows out of.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// Name in the scene file.
    pub name: String,
    /// The region that is kept full while the emitter is on.
    pub shape: Arc<Shape>,
    /// What it emits.
    pub material: MaterialId,
    /// Velocity of the emitted liquid in m/s.
    pub velocity: Vec3,
    /// First moment of emission in seconds.
    pub start: f64,
    /// Last moment of emission in seconds; infinite for no end.
    pub stop: f64,
    /// Upper bound on what is emitted in cubic metres per second; none for as much as the region takes.
    pub rate: Option<f64>,
}

/// A region that swallows liquid.
#[derive(Clone, Debug)]
pub struct Drain {
    /// Name in the scene file.
    pub name: String,
    /// The region that is kept empty while the drain is open.
    pub shape: Arc<Shape>,
    /// First moment in seconds.
    pub start: f64,
    /// Last moment in seconds; infinite for no end.
    pub stop: f64,
}
