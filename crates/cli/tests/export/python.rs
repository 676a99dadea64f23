//! The Python with OpenUSD that `./test` makes and names in a variable.

use std::path::PathBuf;
use std::process::Command;

/// Names a Python that can import `pxr`.
const VARIABLE: &str = "OOZE_OPENUSD_PYTHON";

/// A Python that can import `pxr`.
pub(crate) struct Python {
    program: PathBuf,
}

impl Python {
    /// The Python that the variable names; none where it is not set. One that cannot import OpenUSD is a failure, not a
    /// reason to pass.
    pub(crate) fn given() -> Option<Self> {
        let program = PathBuf::from(std::env::var_os(VARIABLE)?);
        let python = Self { program };
        let mut attempt = python.command();
        let output = attempt
            .args(["-c", "from pxr import Usd, UsdValidation"])
            .output()
            .unwrap_or_else(|error| panic!("{VARIABLE}: {}: {error}", python.program.display()));
        assert!(
            output.status.success(),
            "{VARIABLE}: {} cannot import OpenUSD; `./test` installs it: {}",
            python.program.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        Some(python)
    }

    /// Python, about to be started.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }
}
