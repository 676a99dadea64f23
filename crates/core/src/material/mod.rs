//! Materials in SI units: what a liquid is made of, as far as any method of ooze wants to know.
//!
//! Every material has density, viscosity and surface tension. What only some liquids have (elastic strength, a yield
//! stress, a memory, a melting point) is optional: a method takes what it understands, and a material without the
//! group simply lacks the behaviour. All values hold at the material's own `temperature`.

mod enthalpy;
mod presets;
mod properties;
mod rheology;
mod thermal;

use glam::Vec3;

pub use enthalpy::EnthalpyCurve;
pub use presets::MaterialPreset;
pub use properties::Property;
pub use rheology::{Elasticity, HerschelBulkley};
pub use thermal::{MeltingCurve, MoltenStrength, Thermal, ViscosityLaw, ViscosityTable};

/// What a liquid is made of, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name for reports and files.
    pub name: String,
    /// Density in kg/m³.
    pub density: f32,
    /// Dynamic viscosity in Pa s. Of a liquid whose viscosity depends on the rate of shear it is the apparent
    /// viscosity at [`Material::REFERENCE_SHEAR_RATE`].
    pub viscosity: f32,
    /// Surface tension against air in N/m.
    pub surface_tension: f32,
    /// Temperature in kelvin at which all values hold, and at which the liquid starts.
    pub temperature: f32,
    /// Elastic strength with plastic flow, for liquids that bounce.
    pub elasticity: Option<Elasticity>,
    /// Flow curve of a liquid that stands until it is pushed hard enough, or thins when sheared.
    pub flow_curve: Option<HerschelBulkley>,
    /// Time in seconds after which the liquid has forgotten a deformation (Maxwell).
    pub relaxation_time: Option<f32>,
    /// Heat: conduction, melting, and viscosity that depends on temperature.
    pub thermal: Option<Thermal>,
    /// What it looks like.
    pub appearance: Appearance,
}

/// What a liquid looks like in pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Appearance {
    /// Linear red, green and blue between 0 and 1.
    pub colour: Vec3,
    /// Name of the look that a renderer gives it: clear like `water`, deep like `honey`, milky like `cream`, ...
    pub look: String,
    /// Whether `colour` was chosen for this liquid and replaces that of the look.
    pub recoloured: bool,
    /// How clear its melt is, from 0, as the solid, to 1, if not as its look has it.
    pub clearing: Option<f32>,
}

impl Material {
    /// The rate of shear, in 1/s, at which [`Material::viscosity`] of a shear-thinning liquid is stated: that of
    /// stirring and slow pouring.
    pub const REFERENCE_SHEAR_RATE: f32 = 10.0;

    /// A plain Newtonian liquid at 20 °C that looks like water.
    pub fn newtonian(name: &str, density: f32, viscosity: f32, surface_tension: f32) -> Self {
        Self {
            name: name.into(),
            density,
            viscosity,
            surface_tension,
            temperature: ROOM_TEMPERATURE,
            elasticity: None,
            flow_curve: None,
            relaxation_time: None,
            thermal: None,
            appearance: Appearance {
                colour: Vec3::new(0.75, 0.9, 1.0),
                look: "water".into(),
                recoloured: false,
                clearing: None,
            },
        }
    }

    /// The preset of that name, if there is one.
    pub fn preset(name: &str) -> Option<Self> {
        MaterialPreset::find(name).map(MaterialPreset::material)
    }

    /// All presets in the order of their names.
    pub fn presets() -> &'static [MaterialPreset] {
        MaterialPreset::all()
    }

    /// Viscosity divided by density, in m²/s.
    pub fn kinematic_viscosity(&self) -> f32 {
        self.viscosity / self.density
    }

    /// Viscosity in Pa s at a temperature in kelvin; the plain viscosity when no law is known. Where the material has set, that
    /// of the solid.
    pub fn viscosity_at(&self, temperature: f32) -> f32 {
        let melt = self.melt_viscosity_at(temperature);
        let thermal = self.thermal.as_ref();
        thermal.map_or(melt, |thermal| thermal.viscosity(temperature, melt))
    }

    /// What is left of its elastic strength in the melt.
    pub fn molten_strength(&self) -> MoltenStrength {
        let thermal = self.thermal.and_then(|thermal| thermal.molten_strength);
        thermal.unwrap_or(MoltenStrength::WHOLE)
    }

    /// The same of the melt, as if it never set: for methods in which nothing does.
    pub fn melt_viscosity_at(&self, temperature: f32) -> f32 {
        let law = self.thermal.and_then(|thermal| thermal.viscosity_law);
        let ratio = law.map_or(1.0, |law| law.ratio(temperature, self.temperature));
        self.viscosity * ratio
    }
}

/// 20 °C in kelvin.
const ROOM_TEMPERATURE: f32 = 293.15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newtonian_liquid_has_nothing_but_the_three_numbers() {
        let oil = Material::newtonian("oil", 800.0, 0.4, 0.03);
        assert_eq!(oil.kinematic_viscosity(), 5e-4);
        assert_eq!(oil.viscosity_at(500.0), oil.viscosity);
        assert!(oil.elasticity.is_none() && oil.flow_curve.is_none() && oil.thermal.is_none());
    }

    #[test]
    fn a_preset_is_found_by_its_exact_name_only() {
        assert_eq!(
            Material::preset("honey").map(|honey| honey.name),
            Some("honey".into())
        );
        assert_eq!(Material::preset("Honey"), None);
        assert_eq!(Material::preset(""), None);
    }
}
