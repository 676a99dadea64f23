//! The FLIP liquid as the rest of the program sees it.

use glam::{IVec3, Vec3};
use ooze_core::{
    ChannelError, Channels, Liquid, Measure, Obstacles, Solids, StableStep, StepError, StepReport,
};
use ooze_field::sample_faces;

use super::{FlipLiquid, FlipState, measure, seeding};
use crate::separation::any_lets_go;
use crate::stages;

impl Liquid for FlipLiquid {
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
        let (speed, cfl) = (measure::max_speed(&self.state), self.settings.cfl);
        let flow = stages::stable_step(&self.setup, solids, speed, cfl);
        let cell_size = self.setup.domain.cell_size;
        let lets_go = any_lets_go(&Obstacles::new(&self.setup.domain, solids));
        match self.laws.stable_step(&self.settings, cell_size, lets_go) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let mut measure = measure::of_particles(&self.state, &self.setup, self.particle_volume());
        let wrapped = self.wrapped(solids);
        measure.volume = wrapped.volume(|_| 1.0) + wrapped.spray;
        measure.packing = Some(wrapped.packing());
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let depth = 0.5 * self.setup.domain.cell_size;
        measure.trapped = obstacles.trapped(&self.state.particles.position, depth);
        measure.elastic_energy = self.laws.any().then(|| self.elastic_energy());
        measure
    }

    fn channels(&self) -> Channels {
        self.state.particles.channels()
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        let like = seeding::deformation(&self.settings, &self.laws, Vec3::ZERO);
        self.state = FlipState::load(saved, &self.setup, &like)?;
        self.observed = None;
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let observed = self.observed.as_ref()?;
        let inside = observed.liquid.sample(point) < 0.0;
        inside.then(|| sample_faces(&observed.velocity, point))
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        let observed = self.observed.as_ref()?;
        let inside = observed.liquid.sample(point) < 0.0;
        inside.then(|| observed.pressure.sample(point))
    }

    fn volume_where(&self, solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let lattice = self.setup.domain.lattice();
        // A cell counts with the share of its octants' centres that are inside.
        self.wrapped(solids).volume(|cell| {
            let octant = |corner: i32| {
                let steps = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3();
                lattice.to_world(cell.as_vec3() + 0.25 + 0.5 * steps)
            };
            (0..8).filter(|&corner| inside(octant(corner))).count() as f64 / 8.0
        })
    }
}
