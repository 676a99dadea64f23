//! Bodies that the liquid moves along with itself.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3, IVec3, Quat, Vec3};
use ooze_core::{
    BodyVelocity, ChannelError, Channels, Contact, Domain, FreeBody, Impulse, Liquid, LiquidSetup,
    Material, Side, Solid, Solids, SpatialInertia, StepReport, WallCondition,
};
use ooze_geometry::{Pose, Shape, Twist};
use ooze_grid::{FlipLiquid, FlipSettings, LevelSetLiquid, LevelSetSettings};

use crate::support::{GRAVITY, cuboid, setup, unit_box, water};

const WATER: f64 = 998.0;

/// Bodies that nothing but gravity and the liquid moves; their own frames have their centres of mass as origins.
struct Drifting {
    gravity: DVec3,
    solids: Vec<Solid>,
    /// How each moves at the start of the step, and at its end.
    before: Vec<BodyVelocity>,
    after: Vec<BodyVelocity>,
}

/// Locks what bodies of flat scenes cannot do.
const IN_PLANE: [[bool; 3]; 2] = [[false, false, true], [true, true, false]];

/// A solid at a place; free if it has a mass and moments of inertia about its axes.
fn solid(name: &str, shape: Shape, at: Vec3, free: Option<(f64, DVec3)>) -> Solid {
    let pose = Pose {
        translation: at,
        ..Pose::IDENTITY
    };
    let rest = Twist {
        centre: at,
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        growth: 0.0,
    };
    let volume = shape.mass_properties().expect("a volume").volume;
    Solid {
        name: name.into(),
        shape: Arc::new(shape),
        contact: Contact::default(),
        left: None,
        heat_capacity: None,
        free: free.map(|(mass, moments)| FreeBody {
            mass,
            volume,
            centre: Vec3::ZERO,
            inertia: DMat3::from_diagonal(moments),
            locked: [[false; 3]; 2],
            before: BodyVelocity::default(),
            unforced: BodyVelocity::default(),
            joined: SpatialInertia::ZERO,
        }),
        fixed: free.is_none(),
        start: pose,
        end: pose,
        twist: rest,
        next: rest,
    }
}

impl Drifting {
    fn new(gravity: f64, solids: Vec<Solid>) -> Self {
        let still = vec![BodyVelocity::default(); solids.len()];
        Self {
            gravity: DVec3::NEG_Y * gravity,
            solids,
            before: still.clone(),
            after: still,
        }
    }

    /// Sets the ends of the step by the motions there.
    fn move_on(&mut self, dt: f64) {
        for (solid, motion) in self.solids.iter_mut().zip(&self.after) {
            if solid.free.is_none() {
                continue;
            }
            solid.twist.centre = solid.start.translation;
            solid.twist.linear = motion.linear.as_vec3();
            solid.twist.angular = motion.angular.as_vec3();
            solid.next = solid.twist;
            solid.end = solid.start;
            solid.end.translation += (motion.linear * dt).as_vec3();
            let turn = Quat::from_scaled_axis((motion.angular * dt).as_vec3());
            solid.end.rotation = (turn * solid.start.rotation).normalize();
        }
    }
}

impl Solids for Drifting {
    fn all(&self) -> &[Solid] {
        &self.solids
    }

    fn advance(&mut self, _time: f64, dt: f64) {
        self.before = self.after.clone();
        for (solid, motion) in self.solids.iter_mut().zip(&mut self.after) {
            solid.start = solid.end;
            if let Some(free) = &mut solid.free {
                free.before = *motion;
                motion.linear += self.gravity * dt;
                free.unforced = *motion;
            }
        }
        self.move_on(dt);
    }

    fn follow(&mut self, impulses: &[Impulse], dt: f64) {
        for ((solid, motion), impulse) in self.solids.iter().zip(&mut self.after).zip(impulses) {
            let Some(free) = solid.free else { continue };
            let total = impulse.total().about(solid.start.translation.as_dvec3());
            motion.linear = free.unforced.linear + total.linear / free.mass;
            let turn = DMat3::from_quat(solid.start.rotation.as_dquat());
            let inertia = turn * free.inertia * turn.transpose();
            let open = DVec3::from_array(free.locked[1].map(|locked| f64::from(u8::from(!locked))));
            motion.angular = free.unforced.angular + open * (inertia.inverse() * total.angular);
        }
        self.move_on(dt);
    }

    fn push(&mut self, _impulses: &[Impulse], _dt: f64) {}

    fn save(&self) -> Channels {
        Channels::default()
    }

    fn load(&mut self, _saved: Channels, _time: f64) -> Result<(), ChannelError> {
        Ok(())
    }
}

/// A liquid with bodies in it.
struct World {
    liquid: Box<dyn Liquid>,
    solids: Drifting,
    time: f64,
    reports: StepReport,
}

/// The same on both kinds of liquids.
fn worlds(setup: &LiquidSetup, solids: impl Fn() -> Drifting) -> [(&'static str, World); 2] {
    let flip = FlipLiquid::new(setup.clone(), FlipSettings::default(), &solids());
    let level_set = LevelSetLiquid::new(setup.clone(), LevelSetSettings::default(), &solids());
    let world = |liquid: Box<dyn Liquid>| World {
        liquid,
        solids: solids(),
        time: 0.0,
        reports: StepReport::default(),
    };
    [
        ("flip", world(Box::new(flip))),
        ("level set", world(Box::new(level_set))),
    ]
}

impl World {
    fn step(&mut self, dt: f64) {
        self.solids.advance(self.time, dt);
        let step = self.liquid.step(self.time, dt, &mut self.solids);
        let report = step.expect("the step succeeds");
        self.solids.push(&report.impulses, dt);
        self.reports.absorb(report);
        self.time += dt;
    }

    fn velocity(&self, body: usize) -> BodyVelocity {
        self.solids.after[body]
    }

    fn place(&self, body: usize) -> Vec3 {
        self.solids.solids[body].end.translation
    }
}

fn flat_box(cells: i32) -> Domain {
    Domain {
        cells: IVec3::new(cells, cells, 1),
        ..unit_box(cells, true)
    }
}

/// A body that moves in the plane.
fn flat_body(name: &str, shape: Shape, at: Vec3, mass: f64, moment: f64) -> Solid {
    let mut body = solid(name, shape, at, Some((mass, DVec3::splat(moment))));
    body.free.as_mut().expect("it is free").locked = IN_PLANE;
    body
}

fn rod(radius: f32) -> Shape {
    Shape::cylinder(Vec3::NEG_Z, Vec3::Z, radius).expect("a fair cylinder")
}

/// A rod in a cup that is full of water, as heavy as so many times the water that it takes the place of.
fn rod_in_cup(domain: &Domain, [radius, cup]: [f32; 2], ratio: f64) -> Drifting {
    let centre = Vec3::new(0.512, 0.493, 0.0);
    let block = Shape::cuboid(Vec3::ZERO, Vec3::new(2.0, 2.0, 1.0)).expect("a fair box");
    let hollow = Shape::difference(block, vec![rod(cup)]).expect("a fair cup");
    let volume = PI * f64::from(radius * radius * domain.cell_size);
    let mass = ratio * WATER * volume;
    let moment = 0.5 * mass * f64::from(radius * radius);
    let rod = flat_body("rod", rod(radius), centre, mass, moment);
    Drifting::new(
        f64::from(GRAVITY),
        vec![rod, solid("cup", hollow, centre, None)],
    )
}

#[test]
fn rods_of_any_weight_move_with_the_water_that_they_take_along_from_the_first_step_on() {
    let domain = flat_box(48);
    let mut everything = setup(domain.clone(), cuboid(Vec3::splat(-1.0), Vec3::splat(2.0)));
    everything.materials = vec![Material::newtonian("water", 998.0, 0.0, 0.0)];
    let [radius, cup] = [0.16, 0.45];
    for ratio in [0.01, 0.3, 1.0, 4.0] {
        for (name, mut world) in worlds(&everything, || rod_in_cup(&domain, [radius, cup], ratio)) {
            // Between cylinders of radii a and b, a moves liquid as if it had (b² + a²)/(b² − a²) of what it displaces in tow.
            let [rod, cup] = [radius, cup].map(|radius| f64::from(radius * radius));
            let taken = (cup + rod) / (cup - rod);
            let expected = -f64::from(GRAVITY) * (ratio - 1.0) / (ratio + taken);
            let dt = 0.002;
            let mut speeds = Vec::new();
            for _ in 0..4 {
                world.step(dt);
                speeds.push(world.velocity(0).linear.y);
            }
            let fallen = f64::from(GRAVITY) * world.time;
            for (step, speed) in speeds.iter().enumerate() {
                let acceleration = speed / (dt * (step + 1) as f64);
                assert!(
                    (acceleration - expected).abs() < 0.04 * expected.abs().max(0.5),
                    "{name}, {ratio}, step {step}: {acceleration} of {expected}"
                );
            }
            // Pressure on a rod of cut faces turns it a little, and one without inertia more.
            let surface = f64::from(radius) * world.velocity(0).angular.length();
            let least = if ratio < 0.1 { 0.4 } else { 0.05 };
            let speed = world.velocity(0).linear.length().max(0.1 * fallen);
            assert!(
                surface < least * speed,
                "{name}, {ratio}: {surface} of {speed}"
            );
        }
    }
}

#[test]
fn a_body_in_thick_liquid_sinks_at_one_speed_whatever_the_step() {
    // Between walls, a cylinder of half the width of the gap is dragged by far more than its weight in one step.
    let domain = Domain {
        sides: [[Side::Closed(Contact {
            condition: WallCondition::NoSlip,
            ..Contact::default()
        }); 2]; 3],
        ..flat_box(32)
    };
    let mut thick = setup(
        domain.clone(),
        cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.9, 2.0)),
    );
    thick.materials = vec![Material::newtonian("syrup", 998.0, 20_000.0, 0.0)];
    let body = |ratio: f64| {
        let mass = ratio * WATER * PI * 0.15 * 0.15 / 32.0;
        let (at, moment) = (Vec3::new(0.51, 0.45, 0.0), 0.5 * mass * 0.15 * 0.15);
        let mut rod = flat_body("rod", rod(0.15), at, mass, moment);
        rod.contact.condition = WallCondition::NoSlip;
        Drifting::new(f64::from(GRAVITY), vec![rod])
    };
    let mut speeds = Vec::new();
    for dt in [0.002, 0.02, 0.08] {
        for (name, mut world) in worlds(&thick, || body(2.0)) {
            while world.time < 0.239 {
                world.step(dt);
            }
            let speed = world.velocity(0).linear.y;
            assert!(speed < 0.0, "{name}, {dt}: {speed}");
            assert_eq!(world.reports.events, Vec::<String>::new(), "{name}");
            speeds.push(speed);
        }
    }
    let [least, most] = [f64::min, f64::max].map(|pick| {
        let speeds = speeds.iter().copied();
        speeds.reduce(pick).expect("there are some")
    });
    assert!(most - least < 0.05 * least.abs(), "{speeds:?}");
}

#[test]
fn a_light_box_comes_to_rest_where_its_weight_is_what_it_displaces() {
    let domain = flat_box(40);
    let pool = setup(
        domain.clone(),
        cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.413, 2.0)),
    );
    let half = Vec3::new(0.2, 0.1, 0.5);
    for ratio in [0.01, 0.5, 0.9] {
        let floating = || {
            let shape = Shape::cuboid(Vec3::ZERO, half).expect("a fair box");
            let mass = ratio * WATER * 4.0 * f64::from(half.x * half.y * domain.cell_size);
            let gyration = f64::from(half.x * half.x + half.y * half.y) / 3.0;
            // Seeds within the box are left out: the pool stands as high as before.
            let draft = 2.0 * f64::from(half.y) * ratio;
            let height = 0.413 - draft + f64::from(half.y);
            let at = Vec3::new(0.5, height as f32, 0.0);
            let floating = flat_body("box", shape, at, mass, mass * gyration);
            Drifting::new(f64::from(GRAVITY), vec![floating])
        };
        for (name, mut world) in worlds(&pool, floating) {
            let before = world.place(0);
            let mut fastest = 0.0f64;
            for _ in 0..60 {
                world.step(0.005);
                fastest = fastest.max(world.velocity(0).linear.length());
            }
            let moved = (world.place(0) - before).length() / domain.cell_size;
            assert!(moved < 0.5, "{name}, {ratio}: {moved} cells, {fastest} m/s");
            assert!(fastest < 0.2, "{name}, {ratio}: {fastest} m/s");
        }
    }
}

#[test]
fn a_light_body_that_lies_on_the_floor_rises() {
    // Under a ball that touches the floor there is no room for particles, nor for samples; liquid bears it up all the same.
    for flat in [true, false] {
        let domain = if flat {
            flat_box(40)
        } else {
            unit_box(20, false)
        };
        let pool = setup(
            domain.clone(),
            cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.613, 2.0)),
        );
        let radius = 0.17;
        let at = |gap: f32| Vec3::new(0.513, radius + gap, if flat { 0.0 } else { 0.493 });
        let lying = |gap: f32| {
            let body = match flat {
                true => {
                    let mass = 0.5 * WATER * PI * f64::from(radius * radius * domain.cell_size);
                    let moment = 0.5 * mass * f64::from(radius * radius);
                    flat_body("log", rod(radius), at(gap), mass, moment)
                }
                false => {
                    let mass = 0.5 * WATER * 4.0 / 3.0 * PI * f64::from(radius).powi(3);
                    let moments = DVec3::splat(0.4 * mass * f64::from(radius * radius));
                    let shape = Shape::sphere(Vec3::ZERO, radius).expect("a fair ball");
                    solid("ball", shape, at(gap), Some((mass, moments)))
                }
            };
            Drifting::new(f64::from(GRAVITY), vec![body])
        };
        for gap in [0.001, 0.004] {
            for (name, mut world) in worlds(&pool, || lying(gap)) {
                for _ in 0..20 {
                    world.step(0.005);
                }
                // (1 − ½) g t²/2 over ½ + what it takes along: 0.8 of what a ball displaces beside a wall in deep water, 2.29 of
                // what a rod does, and less below a surface. The ball has 3.4 cells from its centre to its side.
                let risen = f64::from(world.place(0).y - at(gap).y);
                let expected = 0.25 * f64::from(GRAVITY) * 0.01 / if flat { 2.79 } else { 1.3 };
                let share = risen / expected;
                assert!(
                    (0.6..1.8).contains(&share),
                    "{name}, flat {flat}, {gap}: {share}"
                );
            }
        }
    }
}

#[test]
fn a_ball_that_spins_beside_a_wall_moves_no_liquid() {
    let domain = unit_box(20, false);
    let mut full = setup(
        domain,
        cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.813, 2.0)),
    );
    full.materials = vec![Material::newtonian("water", 998.0, 0.0, 0.0)];
    full.forces.clear();
    let radius = 0.19;
    // One cell open at most beside it, and the ball cuts the faces there at all angles.
    let at = Vec3::new(radius + 0.002, 0.43, 0.48);
    let spinning = || {
        let mass = 8.0 * WATER * 4.0 / 3.0 * PI * f64::from(radius).powi(3);
        let moments = DVec3::splat(0.4 * mass * f64::from(radius * radius));
        let shape = Shape::sphere(Vec3::ZERO, radius).expect("a fair ball");
        let ball = solid("ball", shape, at, Some((mass, moments)));
        let mut spinning = Drifting::new(0.0, vec![ball]);
        spinning.after[0].angular = DVec3::new(30.0, 60.0, -20.0);
        spinning
    };
    for (name, mut world) in worlds(&full, spinning) {
        for _ in 0..10 {
            world.step(0.002);
        }
        let spin = world.velocity(0).angular;
        assert!(spin.length() > 60.0, "{name}: {spin}");
        // Its surface moves at 13 m/s.
        let fastest = world.liquid.measure(&world.solids).max_speed;
        assert!(fastest < 2.0, "{name}: {fastest} m/s");
    }
}

#[test]
fn what_a_body_gets_the_liquid_loses() {
    let domain = unit_box(20, false);
    let mut drop = setup(
        domain,
        Shape::sphere(Vec3::splat(0.5), 0.33).expect("a fair ball"),
    );
    drop.forces.clear();
    for viscosity in [0.0, 1.0, 1000.0] {
        drop.materials = vec![match viscosity {
            0.0 => water(),
            viscosity => Material::newtonian("goo", 998.0, viscosity, 0.0),
        }];
        drop.initial[0].velocity = Vec3::new(0.3, 0.1, -0.2);
        let ball = || {
            let mass = 0.3 * WATER * 4.0 / 3.0 * PI * 0.15f64.powi(3);
            let moments = DVec3::splat(0.4 * mass * 0.15 * 0.15);
            let shape = Shape::sphere(Vec3::ZERO, 0.15).expect("a fair ball");
            let at = Vec3::new(0.52, 0.47, 0.51);
            let mut ball = solid("ball", shape, at, Some((mass, moments)));
            ball.contact.condition = WallCondition::NoSlip;
            Drifting::new(0.0, vec![ball])
        };
        for (name, mut world) in worlds(&drop, ball) {
            let before = world.liquid.measure(&world.solids);
            for _ in 0..20 {
                world.step(0.01);
            }
            let after = world.liquid.measure(&world.solids);
            let mass = world.solids.solids[0].free.expect("it is free").mass;
            let body = mass * world.velocity(0).linear;
            let lost = before.momentum - after.momentum;
            let share = (lost - body).length() / before.momentum.length();
            assert!(
                body.length() > 0.1 * lost.length().max(0.01),
                "{name}: {body}"
            );
            assert!(
                share < 0.03,
                "{name}, {viscosity}: {share} of {}",
                before.momentum
            );
        }
    }
}
