//! Sparse tiled fields on staggered lattices, level sets and ordered reductions.

mod lattice;

pub use lattice::Lattice;
