//! Renders test subjects with chosen looks: `look_dev [--final] [--size WxH] [--out DIR] SCENE:LOOK...`
//!
//! Scenes are listed when none is given; looks are those of [`ooze_render::Look::names`].

// A program for the terminal speaks there.
#![allow(clippy::print_stdout)]

mod mesher;
mod scenes;

use ooze_render::{ImageSettings, Look, Quality, render, write_png};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = ImageSettings::default();
    let mut folder = PathBuf::from("look_dev");
    let mut subjects = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--final" => settings.quality = Quality::finished(),
            "--samples" => {
                settings.quality.samples = arguments
                    .next()
                    .ok_or("--samples needs a number")?
                    .parse()?;
                settings.quality.samples_max = settings.quality.samples;
            }
            "--splits" => {
                settings.quality.splits =
                    arguments.next().ok_or("--splits needs a number")?.parse()?
            }
            "--raw" => settings.quality.denoise = 0,
            "--out" => folder = arguments.next().ok_or("--out needs a folder")?.into(),
            "--size" => {
                let size = arguments.next().ok_or("--size needs WxH")?;
                let (width, height) = size.split_once('x').ok_or("--size needs WxH")?;
                (settings.width, settings.height) = (width.parse()?, height.parse()?);
            }
            subject => subjects.push(subject.to_owned()),
        }
    }
    if subjects.is_empty() {
        println!("scenes: {}", scenes::NAMES.join(" "));
        println!("looks: {}", Look::names().collect::<Vec<_>>().join(" "));
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    for subject in subjects {
        let (scene, look) = subject.split_once(':').ok_or("a subject is SCENE:LOOK")?;
        let aspect = settings.width as f32 / settings.height as f32;
        let (world, camera) =
            scenes::make(scene, look, aspect)?.ok_or_else(|| format!("no scene {scene}"))?;
        let triangles: usize = world
            .objects
            .iter()
            .map(|object| object.mesh.triangles.len())
            .sum();
        let start = Instant::now();
        let picture = render(&world, &camera, 0.0, &settings)?;
        let path = folder.join(format!("{scene}-{look}.png"));
        write_png(&path, &picture)?;
        println!(
            "{}: {triangles} triangles, {:.2} s",
            path.display(),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
