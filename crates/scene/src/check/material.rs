//! Materials: presets with the scene's changes, and the names by which liquids refer to them.

use ooze_core::{
    Elasticity, HerschelBulkley, Material, MaterialId, MoltenStrength, Thermal, ViscosityLaw,
    ViscosityTable,
};

use super::Checker;
use crate::Problem;
use crate::file::{LawKeys, MaterialKeys, SceneKeys, TableKeys, TablePointKeys, ThermalKeys};
use crate::keys::{listed, nearest};
use crate::place::{Place, Placed};

/// A particle stores its material in one byte.
const MOST_MATERIALS: usize = 255;

/// The materials of a scene and what they are called.
pub(super) struct Materials {
    pub list: Vec<Material>,
    /// Names and places of the scene's own, which come first in the list.
    own: Vec<(String, Place)>,
    /// Names of those that a liquid or an emitter is made of.
    used: Vec<String>,
}

impl Checker {
    /// All materials that the scene defines or uses.
    pub(super) fn materials(&mut self, keys: &SceneKeys) -> Materials {
        let mut materials = Materials {
            list: Vec::new(),
            own: Vec::new(),
            used: Vec::new(),
        };
        for (name, own) in &keys.materials.0 {
            let material = self.material(name, own);
            materials.list.push(material);
            materials.own.push((name.clone(), own.place.clone()));
        }
        let liquids = keys.liquid.iter().map(|liquid| &liquid.material);
        let emitters = keys.emitter.iter().map(|emitter| &emitter.material);
        let drops = keys.drops.iter().map(|drops| &drops.material);
        let colliders = keys.collider.iter();
        let colliders = colliders.filter_map(|collider| collider.material.as_ref());
        let bodies = keys.body.iter();
        let bodies = bodies.filter_map(|body| body.material.as_ref());
        let solids = colliders.chain(bodies);
        for name in liquids.chain(emitters).chain(drops).chain(solids) {
            if !materials.is_used(name) {
                materials.used.push(name.value.clone());
            }
            if materials.find(name).is_none() {
                // The reader has refused names that are neither.
                materials.list.extend(Material::preset(name));
            }
        }
        for (name, place) in &materials.own {
            if !materials.is_used(name) {
                self.warnings.push(unused(name, place, &materials.used));
            }
        }
        if materials.list.len() > MOST_MATERIALS {
            let count = materials.list.len();
            let message =
                format!("the scene has {count} materials, but must have at most {MOST_MATERIALS}");
            self.error(Problem::error(&keys.materials.place, message));
        }
        materials
    }

    fn material(&mut self, name: &str, keys: &MaterialKeys) -> Material {
        let base = keys.base.as_ref().map_or(name, |base| &base.value);
        let preset = Material::preset(base).or_else(|| Material::preset("water"));
        let mut material = preset.unwrap_or_else(|| Material::newtonian(name, 1000.0, 1e-3, 0.07));
        material.name = name.into();
        let number = |given: &Option<Placed<f64>>, old: f32| {
            given.as_ref().map_or(old, |given| given.value as f32)
        };
        material.density = number(&keys.density, material.density);
        material.surface_tension = number(&keys.surface_tension, material.surface_tension);
        material.temperature = number(&keys.temperature, material.temperature);
        if let Some(time) = &keys.relaxation_time {
            material.relaxation_time = Some(time.value as f32);
        }
        if let Some(colour) = &keys.colour {
            material.appearance.colour = colour.value;
            material.appearance.recoloured = true;
        }
        if let Some(look) = &keys.look {
            material.appearance.look = look.value.clone();
        }
        self.clearing(keys, &mut material);
        self.elasticity(keys, &mut material);
        self.flow_curve(keys, &mut material);
        material.viscosity = number(&keys.viscosity, material.viscosity);
        self.thermal(keys, &mut material);
        material
    }

    fn elasticity(&mut self, keys: &MaterialKeys, material: &mut Material) {
        let Some(group) = &keys.elasticity else {
            return;
        };
        let base = material.elasticity;
        let modulus = self.part(
            "modulus",
            &group.place,
            &group.modulus,
            base.map(|base| base.modulus),
        );
        let yield_strain = self.part(
            "yield_strain",
            &group.place,
            &group.yield_strain,
            base.map(|base| base.yield_strain),
        );
        let decay_rate = self.part(
            "decay_rate",
            &group.place,
            &group.decay_rate,
            base.map(|base| base.decay_rate),
        );
        if let (Some(modulus), Some(yield_strain), Some(decay_rate)) =
            (modulus, yield_strain, decay_rate)
        {
            material.elasticity = Some(Elasticity {
                modulus,
                yield_strain,
                decay_rate,
            });
        }
    }

    fn flow_curve(&mut self, keys: &MaterialKeys, material: &mut Material) {
        let Some(group) = &keys.flow_curve else {
            return;
        };
        let base = material.flow_curve;
        let yield_stress = self.part(
            "yield_stress",
            &group.place,
            &group.yield_stress,
            base.map(|base| base.yield_stress),
        );
        let consistency = self.part(
            "consistency",
            &group.place,
            &group.consistency,
            base.map(|base| base.consistency),
        );
        let flow_index = self.part(
            "flow_index",
            &group.place,
            &group.flow_index,
            base.map(|base| base.flow_index),
        );
        if let (Some(yield_stress), Some(consistency), Some(flow_index)) =
            (yield_stress, consistency, flow_index)
        {
            let curve = HerschelBulkley {
                yield_stress,
                consistency,
                flow_index,
            };
            material.viscosity = curve.apparent_viscosity(Material::REFERENCE_SHEAR_RATE);
            material.flow_curve = Some(curve);
        }
    }

    fn thermal(&mut self, keys: &MaterialKeys, material: &mut Material) {
        let Some(group) = &keys.thermal else { return };
        let base = material.thermal;
        let conductivity = self.part(
            "conductivity",
            &group.place,
            &group.conductivity,
            base.map(|base| base.conductivity),
        );
        let specific_heat = self.part(
            "specific_heat",
            &group.place,
            &group.specific_heat,
            base.map(|base| base.specific_heat),
        );
        let (Some(conductivity), Some(specific_heat)) = (conductivity, specific_heat) else {
            return;
        };
        let given = |given: &Option<Placed<f64>>| given.as_ref().map(|given| given.value as f32);
        material.thermal = Some(Thermal {
            conductivity,
            specific_heat,
            melting_point: given(&group.melting_point).or(base.and_then(|base| base.melting_point)),
            melting_width: given(&group.melting_width).or(base.and_then(|base| base.melting_width)),
            solid_viscosity: given(&group.solid_viscosity)
                .or(base.and_then(|base| base.solid_viscosity)),
            melting_curve: match &group.melting_curve {
                Some(curve) => curve.value,
                None => base.map_or_else(Default::default, |base| base.melting_curve),
            },
            molten_strength: molten_strength(group, base.and_then(|base| base.molten_strength)),
            latent_heat: given(&group.latent_heat).or(base.and_then(|base| base.latent_heat)),
            expansion: given(&group.expansion).or(base.and_then(|base| base.expansion)),
            viscosity_law: match &group.viscosity_law {
                Some(law) => self.viscosity_law(law, material.temperature),
                None => base.and_then(|base| base.viscosity_law),
            },
        });
        self.melting_values(group, material);
    }

    /// A key of a group: as given, or as the base has it, or missing.
    fn part(
        &mut self,
        key: &str,
        group: &Place,
        given: &Option<Placed<f64>>,
        base: Option<f32>,
    ) -> Option<f32> {
        let value = given.as_ref().map(|given| given.value as f32).or(base);
        // A value that could not be read has been complained of already.
        let own = format!("{}.{key}", group.key);
        if value.is_none() && !self.errors.iter().any(|error| error.key() == own) {
            let message = format!(
                "`{}` lacks the key `{key}`, which the base material does not have either",
                group.key
            );
            self.error(Problem::error(group, message).label(format!("`{key}` is missing")));
        }
        value
    }

    fn viscosity_law(&mut self, keys: &LawKeys, temperature: f32) -> Option<ViscosityLaw> {
        match keys {
            LawKeys::Exponential(law) => Some(ViscosityLaw::Exponential {
                rate: law.rate.value as f32,
            }),
            LawKeys::Arrhenius(law) => Some(ViscosityLaw::Arrhenius {
                activation_energy: law.activation_energy.value as f32,
            }),
            LawKeys::Table(table) => self.viscosity_table(table).map(ViscosityLaw::Table),
            LawKeys::Vogel(law) => {
                let pole = law.pole.value as f32;
                if pole >= temperature {
                    let message = format!(
                        "`{}` is {pole} K, but must lie below the material's temperature, {temperature} K",
                        law.pole.place.key
                    );
                    self.error(Problem::error(&law.pole.place, message));
                    return None;
                }
                Some(ViscosityLaw::Vogel {
                    slope: law.slope.value as f32,
                    pole,
                })
            }
        }
    }
}

impl Checker {
    fn viscosity_table(&mut self, keys: &TableKeys) -> Option<ViscosityTable> {
        let listed = &keys.points;
        if !(2..=ViscosityTable::MOST).contains(&listed.len()) {
            let message = format!(
                "`{}` has {} points, but must have 2 to {}",
                listed.place.key,
                listed.len(),
                ViscosityTable::MOST
            );
            self.error(Problem::error(&listed.place, message));
            return None;
        }
        for pair in listed.windows(2) {
            let [colder, warmer] = [&pair[0], &pair[1]];
            if warmer.temperature.value <= colder.temperature.value {
                let place = &warmer.temperature.place;
                let message = format!(
                    "`{}` is {} K, but must be above that of the point before it, {} K",
                    place.key, warmer.temperature.value, colder.temperature.value
                );
                self.error(Problem::error(place, message).and(&colder.temperature.place));
                return None;
            }
            if warmer.viscosity.value > colder.viscosity.value {
                let place = &warmer.viscosity.place;
                let message = format!(
                    "`{}` is {} Pa s, but liquids do not thicken as they warm: at most that of the point before it, {} Pa s",
                    place.key, warmer.viscosity.value, colder.viscosity.value
                );
                self.error(Problem::error(place, message).and(&colder.viscosity.place));
                return None;
            }
        }
        let point =
            |point: &TablePointKeys| [point.temperature.value as f32, point.viscosity.value as f32];
        let points: Vec<[f32; 2]> = listed.iter().map(|keys| point(keys)).collect();
        ViscosityTable::new(&points)
    }
}

/// What is left of elastic strength in the melt, as given or as the base has it.
fn molten_strength(group: &ThermalKeys, base: Option<MoltenStrength>) -> Option<MoltenStrength> {
    let (modulus, yield_strain) = (&group.molten_modulus, &group.molten_yield_strain);
    if modulus.is_none() && yield_strain.is_none() {
        return base;
    }
    let whole = base.unwrap_or(MoltenStrength::WHOLE);
    let share = |given: &Option<Placed<f64>>, old: f32| {
        given.as_ref().map_or(old, |given| given.value as f32)
    };
    Some(MoltenStrength {
        modulus: share(modulus, whole.modulus),
        yield_strain: share(yield_strain, whole.yield_strain),
    })
}

/// Warns of a material that nothing is made of, and says which name was probably meant.
fn unused(name: &str, place: &Place, used: &[String]) -> Problem {
    let message = format!("material `{name}` is used by no liquid and no emitter");
    let problem = Problem::warning(place, message).label("unused");
    let names: Vec<String> = used.iter().map(|used| format!("`{used}`")).collect();
    let Some(names) = listed(&names) else {
        return problem;
    };
    // "honey" is meant for "cold-honey".
    let alike = used
        .iter()
        .find(|used| used.contains(name) || name.contains(used.as_str()));
    let known: Vec<&str> = used.iter().map(String::as_str).collect();
    let meant = match known.as_slice() {
        [only] => Some(*only),
        _ => nearest(name, &known).or(alike.map(String::as_str)),
    };
    let typed = place.source.inner();
    problem.help(match meant {
        Some(meant) if typed.starts_with("--set ") => {
            let path = |name: &str| format!("materials.{name}");
            let typed = typed.replacen(&path(name), &path(meant), 1);
            format!("the scene's liquids are made of {names}: write {typed}")
        }
        _ => format!("the scene's liquids are made of {names}"),
    })
}

impl Materials {
    /// Whether a liquid or an emitter is made of the material of that name.
    pub(super) fn is_used(&self, name: &str) -> bool {
        self.used.iter().any(|used| used == name)
    }

    /// The materials that a liquid or an emitter is made of.
    pub(super) fn used(&self) -> impl Iterator<Item = &Material> {
        self.list
            .iter()
            .filter(|material| self.is_used(&material.name))
    }

    /// The material of that name; one's own go before presets.
    pub(super) fn find(&self, name: &str) -> Option<MaterialId> {
        let index = self
            .list
            .iter()
            .position(|material| material.name == name)?;
        u8::try_from(index).ok().map(MaterialId)
    }
}
