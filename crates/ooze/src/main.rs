//! The `ooze` command.

fn main() {}
