//! Counter-based random numbers: a pure function of pixel, sample and dimension, so that an image depends neither on
//! the order of the work nor on the number of threads, and static parts of a clip keep the same noise in every frame.
//!
//! Pairs of dimensions are Owen-scrambled Sobol points after Burley 2020, "Practical Hash-based Owen Scrambling" (JCGT
//! 9(4)), with the improved Laine-Karras hash given there; every pair is shuffled and scrambled on its own ("padding").
//! The second Sobol dimension's generator is the Pascal matrix modulo 2, applied here in five shifts instead of 32.

/// Mixes a word thoroughly: the `lowbias32` finaliser of Wellons 2018.
#[inline]
pub(crate) fn mix(mut word: u32) -> u32 {
    word ^= word >> 16;
    word = word.wrapping_mul(0x7feb_352d);
    word ^= word >> 15;
    word = word.wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}

/// Combines two words into one hash.
#[inline]
pub(crate) fn mix_pair(first: u32, second: u32) -> u32 {
    mix(first ^ mix(second.wrapping_add(0x9e37_79b9)))
}

#[inline]
fn laine_karras(mut word: u32, seed: u32) -> u32 {
    word ^= word.wrapping_mul(0x3d20_adea);
    word = word.wrapping_add(seed);
    word = word.wrapping_mul((seed >> 16) | 1);
    word ^= word.wrapping_mul(0x0552_6c56);
    word ^ word.wrapping_mul(0x53a2_2864)
}

#[inline]
fn owen_scramble(word: u32, seed: u32) -> u32 {
    laine_karras(word.reverse_bits(), seed).reverse_bits()
}

/// The second Sobol coordinate of a point as a 32-bit fraction, from its index.
#[inline]
fn second_sobol(index: u32) -> u32 {
    // Row k of the Pascal triangle modulo 2 holds the k-th direction number, so the product is a chain of xors.
    let mut word = index.reverse_bits();
    word ^= (word & 0x5555_5555) << 1;
    word ^= (word & 0x3333_3333) << 2;
    word ^= (word & 0x0f0f_0f0f) << 4;
    word ^= (word & 0x00ff_00ff) << 8;
    word ^ ((word & 0x0000_ffff) << 16)
}

/// The largest 24 bits as a float in [0, 1).
#[inline]
fn unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The random numbers of one sample of one pixel.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    pixel: u32,
    sample: u32,
    dimension: u32,
}

impl Sampler {
    /// The stream of sample `sample` of pixel (`x`, `y`).
    #[inline]
    pub(crate) fn new(x: u32, y: u32, sample: u32) -> Self {
        Self {
            pixel: mix_pair(x, y),
            sample,
            dimension: 0,
        }
    }

    /// A well-distributed point of the unit square.
    #[inline]
    pub(crate) fn pair(&mut self) -> [f32; 2] {
        let seed = mix_pair(self.pixel, self.dimension);
        self.dimension += 1;
        let index = owen_scramble(self.sample, seed);
        let first = owen_scramble(index.reverse_bits(), mix(seed ^ 0x68bc_21eb));
        let second = owen_scramble(second_sobol(index), mix(seed ^ 0x02e5_be93));
        [unit(first), unit(second)]
    }

    /// A well-distributed number in [0, 1).
    #[inline]
    pub(crate) fn single(&mut self) -> f32 {
        self.pair()[0]
    }

    /// A cheap generator for long chains of decisions, such as a walk below a surface, where stratification is lost
    /// anyway.
    #[inline]
    pub(crate) fn chain(&mut self) -> Chain {
        let state = mix_pair(mix_pair(self.pixel, self.dimension), self.sample);
        self.dimension += 1;
        Chain { state }
    }
}

/// Independent random numbers from a hashed counter.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    state: u32,
}

impl Chain {
    /// The next number in [0, 1).
    #[inline]
    pub(crate) fn next(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9);
        unit(mix(self.state))
    }

    /// The next two numbers.
    #[inline]
    pub(crate) fn pair(&mut self) -> [f32; 2] {
        [self.next(), self.next()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook recurrence for the direction numbers of the polynomial x + 1 with m₁ = 1.
    fn second_sobol_by_matrix(index: u32) -> u32 {
        let mut direction = 1_u32 << 31;
        let mut result = 0;
        for bit in 0..32 {
            if index >> bit & 1 == 1 {
                result ^= direction;
            }
            direction ^= direction >> 1;
        }
        result
    }

    #[test]
    fn pascal_shortcut_equals_the_direction_numbers() {
        for index in (0..5000).chain([u32::MAX, 0x8000_0001, 0xdead_beef]) {
            assert_eq!(
                second_sobol(index),
                second_sobol_by_matrix(index),
                "index {index}"
            );
        }
    }

    #[test]
    fn every_pair_is_stratified_in_all_elementary_intervals() {
        // 16 points of a (0, 2)-sequence leave exactly one in every 1×16, 2×8, 4×4, 8×2 and 16×1 cell.
        for dimension in 0..20 {
            let points: Vec<[f32; 2]> = (0..16)
                .map(|sample| {
                    let mut sampler = Sampler::new(13, 7, sample);
                    for _ in 0..dimension {
                        sampler.pair();
                    }
                    sampler.pair()
                })
                .collect();
            for split in 0..=4 {
                let mut seen = [false; 16];
                for [x, y] in &points {
                    let column = (x * (1 << split) as f32) as usize;
                    let row = (y * (1 << (4 - split)) as f32) as usize;
                    seen[row * (1 << split) + column] = true;
                }
                assert!(
                    seen.iter().all(|hit| *hit),
                    "dimension {dimension}, split {split}"
                );
            }
        }
    }

    #[test]
    fn chain_is_uniform() {
        let mut chain = Sampler::new(3, 4, 5).chain();
        let count = 100_000;
        let (mut sum, mut squares) = (0.0_f64, 0.0_f64);
        for _ in 0..count {
            let value = f64::from(chain.next());
            sum += value;
            squares += value * value;
        }
        assert!((sum / f64::from(count) - 0.5).abs() < 5e-3);
        assert!((squares / f64::from(count) - 1.0 / 3.0).abs() < 5e-3);
    }
}
