//! The command line: one file a command, and what they share.

pub(crate) mod arguments;
mod bench;
pub(crate) mod bugs;
mod check;
mod events;
#[cfg(feature = "pictures")]
mod exhibition;
#[cfg(not(feature = "pictures"))]
#[path = "no_exhibition.rs"]
mod exhibition;
mod export;
mod failure;
mod forecasts;
mod frames;
mod fuzz;
#[cfg(feature = "pictures")]
mod gallery;
mod info;
mod interrupt;
mod materials;
mod memory;
mod mesh;
mod new;
#[cfg(feature = "pictures")]
mod painter;
#[cfg(feature = "pictures")]
mod plot;
mod progress;
#[cfg(feature = "pictures")]
mod render;
mod run;
mod scenes;
mod shell;
mod source;
mod table;
mod validate;
#[cfg(feature = "pictures")]
mod video;
mod words;
mod workplace;

use std::process::ExitCode;

use arguments::{Arguments, Command};

/// Runs a command and turns how it ended into an exit code.
pub(crate) fn dispatch(arguments: Arguments) -> ExitCode {
    let result = match arguments.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Resume(arguments) => run::resume(arguments),
        Command::Check(arguments) => check::check(arguments),
        Command::List => scenes::list(),
        Command::New(arguments) => new::new(arguments),
        Command::Materials(arguments) => materials::materials(arguments),
        Command::Info(arguments) => info::info(arguments),
        Command::Export(arguments) => export::export(arguments),
        #[cfg(feature = "pictures")]
        Command::Render(arguments) => render::render(arguments),
        Command::Mesh(arguments) => mesh::mesh(arguments),
        #[cfg(feature = "pictures")]
        Command::Video(arguments) => video::video(arguments),
        #[cfg(feature = "pictures")]
        Command::Sheet(arguments) => video::sheet(arguments),
        #[cfg(feature = "pictures")]
        Command::Plot(arguments) => plot::plot(arguments),
        #[cfg(feature = "pictures")]
        Command::Compare(arguments) => plot::compare(arguments),
        #[cfg(not(feature = "pictures"))]
        Command::Render(_)
        | Command::Video(_)
        | Command::Sheet(_)
        | Command::Plot(_)
        | Command::Compare(_) => Err(failure::Failure::lacks("pictures")),
        Command::Validate(arguments) => validate::validate(arguments),
        Command::Bench(arguments) => bench::bench(arguments),
        Command::Fuzz(arguments) => fuzz::fuzz(arguments),
        Command::Schema => scenes::schema(),
        Command::Reference => scenes::reference(),
        Command::Completions(arguments) => shell::completions(arguments),
        Command::Man(arguments) => shell::manual(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
