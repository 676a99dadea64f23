//! A liquid whose motion is known in closed form, and a solid that remembers how it was treated.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{DVec3, Vec3};
use ooze::simulation::Observed;
use ooze::{Schedule, Simulation};
use ooze_core::{
    BodyId, ChannelData, ChannelError, Channels, Contact, Impulse, ImpulsePart, Liquid, Measure,
    Solid, Solids, StableStep, StepError, StepReport,
};
use ooze_geometry::{Pose, Shape, Twist};

/// A few frames.
pub(crate) const SCHEDULE: Schedule = Schedule {
    frames: 4,
    frame_rate: 24.0,
    max_substeps: 1000,
};

/// A simulation of the liquid beside the solid, with two probes.
pub(crate) fn simulation(liquid: Ballistic) -> Simulation {
    let probes = |observed: &Observed<'_>| {
        let Observed { liquid, solids, .. } = *observed;
        let below = liquid.volume_where(solids, &|point| point.y < 0.3);
        vec![
            Some(below),
            Some(f64::from(solids.all()[0].end.translation.x)),
        ]
    };
    Simulation::new(Box::new(liquid), Box::new(Buoy::default()), SCHEDULE)
        .with_probes(Box::new(probes))
}

/// Particles that fall freely and bounce off the plane y = 0 without loss.
pub(crate) struct Ballistic {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// Stable step in seconds for a particle at rest; faster ones need shorter steps.
    pub(crate) stable: f64,
    /// Steps longer than this fail.
    pub(crate) longest: f64,
    /// Attempted steps, shared with the test.
    pub(crate) attempts: Arc<AtomicU32>,
    /// Those of them on a thread that parallel loops run on.
    pub(crate) inside: Arc<AtomicU32>,
}

impl Ballistic {
    pub(crate) fn new(count: usize) -> Self {
        let number = |i: usize, k: u64| ooze_core::random::uniform(k, i as u64);
        Self {
            position: (0..count)
                .map(|i| Vec3::new(number(i, 1), 0.2 + number(i, 2), number(i, 3)))
                .collect(),
            velocity: (0..count)
                .map(|i| Vec3::new(number(i, 4), number(i, 5), 0.0))
                .collect(),
            stable: 0.01,
            longest: f64::INFINITY,
            attempts: Arc::default(),
            inside: Arc::default(),
        }
    }

    fn max_speed(&self) -> f32 {
        self.velocity.iter().map(|v| v.length()).fold(0.0, f32::max)
    }
}

impl Liquid for Ballistic {
    fn step(&mut self, time: f64, dt: f64, _: &mut dyn Solids) -> Result<StepReport, StepError> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        let inside = rayon::current_thread_index().is_some();
        self.inside.fetch_add(inside.into(), Ordering::Relaxed);
        if dt > self.longest {
            return Err(StepError::Solve {
                stage: "pressure",
                reason: "the step is too long".into(),
            });
        }
        let seconds = dt as f32;
        for (position, velocity) in self.position.iter_mut().zip(&mut self.velocity) {
            velocity.y -= 9.81 * seconds;
            *position += *velocity * seconds;
            if position.y < 0.0 {
                position.y = -position.y;
                velocity.y = -velocity.y;
            }
        }
        // A newton on the buoy's leading end, two metres ahead of its origin, and ten on the floor.
        let end = DVec3::X * (time + 0.5 * dt + 2.0);
        let buoy = Impulse {
            pressure: ImpulsePart::at(end, DVec3::Y * dt),
            ..Impulse::none(BodyId(0))
        };
        let floor = Impulse {
            pressure: ImpulsePart::at(DVec3::ZERO, DVec3::NEG_Y * (10.0 * dt)),
            ..Impulse::none(BodyId(3))
        };
        Ok(StepReport {
            impulses: vec![buoy, floor],
            liquid_cells: self.position.len() / 8,
            ..StepReport::default()
        })
    }

    fn stable_step(&self, _solids: &dyn Solids) -> StableStep {
        StableStep {
            seconds: self.stable / f64::from(1.0 + self.max_speed()),
            limit: "speed",
        }
    }

    fn measure(&self, _solids: &dyn Solids) -> Measure {
        let momentum: DVec3 = self.velocity.iter().map(|v| v.as_dvec3()).sum();
        Measure {
            particles: self.position.len(),
            volume: 1.0,
            expected_volume: 1.0,
            mass: self.position.len() as f64,
            momentum,
            max_speed: f64::from(self.max_speed()),
            ..Measure::default()
        }
    }

    fn channels(&self) -> Channels {
        self.save()
    }

    fn save(&self) -> Channels {
        let mut channels = Channels::default();
        channels.insert("position", ChannelData::Vector(self.position.clone()));
        channels.insert("velocity", ChannelData::Vector(self.velocity.clone()));
        channels
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        self.position = saved.take_vectors("position")?;
        self.velocity = saved.take_vectors("velocity")?;
        Ok(())
    }

    fn velocity_at(&self, _point: Vec3) -> Option<Vec3> {
        None
    }

    fn pressure_at(&self, _point: Vec3) -> Option<f32> {
        None
    }

    fn volume_where(&self, _solids: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        self.position.iter().filter(|&&p| inside(p)).count() as f64
    }
}

/// A body that moves at unit speed along x and gathers the impulses it is given.
pub(crate) struct Buoy {
    solid: [Solid; 1],
    pushed: f64,
}

impl Default for Buoy {
    fn default() -> Self {
        let speed = Twist {
            centre: Vec3::ZERO,
            linear: Vec3::X,
            angular: Vec3::ZERO,
            growth: 0.0,
        };
        let shape = Shape::half_space(Vec3::ZERO, Vec3::X).expect("a fair wall");
        let solid = Solid {
            name: "buoy".into(),
            shape: Arc::new(shape),
            contact: Contact::default(),
            left: None,
            heat_capacity: None,
            free: None,
            fixed: false,
            start: Pose::IDENTITY,
            end: Pose::IDENTITY,
            twist: speed,
            next: speed,
        };
        Self {
            solid: [solid],
            pushed: 0.0,
        }
    }
}

impl Solids for Buoy {
    fn all(&self) -> &[Solid] {
        &self.solid
    }
    fn advance(&mut self, time: f64, dt: f64) {
        let [solid] = &mut self.solid;
        solid.start.translation.x = time as f32;
        solid.end.translation.x = (time + dt) as f32;
    }
    fn push(&mut self, impulses: &[Impulse], _dt: f64) {
        // Not what the domain's sides get.
        assert_eq!(impulses.len(), 1);
        self.pushed += impulses[0].total().linear.y;
    }
    fn save(&self) -> Channels {
        let mut channels = Channels::default();
        channels.insert("pushed", ChannelData::Double(vec![self.pushed]));
        channels
    }
    fn load(&mut self, mut saved: Channels, time: f64) -> Result<(), ChannelError> {
        self.pushed = saved.take_doubles("pushed")?[0];
        self.advance(time, 0.0);
        Ok(())
    }
}
