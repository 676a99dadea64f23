//! The `ooze` command: what was typed → what was resolved → done.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::bugs::report_clearly();
    let arguments = cli::arguments::parse();
    cli::bugs::guard(|| cli::dispatch(arguments))
}
