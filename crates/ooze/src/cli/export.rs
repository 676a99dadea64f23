//! `ooze export`.

use std::fs;

use ooze_cache::RunFolder;
use ooze_cache::export::Format;

use super::arguments::Export;
use super::failure::Failure;
use super::words::complain;

/// Writes the particles of frames for other programs.
pub(crate) fn export(arguments: Export) -> Result<(), Failure> {
    let folder = RunFolder::open(&arguments.folder)?;
    let mut frames = folder.frames()?;
    if let Some(range) = &arguments.frames {
        frames.retain(|frame| range.0.contains(frame));
    }
    if frames.is_empty() {
        return Err(Failure::File {
            path: folder.frames_folder(),
            what: "holds none of the frames that were asked for".into(),
        });
    }
    let target = arguments
        .output
        .unwrap_or_else(|| folder.root().join("export"));
    fs::create_dir_all(&target).map_err(|error| Failure::File {
        path: target.clone(),
        what: format!("cannot be made: {error}; choose another folder with `-o`"),
    })?;
    let format = Format::from(arguments.format);
    for &frame in &frames {
        let name = format!("particles_{frame:04}.{}", format.extension());
        format.write_file(&folder.read_frame(frame)?, &target.join(name))?;
    }
    complain(&format!(
        "wrote {} {} to {}",
        frames.len(),
        if frames.len() == 1 { "frame" } else { "frames" },
        target.display()
    ));
    Ok(())
}
