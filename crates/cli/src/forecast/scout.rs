//! A twin of a scene that is coarser still than its pilot, and gets to the end where the pilot does not: it shows how fast and
//! how much the liquid becomes after the pilot has seen what a step costs.

use std::time::Duration;

use ooze_scene::Scene;

use super::pilot::{Flight, PilotFrame, on_cells};

/// Time that a scout may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// So many scouts are sent, each on so much coarser cells, until one gets to the end.
const MOST_SCOUTS: u32 = 3;
const NEXT_SCOUT: f64 = 0.65;
/// Cells along the longest side that a scout has at least.
const LEAST_CELLS: f64 = 8.0;
/// What a step costs when the pilot ends is the mean over so many frames.
const LAST_FRAMES: usize = 5;
/// How many times longer or shorter the pilot's steps are taken to be at the most.
const MOST_STRETCH: f64 = 2.0;

/// What frames after those that the pilot saw are like for it: none where it saw all, or where nothing coarser makes sense.
/// The pilot ran on `cells` along the longest side and took so many seconds.
pub(super) fn beyond(
    scene: &Scene,
    cells: f64,
    pilot: &[PilotFrame],
    seconds: f64,
) -> Vec<PilotFrame> {
    let all = scene.time.frames as usize + 1;
    if pilot.len() >= all {
        return Vec::new();
    }
    // Work grows with the number of cells and, since they are crossed in a step, with their number along a side.
    let whole = seconds * all as f64 / pilot.len() as f64;
    let power = 1.0 / (scene.setup.domain.dimensions() as f64 + 1.0);
    let mut fewer = (PATIENCE.as_secs_f64() / whole).powf(power).min(1.0);
    let mut seen = Vec::new();
    for _ in 0..MOST_SCOUTS {
        let coarser = (fewer * cells).round().max(LEAST_CELLS.min(cells));
        let flight = on_cells(scene, coarser).map(|twin| Flight::of(&twin, PATIENCE));
        let Ok(Ok(Flight { frames, .. })) = flight else {
            break;
        };
        let further = continued(pilot, &frames, cells / coarser);
        if further.len() > seen.len() {
            seen = further;
        }
        if frames.len() == all || coarser <= LEAST_CELLS {
            break;
        }
        fewer *= NEXT_SCOUT;
    }
    seen
}

/// The frames of a scout after those of the pilot, as they would be on the pilot's cells, which are `finer` times finer.
fn continued(pilot: &[PilotFrame], scout: &[PilotFrame], finer: f64) -> Vec<PilotFrame> {
    let (Some(last), Some(met)) = (pilot.last(), scout.get(pilot.len() - 1)) else {
        return Vec::new();
    };
    let step = |frame: &PilotFrame| frame.stable_seconds * finer.powf(-frame.step_growth);
    // Where both were, the pilot is right about the length of steps.
    let ratios = pilot.iter().zip(scout).skip(1);
    let logarithms = ratios.map(|(pilot, scout)| (pilot.stable_seconds / step(scout)).ln());
    let stretch = (logarithms.sum::<f64>() / (pilot.len() - 1) as f64).exp();
    // A frame or two at the start, when liquid only begins to fall, say little about those that follow.
    let stretch = stretch.clamp(1.0 / MOST_STRETCH, MOST_STRETCH);
    let late = &pilot[pilot.len().saturating_sub(LAST_FRAMES).max(1)..];
    let mean =
        |figure: fn(&PilotFrame) -> f64| late.iter().map(figure).sum::<f64>() / late.len() as f64;
    let per_step = mean(|frame| frame.seconds_per_step);
    let per_frame = mean(|frame| frame.seconds_per_frame);
    let beyond = scout[pilot.len()..].iter();
    let seen = beyond.map(|frame| {
        let more = frame.particles / met.particles.max(1.0);
        PilotFrame {
            particles: more * last.particles,
            stable_seconds: stretch * step(frame),
            step_growth: frame.step_growth,
            seconds_per_step: more * per_step,
            seconds_per_frame: more * per_frame,
        }
    });
    seen.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(particles: f64, stable_seconds: f64) -> PilotFrame {
        PilotFrame {
            particles,
            stable_seconds,
            step_growth: 1.0,
            seconds_per_step: 1e-4 * particles,
            seconds_per_frame: 1e-5 * particles,
        }
    }

    #[test]
    fn a_scout_goes_on_where_the_pilot_ended() {
        // Twice as coarse: an eighth of the particles, steps of twice the length, but for a fifth that it does not see.
        let pilot = [frame(800.0, 0.8), frame(800.0, 0.8), frame(800.0, 0.4)];
        let scout = [
            frame(100.0, 2.0),
            frame(100.0, 2.0),
            frame(100.0, 1.0),
            frame(200.0, 1.0),
            frame(200.0, 4.0),
        ];
        let found = continued(&pilot, &scout, 2.0);
        assert_eq!(found.len(), 2);
        let expected = [frame(1600.0, 0.4), frame(1600.0, 1.6)];
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.particles, expected.particles);
            assert!((found.stable_seconds / expected.stable_seconds - 1.0).abs() < 1e-12);
            assert!((found.seconds_per_step / expected.seconds_per_step - 1.0).abs() < 1e-12);
        }
        // A scout that is slower than the pilot shows nothing.
        assert!(continued(&pilot, &scout[..2], 2.0).is_empty());
        assert!(continued(&pilot, &scout[..3], 2.0).is_empty());
    }
}
