//! Relaxed particles whose constants come from SI materials: what a liquid does hardly depends on spacing and step.

use glam::Vec3;
use ooze_scene::Override;

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

/// Largest changes that count as the same, relative.
const SPACING_HALVED: f64 = 0.05;
const STEP_HALVED: f64 = 0.05;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "relaxation-resolution",
        summary: "a block of syrup spreads and one of jelly sags alike when spacing or time step are halved",
        quick: false,
        run: halved,
    }]
}

/// What the two blocks came to.
struct Outcome {
    /// Root mean square distance of the syrup from its middle along the floor, relative to what it was.
    spread: f64,
    /// How much the jelly's centre came down, relative to its height.
    sag: f64,
}

fn halved(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/relaxation-resolution.toml");
    let scene = read(text, case.name, &[])?;
    let watch = |overrides: &[Override]| -> Result<Outcome, CaseError> {
        let scene = read(text, case.name, overrides)?;
        let mut blocks = Vec::new();
        follow(&scene, |_, liquid, _| {
            let channels = liquid.channels();
            let points = channels.vectors("position").unwrap_or_default();
            let materials = channels.bytes("material").unwrap_or_default();
            let of = |wanted: u8| -> Vec<Vec3> {
                let pairs = points.iter().zip(materials);
                pairs
                    .filter(|&(_, &material)| material == wanted)
                    .map(|(&point, _)| point)
                    .collect()
            };
            blocks.push((spread(&of(0)), height(&of(1))));
        })?;
        let (first, last) = (blocks[0], blocks[blocks.len() - 1]);
        // The jelly still shakes: the mean of the second half is where it will come to rest.
        let late = &blocks[blocks.len() / 2..];
        let height = late.iter().map(|block| block.1).sum::<f64>() / late.len() as f64;
        Ok(Outcome {
            spread: last.0 / first.0,
            sag: 1.0 - height / first.1,
        })
    };
    let base = watch(&[])?;
    let fine = watch(&[Override::resolution("240")])?;
    let slow = watch(&[Override::set("time.cfl=0.2")])?;
    let verdict = |quantity: &str, measured: f64, expected: f64, tolerance: f64| {
        let numbers = Numbers::relative(measured, expected, tolerance);
        case.verdict(&scene, quantity, numbers)
    };
    Ok(vec![
        verdict(
            "spread, spacing halved",
            fine.spread,
            base.spread,
            SPACING_HALVED,
        ),
        verdict("spread, step halved", slow.spread, base.spread, STEP_HALVED),
        verdict("sag, spacing halved", fine.sag, base.sag, SPACING_HALVED),
        verdict("sag, step halved", slow.sag, base.sag, STEP_HALVED),
    ])
}

fn spread(points: &[Vec3]) -> f64 {
    let count = points.len() as f64;
    let mean = points.iter().map(|point| f64::from(point.x)).sum::<f64>() / count;
    let squares = points
        .iter()
        .map(|point| (f64::from(point.x) - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

fn height(points: &[Vec3]) -> f64 {
    points.iter().map(|point| f64::from(point.y)).sum::<f64>() / points.len() as f64
}
