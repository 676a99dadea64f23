//! Keys of tracers.

use glam::Vec3;

use super::{SHARE, ShapeKeys};
use crate::keys::{Text, metres, seconds, table, vector};

table! {
    /// Points without mass that the liquid carries along and that show how it flows, for level sets: other methods have particles that do.
    struct TracersKeys "tracers" {
        /// Name for messages; left out, `tracers-1` and so on.
        name: String [Text::Some] optional;
        /// The region that they are set in, as far as there is liquid then.
        shape: ShapeKeys [()] required;
        /// Distance of neighbours.
        spacing: f64 [metres().size()] required;
        /// When they are set.
        start: f64 [seconds()] default(0.0);
        /// Diameter of the points in pictures; left out, a quarter of the spacing.
        diameter: f64 [metres().size()] optional;
        /// Linear red, green and blue in pictures.
        colour: Vec3 [vector(SHARE)] default(Vec3::new(0.9, 0.2, 0.05));
    }
}
