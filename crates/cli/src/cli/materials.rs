//! `ooze materials`: the presets, their values and sources, and which methods read what.

use ooze_core::{Material, MaterialPreset};
use ooze_scene::{method_names, readers_of, suggestion};

use super::arguments::Materials;
use super::failure::Failure;
use super::table::aligned;
use super::words::say;

/// One line a preset, or all about one of them.
pub(crate) fn materials(arguments: Materials) -> Result<(), Failure> {
    let Some(name) = &arguments.name else {
        return say(&list());
    };
    let preset = MaterialPreset::find(name).ok_or_else(|| {
        let known: Vec<&str> = Material::presets()
            .iter()
            .map(|preset| preset.name)
            .collect();
        let help = suggestion(name, &known);
        Failure::Usage(format!("there is no material `{name}`; {help}"))
    })?;
    say(&describe(preset))
}

fn list() -> String {
    let rows: Vec<Vec<String>> = Material::presets()
        .iter()
        .map(|preset| {
            let material = preset.material();
            let extras: Vec<&str> = material
                .properties()
                .iter()
                .map(|property| property.key)
                .filter(|key| *key != "surface_tension" && !key.contains('.'))
                .collect();
            vec![
                preset.name.into(),
                format!("{}", material.density),
                format!("{}", material.viscosity),
                extras.join(", "),
                preset.summary.into(),
            ]
        })
        .collect();
    let header = ["material", "kg/m³", "Pa s", "beyond flowing", "what"];
    let rows = aligned(&header, &rows, header.len());
    format!("{rows}\n`ooze materials NAME` shows values, sources, and which methods read what.\n")
}

fn describe(preset: &MaterialPreset) -> String {
    let material = preset.material();
    let always = [
        ("density", format!("{} kg/m³", material.density)),
        ("viscosity", format!("{} Pa s", material.viscosity)),
        (
            "temperature",
            format!("{:.1} K, for which these values hold", material.temperature),
        ),
    ];
    let always = always.map(|(key, words)| (key.to_owned(), words));
    let others = material.properties().into_iter();
    let others = others.map(|property| (property.key.to_owned(), property.words));
    let rows: Vec<Vec<String>> = always
        .into_iter()
        .chain(others)
        .map(|(key, words)| {
            let readers = readers_of(&key);
            vec![key, words, in_words(&readers)]
        })
        .collect();
    let header = ["key", "value", "read by"];
    format!(
        "{name}: {summary}\n\n{}\nSource: {}.\nIn a scene: material = \"{name}\", or a material of your own with base = \"{name}\".\n",
        aligned(&header, &rows, header.len()),
        preset.source,
        name = preset.name,
        summary = preset.summary,
    )
}

/// Who reads a property.
fn in_words(readers: &[&str]) -> String {
    match readers.len() {
        0 => "no method yet".into(),
        all if all == method_names().count() => "all methods".into(),
        _ => readers.join(", "),
    }
}
