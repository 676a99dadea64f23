//! Thick liquid that is about to meet a wall.

use ooze_scene::Override;

use super::trial::{Motion, follow};
use super::{Case, CaseError, Numbers, Verdict, read};

/// The same cube, on the floor from the start.
const STANDING: &str =
    "liquid.0.shape.box={ lower = [0.35, 0.0, 0.35], upper = [0.65, 0.3, 0.65] }";
/// Share of the fall over the gap, in time, after which its speed is compared with free fall.
const LATE: f64 = 0.75;
/// Frames over which the speed of sinking is averaged.
const LAST_FRAMES: usize = 20;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "gap",
        summary: "5000 Pa s one cell above the floor fall freely (1 %) and then sink as fast as what stood there from the start (20 %)",
        quick: false,
        run: gap,
    }]
}

fn mean_of_last(speeds: &[f64]) -> f64 {
    speeds.iter().rev().take(LAST_FRAMES).sum::<f64>() / LAST_FRAMES as f64
}

fn gap(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/gap.toml");
    let gravity = 9.81;
    let mut verdicts = Vec::new();
    for method in ["flip", "apic", "level-set", "goktekin-2011"] {
        let preset = Override::method(method);
        let scene = read(text, case.name, std::slice::from_ref(&preset))?;
        let arrival = (2.0 * f64::from(scene.setup.domain.cell_size) / gravity).sqrt();
        let mut share = f64::NAN;
        let mut speeds = Vec::new();
        follow(&scene, |time, liquid, solids| {
            let speed = -Motion::of(liquid, solids).velocity.y;
            if time > 0.0 && time <= LATE * arrival {
                share = speed / (gravity * time);
            }
            speeds.push(speed);
        })?;
        let sinking = mean_of_last(&speeds);
        let standing = read(text, case.name, &[preset, Override::set(STANDING)])?;
        speeds.clear();
        follow(&standing, |_, liquid, solids| {
            speeds.push(-Motion::of(liquid, solids).velocity.y);
        })?;
        let expected = mean_of_last(&speeds);
        let fall = Numbers::relative(share, 1.0, 0.01);
        verdicts.push(case.verdict(&scene, "speed over free fall", fall));
        let rest = Numbers::relative(sinking, expected, 0.2);
        verdicts.push(case.verdict(&scene, "speed of sinking", rest));
    }
    Ok(verdicts)
}
