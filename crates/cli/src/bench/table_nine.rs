//! The computation times of Carlson (2004, table 9) beside ours, on grids of the same size: scenes after his figures, with as many
//! frames a second.

use std::time::{Duration, Instant};

use ooze_scene::{Override, Scene, SceneErrors, builtin};

use super::BenchError;
use super::table_six::Speed;
use crate::validate::figures_until;
use ooze::Simulation;

/// Frames a second, there and here.
pub const FRAME_RATE: u32 = 60;

/// An animation of the thesis in which liquid and bodies move one another.
pub struct BodyAnimation {
    /// What it is called there.
    pub title: &'static str,
    /// Our scene of it.
    scene: &'static str,
    /// What makes our grid as large as that of the thesis.
    changes: &'static [&'static str],
    /// The methods that we run it with; none is that of the scene.
    pub methods: &'static [Option<&'static str>],
    /// Cells there.
    pub grid: [i32; 3],
    /// Seconds that were simulated there.
    pub duration: u32,
    /// Minutes that they took there, on a Pentium 4 of 2.8 GHz.
    pub minutes: u32,
    /// Steps that they took there.
    pub steps: u32,
}

/// What we would solve it with, and the thesis's own coupling.
const BOTH: &[Option<&str>] = &[None, Some(RIGID_FLUID)];
const RIGID_FLUID: &str = "carlson-2004-rigid";

/// Our scene has half of the depth.
const GEARS: [&str; 2] = [
    "domain.size=[1, 1.0625, 1]",
    "liquid.0.shape.box.upper=[1, 0.315, 1]",
];

/// All of the table.
pub const TABLE_NINE: [BodyAnimation; 6] = [
    BodyAnimation {
        title: "Gears & Bunnies",
        scene: "gears-and-rabbits",
        changes: &GEARS,
        methods: BOTH,
        grid: [64, 68, 64],
        duration: 8,
        minutes: 8 * 60 + 18,
        steps: 1632,
    },
    BodyAnimation {
        title: "Optimized Grs & Bns",
        scene: "gears-and-rabbits",
        changes: &[
            GEARS[0],
            GEARS[1],
            "method.bodies.loop_order=advection-first",
        ],
        methods: &[Some(RIGID_FLUID)],
        grid: [64, 68, 64],
        duration: 8,
        minutes: 4 * 60 + 6,
        steps: 1516,
    },
    BodyAnimation {
        title: "Lead & Wood",
        scene: "lead-and-wood",
        changes: &["domain.size=[1, 0.666, 0.5]", "domain.cells=96"],
        methods: BOTH,
        grid: [96, 64, 48],
        duration: 8,
        minutes: 13 * 60 + 16,
        steps: 2576,
    },
    BodyAnimation {
        title: "Block Splash",
        scene: "block-splash",
        changes: &["domain.cells=93"],
        methods: BOTH,
        grid: [93, 73, 60],
        duration: 5,
        minutes: 9 * 60 + 33,
        steps: 2577,
    },
    BodyAnimation {
        title: "Tumbling Stones",
        scene: "tumbling-stones",
        changes: &["domain.cells=292"],
        methods: BOTH,
        grid: [68, 292, 24],
        duration: 4,
        minutes: 38 * 60 + 58,
        steps: 1621,
    },
    BodyAnimation {
        title: "Tumbling Gems",
        scene: "tumbling-gems",
        changes: &["domain.cells=292"],
        methods: BOTH,
        grid: [68, 292, 24],
        duration: 4,
        minutes: 51 * 60 + 9,
        steps: 1448,
    },
];

impl BodyAnimation {
    /// Frames of all of it.
    pub fn frames(&self) -> u32 {
        self.duration * FRAME_RATE
    }

    fn scene(&self, method: Option<&str>) -> Result<Scene, SceneErrors> {
        let mut changes: Vec<Override> =
            self.changes.iter().map(|own| Override::set(own)).collect();
        changes.push(Override::set(&format!("time.frame_rate={FRAME_RATE}")));
        changes.push(Override::set(&format!("time.duration={}", self.duration)));
        changes.extend(method.map(Override::method));
        let text = builtin::find(self.scene).map_or("", |builtin| builtin.text);
        Scene::parse_with(text, self.title, "", &changes)
    }

    /// Runs it with a method, or with that of its scene, until a time is over and a frame is done. Returns its speed, and the frames
    /// that it is told from.
    pub fn run(&self, method: Option<&str>, limit: Duration) -> Result<(Speed, usize), BenchError> {
        let scene = self.scene(method)?;
        let simulation = Simulation::of_scene(&scene)?;
        let start = Instant::now();
        // The first is the state at the start.
        let figures = figures_until(simulation, |frames| frames > 1 && start.elapsed() > limit)?;
        let run = figures.get(1..).unwrap_or_default();
        Ok((Speed::of(&scene, run), run.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_animation_is_a_sound_scene_on_the_grid_of_the_thesis() {
        for animation in &TABLE_NINE {
            for &method in animation.methods {
                let scene = animation.scene(method);
                let scene =
                    scene.unwrap_or_else(|errors| panic!("{}: {errors:?}", animation.title));
                let cells = scene.setup.domain.cells.to_array();
                assert_eq!(cells, animation.grid, "{}", animation.title);
                assert_eq!(scene.time.frames, animation.frames(), "{}", animation.title);
                assert!(!scene.bodies.is_empty(), "{}", animation.title);
            }
        }
    }
}
