//! The JSON schema of scene files, for editors that complete keys and underline mistakes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::file::SceneKeys;
use crate::keys::{KeyKind, Kind, Methods, Number, OptionKind, Presence, TableKind, VariantsKind};

/// The JSON schema of scene files, of draft 7, which is what editors of TOML know.
pub fn schema_json() -> Value {
    let mut schema = Schema::default();
    let Value::Object(mut root) = schema.table(&SceneKeys::description()) else {
        return Value::Null;
    };
    root.insert(
        "$schema".into(),
        "http://json-schema.org/draft-07/schema#".into(),
    );
    root.insert("title".into(), "ooze scene".into());
    root.insert("definitions".into(), Value::Object(schema.definitions()));
    Value::Object(root)
}

/// Collects the tables that are referred to.
#[derive(Default)]
struct Schema {
    /// By id; none while a table that refers to itself is being written.
    definitions: BTreeMap<&'static str, Option<Value>>,
}

impl Schema {
    fn definitions(self) -> Map<String, Value> {
        let named = self.definitions.into_iter();
        named
            .filter_map(|(id, value)| Some((name(id), value?)))
            .collect()
    }

    /// A reference to a definition, which is written if it is not there yet.
    fn refer(&mut self, id: &'static str, write: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.definitions.contains_key(id) {
            self.definitions.insert(id, None);
            let value = write(self);
            self.definitions.insert(id, Some(value));
        }
        json!({ "$ref": format!("#/definitions/{}", name(id)) })
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Number(rules) => number(rules),
            Kind::Whole(rules) => {
                json!({ "type": "integer", "minimum": rules.low, "maximum": rules.high })
            }
            Kind::Vector(rules) => {
                json!({ "type": "array", "items": number(&rules.component), "minItems": 3, "maxItems": 3 })
            }
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Text(words) if words.is_empty() => json!({ "type": "string" }),
            Kind::Text(words) => json!({ "type": "string", "enum": words }),
            Kind::Choice(describe) => {
                let option = |option: &OptionKind| json!({ "const": option.name, "description": option.doc });
                let options: Vec<Value> = describe().options.iter().map(option).collect();
                json!({ "oneOf": options })
            }
            Kind::List { items, least } => {
                json!({ "type": "array", "items": self.kind(items), "minItems": least })
            }
            Kind::Named(items) => {
                json!({ "type": "object", "additionalProperties": self.kind(items) })
            }
            Kind::Table(describe) => {
                let table = describe();
                self.refer(table.id, |schema| schema.table(&table))
            }
            Kind::Variants(describe) => {
                let variants = describe();
                self.refer(variants.id, |schema| schema.variants(&variants))
            }
        }
    }

    fn table(&mut self, table: &TableKind) -> Value {
        let properties: Map<String, Value> = table
            .keys
            .iter()
            .map(|key| (key.name.into(), self.key(key)))
            .collect();
        let required: Vec<&str> = table
            .keys
            .iter()
            .filter(|key| key.presence == Presence::Required)
            .map(|key| key.name)
            .collect();
        let object = json!({
            "type": "object",
            "description": table.doc,
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        let short = table
            .shorthand
            .and_then(|short| table.keys.iter().find(|key| key.name == short));
        match short {
            Some(key) => {
                let short = self.kind(&key.kind);
                json!({ "description": table.doc, "anyOf": [short, object] })
            }
            None => object,
        }
    }

    fn key(&mut self, key: &KeyKind) -> Value {
        let mut value = self.kind(&key.kind);
        if let Value::Object(fields) = &mut value {
            let mut description = match key.kind.unit() {
                Some(unit) => format!("{} In {unit}.", key.doc),
                None => key.doc.clone(),
            };
            let methods = key.readers.methods;
            if methods != Methods::ALL {
                description += &format!(" Read by {}.", methods.in_words());
            }
            fields.insert("description".into(), description.into());
            if let Presence::Default(default) = &key.presence {
                fields.insert("default".into(), as_json(default));
            }
        }
        value
    }

    fn variants(&mut self, variants: &VariantsKind) -> Value {
        let mut options = Vec::new();
        for variant in &variants.variants {
            let content = self.kind(&variant.kind);
            options.push(json!({
                "type": "object",
                "description": variant.doc,
                "properties": { variant.name: content },
                "required": [variant.name],
                "additionalProperties": false,
            }));
            if variant.needs_no_table() {
                options.push(json!({ "const": variant.name, "description": variant.doc }));
            }
        }
        json!({ "description": variants.doc, "oneOf": options })
    }
}

fn number(rules: &Number) -> Value {
    let low = if rules.above {
        "exclusiveMinimum"
    } else {
        "minimum"
    };
    json!({ "type": "number", low: rules.low, "maximum": rules.high })
}

/// A name without spaces.
fn name(id: &str) -> String {
    id.replace(' ', "-")
}

/// A default, which is written as TOML, as JSON; plain values look alike in both.
fn as_json(default: &str) -> Value {
    serde_json::from_str(default).unwrap_or_else(|_| default.into())
}
