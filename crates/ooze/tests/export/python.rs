//! A Python with OpenUSD, in a virtual environment under the build folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const PACKAGE: &str = "usd-core>=26";

/// A Python that can import `pxr`.
pub(crate) struct Python {
    program: PathBuf,
    /// Where packages lie that are not in the environment itself.
    packages: PathBuf,
}

impl Python {
    /// The Python of all tests; none, after saying why, where they have to be skipped. That is a failure if the variable
    /// `CI` is set.
    #[allow(clippy::print_stderr)]
    pub(crate) fn or_skip() -> Option<&'static Self> {
        match Self::with_openusd() {
            Ok(python) => Some(python),
            Err(reason) if std::env::var_os("CI").is_some() => {
                panic!("there is no OpenUSD to test with: {reason}")
            }
            Err(reason) => {
                eprintln!("skipped: there is no OpenUSD to test with: {reason}");
                None
            }
        }
    }

    /// The first call in a build folder makes the environment, for which it needs a Python and
    /// the network.
    fn with_openusd() -> &'static Result<Self, String> {
        static PYTHON: OnceLock<Result<Python, String>> = OnceLock::new();
        PYTHON.get_or_init(Self::make)
    }

    fn make() -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openusd");
        let packages = folder.join("packages");
        let own = folder.join(if cfg!(windows) {
            "Scripts/python.exe"
        } else {
            "bin/python3"
        });
        // Debian's Python has no `venv` until asked; its `pip` installs into a plain folder just as well.
        let system = PathBuf::from("python3");
        let candidates = [&own, &system].map(|program| Self {
            program: program.clone(),
            packages: packages.clone(),
        });
        if let Some(ready) = candidates.into_iter().find(Self::has_openusd) {
            return Ok(ready);
        }
        succeeded(Command::new(&system).arg("--version"))?;
        let environment = succeeded(Command::new(&system).args(["-m", "venv"]).arg(&folder));
        let program = if environment.is_ok() { own } else { system };
        let mut install = Command::new(&program);
        install.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        if environment.is_err() {
            install.arg("--target").arg(&packages);
        }
        succeeded(install.arg(PACKAGE))?;
        let python = Self { program, packages };
        if python.has_openusd() {
            Ok(python)
        } else {
            Err(format!("{PACKAGE} is installed but cannot be imported"))
        }
    }

    fn has_openusd(&self) -> bool {
        let mut command = self.command();
        succeeded(command.args(["-c", "from pxr import Usd, UsdValidation"])).is_ok()
    }

    /// A Python that knows where the packages are.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("PYTHONPATH", &self.packages);
        command
    }
}

/// Runs a command; says what it printed last if it fails.
fn succeeded(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("{name} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = complaint.lines().last().unwrap_or("it says nothing");
    Err(format!("{name} failed: {last}"))
}
