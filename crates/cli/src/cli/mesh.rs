//! `ooze mesh`: the liquid's surface in every frame of a run, from its cached particles.

use std::path::Path;

use ooze_cache::{CacheError, Origin, RunFolder, checksum};
use ooze_cli::pictures::{LiquidSurface, surfaces};
use ooze_geometry::{TriangleMesh, write_obj, write_ply};
use ooze_scene::{Override, Scene};

use super::arguments::{Mesh, MeshFormat};
use super::export::refuse_file_for_folder;
use super::failure::{Failure, failed};
use super::frames::{FrameProgress, selection};
use super::run::use_threads;
use super::source;
use super::words::{complain, number, say};
use super::workplace::Workplace;

/// Writes the surfaces that are missing or out of date.
pub(crate) fn mesh(arguments: Mesh) -> Result<(), Failure> {
    let again = arguments.again;
    use_threads(again.display.threads)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let extension = arguments.format.extension();
    refuse_file_for_folder(arguments.output.as_deref(), extension)?;
    let mut target = Workplace::choose(&folder, arguments.output.as_deref(), "meshes")?;
    let overrides: Vec<Override> = again.set.iter().map(|text| Override::set(text)).collect();
    let scene = source::of_run_with(&folder, &overrides)?;
    let frames = selection(&folder, again.frames.as_ref())?;
    let mut progress = FrameProgress::new("surface", "ETA", frames.len(), again.display.quiet);
    let mut largest_change = 0.0f64;
    let mut written = 0;
    for &frame in &frames {
        let name = format!("surface_{frame:04}.{extension}");
        let origin = Origin {
            recipe: recipe(&scene),
            data: folder.frame_checksum(frame)?,
        };
        if again.force || !target.ledger.is_current(&name, origin)? {
            let parts = folder.read_frame(frame, &scene.setup)?;
            let path = folder.particles_path(frame);
            let liquids = surfaces(&scene, &parts).map_err(failed(&path))?;
            for liquid in &liquids {
                largest_change = largest_change.max(liquid.surface.report.volume_change().abs());
                if arguments.json {
                    say(&format!("{}\n", figures(frame, &scene, liquid)))?;
                }
            }
            let mesh = joined(&scene, liquids);
            target.write(&name, origin, |path| {
                Ok(write(path, &mesh, arguments.format)?)
            })?;
            written += 1;
        }
        progress.advance();
    }
    progress.end();
    target.tell_of_old_files(&folder)?;
    if !again.display.quiet {
        complain(&summary(
            &target,
            written,
            frames.len() - written,
            largest_change,
        ));
    }
    Ok(())
}

/// What was done, in a sentence.
fn summary(target: &Workplace, written: usize, kept: usize, largest_change: f64) -> String {
    let folder = target.folder().display();
    let kept = match kept {
        0 => String::new(),
        kept => format!(" ({kept} more were there already and are up to date)"),
    };
    if written == 0 {
        return format!("wrote 0 surfaces to {folder}{kept}");
    }
    format!(
        "wrote {} to {folder}{kept}; their volume differs from the liquid's by {:.2} % at most",
        number(written, "surface"),
        100.0 * largest_change
    )
}

/// All that decides how surfaces are made from particles.
fn recipe(scene: &Scene) -> u32 {
    let parts = (
        env!("CARGO_PKG_VERSION"),
        &scene.pictures.surface,
        &scene.setup.domain,
        &scene.method,
        &scene.setup.materials,
    );
    checksum(format!("{parts:?}").as_bytes())
}

/// Figures about the surface of one liquid, for programs.
fn figures(frame: u32, scene: &Scene, liquid: &LiquidSurface) -> serde_json::Value {
    let (mesh, report) = (&liquid.surface.mesh, &liquid.surface.report);
    serde_json::json!({
        "frame": frame,
        "material": scene.setup.materials[liquid.material].name,
        "vertices": mesh.positions.len(),
        "triangles": mesh.triangles.len(),
        "volume": report.volume,
        "volume_of_particles": report.volume_wanted,
        "level_change": report.level_change,
        "bubbles_filled": report.bubbles_filled,
        "largest_move": report.smoothing.largest_move,
    })
}

/// One mesh of all materials, each in its colour where there is more than one.
fn joined(scene: &Scene, liquids: Vec<LiquidSurface>) -> TriangleMesh {
    let several = scene.setup.materials.len() > 1;
    let mut whole = TriangleMesh::default();
    for liquid in liquids {
        let mut mesh = liquid.surface.mesh;
        if several && mesh.colours.is_empty() {
            let colour = scene.setup.materials[liquid.material].appearance.colour;
            mesh.colours = vec![colour; mesh.positions.len()];
        }
        whole.append(mesh);
    }
    whole
}

/// Writes a mesh under a temporary name first, so that what is there under its own name is whole.
fn write(path: &Path, mesh: &TriangleMesh, format: MeshFormat) -> Result<(), CacheError> {
    Ok(ooze_files::write_with(path, |file| match format {
        MeshFormat::Ply => write_ply(mesh, file),
        MeshFormat::Obj => write_obj(mesh, file),
    })?)
}
