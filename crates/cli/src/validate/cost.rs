//! What the solvers must not need: iterations that grow with the grid, and volume.

use ooze_cache::Totals;
use ooze_core::SolveSummary;
use ooze_scene::{Method, Override, Scene, builtin};

use super::trial::figures;
use super::{Case, CaseError, Numbers, Verdict, read};

/// Drift of surfaces as particles shape them, before they are fitted to their number: thin sheets and spray are wrapped amply.
const UNCORRECTED: f64 = 0.1;
/// Share of the particles in cells of more than 3 times the density at rest.
const CROWDED: f64 = 0.01;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "pressure-iterations",
            summary: "a splash takes at most 20 pressure iterations, and at 128 cells at most 1.5 times those at 32",
            quick: false,
            run: pressure_iterations,
        },
        Case {
            name: "built-in-scenes",
            summary: "every built-in scene keeps its volume within 1 % (particle liquids 3 %) and its particles apart, its pressure solves within 20 iterations, those of viscosity and heat within 40, and none in vain",
            quick: false,
            run: built_in_scenes,
        },
    ]
}

/// Iterations of any solve but those of pressure that are too many.
const MOST_ITERATIONS: f64 = 40.0;

/// Pressure iterations of the slowest solve and of the mean one, viscous ones of the slowest and solves that were in vain, those of
/// heat of the slowest, and the largest volume drift, also of surfaces that are not fitted to their particles, and share of crowded
/// particles, over some frames.
struct Effort {
    slowest: f64,
    mean: f64,
    viscous: f64,
    tried: f64,
    warm: f64,
    drift: f64,
    uncorrected: Option<f64>,
    crowded: f64,
}

fn effort(scene: &Scene) -> Result<Effort, CaseError> {
    let [mut pressure, mut viscosity, mut heat] = [SolveSummary::default(); 3];
    let mut totals = Totals::default();
    let mut crowded: f64 = 0.0;
    for frame in figures(scene)? {
        totals.absorb(&frame);
        crowded = crowded.max(frame.packing.map_or(0.0, |packing| packing.crowded));
        // What was tried in vain counts as much as what went on from there.
        for (sum, names) in [
            (&mut pressure, &["pressure"][..]),
            (&mut viscosity, &["viscosity", "viscosity attempts"]),
            (&mut heat, &["heat"]),
        ] {
            let solves = names.iter().filter_map(|name| frame.solves.get(*name));
            solves.for_each(|solves| sum.absorb(solves));
        }
    }
    Ok(Effort {
        slowest: f64::from(pressure.iterations_max),
        mean: f64::from(pressure.iterations) / f64::from(pressure.count.max(1)),
        viscous: f64::from(viscosity.iterations_max),
        tried: f64::from(viscosity.failures),
        warm: f64::from(heat.iterations_max),
        drift: totals.volume_drift_max,
        uncorrected: totals.uncorrected_drift_max,
        crowded,
    })
}

fn pressure_iterations(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let drop = builtin::find("water-drop").map_or("", |scene| scene.text);
    let at = |cells: &str| -> Result<(Scene, Effort), CaseError> {
        let overrides = [Override::resolution(cells), Override::frames("20")];
        let scene = read(drop, case.name, &overrides)?;
        let effort = effort(&scene)?;
        Ok((scene, effort))
    };
    let (coarse, few) = at("32")?;
    let (fine, many) = at("128")?;
    Ok(vec![
        case.verdict(
            &coarse,
            "most iterations",
            Numbers::at_most(few.slowest, 20.0),
        ),
        case.verdict(
            &fine,
            "most iterations",
            Numbers::at_most(many.slowest, 20.0),
        ),
        case.verdict(
            &fine,
            "growth from 32 to 128",
            Numbers::at_most(many.mean / few.mean, 1.5),
        ),
    ])
}

fn built_in_scenes(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for built_in in builtin::list() {
        let scene = read(built_in.text, built_in.name, &[])?;
        let effort = effort(&scene)?;
        let quantity = |what: &str| format!("{}, {what}", built_in.name);
        // Particle liquids are compressible.
        let limit = if matches!(scene.method, Method::Flip(_)) {
            0.01
        } else {
            0.03
        };
        let drift = Numbers::at_most(effort.drift, limit);
        verdicts.push(case.verdict(&scene, &quantity("volume drift"), drift));
        if let Some(uncorrected) = effort.uncorrected {
            let uncorrected = Numbers::at_most(uncorrected, UNCORRECTED);
            verdicts.push(case.verdict(&scene, &quantity("uncorrected drift"), uncorrected));
            let crowded = Numbers::at_most(effort.crowded, CROWDED);
            verdicts.push(case.verdict(&scene, &quantity("crowded particles"), crowded));
        }
        let iterations = Numbers::at_most(effort.slowest, 20.0);
        verdicts.push(case.verdict(&scene, &quantity("most iterations"), iterations));
        let viscous = Numbers::at_most(effort.viscous, MOST_ITERATIONS);
        verdicts.push(case.verdict(&scene, &quantity("most viscous iterations"), viscous));
        let tried = Numbers::at_most(effort.tried, 0.0);
        verdicts.push(case.verdict(&scene, &quantity("viscous solves in vain"), tried));
        let warm = Numbers::at_most(effort.warm, MOST_ITERATIONS);
        verdicts.push(case.verdict(&scene, &quantity("most iterations of heat"), warm));
    }
    Ok(verdicts)
}
