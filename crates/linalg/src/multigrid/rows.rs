//! Compressed rows of weights, built in parallel.

use rayon::prelude::*;

/// Rows built by one thread at a time.
const BUILD_CHUNK: usize = 2048;

/// One coupling of a row.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Entry {
    pub(super) column: u32,
    pub(super) weight: f32,
}

/// Compressed rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Where each row starts, and where the last one ends.
    pub(super) start: Vec<u32>,
    pub(super) entries: Vec<Entry>,
}

impl Rows {
    /// Builds rows in parallel: `fill` gets the row, its own element of `companion`, and the list to append to.
    pub(super) fn build_with<T: Send>(
        companion: &mut [T],
        fill: impl Fn(usize, &mut T, &mut Vec<Entry>) + Sync,
    ) -> Self {
        let mut start = vec![0; companion.len() + 1];
        let chunks: Vec<Vec<Entry>> = companion
            .par_chunks_mut(BUILD_CHUNK)
            .zip(start[1..].par_chunks_mut(BUILD_CHUNK))
            .enumerate()
            .map(|(chunk, (companion, end))| {
                let mut entries = Vec::with_capacity(6 * BUILD_CHUNK);
                for (offset, (companion, end)) in companion.iter_mut().zip(end).enumerate() {
                    fill(chunk * BUILD_CHUNK + offset, companion, &mut entries);
                    *end = entries.len() as u32;
                }
                entries
            })
            .collect();
        let mut total = 0;
        let first: Vec<u32> = chunks
            .iter()
            .map(|chunk| {
                let first = total as u32;
                total += chunk.len();
                first
            })
            .collect();
        start[1..]
            .par_chunks_mut(BUILD_CHUNK)
            .zip(first)
            .for_each(|(end, first)| {
                for end in end {
                    *end += first;
                }
            });
        let mut entries = vec![Entry::default(); total];
        split_lengths(&mut entries, chunks.iter().map(Vec::len))
            .into_par_iter()
            .zip(chunks)
            .for_each(|(target, chunk)| target.copy_from_slice(&chunk));
        Self { start, entries }
    }

    /// The couplings of one row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[Entry] {
        &self.entries[self.start[row] as usize..self.start[row + 1] as usize]
    }
}

/// Cuts a slice into consecutive pieces.
pub(super) fn split_lengths<T>(
    mut slice: &mut [T],
    lengths: impl Iterator<Item = usize>,
) -> Vec<&mut [T]> {
    let mut pieces = Vec::new();
    for length in lengths {
        let (piece, rest) = slice.split_at_mut(length);
        pieces.push(piece);
        slice = rest;
    }
    pieces
}
