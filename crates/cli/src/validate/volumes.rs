//! Liquids of which nothing may get lost, and to which nothing may be added, on every method with a grid.

use ooze_scene::{Override, Scene};

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

const METHODS: [&str; 4] = ["flip", "apic", "level-set", "goktekin-2011"];
/// Depths of tanks in cells.
const DEPTHS: [f64; 5] = [6.0, 6.15, 6.3, 6.5, 6.85];
/// Change of volume after three seconds of sloshing, in which particles of the liquid win a little over those of the air: many
/// more of them are on the wrong side of the surface. At 20 cells 0.3 % is lost in the end, at 40 cells 1.0 % is gained.
const DRIFT_OF_SLOSHING: f64 = 0.015;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "tank-between-planes",
            summary: "water at rest 6 to 7 cells deep, nothing corrected: residual speed below 0.01 √(gH), volume of level sets within 0.3 %",
            quick: false,
            run: tank_between_planes,
        },
        Case {
            name: "head-space",
            summary: "small rooms of air over honey stay what they are: volume within 0.3 %",
            quick: true,
            run: head_space,
        },
        Case {
            name: "drop-into-tank",
            summary: "a drop falls into a tank on a level set that nothing corrects: at most 3 % lost at 20 cells, 1 % at 40",
            quick: false,
            run: drop_into_tank,
        },
    ]
}

/// What a scene has come to.
struct Outcome {
    /// Root mean square of the speed at the end in m/s.
    speed: f64,
    /// Change of the volume at the end relative to that at the start.
    change: f64,
    /// The largest part of the volume that was missing at any time.
    lost: f64,
}

fn outcome(scene: &Scene) -> Result<Outcome, CaseError> {
    let mut start = None;
    let (mut speed, mut change, mut lost) = (f64::NAN, f64::NAN, 0.0_f64);
    follow(scene, |_, liquid, solids| {
        let measure = liquid.measure(solids);
        let start = *start.get_or_insert(measure.volume);
        speed = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
        change = measure.volume / start - 1.0;
        lost = lost.max(-change);
    })?;
    Ok(Outcome {
        speed,
        change,
        lost,
    })
}

fn tank_between_planes(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/tank-between-planes.toml");
    let mut verdicts = Vec::new();
    for method in METHODS {
        for depth in DEPTHS {
            let height = 0.02 * depth;
            let upper = format!("liquid.0.shape.box.upper=[0.4, {height}, 0.4]");
            let mut overrides = vec![
                Override::method(method),
                Override::set(&upper),
                Override::set("method.volume_correction=false"),
            ];
            let particles = matches!(method, "flip" | "apic");
            if particles {
                overrides.push(Override::set("method.density_correction=false"));
            }
            let scene = read(text, case.name, &overrides)?;
            let Outcome { speed, change, .. } = outcome(&scene)?;
            let limit = 0.01 * (9.81 * height).sqrt();
            let quantity = |what: &str| format!("{what} at {depth} cells");
            let speed = Numbers::at_most(speed, limit);
            verdicts.push(case.verdict(&scene, &quantity("residual speed"), speed));
            // Particles are never lost; how their surface is found without correction is another matter.
            if !particles {
                let change = Numbers::at_most(change.abs(), 0.003);
                verdicts.push(case.verdict(&scene, &quantity("volume change"), change));
            }
        }
    }
    Ok(verdicts)
}

fn head_space(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/head-space.toml");
    let mut verdicts = Vec::new();
    for method in METHODS {
        for cells in ["16", "24", "32"] {
            let overrides = [Override::method(method), Override::resolution(cells)];
            let scene = read(text, case.name, &overrides)?;
            let change = outcome(&scene)?.change.abs();
            verdicts.push(case.verdict(&scene, "volume change", Numbers::at_most(change, 0.003)));
        }
    }
    Ok(verdicts)
}

fn drop_into_tank(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/drop-into-tank.toml");
    let mut verdicts = Vec::new();
    for (cells, allowed) in [("20", 0.03), ("40", 0.01)] {
        let overrides = [
            Override::method("level-set"),
            Override::set("method.volume_correction=false"),
            Override::resolution(cells),
        ];
        let scene = read(text, case.name, &overrides)?;
        let Outcome { change, lost, .. } = outcome(&scene)?;
        verdicts.push(case.verdict(&scene, "volume lost", Numbers::at_most(lost, allowed)));
        let change = Numbers::at_most(change.abs(), DRIFT_OF_SLOSHING);
        verdicts.push(case.verdict(&scene, "volume change", change));
    }
    Ok(verdicts)
}
