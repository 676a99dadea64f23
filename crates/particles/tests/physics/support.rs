//! What the tests of both methods share.

use ooze_core::{ChannelData, Liquid, Material};

pub fn water() -> Material {
    Material::preset("water").expect("a built-in material")
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
