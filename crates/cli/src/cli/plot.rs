//! `ooze plot` and `ooze compare`: figures of runs over time, and runs side by side.

use std::path::PathBuf;

use ooze_cache::{InputFile, Origin, RunFolder};
use ooze_cli::plots::{RunFigures, charts_of_run, charts_of_runs, draw};
use ooze_render::{Picture, RenderError, SheetSettings, contact_sheet, read_png, write_png};

use super::arguments::{Compare, Plot, PlotFormat};
use super::failure::{Failure, failed};
use super::frames::picture_path;
use super::words::complain;
use super::workplace::{Workplace, write_file};

/// Draws figures and probes of a run.
pub(crate) fn plot(arguments: Plot) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let origin = Origin {
        recipe: 0,
        data: InputFile::of(&folder.statistics_path())?.checksum,
    };
    let target = write_file(&folder, arguments.output, "plots.svg", origin, |target| {
        let run = figures(&folder, &name_of(&folder))?;
        draw(&charts_of_run(&run), target).map_err(Failure::Plot)
    })?;
    complain(&format!("wrote {}", target.display()));
    Ok(())
}

/// Draws figures of several runs into the same charts, and puts their pictures side by side.
pub(crate) fn compare(arguments: Compare) -> Result<(), Failure> {
    let folders = arguments
        .folders
        .iter()
        .map(RunFolder::open)
        .collect::<Result<Vec<_>, _>>()?;
    let mut target = Workplace::at(&arguments.output)?;
    let names = names_apart(&arguments.folders);
    let runs = folders
        .iter()
        .zip(&names)
        .map(|(folder, name)| figures(folder, name))
        .collect::<Result<Vec<_>, _>>()?;
    let plots = match arguments.format {
        PlotFormat::Svg => "plots.svg",
        PlotFormat::Png => "plots.png",
    };
    let plots = target.write(plots, Origin::default(), |path| {
        draw(&charts_of_runs(&runs), path).map_err(Failure::Plot)
    })?;
    complain(&format!("wrote {}", plots.display()));
    let Some(pictures) = moments(&folders, &runs, usize::from(arguments.count))? else {
        complain("no sheet of pictures: `ooze render` each of the runs first");
        return Ok(());
    };
    let sheet = target.write("sheet.png", Origin::default(), |path| {
        let settings = SheetSettings {
            columns: folders.len() as u32,
            ..SheetSettings::default()
        };
        let sheet = contact_sheet(&pictures, &settings).map_err(failed(path))?;
        write_png(path, &sheet).map_err(failed(path))
    })?;
    complain(&format!("wrote {}", sheet.display()));
    Ok(())
}

fn figures(folder: &RunFolder, name: &str) -> Result<RunFigures, Failure> {
    Ok(RunFigures {
        name: name.into(),
        statistics: folder.statistics()?.collect::<Result<_, _>>()?,
        probes: folder.probes()?,
    })
}

fn name_of(folder: &RunFolder) -> String {
    let name = folder.root().file_name();
    name.map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned())
}

/// Names of runs by the part of their paths in which they differ.
fn names_apart(folders: &[PathBuf]) -> Vec<String> {
    let last = |path: &PathBuf| {
        path.components()
            .next_back()
            .map(|part| part.as_os_str().to_owned())
    };
    let all: Vec<_> = folders.iter().map(last).collect();
    let unique = (1..all.len()).all(|index| !all[..index].contains(&all[index]));
    folders
        .iter()
        .zip(all)
        .map(|(path, name)| match name {
            Some(name) if unique => name.to_string_lossy().into_owned(),
            _ => path.display().to_string(),
        })
        .collect()
}

/// Pictures with a row a moment and a column a run, each with its name; none where a run has no pictures.
fn moments(
    folders: &[RunFolder],
    runs: &[RunFigures],
    count: usize,
) -> Result<Option<Vec<(String, Picture)>>, Failure> {
    let last_times = runs.iter().filter_map(|run| run.statistics.last());
    let end = last_times.map(|frame| frame.time).fold(0.0, f64::max);
    let mut pictures: Vec<(String, Picture)> = Vec::new();
    for moment in 0..count {
        let time = end * moment as f64 / (count.max(2) - 1) as f64;
        for (folder, run) in folders.iter().zip(runs) {
            let Some((frame, path)) = nearest_picture(folder, run, time) else {
                return Ok(None);
            };
            let picture: Result<Picture, RenderError> = read_png(&path);
            pictures.push((
                format!("{} {frame}", run.name),
                picture.map_err(failed(&path))?,
            ));
        }
    }
    Ok(Some(pictures))
}

/// The picture of a run that is nearest to a time, and its frame.
fn nearest_picture(folder: &RunFolder, run: &RunFigures, time: f64) -> Option<(u32, PathBuf)> {
    let with_pictures = run.statistics.iter().filter_map(|frame| {
        let path = picture_path(folder, frame.frame);
        path.is_file().then_some((frame, path))
    });
    with_pictures
        .min_by(|(a, _), (b, _)| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
        .map(|(frame, path)| (frame.frame, path))
}
