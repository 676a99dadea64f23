//! The command line: one file a command, and what they share.

pub(crate) mod arguments;
mod bench;
pub(crate) mod bugs;
mod check;
mod events;
mod exhibition;
mod export;
mod failure;
mod forecasts;
mod frames;
mod fuzz;
mod gallery;
mod info;
mod interrupt;
mod materials;
mod memory;
mod mesh;
mod new;
mod painter;
mod plot;
mod progress;
mod render;
mod run;
mod scenes;
mod shell;
mod source;
mod table;
mod validate;
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
        Command::Render(arguments) => render::render(arguments),
        Command::Mesh(arguments) => mesh::mesh(arguments),
        Command::Video(arguments) => video::video(arguments),
        Command::Sheet(arguments) => video::sheet(arguments),
        Command::Plot(arguments) => plot::plot(arguments),
        Command::Compare(arguments) => plot::compare(arguments),
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
