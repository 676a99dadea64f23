//! What must hold for every method: extreme scenes, whole scenes, kills and resumes.

mod bits;
mod coupled;
mod events;
mod extremes;
mod floating;
mod forces;
mod heat;
mod ice;
mod jelly;
mod plugs;
mod rigid_fluid;
mod stuck;
mod texture;
mod warm;
mod whole;

use ooze::simulation::{Finished, Moment, Sink, SinkError};
use ooze::{Outcome, Simulation, SimulationError};
use ooze_core::FrameStatistics;
use ooze_scene::{Override, Scene, method_names};
use std::sync::{Arc, Mutex};

#[test]
fn no_method_is_left_out() {
    let schema = ooze_scene::schema_json();
    let mut found = Vec::new();
    collect_lists(&schema, &mut found);
    let of_methods = found.iter().find(|list| list.contains(&"goktekin-2011"));
    let mut listed = of_methods.expect("a list of methods").clone();
    let mut known: Vec<&str> = method_names().collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}

/// All lists of words in a schema.
fn collect_lists<'a>(value: &'a serde_json::Value, found: &mut Vec<Vec<&'a str>>) {
    use serde_json::Value;
    match value {
        Value::Array(items) => {
            let word = |item: &'a Value| item.as_str().or_else(|| item.get("const")?.as_str());
            if let Some(words) = items.iter().map(word).collect::<Option<Vec<_>>>() {
                found.push(words);
            }
            items.iter().for_each(|item| collect_lists(item, found));
        }
        Value::Object(members) => members.values().for_each(|item| collect_lists(item, found)),
        _ => {}
    }
}

/// The scene of a text with a method.
fn scene(text: &str, method: &str) -> Scene {
    let overrides = [Override::method(method)];
    Scene::parse_with(text, "test.toml", "", &overrides)
        .unwrap_or_else(|errors| panic!("{method}: {:?}", errors.problems()))
}

/// Keeps the figures of every frame.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<FrameStatistics>>>);

impl Sink for Listener {
    fn frame(&mut self, _moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let mut frames = self.0.lock().expect("nobody panicked");
        frames.push(finished.statistics.clone());
        Ok(())
    }
}

/// Runs a scene to its end; the figures of its frames.
fn run(scene: &Scene) -> Result<Vec<FrameStatistics>, SimulationError> {
    let mut simulation = Simulation::of_scene(scene).unwrap();
    let listener = Listener::default();
    simulation.add_sink(Box::new(listener.clone()));
    assert_eq!(simulation.run(&|| false)?, Outcome::Finished);
    Ok(listener.0.lock().expect("nobody panicked").clone())
}
