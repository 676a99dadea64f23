//! Liquids that are more than viscous: elastic strength after Goktekin (2011) and the flow curve of Herschel & Bulkley
//! (1926).

use serde::{Deserialize, Serialize};

/// Elastic strength with plastic flow (Goktekin 2011, eq. 2.23): stress is `modulus` times the elastic strain, and the
/// part of the strain beyond `yield_strain` flows away at `decay_rate`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elasticity {
    /// Elastic modulus μ_e in Pa. Strain is tensor strain, so the shear modulus of a textbook is half of it.
    pub modulus: f32,
    /// Yield strain γ: the size of the deviatoric strain (Frobenius norm) up to which nothing flows.
    pub yield_strain: f32,
    /// Decay rate α in 1/s of the strain beyond the yield strain.
    pub decay_rate: f32,
}

impl Elasticity {
    /// The shear modulus G in Pa.
    pub fn shear_modulus(&self) -> f32 {
        0.5 * self.modulus
    }

    /// The shear stress in Pa at which the material begins to flow. In simple shear the norm of the strain is √2 times
    /// its one component, hence μ_e γ/√2.
    pub fn yield_stress(&self) -> f32 {
        self.modulus * self.yield_strain * std::f32::consts::FRAC_1_SQRT_2
    }
}

/// The flow curve τ = τ_y + K γ̇ⁿ of Herschel & Bulkley (1926).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HerschelBulkley {
    /// Yield stress τ_y in Pa; zero for a liquid that thins but always flows.
    pub yield_stress: f32,
    /// Consistency K in Pa sⁿ.
    pub consistency: f32,
    /// Flow index n: below 1 thins, 1 is Bingham's plastic, above 1 thickens.
    pub flow_index: f32,
}

impl HerschelBulkley {
    /// Shear stress in Pa at a rate of shear in 1/s.
    pub fn stress(&self, shear_rate: f32) -> f32 {
        self.yield_stress + self.consistency * shear_rate.powf(self.flow_index)
    }

    /// Whether it is that of a plain viscous liquid: no yield stress, and stress in proportion to the rate of shear.
    pub fn is_newtonian(&self) -> bool {
        self.yield_stress == 0.0 && self.flow_index == 1.0
    }

    /// Shear stress divided by the rate of shear, in Pa s.
    pub fn apparent_viscosity(&self, shear_rate: f32) -> f32 {
        self.stress(shear_rate) / shear_rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_elastic_material_yields_at_its_modulus_times_its_strain() {
        // Simple shear g of a material with shear modulus G: stress G g; the strain tensor has two components g/2, so
        // its norm is g/√2 and reaches γ at g = √2 γ.
        let goo = Elasticity {
            modulus: 200.0,
            yield_strain: 0.3,
            decay_rate: 1.0,
        };
        let shear_at_yield = 2f32.sqrt() * goo.yield_strain;
        let expected = goo.shear_modulus() * shear_at_yield;
        assert!((goo.yield_stress() - expected).abs() < 1e-4 * expected);
    }

    #[test]
    fn a_bingham_plastic_thins_towards_its_plastic_viscosity() {
        let plastic = HerschelBulkley {
            yield_stress: 50.0,
            consistency: 2.0,
            flow_index: 1.0,
        };
        assert_eq!(plastic.apparent_viscosity(10.0), 7.0);
        assert!((plastic.apparent_viscosity(1e6) - 2.0).abs() < 1e-3);
    }
}
