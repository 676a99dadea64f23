//! The level-set liquid as the rest of the program sees it.

use glam::{IVec3, Vec3};
use ooze_core::{
    ChannelError, Channels, LevelSet, Liquid, LiquidError, LiquidSettings, LiquidSetup, Measure,
    Obstacles, Solids, StableStep, StepError, StepReport,
};
use ooze_field::level_set::Air;
use ooze_field::sample_faces;

use super::{LevelSetLiquid, LevelSetSettings, LevelSetState, observe};
use crate::separation::any_lets_go;
use crate::stages;

impl LiquidSettings for LevelSetSettings {
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError> {
        Ok(Box::new(LevelSetLiquid::new(setup, *self, solids)))
    }
}

impl Liquid for LevelSetLiquid {
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
        let open = self.setup.emitters.iter();
        let emitted = open.map(|emitter| emitter.velocity.length());
        let speed = emitted.fold(observe::max_speed(&self.state), f32::max);
        let flow = stages::stable_step(&self.setup, solids, speed, self.settings.cfl);
        let law = self.elastic_law();
        let lets_go = any_lets_go(&Obstacles::new(&self.setup.domain, solids));
        match law.map(|law| law.stable_step(lets_go)) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let state = &self.state;
        let law = self.warm_elastic_law();
        let elastic = law.as_ref().zip(state.strain.as_ref());
        let (adjoint, plain) = match elastic {
            Some((law, _)) if law.is_adjoint() => (elastic, None),
            _ => (None, elastic),
        };
        let mut measure = observe::measure(
            state,
            |cell| self.density(&state.mixture, cell),
            |point| self.setup.potential(point),
            plain.map(|(law, strain)| {
                move |fine: IVec3| law.energy_density(strain, &state.mixture, fine)
            }),
        );
        if let Some((law, strain)) = adjoint {
            measure.elastic_energy = Some(self.stored_energy(law, strain, solids));
        }
        measure.heat = self.heat_measure();
        measure
    }

    fn channels(&self) -> Channels {
        let (state, setup) = (&self.state, &self.setup);
        observe::channels(state, setup)
    }

    fn tracers(&self) -> Channels {
        self.shown_tracers()
    }

    fn level_set(&self) -> Option<LevelSet> {
        let particles = self.settings.tracking.particles;
        let air = particles.map_or(Air::Absent, |particles| particles.air);
        Some(observe::level_set(&self.state, air))
    }

    fn save(&self) -> Channels {
        self.state.save(&self.setup)
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        let elastic = self.elastic_law().is_some();
        let corrected = self.settings.volume_correction;
        let warm = self.state.warmth.is_some();
        self.state = LevelSetState::load(saved, &self.setup, elastic, corrected, warm)?;
        self.pressure = None;
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let inside = self.state.shown.sample(point) < 0.0;
        inside.then(|| sample_faces(&self.state.velocity, point))
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let pressure = self.pressure.as_ref()?;
        let inside = self.state.shown.sample(point) < 0.0;
        inside.then(|| pressure.sample(point))
    }

    fn volume_where(&self, _: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        observe::volume_where(&self.state, inside)
    }
}
