//! The simulation times of Carlson (2004, table 6) beside ours, on grids of the same size.

use ooze_core::FrameStatistics;
use ooze_scene::{Override, Scene, SceneErrors, builtin};

use super::BenchError;
use crate::validate::figures_of;
use ooze::Simulation;

/// Frames that are run of each scene; what all of them would take is told from these.
pub const FRAMES_RUN: u32 = 40;

/// An animation of the thesis.
pub struct Animation {
    /// What it is called there.
    pub title: &'static str,
    /// Our scene of it.
    scene: Source,
    /// Cells along the longest side.
    cells: u32,
    /// Cells there.
    pub grid: &'static str,
    /// Frames there.
    pub frames: u32,
    /// Seconds that all of them took there, on a Pentium 4 of 2 GHz.
    pub seconds: f64,
}

/// Where a scene comes from.
enum Source {
    BuiltIn(&'static str),
    /// A liquid of that kinematic viscosity, in units of cells of 0.1 and seconds, thrown into a container with a shallow pool.
    Thrown(f64),
}

/// How quickly an animation is simulated.
pub struct Speed {
    /// The method.
    pub method: &'static str,
    /// Cells along each side.
    pub cells: [i32; 3],
    /// Particles at the end of what was run.
    pub particles: usize,
    /// Sub-steps of a frame, on average.
    pub steps: f64,
    /// Seconds of a frame, on average.
    pub seconds: f64,
}

/// All of the table.
pub const TABLE_SIX: [Animation; 7] = [
    thrown("green liquid 1", 0.1, 145.0),
    thrown("green liquid 2", 1.0, 104.0),
    thrown("green liquid 3", 10.0, 94.0),
    thrown("green liquid 4", 100.0, 94.0),
    Animation {
        title: "toothpaste",
        scene: Source::BuiltIn("toothpaste"),
        cells: 42,
        grid: "42×33×18",
        frames: 330,
        seconds: 108.0,
    },
    Animation {
        title: "bunny melt",
        scene: Source::BuiltIn("wax-rabbit"),
        cells: 38,
        grid: "35×28×38",
        frames: 600,
        seconds: 330.0,
    },
    Animation {
        title: "drip sand",
        scene: Source::BuiltIn("drip-castle"),
        cells: 48,
        grid: "48×48×48",
        frames: 750,
        seconds: 397.0,
    },
];

const fn thrown(title: &'static str, viscosity: f64, seconds: f64) -> Animation {
    Animation {
        title,
        scene: Source::Thrown(viscosity),
        cells: 32,
        grid: "32×32×32",
        frames: 300,
        seconds,
    }
}

impl Animation {
    fn scene(&self, method: Option<&str>) -> Result<Scene, SceneErrors> {
        let cells = self.cells.to_string();
        let mut changes = vec![
            Override::resolution(&cells),
            Override::set(&format!("time.frames={FRAMES_RUN}")),
        ];
        changes.extend(method.map(Override::method));
        let text = match self.scene {
            Source::BuiltIn(name) => builtin::find(name)
                .map_or("", |builtin| builtin.text)
                .into(),
            Source::Thrown(viscosity) => thrown_text(viscosity),
        };
        Scene::parse_with(&text, self.title, "", &changes)
    }

    /// Runs its first frames with a method, or with that of its scene.
    pub fn run(&self, method: Option<&str>) -> Result<Speed, BenchError> {
        let scene = self.scene(method)?;
        let figures = figures_of(Simulation::of_scene(&scene)?)?;
        // The first is the state at the start.
        let run = figures.get(1..).unwrap_or_default();
        Ok(Speed::of(&scene, run))
    }
}

impl Speed {
    /// That of the frames that were run of a scene.
    pub(super) fn of(scene: &Scene, run: &[FrameStatistics]) -> Self {
        let frames = run.len().max(1) as f64;
        let total = |name: &str| -> f64 {
            let parts = run.iter().filter_map(|frame| frame.seconds.get(name));
            parts.sum()
        };
        let steps: u32 = run.iter().map(|frame| frame.substeps).sum();
        Self {
            method: scene.method_name,
            cells: scene.setup.domain.cells.to_array(),
            particles: run.last().map_or(0, |frame| frame.particles),
            steps: f64::from(steps) / frames,
            seconds: (total("total") - total("output")) / frames,
        }
    }
}

/// Liquid that is thrown into a container of steps and pillars with a shallow pool (fig. 12), in cells of 0.1.
fn thrown_text(viscosity: f64) -> String {
    format!(
        "name = \"thrown\"\n\
         [domain]\nsize = [3.2, 3.2, 3.2]\ncells = 32\ncontact = \"slip\"\n\
         [time]\nframe_rate = 30\nduration = 10\n\
         [materials.green]\nbase = \"water\"\ndensity = 1000\nviscosity = {}\n\
         [[liquid]]\nmaterial = \"green\"\nshape.box = {{ lower = [0, 0, 0], upper = [3.2, 0.4, 3.2] }}\n\
         [[liquid]]\nmaterial = \"green\"\nvelocity = [2, -2, 0]\n\
         shape.sphere = {{ centre = [1, 2.2, 1.6], radius = 0.6 }}\n\
         [[collider]]\nshape.box = {{ lower = [-1, -1, -1], upper = [0.8, 0.8, 1.2] }}\n\
         [[collider]]\nshape.box = {{ lower = [2.4, -1, 2], upper = [4, 1.2, 4] }}\n\
         [[collider]]\nshape.cylinder = {{ from = [1.9, -1, 0.9], to = [1.9, 1.5, 0.9], radius = 0.3 }}\n",
        1000.0 * viscosity
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_animation_is_a_sound_scene_of_its_size() {
        for animation in &TABLE_SIX {
            for method in [None, Some("carlson-2004")] {
                let scene = animation.scene(method);
                let scene =
                    scene.unwrap_or_else(|errors| panic!("{}: {errors:?}", animation.title));
                let longest = scene.setup.domain.cells.max_element();
                assert_eq!(longest, animation.cells as i32, "{}", animation.title);
            }
        }
    }
}
