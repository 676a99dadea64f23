//! What heats and cools a liquid.

use std::sync::Arc;

use ooze_core::{Ambient, HeatSetup, Heater, HeaterStrength, Material, WallHeat};

use super::Checker;
use super::material::Materials;
use crate::Problem;
use crate::file::{ClosedKeys, HEATED, HeaterKeys, SceneKeys, SideKeys, WARM};
use crate::place::{Place, Placed};
use crate::presets::MUELLER;

impl Checker {
    /// Air and heaters.
    pub(super) fn heat(&mut self, keys: &SceneKeys) -> HeatSetup {
        let ambient = keys.air.as_ref().map(|air| Ambient {
            temperature: air.temperature.value as f32,
            transfer: air.heat_transfer.value as f32,
            emissivity: air.emissivity.value as f32,
        });
        let list = &keys.heater;
        let names = self.names(
            "heater",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let heaters = list.iter().zip(names);
        let heaters = heaters.filter_map(|(keys, name)| self.heater(keys, name));
        HeatSetup {
            heaters: heaters.collect(),
            ambient,
        }
    }

    fn heater(&mut self, keys: &Placed<HeaterKeys>, name: String) -> Option<Heater> {
        self.start_before_stop(&keys.start, keys.stop.as_ref());
        let strength = match (&keys.temperature, &keys.power) {
            (Some(temperature), None) => Some(HeaterStrength::Temperature {
                temperature: temperature.value as f32,
                transfer: keys.heat_transfer.value as f32,
            }),
            (None, Some(power)) => {
                if keys.heat_transfer.explicit {
                    let why = "a heater of so many watts gives them whatever is in the way";
                    self.clash(&power.place, &keys.heat_transfer.place, why);
                }
                Some(HeaterStrength::Power(power.value as f32))
            }
            (Some(temperature), Some(power)) => {
                let why = "a heater either has a temperature or gives so many watts";
                self.clash(&temperature.place, &power.place, why);
                None
            }
            (None, None) => {
                let key = &keys.place.key;
                let message = format!("`{key}` must have either `temperature` or `power`");
                self.error(Problem::error(&keys.place, message));
                None
            }
        };
        let motion = self.motion(&keys.motion);
        let shape = self.moving_shape(&keys.shape, motion.as_ref(), &keys.motion);
        Some(Heater {
            name,
            shape: Arc::new(shape?),
            motion: motion?,
            strength: strength?,
            reach: keys.reach.value as f32,
            depth: keys.depth.as_ref().unwrap_or(&keys.reach).value as f32,
            shadows: keys.shadows.value,
            start: keys.start.value,
            stop: keys.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value),
        })
    }

    /// The heat of a wall.
    pub(super) fn wall_heat(
        &mut self,
        temperature: Option<&Placed<f64>>,
        transfer: Option<&Placed<f64>>,
    ) -> Option<WallHeat> {
        if let Some(transfer) = transfer.filter(|_| temperature.is_none()) {
            let message = format!(
                "`{}` needs a `temperature` beside it: walls without one pass no heat",
                transfer.place.key
            );
            self.error(Problem::error(&transfer.place, message));
        }
        temperature.map(|temperature| WallHeat {
            temperature: temperature.value as f32,
            transfer: transfer.map(|transfer| transfer.value as f32),
        })
    }

    /// Refuses temperatures of liquids whose materials say nothing of heat.
    pub(super) fn thermal_values(&mut self, keys: &SceneKeys, materials: &Materials) {
        let liquids = keys.liquid.iter();
        let liquids = liquids.map(|liquid| (liquid.temperature.as_ref(), &liquid.material));
        let emitters = keys.emitter.iter();
        let emitters = emitters.map(|emitter| (emitter.temperature.as_ref(), &emitter.material));
        let drops = keys.drops.iter().map(|drops| {
            let mut single = drops.at.iter().filter_map(|drop| drop.temperature.as_ref());
            let temperature = drops.temperature.as_ref().or_else(|| single.next());
            (temperature, &drops.material)
        });
        let sources: Vec<_> = liquids.chain(emitters).chain(drops).collect();
        let air = keys.air.as_ref().map(|air| &air.place);
        let heater = keys.heater.first().map(|heater| &heater.place);
        for (temperature, name) in sources {
            let own = temperature.map(|temperature| &temperature.place);
            let Some(asked) = own.or(air).or(heater) else {
                continue;
            };
            let material = materials
                .find(name)
                .map(|id| &materials.list[usize::from(id.0)]);
            if let Some(material) = material.filter(|material| material.thermal.is_none()) {
                self.error(lacks_heat(asked, material).and(&name.place));
            }
        }
        self.heat_of_nothing(keys, materials);
    }

    /// Refuses temperatures of materials that say nothing of heat, and of whatever is beside liquids none of which says anything.
    fn heat_of_nothing(&mut self, keys: &SceneKeys, materials: &Materials) {
        let method = keys.method.preset.value;
        // Liquids of particles can have their heat from their method.
        let particles = &keys.method.mueller;
        let by_method =
            particles.heat_diffusivity.is_some() || particles.thermal_expansion.is_some();
        if by_method && MUELLER.contain(method) {
            return;
        }
        let own = keys.materials.0.iter().zip(&materials.list);
        let own = own.filter(|(_, material)| WARM.contain(method) && material.thermal.is_none());
        for ((name, keys), material) in own {
            if let Some(temperature) = keys
                .temperature
                .as_ref()
                .filter(|_| materials.is_used(name))
            {
                self.error(lacks_heat(&temperature.place, material));
            }
        }
        let Some(liquid) = materials.used().next() else {
            return;
        };
        if materials.used().any(|material| material.thermal.is_some()) {
            return;
        }
        let walls = walls(keys).filter(|_| WARM.contain(method));
        let walls = walls.map(|(_, wall)| &wall.temperature);
        let colliders = keys.collider.iter().map(|collider| &collider.temperature);
        let bodies = keys.body.iter().map(|body| &body.temperature);
        let solids = colliders.chain(bodies).filter(|_| HEATED.contain(method));
        for temperature in walls.chain(solids).flatten() {
            self.error(lacks_heat(&temperature.place, liquid));
        }
    }

    /// Warns of warm walls that a liquid of particles does not feel: it does at the bottom and at the top only.
    pub(super) fn walls_without_heat(&mut self, keys: &SceneKeys) {
        let method = keys.method.preset.value;
        if !MUELLER.contain(method) {
            return;
        }
        for (side, wall) in walls(keys) {
            let felt = ["bottom", "top"].contains(&side);
            if let Some(temperature) = wall.temperature.as_ref().filter(|_| !felt) {
                let message = format!(
                    "`{}` makes no difference: in `{}` heat passes the bottom and the top only",
                    temperature.place.key,
                    method.name()
                );
                let help = "leave it out, or use the method `flip`";
                self.warnings
                    .push(Problem::warning(&temperature.place, message).help(help));
            }
        }
    }
}

/// The closed sides that a scene tells of, by name.
pub(super) fn walls(keys: &SceneKeys) -> impl Iterator<Item = (&'static str, &ClosedKeys)> {
    let sides = keys.domain.iter().flat_map(|domain| {
        let sides = &domain.sides.value;
        [
            ("left", &sides.left),
            ("right", &sides.right),
            ("bottom", &sides.bottom),
            ("top", &sides.top),
            ("back", &sides.back),
            ("front", &sides.front),
        ]
    });
    sides.filter_map(|(name, side)| match &side.as_ref()?.value {
        SideKeys::Closed(wall) => Some((name, &**wall)),
        SideKeys::Open(_) => None,
    })
}

fn lacks_heat(asked: &Place, material: &Material) -> Problem {
    let own = &material.name;
    let message = format!(
        "`{}` asks for heat, but `{own}` has no thermal values: neither conductivity nor specific heat",
        asked.key
    );
    Problem::error(asked, message).help(format!(
        "give it some: materials.{own}.thermal = {{ conductivity = 0.2, specific_heat = 2000 }}"
    ))
}
