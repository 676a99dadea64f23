//! Keys of what heats and cools a liquid.

use super::{KELVIN, MotionKeys, ShapeKeys};
use crate::keys::{GRID, Methods, Number, Text, metres, number, seconds, table};

/// The methods in which heat comes from air and heaters and passes walls anywhere.
pub(crate) const HEATED: Methods = GRID;

/// What passes through a square metre of surface for each kelvin.
pub(crate) const TRANSFER: Number = number("W/(m² K)").between(0.0, 1e7);

table! {
    /// The air around the liquid. Left out, the surface passes no heat.
    struct AirKeys "air" {
        /// Its temperature.
        temperature: f64 [KELVIN] default(293.15);
        /// Heat that passes between air and surface: 5 to 25 in still air, up to 250 in wind.
        heat_transfer: f64 [TRANSFER] default(10.0);
        /// Share of a black body's radiation that the surface gives off (Stefan and Boltzmann), and takes from surroundings as warm
        /// as the air: 0.9 and more for most things but bare metal.
        emissivity: f64 [number("").between(0.0, 1.0)] default(0.0);
    }
}

table! {
    /// Something hot, or cold, that is not a solid: it heats the liquid inside of its shape, and surfaces that face it. Give
    /// either `temperature` or `power`.
    struct HeaterKeys "heater" {
        /// Name for messages; left out, `heater-1` and so on.
        name: String [Text::Some] optional;
        /// The hot region, in the heater's own frame, which is the world's unless `motion` moves it.
        shape: ShapeKeys [()] required;
        /// Where the heater is at any time.
        motion: MotionKeys [()] section;
        /// Its temperature: the liquid does not become hotter than that.
        temperature: f64 [KELVIN] optional;
        /// Heat that passes between it and the liquid, next to it.
        heat_transfer: f64 [TRANSFER] default(100.0);
        /// Watts that it gives to the liquid in its reach, however much there is; negative for a cooler, which cools nothing below
        /// absolute zero.
        power: f64 [number("W").between(-1e9, 1e9)] optional;
        /// Distance at which it is felt no more; what it gives falls evenly to there.
        reach: f64 [metres().size()] required;
        /// How much the liquid inside of its shape takes, told by a length: every layer as thick as this takes as much as a
        /// surface next to the heater, `heat_transfer` over `depth` for a cubic metre. Left out, `reach`.
        depth: f64 [metres().size()] optional;
        /// Whether liquid and solids cast shadows.
        shadows: bool [()] default(true);
        /// When it is switched on.
        start: f64 [seconds()] default(0.0);
        /// When it is switched off; left out, never.
        stop: f64 [seconds()] optional;
    }
}
