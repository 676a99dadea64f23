//! `ooze completions` and `ooze man`: what shells and `man` want to know of the command line.

use clap::CommandFactory;

use super::arguments::{Arguments, Completions, Man};
use super::failure::Failure;
use super::words::say;

/// Prints the completions of a shell.
pub(crate) fn completions(arguments: Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "ooze", &mut script);
    say(&String::from_utf8_lossy(&script))
}

/// Writes a manual page for the program and each of its commands.
pub(crate) fn manual(arguments: Man) -> Result<(), Failure> {
    let folder = arguments.folder;
    clap_mangen::generate_to(Arguments::command(), &folder).map_err(|error| Failure::File {
        path: folder.clone(),
        what: format!("manual pages cannot be written: {error}"),
    })?;
    say(&format!(
        "wrote manual pages to {folder}; try:\n  man {folder}/ooze-run.1\n",
        folder = folder.display()
    ))
}
