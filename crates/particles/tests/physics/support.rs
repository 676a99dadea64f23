//! What the tests of both methods share.

use ooze_core::{ChannelData, Liquid, Material};

pub fn water() -> Material {
    Material::preset("water").expect("a built-in material")
}

/// Changes a vector channel of a liquid's state.
pub fn change_vectors<L: Liquid>(
    liquid: &mut L,
    name: &str,
    change: impl Fn(glam::Vec3) -> glam::Vec3,
) {
    let mut saved = liquid.save();
    let values = saved.vectors(name).expect("the channel is there");
    let changed = values.iter().map(|&value| change(value)).collect();
    saved.insert(name, ChannelData::Vector(changed));
    liquid.load(saved).expect("the state fits");
}

/// The bytes of a state.
pub fn digest<L: Liquid>(liquid: &L) -> Vec<u32> {
    let saved = liquid.save();
    let mut bits = Vec::new();
    for (_, data) in saved.iter() {
        match data {
            ChannelData::Vector(values) => {
                let numbers = values.iter().flat_map(|value| value.to_array());
                bits.extend(numbers.map(f32::to_bits));
            }
            ChannelData::Scalar(values) => bits.extend(values.iter().map(|value| value.to_bits())),
            ChannelData::Word(values) => bits.extend(values),
            ChannelData::Byte(values) => bits.extend(values.iter().map(|&value| u32::from(value))),
            ChannelData::Double(values) => {
                bits.extend(values.iter().map(|value| value.to_bits() as u32));
            }
        }
    }
    bits
}

/// Runs `work` on a pool of that many threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads start").install(work)
}
