//! The frequency with which a rope of thick liquid coils, against slender-rope theory (Ribe 2004).

use ooze_scene::{Override, Scene};

use super::trial::{follow, positions};
use super::{Case, CaseError, Numbers, Verdict, read};
use crate::probes::coil::{Contact, contact};

/// Expected for a nozzle 1 cm wide, ν = 0.1 m²/s, 0.5 m/s and a fall of 10 cm: frequency in Hz, radius of the coil and
/// of the rope in metres.
const FREQUENCY: f64 = 5.12;
const COIL_RADIUS: f64 = 15.7e-3;
const ROPE_RADIUS: f64 = 4.97e-3;
const FALL: f64 = 0.1;
/// Share that measured figures may be off by.
const TOLERANCE: f64 = 0.2;
/// Seconds before which the rope has not settled into coiling.
const SETTLED: f64 = 0.8;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "rope-coiling",
        summary: "frequency, coil radius and rope radius within 20 % of slender-rope theory, at three resolutions",
        quick: false,
        run: rope_coiling,
    }]
}

/// What a coiling rope does, once it has settled.
#[derive(Debug, PartialEq)]
struct Coiling {
    frequency: f64,
    coil_radius: f64,
    rope_radius: f64,
    /// From the nozzle to the top of the pile, in metres.
    fall: f64,
}

impl Coiling {
    /// From contacts over time: the slope of the unwrapped angle, and means.
    fn of(contacts: &[(f64, Contact)], nozzle_height: f64) -> Self {
        let count = contacts.len() as f64;
        let mean = |value: &dyn Fn(&Contact) -> f64| {
            contacts
                .iter()
                .map(|(_, contact)| value(contact))
                .sum::<f64>()
                / count
        };
        let middle = contacts.iter().map(|(time, _)| time).sum::<f64>() / count;
        let mut angle = 0.0;
        let mut last = None;
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (time, contact) in contacts {
            let step = contact.angle - last.unwrap_or(contact.angle);
            angle += step - 360.0 * (step / 360.0).round();
            last = Some(contact.angle);
            covariance += (time - middle) * angle;
            variance += (time - middle).powi(2);
        }
        Self {
            frequency: (covariance / variance / 360.0).abs(),
            coil_radius: mean(&|contact| contact.distance),
            rope_radius: mean(&|contact| contact.rope_radius),
            fall: nozzle_height - mean(&|contact| contact.height),
        }
    }

    fn follow(scene: &Scene) -> Result<Self, CaseError> {
        let nozzle = glam::Vec3::new(0.0, FALL as f32, 0.0);
        let layer = scene.setup.domain.cell_size;
        let mut contacts = Vec::new();
        follow(scene, |time, liquid, _| {
            if time >= SETTLED {
                let found = contact(&positions(liquid), nozzle, layer);
                contacts.extend(found.map(|contact| (time, contact)));
            }
        })?;
        Ok(Self::of(&contacts, FALL))
    }
}

fn rope_coiling(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/rope-coiling.toml");
    let mut verdicts = Vec::new();
    for cell_size in ["0.0025", "0.002", "0.0015"] {
        let size = format!("domain.cell_size={cell_size}");
        let scene = read(text, case.name, &[Override::set(&size)])?;
        let coiling = Coiling::follow(&scene)?;
        let mut judge = |what: &str, measured: f64, expected: f64| {
            let numbers = Numbers::relative(measured, expected, TOLERANCE);
            verdicts.push(case.verdict(&scene, what, numbers));
        };
        judge("frequency", coiling.frequency, FREQUENCY);
        judge(
            "coil radius in mm",
            1e3 * coiling.coil_radius,
            1e3 * COIL_RADIUS,
        );
        judge(
            "rope radius in mm",
            1e3 * coiling.rope_radius,
            1e3 * ROPE_RADIUS,
        );
        judge("fall in mm", 1e3 * coiling.fall, 1e3 * FALL);
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted_across_the_seam() {
        let contacts: Vec<(f64, Contact)> = (0..200)
            .map(|sample| {
                let time = f64::from(sample) / 200.0;
                let turned = -360.0 * 5.0 * time + 30.0;
                let contact = Contact {
                    angle: turned - 360.0 * (turned / 360.0).round(),
                    distance: 0.015,
                    height: 0.01,
                    rope_radius: 0.005,
                };
                (time, contact)
            })
            .collect();
        let coiling = Coiling::of(&contacts, 0.11);
        assert!((coiling.frequency - 5.0).abs() < 1e-9, "{coiling:?}");
        assert!((coiling.coil_radius - 0.015).abs() < 1e-9);
        assert!((coiling.fall - 0.1).abs() < 1e-9);
        // Nothing to go by is no number, which no verdict passes.
        assert!(Coiling::of(&[], 0.11).frequency.is_nan());
    }
}
