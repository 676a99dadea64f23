//! Colliders and bodies that melt: solids of a liquid's material, which is liquid once it has melted.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use ooze_core::{BodyId, Hold, Holder, InitialLiquid, Material, Thermal};
use ooze_staging::{Body, Look};

use super::Checker;
use super::body::own_name;
use super::material::Materials;
use crate::Problem;
use crate::file::{BodyKeys, ColliderKeys, MaterialKeys, SceneKeys, ThermalKeys};
use crate::place::Placed;
use crate::presets::{FLIP, MethodPreset};

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

    /// The solids among colliders and bodies that melt.
    pub(super) fn melting_solids(
        &mut self,
        keys: &SceneKeys,
        materials: &Materials,
    ) -> Vec<InitialLiquid> {
        let method = keys.method.preset.value;
        let mut solids = Vec::new();
        let colliders = &keys.collider;
        for (index, keys) in colliders.iter().enumerate() {
            let Some(material) = &keys.material else {
                continue;
            };
            let Some(number) = self.melting_number("collider", material, method, solids.len())
            else {
                continue;
            };
            let name = own_name("collider", index, &keys.name);
            solids.extend(self.melting_solid(keys, material, materials, (number, name)));
        }
        // Bodies are numbered after the colliders that never melt.
        let lasting = colliders.iter().filter(|keys| keys.material.is_none());
        let lasting = lasting.count();
        for (index, keys) in keys.body.iter().enumerate() {
            let Some(material) = &keys.material else {
                continue;
            };
            let Some(number) = self.melting_number("body", material, method, solids.len()) else {
                continue;
            };
            let name = own_name("body", index, &keys.name);
            let body = BodyId((lasting + index) as u16);
            solids.extend(self.melting_body(keys, material, materials, (number, name, body)));
        }
        solids
    }

    /// The number of the next solid that melts beside so many others; none where it cannot.
    fn melting_number(
        &mut self,
        what: &str,
        material: &Placed<String>,
        method: MethodPreset,
        others: usize,
    ) -> Option<u8> {
        let several = match what {
            "body" => "bodies",
            _ => "colliders",
        };
        if !FLIP.contain(method) {
            let message = format!(
                "`{}` is \"{}\", but {several} melt in {} only, not in `{}`",
                material.place.key,
                material.value,
                FLIP.in_words(),
                method.name()
            );
            let help = format!("leave it out for a {what} that never melts");
            self.error(Problem::error(&material.place, message).help(help));
            return None;
        }
        let number = u8::try_from(others + 1).ok();
        if number.is_none() {
            let message = "at most 255 colliders and bodies may melt";
            self.error(Problem::error(&material.place, message));
        }
        number
    }

    fn melting_body(
        &mut self,
        keys: &Placed<BodyKeys>,
        name_of_material: &Placed<String>,
        materials: &Materials,
        (number, name, body): (u8, String, BodyId),
    ) -> Option<InitialLiquid> {
        let id = materials.find(name_of_material)?;
        let material = &materials.list[usize::from(id.0)];
        self.solid_at_first(
            "body",
            keys.temperature.as_ref(),
            name_of_material,
            material,
        );
        let why = "what melts holds and passes heat as its material does";
        for given in [&keys.heat_transfer, &keys.heat_capacity]
            .into_iter()
            .flatten()
        {
            self.clash(&name_of_material.place, &given.place, why);
        }
        if let Some(mass) = &keys.mass {
            let why = "what melts weighs what its density makes it weigh";
            self.clash(&name_of_material.place, &mass.place, why);
        }
        let own = f64::from(material.density);
        let density = keys.density.as_ref();
        if let Some(density) = density.filter(|density| density.value > own) {
            let message = format!(
                "`{}` is {} kg/m³, but what melts is not heavier than its melt: at most {} kg/m³, as `{}` has",
                density.place.key, density.value, material.density, material.name
            );
            self.error(Problem::error(&density.place, message));
        }
        let motion = self.motion(&keys.motion);
        let shape = self.moving_shape(&keys.shape, motion.as_ref(), &keys.motion);
        let pose = motion?.pose(0.0);
        let placed = shape?.transformed(pose.translation, pose.rotation, pose.scale);
        Some(InitialLiquid {
            name,
            shape: Arc::new(placed.ok()?),
            material: id,
            velocity: keys.velocity.value,
            spin: keys.turns_per_second.value * TAU,
            viscosity_gradient: None,
            temperature: keys.temperature.as_ref().map(|given| given.value as f32),
            hold: Some(Hold {
                number,
                by: Holder::Body {
                    body,
                    packing: density.map_or(1.0, |density| (density.value / own).min(1.0) as f32),
                },
            }),
        })
    }

    fn melting_solid(
        &mut self,
        keys: &Placed<ColliderKeys>,
        name_of_material: &Placed<String>,
        materials: &Materials,
        (number, name): (u8, String),
    ) -> Option<InitialLiquid> {
        let id = materials.find(name_of_material)?;
        let material = &materials.list[usize::from(id.0)];
        let temperature = keys.temperature.as_ref();
        self.solid_at_first("collider", temperature, name_of_material, material);
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
            hold: Some(Hold {
                number,
                by: Holder::Motion(motion),
            }),
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
        what: &str,
        given: Option<&Placed<f64>>,
        name_of_material: &Placed<String>,
        material: &Material,
    ) {
        let place = &name_of_material.place;
        let range = material.thermal.as_ref().and_then(Thermal::melting_range);
        let Some([from, _]) = range else {
            let message = format!(
                "`{}` is \"{}\", but a {what} that melts must be of a material with a melting point",
                place.key, material.name
            );
            let help = format!(
                "give it one: materials.{}.thermal.melting_point, in kelvin; or leave `material` out for a {what} that never melts",
                material.name
            );
            self.error(Problem::error(place, message).help(help));
            return;
        };
        let temperature = given.map_or(material.temperature, |given| given.value as f32);
        if temperature > from {
            let (place, found) = match given {
                Some(given) => (&given.place, format!("`{}` is", given.place.key)),
                None => (place, format!("`{}` has", material.name)),
            };
            let message = format!(
                "{found} {temperature} K, but what melts must be solid at first: at most {from} K for `{}`",
                material.name
            );
            let help = format!("set the `temperature` of the {what}, in kelvin");
            self.error(Problem::error(place, message).help(help));
        }
    }
}
