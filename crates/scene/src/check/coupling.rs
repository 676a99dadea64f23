//! How bodies and liquid move one another: what the scene changes, and what cannot be coupled as it says.

use ooze_core::{Body, BodyMass, Domain, Material};
use ooze_grid::{BodyCoupling, BodySettings};

use super::body::Bodies;
use super::material::Materials;
use super::{Checker, change};
use crate::file::{ContactWord, CouplingKeys, ForceKeys, MethodKeys, SceneKeys};
use crate::place::{Place, Placed};
use crate::presets::LEVEL_SET;
use crate::{Method, Problem};

impl Checker {
    /// Changes the settings of a preset of the level-set liquid as the scene says.
    pub(super) fn coupling(&mut self, keys: &CouplingKeys, settings: &mut BodySettings) {
        change(&mut settings.coupling, &keys.coupling);
        change(&mut settings.loop_order, &keys.loop_order);
        change(&mut settings.buoyant_weight, &keys.buoyant_weight);
        if let Some(density) = &keys.ultra_buoyant {
            settings.ultra_buoyant = density.value as f32;
        }
        if settings.coupling == BodyCoupling::RigidFluid {
            return;
        }
        let places = [
            keys.loop_order.as_ref().map(|key| &key.place),
            keys.buoyant_weight.as_ref().map(|key| &key.place),
            keys.ultra_buoyant.as_ref().map(|key| &key.place),
        ];
        for place in places.into_iter().flatten() {
            let message = format!(
                "`{}` is for coupling = \"rigid-fluid\" only, but bodies are coupled as \"joint\"",
                place.key
            );
            let help =
                "use the method `carlson-2004-rigid`, or method.bodies.coupling = \"rigid-fluid\"";
            self.error(Problem::error(place, message).help(help));
        }
    }

    /// Refuses couplings that the method does not have.
    pub(super) fn coupling_of_method(&mut self, keys: &Placed<MethodKeys>) {
        let chosen = keys.bodies.coupling.as_ref();
        let Some(coupling) = chosen.filter(|key| key.value == BodyCoupling::RigidFluid) else {
            return;
        };
        if LEVEL_SET.contain(keys.preset.value) {
            return;
        }
        let message = format!(
            "`{}` is \"rigid-fluid\", which the method `{}` does not have, but {} do",
            coupling.place.key,
            keys.preset.value.name(),
            LEVEL_SET.in_words()
        );
        let mut problem = Problem::error(&coupling.place, message);
        if keys.preset.explicit {
            problem = problem.and(&keys.preset.place);
        }
        self.error(problem.help("leave it out, or use the method `carlson-2004-rigid`"));
    }

    /// Refuses liquids that bodies cannot be a part of: inside a body nothing is known of what the liquid is made of.
    pub(super) fn rigid_fluids(
        &mut self,
        keys: &SceneKeys,
        method: &Method,
        materials: &Materials,
        (bodies, domain): (&Bodies, Option<&Domain>),
    ) {
        let Method::LevelSet(settings) = method else {
            return;
        };
        if settings.bodies.coupling != BodyCoupling::RigidFluid || bodies.bodies.is_empty() {
            return;
        }
        let place: &Place = match &keys.method.bodies.coupling {
            Some(coupling) => &coupling.place,
            None => &keys.method.preset.place,
        };
        self.contact_of_rigid_fluids(keys);
        let used: Vec<&Material> = materials.used().collect();
        if let ([liquid], Some(domain)) = (used.as_slice(), domain) {
            self.thrown_out(keys, &settings.bodies, liquid, (bodies, domain));
        }
        let elastic = used.iter().find(|material| material.elasticity.is_some());
        let why = if let [first, second, ..] = used.as_slice() {
            format!(
                "there is one liquid only, but the scene has `{}` and `{}`",
                first.name, second.name
            )
        } else if let Some(elastic) = elastic.filter(|_| settings.elasticity.enabled) {
            format!("the liquid is not elastic, but `{}` is", elastic.name)
        } else if self.has_heat(keys) && used.iter().any(|material| material.thermal.is_some()) {
            "the liquid is as warm everywhere, but the scene has heat".into()
        } else {
            return;
        };
        let message = format!("where bodies are coupled as \"rigid-fluid\", {why}");
        let problem = Problem::error(place, message).and(&keys.body.place);
        let help = "write method.bodies.coupling = \"joint\", or use the method `level-set`";
        self.error(problem.help(help));
    }

    /// Warns of bodies whose lack of weight would act on them as if they had the inertia of liquid, which throws them out of it.
    fn thrown_out(
        &mut self,
        keys: &SceneKeys,
        settings: &BodySettings,
        liquid: &Material,
        (bodies, domain): (&Bodies, &Domain),
    ) {
        for (body, keys) in bodies.bodies.iter().zip(keys.body.iter()) {
            let Some(density) = density(body, domain) else {
                continue;
            };
            let relative = density / f64::from(liquid.density);
            if settings.buoyant_weight || relative >= f64::from(settings.ultra_buoyant) {
                continue;
            }
            let message = format!(
                "`{}` has {relative:.2} of the density of `{}`: coupled as \"rigid-fluid\", bodies as light as that are thrown out of the liquid",
                body.name, liquid.name
            );
            let help =
                "write method.bodies.buoyant_weight = true, or method.bodies.coupling = \"joint\"";
            self.warnings
                .push(Problem::warning(&keys.place, message).help(help));
        }
    }

    /// Warns of bodies that liquid is to glide along, where it sticks to all of them.
    fn contact_of_rigid_fluids(&mut self, keys: &SceneKeys) {
        for body in &keys.body.value {
            let glides = matches!(
                body.contact.value,
                ContactWord::Slip | ContactWord::Separating
            );
            let contact = Some(&body.contact.place).filter(|_| body.contact.explicit && glides);
            let friction = Some(&body.friction.place).filter(|_| body.friction.explicit);
            for place in contact.into_iter().chain(friction) {
                let message = format!(
                    "`{}` makes no difference: where bodies are coupled as \"rigid-fluid\", liquid sticks to them",
                    place.key
                );
                let help = "leave it out, or write method.bodies.coupling = \"joint\"";
                self.warnings
                    .push(Problem::warning(place, message).help(help));
            }
        }
    }

    /// Warns of forces that act on liquid and not on the bodies in it.
    pub(super) fn forces_beside_bodies(&mut self, keys: &SceneKeys) {
        if keys.body.is_empty() {
            return;
        }
        for force in &keys.force.value {
            if let ForceKeys::Swirl(_) = force.value {
                let message = format!(
                    "`{}.swirl` acts on liquid only: bodies feel forces that are the same everywhere",
                    force.place.key
                );
                self.warnings.push(Problem::warning(&force.place, message));
            }
        }
    }

    /// Whether a scene asks for any heat.
    fn has_heat(&self, keys: &SceneKeys) -> bool {
        let liquids = keys.liquid.iter().map(|liquid| &liquid.temperature);
        let emitters = keys.emitter.iter().map(|emitter| &emitter.temperature);
        let colliders = keys.collider.iter().map(|collider| &collider.temperature);
        let bodies = keys.body.iter().map(|body| &body.temperature);
        let mut given = liquids.chain(emitters).chain(colliders).chain(bodies);
        keys.air.is_some() || !keys.heater.is_empty() || given.any(Option::is_some)
    }
}

/// The density of a body; nothing of one without a volume.
fn density(body: &Body, domain: &Domain) -> Option<f64> {
    let mass = match body.mass {
        BodyMass::Density(density) => return Some(density),
        BodyMass::Mass(mass) => mass,
    };
    let properties = if domain.flat {
        let thickness = f64::from(domain.cell_size);
        let middle = f64::from(domain.lower.z) + 0.5 * thickness;
        let pose = body.motion.pose(0.0);
        body.shape.section_properties(&pose, middle, thickness)
    } else {
        body.shape.mass_properties()
    };
    properties.map(|properties| mass / properties.volume)
}
