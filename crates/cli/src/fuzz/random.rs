//! Choices of a case: they depend on the seed, the kind and the number of the case alone.

use ooze_core::random::hash;

/// A stream of choices.
pub(super) struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    pub(super) fn new(seed: u64, case: u64) -> Self {
        Self {
            seed: hash(seed, case),
            drawn: 0,
        }
    }

    /// Any word.
    pub(super) fn word(&mut self) -> u64 {
        self.drawn += 1;
        hash(self.seed, self.drawn)
    }

    /// A number below `bound`, which is not zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// One of some things.
    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A number that programs like to stumble over, or any other.
    pub(super) fn number(&mut self) -> f64 {
        const ODD: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e-30,
            1e30,
            -1e30,
            3.5e38,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            4_294_967_295.0,
        ];
        match self.below(4) {
            0 => *self.pick(&ODD),
            1 => f64::from_bits(self.word()),
            2 => {
                (self.word() as f64 / u64::MAX as f64 - 0.5)
                    * 10f64.powi(self.below(20) as i32 - 10)
            }
            _ => self.below(300) as f64,
        }
    }

    /// A whole number of the same sort.
    pub(super) fn count(&mut self) -> u32 {
        const ODD: [u32; 8] = [0, 1, 2, 200, 255, 1 << 31, u32::MAX - 1, u32::MAX];
        match self.below(3) {
            0 => *self.pick(&ODD),
            1 => self.word() as u32,
            _ => self.below(100) as u32,
        }
    }

    /// Changes some bytes: alters, cuts, doubles or inserts.
    pub(super) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            if bytes.is_empty() {
                return;
            }
            let place = self.below(bytes.len());
            match self.below(8) {
                0 => bytes.truncate(place),
                1 => {
                    let end = (place + self.below(64)).min(bytes.len());
                    bytes.drain(place..end);
                }
                2 => {
                    let end = (place + self.below(64)).min(bytes.len());
                    let part = bytes[place..end].to_vec();
                    let target = self.below(bytes.len());
                    bytes.splice(target..target, part);
                }
                3 => bytes[place] ^= 1 << self.below(8),
                4 => bytes[place] = *self.pick(&[0, 1, 127, 128, 255]),
                _ => bytes[place] = self.word() as u8,
            }
        }
    }
}
