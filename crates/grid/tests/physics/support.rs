//! Small scenes for the physics tests.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{
    Carried, Collider, Contact, Domain, Force, HeatSetup, InitialLiquid, KeyframedSolids, Liquid,
    LiquidSetup, Material, MaterialId, Side, Solids, StepReport,
};
use ooze_geometry::{Motion, Pose, Shape};
use ooze_grid::{FlipLiquid, FlipSettings};

pub const GRAVITY: f32 = 9.81;

/// A closed unit box with `cells` cells a side.
pub fn unit_box(cells: i32, flat: bool) -> Domain {
    Domain {
        lower: Vec3::ZERO,
        cell_size: 1.0 / cells as f32,
        cells: IVec3::splat(cells),
        flat,
        sides: [[Side::Closed(Contact::default()); 2]; 3],
    }
}

pub fn water() -> Material {
    Material::preset("water").expect("a built-in material")
}

pub fn down() -> Force {
    Force::Constant {
        acceleration: Vec3::new(0.0, -GRAVITY, 0.0),
    }
}

/// Water in a domain under gravity.
pub fn setup(domain: Domain, shape: Shape) -> LiquidSetup {
    LiquidSetup {
        domain,
        materials: vec![water()],
        initial: vec![InitialLiquid {
            name: "water".into(),
            shape: Arc::new(shape),
            material: MaterialId(0),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            viscosity_gradient: None,
            temperature: None,
            hold: None,
        }],
        emitters: Vec::new(),
        drains: Vec::new(),
        forces: vec![down()],
        heat: HeatSetup::default(),
        carried: Carried::default(),
        texture: None,
        tracers: Vec::new(),
        seed: 1,
    }
}

pub fn cuboid(lower: Vec3, upper: Vec3) -> Shape {
    Shape::cuboid(0.5 * (lower + upper), 0.5 * (upper - lower)).expect("a fair box")
}

pub fn fixed(name: &str, shape: Shape, contact: Contact) -> Collider {
    Collider {
        name: name.into(),
        shape: Arc::new(shape),
        motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
        contact,
    }
}

/// A liquid, its solids and its clock.
pub struct World {
    pub liquid: FlipLiquid,
    pub solids: KeyframedSolids,
    pub time: f64,
    pub report: StepReport,
}

impl World {
    pub fn new(setup: LiquidSetup, settings: FlipSettings, colliders: Vec<Collider>) -> Self {
        let solids = KeyframedSolids::new(colliders);
        Self {
            liquid: FlipLiquid::new(setup, settings, &solids),
            solids,
            time: 0.0,
            report: StepReport::default(),
        }
    }

    pub fn step(&mut self, dt: f64) {
        self.solids.advance(self.time, dt);
        let report = self.liquid.step(self.time, dt, &mut self.solids);
        self.report.absorb(report.expect("the step succeeds"));
        self.time += dt;
    }

    /// Advances to `end` in steps that are stable and no longer than `longest`.
    pub fn run(&mut self, end: f64, longest: f64) {
        while self.time < end - 1e-9 {
            let stable = self.liquid.stable_step(&self.solids).seconds;
            self.step(stable.min(longest).min(end - self.time));
        }
    }

    pub fn positions(&self) -> &[Vec3] {
        &self.liquid.state().particles.position
    }

    /// Speed of the liquid at a point where there is some.
    pub fn liquid_speed_at(&self, point: Vec3) -> f32 {
        let velocity = self.liquid.velocity_at(point);
        velocity.expect("there is liquid").length()
    }

    pub fn mean_velocity(&self) -> Vec3 {
        let measure = self.liquid.measure(&self.solids);
        (measure.momentum / measure.mass).as_vec3()
    }
}
