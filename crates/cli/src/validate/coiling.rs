//! The frequency with which a rope of thick liquid coils, against slender-rope theory (Ribe 2004).

use std::ops::Range;

use glam::Vec3;
use ooze_core::Liquid;
use ooze_scene::{Override, Scene};

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
/// Speed of the rope where it is slimmest, in m/s: what flows through the nozzle flows there.
const SPEED: f64 = 0.5 * (5e-3 / ROPE_RADIUS) * (5e-3 / ROPE_RADIUS);
/// Share that measured figures may be off by.
const TOLERANCE: f64 = 0.2;
/// Seconds before which the rope has not settled into coiling.
const SETTLED: f64 = 0.8;

pub(super) fn cases() -> Vec<Case> {
    vec![Case {
        name: "rope-coiling",
        summary: "frequency, coil radius, rope radius and speed of the rope within 20 % of slender-rope theory, at three resolutions",
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
    /// From sightings over time: the slope of the unwrapped angle, and means.
    fn of(sightings: &[Sighting]) -> Self {
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
            coil_radius: mean(&|seen| seen.contact.distance),
            rope_radius: mean(&|seen| seen.contact.rope_radius),
            speed: mean(&|seen| seen.speed),
        }
    }

    fn follow(scene: &Scene) -> Result<Self, CaseError> {
        let nozzle = Vec3::new(0.0, FALL as f32, 0.0);
        let layer = scene.setup.domain.cell_size;
        let mut sightings = Vec::new();
        follow(scene, |time, liquid, _| {
            if time < SETTLED {
                return;
            }
            let points = positions(liquid);
            if let Some(mut found) = contact(&points, nozzle, layer) {
                let rope = found.height as f32..nozzle.y;
                found.rope_radius = slimmest(&points, rope, layer, particle_volume(scene));
                let reach = reach(&points, nozzle, found.height as f32, layer);
                found.distance = reach - found.rope_radius;
                let halfway = 0.5 * (found.height as f32 + nozzle.y);
                sightings.push(Sighting {
                    time,
                    contact: found,
                    speed: speed_at(liquid, halfway, layer),
                });
            }
        })?;
        Ok(Self::of(&sightings))
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

/// How far liquid reaches from the nozzle's axis where the rope meets the pile, one layer up and down. The outermost
/// fiftieth is left out.
///
/// In slender-rope theory the radius R of a coil is the distance from the axis at which the rope's centre line comes to
/// rest on the pile, so that it is laid down as fast as it arrives (ΩR = U₁, Ribe 2004, sec. 2). A loop that lies there
/// reaches to R and a rope's radius: what it reaches, less the rope's radius, is R, as it is read from pictures of experiments.
/// The mean place of the rope's last bit above the pile, which the probe goes by, is no measure of R: that bit is bent to
/// an arc, and the mean place of an arc lies inside of it, at 2/3 of R for 170 degrees.
fn reach(points: &[Vec3], nozzle: Vec3, height: f32, layer: f32) -> f64 {
    let near = points
        .iter()
        .filter(|point| (point.y - height).abs() < layer);
    let mut distances: Vec<f32> = near
        .map(|point| (point.x - nozzle.x).hypot(point.z - nozzle.z))
        .collect();
    if distances.is_empty() {
        return f64::NAN;
    }
    let rank = (distances.len() - 1) * 49 / 50;
    let (_, reach, _) = distances.select_nth_unstable_by(rank, f32::total_cmp);
    f64::from(*reach)
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
        judge("speed of the rope", coiling.speed, SPEED);
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
    fn liquid_reaches_as_far_as_all_but_a_fiftieth_of_it() {
        // A hundred particles at distances of 1 to 100 mm, in the layer and far below it.
        let points: Vec<Vec3> = (1..=100)
            .flat_map(|step| {
                let x = 0.5 + 0.001 * step as f32;
                [Vec3::new(x, 0.02, 0.3), Vec3::new(2.0 * x, -0.02, 0.3)]
            })
            .collect();
        let nozzle = Vec3::new(0.5, 0.1, 0.3);
        let found = reach(&points, nozzle, 0.02, 0.002);
        assert!((found - 0.098).abs() < 1e-6, "{found}");
        assert!(reach(&points, nozzle, 0.08, 0.002).is_nan());
    }

    #[test]
    fn the_radius_of_a_loop_is_that_of_its_centre_line() {
        // A ring of rope, and half of it: what it reaches tells the same, where the centre of half a ring says less.
        let (coil, rope) = (0.0157_f32, 0.005_f32);
        for turn in [std::f32::consts::TAU, std::f32::consts::PI] {
            let mut points = Vec::new();
            for (along, across, up) in (0..200).flat_map(|along| {
                (-10..=10).flat_map(move |across| (-10..=10).map(move |up| (along, across, up)))
            }) {
                let (out, height) = (across as f32 * 0.1 * rope, up as f32 * 0.1 * rope);
                if out.hypot(height) <= rope {
                    let (sine, cosine) = (turn * along as f32 / 200.0).sin_cos();
                    let distance = coil + out;
                    points.push(Vec3::new(distance * cosine, height, distance * sine));
                }
            }
            let found = reach(&points, Vec3::ZERO, 0.0, 0.002) - f64::from(rope);
            assert!((found / f64::from(coil) - 1.0).abs() < 0.05, "{found}");
            let mean = points.iter().sum::<Vec3>() / points.len() as f32;
            assert!(mean.length() < 0.7 * coil, "{mean}");
        }
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
        let coiling = Coiling::of(&sightings);
        assert!((coiling.frequency - 5.0).abs() < 1e-9, "{coiling:?}");
        assert!((coiling.coil_radius - 0.015).abs() < 1e-9);
        assert!((coiling.speed - 0.5).abs() < 1e-9);
        // Nothing to go by is no number, which no verdict passes.
        assert!(Coiling::of(&[]).frequency.is_nan());
    }
}
