//! Sparse tiled fields on staggered lattices, level sets and ordered reductions.
