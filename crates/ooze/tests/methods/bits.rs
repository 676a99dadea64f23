//! Simulations that come to the same bits.

use ooze::Simulation;
use ooze_core::{ChannelData, Channels, Checkpoint};
use ooze_scene::Scene;

/// All numbers of some channels.
fn numbers(channels: &Channels) -> Vec<(String, Vec<u64>)> {
    let bits = |data: &ChannelData| match data {
        ChannelData::Scalar(values) => values.iter().map(|value| value.to_bits().into()).collect(),
        ChannelData::Double(values) => values.iter().map(|value| value.to_bits()).collect(),
        ChannelData::Vector(values) => {
            let components = values.iter().flat_map(|value| value.to_array());
            components.map(|value| value.to_bits().into()).collect()
        }
        ChannelData::Byte(values) => values.iter().map(|&value| value.into()).collect(),
        _ => Vec::new(),
    };
    let named = channels
        .iter()
        .map(|(name, data)| (name.to_string(), bits(data)));
    named.collect()
}

/// All numbers of a simulation's state.
fn state(simulation: &Simulation) -> [Vec<(String, Vec<u64>)>; 2] {
    let (liquid, solids) = (simulation.liquid(), simulation.solids());
    [liquid.save(), solids.save()].map(|channels| numbers(&channels))
}

/// Runs a scene on one thread, on three, and in two parts, of which it shows the first after so many frames.
pub(crate) fn check_bits(scene: &Scene, frames: u32, look: impl Fn(&Simulation)) {
    let whole_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads").install(|| {
            let mut simulation = Simulation::of_scene(scene).expect("a fair scene");
            simulation.run(&|| false).expect("it runs");
            state(&simulation)
        })
    };
    let whole = whole_on(1);
    assert_eq!(whole, whole_on(3));
    let mut first = Simulation::of_scene(scene).expect("a fair scene");
    for _ in 0..frames {
        first.advance_frame(&|| false).expect("a frame");
    }
    look(&first);
    let checkpoint = Checkpoint {
        progress: first.progress().clone(),
        liquid: first.liquid().save(),
        solids: first.solids().save(),
    };
    let mut second = Simulation::of_scene(scene).expect("a fair scene");
    second.restore(checkpoint).expect("it is what was saved");
    second.run(&|| false).expect("it runs");
    assert_eq!(state(&second), whole);
}
