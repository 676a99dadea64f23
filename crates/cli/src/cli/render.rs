//! `ooze render`: pictures and a video of a run from its cached frames.

use ooze_cache::RunFolder;
use ooze_scene::Override;

use super::arguments::Render;
use super::failure::Failure;
use super::frames::{FrameProgress, IMAGES, selection};
use super::gallery::Gallery;
use super::interrupt::Interrupt;
use super::run::use_threads;
use super::source::{self, quality_key};
use super::words::{complain, number};
use super::workplace::Workplace;

/// Makes the pictures that are missing or out of date, and a video of all of them.
pub(crate) fn render(arguments: Render) -> Result<(), Failure> {
    use_threads(arguments.again.display.threads)?;
    let run = RunFolder::open(&arguments.folder)?;
    let chosen = arguments.output.as_deref();
    let images = Workplace::choose(&run, chosen, IMAGES)?;
    let screen = match chosen {
        Some(_) => None,
        None => Some(Workplace::under(images.lock().clone(), run.root())?),
    };
    let scene = source::of_run_with(&run, &overrides(&arguments))?;
    let again = &arguments.again;
    let frames = selection(&run, again.frames.as_ref())?;
    let mut gallery = Gallery::open(run, scene, images, screen)?;
    gallery.settle_colours(again.display.quiet)?;
    if again.frames.is_some() {
        gallery.refuse_to_mix(&frames)?;
    }
    let interrupt = Interrupt::listen();
    fill(
        &mut gallery,
        &frames,
        again.force,
        again.display.quiet,
        &interrupt,
    )?;
    let whole = !interrupt.is_wanted();
    gallery.tell_of_old_pictures()?;
    finish(&mut gallery, again.display.quiet)?;
    if whole {
        Ok(())
    } else {
        Err(Failure::PicturesInterrupted {
            folder: arguments.folder,
        })
    }
}

/// Makes pictures of frames, those that are there already only with `force`, until the user wants to stop.
pub(crate) fn fill(
    gallery: &mut Gallery,
    frames: &[u32],
    force: bool,
    quiet: bool,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    interrupt.promise("stopping; the video will show the pictures that there are");
    let mut missing = Vec::new();
    for &frame in frames {
        if force || !gallery.has(frame)? {
            missing.push(frame);
        }
    }
    let mut progress = FrameProgress::new("picture", "video in", missing.len(), quiet);
    for frame in missing {
        if interrupt.is_wanted() || !gallery.make(frame, interrupt)? {
            break;
        }
        progress.advance();
    }
    progress.end();
    Ok(())
}

/// Makes the video and says where everything is.
pub(crate) fn finish(gallery: &mut Gallery, quiet: bool) -> Result<(), Failure> {
    if !cfg!(feature = "video") {
        if !quiet {
            complain("no video: this ooze was built without the feature `video`");
        }
        return Ok(());
    }
    let video = gallery.write_video()?;
    if let Some((target, count)) = video
        && !quiet
    {
        complain(&format!(
            "{} in {}, all of them in the video {}",
            number(count, "picture"),
            gallery.folder().display(),
            target.display()
        ));
    }
    Ok(())
}

/// The keys of the scene that flags stand for.
fn overrides(arguments: &Render) -> Vec<Override> {
    let mut texts = arguments.again.set.clone();
    if let Some(quality) = &arguments.quality {
        texts.push(quality_key(quality));
    }
    if let Some(channel) = &arguments.colour_by {
        texts.push(format!("pictures.colour_by.channel={channel}"));
    }
    if let Some(size) = arguments.size {
        texts.push(format!("pictures.width={}", size.0));
        texts.push(format!("pictures.height={}", size.1));
    }
    texts.iter().map(|text| Override::set(text)).collect()
}
