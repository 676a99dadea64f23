//! Materials in SI units.

/// What a liquid is made of, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name for reports and files.
    pub name: String,
    /// Density in kg/m³.
    pub density: f32,
    /// Dynamic viscosity in Pa s.
    pub viscosity: f32,
    /// Surface tension against air in N/m.
    pub surface_tension: f32,
}
