//! Liquids in motion without viscosity.

use glam::DVec3;
use ooze_particles::cases::MARTIN_MOYCE;
use ooze_scene::{Override, Scene};

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "free-flight",
            summary: "a thrown ball of water moves with exactly g and keeps its momentum across",
            quick: true,
            run: free_flight,
        },
        Case {
            name: "martin-moyce",
            summary: "front of a dam break: RMS within 10 % of Martin & Moyce 1952, slope within 12 % of 1.32",
            quick: true,
            run: martin_moyce,
        },
        Case {
            name: "dam-fronts",
            summary: "fronts of a dam break with every method: within 10 % of Martin & Moyce 1952 (RMS) and of one another",
            quick: false,
            run: dam_fronts,
        },
    ]
}

fn free_flight(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/free-flight.toml");
    let scene = read(text, case.name, &[])?;
    let thrown = DVec3::new(0.6, 2.0, 0.0);
    let mut across: f64 = 0.0;
    let mut falling: f64 = 0.0;
    let mut time = 0.0;
    follow(&scene, |now, liquid, solids| {
        let measure = liquid.measure(solids);
        let change = measure.momentum / measure.mass - thrown;
        across = across.max(change.x.abs().max(change.z.abs()));
        (falling, time) = (-change.y, now);
    })?;
    Ok(vec![
        case.verdict(
            &scene,
            "acceleration",
            Numbers::relative(falling / time, 9.81, 1e-3),
        ),
        case.verdict(&scene, "drift across", Numbers::at_most(across, 1e-3)),
    ])
}

fn martin_moyce(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/martin-moyce.toml");
    let scene = read(text, case.name, &[])?;
    let front = Front::follow(&scene)?;
    let slope = (front.at(3.0) - front.at(2.0)) / 1.0;
    Ok(vec![
        case.verdict(
            &scene,
            "RMS deviation",
            Numbers::at_most(front.deviation(), 0.10),
        ),
        // Both ends are known to half a cell, a 64th of the column's width, which alone makes 1.7 % of their difference.
        case.verdict(&scene, "slope", Numbers::relative(slope, 1.32, 0.12)),
    ])
}

fn dam_fronts(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/martin-moyce.toml");
    let mut verdicts = Vec::new();
    let mut first = None;
    for method in ["flip", "apic", "level-set", "clavet", "mueller"] {
        let overrides = [Override::method(method), Override::resolution("96")];
        let scene = read(text, case.name, &overrides)?;
        let front = Front::follow(&scene)?;
        let deviation = Numbers::at_most(front.deviation(), 0.10);
        verdicts.push(case.verdict(&scene, "RMS deviation", deviation));
        let reached = front.at(3.0);
        let agreed = Numbers::relative(reached, *first.get_or_insert(reached), 0.10);
        verdicts.push(case.verdict(&scene, "front at T = 3, beside flip", agreed));
    }
    Ok(verdicts)
}

/// The front of a dam break in the experiment's units: T = t √(2g/a) and Z = x/a.
struct Front(Vec<(f64, f64)>);

impl Front {
    fn follow(scene: &Scene) -> Result<Self, CaseError> {
        let width: f64 = 0.25;
        let scale = (2.0 * 9.81 / width).sqrt();
        let mut front = Vec::new();
        follow(scene, |time, liquid, _| {
            let channels = liquid.channels();
            let furthest = channels
                .vectors("position")
                .map(|points| points.iter().map(|point| point.x).fold(0.0, f32::max))
                .unwrap_or(f32::NAN);
            front.push((time * scale, f64::from(furthest) / width));
        })?;
        Ok(Self(front))
    }

    /// Z at a moment T.
    fn at(&self, moment: f64) -> f64 {
        let Self(front) = self;
        let after = front
            .partition_point(|&(time, _)| time < moment)
            .clamp(1, front.len() - 1);
        let ((t0, z0), (t1, z1)) = (front[after - 1], front[after]);
        z0 + (z1 - z0) * (moment - t0) / (t1 - t0)
    }

    /// Root mean square deviation from the experiment. Its gate took time to lift: one shift in time is allowed.
    fn deviation(&self) -> f64 {
        let deviation = |shift: f64| {
            let squares = MARTIN_MOYCE
                .iter()
                .map(|&(time, reached)| (self.at(time - shift) / reached - 1.0).powi(2));
            (squares.sum::<f64>() / MARTIN_MOYCE.len() as f64).sqrt()
        };
        (0..=30)
            .map(|step| deviation(f64::from(step) * 0.01))
            .fold(f64::INFINITY, f64::min)
    }
}
