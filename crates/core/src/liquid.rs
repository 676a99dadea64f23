//! The trait behind which every method of simulating a liquid stands.

use glam::{DVec3, Vec3};

use crate::{
    ChannelError, Channels, HeatMeasure, HeldSolid, LevelSet, LiquidError, LiquidSetup, Packing,
    Solids, StepError, StepReport,
};

/// The longest step that a liquid can take now, and why not longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StableStep {
    /// Seconds; infinite when nothing limits it.
    pub seconds: f64,
    /// The stage that limits it.
    pub limit: &'static str,
}

/// Integral quantities of a liquid at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Number of particles.
    pub particles: usize,
    /// Volume inside the liquid's surface in cubic metres.
    pub volume: f64,
    /// Volume that was seeded and emitted less what was drained or left through open sides.
    pub expected_volume: f64,
    /// Mass in kilograms.
    pub mass: f64,
    /// Momentum in kg m/s.
    pub momentum: DVec3,
    /// Angular momentum about the world's origin in kg m²/s.
    pub angular_momentum: DVec3,
    /// Kinetic energy in joules.
    pub kinetic_energy: f64,
    /// Energy of the liquid in the fields of the forces that have a potential, in joules, from the world's origin on.
    pub potential_energy: f64,
    /// Energy of elastic strain in joules, for liquids that carry strain.
    pub elastic_energy: Option<f64>,
    /// Largest speed in m/s.
    pub max_speed: f64,
    /// Particles deep inside solids that move, for methods that have particles: they have nowhere to go.
    pub trapped: usize,
    /// How evenly particles fill the liquid, for methods that fit the surface to their number.
    pub packing: Option<Packing>,
    /// Its heat, for methods that have heat.
    pub heat: Option<HeatMeasure>,
}

impl Measure {
    /// Kinetic, potential and elastic energy together, in joules: with nothing driving, it never grows.
    pub fn total_energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy + self.elastic_energy.unwrap_or(0.0)
    }

    /// Relative deviation of the volume from what it should be before any surface is fitted to it; the same as
    /// [`Measure::volume_drift`] for methods that do not do so.
    pub fn uncorrected_drift(&self) -> f64 {
        match self.packing {
            Some(packing) if self.expected_volume > 0.0 => {
                packing.uncorrected_volume / self.expected_volume - 1.0
            }
            _ => self.volume_drift(),
        }
    }

    /// Relative deviation of the volume from what it should be; zero for an empty liquid.
    pub fn volume_drift(&self) -> f64 {
        if self.expected_volume > 0.0 {
            self.volume / self.expected_volume - 1.0
        } else {
            0.0
        }
    }
}

/// The settings of a method: a scene and they make a liquid.
pub trait LiquidSettings {
    /// The liquid of a scene at time zero.
    fn liquid(
        &self,
        setup: LiquidSetup,
        solids: &dyn Solids,
    ) -> Result<Box<dyn Liquid>, LiquidError>;
}

/// A liquid that can be advanced in time.
pub trait Liquid: Send {
    /// Advances by `dt` seconds. `solids` have set out on the step: they tell where they stand at its start and where they will
    /// stand at its end. What the liquid does to them is in the report, for [`Solids::push`]; a liquid that solves for their motion
    /// has them follow within the step.
    ///
    /// On an error the liquid is as it was before the call.
    fn step(
        &mut self,
        time: f64,
        dt: f64,
        solids: &mut dyn Solids,
    ) -> Result<StepReport, StepError>;

    /// The longest step that is stable and accurate enough now.
    fn stable_step(&self, solids: &dyn Solids) -> StableStep;

    /// Integral quantities for the statistics; `solids` bound the volume.
    fn measure(&self, solids: &dyn Solids) -> Measure;

    /// The particles' channels for a frame, in the order of their identities.
    fn channels(&self) -> Channels;

    /// The solids that melt, which are part of the liquid, for methods that have them.
    fn held_solids(&self) -> Vec<HeldSolid<'_>> {
        Vec::new()
    }

    /// The tracers for a frame, for methods that carry them: `position`, `velocity`, `id` and `set`, in the order of their identities.
    fn tracers(&self) -> Channels {
        Channels::default()
    }

    /// The level set for a frame, for methods that have one.
    fn level_set(&self) -> Option<LevelSet> {
        None
    }

    /// Everything that a later step depends on.
    fn save(&self) -> Channels;

    /// Returns to a saved state.
    fn load(&mut self, saved: Channels) -> Result<(), ChannelError>;

    /// Velocity of the liquid at a point, if there is liquid there.
    fn velocity_at(&self, point: Vec3) -> Option<Vec3>;

    /// Pressure of the liquid at a point in pascals, if there is liquid there and the method knows it.
    fn pressure_at(&self, point: Vec3) -> Option<f32>;

    /// Volume of liquid where `inside` holds, in cubic metres, measured as in [`Liquid::measure`].
    fn volume_where(&self, solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64;
}
