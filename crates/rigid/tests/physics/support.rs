//! Scenes of bodies, small and quick.

use std::sync::Arc;

use glam::{DVec3, IVec3, Quat, Vec3};
use ooze_core::{
    Body, BodyMass, BodyVelocity, Collider, Contact, Domain, Impulse, Joint, JointEnd, JointKind,
    Side, Solid, Solids,
};
use ooze_geometry::{Motion, Pose, Shape};
use ooze_rigid::{RigidError, RigidSolids};

pub const GRAVITY: f64 = 9.81;

/// A domain around the origin from -4 to 4 without walls but where they are asked for.
pub fn space(flat: bool) -> Domain {
    let cells = if flat {
        IVec3::new(64, 64, 1)
    } else {
        IVec3::splat(64)
    };
    let lower = Vec3::new(-4.0, -4.0, if flat { 0.0 } else { -4.0 });
    Domain {
        lower,
        cell_size: 0.125,
        cells,
        flat,
        sides: [[Side::Open; 2]; 3],
    }
}

/// The same with a floor at a height of zero.
pub fn floored(flat: bool) -> Domain {
    let mut domain = space(flat);
    domain.lower.y = 0.0;
    domain.sides[1][0] = Side::Closed(Contact::default());
    domain
}

pub fn pose(at: Vec3) -> Pose {
    Pose {
        translation: at,
        ..Pose::IDENTITY
    }
}

pub fn body(name: &str, shape: Shape, at: Vec3) -> Body {
    Body {
        name: name.into(),
        shape: Arc::new(shape),
        contact: Contact::default(),
        melts: false,
        heat_capacity: None,
        motion: Motion::fixed(pose(at)).expect("a fair pose"),
        released: 0.0,
        velocity: BodyVelocity::default(),
        mass: BodyMass::Density(500.0),
        friction: 0.0,
        restitution: 0.0,
        locked: [[false; 3]; 2],
        sleeps: true,
    }
}

pub fn ball(radius: f32) -> Shape {
    Shape::sphere(Vec3::ZERO, radius).expect("a fair ball")
}

pub fn cuboid(half: Vec3) -> Shape {
    Shape::cuboid(Vec3::ZERO, half).expect("a fair box")
}

pub fn collider(name: &str, shape: Shape, pose: Pose) -> Collider {
    Collider {
        name: name.into(),
        shape: Arc::new(shape),
        motion: Motion::fixed(pose).expect("a fair pose"),
        contact: Contact::default(),
    }
}

/// Ground that is tilted about the z axis through the origin.
pub fn slope(angle: f32) -> Collider {
    let ground = Shape::half_space(Vec3::ZERO, Vec3::Y).expect("fair ground");
    let pose = Pose {
        rotation: Quat::from_rotation_z(angle),
        ..Pose::IDENTITY
    };
    collider("slope", ground, pose)
}

pub fn joint(name: &str, kind: JointKind, ends: [&str; 2], anchor: DVec3) -> Joint {
    let end = |name: &str| match name {
        "world" => JointEnd::World,
        name => JointEnd::Solid(name.into()),
    };
    Joint {
        name: name.into(),
        kind,
        ends: ends.map(end),
        anchor,
        limits: None,
        motor: None,
        until: f64::INFINITY,
    }
}

pub fn try_world(
    domain: &Domain,
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
    gravity: f64,
) -> Result<World, RigidError> {
    let down = DVec3::NEG_Y * gravity;
    let solids = RigidSolids::new(colliders, bodies, joints, down, domain)?;
    Ok(World { solids, time: 0.0 })
}

pub fn world(
    domain: &Domain,
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
) -> World {
    try_world(domain, colliders, bodies, joints, GRAVITY).expect("a fair scene")
}

/// Bodies without a liquid.
pub struct World {
    pub solids: RigidSolids,
    pub time: f64,
}

impl World {
    /// A step in which a liquid that takes bodies along does nothing to them.
    pub fn step(&mut self, dt: f64) {
        self.step_with(dt, |_| Vec::new());
    }

    /// A step with what a liquid does that takes bodies along.
    pub fn step_with(&mut self, dt: f64, answer: impl FnOnce(&[Solid]) -> Vec<Impulse>) {
        self.solids.advance(self.time, dt);
        let impulses = answer(self.solids.all());
        self.solids.follow(&impulses, dt);
        self.solids.push(&impulses, dt);
        self.time += dt;
    }

    /// A step with what particles do to solids.
    pub fn step_pushed(&mut self, dt: f64, answer: impl FnOnce(&[Solid]) -> Vec<Impulse>) {
        self.solids.advance(self.time, dt);
        let impulses = answer(self.solids.all());
        self.solids.push(&impulses, dt);
        self.time += dt;
    }

    pub fn run(&mut self, seconds: f64, dt: f64) {
        let steps = (seconds / dt).round() as usize;
        for _ in 0..steps {
            self.step(dt);
        }
    }

    pub fn solid(&self, number: usize) -> &Solid {
        &self.solids.all()[number]
    }

    pub fn place(&self, number: usize) -> DVec3 {
        self.solid(number).end.translation.as_dvec3()
    }

    pub fn velocity(&self, number: usize) -> DVec3 {
        self.solid(number).next.linear.as_dvec3()
    }

    pub fn spin(&self, number: usize) -> DVec3 {
        self.solid(number).next.angular.as_dvec3()
    }
}
