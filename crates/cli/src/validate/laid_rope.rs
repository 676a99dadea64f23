//! Where a falling rope is laid down: its centre line, followed by slices of what left the nozzle within one frame.
//!
//! In slender-rope theory the radius R of a coil is the distance from the axis at which the rope's centre line comes to rest on the
//! pile, so that it is laid down as fast as it arrives (ΩR = U₁, Ribe 2004, sec. 2). The centre of a slice is a point of that line
//! all the way down. How far liquid reaches on the pile tells more than R: loops that lie there are squashed by those above them, and
//! of coils that wander it is the outermost bits that reach furthest. The middle of the last bit of rope above the pile tells less: that bit is
//! bent to an arc, whose middle lies inside of it.

use glam::Vec3;

/// Share of the speed at the nozzle below which a slice has come to rest: what is laid down creeps on for a while as the pile sags.
const AT_REST: f32 = 0.1;

/// The slices of a rope, as far as they have come.
pub(super) struct LaidRope {
    /// Speed at the nozzle in m/s.
    speed: f32,
    /// Identity at which each slice ends: particles are numbered as they leave the nozzle.
    ends: Vec<u32>,
    /// Where the centre of each slice was last seen, until it is laid down.
    centre: Vec<Option<Vec3>>,
}

impl LaidRope {
    /// A rope of which nothing has left its nozzle, with the speed of what will.
    pub(super) fn new(speed: f32) -> Self {
        Self {
            speed,
            ends: Vec::new(),
            centre: Vec::new(),
        }
    }

    /// Looks at all particles so many seconds after the last look, by identity and place from the point of the pile's ground where the
    /// nozzle's axis meets it. Returns the distances from the axis at which slices have come to rest since.
    pub(super) fn look<'a>(
        &mut self,
        particles: impl Iterator<Item = (&'a u32, Vec3)>,
        seconds: f32,
    ) -> Vec<f64> {
        let mut sums = vec![(Vec3::ZERO, 0.0_f32); self.ends.len() + 1];
        let mut end = self.ends.last().copied().unwrap_or(0);
        for (&identity, place) in particles {
            let slice = self.ends.partition_point(|&end| end <= identity);
            let (sum, count) = &mut sums[slice];
            *sum += place;
            *count += 1.0;
            end = end.max(identity + 1);
        }
        let mut laid = Vec::new();
        for (before, &(sum, count)) in self.centre.iter_mut().zip(&sums) {
            let Some(was) = *before else { continue };
            let now = (count > 0.0).then(|| sum / count);
            *before = now.filter(|now| now.distance(was) >= AT_REST * self.speed * seconds);
            if let (Some(now), None) = (now, *before) {
                laid.push(f64::from(now.x.hypot(now.z)));
            }
        }
        let (sum, count) = sums[self.ends.len()];
        self.ends.push(end);
        self.centre.push((count > 0.0).then(|| sum / count));
        laid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f32 = 0.005;
    const SPEED: f32 = 0.5;
    const COIL: f32 = 0.0157;

    /// The distances at which slices of a rope come to rest that coils five times a second about an axis this far from the nozzle's. Each falls for
    /// 0.2 s, swings out to its place on the pile, and is squashed there; all of the pile moves outwards with `creep` m/s.
    fn laid(wandering: f32, creep: f32) -> Vec<f64> {
        let mut rope = LaidRope::new(SPEED);
        let mut found = Vec::new();
        for frame in 0..120 {
            let mut particles = Vec::new();
            for slice in 0..=frame {
                let age = FRAME * (frame - slice) as f32;
                let turn = std::f32::consts::TAU * 5.0 * FRAME * slice as f32;
                let out = (age / 0.2).min(1.0);
                let rested = (age - 0.2).max(0.0);
                let reach = out * (COIL + creep * rested);
                let centre = Vec3::new(
                    out * wandering + reach * turn.cos(),
                    0.1 * (1.0 - out),
                    reach * turn.sin(),
                );
                let width = if rested > 0.0 { 0.009 } else { 0.005 };
                for (number, side) in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z]
                    .iter()
                    .enumerate()
                {
                    particles.push((4 * slice + number as u32, centre + width * side));
                }
            }
            let seen = particles.iter().map(|(identity, place)| (identity, *place));
            found.extend(rope.look(seen, FRAME));
        }
        found
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn a_coil_is_as_wide_as_its_centre_line_is_laid_down() {
        // Squashed loops reach almost two rope radii beyond their centre line, and creep by 2 mm in the time that is looked at.
        for (wandering, creep, tolerance) in
            [(0.0, 0.0, 1e-3), (0.0, 0.02, 0.01), (0.003, 0.0, 0.02)]
        {
            let found = laid(wandering, creep);
            assert!(found.len() > 70, "{}", found.len());
            let error = mean(&found) / f64::from(COIL) - 1.0;
            assert!(error.abs() < tolerance, "{wandering} {creep}: {error}");
        }
    }

    #[test]
    fn a_rope_that_goes_on_moving_is_not_laid_down() {
        assert_eq!(laid(0.0, 0.2), Vec::<f64>::new());
    }
}
