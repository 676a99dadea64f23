//! Heat in a material: conduction, melting, and viscosity as a function of temperature.

use serde::{Deserialize, Serialize};

/// How a material takes up, conducts and spends heat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thermal {
    /// Conductivity in W/(m K).
    pub conductivity: f32,
    /// Specific heat capacity in J/(kg K).
    pub specific_heat: f32,
    /// Temperature in kelvin at which it melts, or the middle of the range in which it does.
    pub melting_point: Option<f32>,
    /// Heat of fusion in J/kg.
    pub latent_heat: Option<f32>,
    /// Growth of volume with temperature in 1/K; none where it is not known.
    pub expansion: Option<f32>,
    /// How viscosity follows temperature.
    pub viscosity_law: Option<ViscosityLaw>,
}

impl Thermal {
    /// Thermal diffusivity in m²/s of a material of that density.
    pub fn diffusivity(&self, density: f32) -> f32 {
        self.conductivity / (density * self.specific_heat)
    }
}

/// A law for viscosity over temperature, relative to the viscosity at a reference temperature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ViscosityLaw {
    /// μ ∝ exp(−rate · T): good for a few tens of kelvin.
    Exponential {
        /// Decrease of ln μ in 1/K.
        rate: f32,
    },
    /// μ ∝ exp(E/(R T)) (Andrade 1930): thermally activated flow.
    Arrhenius {
        /// Activation energy E in J/mol.
        activation_energy: f32,
    },
    /// log₁₀ μ = A + B/(T − C) (Vogel 1921, Fulcher 1925, Tammann & Hesse 1926): water, glasses and melts. A is set by
    /// the viscosity at the reference temperature.
    Vogel {
        /// B in kelvin.
        slope: f32,
        /// C in kelvin; below it the law has no meaning.
        pole: f32,
    },
}

/// The gas constant in J/(mol K).
const GAS_CONSTANT: f32 = 8.314_463;

/// Nothing in ooze tells viscosities apart beyond this factor, and a larger one would leave single precision.
const LARGEST_RATIO: f32 = 1e12;

impl ViscosityLaw {
    /// Viscosity at `temperature` divided by viscosity at `reference`, both in kelvin; limited to 10^±12.
    pub fn ratio(&self, temperature: f32, reference: f32) -> f32 {
        let logarithm = match *self {
            Self::Exponential { rate } => rate * (reference - temperature),
            Self::Arrhenius { activation_energy } => {
                activation_energy / GAS_CONSTANT * (1.0 / temperature - 1.0 / reference)
            }
            Self::Vogel { slope, pole } => {
                // At and below the pole the liquid is a solid glass.
                let above_pole = (temperature - pole).max(1e-3);
                std::f32::consts::LN_10 * slope * (1.0 / above_pole - 1.0 / (reference - pole))
            }
        };
        logarithm.exp().clamp(1.0 / LARGEST_RATIO, LARGEST_RATIO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [ViscosityLaw; 3] = [
        ViscosityLaw::Exponential { rate: 0.09 },
        ViscosityLaw::Arrhenius {
            activation_energy: 9.5e4,
        },
        ViscosityLaw::Vogel {
            slope: 247.8,
            pole: 140.0,
        },
    ];

    #[test]
    fn every_law_is_one_at_its_reference_and_falls_with_temperature() {
        for law in LAWS {
            assert_eq!(law.ratio(293.15, 293.15), 1.0);
            let ratios: Vec<f32> = (150..600)
                .map(|temperature| law.ratio(temperature as f32, 293.15))
                .collect();
            assert!(
                ratios.windows(2).all(|pair| pair[1] <= pair[0]),
                "{law:?} rises"
            );
            assert!(ratios[0] > 1.0 && ratios[449] < 1.0);
        }
    }

    #[test]
    fn laws_stay_finite_where_they_have_no_meaning() {
        for law in LAWS {
            for temperature in [1e-3, 1.0, 139.0, 140.0, 1e5] {
                let ratio = law.ratio(temperature, 293.15);
                assert!(
                    ratio.is_finite() && ratio > 0.0,
                    "{law:?} at {temperature}: {ratio}"
                );
            }
        }
    }

    #[test]
    fn water_follows_vogel_over_the_kitchen_s_range() {
        // Viscosities of water in mPa s (CRC Handbook of Chemistry and Physics).
        let law = LAWS[2];
        for (celsius, expected) in [(10.0, 1.306), (40.0, 0.653), (60.0, 0.466), (90.0, 0.314)] {
            let measured = 1.0016 * law.ratio(celsius + 273.15, 293.15);
            assert!(
                (measured / expected - 1.0).abs() < 0.02,
                "{celsius} °C: {measured} against {expected}"
            );
        }
    }
}
