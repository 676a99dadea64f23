//! What a step tells about itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use web_time::Instant;

use crate::impulse::add_impulses;
use crate::{BodyHeat, BodyId, HeatFlow, HeldSolid, Impulse, Solid};

/// Totals over the linear solves of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolveSummary {
    /// Number of solves.
    pub count: u32,
    /// Iterations of all solves together.
    pub iterations: u32,
    /// Iterations of the slowest solve.
    pub iterations_max: u32,
    /// Largest true relative residual that a solve ended with.
    pub residual_max: f64,
    /// Solves that did not reach their tolerance.
    pub failures: u32,
}

impl SolveSummary {
    /// A summary of one solve.
    pub fn single(iterations: u32, residual: f64, converged: bool) -> Self {
        Self {
            count: 1,
            iterations,
            iterations_max: iterations,
            residual_max: residual,
            failures: u32::from(!converged),
        }
    }

    /// Adds another summary's solves to this one.
    pub fn absorb(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.iterations = self.iterations.saturating_add(other.iterations);
        self.iterations_max = self.iterations_max.max(other.iterations_max);
        self.residual_max = self.residual_max.max(other.residual_max);
        self.failures = self.failures.saturating_add(other.failures);
    }
}

/// By how much particles are closer than at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DensityError {
    /// Mean over all particles of the relative excess of density; none counts as zero.
    pub mean: f64,
    /// The largest excess.
    pub max: f64,
}

/// Density relative to that at rest above which a cell is crowded.
pub const CROWDED: f64 = 3.0;

/// How evenly particles fill a liquid whose surface is offset until it encloses their volume: what the offset hides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// Volume in cubic metres inside the surface before it is offset, without air that liquid has shut in.
    pub uncorrected_volume: f64,
    /// Volume in cubic metres of the air that liquid has shut in and that moves as if it were liquid.
    #[serde(default)]
    pub filled_air: f64,
    /// Density of the fullest cell relative to that at rest.
    pub densest: f64,
    /// Density of the emptiest cell relative to that at rest, among cells that are deeper in the liquid than a cell's width; one
    /// where there are none.
    pub emptiest: f64,
    /// Share of the particles that are in cells of more than [`CROWDED`] times the density at rest.
    pub crowded: f64,
}

/// What one sub-step, or a frame of them, did and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Linear solves by name (`pressure`, `density`, `viscosity`, `heat`, ...).
    pub solves: BTreeMap<String, SolveSummary>,
    /// Seconds spent in each stage.
    pub seconds: BTreeMap<String, f64>,
    /// Things worth telling the user, in words.
    pub events: Vec<String>,
    /// Cells, or their counterpart, that hold liquid.
    pub liquid_cells: usize,
    /// Compression of the particles, for methods that measure it.
    pub density_error: Option<DensityError>,
    /// Volume in cubic metres of air that was enclosed and became liquid, for methods that fill pockets.
    pub filled_volume: Option<f64>,
    /// Heat that came from outside, for methods that have heat.
    pub heat: Option<HeatFlow>,
    /// What the liquid did to the solids, by number: one entry for each body of [`crate::Solids`], and for methods that tell it
    /// one for each closed side of the domain and each solid that melts and was touched, numbered as in [`crate::Obstacles`].
    pub impulses: Vec<Impulse>,
    /// Heat that the liquid gave to solids which warm by it, in their order, for [`crate::Solids::warm`].
    pub body_heat: Vec<BodyHeat>,
}

impl StepReport {
    /// Notes a linear solve.
    pub fn solve(&mut self, name: &str, summary: SolveSummary) {
        self.solves.entry(name.into()).or_default().absorb(&summary);
    }

    /// Runs a stage and books its time under `name`.
    pub fn timed<T>(&mut self, name: &str, stage: impl FnOnce(&mut Self) -> T) -> T {
        let start = Instant::now();
        let result = stage(self);
        *self.seconds.entry(name.into()).or_default() += start.elapsed().as_secs_f64();
        result
    }

    /// The impulses with their angular parts about the solids' own origins, half-way between where those are at the start and at
    /// the end of the step; on sides of the domain they stay about the world's. `held` are the solids that melt, and `times`
    /// those of the step's start and end.
    pub fn impulses_about_origins(
        &self,
        solids: &[Solid],
        held: &[HeldSolid<'_>],
        times: [f64; 2],
    ) -> Vec<Impulse> {
        let origin = |body: BodyId| match solids.get(usize::from(body.0)) {
            Some(solid) => Some(solid.start.translation.midpoint(solid.end.translation)),
            None => {
                let own = held.iter().find(|held| held.body(solids.len()) == body);
                own.map(|held| held.origin(times))
            }
        };
        let about_own = |impulse: &Impulse| match origin(impulse.body) {
            Some(origin) => impulse.about(origin.as_dvec3()),
            None => *impulse,
        };
        self.impulses.iter().map(about_own).collect()
    }

    /// Adds a later sub-step of the same frame.
    pub fn absorb(&mut self, later: Self) {
        for (name, summary) in &later.solves {
            self.solve(name, *summary);
        }
        for (name, seconds) in later.seconds {
            *self.seconds.entry(name).or_default() += seconds;
        }
        self.events.extend(later.events);
        self.liquid_cells = later.liquid_cells;
        self.density_error = later.density_error.or(self.density_error);
        if let Some(filled) = later.filled_volume {
            *self.filled_volume.get_or_insert_default() += filled;
        }
        if let Some(heat) = later.heat {
            self.heat.get_or_insert_default().absorb(&heat);
        }
        add_impulses(&mut self.impulses, &later.impulses);
        for BodyHeat { body, gained } in later.body_heat {
            match self.body_heat.iter_mut().find(|known| known.body == body) {
                Some(known) => known.gained += gained,
                None => self.body_heat.push(BodyHeat { body, gained }),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{BodyId, ImpulsePart};

    #[test]
    fn a_frame_sums_what_its_steps_did_to_each_body() {
        let mut frame = StepReport::default();
        let point = DVec3::new(0.0, 2.0, 0.0);
        for (body, newton_seconds) in [(3, 1.0), (1, 2.0), (3, 4.0)] {
            let part = ImpulsePart::at(point, DVec3::X * newton_seconds);
            let viscous = part;
            let impulses = vec![Impulse {
                viscous,
                ..Impulse::none(BodyId(body))
            }];
            frame.absorb(StepReport {
                impulses,
                ..StepReport::default()
            });
        }
        let of = |body| ImpulsePart {
            linear: DVec3::X * body,
            angular: DVec3::Z * (-2.0 * body),
        };
        let found: Vec<(BodyId, ImpulsePart)> = frame
            .impulses
            .iter()
            .map(|impulse| (impulse.body, impulse.total()))
            .collect();
        assert_eq!(found, [(BodyId(1), of(2.0)), (BodyId(3), of(5.0))]);
    }

    #[test]
    fn a_frame_sums_its_sub_steps() {
        let mut frame = StepReport::default();
        for iterations in [3, 7, 5] {
            let mut step = StepReport::default();
            step.solve(
                "pressure",
                SolveSummary::single(iterations, 1e-7, iterations != 7),
            );
            frame.absorb(step);
        }
        let pressure = frame.solves["pressure"];
        assert_eq!((pressure.count, pressure.iterations), (3, 15));
        assert_eq!((pressure.iterations_max, pressure.failures), (7, 1));
    }
}
