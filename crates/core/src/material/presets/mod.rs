//! Materials by name, each with the source of its numbers.
//!
//! Real liquids of one name differ: a jar of honey may be three times as thick as the next. A preset is one reasonable
//! specimen. Its `source` says which numbers were measured by whom, and which are a choice of the right order of
//! magnitude.

mod elastic;
mod flowing;
mod molten;
mod yielding;

use std::sync::LazyLock;

use glam::Vec3;

use super::{Appearance, Elasticity, HerschelBulkley, Material, ROOM_TEMPERATURE};
use super::{Thermal, ViscosityLaw};

/// A named material with the source of its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialPreset {
    /// Name in scene files.
    pub name: &'static str,
    /// One line on what specimen it is.
    pub summary: &'static str,
    /// Where the numbers come from, and which of them are a choice.
    pub source: &'static str,
    density: f32,
    viscosity: f32,
    surface_tension: f32,
    temperature: f32,
    elasticity: Option<Elasticity>,
    flow_curve: Option<HerschelBulkley>,
    relaxation_time: Option<f32>,
    thermal: Option<Thermal>,
    colour: [f32; 3],
    /// Name of its look in pictures.
    pub look: &'static str,
}

static ALL: LazyLock<Vec<MaterialPreset>> = LazyLock::new(|| {
    let groups = [
        flowing::PRESETS,
        yielding::PRESETS,
        elastic::PRESETS,
        molten::PRESETS,
    ];
    let mut all = groups.concat();
    all.sort_by_key(|preset| preset.name);
    all
});

impl MaterialPreset {
    /// All presets in the order of their names.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The preset of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        let index = ALL.binary_search_by_key(&name, |preset| preset.name).ok()?;
        Some(&ALL[index])
    }

    /// The material that the preset stands for.
    pub fn material(&self) -> Material {
        Material {
            name: self.name.into(),
            density: self.density,
            viscosity: self.viscosity,
            surface_tension: self.surface_tension,
            temperature: self.temperature,
            elasticity: self.elasticity,
            flow_curve: self.flow_curve,
            relaxation_time: self.relaxation_time,
            thermal: self.thermal,
            appearance: Appearance {
                colour: Vec3::from_array(self.colour),
                look: self.look.into(),
                recoloured: false,
                clearing: None,
            },
        }
    }

    /// A preset with density in kg/m³, viscosity in Pa s and surface tension in N/m at 20 °C, nothing else.
    const fn new(
        name: &'static str,
        summary: &'static str,
        [density, viscosity, surface_tension]: [f32; 3],
    ) -> Self {
        Self {
            name,
            summary,
            source: "",
            density,
            viscosity,
            surface_tension,
            temperature: ROOM_TEMPERATURE,
            elasticity: None,
            flow_curve: None,
            relaxation_time: None,
            thermal: None,
            colour: [1.0; 3],
            look: name,
        }
    }

    /// States the temperature, in °C, at which the numbers hold.
    const fn celsius(mut self, temperature: f32) -> Self {
        self.temperature = temperature + 273.15;
        self
    }

    /// Adds conductivity in W/(m K) and specific heat in J/(kg K).
    const fn heat(mut self, conductivity: f32, specific_heat: f32) -> Self {
        self.thermal = Some(Thermal::conducting(conductivity, specific_heat));
        self
    }

    /// Adds a melting point in °C and a heat of fusion in J/kg; `heat` must come before.
    const fn melts(mut self, celsius: f32, latent_heat: f32) -> Self {
        if let Some(thermal) = &mut self.thermal {
            thermal.melting_point = Some(celsius + 273.15);
            thermal.latent_heat = Some(latent_heat);
        }
        self
    }

    /// Adds the viscosity in Pa s of the solid, and the width in kelvin of the melting range; `melts` must come before.
    const fn sets(mut self, solid_viscosity: f32, width: f32) -> Self {
        if let Some(thermal) = &mut self.thermal {
            thermal.solid_viscosity = Some(solid_viscosity);
            thermal.melting_width = Some(width);
        }
        self
    }

    /// Adds a law of viscosity over temperature; `heat` must come before.
    const fn thins(mut self, law: ViscosityLaw) -> Self {
        if let Some(thermal) = &mut self.thermal {
            thermal.viscosity_law = Some(law);
        }
        self
    }

    /// Adds yield stress in Pa, consistency in Pa sⁿ and flow index.
    const fn flow_curve(mut self, yield_stress: f32, consistency: f32, flow_index: f32) -> Self {
        self.flow_curve = Some(HerschelBulkley {
            yield_stress,
            consistency,
            flow_index,
        });
        self
    }

    /// Adds elastic modulus in Pa (twice the shear modulus), yield strain and decay rate in 1/s.
    const fn elastic(mut self, modulus: f32, yield_strain: f32, decay_rate: f32) -> Self {
        self.elasticity = Some(Elasticity {
            modulus,
            yield_strain,
            decay_rate,
        });
        self
    }

    /// Adds a relaxation time in seconds.
    const fn relaxes(mut self, seconds: f32) -> Self {
        self.relaxation_time = Some(seconds);
        self
    }

    /// Sets linear red, green and blue and the name of the look.
    const fn looks(mut self, look: &'static str, colour: [f32; 3]) -> Self {
        self.look = look;
        self.colour = colour;
        self
    }

    /// Cites where the numbers come from.
    const fn source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn materials() -> impl Iterator<Item = Material> {
        MaterialPreset::all().iter().map(MaterialPreset::material)
    }

    /// Asserts that a quantity of every preset lies in a range that no real liquid leaves.
    fn all_within(what: &str, low: f32, high: f32, quantity: impl Fn(&Material) -> Option<f32>) {
        for material in materials() {
            if let Some(value) = quantity(&material) {
                assert!(
                    (low..=high).contains(&value),
                    "{what} of {} is {value}",
                    material.name
                );
            }
        }
    }

    #[test]
    fn the_issue_s_liquids_are_there() {
        for name in [
            "water",
            "milk",
            "olive-oil",
            "glycerine",
            "honey",
            "corn-syrup",
            "molasses",
            "ketchup",
            "mayonnaise",
            "toothpaste",
            "shampoo",
            "slime",
            "gelatin",
            "dough",
            "chocolate",
            "cream",
            "paint",
            "wet-cement",
            "wax",
            "lava",
            "glass",
            "mud",
            "egg-white",
            "hair-gel",
            "yoghurt",
            "blood",
            "motor-oil",
            "clay",
            "mucus",
            "caramel",
            "solder",
        ] {
            assert!(Material::preset(name).is_some(), "{name} is missing");
        }
    }

    #[test]
    fn names_are_unique_lower_case_and_sorted() {
        let all = MaterialPreset::all();
        for pair in all.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} twice", pair[0].name);
        }
        for preset in all {
            let plain = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            assert!(preset.name.chars().all(plain), "{}", preset.name);
            assert_eq!(Material::preset(preset.name), Some(preset.material()));
        }
    }

    #[test]
    fn every_preset_cites_a_year_or_owns_up_to_a_choice() {
        for preset in MaterialPreset::all() {
            let digits = preset.source.split(|letter: char| !letter.is_ascii_digit());
            let cites = digits.map(str::len).any(|length| length == 4);
            let owns_up = preset.source.contains("order of magnitude");
            assert!(cites || owns_up, "{}: {}", preset.name, preset.source);
            assert!(preset.summary.len() > 10, "{} has no summary", preset.name);
        }
    }

    #[test]
    fn numbers_are_those_of_real_liquids() {
        all_within("density", 700.0, 14_000.0, |m| Some(m.density));
        all_within("viscosity", 3e-4, 1e9, |m| Some(m.viscosity));
        all_within("surface tension", 0.02, 0.6, |m| Some(m.surface_tension));
        all_within("temperature", 273.0, 1800.0, |m| Some(m.temperature));
        all_within("relaxation time", 1e-3, 10.0, |m| m.relaxation_time);
        all_within("modulus", 1.0, 1e6, |m| Some(m.elasticity?.modulus));
        all_within("yield strain", 0.0, 2.0, |m| {
            Some(m.elasticity?.yield_strain)
        });
        all_within("decay rate", 0.0, 100.0, |m| Some(m.elasticity?.decay_rate));
        all_within("yield stress", 0.0, 2e4, |m| {
            Some(m.flow_curve?.yield_stress)
        });
        all_within("flow index", 0.2, 1.2, |m| Some(m.flow_curve?.flow_index));
        all_within("conductivity", 0.1, 100.0, |m| {
            Some(m.thermal?.conductivity)
        });
        all_within("solid viscosity", 1e6, 1e12, |m| m.thermal?.solid_viscosity);
        all_within("specific heat", 130.0, 4200.0, |m| {
            Some(m.thermal?.specific_heat)
        });
        all_within("latent heat", 1e4, 4.5e5, |m| m.thermal?.latent_heat);
        all_within("red", 0.0, 1.0, |m| Some(m.appearance.colour.x));
        all_within("green", 0.0, 1.0, |m| Some(m.appearance.colour.y));
        all_within("blue", 0.0, 1.0, |m| Some(m.appearance.colour.z));
        // Heat creeps through every liquid but metals at 0.05 to 1 mm²/s.
        all_within("diffusivity", 5e-8, 5e-6, |m| {
            let metal = m.name == "solder";
            let thermal = m.thermal.filter(|_| !metal)?;
            Some(thermal.diffusivity(m.density))
        });
    }

    #[test]
    fn viscosity_agrees_with_the_flow_curve_at_the_reference_shear_rate() {
        for material in materials() {
            let Some(curve) = material.flow_curve else {
                continue;
            };
            let apparent = curve.apparent_viscosity(Material::REFERENCE_SHEAR_RATE);
            assert!(
                (material.viscosity / apparent - 1.0).abs() < 0.05,
                "{}: {} against {apparent}",
                material.name,
                material.viscosity
            );
        }
    }

    #[test]
    fn elastic_and_viscous_yield_stress_agree() {
        for material in materials() {
            let (Some(curve), Some(elasticity)) = (material.flow_curve, material.elasticity) else {
                continue;
            };
            let ratio = elasticity.yield_stress() / curve.yield_stress;
            assert!(
                (0.8..1.25).contains(&ratio),
                "{}: ratio {ratio}",
                material.name
            );
        }
    }

    #[test]
    fn memory_viscosity_and_stiffness_fit_together() {
        // Maxwell: viscosity is shear modulus times relaxation time.
        for material in materials() {
            let (Some(elasticity), Some(time)) = (material.elasticity, material.relaxation_time)
            else {
                continue;
            };
            let ratio = elasticity.shear_modulus() * time / material.viscosity;
            assert!(
                (0.5..2.0).contains(&ratio),
                "{}: ratio {ratio}",
                material.name
            );
        }
    }

    #[test]
    fn what_is_liquid_in_a_preset_is_above_its_melting_point() {
        for material in materials() {
            let melting_point = material.thermal.and_then(|thermal| thermal.melting_point);
            if let Some(melting_point) = melting_point
                // Set gelatin is a preset of its solid state.
                && material.name != "gelatin"
            {
                assert!(material.temperature >= melting_point, "{}", material.name);
            }
        }
    }

    #[test]
    fn laws_meet_measurements_away_from_the_reference() {
        // Pa s at °C: glycerine (Segur & Oberstar 1951), molasses (Steffe 1996), glass (Napolitano & Hawkins 1964).
        for (name, celsius, expected) in [
            ("glycerine", 0.0, 12.07),
            ("glycerine", 40.0, 0.284),
            ("molasses", 37.8, 1.87),
            ("molasses", 66.1, 0.374),
            ("glass", 1400.0, 12.8),
            ("glass", 720.0, 5.0e6),
        ] {
            let material = Material::preset(name).expect("a preset");
            let ratio = material.viscosity_at(celsius + 273.15) / expected;
            assert!(
                (0.75..1.33).contains(&ratio),
                "{name} at {celsius} °C: {ratio}"
            );
        }
    }
}
