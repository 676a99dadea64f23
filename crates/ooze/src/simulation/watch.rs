//! What a user should know although the run goes on: liquid that is lost or gained, crowded or closed in, and solids that
//! jump. The bounds are stated here and in docs/output.md.

use ooze_cache::FramePart;
use ooze_core::{DensityError, Domain, Measure, Solids};
use ooze_geometry::Aabb;

/// Share of the volume or mass of a liquid on a grid that may be missing or too much.
const GRID_BOUND: f64 = 0.01;
/// The same of particle liquids, which are compressible by design.
const PARTICLE_BOUND: f64 = 0.05;
/// Less than so many cells is no matter, or a few drops that are left would be told about.
const NEGLIGIBLE_CELLS: f64 = 1.0;
/// Mean compression of particles beyond which they are crowded.
const CROWDED: f64 = 0.05;
/// Cells that a solid may move in a sub-step.
const LONGEST_WAY: f64 = 1.0;

/// How an event about a solid that jumps begins.
const JUMP: &str = "a solid moved";

/// Knows what a run is to be held against.
#[derive(Clone, Debug)]
pub struct Watch {
    domain: Domain,
    /// Relative bound on volume and mass.
    bound: f64,
    /// Mass at the start in kilograms, where none can come or go.
    mass_at_start: Option<f64>,
}

impl Watch {
    /// Watches a liquid on a grid of that domain, or one of particles.
    pub fn new(domain: Domain, of_particles: bool) -> Self {
        Self {
            domain,
            bound: if of_particles {
                PARTICLE_BOUND
            } else {
                GRID_BOUND
            },
            mass_at_start: None,
        }
    }

    /// Has the mass watched as well, for a liquid that none is added to or taken from.
    pub fn with_mass(mut self, mass_at_start: f64) -> Self {
        self.mass_at_start = Some(mass_at_start);
        self
    }

    /// Largest speed of solids inside the domain in m/s.
    pub(super) fn speed_of(&self, solids: &dyn Solids) -> f32 {
        solids.max_speed(Aabb::new(self.domain.lower, self.domain.upper()))
    }

    /// Notes solids that have moved too far in a sub-step of `seconds` with that speed. One event a frame tells of the first.
    pub(super) fn note_jump(&self, speed: f32, seconds: f64, events: &mut Vec<String>) {
        let cells = f64::from(speed) * seconds / f64::from(self.domain.cell_size);
        if cells > LONGEST_WAY && !events.iter().any(|event| event.starts_with(JUMP)) {
            events.push(format!(
                "{JUMP} {cells:.1} cells in one sub-step; liquid in its way may be pressed together or left behind: try a smaller `time.cfl` or a larger `time.max_substeps`"
            ));
        }
    }

    /// What is to be told about a finished frame.
    pub(super) fn of_frame(&self, measure: &Measure, part: &FramePart) -> Vec<String> {
        let mut events = Vec::new();
        let negligible = NEGLIGIBLE_CELLS * self.domain.lattice().cell_volume();
        let Measure {
            volume,
            expected_volume,
            mass,
            ..
        } = *measure;
        let off = volume - expected_volume;
        let is_off = off.abs() > negligible && off.abs() > self.bound * expected_volume;
        // Before the first step nothing can have been lost: surfaces of coarse liquids are just not measured better.
        if is_off && part.substeps > 0 {
            events.push(format!(
                "the liquid has {} volume than was seeded, emitted and drained",
                more_or_less(off / expected_volume)
            ));
        }
        if let Some(start) = self.mass_at_start {
            let off = mass / start - 1.0;
            if off.abs() > self.bound {
                events.push(format!(
                    "the liquid has {} mass than at the start, though none can come or go",
                    more_or_less(off)
                ));
            }
        }
        if measure.trapped > 0 {
            events.push(format!(
                "{} of {} particles are inside solids and have nowhere to go",
                measure.trapped, measure.particles
            ));
        }
        if let Some(DensityError { mean, .. }) = part.density_error
            && mean > CROWDED
        {
            events.push(format!(
                "particles are crowded: {:.1} % denser than at rest on average",
                100.0 * mean
            ));
        }
        events
    }
}

/// A relative deviation in words.
fn more_or_less(share: f64) -> String {
    let word = if share > 0.0 { "more" } else { "less" };
    if share.is_finite() {
        format!("{:.1} % {word}", 100.0 * share.abs())
    } else {
        format!("much {word}")
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec3, Vec3};
    use ooze_core::{Contact, Side};

    use super::*;

    fn watch() -> Watch {
        let domain = Domain {
            lower: Vec3::ZERO,
            cell_size: 0.1,
            cells: IVec3::splat(10),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        };
        Watch::new(domain, false).with_mass(100.0)
    }

    fn events(volume: f64, expected_volume: f64, mass: f64, trapped: usize) -> Vec<String> {
        let measure = Measure {
            volume,
            expected_volume,
            mass,
            trapped,
            particles: 40,
            ..Measure::default()
        };
        let part = FramePart {
            substeps: 1,
            ..FramePart::default()
        };
        watch().of_frame(&measure, &part)
    }

    #[test]
    fn what_is_within_the_bounds_is_not_told() {
        assert!(events(0.1009, 0.1, 100.9, 0).is_empty());
        // Half of a few drops that are left is less than a cell.
        assert!(events(0.0005, 0.001, 100.0, 0).is_empty());
        // All of it has left through an open side.
        assert!(events(0.0, 0.0, 100.0, 0).is_empty());
    }

    #[test]
    fn what_is_lost_gained_or_closed_in_is_told() {
        let told = events(0.31, 0.3, 94.9, 7);
        assert_eq!(
            told,
            [
                "the liquid has 3.3 % more volume than was seeded, emitted and drained",
                "the liquid has 5.1 % less mass than at the start, though none can come or go",
                "7 of 40 particles are inside solids and have nowhere to go",
            ]
        );
        assert_eq!(events(0.01, 0.0, 100.0, 0).len(), 1);
    }
}
