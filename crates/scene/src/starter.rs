//! A commented scene to start from.

/// The text of a new scene of that name.
pub fn starter(name: &str) -> String {
    let name = toml::Value::String(name.into()).to_string();
    include_str!("../scenes/starter.toml.in").replace("{name}", &name)
}
