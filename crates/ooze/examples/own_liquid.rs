//! Simulates a liquid of your own: drops that fly freely and bounce off the sides of the domain.
#![expect(clippy::print_stdout, reason = "it is there to be read")]

use ooze::core::{ChannelError, Inventory, KeyframedSolids, Obstacles, ParticleSources};
use ooze::glam::Vec3;
use ooze::{
    Channels, Domain, Liquid, LiquidSetup, Material, Measure, ParticleSet, Schedule, Shape,
    Simulation, Solids, StableStep, StepError, StepReport,
};

/// Drops that do not know of one another.
struct Spray {
    setup: LiquidSetup,
    drops: ParticleSet,
    inventory: Inventory,
}

/// Volume that a drop stands for: there is one in a cell.
fn drop_volume(domain: &Domain) -> f64 {
    f64::from(domain.cell_size).powi(3)
}

impl Spray {
    fn new(setup: LiquidSetup, solids: &dyn Solids) -> Self {
        let sources = ParticleSources {
            setup: &setup,
            spacing: setup.domain.cell_size,
            jitter: 0.5,
            particle_volume: drop_volume(&setup.domain),
        };
        let obstacles = Obstacles::new(&setup.domain, solids);
        let points = sources.initial_points(&obstacles);
        let (drops, inventory) = sources.seed(&setup.carried, &points, &obstacles);
        Self {
            setup,
            drops,
            inventory,
        }
    }
}

impl Liquid for Spray {
    fn step(&mut self, _: f64, dt: f64, _: &mut dyn Solids) -> Result<StepReport, StepError> {
        let (lower, upper) = (self.setup.domain.lower, self.setup.domain.upper());
        let drops = self.drops.position.iter_mut().zip(&mut self.drops.velocity);
        for (position, velocity) in drops {
            let forces = self.setup.forces.iter();
            let acceleration: Vec3 = forces.map(|force| force.acceleration(*position)).sum();
            *velocity += acceleration * dt as f32;
            *position += *velocity * dt as f32;
            for axis in 0..3 {
                if position[axis] < lower[axis] || position[axis] > upper[axis] {
                    position[axis] = position[axis].clamp(lower[axis], upper[axis]);
                    velocity[axis] *= -0.8;
                }
            }
        }
        Ok(StepReport::default())
    }

    fn stable_step(&self, _: &dyn Solids) -> StableStep {
        StableStep {
            seconds: f64::from(self.setup.domain.cell_size / self.drops.max_speed()),
            limit: "speed",
        }
    }

    fn measure(&self, _: &dyn Solids) -> Measure {
        let drop_volume = drop_volume(&self.setup.domain);
        Measure {
            volume: self.drops.len() as f64 * drop_volume,
            expected_volume: self.inventory.expected_volume,
            ..self.drops.measure(&self.setup, drop_volume)
        }
    }

    fn channels(&self) -> Channels {
        self.drops.frame()
    }

    fn save(&self) -> Channels {
        self.drops.save()
    }

    fn load(&mut self, mut saved: Channels) -> Result<(), ChannelError> {
        let identities = self.drops.len() as u32;
        self.drops = self.drops.load(&mut saved, &self.setup, identities)?;
        Ok(())
    }

    fn velocity_at(&self, _: Vec3) -> Option<Vec3> {
        None
    }

    fn pressure_at(&self, _: Vec3) -> Option<f32> {
        None
    }

    fn volume_where(&self, _: &dyn Solids, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
        let drops = self.drops.position.iter().filter(|&&drop| inside(drop));
        drops.count() as f64 * drop_volume(&self.setup.domain)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut setup = LiquidSetup::new(Domain::closed(Vec3::ZERO, Vec3::splat(0.1), 20));
    let water = Material::preset("water").ok_or("there is water")?;
    setup.fill(Shape::sphere(Vec3::splat(0.05), 0.02)?, water);

    let solids = KeyframedSolids::new(Vec::new());
    let spray = Spray::new(setup, &solids);
    let schedule = Schedule {
        frames: 20,
        frame_rate: 25.0,
        max_substeps: 100,
    };
    let mut simulation = Simulation::new(Box::new(spray), Box::new(solids), schedule);
    for frame in 1..=schedule.frames {
        simulation.advance_frame(&|| false)?;
        let energy = 1e3 * simulation.measure().total_energy();
        println!("frame {frame}: {energy:.4} mJ");
    }
    Ok(())
}
