//! One body in a box that is full of liquid.

use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_core::random::uniform;
use ooze_core::{BodyVelocity, Contact, Domain, Solid, SpatialInertia};
use ooze_field::{Place, Topology, face_fields};
use ooze_geometry::{Pose, Shape, Twist};

use super::*;

const DENSITY: f64 = 1000.0;

/// A brick that is turned in space and cuts cells all around.
fn brick(relative: f64) -> Solid {
    let half = Vec3::new(0.21, 0.13, 0.17);
    let volume = 8.0 * f64::from(half.x * half.y * half.z);
    let mass = relative * DENSITY * volume;
    let squares = (half * half).as_dvec3();
    let moments = DVec3::splat(squares.element_sum()) - squares;
    let pose = Pose {
        translation: Vec3::new(0.51, 0.47, 0.52),
        rotation: Quat::from_rotation_z(0.4) * Quat::from_rotation_x(0.7),
        scale: 1.0,
    };
    let rest = Twist {
        centre: pose.translation,
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        growth: 0.0,
    };
    Solid {
        name: "brick".into(),
        shape: Arc::new(Shape::cuboid(Vec3::ZERO, half).expect("a fair box")),
        contact: Contact::default(),
        free: Some(FreeBody {
            mass,
            volume,
            centre: Vec3::ZERO,
            inertia: DMat3::from_diagonal(moments * (mass / 3.0)),
            locked: [[false; 3]; 2],
            before: BodyVelocity::default(),
            unforced: BodyVelocity::default(),
            joined: SpatialInertia::ZERO,
        }),
        left: None,
        heat_capacity: None,
        fixed: false,
        start: pose,
        end: pose,
        twist: rest,
        next: rest,
    }
}

/// A brick in a box full of liquid at rest, and the domain's lattice.
fn immersed(brick: &Solid) -> (ImmersedBodies, Lattice) {
    let domain = Domain::closed(Vec3::ZERO, Vec3::ONE, 16);
    let solids = [brick.clone()];
    let obstacles = Obstacles::of(&domain, &solids).at_start();
    let lattice = domain.lattice();
    let fine = Arc::new(Topology::full(lattice.refined()));
    let around = Surroundings {
        obstacles: &obstacles,
        phi: &Field::new(&fine, Place::Node, -0.1),
        lattice,
        wet_before: &[1],
        settings: BodySettings::default(),
        forces: &[],
        dt: 0.01,
    };
    let bodies = ImmersedBodies::find(&around).expect("it is free");
    assert_eq!(bodies.bodies.len(), 1);
    (bodies, lattice)
}

/// Velocities all over a box.
fn grid(lattice: Lattice, velocity: impl Fn(usize, Vec3) -> f32 + Sync) -> FaceVelocity {
    let topology = Arc::new(Topology::full(lattice));
    let fields = [0, 1, 2].map(|axis| {
        Field::from_points(&topology, Place::Face(axis), 0.0, |point| {
            velocity(axis, point)
        })
    });
    FaceVelocity {
        velocity: fields,
        known: face_fields(&topology, 1),
    }
}

/// Unlike everywhere.
fn rough(axis: usize, point: Vec3) -> f32 {
    let bits = point.to_array().map(|part| u64::from(part.to_bits()));
    uniform(bits[0] ^ (bits[1] << 20) ^ (bits[2] << 40), axis as u64) - 0.3
}

/// Momentum and angular momentum about a point of all that there is, for each unit of density.
fn momenta(grid: &FaceVelocity, centre: DVec3) -> Six {
    let mut sum = Six::default();
    for (axis, field) in grid.velocity.iter().enumerate() {
        let topology = field.topology();
        for slot in 0..topology.tile_count() {
            for (local, &velocity) in field.tile(slot).iter().enumerate() {
                let arm = field.position(topology.cell(slot, local)).as_dvec3() - centre;
                sum.add(1.0, Six::push(axis, arm, f64::from(velocity)));
            }
        }
    }
    sum
}

fn assert_near(found: Six, expected: Six, tolerance: f64, what: &str) {
    let pairs = found.to_array().into_iter().zip(expected.to_array());
    for (motion, (found, expected)) in pairs.enumerate() {
        let off = (found - expected).abs();
        assert!(off < tolerance, "{what}, {motion}: {found} of {expected}");
    }
}

#[test]
fn pieces_add_up_to_the_body_along_each_axis() {
    let (bodies, lattice) = immersed(&brick(1.0));
    let body = &bodies.bodies[0];
    let volumes = [0, 1, 2].map(|axis| {
        let pieces = body.pieces.list.iter().filter(|piece| piece.axis == axis);
        pieces.map(|piece| piece.share).sum::<f64>() * lattice.cell_volume()
    });
    // Between nodes, edges of a brick of four cells are blunt.
    let missing = 1.0 - volumes[0] / body.free.volume;
    assert!((0.0..0.06).contains(&missing), "{missing}");
    for volume in volumes {
        assert!((volume / volumes[0] - 1.0).abs() < 1e-6, "{volumes:?}");
    }
}

#[test]
fn making_a_body_rigid_keeps_momentum_and_angular_momentum() {
    let mut brick = brick(1.0);
    let (bodies, lattice) = immersed(&brick);
    let body = &bodies.bodies[0];
    let mut grid = grid(lattice, rough);
    let before = momenta(&grid, body.centre);
    let motion = bodies.source(body, &grid, |_| DENSITY as f32).motion;
    assert!(motion.linear.length() > 0.01 && motion.angular.length() > 0.01);
    // In exact arithmetic, first of all.
    let mut inside = [Six::default(); 2];
    for piece in &body.pieces.list {
        let velocity = f64::from(grid.velocity[piece.axis].get(piece.cell));
        let rigid = motion.along(piece.axis, piece.arm);
        for (sum, velocity) in inside.iter_mut().zip([velocity, rigid]) {
            sum.add(piece.share, Six::push(piece.axis, piece.arm, velocity));
        }
    }
    assert_near(inside[1], inside[0], 1e-10, "body");
    // Then for all that there is, as it is stored.
    brick.next.linear = motion.linear.as_vec3();
    brick.next.angular = motion.angular.as_vec3();
    bodies.make_rigid(&mut grid.velocity, std::slice::from_ref(&brick));
    assert_near(momenta(&grid, body.centre), before, 2e-4, "all");
    let centre = lattice.cell_of(brick.start.translation);
    let arm = grid.velocity[1].position(centre).as_dvec3() - body.centre;
    let found = f64::from(grid.velocity[1].get(centre));
    assert!((found - motion.along(1, arm)).abs() < 1e-6);
}

#[test]
fn a_body_gets_what_the_liquid_in_its_place_has_too_much() {
    let brick = brick(2.5);
    let (bodies, lattice) = immersed(&brick);
    let body = &bodies.bodies[0];
    let motion = Six {
        linear: DVec3::new(0.3, -0.2, 0.7),
        angular: DVec3::new(2.0, 1.0, -3.0),
    };
    // The body was at rest, and the liquid in its place has come to move like a solid: that takes an impulse which is worth less to
    // what is heavier.
    let mut grid = grid(lattice, |axis, point| {
        motion.along(axis, point.as_dvec3() - body.centre) as f32
    });
    let mut impulses = Vec::new();
    bodies.act(&mut grid, |_| DENSITY as f32, &mut impulses);
    let total = impulses[0].total().about(body.centre);
    let expected = Six {
        linear: body.free.mass / 2.5 * motion.linear,
        angular: body.inertia * motion.angular / 2.5,
    };
    let found = Six {
        linear: total.linear,
        angular: total.angular,
    };
    assert_near(found, expected, 1e-4, "impulse");
}

#[test]
fn what_collisions_do_to_a_body_is_no_push_of_the_liquid() {
    let mut brick = brick(3.0);
    let free = brick.free.as_mut().expect("it is free");
    free.before.linear = DVec3::new(0.0, -1.0, 0.0);
    free.unforced = BodyVelocity {
        linear: DVec3::new(0.1, 0.6, 0.0),
        angular: DVec3::new(0.0, 2.0, 1.0),
    };
    let (bodies, lattice) = immersed(&brick);
    let mut grid = grid(lattice, |axis, _| if axis == 1 { -1.0 } else { 0.0 });
    let mut impulses = Vec::new();
    bodies.act(&mut grid, |_| DENSITY as f32, &mut impulses);
    let total = impulses[0].total().about(bodies.bodies[0].centre);
    let found = Six {
        linear: total.linear,
        angular: total.angular,
    };
    assert_near(found, Six::default(), 1e-9 * DENSITY, "impulse");
    // The places that it fills move on as it does.
    let centre = lattice.cell_of(brick.start.translation);
    let body = &bodies.bodies[0];
    let arm = grid.velocity[1].position(centre).as_dvec3() - body.centre;
    let expected = body.unforced().along(1, arm);
    assert!((f64::from(grid.velocity[1].get(centre)) - expected).abs() < 1e-6);
}

#[test]
fn a_body_does_not_do_what_it_is_not_free_to_do() {
    let mut brick = brick(1.0);
    let free = brick.free.as_mut().expect("it is free");
    free.locked = [[false, true, true], [true, true, false]];
    let (bodies, lattice) = immersed(&brick);
    let body = &bodies.bodies[0];
    let motion = bodies
        .source(body, &grid(lattice, rough), |_| DENSITY as f32)
        .motion;
    let locked = body.free.locked.as_flattened();
    for (value, &locked) in motion.to_array().into_iter().zip(locked) {
        assert_eq!(value == 0.0, locked, "{motion:?}");
    }
}
