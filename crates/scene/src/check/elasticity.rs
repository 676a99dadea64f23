//! The elastic stage: what the scene changes, and materials that would need steps too short.

use ooze_core::{Elasticity, Material};
use ooze_grid::{
    Decay, ElasticityScheme, ElasticitySettings, FlipSettings, ViscosityScheme, explicit_step,
};

use super::look_over::Parts;
use super::{Checker, change};
use crate::file::{ElasticStageKeys, SceneKeys};
use crate::place::Place;
use crate::{Method, Problem};

impl Checker {
    /// Changes the settings of a preset as the scene says.
    pub(super) fn elastic_stage(&mut self, keys: &ElasticStageKeys, settings: &mut FlipSettings) {
        let elasticity: &mut ElasticitySettings = &mut settings.elasticity;
        change(&mut elasticity.enabled, &keys.enabled);
        change(&mut elasticity.decay, &keys.decay);
        change(&mut elasticity.rotation, &keys.rotation);
        if let Some(scheme) = &keys.scheme {
            elasticity.scheme = scheme.value;
            let implicit = elasticity.scheme == ElasticityScheme::Implicit;
            if implicit && settings.viscosity.scheme != ViscosityScheme::Variational {
                let message = format!(
                    "`{}` shares the solve of method.viscosity.scheme = \"variational\", but the scene has another scheme",
                    scheme.place.key
                );
                let help = "use method.elasticity.scheme = \"explicit\", or leave method.viscosity.scheme out";
                self.error(Problem::error(&scheme.place, message).help(help));
            }
        }
    }

    /// Refuses materials whose explicit steps would be shorter than the cap on sub-steps allows.
    pub(super) fn elastic_steps(&mut self, keys: &SceneKeys, parts: &Parts<'_>) {
        let (elasticity, viscosity) = match parts.method {
            Method::Flip(settings) => (settings.elasticity, settings.viscosity),
            Method::LevelSet(settings) => (settings.elasticity, settings.viscosity),
            _ => return,
        };
        let explicit = elasticity.scheme == ElasticityScheme::Explicit
            || viscosity.scheme != ViscosityScheme::Variational;
        let forward = elasticity.decay == Decay::Explicit;
        if !elasticity.enabled || !(explicit || forward) {
            return;
        }
        let frame = 1.0 / parts.time.frame_rate;
        let allowed = f64::from(parts.time.max_substeps);
        for material in &parts.setup.materials {
            let Some(law) = &material.elasticity else {
                continue;
            };
            let (step, why) = self.longest_step(material, law, parts, explicit);
            let wanted = (frame / step).ceil();
            if wanted > allowed {
                let message = format!(
                    "material `{}` needs {wanted} sub-steps a frame, but `time.max_substeps` is {allowed}: because of {why} steps may last {step:.2e} s at the most",
                    material.name
                );
                let advice = if explicit {
                    "use method.elasticity.scheme = \"automatic\", a smaller `modulus` or `decay_rate`, larger cells, or more `max_substeps`"
                } else {
                    "use method.elasticity.decay = \"exact\", a smaller `decay_rate`, or more `max_substeps`"
                };
                let place = self.elastic_place(keys, &material.name);
                self.error(Problem::error(&place, message).help(advice));
            }
        }
    }

    /// The longest step that a material allows, and what limits it.
    fn longest_step(
        &self,
        material: &Material,
        law: &Elasticity,
        parts: &Parts<'_>,
        explicit: bool,
    ) -> (f64, &'static str) {
        if explicit {
            explicit_step(law, material.density, parts.setup.domain.cell_size)
        } else {
            (1.0 / f64::from(law.decay_rate), "the decay of strain")
        }
    }

    /// Where the modulus of a material is written, or the method that it clashes with.
    fn elastic_place(&self, keys: &SceneKeys, name: &str) -> Place {
        let own = keys.materials.0.iter().find(|(own, _)| own == name);
        let group = own.and_then(|(_, material)| material.elasticity.as_ref());
        let stage = &keys.method.elasticity;
        group.map_or_else(
            || match &stage.scheme {
                Some(scheme) => scheme.place.clone(),
                None => stage.place.clone(),
            },
            |group| group.place.clone(),
        )
    }
}
