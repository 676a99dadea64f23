//! Schema, reference and list of materials are made from the same descriptions as the reader, and are current.

use std::path::PathBuf;

use ooze_scene::{
    Scene, builtin, materials_markdown, method_names, reference_markdown, schema_json, starter,
    starter_for,
};
use serde_json::Value;

/// Compares a committed document with what the code would write; `OOZE_UPDATE_DOCS=1` writes it.
fn assert_current(name: &str, made: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    if std::env::var_os("OOZE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "docs/{name} is not current: run OOZE_UPDATE_DOCS=1 cargo test -p ooze-scene --test documents"
    );
}

#[test]
fn the_reference_is_current() {
    assert_current("scene-reference.md", &reference_markdown());
}

#[test]
fn the_list_of_materials_is_current() {
    assert_current("materials.md", &materials_markdown());
}

#[test]
fn the_scene_in_the_readme_runs_in_a_minute() {
    let readme = include_str!("../../../README.md");
    let (_, section) = readme.split_once("## A scene\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with("    "));
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
    let text: Vec<&str> = lines
        .map(|line| line.strip_prefix("    ").unwrap_or(""))
        .collect();
    let scene = Scene::parse(&text.join("\n"), "splash.toml", "")
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(scene.name, "splash");
    assert_eq!(scene.warnings().len(), 0, "{:?}", scene.warnings());
    // Some 0.7 million particle-steps a second and core, and a picture a second, on two cores.
    assert!(scene.prediction().most_particles < 75_000);
    assert!(scene.time.frames <= 30);
}

#[test]
fn the_reference_names_the_methods_that_read_a_key() {
    let text = reference_markdown();
    for (key, readers) in [
        ("flow_curve", "*Read by no method yet.*"),
        (
            "viscosity_gradient",
            "*Read by `flip`, `apic`, `batty-bridson-2008` and `carlson-2004`.*",
        ),
        ("relaxation_time", "*Read by `clavet` and `clavet-2005`.*"),
        ("level_set", "*Read by `level-set` and `goktekin-2011`.*"),
    ] {
        let mut lines = text
            .lines()
            .filter(|line| line.starts_with(&format!("| `{key}` |")));
        assert!(lines.all(|line| line.contains(readers)), "{key}");
    }
    let free: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `density` | number"))
        .collect();
    let read_by_all = free.iter().all(|line| !line.contains("Read by"));
    assert!(!free.is_empty() && read_by_all, "{free:?}");
}

#[test]
fn links_of_the_reference_lead_somewhere() {
    let text = reference_markdown();
    let anchors: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|title| title.to_lowercase().replace(' ', "-"))
        .collect();
    let links: Vec<&str> = text
        .split("](#")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link)
        .collect();
    assert!(links.len() > 20);
    for link in links {
        assert!(
            anchors.iter().any(|anchor| anchor == link),
            "#{link} leads nowhere"
        );
    }
}

/// Checks a value against the part of JSON schema that ours uses; returns what is wrong.
fn violation(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    if let Some(reference) = schema.get("$ref") {
        let pointer = reference.as_str()?.trim_start_matches('#');
        let target = root.pointer(pointer);
        let Some(target) = target else {
            return Some(format!("{pointer} is missing"));
        };
        return violation(value, target, root);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(options) = schema.get(key).and_then(Value::as_array) {
            let fitting = options
                .iter()
                .filter(|option| violation(value, option, root).is_none())
                .count();
            let enough = if key == "anyOf" {
                fitting >= 1
            } else {
                fitting == 1
            };
            return (!enough).then(|| format!("{value} fits {fitting} options of {key}"));
        }
    }
    if let Some(constant) = schema.get("const") {
        return (value != constant).then(|| format!("{value} is not {constant}"));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return (!words.contains(value)).then(|| format!("{value} is none of the words"));
    }
    let wrong_type = || Some(format!("{value} is no {}", schema["type"]));
    match schema["type"].as_str() {
        Some("object") => {
            let Some(fields) = value.as_object() else {
                return wrong_type();
            };
            let required = schema.get("required").and_then(Value::as_array);
            let missing = required
                .into_iter()
                .flatten()
                .find(|key| !fields.contains_key(key.as_str().unwrap_or("")));
            if let Some(missing) = missing {
                return Some(format!("{missing} is missing"));
            }
            fields.iter().find_map(|(key, field)| {
                let known = schema.pointer(&format!("/properties/{key}"));
                match (known, &schema["additionalProperties"]) {
                    (Some(known), _) => {
                        violation(field, known, root).map(|why| format!("{key}: {why}"))
                    }
                    (None, Value::Object(_)) => {
                        violation(field, &schema["additionalProperties"], root)
                    }
                    _ => Some(format!("{key} is unknown")),
                }
            })
        }
        Some("array") => {
            let Some(items) = value.as_array() else {
                return wrong_type();
            };
            let count = items.len() as u64;
            let bounds = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
            if bounds.0.is_some_and(|least| count < least)
                || bounds.1.is_some_and(|most| count > most)
            {
                return Some(format!("{count} items"));
            }
            items
                .iter()
                .find_map(|item| violation(item, &schema["items"], root))
        }
        Some("number") => {
            let Some(number) = value.as_f64() else {
                return wrong_type();
            };
            let too_low = schema["minimum"].as_f64().is_some_and(|low| number < low)
                || schema["exclusiveMinimum"]
                    .as_f64()
                    .is_some_and(|low| number <= low);
            let too_high = schema["maximum"].as_f64().is_some_and(|high| number > high);
            (too_low || too_high).then(|| format!("{number} is out of range"))
        }
        Some("integer") => {
            let Some(number) = value.as_u64() else {
                return wrong_type();
            };
            let low = schema["minimum"].as_u64().unwrap_or(0);
            let high = schema["maximum"].as_u64().unwrap_or(u64::MAX);
            (!(low..=high).contains(&number)).then(|| format!("{number} is out of range"))
        }
        Some("boolean") => value
            .as_bool()
            .is_none()
            .then(|| format!("{value} is no flag")),
        Some("string") => value
            .as_str()
            .is_none()
            .then(|| format!("{value} is no string")),
        other => Some(format!("the schema has a type {other:?}")),
    }
}

fn json(text: &str) -> Value {
    let value: toml::Value = toml::from_str(text).unwrap();
    serde_json::to_value(value).unwrap()
}

#[test]
fn built_in_scenes_and_the_starter_fit_the_schema() {
    let schema = schema_json();
    let built_in = builtin::list()
        .iter()
        .map(|builtin| builtin.text.to_owned());
    let methods = method_names();
    let starters = methods.filter_map(|method| starter_for(method, "x"));
    for text in built_in.chain(starters).chain([starter("x")]) {
        let value = json(&text);
        assert_eq!(violation(&value, &schema, &schema), None, "{value:#}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema_json();
    let good = "[domain]\nsize = [1, 1, 1]\n";
    assert_eq!(violation(&json(good), &schema, &schema), None);
    for (change, why) in [
        ("cells = 3\n", "out of range"),
        ("cels = 64\n", "unknown"),
        ("flat = \"yes\"\n", "no flag"),
        ("sides.top = \"ajar\"\n", "fits 0 options"),
        ("[[liquid]]\nmaterial = \"water\"\n", "\"shape\" is missing"),
        (
            "[[liquid]]\nshape.sphere = { centre = [0, 0], radius = 1 }\n",
            "fits 0 options",
        ),
        ("[[liquid]]\nshape = \"sphere\"\n", "fits 0 options"),
        ("[materials.a]\nbase = \"hony\"\n", "fits 0 options"),
        ("[[liquid]]\nshape.union = []\n", "fits 0 options"),
    ] {
        let found = violation(&json(&format!("{good}{change}")), &schema, &schema);
        assert!(
            found.as_ref().is_some_and(|found| found.contains(why)),
            "{change}: {found:?}"
        );
    }
    for fitting in [
        "sides.top = \"open\"\n",
        "sides.top = { closed = { contact = \"sticky\" } }\n",
        "[materials]\nsauce = \"ketchup\"\n",
        "[method]\npreset = \"apic\"\n",
    ] {
        assert_eq!(
            violation(&json(&format!("{good}{fitting}")), &schema, &schema),
            None,
            "{fitting}"
        );
    }
    assert_eq!(
        violation(
            &json(&format!("method = \"apic\"\n{good}")),
            &schema,
            &schema
        ),
        None
    );
}

#[test]
fn every_key_is_documented() {
    fn walk(value: &Value, path: &str, undocumented: &mut Vec<String>) {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            for (key, property) in properties {
                let documented = property["description"]
                    .as_str()
                    .is_some_and(|doc| doc.len() > 3);
                let reference_in_variant = property.get("$ref").is_some();
                if !documented && !reference_in_variant {
                    undocumented.push(format!("{path}.{key}"));
                }
            }
        }
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(key, field)| walk(field, &format!("{path}.{key}"), undocumented)),
            Value::Array(items) => items.iter().for_each(|item| walk(item, path, undocumented)),
            _ => {}
        }
    }
    let mut undocumented = Vec::new();
    walk(&schema_json(), "", &mut undocumented);
    // Lists inside of variants are documented by the variant.
    undocumented.retain(|path| !path.ends_with("union") && !path.ends_with("intersection"));
    assert_eq!(undocumented, Vec::<String>::new());
}
