//! A vector that threads write at the same time, each its own entries.

use std::sync::atomic::{AtomicU32, Ordering};

/// Values of f32; colouring guarantees that no entry is written by one thread while another one uses it.
#[derive(Debug, Default)]
pub(super) struct SharedVector(Vec<AtomicU32>);

impl SharedVector {
    /// Zeros.
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| AtomicU32::new(0)).collect())
    }

    /// Number of values.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// One value.
    #[inline]
    pub(super) fn get(&self, index: usize) -> f32 {
        f32::from_bits(self.0[index].load(Ordering::Relaxed))
    }

    /// Six values in a row.
    #[inline]
    pub(super) fn six(&self, first: usize) -> [f32; 6] {
        let values = &self.0[first..first + 6];
        [0, 1, 2, 3, 4, 5].map(|index| f32::from_bits(values[index].load(Ordering::Relaxed)))
    }

    /// Sets one value.
    #[inline]
    pub(super) fn set(&self, index: usize, value: f32) {
        self.0[index].store(value.to_bits(), Ordering::Relaxed);
    }
}
