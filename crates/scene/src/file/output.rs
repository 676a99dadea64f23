//! Keys of what a run leaves behind.

use crate::keys::{List, choice, count, number, table};
use crate::place::Given;

choice! {
    /// A quantity that particle frames hold beside positions.
    enum ChannelWord {
        /// Velocity in m/s.
        Velocity "velocity";
        /// A number that stays with a particle for its life.
        Id "id";
        /// Index of the material.
        Material "material";
        /// Seconds since the particle was seeded or emitted.
        Age "age";
        /// Viscosity in Pa s, of grid liquids.
        Viscosity "viscosity";
        /// Temperature in kelvins, where the method carries heat.
        Temperature "temperature";
        /// Colour, where the method mixes it.
        Colour "colour";
        /// Density relative to that at rest, of the method `mueller`.
        Compression "compression";
        /// Elastic strain, components xx, yy and zz, of methods and materials that have it.
        StrainDiagonal "strain_diagonal";
        /// Elastic strain, components yz, zx and xy.
        StrainShear "strain_shear";
    }
}

table! {
    /// What a run leaves behind, and how often.
    struct OutputKeys "output" {
        /// Write particles at every n-th frame.
        every: u64 [count().between(1, 1_000_000)] default(1u64);
        /// Whether particles are written at all; statistics and probes always are.
        particles: bool [()] default(true);
        /// Whether a run ends with pictures and a video.
        video: bool [()] default(true);
        /// Quantities in particle frames beside positions; left out, all that the method has.
        channels: Vec<Given<ChannelWord>> [List { items: (), least: 0 }] optional;
        /// Write a checkpoint at every n-th frame, beside those by the clock.
        checkpoint_frames: u64 [count().between(1, 1_000_000)] optional;
        /// Write a checkpoint when the last is this old.
        checkpoint_minutes: f64 [number("min").between(0.01, 100_000.0)] default(2.0);
    }
}
