//! Liquids on a staggered grid.

mod settings;

pub use settings::{
    FlipSettings, Preconditioner, PressureSettings, Sampling, Transfer, WallWeights,
};
