//! Commented scenes to start from, one for each kind of method.

use crate::presets::MethodPreset;
use crate::written::quoted;

/// The text of a new scene of that name.
pub fn starter(name: &str) -> String {
    filled(MethodPreset::Flip, name)
}

/// The text of a new scene of that name that suits a method, if there is such a method.
pub fn starter_for(method: &str, name: &str) -> Option<String> {
    let mut presets = MethodPreset::ALL.iter();
    let (_, preset) = presets.find(|(known, _)| *known == method)?;
    Some(filled(*preset, name))
}

fn filled(preset: MethodPreset, name: &str) -> String {
    let template = match preset {
        // What sets it apart from its family are bodies.
        MethodPreset::Carlson2004Rigid => include_str!("../scenes/starter-bodies.toml.in"),
        _ => preset.method().family().starter(),
    };
    template
        .replace("{name}", &quoted(name))
        .replace("{method}", preset.name())
}
