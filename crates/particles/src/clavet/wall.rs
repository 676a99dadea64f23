//! What walls full of liquid add to the sums of Clavet's liquid.

use crate::boundary::wall::{Moment, WallIntegral};
use crate::resolution::Resolution;

/// What walls add to sums over neighbours, as functions of their distance.
#[derive(Clone, Debug)]
pub struct WallDensity {
    /// Σ (1 − q).
    pub reach: WallIntegral,
    /// Σ (1 − q)².
    pub density: WallIntegral,
    /// Σ (1 − q)³.
    pub near_density: WallIntegral,
    /// Σ (1 − q) along the normal.
    pub push: WallIntegral,
    /// Σ (1 − q)² along the normal.
    pub near_push: WallIntegral,
}

impl WallDensity {
    /// The integrals of a resolution.
    pub fn new(resolution: &Resolution) -> Self {
        let per_volume = 1.0 / resolution.particle_volume();
        let integral = |moment, power: i32| {
            WallIntegral::new(resolution.space, resolution.radius, moment, |r| {
                per_volume * (1.0 - r / f64::from(resolution.radius)).powi(power)
            })
        };
        Self {
            reach: integral(Moment::Sum, 1),
            density: integral(Moment::Sum, 2),
            near_density: integral(Moment::Sum, 3),
            push: integral(Moment::Towards, 1),
            near_push: integral(Moment::Towards, 2),
        }
    }
}
