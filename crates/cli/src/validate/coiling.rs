//! The frequency with which a rope of thick liquid coils, against slender-rope theory (Ribe 2004).

use std::ops::Range;

use glam::Vec3;
use ooze_core::Liquid;
use ooze_scene::{Override, Scene};

use super::laid_rope::LaidRope;
use super::trial::{follow, positions};
use super::{Case, CaseError, Numbers, Verdict, read};
use crate::pictures::particle_volume;
use ooze::probes::coil::{RopeContact, contact};

/// Expected for a nozzle 1 cm wide, ν = 0.1 m²/s, 0.5 m/s and a fall of 10 cm: frequency in Hz, radius of the coil and
/// of the rope in metres.
const FREQUENCY: f64 = 5.12;
const COIL_RADIUS: f64 = 15.7e-3;
const ROPE_RADIUS: f64 = 4.97e-3;
const FALL: f64 = 0.1;
/// Speed at the nozzle, in m/s.
const LEAVING: f64 = 0.5;
/// Speed of the rope where it is slimmest, in m/s: what flows through the nozzle flows there.
const SPEED: f64 = LEAVING * (5e-3 / ROPE_RADIUS) * (5e-3 / ROPE_RADIUS);
/// The plate below, which sinks.
const GROUND: &str = "plate";
/// Share that frequency and radius of the coil may be off by: pressure apart from viscosity makes them 9 % too large and 11 % too small.
const COILING: f64 = 0.1;
/// The same for the rope's own figures, which are those of its slimmest part.
const ROPE: f64 = 0.2;
/// Seconds before which the rope has not settled into coiling.
const SETTLED: f64 = 0.8;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "rope-coiling",
        summary: "frequency and radius of the coil within 10 % of slender-rope theory, radius and speed of the rope within 20 %, at three resolutions",
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
    /// Speed of the liquid half-way down, in m/s.
    speed: f64,
}

/// What is seen of a coiling rope at one moment.
struct Sighting {
    time: f64,
    contact: RopeContact,
    /// Mean speed of the liquid half-way between nozzle and pile, in m/s.
    speed: f64,
}

impl Coiling {
    /// From sightings over time, and from the distances at which the rope was laid down: the slope of the unwrapped angle, and means.
    fn of(sightings: &[Sighting], laid: &[f64]) -> Self {
        let count = sightings.len() as f64;
        let mean =
            |value: &dyn Fn(&Sighting) -> f64| sightings.iter().map(value).sum::<f64>() / count;
        let middle = mean(&|seen| seen.time);
        let mut angle = 0.0;
        let mut last = None;
        let (mut covariance, mut variance) = (0.0, 0.0);
        for Sighting { time, contact, .. } in sightings {
            let step = contact.angle - last.unwrap_or(contact.angle);
            angle += step - 360.0 * (step / 360.0).round();
            last = Some(contact.angle);
            covariance += (time - middle) * angle;
            variance += (time - middle).powi(2);
        }
        Self {
            frequency: (covariance / variance / 360.0).abs(),
            coil_radius: laid.iter().sum::<f64>() / laid.len() as f64,
            rope_radius: mean(&|seen| seen.contact.rope_radius),
            speed: mean(&|seen| seen.speed),
        }
    }

    fn follow(scene: &Scene) -> Result<Self, CaseError> {
        let nozzle = Vec3::new(0.0, FALL as f32, 0.0);
        let layer = scene.setup.domain.cell_size;
        let (mut rope, mut laid) = (LaidRope::new(LEAVING as f32), Vec::new());
        let mut sightings = Vec::new();
        let mut before = 0.0;
        follow(scene, |time, liquid, solids| {
            let points = positions(liquid);
            let ground = solids.all().iter().find(|solid| solid.name == GROUND);
            let channels = liquid.channels();
            if let (Some(ground), Ok(identities)) = (ground, channels.words("id")) {
                let seen = points.iter().map(|&point| ground.end.to_local(point));
                let found = rope.look(identities.iter().zip(seen), (time - before) as f32);
                laid.extend(found.into_iter().filter(|_| time >= SETTLED));
            }
            before = time;
            if time < SETTLED {
                return;
            }
            if let Some(mut found) = contact(&points, nozzle, layer) {
                let rope = found.height as f32..nozzle.y;
                found.rope_radius = slimmest(&points, rope, layer, particle_volume(scene));
                let halfway = 0.5 * (found.height as f32 + nozzle.y);
                sightings.push(Sighting {
                    time,
                    contact: found,
                    speed: speed_at(liquid, halfway, layer),
                });
            }
        })?;
        Ok(Self::of(&sightings, &laid))
    }
}

/// Mean speed of the liquid in a layer around a height.
fn speed_at(liquid: &dyn Liquid, height: f32, layer: f32) -> f64 {
    let channels = liquid.channels();
    let (Ok(points), Ok(velocities)) = (channels.vectors("position"), channels.vectors("velocity"))
    else {
        return f64::NAN;
    };
    let near = points.iter().zip(velocities);
    let speeds: Vec<f64> = near
        .filter(|(point, _)| (point.y - height).abs() < layer)
        .map(|(_, velocity)| f64::from(velocity.length()))
        .collect();
    speeds.iter().sum::<f64>() / speeds.len() as f64
}

/// Radius of a rope where its cross-section is smallest, over heights of three layers. Just above the pile the rope
/// leans so much that its level cross-section is no measure of it; it hardly grows thinner on the way down there.
fn slimmest(points: &[Vec3], heights: Range<f32>, layer: f32, particle_volume: f32) -> f64 {
    let mut counts = vec![0.0_f64; ((heights.end - heights.start) / layer) as usize];
    for point in points {
        let index = (heights.end - point.y) / layer;
        if index >= 0.0
            && let Some(count) = counts.get_mut(index as usize)
        {
            *count += 1.0;
        }
    }
    let mean = |window: &[f64]| window.iter().sum::<f64>() / window.len() as f64;
    let fewest = counts.windows(3).map(mean).fold(f64::NAN, f64::min);
    let area = fewest * f64::from(particle_volume) / f64::from(layer);
    (area / std::f64::consts::PI).sqrt()
}

fn rope_coiling(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/rope-coiling.toml");
    let mut verdicts = Vec::new();
    for cell_size in ["0.003", "0.0025", "0.002"] {
        let size = format!("domain.cell_size={cell_size}");
        let scene = read(text, case.name, &[Override::set(&size)])?;
        let coiling = Coiling::follow(&scene)?;
        for (what, measured, expected, tolerance) in [
            ("frequency", coiling.frequency, FREQUENCY, COILING),
            (
                "coil radius in mm",
                1e3 * coiling.coil_radius,
                1e3 * COIL_RADIUS,
                COILING,
            ),
            (
                "rope radius in mm",
                1e3 * coiling.rope_radius,
                1e3 * ROPE_RADIUS,
                ROPE,
            ),
            ("speed of the rope", coiling.speed, SPEED, ROPE),
        ] {
            let numbers = Numbers::relative(measured, expected, tolerance);
            verdicts.push(case.verdict(&scene, what, numbers));
        }
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_is_as_thick_as_its_slimmest_part() {
        // A hundred particles of 1 mm³ in each layer of 1 mm; fewer in the middle, more below.
        let mut points = Vec::new();
        for layer in 0..40 {
            let count = match layer {
                15..20 => 80,
                30.. => 300,
                _ => 100,
            };
            let height = 0.1 - 0.001 * (layer as f32 + 0.5);
            points.extend(std::iter::repeat_n(Vec3::new(0.0, height, 0.0), count));
        }
        let radius = slimmest(&points, 0.06..0.1, 0.001, 1e-9);
        let expected = (80e-6 / std::f64::consts::PI).sqrt();
        assert!((radius / expected - 1.0).abs() < 1e-4, "{radius}");
    }

    #[test]
    fn turns_are_counted_across_the_seam() {
        let sightings: Vec<Sighting> = (0..200)
            .map(|sample| {
                let time = f64::from(sample) / 200.0;
                let turned = -360.0 * 5.0 * time + 30.0;
                let contact = RopeContact {
                    angle: turned - 360.0 * (turned / 360.0).round(),
                    distance: 0.015,
                    height: 0.01,
                    rope_radius: 0.005,
                };
                Sighting {
                    time,
                    contact,
                    speed: 0.5,
                }
            })
            .collect();
        let coiling = Coiling::of(&sightings, &[0.014, 0.016]);
        assert!((coiling.frequency - 5.0).abs() < 1e-9, "{coiling:?}");
        assert!((coiling.coil_radius - 0.015).abs() < 1e-9);
        assert!((coiling.speed - 0.5).abs() < 1e-9);
        // Nothing to go by is no number, which no verdict passes.
        let nothing = Coiling::of(&[], &[]);
        assert!(nothing.frequency.is_nan() && nothing.coil_radius.is_nan());
    }
}
