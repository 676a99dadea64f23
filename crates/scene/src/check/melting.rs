//! Colliders that melt: solids of a liquid's material, which is liquid once it has melted.

use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Hold, InitialLiquid, Material, Thermal};
use ooze_staging::{Body, Look};

use super::Checker;
use super::material::Materials;
use crate::Problem;
use crate::file::{ColliderKeys, MaterialKeys, SceneKeys, ThermalKeys};
use crate::place::Placed;
use crate::presets::FLIP;

impl Checker {
    /// How clear a material's melt is, if the scene says so.
    pub(super) fn clearing(&mut self, keys: &MaterialKeys, material: &mut Material) {
        let Some(clearing) = &keys.clearing else {
            return;
        };
        let appearance = &mut material.appearance;
        appearance.clearing = Some(clearing.value as f32);
        let milky = Look::named(&appearance.look)
            .is_ok_and(|look| matches!(look.body, Body::Scattering { .. }));
        if clearing.value > 0.0 && !milky {
            let message = format!(
                "`{}` will not show: the look `{}` is not milky",
                clearing.place.key, appearance.look
            );
            let place = &clearing.place;
            self.warnings.push(Problem::warning(place, message));
        }
    }

    /// The solids among the colliders that melt.
    pub(super) fn melting_solids(
        &mut self,
        keys: &SceneKeys,
        materials: &Materials,
    ) -> Vec<InitialLiquid> {
        let method = keys.method.preset.value;
        let mut solids = Vec::new();
        for (index, keys) in keys.collider.iter().enumerate() {
            let Some(material) = &keys.material else {
                continue;
            };
            if !FLIP.contain(method) {
                let message = format!(
                    "`{}` is \"{}\", but colliders melt in {} only, not in `{}`",
                    material.place.key,
                    material.value,
                    FLIP.in_words(),
                    method.name()
                );
                let help = "leave it out for a collider that never melts";
                self.error(Problem::error(&material.place, message).help(help));
                continue;
            }
            let Ok(number) = u8::try_from(solids.len() + 1) else {
                let message = "at most 255 colliders may melt";
                self.error(Problem::error(&material.place, message));
                break;
            };
            let name = keys.name.as_ref().map(|name| name.value.clone());
            let name = name.unwrap_or_else(|| format!("collider-{}", index + 1));
            solids.extend(self.melting_solid(keys, material, materials, (number, name)));
        }
        solids
    }

    fn melting_solid(
        &mut self,
        keys: &Placed<ColliderKeys>,
        name_of_material: &Placed<String>,
        materials: &Materials,
        (number, name): (u8, String),
    ) -> Option<InitialLiquid> {
        let id = materials.find(name_of_material)?;
        self.solid_at_first(keys, name_of_material, &materials.list[usize::from(id.0)]);
        if keys.contact.explicit {
            let why = "what melts holds the liquid beside it";
            self.clash(&name_of_material.place, &keys.contact.place, why);
        }
        if let Some(transfer) = &keys.heat_transfer {
            let why = "what melts passes as much heat as it conducts";
            self.clash(&name_of_material.place, &transfer.place, why);
        }
        let scales = keys.motion.keyframes.iter();
        for scale in scales.filter_map(|frame| frame.scale.as_ref()) {
            let why = "what melts keeps its mass, and with it its size";
            self.clash(&name_of_material.place, &scale.place, why);
        }
        let motion = self.motion(&keys.motion);
        let shape = self.moving_shape(&keys.shape, motion.as_ref(), &keys.motion);
        let (shape, motion) = (shape?, motion?);
        let pose = motion.pose(0.0);
        let placed = shape.transformed(pose.translation, pose.rotation, pose.scale);
        Some(InitialLiquid {
            name,
            shape: Arc::new(placed.ok()?),
            material: id,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            viscosity_gradient: None,
            temperature: keys.temperature.as_ref().map(|given| given.value as f32),
            hold: Some(Hold { number, motion }),
        })
    }

    /// Refuses melting ranges that begin below absolute zero, and melts that are thicker than what has set.
    pub(super) fn melting_values(&mut self, keys: &ThermalKeys, material: &Material) {
        let Some(thermal) = material.thermal else {
            return;
        };
        let Some([from, to]) = thermal.melting_range() else {
            return;
        };
        let width = keys.melting_width.as_ref().map(|width| &width.place);
        let point = keys.melting_point.as_ref().map(|point| &point.place);
        if let Some(place) = width.or(point).filter(|_| from <= 0.0) {
            let message = format!(
                "`{}` lets the melting range begin at {from} K, but it must begin above 0 K",
                place.key
            );
            self.error(Problem::error(place, message));
        }
        let melt = material.melt_viscosity_at(to);
        let written = keys.solid_viscosity.as_ref();
        if let Some(solid) = written.filter(|solid| (solid.value as f32) < melt) {
            let message = format!(
                "`{}` is {} Pa s, but liquids do not thicken as they melt: at least {melt} Pa s, as `{}` has at {to} K",
                solid.place.key, solid.value, material.name
            );
            self.error(Problem::error(&solid.place, message));
        }
    }

    /// Refuses solids that have no melting point, and those that are not solid at first.
    fn solid_at_first(
        &mut self,
        keys: &ColliderKeys,
        name_of_material: &Placed<String>,
        material: &Material,
    ) {
        let place = &name_of_material.place;
        let range = material.thermal.as_ref().and_then(Thermal::melting_range);
        let Some([from, _]) = range else {
            let message = format!(
                "`{}` is \"{}\", but a collider that melts must be of a material with a melting point",
                place.key, material.name
            );
            let help = format!(
                "give it one: materials.{}.thermal.melting_point, in kelvin; or leave `material` out for a collider that never melts",
                material.name
            );
            self.error(Problem::error(place, message).help(help));
            return;
        };
        let given = keys.temperature.as_ref();
        let temperature = given.map_or(material.temperature, |given| given.value as f32);
        if temperature > from {
            let (place, what) = match given {
                Some(given) => (&given.place, format!("`{}` is", given.place.key)),
                None => (place, format!("`{}` has", material.name)),
            };
            let message = format!(
                "{what} {temperature} K, but what melts must be solid at first: at most {from} K for `{}`",
                material.name
            );
            let help = "set the collider's `temperature`, in kelvin";
            self.error(Problem::error(place, message).help(help));
        }
    }
}
