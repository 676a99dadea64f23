//! Choices of the force-based liquid, with their defaults written once.

use serde::{Deserialize, Serialize};

use crate::kernel::KernelShape;

/// The kernels of density and pressure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernels {
    /// Poly6 for density, spiky for pressure (Müller, Charypar & Gross 2003).
    Published,
    /// The cubic spline for both.
    CubicSpline,
    /// Wendland's function for both: forces derive from an energy, and particles do not pair.
    Wendland,
}

impl Kernels {
    /// Kernels of density and of pressure.
    pub fn shapes(self) -> [KernelShape; 2] {
        match self {
            Self::Published => [KernelShape::Poly6, KernelShape::Spiky],
            Self::CubicSpline => [KernelShape::CubicSpline; 2],
            Self::Wendland => [KernelShape::Wendland; 2],
        }
    }
}

/// Settings of the force-based liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuellerSettings {
    /// Distance of particles in cells of the domain.
    pub spacing: f32,
    /// Interaction radius in spacings.
    pub radius: f32,
    /// Compression that the weight of the liquid may cause: the stiffness follows from it.
    pub compression: f32,
    /// Kernels of density and pressure.
    pub kernels: Kernels,
    /// Share of negative pressures that attract particles which miss neighbours: 1 as published, 0 for none.
    pub attraction: f32,
    /// Tension between liquids that do not mix, in N/m; none takes the difference of their surface tensions (Antonow
    /// 1907), zero lets them mix.
    pub interface_tension: Option<f32>,
    /// Artificial viscosity α (Monaghan 1992), against disorder; 0 for none.
    pub artificial_viscosity: f32,
    /// Bulk viscosity in units of the speed of sound times the radius: calms waves of sound, and nothing else.
    pub bulk_viscosity: f32,
    /// Strongest pull of sticky walls in m/s².
    pub stickiness: f32,
    /// Diffusivity of colour in m²/s.
    pub diffusivity: f32,
    /// Expansion with temperature in 1/K.
    pub thermal_expansion: f32,
    /// Diffusivity of heat in m²/s; none takes the materials' own.
    pub heat_diffusivity: Option<f32>,
    /// Temperature of the domain's bottom in kelvin; none for a bottom that passes no heat.
    pub bottom_temperature: Option<f32>,
    /// Temperature of the domain's top in kelvin; none for a top that passes no heat.
    pub top_temperature: Option<f32>,
    /// Interaction radii that sound may cross in one sub-step.
    pub cfl: f32,
}

impl Default for MuellerSettings {
    fn default() -> Self {
        Self {
            spacing: 0.5,
            radius: 2.6,
            compression: 0.02,
            kernels: Kernels::Wendland,
            attraction: 0.0,
            interface_tension: None,
            artificial_viscosity: 0.05,
            bulk_viscosity: 0.1,
            stickiness: 40.0,
            diffusivity: 0.0,
            thermal_expansion: 0.0,
            heat_diffusivity: None,
            bottom_temperature: None,
            top_temperature: None,
            cfl: 0.25,
        }
    }
}

impl MuellerSettings {
    /// As published: poly6 and spiky kernels, and pressures that also attract.
    pub fn published() -> Self {
        Self {
            kernels: Kernels::Published,
            attraction: 1.0,
            ..Self::default()
        }
    }

    /// Whether heat plays a part.
    pub fn has_heat(&self) -> bool {
        self.thermal_expansion > 0.0
            || self.bottom_temperature.is_some()
            || self.top_temperature.is_some()
    }
}
