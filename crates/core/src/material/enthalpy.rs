//! Enthalpy: the heat that a material holds, over its temperature.

use super::{Material, Thermal};

/// Specific heat in J/(kg K) of materials that do not say theirs; they take part in no exchange of heat.
const NOMINAL_SPECIFIC_HEAT: f32 = 1000.0;

/// Specific enthalpy in J/kg over temperature, from the material's own temperature on: it rises with the specific heat, and in
/// the melting range by the latent heat too. Piecewise linear and strictly rising, so that each tells the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnthalpyCurve {
    /// Temperature in kelvin at which it is zero.
    reference: f64,
    specific_heat: f64,
    latent_heat: f64,
    /// Temperatures in kelvin between which the material melts.
    range: [f64; 2],
}

impl EnthalpyCurve {
    /// The curve of a material.
    pub fn of(material: &Material) -> Self {
        let thermal = material.thermal.as_ref();
        let specific_heat = thermal.map_or(NOMINAL_SPECIFIC_HEAT, |known| known.specific_heat);
        let range = thermal.and_then(Thermal::melting_range);
        let latent_heat = thermal.and_then(|thermal| thermal.latent_heat);
        let mut curve = Self {
            reference: 0.0,
            specific_heat: f64::from(specific_heat),
            latent_heat: range.and(latent_heat).map_or(0.0, f64::from),
            range: range.unwrap_or([f32::MAX; 2]).map(f64::from),
        };
        // Zero at the material's own temperature: numbers near zero are stored most exactly.
        let own = f64::from(material.temperature);
        curve.reference = own + curve.latent_heat * curve.melted(own) / curve.specific_heat;
        curve
    }

    /// Share of the material that has melted at a temperature.
    pub fn melted(&self, temperature: f64) -> f64 {
        let [from, to] = self.range;
        if temperature <= from {
            0.0
        } else if temperature >= to {
            1.0
        } else {
            (temperature - from) / (to - from)
        }
    }

    /// Enthalpy in J/kg at a temperature in kelvin.
    pub fn enthalpy(&self, temperature: f64) -> f64 {
        self.specific_heat * (temperature - self.reference)
            + self.latent_heat * self.melted(temperature)
    }

    /// Temperature in kelvin at an enthalpy in J/kg.
    pub fn temperature(&self, enthalpy: f64) -> f64 {
        let sensible = |heat: f64| self.reference + heat / self.specific_heat;
        let [from, to] = self.range;
        let solid = sensible(enthalpy);
        if self.latent_heat == 0.0 || solid <= from {
            return solid;
        }
        let liquid = sensible(enthalpy - self.latent_heat);
        if liquid >= to {
            return liquid;
        }
        from + (enthalpy - self.enthalpy(from)) / self.slope(0.5 * (from + to))
    }

    /// How enthalpy rises with temperature, in J/(kg K).
    pub fn slope(&self, temperature: f64) -> f64 {
        let [from, to] = self.range;
        let melting = self.latent_heat > 0.0 && temperature > from && temperature < to;
        self.specific_heat
            + match melting {
                true => self.latent_heat / (to - from),
                false => 0.0,
            }
    }

    /// The specific heat alone, in J/(kg K).
    pub fn specific_heat(&self) -> f64 {
        self.specific_heat
    }

    /// The temperatures in kelvin at which the slope changes, if it does.
    pub fn kinks(&self) -> Option<[f64; 2]> {
        (self.latent_heat > 0.0).then_some(self.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_and_enthalpy_tell_each_other() {
        for name in ["wax", "lava", "honey", "water"] {
            let material = Material::preset(name).expect("a preset");
            let curve = EnthalpyCurve::of(&material);
            assert!(curve.enthalpy(f64::from(material.temperature)).abs() < 1e-6);
            let mut last = f64::NEG_INFINITY;
            for tenth in 2000..18_000 {
                let temperature = f64::from(tenth) / 10.0;
                let enthalpy = curve.enthalpy(temperature);
                assert!(enthalpy > last, "{name}");
                let back = curve.temperature(enthalpy);
                assert!(
                    (back - temperature).abs() < 1e-6,
                    "{name}: {back} {temperature}"
                );
                last = enthalpy;
            }
        }
    }

    #[test]
    fn melting_takes_the_latent_heat() {
        let wax = Material::preset("wax").expect("a preset");
        let thermal = wax.thermal.expect("thermal values");
        let curve = EnthalpyCurve::of(&wax);
        let [from, to] = thermal.melting_range().expect("it melts").map(f64::from);
        let taken = curve.enthalpy(to) - curve.enthalpy(from);
        let sensible = f64::from(thermal.specific_heat) * (to - from);
        let latent = f64::from(thermal.latent_heat.expect("it has one"));
        assert!((taken - sensible - latent).abs() < 1.0, "{taken}");
        assert_eq!((curve.melted(from), curve.melted(to)), (0.0, 1.0));
        assert!((curve.slope(0.5 * (from + to)) * (to - from) - taken).abs() < 1.0);
    }
}
