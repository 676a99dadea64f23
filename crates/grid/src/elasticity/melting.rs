//! Elasticity that depends on how much has melted, whatever carries the strain.

use ooze_core::{Elasticity, EnthalpyCurve, Material, MoltenStrength};

/// The elastic behaviour of one material.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaterialLaw {
    /// Of what is solid, or of all of it where melting makes no difference.
    solid: Elasticity,
    /// What is left of it in the melt.
    molten: MoltenStrength,
    /// The share that has melted where nobody tells: all of it is as warm as the material is at first.
    melted: f32,
}

impl MaterialLaw {
    /// The law of a material that is as elastic as this while it is solid.
    pub(crate) fn new(material: &Material, solid: Elasticity) -> Self {
        let own = f64::from(material.temperature);
        Self {
            solid,
            molten: material.molten_strength(),
            melted: EnthalpyCurve::of(material).melted(own) as f32,
        }
    }

    /// The law where a share has melted, which is told where heat matters.
    #[inline]
    pub(crate) fn of(&self, melted: Option<f32>) -> Elasticity {
        let melted = melted.unwrap_or(self.melted);
        self.molten.soften(&self.solid, melted)
    }

    /// Whether melting makes a difference.
    pub(crate) fn melts(&self) -> bool {
        self.solid.modulus > 0.0 && self.molten != MoltenStrength::WHOLE
    }
}

/// What strain is multiplied by where a modulus has changed with what has melted or set. What melts keeps its strain and loses stress
/// with its modulus. What sets keeps its stress: bonds form without any, and the strain that is as stressed with all of them is
/// smaller. Either way less energy is stored than before.
pub(crate) fn kept_strain(old: f32, new: f32) -> f32 {
    if new > old {
        old / new
    } else if new == 0.0 {
        0.0
    } else {
        1.0
    }
}
