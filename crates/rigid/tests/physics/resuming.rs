//! The same bits, however a run came about.

use glam::{DVec3, Vec3};
use ooze_core::{
    BodyHeat, BodyId, ChannelData, ChannelError, Channels, Impulse, ImpulsePart, JointKind, Solid,
    Solids, WallHeat,
};
use ooze_geometry::Motion;

use crate::support::{
    GRAVITY, World, ball, body, cuboid, floored, joint, pose, space, try_world, world,
};

fn scene() -> World {
    let mut bodies = Vec::new();
    for number in 0..12 {
        let at = Vec3::new(0.03 * (number % 3) as f32, 0.15 + 0.22 * number as f32, 0.0);
        let shape = match number % 2 {
            0 => cuboid(Vec3::splat(0.1)),
            _ => ball(0.1),
        };
        let mut one = body(&format!("{number}"), shape, at);
        one.friction = 0.4;
        one.restitution = 0.3;
        bodies.push(one);
    }
    let weld = joint(
        "weld",
        JointKind::Ball,
        ["2", "3"],
        DVec3::new(0.05, 0.7, 0.0),
    );
    world(&floored(false), Vec::new(), bodies, &[weld])
}

fn push(number: usize) -> Vec<Impulse> {
    let step = number as f64;
    let all = (0..12).map(|body| Impulse {
        pressure: ImpulsePart {
            linear: DVec3::new((step * 0.37).sin(), 0.02 * step.cos(), 0.1) * 0.01,
            angular: DVec3::new(0.001, 0.0, 0.002),
        },
        ..Impulse::none(BodyId(body))
    });
    all.collect()
}

fn run(world: &mut World, steps: std::ops::Range<usize>) {
    for step in steps {
        match step % 50 < 25 {
            true => world.step_with(0.004, |_| push(step)),
            false => world.step_pushed(0.004, |_| push(step)),
        }
    }
}

#[test]
fn a_run_that_is_resumed_goes_on_to_the_same_bits_at_any_step() {
    let mut whole = scene();
    for stop in [1, 60, 137, 240] {
        let mut parted = scene();
        run(&mut parted, 0..stop);
        let saved = parted.solids.save();
        let mut resumed = scene();
        resumed
            .solids
            .load(saved.clone(), parted.time)
            .expect("fair channels");
        resumed.time = parted.time;
        assert_eq!(resumed.solids.save(), saved);
        for number in 0..12 {
            assert_eq!(resumed.solid(number).end, parted.solid(number).end);
            assert_eq!(resumed.solid(number).next, parted.solid(number).next);
        }
        run(&mut parted, stop..stop + 60);
        run(&mut resumed, stop..stop + 60);
        assert_eq!(parted.solids.save(), resumed.solids.save(), "{stop}");
    }
    run(&mut whole, 0..5);
    // A step that fails is taken back.
    let before = whole.solids.save();
    whole.solids.advance(whole.time, 0.01);
    whole.solids.follow(&push(3), 0.01);
    whole
        .solids
        .load(before.clone(), whole.time)
        .expect("fair channels");
    assert_eq!(whole.solids.save(), before);
}

#[test]
fn threads_change_nothing() {
    let all: Vec<Channels> = std::thread::scope(|scope| {
        let one = || {
            let mut world = scene();
            run(&mut world, 0..150);
            world.solids.save()
        };
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(one)).collect();
        runs.into_iter()
            .map(|run| run.join().expect("it runs"))
            .collect()
    });
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn damaged_checkpoints_are_errors() {
    let mut world = scene();
    let saved = world.solids.save();
    let numbers = saved.doubles("bodies").expect("they are there").to_vec();
    let mut load = |data: ChannelData| {
        let mut channels = Channels::default();
        channels.insert("bodies", data);
        world.solids.load(channels, 0.0)
    };
    assert!(load(ChannelData::Double(numbers.clone())).is_ok());
    let short = load(ChannelData::Double(numbers[1..].to_vec()));
    assert!(matches!(short, Err(ChannelError::WrongLength { .. })));
    let kind = load(ChannelData::Byte(vec![0; numbers.len()]));
    assert!(matches!(kind, Err(ChannelError::WrongType { .. })));
    for (row, value) in [(0, f64::NAN), (40, f64::INFINITY), (3, 7.0)] {
        let mut wrong = numbers.clone();
        wrong[row] = value;
        let wrong = load(ChannelData::Double(wrong));
        assert!(matches!(wrong, Err(ChannelError::Value { .. })), "{row}");
    }
    assert!(world.solids.load(Channels::default(), 0.0).is_err());
    let mut strange = saved;
    strange.insert("more", ChannelData::Byte(vec![1]));
    assert!(world.solids.load(strange, 0.0).is_err());
}

#[test]
fn what_a_body_gets_warms_it_for_good() {
    let warm = |temperature: f32, capacity: Option<f64>| {
        let mut one = body("stone", ball(0.1), Vec3::Y);
        one.contact.heat = Some(WallHeat {
            temperature,
            transfer: None,
        });
        one.heat_capacity = capacity;
        one
    };
    let scene = || {
        let mut others = [
            warm(300.0, None),
            warm(400.0, Some(900.0)),
            warm(500.0, Some(50.0)),
        ];
        for (number, other) in others.iter_mut().enumerate() {
            other.name = format!("{number}");
            other.motion = Motion::fixed(pose(Vec3::X * number as f32)).expect("a fair pose");
        }
        world(&space(false), Vec::new(), others.into(), &[])
    };
    let temperatures = |world: &World| {
        let heat = |solid: &Solid| solid.contact.heat.expect("it is warm").temperature;
        world.solids.all().iter().map(heat).collect::<Vec<f32>>()
    };
    let mut world = scene();
    let mass = world.solid(1).free.expect("it is free").mass;
    let capacity = world.solid(1).heat_capacity.expect("it has one");
    assert!((capacity / (900.0 * mass) - 1.0).abs() < 1e-12);
    assert_eq!(world.solid(0).heat_capacity, None);
    let gained = |body: u16, gained: f64| BodyHeat {
        body: BodyId(body),
        gained,
    };
    world
        .solids
        .warm(&[gained(0, 1e6), gained(1, -30.0 * capacity)]);
    world.run(0.1, 0.01);
    assert_eq!(temperatures(&world), [300.0, 370.0, 500.0]);
    let saved = world.solids.save();
    let mut resumed = scene();
    resumed
        .solids
        .load(saved.clone(), world.time)
        .expect("fair channels");
    assert_eq!(temperatures(&resumed), [300.0, 370.0, 500.0]);
    assert_eq!(resumed.solids.save(), saved);
    for wrong in [vec![300.0], vec![300.0, f64::NAN], vec![300.0, -1.0]] {
        let mut damaged = saved.clone();
        damaged.insert("body_temperatures", ChannelData::Double(wrong));
        assert!(resumed.solids.load(damaged, 0.0).is_err());
    }
    let refused = |body| try_world(&space(false), Vec::new(), vec![body], &[], GRAVITY).is_err();
    assert!(refused(warm(300.0, Some(0.0))) && refused(warm(300.0, Some(f64::NAN))));
    let mut cold = warm(300.0, Some(900.0));
    cold.contact.heat = None;
    assert!(refused(cold));
}
