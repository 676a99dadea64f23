//! How liquid behaves at walls, as the scene says or as its liquids suggest.

use ooze_core::{Contact, Material, WallCondition, WallHeat};

use super::Checker;
use super::material::Materials;
use crate::file::{ContactWord, SceneKeys};
use crate::place::Placed;

/// Kinematic viscosity in m²/s from which liquids hold on to walls unless the scene says otherwise: a hundred times that of
/// water. What a wall holds is felt to a depth of √(νt), 3 mm after a tenth of a second, which is where cells begin to
/// resolve it; of thinner liquids they see the part that slips.
const THICK: f64 = 1e-4;

/// What walls do that are left to the liquids.
pub(super) struct AutomaticWalls {
    condition: WallCondition,
    /// Why, in words.
    reason: String,
    /// Whether the scene has such walls.
    present: bool,
}

impl AutomaticWalls {
    /// Walls that thin liquids glide along.
    pub(super) fn slippery(reason: &str) -> Self {
        Self {
            condition: WallCondition::Slip,
            reason: reason.into(),
            present: false,
        }
    }

    /// As the thickest of a scene's liquids suggests.
    pub(super) fn of_scene(keys: &SceneKeys, materials: &Materials) -> Self {
        let viscous = keys.method.viscosity.enabled.as_ref();
        if viscous.is_some_and(|enabled| !enabled.value) {
            return Self::slippery("`method.viscosity` is off");
        }
        let own = materials
            .used()
            .map(|material| (material, f64::from(material.viscosity)));
        let graded = keys.liquid.iter().flat_map(|liquid| {
            let material = materials
                .used()
                .find(|material| material.name == liquid.material.value);
            let gradient = liquid.viscosity_gradient.iter();
            let values = gradient.flat_map(|gradient| gradient.values.iter());
            values.filter_map(move |value| Some((material?, value.value)))
        });
        let kinematic = |(material, viscosity): (&Material, f64)| {
            let kinematic = viscosity / f64::from(material.density);
            (material.name.clone(), kinematic)
        };
        let thickest = own
            .chain(graded)
            .map(kinematic)
            .max_by(|one, other| one.1.total_cmp(&other.1));
        match thickest {
            Some((name, kinematic)) if kinematic >= THICK => Self {
                condition: WallCondition::NoSlip,
                reason: format!("`{name}` is thick, {kinematic:.1e} m²/s"),
                present: false,
            },
            _ => Self::slippery("its liquids are thin"),
        }
    }

    /// What they do and why, if the scene has any.
    pub(super) fn in_words(&self) -> Option<String> {
        let word = match self.condition {
            WallCondition::NoSlip => "no-slip",
            _ => "slip",
        };
        self.present
            .then(|| format!("{word} where `contact` is automatic: {}", self.reason))
    }
}

impl Checker {
    /// The contact of a wall; friction belongs to walls that liquid glides along.
    pub(super) fn contact(
        &mut self,
        contact: &Placed<ContactWord>,
        friction: Option<&Placed<f64>>,
        heat: Option<WallHeat>,
    ) -> Contact {
        let strength = friction.map_or(0.0, |friction| friction.value);
        let holds = matches!(contact.value, ContactWord::NoSlip | ContactWord::Sticky);
        if let Some(friction) = friction.filter(|_| holds && strength != 0.0) {
            self.clash(
                &contact.place,
                &friction.place,
                "only slip walls have friction; the others hold the liquid anyway",
            );
        }
        Contact {
            condition: match contact.value {
                ContactWord::Automatic if strength != 0.0 => WallCondition::Slip,
                ContactWord::Automatic => {
                    self.walls.present = true;
                    self.walls.condition
                }
                ContactWord::Slip => WallCondition::Slip,
                ContactWord::Separating => WallCondition::Separating,
                ContactWord::NoSlip => WallCondition::NoSlip,
                ContactWord::Sticky => WallCondition::Sticky,
            },
            friction: strength as f32,
            heat,
        }
    }
}
