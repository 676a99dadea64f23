//! The marker-and-cell liquid as the rest of the program sees it.

use glam::{IVec3, Vec3};
use ooze_commons::reduce;
use ooze_core::{
    ChannelError, Channels, Liquid, LiquidError, LiquidSettings, LiquidSetup, Measure, Obstacles,
    Solids, StableStep, StepError, StepReport,
};
use ooze_field::sample_faces;

use super::settings::Diffusion;
use super::{MarkerLiquid, MarkerSettings};
use crate::stages;

impl LiquidSettings for MarkerSettings {
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError> {
        Ok(Box::new(MarkerLiquid::new(setup, *self, solids)))
    }
}

impl Liquid for MarkerLiquid {
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
        let markers = reduce::max(&self.state.markers.velocity, |own| own.abs().max_element());
        let emitters = self.setup.emitters.iter();
        let emitted = emitters.map(|emitter| emitter.velocity.abs().max_element());
        let speed = emitted.fold(markers.max(self.state.fastest_inside()), f32::max);
        let flow = stages::stable_step(&self.setup, solids, speed, self.settings.cfl);
        let seconds = self.viscous_step();
        if self.settings.diffusion == Diffusion::Explicit && seconds < flow.seconds {
            let limit = "viscosity";
            return StableStep { seconds, limit };
        }
        flow
    }

    fn measure(&self, solids: &dyn Solids) -> Measure {
        let markers = &self.state.markers;
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let depth = 0.5 * self.setup.domain.cell_size;
        let carried = self.carried_heat();
        Measure {
            volume: self.volume(&obstacles, &|_| 1.0),
            expected_volume: self.state.inventory.expected_volume,
            trapped: obstacles.trapped(&markers.position, depth),
            heat: carried.and_then(|carried| carried.measure(markers)),
            ..markers.measure(&self.setup, self.particle_volume())
        }
    }

    fn channels(&self) -> Channels {
        self.state.markers.frame()
    }

    fn save(&self) -> Channels {
        self.state.save()
    }

    fn load(&mut self, saved: Channels) -> Result<(), ChannelError> {
        self.state = self.state.load(saved, &self.setup)?;
        Ok(())
    }

    fn velocity_at(&self, point: Vec3) -> Option<Vec3> {
        let inside = self.is_wet(point);
        inside.then(|| sample_faces(&self.state.velocity, point))
    }

    fn pressure_at(&self, point: Vec3) -> Option<f32> {
        self.is_wet(point)
            .then(|| self.state.pressure.sample(point))
    }

    fn volume_where(&self, solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let lattice = self.setup.domain.lattice();
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        self.volume(&obstacles, &|cell| {
            let octant = |corner: i32| {
                let steps = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3();
                lattice.to_world(cell.as_vec3() + 0.25 + 0.5 * steps)
            };
            (0..8).filter(|&corner| inside(octant(corner))).count() as f64 / 8.0
        })
    }
}
