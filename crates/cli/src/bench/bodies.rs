//! What it costs that liquid moves bodies: the coupling's share of a step, and how it grows with what bodies take of the grid.

use std::fmt::Write;
use std::fs::File;
use std::path::Path;

use glam::Vec3;
use ooze_core::{FrameStatistics, SolveSummary};
use ooze_geometry::generate::icosphere;
use ooze_geometry::write_ply;
use ooze_scene::Scene;

use super::{BenchError, mean_iterations};
use crate::validate::figures_of;
use ooze::Simulation;

/// Frames that are run of each scene; the first of them is not counted.
const FRAMES: u32 = 8;
/// Stages of which bodies are a part where they are solved for together with the liquid.
const SOLVING: [&str; 5] = ["solids", "assembly", "separation", "pressure", "viscosity"];
/// File of a ball of triangles.
const BALL: &str = "ball.ply";
/// Cells along each side of the domain, which is half full.
const CELLS: u32 = 40;

/// Bodies in a pool.
pub struct Crowd {
    /// The method.
    pub method: &'static str,
    /// What bodies are.
    pub kind: Kind,
    /// Along each axis.
    pub count: [u32; 3],
    /// Radius in cells; of boxes about as much.
    pub radius: f64,
    /// Cells along each side of the domain.
    pub cells: u32,
}

/// What bodies are, from what is quick to ask for a distance to what is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// None.
    None,
    /// Balls.
    Balls,
    /// Boxes.
    Boxes,
    /// Balls of 1280 triangles, whose distances are looked up in a field.
    Meshes,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Balls => "balls",
            Self::Boxes => "boxes",
            Self::Meshes => "meshes",
        }
    }
}

/// What a crowd costs.
pub struct CrowdCost {
    /// Cells that bodies take up.
    pub cells: f64,
    /// Particles, of the liquid or in its frames.
    pub particles: usize,
    /// Sub-steps that were timed.
    pub steps: u32,
    /// Mean seconds of a sub-step.
    pub seconds: f64,
    /// What coupling takes of these, where it is a stage of its own.
    pub coupling: Option<f64>,
    /// Share of a sub-step in stages that bodies are a part of where they are solved for together with the liquid.
    pub solving: f64,
    /// Mean iterations of a pressure solve.
    pub iterations: f64,
}

impl CrowdCost {
    /// What coupling takes of a sub-step: where it is no stage of its own, what stages that know of bodies take more than without
    /// any, told by their shares, which are the same however busy the machine is.
    pub fn share(&self, without: &Self) -> f64 {
        match self.coupling {
            Some(coupling) => coupling / self.seconds,
            None => {
                let of_rest = |share: f64| share / (1.0 - share);
                (of_rest(self.solving) - of_rest(without.solving)) * (1.0 - self.solving)
            }
        }
    }
}

/// All crowds, those of a method one after the other.
pub fn crowds() -> Vec<Crowd> {
    let crowd = |method, kind, count, radius| Crowd {
        method,
        kind,
        count,
        radius,
        cells: CELLS,
    };
    let mut all = Vec::new();
    for method in ["level-set", "carlson-2004-rigid"] {
        all.push(crowd(method, Kind::None, [0; 3], 0.0));
        for count in [
            [1, 1, 1],
            [2, 1, 1],
            [2, 1, 2],
            [4, 1, 2],
            [4, 2, 2],
            [4, 2, 4],
        ] {
            all.push(crowd(method, Kind::Balls, count, 3.5));
        }
        for kind in [Kind::Boxes, Kind::Meshes] {
            all.push(crowd(method, kind, [4, 2, 2], 3.5));
        }
    }
    // A hundred bodies in 300 000 particles.
    for (kind, count) in [(Kind::None, [0; 3]), (Kind::Balls, [5, 4, 5])] {
        all.push(Crowd {
            method: "flip",
            kind,
            count,
            radius: 2.0,
            cells: 42,
        });
    }
    all
}

impl Crowd {
    /// Runs it for a few frames.
    pub fn run(&self) -> Result<CrowdCost, BenchError> {
        let scene = self.scene()?;
        let frames = figures_of(Simulation::of_scene(&scene)?)?;
        let timed = frames.get(2..).unwrap_or_default();
        let steps: u32 = timed.iter().map(|frame| frame.substeps).sum();
        let mean = |stage: &str| -> Option<f64> {
            let seconds = |frame: &FrameStatistics| frame.seconds.get(stage).copied();
            let sum: f64 = timed.iter().filter_map(seconds).sum();
            (sum > 0.0).then_some(sum / f64::from(steps))
        };
        let mut solves = SolveSummary::default();
        for found in timed
            .iter()
            .filter_map(|frame| frame.solves.get("pressure"))
        {
            solves.absorb(found);
        }
        let whole = mean("total").unwrap_or_default();
        let seconds = whole - mean("measure").unwrap_or_default();
        let solving: f64 = SOLVING.iter().filter_map(|stage| mean(stage)).sum();
        Ok(CrowdCost {
            cells: self.volume(),
            particles: frames.last().map_or(0, |frame| frame.particles),
            steps,
            seconds,
            coupling: mean("coupling"),
            solving: solving / seconds,
            iterations: mean_iterations(&solves),
        })
    }

    /// Volume of all bodies in cells.
    fn volume(&self) -> f64 {
        let one = match self.kind {
            Kind::None => 0.0,
            Kind::Balls | Kind::Meshes => 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3),
            Kind::Boxes => (1.6 * self.radius).powi(3),
        };
        one * f64::from(self.count.iter().product::<u32>())
    }

    fn scene(&self) -> Result<Scene, BenchError> {
        let name = format!("{}-{}", self.method, self.kind.name());
        let folder = std::env::temp_dir().join(format!("ooze-bench-bodies-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let scene = self.scene_in(&folder, &name);
        let _ = std::fs::remove_dir_all(&folder);
        scene
    }

    /// The scene, with what it needs in a folder.
    fn scene_in(&self, folder: &Path, name: &str) -> Result<Scene, BenchError> {
        let ball = icosphere(Vec3::ZERO, (0.01 * self.radius) as f32, 3);
        write_ply(&ball, File::create(folder.join(BALL))?)?;
        Ok(Scene::parse(&self.text(name), name, folder)?)
    }

    fn text(&self, name: &str) -> String {
        let size = f64::from(self.cells) * 0.01;
        let mut text = format!(
            "name = \"{name}\"\nmethod = \"{}\"\n\
             [domain]\nsize = [{size}, {size}, {size}]\ncell_size = 0.01\n\
             [time]\nframe_rate = 120\nframes = {FRAMES}\n\
             [[liquid]]\nmaterial = \"water\"\n\
             shape.box = {{ lower = [0, 0, 0], upper = [{size}, {}, {size}] }}\n\
             [output]\nvideo = false\n",
            self.method,
            0.5 * size
        );
        let (radius, half) = (0.01 * self.radius, 0.008 * self.radius);
        let shape = match self.kind {
            Kind::None => return text,
            Kind::Balls => format!("sphere = {{ centre = [0, 0, 0], radius = {radius} }}"),
            Kind::Boxes => format!(
                "box = {{ lower = [-{half}, -{half}, -{half}], upper = [{half}, {half}, {half}] }}"
            ),
            Kind::Meshes => format!("mesh = \"{BALL}\""),
        };
        let place = |number: u32, count: u32, side: f64| {
            side * (f64::from(number) + 0.5) / f64::from(count)
        };
        let [x, y, z] = self.count;
        for number in 0..x * y * z {
            let place = [
                place(number % x, x, size),
                place(number / x % y, y, 0.5 * size),
                place(number / (x * y), z, size),
            ];
            let _ = write!(
                text,
                "[[body]]\ndensity = {}\nmotion.keyframes = [{{ time = 0, position = {place:?} }}]\nshape.{shape}\n",
                if number % 2 == 0 { 2000 } else { 700 },
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_crowd_is_a_sound_scene() {
        for crowd in crowds() {
            let scene = crowd.scene();
            let bodies = crowd.count.iter().product::<u32>() as usize;
            match scene {
                Ok(scene) => assert_eq!(scene.bodies.len(), bodies),
                Err(errors) => panic!("{}: {errors:?}", crowd.text("crowd")),
            }
        }
    }
}
