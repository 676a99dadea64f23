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
use crate::file::{BodyKeys, ColliderKeys, HEATED, MaterialKeys, SceneKeys, ThermalKeys};
use crate::place::{Place, Placed};
use crate::presets::{FLIP, MethodPreset};

/// A rise of viscosity with temperature. Below the melting range there is the solid's, above it the melt's, which falls with
/// temperature by any law; between them, by any curve, it falls throughout if the melt is thinner than the solid where the range
/// begins, and rises from there if it is thicker.
struct Thickening {
    /// Where melting begins, in kelvin.
    from: f32,
    /// Viscosities in Pa s there.
    solid: f32,
    melt: f32,
}

impl Thickening {
    /// That of a material, if it has one beyond rounding.
    fn of(material: &Material) -> Option<Self> {
        let thermal = material.thermal.as_ref()?;
        let ([from, _], solid) = thermal.melting_range().zip(thermal.solid_viscosity)?;
        let melt = material.melt_viscosity_at(from);
        (from > 0.0 && melt > 1.0001 * solid).then_some(Self { from, solid, melt })
    }
}

/// The key of a material that thickens as it melts that is most to blame for it, and whether that is the solid's viscosity.
fn thickener<'a>(keys: &'a Placed<MaterialKeys>, material: &Material) -> (&'a Place, bool) {
    let thermal = keys.thermal.as_ref();
    let of = |place: Option<&'a Place>| place.map(|place| (place, false));
    let number = |given: &'a Option<Placed<f64>>| of(given.as_ref().map(|given| &given.place));
    let solid = thermal.and_then(|keys| keys.solid_viscosity.as_ref());
    let solid = solid.map(|given| (&given.place, true));
    let law = thermal.and_then(|keys| keys.viscosity_law.as_ref());
    let law = of(law.map(|law| &law.place));
    let width = thermal.and_then(|keys| number(&keys.melting_width));
    let point = thermal.and_then(|keys| number(&keys.melting_point));
    let curve = of(keys.flow_curve.as_ref().map(|curve| &curve.place));
    let viscosity = number(&keys.viscosity).or(curve);
    let temperature = number(&keys.temperature);
    // Either the melt is too thick where all has melted already, or the law makes it so on the way down.
    let range = material.thermal.as_ref().and_then(Thermal::melting_range);
    let molten = range.map_or(0.0, |[_, to]| material.melt_viscosity_at(to));
    let hardest = material.thermal.and_then(|thermal| thermal.solid_viscosity);
    let steep = hardest.is_some_and(|solid| molten <= solid);
    let in_order = match steep {
        true => [law, width, point, temperature, viscosity, solid],
        false => [solid, viscosity, law, temperature, point, width],
    };
    let first = in_order.into_iter().flatten().next();
    first.unwrap_or((&keys.place, false))
}

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

    /// Refuses melting ranges that begin below absolute zero, and values of melting for what does not melt.
    pub(super) fn melting_values(&mut self, group: &Placed<ThermalKeys>, material: &Material) {
        let keys = &group.value;
        let strength = [&keys.molten_modulus, &keys.molten_yield_strain];
        let strength = strength.into_iter().flatten().map(|given| &given.place);
        if material.elasticity.is_none() {
            for place in strength.clone() {
                let message = format!(
                    "`{}` needs an `elasticity` of `{}`: it says what is left of that in the melt",
                    place.key, material.name
                );
                self.error(Problem::error(place, message));
            }
        }
        let Some([from, _]) = material.thermal.as_ref().and_then(Thermal::melting_range) else {
            // A melting point that could not be read has been complained of already.
            let point = format!("{}.melting_point", group.place.key);
            if self.errors.iter().any(|error| error.key() == point) {
                return;
            }
            let numbers = [
                &keys.melting_width,
                &keys.latent_heat,
                &keys.solid_viscosity,
            ];
            let numbers = numbers.into_iter().flatten().map(|given| &given.place);
            let curve = keys.melting_curve.iter().map(|given| &given.place);
            for place in numbers.chain(curve).chain(strength) {
                let message = format!(
                    "`{}` needs a `melting_point` beside it, which `{}` has not: it does not melt",
                    place.key, material.name
                );
                self.error(Problem::error(place, message));
            }
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
    }

    /// Refuses materials whose melt is thicker than what has set.
    pub(super) fn thickening(&mut self, keys: &SceneKeys, materials: &Materials) {
        if !HEATED.contain(keys.method.preset.value) {
            return;
        }
        // The scene's own come first in the list.
        for ((_, own), material) in keys.materials.0.iter().zip(&materials.list) {
            let Some(Thickening { from, solid, melt }) = Thickening::of(material) else {
                continue;
            };
            let (place, solid_is_to_blame) = thickener(own, material);
            let (key, name) = (&place.key, &material.name);
            let message = match solid_is_to_blame {
                true => format!(
                    "`{key}` is {solid:.1e} Pa s, but liquids do not thicken as they melt: at least {melt:.1e} Pa s, as the melt of `{name}` has at {from} K"
                ),
                false => format!(
                    "`{key}` gives the melt of `{name}` {melt:.1e} Pa s at {from} K, where melting begins, but liquids do not thicken as they melt: at most {solid:.1e} Pa s, as the solid has"
                ),
            };
            self.error(Problem::error(place, message));
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

#[cfg(test)]
mod tests {
    use ooze_core::{MeltingCurve, ViscosityLaw};

    use super::*;

    /// Whether viscosity rises anywhere from 50 K below the melting range to 50 K above it.
    fn rises(material: &Material) -> bool {
        let thermal = material.thermal.as_ref().expect("it has heat");
        let [from, to] = thermal.melting_range().expect("it melts");
        let steps = 4000;
        let step = (to - from + 100.0) / steps as f32;
        let temperatures = (0..=steps).map(|index| from - 50.0 + index as f32 * step);
        let viscosities: Vec<f32> = temperatures
            .map(|temperature| material.viscosity_at(temperature))
            .collect();
        viscosities
            .windows(2)
            .any(|pair| pair[1] > 1.000_01 * pair[0])
    }

    #[test]
    fn materials_thicken_as_they_melt_if_and_only_if_the_melt_is_thicker_where_melting_begins() {
        let mut seen = [0; 2];
        for curve in [
            MeltingCurve::Logarithmic,
            MeltingCurve::Linear,
            MeltingCurve::Quadratic,
        ] {
            for rate in [0.0, 0.005, 0.5] {
                for width in [2.0, 100.0] {
                    for viscosity in [1e-3, 10.0, 1e6] {
                        let mut wax = Material::preset("wax").expect("a preset");
                        wax.viscosity = viscosity;
                        let thermal = wax.thermal.as_mut().expect("it has heat");
                        thermal.solid_viscosity = Some(1e4);
                        thermal.melting_width = Some(width);
                        thermal.melting_curve = curve;
                        thermal.viscosity_law = Some(ViscosityLaw::Exponential { rate });
                        let found = Thickening::of(&wax).is_some();
                        assert_eq!(found, rises(&wax), "{curve:?} {rate} {width} {viscosity}");
                        seen[usize::from(found)] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn no_preset_thickens_as_it_melts() {
        let presets = Material::presets().iter();
        for material in presets.filter_map(|preset| Material::preset(preset.name)) {
            assert!(Thickening::of(&material).is_none(), "{}", material.name);
        }
    }
}
