//! Reproducible randomness: a number is a hash of what it is for, so that it does not depend on the order of calls.

/// A well-mixed hash of two words (the finaliser of splitmix64).
pub fn hash(seed: u64, counter: u64) -> u64 {
    let mut z = seed ^ counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in [0, 1) that depends on `seed` and `counter` alone.
pub fn uniform(seed: u64, counter: u64) -> f32 {
    (hash(seed, counter) >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_numbers_fill_the_unit_interval_evenly() {
        let mut bins = [0u32; 10];
        for counter in 0..100_000 {
            bins[(uniform(7, counter) * 10.0) as usize] += 1;
        }
        // Each bin expects 10 000 with a standard deviation of 95.
        assert!(
            bins.iter().all(|&count| (9_500..10_500).contains(&count)),
            "{bins:?}"
        );
    }
}
