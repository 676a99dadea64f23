//! Clavet's liquid behind the trait that all liquids have in common.

use glam::Vec3;
use ooze_core::{
    ChannelError, Channels, Liquid, LiquidError, LiquidSettings, LiquidSetup, Measure, Obstacles,
    Solids, StableStep, StepError, StepReport,
};

use super::state::SpringStore;
use super::step::Advance;
use super::{ClavetLiquid, ClavetSettings, RestLattice};
use crate::liquid::measure::density_error;

impl ClavetLiquid {
    /// One step: algorithm 1.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let obstacles = Obstacles::new(&self.basis.setup.domain, solids);
        let (former, spare) = (
            self.neighbours.take(),
            std::mem::take(&mut self.spare_springs),
        );
        let mut step = Advance::begin(self, dt as f32, former, spare);
        report.timed("forces", |_| step.apply_forces());
        report.timed("neighbours", |_| step.find_neighbours());
        report.timed("viscosity", |_| step.apply_viscosity());
        report.timed("prediction", |_| step.predict());
        report.timed("walls", |_| step.touch_walls(&obstacles));
        report.timed("springs", |_| step.adjust_and_apply_springs());
        report.timed("relaxation", |_| step.relax_densities());
        report.timed("collisions", |_| step.collide_and_move());
        report.timed("diffusion", |_| step.diffuse_colour());
        if let Err(error) = step.base.particles.check_finite("relaxation") {
            self.neighbours = step.lists.give_back();
            return Err(error);
        }

        // From here on nothing can fail.
        let impulses = step.hand_over(obstacles.solids());
        let Advance {
            base,
            lists,
            springs,
            densities,
            spare_springs,
            touches,
            wall_state,
            ..
        } = step;
        if let Some(sense) = &mut self.sense {
            sense.feel(&touches, base.particles.len());
        }
        self.wall_state = wall_state;
        self.spare_springs = spare_springs;
        self.state.base = base;
        if let Some(springs) = springs {
            let before = std::mem::replace(&mut self.state.springs, springs);
            if let SpringStore::Aligned(springs) = before {
                self.spare_springs = springs;
            }
        }
        self.neighbours = lists.keep();
        self.densities = densities;
        report.density_error = density_error(&self.volume_shares());
        report.timed("sources", |_| self.drain_and_emit(solids, time, time + dt));
        report.liquid_cells = self.state.base.particles.len();
        report.impulses = impulses;
        Ok(())
    }

    fn drain_and_emit(&mut self, solids: &dyn Solids, from: f64, to: f64) {
        let Self { basis, state, .. } = self;
        let count = state.base.particles.len();
        if let Some(order) = basis.drain_and_emit(&mut state.base, solids, from, to) {
            let table = state.springs.table(self.neighbours.as_ref(), count);
            let now = state.base.particles.len();
            state.springs = SpringStore::Loose(table.gather(&order, now));
            if let Some(sense) = &mut self.sense {
                *sense = basis.surface_sense(&state.base, solids);
            }
            self.neighbours = None;
            self.densities.clear();
        }
    }

    /// Pressure of a particle in pascals: the virial of the energies of [`ClavetConstants`].
    fn pressure(&self, index: usize) -> f32 {
        let sums = self.densities[index];
        let constants = &self.constants[usize::from(self.state.base.particles.material[index])];
        let dimensions = self.basis.resolution.space.dimensions() as f32;
        let [far, near] = RestLattice::compressions(sums, dimensions);
        let excess = (sums[1] - constants.rest_density).max(constants.lowest_excess);
        let density = constants.mass / self.basis.resolution.particle_volume() as f32;
        let pressure = constants.stiffness * excess;
        let near_pressure = constants.near_stiffness * sums[2];
        density
            * self.basis.resolution.radius
            * (0.25 * pressure * far + near_pressure * near / 6.0)
    }

    /// The particles' volumes relative to those at rest.
    fn volume_shares(&self) -> Vec<f32> {
        let rest = RestLattice::new(&self.basis.resolution).density;
        let densities = self.densities.iter();
        densities.map(|[_, found, _]| rest / found).collect()
    }
}

impl LiquidSettings for ClavetSettings {
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError> {
        Ok(Box::new(
            ClavetLiquid::new(setup, *self, solids)
                .map_err(|error| LiquidError::from(Box::from(error)))?,
        ))
    }
}

impl Liquid for ClavetLiquid {
    fn step(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
    ) -> Result<StepReport, StepError> {
        let mut report = StepReport::default();
        self.advance(time, dt, solids, &mut report)?;
        Ok(report)
    }

    fn stable_step(&self, solids: &dyn Solids) -> StableStep {
        let sound = f64::from(self.settings.cfl * self.crossing_time());
        let own = [(sound, "speed of sound")];
        self.basis.stable_step(&self.state.base, solids, &own)
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let shares = self.volume_shares();
        self.basis.measure(&self.state.base, solids, &shares)
    }

    fn channels(&self) -> Channels {
        let base = &self.state.base;
        let volume = self.basis.resolution.particle_volume() as f32;
        let volumes = || vec![volume; base.particles.len()];
        self.basis.channels(base, self.sense.as_ref(), volumes)
    }

    fn save(&self) -> Channels {
        let mut saved = self.state.save(self.neighbours.as_ref());
        self.wall_state.save(&mut saved);
        saved
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        let wall_state = self.wall_state.load(&mut saved)?;
        self.state = self.state.load(saved, &self.basis.setup)?;
        self.wall_state = wall_state;
        self.neighbours = None;
        self.densities.clear();
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        self.basis.velocity_at(&self.state.base, point)
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let base = &self.state.base;
        let known = self.densities.len() == base.particles.len();
        let value = |index: usize| Vec3::splat(self.pressure(index));
        let found = known.then(|| self.basis.value_at(base, point, value));
        found.flatten().map(|value| value.x)
    }

    fn volume_where(&self, _solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let shares = self.volume_shares();
        self.basis.volume_where(&self.state.base, &shares, inside)
    }
}
