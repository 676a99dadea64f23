//! What all crates of ooze share and none of them owns.

mod choice;
mod disjoint_sets;
pub mod reduce;
mod widest;

pub use choice::{Choice, ChoiceOption};
pub use disjoint_sets::DisjointSets;
pub use widest::{Width, widest};
