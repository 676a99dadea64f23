//! Jets of thick liquid that buckle where they meet a plate, or do not (Cruickshank 1988: a planar jet buckles for
//! Re < 0.56 and H/D > 8.8).

use ooze_scene::{Override, Scene};

use super::trial::{follow, positions};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Width of the jet in metres.
const WIDTH: f64 = 0.01;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "jet-buckling",
        summary: "a planar jet buckles at Re 0.1 from 12 D, not from 5 D, and not at Re 3: middle moves by D/2",
        quick: false,
        run: jet_buckling,
    }]
}

/// How far the middle of the jet ever is from the axis, in widths.
fn largest_shift(scene: &Scene, height: f64) -> Result<f64, CaseError> {
    let mut largest: f64 = 0.0;
    follow(scene, |_, liquid, _| {
        let points = positions(liquid);
        let middle = |point: &&glam::Vec3| (f64::from(point.y) - 0.5 * height).abs() < 0.2 * WIDTH;
        let (mut sum, mut count) = (0.0, 0.0);
        for point in points.iter().filter(middle) {
            sum += f64::from(point.x);
            count += 1.0;
        }
        if count > 0.0 {
            largest = largest.max((sum / count / WIDTH).abs());
        }
    })?;
    Ok(largest)
}

fn jet_buckling(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/jet-buckling.toml");
    let mut verdicts = Vec::new();
    for (reynolds, ratio, buckles) in [(0.1, 12.0, true), (0.1, 5.0, false), (3.0, 12.0, false)] {
        let height = ratio * WIDTH;
        // Re = U D/ν with U = 1 m/s and 1000 kg/m³.
        let viscosity = 1000.0 * WIDTH / reynolds;
        let outlet = format!(
            "emitter.0.shape.box={{ lower = [-0.005, {height}, -1.0], upper = [0.005, {}, 1.0] }}",
            height + WIDTH
        );
        let overrides = [
            Override::set(&format!("materials.syrup.viscosity={viscosity}")),
            Override::set(&outlet),
        ];
        let scene = read(text, case.name, &overrides)?;
        let shift = largest_shift(&scene, height)?;
        let quantity = format!("shift over D, Re {reynolds}, H/D {ratio}");
        let numbers = if buckles {
            Numbers::at_least(shift, 0.5)
        } else {
            Numbers::at_most(shift, 0.5)
        };
        verdicts.push(case.verdict(&scene, &quantity, numbers));
    }
    Ok(verdicts)
}
