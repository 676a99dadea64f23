//! The force-based liquid behind the trait that all liquids have in common.

use glam::Vec3;
use ooze_core::{
    ChannelError, Channels, Liquid, LiquidError, LiquidSettings, LiquidSetup, Measure, Obstacles,
    Solids, StableStep, StepError, StepReport,
};

use super::heat::plates;
use super::step::Advance;
use super::{MuellerLiquid, MuellerSettings, largest_tension};
use crate::liquid::measure;
use crate::resolution::Resolution;

impl MuellerLiquid {
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let obstacles = Obstacles::new(&self.basis.setup.domain, solids);
        let former = self.neighbours.take();
        let mut step = Advance::begin(self, dt as f32, former);
        report.timed("prediction", |_| step.predict());
        report.timed("neighbours", |_| step.find_neighbours());
        report.timed("walls", |_| step.touch_walls(&obstacles));
        report.timed("density", |_| step.evolve_densities());
        report.timed("pressure", |_| step.evaluate_pressures());
        report.timed("forces", |_| step.evaluate_forces());
        report.timed("correction", |_| step.correct_and_collide());
        report.timed("diffusion", |_| step.diffuse());
        if let Err(error) = step.base.particles.check_finite("forces") {
            self.neighbours = step.lists.give_back();
            return Err(error);
        }

        // From here on nothing can fail.
        let impulses = step.hand_over(obstacles.solids());
        let Advance {
            base,
            wall_state,
            lists,
            sums,
            fluid,
            touches,
            ..
        } = step;
        if let Some(sense) = &mut self.sense {
            sense.feel(&touches, base.particles.len());
        }
        self.state = base;
        self.wall_state = wall_state;
        self.neighbours = lists.keep();
        self.fluid = fluid;
        self.sums = sums;
        report.density_error = measure::density_error(&self.volume_shares());
        report.timed("sources", |_| self.drain_and_emit(solids, time, time + dt));
        report.liquid_cells = self.state.particles.len();
        report.impulses = impulses;
        Ok(())
    }

    fn drain_and_emit(&mut self, solids: &dyn Solids, from: f64, to: f64) {
        let Self { basis, state, .. } = self;
        if basis.drain_and_emit(state, solids, from, to).is_some() {
            if let Some(sense) = &mut self.sense {
                *sense = basis.surface_sense(state, solids);
            }
            self.neighbours = None;
            self.forget_measures();
        }
    }

    /// What the last step found does not hold for other particles.
    fn forget_measures(&mut self) {
        self.fluid.clear();
        self.sums.clear();
    }

    /// The particles' volumes relative to those at rest.
    fn volume_shares(&self) -> Vec<f32> {
        let own = self.basis.resolution.particle_volume() as f32;
        let pairs = self.sums.iter().zip(&self.fluid);
        pairs
            .map(|(sums, fluid)| fluid.volume / (own * sums.counted.max(1.0)))
            .collect()
    }
}

impl LiquidSettings for MuellerSettings {
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError> {
        Ok(Box::new(MuellerLiquid::new(setup, *self, solids)))
    }
}

impl Liquid for MuellerLiquid {
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
        let Resolution {
            radius, spacing, ..
        } = self.basis.resolution;
        let speed = self.state.particles.max_speed();
        let square = f64::from(radius).powi(2);
        let mut limits = vec![
            (
                f64::from(self.settings.cfl * radius / (self.sound_speed + speed)),
                "speed of sound",
            ),
            (0.05 * square / f64::from(self.heat_diffusivity()), "heat"),
        ];
        let setup = &self.basis.setup;
        let given = setup.initial.iter().map(|liquid| liquid.temperature);
        let emitted = setup.emitters.iter().map(|emitter| emitter.temperature);
        let given: Vec<f32> = given
            .chain(emitted)
            .chain(plates(&setup.domain))
            .flatten()
            .collect();
        for material in &setup.materials {
            // Cold liquid is the most viscous.
            let coldest = given.iter().copied().fold(material.temperature, f32::min);
            let viscosity = material.melt_viscosity_at(coldest);
            limits.push((
                0.03 * square * f64::from(material.density / viscosity),
                "viscosity",
            ));
            let tension = f64::from(largest_tension(material, &self.settings));
            let mass = f64::from(material.density) * f64::from(spacing).powi(3);
            let wave = (mass / (2.0 * std::f64::consts::PI * tension)).sqrt();
            limits.push((0.4 * wave, "surface tension"));
        }
        self.basis.stable_step(&self.state, solids, &limits)
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        self.basis
            .measure(&self.state, solids, &self.volume_shares())
    }

    fn channels(&self) -> Channels {
        let volumes = || self.volumes(&self.state.particles);
        let sense = self.sense.as_ref();
        self.basis.channels(&self.state, sense, volumes)
    }

    fn save(&self) -> Channels {
        let mut saved = self.state.save();
        self.wall_state.save(&mut saved);
        saved
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        let state = self.state.load(&mut saved, &self.basis.setup)?;
        let wall_state = self.wall_state.load(&mut saved)?;
        saved.expect_nothing_left()?;
        self.wall_state = wall_state;
        self.state = state;
        self.neighbours = None;
        self.forget_measures();
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        self.basis.velocity_at(&self.state, point)
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let known = self.sums.len() == self.state.particles.len();
        let value = |index: usize| Vec3::splat(self.fluid[index].pressure);
        let found = known.then(|| self.basis.value_at(&self.state, point, value));
        found.flatten().map(|value| value.x)
    }

    fn volume_where(&self, _solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let shares = self.volume_shares();
        self.basis.volume_where(&self.state, &shares, inside)
    }
}
