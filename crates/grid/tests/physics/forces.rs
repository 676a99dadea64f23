//! What liquids do to the solids in them.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use ooze_core::{
    Collider, Contact, Impulse, ImpulsePart, KeyframedSolids, Liquid, LiquidSetup, Material,
    Solids, StepReport, WallCondition,
};
use ooze_geometry::{Motion, Pose, Shape, Spin};
use ooze_grid::{FlipLiquid, FlipSettings, LevelSetLiquid, LevelSetSettings};

use crate::level_set::ball;
use crate::support::{GRAVITY, cuboid, fixed, setup, unit_box};

/// What a liquid does to its solids in so many steps, and the momentum and mass that it has at the end.
struct Done {
    impulses: Vec<Impulse>,
    seconds: f64,
    momentum: DVec3,
    mass: f64,
}

/// Steps of which the first `before` do not count.
fn run(
    mut liquid: Box<dyn Liquid>,
    mut solids: KeyframedSolids,
    dt: f64,
    [before, steps]: [i32; 2],
) -> Done {
    let mut report = StepReport::default();
    for step in -before..steps {
        let time = f64::from(step) * dt;
        solids.advance(time, dt);
        let done = liquid.step(time, dt, &mut solids);
        let done = done.expect("the step succeeds");
        if step >= 0 {
            report.absorb(done);
        }
    }
    let measure = liquid.measure(&solids);
    Done {
        impulses: report.impulses,
        seconds: f64::from(steps) * dt,
        momentum: measure.momentum,
        mass: measure.mass,
    }
}

/// The same liquid of particles and of a level set.
fn both(setup: &LiquidSetup, solids: &KeyframedSolids) -> [(&'static str, Box<dyn Liquid>); 2] {
    let flip = FlipLiquid::new(setup.clone(), FlipSettings::default(), solids);
    let level_set = LevelSetLiquid::new(setup.clone(), LevelSetSettings::default(), solids);
    [("flip", Box::new(flip)), ("level set", Box::new(level_set))]
}

/// A part of an impulse over time, with the torque about a point.
fn force(part: ImpulsePart, centre: Vec3, seconds: f64) -> [DVec3; 2] {
    let turning = part.angular - centre.as_dvec3().cross(part.linear);
    [part.linear / seconds, turning / seconds]
}

/// Lets a solid lie in a tank at rest that is filled to a height between the planes of the grid, and checks its lift and what all
/// solids bear.
fn check_lift(shape: Shape, centre: Vec3, volume: f64, tolerance: f64) {
    let water = cuboid(Vec3::splat(-1.0), Vec3::new(2.0, 0.73, 2.0));
    let setup = setup(unit_box(24, false), water);
    let collider = fixed("solid", shape, Contact::default());
    let solids = KeyframedSolids::new(vec![collider]);
    for (name, liquid) in both(&setup, &solids) {
        let done = run(liquid, solids.clone(), 0.005, [0, 4]);
        let lift = f64::from(998.0 * GRAVITY) * volume;
        let [force, torque] = force(done.impulses[0].pressure, centre, done.seconds);
        let error = (force - DVec3::Y * lift).length() / lift;
        let turning = torque.length() / (lift * volume.cbrt());
        assert!(
            error < tolerance && turning < tolerance,
            "{name}: {error} {turning} {force} of {lift}"
        );
        // Six sides and the solid bear the weight together, but for what the liquid moves with.
        assert_eq!(done.impulses.len(), 7);
        let borne: DVec3 = done.impulses.iter().map(|body| body.total().linear).sum();
        let weight = done.mass * f64::from(GRAVITY) * done.seconds;
        let missing = (borne + done.momentum + DVec3::Y * weight).length() / weight;
        assert!(missing < 0.002, "{name}: {missing} of {weight}");
    }
}

#[test]
fn a_ball_in_a_tank_at_rest_is_lifted_by_what_it_displaces() {
    // Between the planes of the grid.
    let (centre, radius) = (Vec3::new(0.513, 0.347, 0.489), 0.21);
    let volume = 4.0 / 3.0 * PI * f64::from(radius).powi(3);
    check_lift(ball(centre, radius), centre, volume, 0.003);
}

#[test]
fn a_box_is_lifted_alike_wherever_its_faces_lie_in_the_grid() {
    let size = Vec3::new(6.0, 4.0, 5.0) / 24.0;
    let volume = f64::from(size.element_product());
    for offset in [0.0, 0.3, 0.6] {
        let lower = Vec3::splat((7.0 + offset) / 24.0);
        let centre = lower + 0.5 * size;
        // The grid rounds its edges off, by as much as it lies between the planes.
        check_lift(cuboid(lower, lower + size), centre, volume, 0.06);
    }
}

/// A hollow in a block, or a rod, along z.
fn turning(shape: Shape, centre: Vec3, revolutions_per_second: f64) -> Collider {
    let pose = Pose {
        translation: centre,
        ..Pose::IDENTITY
    };
    let spin = Spin {
        axis: Vec3::Z,
        revolutions_per_second,
    };
    Collider {
        name: "turning".into(),
        shape: Arc::new(shape),
        motion: Motion::new(pose, &[], Some(spin)).expect("a fair motion"),
        contact: Contact {
            condition: WallCondition::NoSlip,
            friction: 0.0,
            heat: None,
        },
    }
}

#[test]
fn a_turning_rod_is_held_back_by_the_liquid_around_it() {
    let (inner, outer, viscosity, rate) = (0.15, 0.4, 100.0, 0.25);
    let centre = Vec3::new(0.493, 0.507, 0.0);
    let rod = |radius: f32| {
        let shape = Shape::cylinder(-2.0 * Vec3::Z, 2.0 * Vec3::Z, radius);
        shape.expect("a fair rod")
    };
    let block = cuboid(Vec3::splat(-0.95), Vec3::splat(0.95));
    let cup = Shape::difference(block, vec![rod(outer)]).expect("a fair cup");
    let solids = KeyframedSolids::new(vec![
        turning(rod(inner), centre, rate),
        turning(cup, centre, 0.0),
    ]);
    let domain = unit_box(48, true);
    let thickness = f64::from(domain.cell_size);
    let all = cuboid(Vec3::splat(-1.0), Vec3::splat(2.0));
    let mut setup = setup(domain, all);
    setup.materials = vec![Material::newtonian("syrup", 1000.0, viscosity, 0.0)];
    setup.forces.clear();
    for (name, liquid) in both(&setup, &solids) {
        let done = run(liquid, solids.clone(), 0.05, [10, 1]);
        let [inner, outer] = [inner, outer].map(|radius| f64::from(radius * radius));
        let turning = 2.0 * PI * rate * inner * outer / (outer - inner);
        let expected = -4.0 * PI * f64::from(viscosity) * turning * thickness;
        // At long steps the solves for viscosity and for pressure share it between them.
        let [rod, cup] = [0, 1].map(|body: usize| {
            let total = done.impulses[body].total();
            force(total, centre, done.seconds)[1].z / expected
        });
        assert!((rod - 1.0).abs() < 0.05, "{name}: {rod}");
        assert!((cup + 1.0).abs() < 0.05, "{name}: {cup}");
        // What one solid gives to the liquid the other takes.
        assert!((rod + cup).abs() < 0.01, "{name}: {rod} {cup}");
    }
}
