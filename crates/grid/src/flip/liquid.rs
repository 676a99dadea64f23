//! The FLIP liquid as the rest of the program sees it.

use glam::{IVec3, Vec3};
use ooze_core::{
    ChannelError, Channels, HeldSolid, Liquid, LiquidError, LiquidSettings, LiquidSetup, Measure,
    Obstacles, Solids, StableStep, StepError, StepReport,
};
use ooze_field::sample_faces;

use super::FlipLiquid;
use crate::FlipSettings;
use crate::stages;

impl LiquidSettings for FlipSettings {
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError> {
        Ok(Box::new(FlipLiquid::new(setup, *self, solids)))
    }
}

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
        let (speed, cfl) = (self.state.particles.max_speed(), self.settings.cfl);
        let flow = stages::stable_step(&self.setup, solids, speed, cfl);
        let cell_size = self.setup.domain.cell_size;
        let may_leave = || self.may_leave_walls(&Obstacles::new(&self.setup.domain, solids));
        match self.laws.stable_step(&self.settings, cell_size, may_leave) {
            Some((seconds, limit)) if seconds < flow.seconds => StableStep { seconds, limit },
            _ => flow,
        }
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let particles = &self.state.particles;
        let wrapped = self.wrapped(solids);
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let depth = 0.5 * self.setup.domain.cell_size;
        Measure {
            volume: wrapped.volume(|_| 1.0) + wrapped.spray + self.volume_aboard(),
            expected_volume: self.state.inventory.expected_volume,
            packing: Some(wrapped.packing()),
            trapped: obstacles.trapped(&particles.position, depth),
            elastic_energy: self.laws.any().then(|| self.elastic_energy()),
            heat: self.heat_measure(),
            ..particles.measure(&self.setup, self.particle_volume())
        }
    }

    fn held_solids(&self) -> Vec<HeldSolid<'_>> {
        HeldSolid::of(&self.setup.initial)
    }

    fn channels(&self) -> Channels {
        self.state.particles.frame()
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        self.state = self.state.load(saved, &self.setup)?;
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
