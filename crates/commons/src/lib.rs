//! What all crates of ooze share and none of them owns.

mod choice;

pub use choice::{Choice, ChoiceOption};
