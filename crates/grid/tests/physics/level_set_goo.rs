//! Goo on level sets where it breaks and meets: holes, seams, pockets and drips.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{Contact, Domain, Elasticity, Liquid, Side, WallCondition};
use ooze_field::level_set::Air;
use ooze_geometry::Shape;
use ooze_grid::LevelSetSettings;

use crate::level_set::{World, ball};
use crate::support::{cuboid, fixed, setup, unit_box};

#[test]
fn a_stream_through_a_hole_is_not_faster_than_its_fall_allows() {
    // A funnel with a hole four cells wide, whose wall cuts faces in all ways.
    let point = |height: f32| Vec3::new(0.0, height, 0.0);
    let hole = [
        cuboid(
            Vec3::new(-0.036, 0.076, -0.036),
            Vec3::new(0.036, 0.2, 0.036),
        ),
        Shape::cone(point(0.058), point(0.078), 0.0085, 0.034).expect("a fair cone"),
        Shape::cylinder(point(0.0), point(0.07), 0.0085).expect("a fair cylinder"),
    ];
    let block = cuboid(
        Vec3::new(-0.048, 0.052, -0.048),
        Vec3::new(0.048, 0.164, 0.048),
    );
    let funnel = Shape::difference(block, hole.to_vec()).expect("a fair funnel");
    let domain = Domain {
        lower: Vec3::new(-0.064, 0.0, -0.064),
        cell_size: 0.004,
        cells: IVec3::new(32, 43, 32),
        ..unit_box(32, false)
    };
    let goo = cuboid(
        Vec3::new(-0.036, 0.076, -0.036),
        Vec3::new(0.036, 0.16, 0.036),
    );
    let mut setup = setup(domain, goo);
    setup.materials[0].viscosity = 8.0;
    let solids = vec![fixed("funnel", funnel, Contact::default())];
    let mut world = World::new(setup, LevelSetSettings::default(), solids);
    for frame in 1..=3 {
        let end = f64::from(frame) / 30.0;
        world.run(end, 0.005);
        // From the top of the goo to the floor it would reach 1.8 m/s without friction.
        let speed = world.measure().max_speed;
        assert!(speed < 1.3, "{speed} m/s after {end} s");
    }
}

#[test]
fn balls_of_goo_that_meet_stick_together_unless_air_keeps_them_apart() {
    // As in Goktekin 2011, fig. 4.9, weightless: they turn about the middle of the box with a bridge between them.
    let still_joined = |air: Air| {
        let offset = Vec3::new(0.234, -0.0625, 0.0);
        let middle = Vec3::splat(0.5);
        let mut setup = setup(unit_box(32, false), ball(middle - offset, 0.125));
        setup.forces.clear();
        setup.materials[0].viscosity = 9.8;
        setup.materials[0].elasticity = Some(Elasticity {
            modulus: 7800.0,
            yield_strain: 0.08,
            decay_rate: 12.0,
        });
        setup.initial[0].velocity = Vec3::new(2.2, 0.0, 0.0);
        let mut second = setup.initial[0].clone();
        second.shape = Arc::new(ball(middle + offset, 0.125));
        second.velocity = -second.velocity;
        setup.initial.push(second);
        let mut settings = LevelSetSettings::default();
        let particles = settings.tracking.particles.as_mut();
        particles.expect("the preset has particles").air = air;
        let mut world = World::new(setup, settings, Vec::new());
        world.run(0.6, 1.0 / 30.0);
        // Beside the middle: there the flow is at rest and has kept a bubble.
        let beside = middle - Vec3::new(0.0, 0.04, 0.0);
        world.liquid.velocity_at(beside).is_some()
    };
    assert!(still_joined(Air::Absent));
    assert!(still_joined(Air::Yielding));
    assert!(!still_joined(Air::Holding));
}

#[test]
fn pockets_of_air_are_filled_and_bubbles_stay() {
    let is_filled = |radius: f32| {
        let middle = Vec3::splat(0.5);
        let block = cuboid(middle - 0.3, middle + 0.3);
        let hollow = Shape::difference(block, vec![ball(middle, radius)]).expect("a fair shape");
        let mut setup = setup(unit_box(32, false), hollow);
        setup.forces.clear();
        let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
        let before = world.measure().volume;
        world.run(0.01, 0.01);
        assert!((world.measure().volume / before - 1.0).abs() < 1e-3);
        world.liquid.velocity_at(middle).is_some()
    };
    // 33 cells, and 268.
    assert!(is_filled(2.0 / 32.0));
    assert!(!is_filled(4.0 / 32.0));
}

#[test]
fn a_drip_flings_nothing_off() {
    // The gob of the scene `goo-drip` in coarser cells: whatever its shoulder does, no part of it is faster than free fall.
    let domain = Domain {
        lower: Vec3::new(-0.08, 0.0, -0.08),
        cell_size: 0.16 / 24.0,
        cells: IVec3::new(24, 39, 24),
        ..unit_box(24, false)
    };
    let ceiling = domain.upper().y;
    let at = |below: f32| Vec3::new(0.0, ceiling - below, 0.0);
    let plate = Shape::cylinder(at(0.016), at(-0.01), 0.06).expect("a fair cylinder");
    let gob = Shape::ellipsoid(at(0.05), Vec3::new(0.036, 0.048, 0.036)).expect("a fair ellipsoid");
    let whole = Shape::smooth_union(vec![plate, gob], 0.02).expect("a fair union");
    let mut setup = setup(domain, whole);
    setup.materials[0].viscosity = 4.0;
    setup.materials[0].elasticity = Some(Elasticity {
        modulus: 1200.0,
        yield_strain: 0.05,
        decay_rate: 8.0,
    });
    let sticky = Contact {
        condition: WallCondition::Sticky,
        ..Contact::default()
    };
    setup.domain.sides[1][1] = Side::Closed(sticky);
    let mut world = World::new(setup, LevelSetSettings::default(), Vec::new());
    for frame in 1..=5 {
        let end = f64::from(frame) / 30.0;
        world.run(end, 1.0 / 30.0);
        let speed = world.measure().max_speed;
        assert!(speed < 1.02 * 9.81 * end, "{speed} m/s after {end} s");
    }
}
