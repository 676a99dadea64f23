//! The reference of scene files and the list of materials, as Markdown, from the descriptions that drive the reader.

use std::fmt::Write;

use ooze_core::Material;

use crate::file::{SceneKeys, material_properties, preset_names};
use crate::keys::{
    ChoiceKind, KeyKind, Kind, Methods, OptionKind, Presence, TableKind, VariantsKind,
};

/// The reference of all keys of a scene file.
pub fn reference_markdown() -> String {
    let root = SceneKeys::description();
    let mut pages = Pages::default();
    pages.tables(&root);
    let mut text = String::from("# Scene files\n\n");
    let _ = writeln!(
        text,
        "Made from the code that reads scenes, which `ooze reference` prints: do not edit. A scene is a [TOML](https://toml.io) file. {}\n",
        root.doc
    );
    text.push_str(
        "Keys that are not required may be left out. A key that nobody knows, a value of the wrong type or out of range, and keys that \
         contradict each other are refused, all of them at once, with file, line and column. Where not every method reads a key, the \
         methods that do are named; for others it is told, by `ooze check` and `ooze run`, that the key is not read, and a scene that would \
         be another in kind is refused unless it agrees, as with `method.may_ignore = [\"flow_curve\"]`.\n\n",
    );
    text.push_str(
        "Write a [table] under a header, as `[domain]`, and each item of a list of tables under one in double brackets, as `[[liquid]]`; small \
         tables fit on a line, as `{ centre = [0, 1, 0], radius = 0.1 }`, and a dotted key, as `shape.sphere.radius = 0.1`, saves headers.\n\n",
    );
    text.push_str("## The file\n\n");
    write_keys(&mut text, &root);
    for section in &pages.sections {
        text.push_str(section);
    }
    // One blank line at most, one newline at the end.
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

/// Sections of the reference, in the order in which they are first referred to.
#[derive(Default)]
struct Pages {
    known: Vec<&'static str>,
    sections: Vec<String>,
}

impl Pages {
    /// Adds sections for everything that the keys of a table refer to.
    fn tables(&mut self, table: &TableKind) {
        for key in &table.keys {
            self.kind(&key.kind);
        }
    }

    fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::List { items, .. } | Kind::Named(items) => self.kind(items),
            Kind::Table(describe) => self.table(&describe()),
            Kind::Variants(describe) => self.variants(&describe()),
            _ => {}
        }
    }

    fn table(&mut self, table: &TableKind) {
        if self.known.contains(&table.id) {
            return;
        }
        self.known.push(table.id);
        let mut text = format!("## {}\n\n{}\n\n", title(table.id), table.doc);
        write_keys(&mut text, table);
        self.sections.push(text);
        self.tables(table);
    }

    fn variants(&mut self, variants: &VariantsKind) {
        if self.known.contains(&variants.id) {
            return;
        }
        self.known.push(variants.id);
        let mut text = format!("## {}\n\n{}\n\n", title(variants.id), variants.doc);
        let mut later = Vec::new();
        for variant in &variants.variants {
            let _ = writeln!(text, "### `{}`\n\n{}\n", variant.name, variant.doc);
            match &variant.kind {
                Kind::Table(describe) => {
                    let table = describe();
                    if table.keys.is_empty() {
                        let _ = writeln!(text, "It has no keys: write `\"{}\"`.\n", variant.name);
                    } else {
                        write_keys(&mut text, &table);
                    }
                    later.push(table);
                }
                other => {
                    let _ = writeln!(text, "Its value is {}.\n", type_of(other));
                }
            }
        }
        self.sections.push(text);
        for table in later {
            self.tables(&table);
        }
    }
}

/// Writes the table of a table's keys, and what their words mean.
fn write_keys(text: &mut String, table: &TableKind) {
    text.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
    for key in &table.keys {
        let default = match &key.presence {
            Presence::Required => "required".into(),
            Presence::Optional => String::new(),
            Presence::Default(value) if value == "\"\"" => String::new(),
            Presence::Default(value) => format!("`{value}`"),
        };
        let _ = writeln!(
            text,
            "| `{}` | {} | {default} | {}{} |",
            key.name,
            type_of(&key.kind),
            key.doc,
            readers(key.readers.methods)
        );
    }
    text.push('\n');
    for key in &table.keys {
        if let Kind::Choice(describe) = &key.kind {
            write_words(text, key, &describe());
        }
        if let Kind::List { items, .. } = &key.kind
            && let Kind::Choice(describe) = &**items
        {
            write_words(text, key, &describe());
        }
    }
}

fn write_words(text: &mut String, key: &KeyKind, choice: &ChoiceKind) {
    let _ = writeln!(text, "`{}`: {}\n", key.name, choice.doc);
    for OptionKind { name, doc, methods } in &choice.options {
        let _ = writeln!(text, "- `\"{name}\"`: {doc}{}", readers(*methods));
    }
    text.push('\n');
}

/// Which methods read a key, unless all do.
fn readers(methods: Methods) -> String {
    if methods == Methods::ALL {
        String::new()
    } else {
        format!(" *Read by {}.*", methods.in_words())
    }
}

/// The type of a value, in words.
fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Number(rules) => format!("number {}", rules.range()),
        Kind::Whole(rules) => format!("whole number {}", rules.range()),
        Kind::Vector(rules) if rules.direction => "direction [x, y, z] of any length".into(),
        Kind::Vector(rules) => format!("[x, y, z], each {}", rules.component.range()),
        Kind::Flag => "true or false".into(),
        Kind::Text(words) if words.is_empty() => "string".into(),
        Kind::Text(words) if *words == preset_names() => "name of a [preset](materials.md)".into(),
        Kind::Text(words) => words_of(words),
        Kind::Choice(describe) => {
            let options = describe().options;
            let words: Vec<&str> = options.iter().map(|option| option.name).collect();
            words_of(&words)
        }
        Kind::List { items, .. } => format!("list of {}", type_of(items)),
        Kind::Named(items) => format!("names with {}", type_of(items)),
        Kind::Table(describe) => link(describe().id),
        Kind::Variants(describe) => link(describe().id),
    }
}

fn words_of(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
    words.join(", ")
}

fn link(id: &str) -> String {
    format!("[{}](#{})", id, id.replace(' ', "-"))
}

fn title(id: &str) -> String {
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The list of material presets with their numbers and sources.
pub fn materials_markdown() -> String {
    let mut text = String::from(
        "# Materials\n\nMade from the presets in the code: do not edit. Use a preset by its name, as `material = \"honey\"`, or \
         start a material of your own from it: `[materials.runny-honey]` with `base = \"honey\"` and `viscosity = 3`. Real liquids of one name \
         differ widely; each preset is one reasonable specimen. The sources say where such numbers are found; look there before you rely on a digit.\n\n\
         | name | what | density kg/m³ | viscosity Pa s | surface tension N/m | at °C |\n|---|---|---|---|---|---|\n",
    );
    let number = |value: f32| {
        if value < 1e6 {
            value.to_string()
        } else {
            format!("{value:e}")
        }
    };
    for preset in Material::presets() {
        let material = preset.material();
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            preset.name,
            preset.summary,
            material.density,
            number(material.viscosity),
            number(material.surface_tension),
            (material.temperature - 273.15).round()
        );
    }
    text.push_str(
        "\n## Beyond flowing\n\nDensity and viscosity are read by every method. Of the rest:\n\n| property | read by |\n|---|---|\n",
    );
    for (key, readers) in material_properties() {
        let _ = writeln!(text, "| `{key}` | {} |", readers.methods.in_words());
    }
    text.push_str(
        "\nWhat a method does not read, and would be missed, is told by `ooze check` and `ooze run`; `method.may_ignore` agrees to it.\n\n",
    );
    for preset in Material::presets() {
        let lines = beyond_flowing(&preset.material());
        if !lines.is_empty() {
            let _ = writeln!(text, "- `{}`: {}", preset.name, lines.join("; "));
        }
    }
    text.push_str("\n## Sources\n\n");
    for preset in Material::presets() {
        let _ = writeln!(text, "- `{}`: {}.", preset.name, preset.source);
    }
    text
}

/// What a material has beyond flowing, in words.
fn beyond_flowing(material: &Material) -> Vec<String> {
    let properties = material.properties().into_iter();
    properties
        .filter(|property| property.key != "surface_tension")
        .map(|property| property.words)
        .collect()
}
