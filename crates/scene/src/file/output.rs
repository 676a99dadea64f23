//! Keys of what a run leaves behind.

use super::{HEATED, WARM};
use crate::keys::{FULL, GRID, List, choice, count, number, table};
use crate::place::Placed;
use crate::presets::{CLAVET, FLIP, MUELLER};

// Channels are known by name; these are those that a scene may ask for, each with the methods that have it.
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
        Age "age" for FULL;
        /// Viscosity in Pa s.
        Viscosity "viscosity" for GRID;
        /// Temperature in kelvins, where there is heat to carry.
        Temperature "temperature" for WARM;
        /// Enthalpy in J/kg, zero at the material's own temperature, where there is heat to carry.
        Enthalpy "enthalpy" for HEATED;
        /// Share that has melted, where there is heat to carry.
        Melted "melted" for HEATED;
        /// Colour, where it is mixed.
        Colour "colour" for CLAVET.with(MUELLER);
        /// Density relative to that at rest.
        Compression "compression" for MUELLER;
        /// Elastic strain, components xx, yy and zz, of materials that have it.
        StrainDiagonal "strain_diagonal" for FLIP;
        /// Elastic strain, components yz, zx and xy.
        StrainShear "strain_shear" for FLIP;
        /// Texture coordinates, where the liquid carries them.
        RestPosition "rest_position";
        /// Their second layer, where they are given anew from time to time.
        SecondRestPosition "rest_position_2";
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
        channels: Vec<Placed<ChannelWord>> [List { items: (), least: 0 }] optional;
        /// Write a checkpoint at every n-th frame, beside those by the clock.
        checkpoint_frames: u64 [count().between(1, 1_000_000)] optional;
        /// Write a checkpoint when the last is this old.
        checkpoint_minutes: f64 [number("min").between(0.01, 100_000.0)] default(2.0);
    }
}
