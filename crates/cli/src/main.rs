//! The `ooze` command: what was typed → what was resolved → done.

#[cfg_attr(
    not(feature = "pictures"),
    allow(
        dead_code,
        unused_imports,
        reason = "commands that draw share arguments, folders and names with the others"
    )
)]
mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::bugs::report_clearly();
    let arguments = cli::arguments::parse();
    cli::bugs::guard(|| cli::dispatch(arguments))
}
