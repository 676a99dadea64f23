//! `ooze mesh`: the liquid's surface in every frame of a run, from its cached particles.

use std::path::Path;

use ooze::pictures::{LiquidSurface, surfaces};
use ooze_cache::{CacheError, RunFolder, WholeFile};
use ooze_geometry::{TriangleMesh, write_obj, write_ply};
use ooze_scene::{Override, Scene};

use super::arguments::{Mesh, MeshFormat};
use super::failure::Failure;
use super::frames::{FrameProgress, make_folder, selection};
use super::render::failed;
use super::run::use_threads;
use super::source;
use super::words::{complain, say};

/// Writes the surfaces that are missing.
pub(crate) fn mesh(arguments: Mesh) -> Result<(), Failure> {
    let again = arguments.again;
    use_threads(again.display.threads)?;
    let folder = RunFolder::open(&arguments.folder)?;
    let overrides: Vec<Override> = again.set.iter().map(|text| Override::set(text)).collect();
    let scene = source::of_run_with(&folder, &overrides)?;
    let frames = selection(&folder, again.frames.as_ref())?;
    let target = arguments
        .output
        .unwrap_or_else(|| folder.root().join("meshes"));
    make_folder(&target)?;
    let mut progress = FrameProgress::new("surface", frames.len(), again.display.quiet);
    let mut largest_change = 0.0f64;
    for &frame in &frames {
        let name = format!("surface_{frame:04}.{}", arguments.format.extension());
        let path = target.join(name);
        if again.force || !path.is_file() {
            let channels = folder.read_frame(frame)?;
            let liquids = surfaces(&scene, &channels).map_err(failed(&path))?;
            for liquid in &liquids {
                largest_change = largest_change.max(liquid.surface.report.volume_change().abs());
                if arguments.json {
                    say(&format!("{}\n", figures(frame, &scene, liquid)))?;
                }
            }
            let mesh = joined(&scene, liquids);
            write(&path, &mesh, arguments.format)?;
        }
        progress.advance();
    }
    if !again.display.quiet {
        complain(&format!(
            "wrote {} surfaces to {}; their volume differs from the liquid's by {:.2} % at most",
            frames.len(),
            target.display(),
            100.0 * largest_change
        ));
    }
    Ok(())
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
    let mut file = WholeFile::create(path)?;
    let written = match format {
        MeshFormat::Ply => write_ply(mesh, &mut file),
        MeshFormat::Obj => write_obj(mesh, &mut file),
    };
    written.map_err(|error| CacheError::io("write", path, error))?;
    file.finish()
}
