//! Where liquid comes from and where it goes.

use std::sync::Arc;

use glam::Vec3;
use ooze_geometry::Shape;

use crate::Hold;

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
    /// Viscosity, where it is not the material's.
    pub viscosity_gradient: Option<ViscosityGradient>,
    /// Temperature at the start in kelvin, where it is not the material's.
    pub temperature: Option<f32>,
    /// What holds it as long as it is solid; none for liquid that is free from the start.
    pub hold: Option<Hold>,
}

/// A viscosity that changes smoothly through a liquid: by equal factors over equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscosityGradient {
    /// Where the viscosity begins to change.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// Viscosities in Pa s at both ends and beyond.
    pub values: [f32; 2],
}

impl ViscosityGradient {
    /// Viscosity at a point in Pa s.
    pub fn at(&self, point: Vec3) -> f32 {
        let way = self.to - self.from;
        let share = (point - self.from).dot(way) / way.length_squared();
        self.values[0] * (self.values[1] / self.values[0]).powf(share.clamp(0.0, 1.0))
    }
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
    /// Temperature of what it emits in kelvin, where it is not the material's.
    pub temperature: Option<f32>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_changes_by_equal_factors_and_stays_within_its_ends() {
        let gradient = ViscosityGradient {
            from: Vec3::new(1.0, 0.0, 5.0),
            to: Vec3::new(3.0, 0.0, 5.0),
            values: [0.1, 1000.0],
        };
        for (x, expected) in [
            (-7.0, 0.1),
            (1.0, 0.1),
            (1.5, 1.0),
            (2.0, 10.0),
            (9.0, 1000.0),
        ] {
            let found = gradient.at(Vec3::new(x, 4.0, -3.0));
            assert!((found / expected - 1.0).abs() < 1e-5, "{x}: {found}");
        }
    }
}
