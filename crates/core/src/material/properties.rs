//! What a material has beyond density and viscosity, in words.

use super::{Material, MoltenStrength};

/// Something that only some materials have, and only some methods read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its key in scene files, as `thermal.melting_point`.
    pub key: &'static str,
    /// Its values in words.
    pub words: String,
}

impl Property {
    /// The keys of all properties that a material may have.
    pub const KEYS: [&'static str; 11] = [
        "surface_tension",
        "elasticity",
        "flow_curve",
        "relaxation_time",
        "thermal",
        "thermal.melting_point",
        "thermal.latent_heat",
        "thermal.solid_viscosity",
        "thermal.molten_modulus",
        "thermal.expansion",
        "thermal.viscosity_law",
    ];
}

impl Material {
    /// What the material has beyond density and viscosity. What makes no difference is left out: no tension, no elastic
    /// strength, the flow curve of a Newtonian liquid.
    pub fn properties(&self) -> Vec<Property> {
        let words = Property::KEYS.map(|key| (key, self.property(key)));
        let present = words
            .into_iter()
            .filter_map(|(key, words)| Some(Property { key, words: words? }));
        present.collect()
    }

    /// The values of a property in words, if the material has it.
    fn property(&self, key: &str) -> Option<String> {
        let thermal = self.thermal.as_ref();
        match key {
            "surface_tension" => {
                (self.surface_tension > 0.0).then(|| format!("{} N/m", self.surface_tension))
            }
            "elasticity" => {
                let elasticity = self.elasticity.filter(|law| law.modulus > 0.0)?;
                Some(format!(
                    "elastic modulus {} Pa, yield strain {}, decay rate {}/s",
                    elasticity.modulus, elasticity.yield_strain, elasticity.decay_rate
                ))
            }
            "flow_curve" => {
                let curve = self.flow_curve.filter(|curve| !curve.is_newtonian())?;
                Some(format!(
                    "yield stress {} Pa, consistency {} Pa sⁿ, flow index {}",
                    curve.yield_stress, curve.consistency, curve.flow_index
                ))
            }
            "relaxation_time" => {
                let time = self.relaxation_time?;
                Some(format!("relaxation time {time} s"))
            }
            "thermal" => Some(format!(
                "conductivity {} W/(m K), specific heat {} J/(kg K)",
                thermal?.conductivity, thermal?.specific_heat
            )),
            "thermal.melting_point" => {
                let celsius = thermal?.melting_point? - 273.15;
                Some(format!("melts at {} °C", (celsius * 10.0).round() / 10.0))
            }
            "thermal.latent_heat" => Some(format!("takes {} J/kg to melt", thermal?.latent_heat?)),
            "thermal.solid_viscosity" => {
                let solid = thermal?.solid_viscosity?;
                Some(format!("sets to {solid:.0e} Pa s"))
            }
            "thermal.molten_modulus" => {
                let MoltenStrength {
                    modulus,
                    yield_strain,
                } = thermal?.molten_strength?;
                Some(format!(
                    "keeps {modulus} of its elastic modulus and {yield_strain} of its yield strain when molten"
                ))
            }
            "thermal.expansion" => {
                let expansion = thermal?.expansion.filter(|&expansion| expansion > 0.0)?;
                Some(format!("expands by {expansion}/K"))
            }
            _ => {
                thermal?.viscosity_law?;
                let warmer = self.viscosity_at(self.temperature + 10.0) / self.viscosity;
                Some(format!(
                    "viscosity falls to {:.0} % in 10 K",
                    100.0 * warmer
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(material: &Material) -> Vec<&'static str> {
        material
            .properties()
            .iter()
            .map(|found| found.key)
            .collect()
    }

    #[test]
    fn what_a_material_has_is_listed() {
        let chocolate = Material::preset("chocolate").expect("a preset");
        assert_eq!(
            keys(&chocolate),
            [
                "surface_tension",
                "flow_curve",
                "thermal",
                "thermal.melting_point",
                "thermal.latent_heat",
                "thermal.solid_viscosity"
            ]
        );
        assert!(keys(&Material::newtonian("oil", 800.0, 0.4, 0.0)).is_empty());
    }

    #[test]
    fn what_makes_no_difference_is_not() {
        let mut dough = Material::preset("dough").expect("a preset");
        assert!(keys(&dough).contains(&"elasticity"));
        dough
            .elasticity
            .as_mut()
            .expect("an elastic preset")
            .modulus = 0.0;
        assert!(!keys(&dough).contains(&"elasticity"));
        let mut ketchup = Material::preset("ketchup").expect("a preset");
        assert!(keys(&ketchup).contains(&"flow_curve"));
        let curve = ketchup.flow_curve.as_mut().expect("a yielding preset");
        (curve.yield_stress, curve.flow_index) = (0.0, 1.0);
        assert!(!keys(&ketchup).contains(&"flow_curve"));
    }
}
