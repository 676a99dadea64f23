//! Parallel reductions whose result does not depend on the number of threads: work splits into fixed chunks and the
//! chunks' results are combined in order.

use rayon::prelude::*;

/// Items in a chunk of a reduction; a constant, because results may depend on it but not on the thread count.
pub const CHUNK: usize = 4096;

/// Adds up partial sums from first to last.
pub fn ordered_sum(partial: impl IndexedParallelIterator<Item = f64>) -> f64 {
    partial.collect::<Vec<f64>>().iter().sum()
}

/// Sum of `term(item)` over a slice, in double precision.
pub fn sum<T: Sync>(items: &[T], term: impl Fn(&T) -> f64 + Sync) -> f64 {
    let chunks = items.par_chunks(CHUNK);
    ordered_sum(chunks.map(|chunk| chunk.iter().map(&term).sum()))
}

/// Sum of `term(index)` for indices below `count`, each of them a sizeable piece of work such as a tile.
pub fn sum_indices(count: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    ordered_sum((0..count).into_par_iter().map(&term))
}

/// Largest `term(item)` over a slice; `f32::NEG_INFINITY` for an empty one. NaN terms win, so that they are seen.
pub fn max<T: Sync>(items: &[T], term: impl Fn(&T) -> f32 + Sync) -> f32 {
    let larger = |a: f32, b: f32| if b > a || b.is_nan() { b } else { a };
    let partial: Vec<f32> = items
        .par_chunks(CHUNK)
        .map(|chunk| chunk.iter().map(&term).fold(f32::NEG_INFINITY, larger))
        .collect();
    partial.into_iter().fold(f32::NEG_INFINITY, larger)
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

/// The inner product of one chunk: eight interleaved sums, which the compiler turns into vector instructions. What one has
/// more than the other is left out.
#[inline]
pub fn dot_chunk(a: &[f64], b: &[f64]) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_has_the_same_bits_on_any_number_of_threads() {
        let items: Vec<f32> = (0..100_000)
            .map(|i| ((i * 7919) % 1013) as f32 * 1e-3)
            .collect();
        let results: Vec<f64> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.expect("threads start")
                    .install(|| sum(&items, |&item| f64::from(item).sqrt()))
            })
            .collect();
        assert_eq!(results[0].to_bits(), results[1].to_bits());
        assert_eq!(results[0].to_bits(), results[2].to_bits());
    }

    #[test]
    fn the_maximum_shows_a_nan() {
        assert_eq!(max(&[1.0, 3.0, 2.0], |&item| item), 3.0);
        assert!(max(&[1.0, f32::NAN, 2.0], |&item| item).is_nan());
        assert_eq!(max::<f32>(&[], |&item| item), f32::NEG_INFINITY);
    }
}
