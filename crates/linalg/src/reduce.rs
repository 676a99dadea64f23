//! Sums in a fixed order: vectors are cut into chunks of one fixed length, chunks are summed in parallel and the
//! partial sums are added from first to last, so that the result does not depend on the number of threads.

use rayon::prelude::*;

/// Entries in one chunk of parallel work; a constant, because results may depend on it but not on the thread count.
pub const CHUNK: usize = 4096;

/// Adds up partial sums from first to last.
pub fn ordered_sum(partial: impl IndexedParallelIterator<Item = f64>) -> f64 {
    partial.collect::<Vec<f64>>().iter().sum()
}

/// The inner product of two vectors.
///
/// # Panics
/// When the lengths differ.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(
        a.len(),
        b.len(),
        "vectors of an inner product differ in length"
    );
    ordered_sum(
        a.par_chunks(CHUNK)
            .zip(b.par_chunks(CHUNK))
            .map(|(a, b)| dot_chunk(a, b)),
    )
}

/// The inner product of one chunk: eight interleaved sums, which the compiler turns into vector instructions.
pub(crate) fn dot_chunk(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (head_a, tail_a) = a.as_chunks::<8>();
    let (head_b, tail_b) = b.as_chunks::<8>();
    for (a, b) in head_a.iter().zip(head_b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let tail: f64 = tail_a.iter().zip(tail_b).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + tail
}
