//! Renders test subjects with chosen looks: `look_dev [--final] [--size WxH] [--out DIR] [--turn FRAMES] SCENE:LOOK...`
//!
//! With `--turn` the camera goes once around the subject, and a video, a preview and a contact sheet are written too.
//! Scenes are listed when none is given; looks are those of [`ooze_render::Look::names`].

// A program for the terminal speaks there.
#![allow(clippy::print_stdout)]

mod mesher;
mod scenes;

use ooze_render::{
    Camera, CameraPath, ImageSettings, Look, Picture, PreviewSettings, Quality, RenderError,
    SheetSettings, World, contact_sheet, render, write_png, write_preview, write_video,
};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = ImageSettings::default();
    let mut folder = PathBuf::from("look_dev");
    let mut subjects = Vec::new();
    let mut turn = 0_u32;
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
            "--turn" => {
                turn = arguments
                    .next()
                    .ok_or("--turn needs a number of frames")?
                    .parse()?
            }
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
        let stem = format!("{scene}-{look}");
        let picture = render(&world, &camera, 0.0, &settings)?;
        let path = folder.join(format!("{stem}.png"));
        write_png(&path, &picture)?;
        println!(
            "{}: {triangles} triangles, {:.2} s",
            path.display(),
            start.elapsed().as_secs_f64()
        );
        if turn > 0 {
            write_turn(&world, &camera, &settings, turn, &folder, &stem)?;
        }
    }
    Ok(())
}

/// Renders a round trip of the camera around its target and writes it in every form.
fn write_turn(
    world: &World,
    camera: &Camera,
    settings: &ImageSettings,
    count: u32,
    folder: &Path,
    stem: &str,
) -> Result<(), RenderError> {
    const FRAME_RATE: f64 = 24.0;
    let pose = camera.pose(0.0);
    let offset = pose.eye - pose.target;
    let seconds = f64::from(count) / FRAME_RATE;
    let mut turning = camera.clone();
    turning.path = CameraPath::Orbit {
        target: pose.target,
        distance: offset.length(),
        elevation: (offset.y / offset.length()).asin().to_degrees(),
        azimuth: offset.x.atan2(offset.z).to_degrees(),
        degrees_per_second: (360.0 / seconds) as f32,
    };
    let mut frames = Vec::new();
    for frame in 0..count {
        frames.push(render(
            world,
            &turning,
            (f64::from(frame) / FRAME_RATE) as f32,
            settings,
        )?);
    }
    write_video(&folder.join(format!("{stem}.mp4")), &frames, FRAME_RATE)?;
    let preview = PreviewSettings {
        seconds,
        ..PreviewSettings::default()
    };
    write_preview(
        &folder.join(format!("{stem}-preview.png")),
        &frames,
        &preview,
    )?;
    let labelled: Vec<(String, Picture)> = frames
        .into_iter()
        .enumerate()
        .map(|(index, picture)| (format!("{index}"), picture))
        .collect();
    let sheet = contact_sheet(&labelled, &SheetSettings::default())?;
    write_png(&folder.join(format!("{stem}-sheet.png")), &sheet)
}
