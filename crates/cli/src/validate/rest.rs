//! Liquids that should not move.

use glam::Vec3;

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "hydrostatic-tank",
            summary: "pressure ρg(H − y) within 2 %, residual speed below 0.01 √(gH)",
            quick: true,
            run: hydrostatic_tank,
        },
        Case {
            name: "floating-ball",
            summary: "a ball without gravity keeps still and keeps its volume",
            quick: true,
            run: floating_ball,
        },
    ]
}

fn hydrostatic_tank(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/hydrostatic-tank.toml");
    let scene = read(text, case.name, &[])?;
    let (height, gravity) = (0.5, 9.81);
    let density = f64::from(scene.setup.materials[0].density);
    let depths = [0.1, 0.2, 0.3, 0.4];
    let mut speed = 0.0;
    let mut drift = 0.0;
    let mut pressures = [0.0; 4];
    follow(&scene, |_, liquid, solids| {
        let measure = liquid.measure(solids);
        speed = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
        drift = measure.volume_drift().abs();
        for (pressure, depth) in pressures.iter_mut().zip(depths) {
            let point = Vec3::new(0.5, (height - depth) as f32, 0.5);
            *pressure = liquid.pressure_at(point).map_or(f64::NAN, f64::from);
        }
    })?;
    let full = density * gravity * height;
    let mut verdicts: Vec<Verdict> = depths
        .iter()
        .zip(pressures)
        .map(|(depth, measured)| {
            let expected = density * gravity * depth;
            let numbers = Numbers::within(measured, expected, full, 0.02);
            case.verdict(&scene, &format!("pressure at {depth} m"), numbers)
        })
        .collect();
    let limit = 0.01 * (gravity * height).sqrt();
    verdicts.push(case.verdict(&scene, "residual speed", Numbers::at_most(speed, limit)));
    verdicts.push(case.verdict(&scene, "volume drift", Numbers::at_most(drift, 0.01)));
    Ok(verdicts)
}

fn floating_ball(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/floating-ball.toml");
    let scene = read(text, case.name, &[])?;
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.3f64.powi(3);
    let mut volume = 0.0;
    let mut speed: f64 = 0.0;
    follow(&scene, |_, liquid, solids| {
        let measure = liquid.measure(solids);
        volume = measure.volume;
        speed = speed.max(measure.max_speed);
    })?;
    Ok(vec![
        case.verdict(&scene, "volume", Numbers::relative(volume, exact, 0.01)),
        case.verdict(&scene, "largest speed", Numbers::at_most(speed, 1e-3)),
    ])
}
