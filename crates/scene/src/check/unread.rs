//! What a scene asks for and its method does not read: nothing of it passes in silence.
//!
//! A key that the method does not read is a warning. Where it would make the liquid another in kind, as elasticity does, it is an
//! error unless the scene agrees, in `method.may_ignore`, whether the scene writes it or a material has it from its preset; what
//! hardly matters is listed by `ooze check`.

use ooze_core::{Material, Property};

use super::Checker;
use super::material::Materials;
use crate::Problem;
use crate::file::{MethodKeys, SceneKeys, SideKeys, material_properties, property_names};
use crate::keys::{Asked, Methods, Readers, listed};
use crate::place::{Place, Placed};

/// What the chosen method makes of a scene's wishes.
struct Reading<'a> {
    keys: &'a SceneKeys,
    materials: &'a Materials,
    asked: &'a [Asked],
}

impl Reading<'_> {
    fn method(&self) -> &Placed<MethodKeys> {
        &self.keys.method
    }

    /// Whether the chosen method is among those that read something.
    fn reads(&self, methods: Methods) -> bool {
        methods.contain(self.method().preset.value)
    }

    fn method_name(&self) -> &'static str {
        self.method().preset.value.name()
    }

    /// Whether the scene agrees that a property is not read.
    fn agreed(&self, name: &str) -> bool {
        let agreed = self.method().may_ignore.as_ref();
        agreed.is_some_and(|list| list.iter().any(|agreed| agreed.value == name))
    }

    /// How to agree that a property is not read.
    fn agreement(&self, name: &str) -> String {
        let method = self.method();
        let agreed = method.may_ignore.iter().flat_map(|list| list.iter());
        let mut names: Vec<String> = agreed.map(|name| format!("\"{}\"", name.value)).collect();
        names.push(format!("\"{name}\""));
        let names = names.join(", ");
        let preset = &method.preset;
        let flag = preset.place.source.name().starts_with("--");
        if preset.explicit && &*preset.place.key == "method" && !flag {
            let preset = preset.value.name();
            format!("method = {{ preset = \"{preset}\", may_ignore = [{names}] }}")
        } else {
            format!("method.may_ignore = [{names}]")
        }
    }

    /// The scene's own material that a key belongs to, and the rest of the key.
    fn own_material<'k>(&self, key: &'k str) -> Option<(&Material, &'k str)> {
        self.materials.list.iter().find_map(|material| {
            let rest = key
                .strip_prefix("materials.")?
                .strip_prefix(&*material.name)?;
            Some((material, rest.strip_prefix('.')?))
        })
    }

    /// Whether a key makes no difference: of a material that no liquid is made of, or a strength of zero.
    fn is_idle(&self, key: &str) -> bool {
        self.own_material(key).is_some_and(|(material, property)| {
            let known = Property::KEYS.contains(&property);
            !self.materials.is_used(&material.name) || known && !has(material, property)
        })
    }

    /// Whether the scene itself writes a property of a material.
    fn is_written(&self, material: &Material, property: &str) -> bool {
        let key = format!("materials.{}.{property}", material.name);
        self.asked.iter().any(|asked| *asked.place.key == key)
    }

    /// Whether temperatures of the scene lie on both sides of a material's melting point.
    fn melts(&self, material: &Material) -> bool {
        let sides = self.keys.domain.as_ref().map(|domain| &domain.sides);
        let sides = sides
            .into_iter()
            .flat_map(|sides| [&sides.bottom, &sides.top]);
        let walls = sides.filter_map(|side| match &side.as_ref()?.value {
            SideKeys::Closed(wall) => Some(&wall.temperature),
            SideKeys::Open(_) => None,
        });
        let started = self.keys.liquid.iter().map(|liquid| &liquid.temperature);
        let emitted = self.keys.emitter.iter().map(|emitter| &emitter.temperature);
        let given = walls.chain(started).chain(emitted).flatten();
        let given = given.map(|given| given.value as f32);
        let liquids = self.materials.used().map(|material| material.temperature);
        let temperatures: Vec<f32> = given.chain(liquids).collect();
        let point = material.thermal.and_then(|thermal| thermal.melting_point);
        point.is_some_and(|point| {
            temperatures.iter().any(|&found| found < point)
                && temperatures.iter().any(|&found| found > point)
        })
    }

    /// Where a material is chosen: its base, or the liquid that is made of the preset.
    fn place_of(&self, material: &Material) -> Place {
        let own = self.keys.materials.0.iter();
        let own = own.filter(|(name, _)| *name == material.name);
        let liquids = self.keys.liquid.iter().map(|liquid| &liquid.material);
        let emitters = self.keys.emitter.iter().map(|emitter| &emitter.material);
        let named = liquids.chain(emitters);
        let named = named.filter(|name| name.value == material.name);
        let places = own.map(|(_, own)| own.base.as_ref().map_or(&own.place, |base| &base.place));
        let mut places = places.chain(named.map(|name| &name.place));
        places.next().unwrap_or(&self.method().place).clone()
    }
}

/// Whether a material has a property.
fn has(material: &Material, property: &str) -> bool {
    material
        .properties()
        .iter()
        .any(|found| found.key == property)
}

/// Whether a key is a property of materials or liquids, which a scene can agree to do without.
fn is_property(key: &str) -> bool {
    property_names().contains(&key)
}

/// Whether a key is one of another's.
fn is_within(key: &str, table: &str) -> bool {
    key.strip_prefix(table)
        .is_some_and(|rest| rest.starts_with('.'))
}

/// The last part of a path of keys.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl Checker {
    /// Tells what the method does not read; returns, a line each, what is not worth a warning.
    pub(super) fn unread(
        &mut self,
        keys: &SceneKeys,
        materials: &Materials,
        asked: &[Asked],
    ) -> Vec<String> {
        let reading = Reading {
            keys,
            materials,
            asked,
        };
        self.unread_keys(&reading);
        self.unread_properties(&reading)
    }

    /// Tells which keys of the file the method does not read.
    fn unread_keys(&mut self, reading: &Reading<'_>) {
        let mut told: Vec<&Asked> = Vec::new();
        for asked in reading.asked {
            let key = &*asked.place.key;
            let covered = |outer: &&Asked| {
                let graver = asked.readers.essential && !outer.readers.essential;
                is_within(key, &outer.place.key) && !graver
            };
            if reading.reads(asked.readers.methods)
                || reading.agreed(asked.name)
                || reading.is_idle(key)
                || told.iter().any(covered)
            {
                continue;
            }
            told.push(asked);
            let method = reading.method_name();
            let readers = asked.readers.methods.in_words();
            // A word of a list stands under the list's key.
            let what = if last(key) == asked.name {
                format!("`{key}`")
            } else {
                format!("`{key}`, \"{}\",", asked.name)
            };
            let message = if asked.readers.methods == Methods::NONE {
                format!("{what} is read by no method yet")
            } else {
                format!("{what} is not read by the method `{method}`, but by {readers}")
            };
            let label = format!("not read by `{method}`");
            let problem = if asked.readers.essential {
                let help = self.choices(reading, asked.name, asked.readers.methods);
                let other = match is_property(asked.name) {
                    true => "the liquid would be another in kind",
                    false => "the scene would be another",
                };
                let message = format!("{message}: {other}");
                self.errors.push(
                    Problem::error(&asked.place, message)
                        .label(label)
                        .help(help),
                );
                continue;
            } else {
                Problem::warning(&asked.place, message)
            };
            self.warnings.push(problem.label(label).help(
                match asked.readers.methods.names().first() {
                    Some(other) => format!("leave it out, or use the method `{other}`"),
                    None => "leave it out".into(),
                },
            ));
        }
    }

    /// What can be done about a property that is not read.
    fn choices(&self, reading: &Reading<'_>, name: &str, methods: Methods) -> String {
        if let (false, Some(other)) = (is_property(name), methods.names().first()) {
            return format!("leave it out, or use the method `{other}`");
        }
        let agreement = reading.agreement(name);
        match methods.names().first() {
            Some(other) => format!("use the method `{other}`, or agree to do without: {agreement}"),
            None => format!("to agree to do without, write: {agreement}"),
        }
    }

    /// Tells which properties that materials have from their presets the method does not read.
    fn unread_properties(&mut self, reading: &Reading<'_>) -> Vec<String> {
        let mut quiet = Vec::new();
        let carries_heat = material_properties()
            .iter()
            .any(|(key, readers)| key == "thermal" && reading.reads(readers.methods));
        for (key, readers) in material_properties() {
            if reading.reads(readers.methods) {
                continue;
            }
            let mut having: Vec<&Material> = reading
                .materials
                .used()
                .filter(|material| has(material, &key) && !reading.is_written(material, &key))
                .collect();
            if having.is_empty() {
                continue;
            }
            let melting = key == "thermal.melting_point";
            let matters = if melting {
                // Without heat nothing melts.
                having.retain(|material| carries_heat && reading.melts(material));
                !having.is_empty()
            } else {
                readers.essential
            };
            if !matters || reading.agreed(last(&key)) {
                if !key.starts_with("thermal.") {
                    quiet.push(quiet_line(&key, readers, &having));
                }
                continue;
            }
            let problem = self.unread_property(reading, &key, readers, &having);
            self.errors.push(problem);
        }
        quiet
    }

    fn unread_property(
        &self,
        reading: &Reading<'_>,
        key: &str,
        readers: Readers,
        having: &[&Material],
    ) -> Problem {
        let names: Vec<String> = having
            .iter()
            .map(|material| format!("`{}`", material.name))
            .collect();
        let place = reading.place_of(having[0]);
        let words = having[0].properties();
        let words = words.iter().find(|property| property.key == key);
        let words = words.map_or("", |property| property.words.as_str());
        let verb = if names.len() == 1 { "has" } else { "have" };
        let message = format!(
            "{} {verb} a preset's `{}` ({words}), which the method `{}` does not read",
            listed(&names).unwrap_or_default(),
            last(key),
            reading.method_name()
        );
        let help = self.choices(reading, last(key), readers.methods);
        let message = match (readers.methods == Methods::NONE, key) {
            (true, "flow_curve") => format!(
                "{message}, nor does any other yet: it would flow with {} Pa s however hard it is pushed",
                having[0].viscosity
            ),
            (true, "thermal.melting_point") => {
                format!("{message}, nor does any other yet: it would stay liquid")
            }
            (true, _) => format!("{message}, nor does any other yet"),
            (false, _) => message,
        };
        Problem::error(&place, message)
            .label("another in kind")
            .help(help)
    }
}

/// A property that is not read, for the list in `ooze check`.
fn quiet_line(key: &str, readers: Readers, having: &[&Material]) -> String {
    let names: Vec<String> = having
        .iter()
        .map(|material| material.name.clone())
        .collect();
    format!(
        "`{key}` of {} (read by {})",
        listed(&names).unwrap_or_default(),
        readers.methods.in_words()
    )
}
