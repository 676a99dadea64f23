//! Distances of shapes against surfaces found without them, and the promises every shape makes.

mod support;

use std::f32::consts::{FRAC_PI_3, TAU};

use glam::{Quat, Vec3};
use ooze_geometry::{Aabb, Shape, ShellSide};
use support::random::Random;

/// A shape, a test for being inside that shares no code with its distance, and a point that sees its whole surface.
struct Specimen {
    name: &'static str,
    shape: Shape,
    inside: Box<dyn Fn(Vec3) -> bool>,
    seen_from: Vec3,
}

fn specimens() -> Vec<Specimen> {
    let centre = Vec3::new(0.3, -0.2, 0.1);
    let specimen =
        |name, shape: Result<Shape, _>, inside: Box<dyn Fn(Vec3) -> bool>, seen_from| Specimen {
            name,
            shape: shape.unwrap_or_else(|error: ooze_geometry::ShapeError| panic!("{error}")),
            inside,
            seen_from,
        };
    let half = Vec3::new(0.5, 0.3, 0.8);
    let axes = Vec3::new(0.9, 0.25, 0.5);
    let (a, b) = (Vec3::new(-0.4, 0.1, 0.2), Vec3::new(0.5, 0.7, -0.3));
    // Height along the axis and distance from it, for solids around the segment from a to b.
    let profile = move |point: Vec3| {
        let axis = (b - a).normalize();
        let height = (point - a).dot(axis);
        (
            height,
            (point - a - height * axis).length(),
            (b - a).length(),
        )
    };
    vec![
        specimen(
            "box",
            Shape::cuboid(centre, half),
            Box::new(move |point| (point - centre).abs().cmplt(half).all()),
            centre,
        ),
        specimen(
            "rounded box",
            Shape::rounded_cuboid(centre, half, 0.2),
            Box::new(move |point| {
                let core = half - 0.2;
                let offset = point - centre;
                offset.distance(offset.clamp(-core, core)) < 0.2
            }),
            centre,
        ),
        specimen(
            "sphere",
            Shape::sphere(centre, 0.6),
            Box::new(move |point| point.distance(centre) < 0.6),
            centre,
        ),
        specimen(
            "ellipsoid",
            Shape::ellipsoid(centre, axes),
            Box::new(move |point| ((point - centre) / axes).length() < 1.0),
            centre,
        ),
        specimen(
            "capsule",
            Shape::capsule(a, b, 0.35),
            Box::new(move |point| {
                let (height, radius, length) = profile(point);
                let beyond = height - height.clamp(0.0, length);
                radius.hypot(beyond) < 0.35
            }),
            0.5 * (a + b),
        ),
        specimen(
            "cylinder",
            Shape::cylinder(a, b, 0.35),
            Box::new(move |point| {
                let (height, radius, length) = profile(point);
                radius < 0.35 && height > 0.0 && height < length
            }),
            0.5 * (a + b),
        ),
        specimen(
            "cone",
            Shape::cone(a, b, 0.2, 0.7),
            Box::new(move |point| {
                let (height, radius, length) = profile(point);
                radius < 0.2 + 0.5 * height / length && height > 0.0 && height < length
            }),
            0.5 * (a + b),
        ),
        specimen(
            "pointed cone",
            Shape::cone(a, b, 0.6, 0.0),
            Box::new(move |point| {
                let (height, radius, length) = profile(point);
                radius < 0.6 * (1.0 - height / length) && height > 0.0
            }),
            a + 0.2 * (b - a),
        ),
    ]
}

/// Points of the surface on rays from `seen_from` in evenly spread directions (a Fibonacci spiral).
fn surface_points(specimen: &Specimen, count: usize) -> Vec<Vec3> {
    let golden_angle = TAU * (1.0 - 1.0 / 1.618_034);
    (0..count)
        .map(|index| {
            let height = 1.0 - 2.0 * (index as f32 + 0.5) / count as f32;
            let (sine, cosine) = (index as f32 * golden_angle).sin_cos();
            let radius = (1.0 - height * height).sqrt();
            let ray = Vec3::new(radius * cosine, height, radius * sine);
            let (mut near, mut far) = (0.0_f32, 4.0_f32);
            for _ in 0..40 {
                let middle = 0.5 * (near + far);
                if (specimen.inside)(specimen.seen_from + middle * ray) {
                    near = middle;
                } else {
                    far = middle;
                }
            }
            specimen.seen_from + near * ray
        })
        .collect()
}

#[test]
fn primitives_are_as_far_as_their_nearest_surface_point() {
    let mut random = Random(1);
    for specimen in specimens() {
        let surface = surface_points(&specimen, 40_000);
        let around = specimen.shape.bounds().dilated(0.5);
        for _ in 0..150 {
            let point = random.point(around);
            let distance = specimen.shape.distance(point);
            let brute_force = surface
                .iter()
                .map(|other| other.distance(point))
                .fold(f32::INFINITY, f32::min);
            let name = specimen.name;
            assert_eq!(
                distance < 0.0,
                (specimen.inside)(point),
                "{name} at {point}"
            );
            assert!(
                distance.abs() < brute_force + 1e-5,
                "{name} at {point}: {distance}"
            );
            // Samples are about 0.01 m apart.
            let excess = brute_force - distance.abs();
            assert!(
                excess < 0.02,
                "{name} at {point}: {distance} against {brute_force}"
            );
        }
        let on_surface = surface
            .iter()
            .map(|&point| specimen.shape.distance(point).abs())
            .fold(0.0, f32::max);
        assert!(on_surface < 2e-6, "{}: {on_surface}", specimen.name);
    }
}

#[test]
fn torus_and_half_space_have_closed_forms() -> Result<(), ooze_geometry::ShapeError> {
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 1.1);
    let centre = Vec3::new(0.1, 0.2, 0.3);
    let torus = Shape::torus(centre, turn * (3.0 * Vec3::Z), 1.0, 0.3)?;
    let plane = Shape::half_space(centre, turn * (0.2 * Vec3::Y))?;
    for step in 0..32 {
        let angle = step as f32 * 0.7;
        let ring = Vec3::new(angle.cos(), angle.sin(), 0.0);
        for offset in [0.0, 0.1, 0.3, 0.9] {
            let around = angle * 1.9;
            let point = ring + offset * (around.cos() * ring + around.sin() * Vec3::Z);
            let distance = torus.distance(centre + turn * point);
            assert!((distance - (offset - 0.3)).abs() < 1e-6);
        }
        let height = plane.distance(centre + turn * Vec3::new(angle, offset_of(angle), -2.0));
        assert!((height - offset_of(angle)).abs() < 2e-5);
    }
    assert!(plane.contains(centre - turn * Vec3::Y));
    Ok(())
}

fn offset_of(angle: f32) -> f32 {
    0.3 * angle - 2.0
}

/// Combinations of the primitives, nested.
fn combinations() -> Vec<(&'static str, Shape)> {
    let parts: Vec<Shape> = specimens()
        .into_iter()
        .map(|specimen| specimen.shape)
        .collect();
    let [cuboid, ball, ellipsoid, cylinder] = [0, 2, 3, 5].map(|index: usize| parts[index].clone());
    let other = Shape::sphere(Vec3::new(0.7, 0.1, 0.3), 0.4).unwrap();
    let smooth = Shape::smooth_union(parts.clone(), 0.15).unwrap();
    let turn = Quat::from_rotation_y(0.8) * Quat::from_rotation_x(FRAC_PI_3);
    let moved = cuboid
        .clone()
        .transformed(Vec3::new(0.5, 0.2, -0.1), turn, 0.7)
        .unwrap();
    let union = Shape::union(vec![moved.clone(), other.clone()]).unwrap();
    vec![
        ("union", Shape::union(parts).unwrap()),
        (
            "intersection",
            Shape::intersection(vec![cuboid.clone(), ball]).unwrap(),
        ),
        (
            "difference",
            Shape::difference(cuboid, vec![other, cylinder]).unwrap(),
        ),
        ("smooth union", smooth.clone()),
        ("transformed", moved.clone()),
        (
            "transformed smooth union",
            smooth.transformed(Vec3::X, turn, 1.7).unwrap(),
        ),
        ("shell", ellipsoid.shell(0.1, ShellSide::Inside).unwrap()),
        (
            "centred shell",
            moved.shell(0.05, ShellSide::Centred).unwrap(),
        ),
        (
            "shell of a union",
            union.shell(0.05, ShellSide::Inside).unwrap(),
        ),
    ]
}

#[test]
fn every_shape_keeps_its_promises() {
    let mut random = Random(2);
    let primitives = specimens()
        .into_iter()
        .map(|specimen| (specimen.name, specimen.shape));
    for (name, shape) in primitives.chain(combinations()) {
        let bounds = shape.bounds();
        let around = bounds.dilated(0.3);
        let mut inside = 0;
        for _ in 0..4000 {
            let point = random.point(around);
            let distance = shape.distance(point);

            // 1-Lipschitz over short and long steps.
            let step = random.direction() * random.unit().powi(3);
            let change = (shape.distance(point + step) - distance).abs();
            assert!(
                change <= step.length() + 2e-6,
                "{name} at {point} by {step}: {change}"
            );

            // The box contains every inside point.
            assert_eq!(shape.contains(point), distance < 0.0);
            if distance < 0.0 {
                inside += 1;
                assert!(
                    bounds.contains(point),
                    "{name} at {point} outside of {bounds:?}"
                );
            }

            // The gradient is a unit vector, and the slope of the distance along it where that is smooth.
            let gradient = shape.gradient(point);
            assert!(gradient.is_normalized(), "{name} at {point}: {gradient}");
            let reach = 2e-3;
            let slopes = Vec3::AXES.map(|axis| {
                let ahead = shape.distance(point + reach * axis);
                let behind = shape.distance(point - reach * axis);
                [(ahead - distance) / reach, (distance - behind) / reach]
            });
            let smooth = slopes
                .iter()
                .all(|[ahead, behind]| (ahead - behind).abs() < 0.05);
            if smooth {
                let numeric =
                    Vec3::from_array(slopes.map(|[ahead, behind]| 0.5 * (ahead + behind)));
                let cosine = numeric.normalize().dot(gradient);
                assert!(
                    cosine > 0.99,
                    "{name} at {point}: {gradient} against {numeric}"
                );
            }
        }
        assert!(
            inside > 50,
            "{name}: only {inside} of the points were inside"
        );
    }
}

#[test]
fn combinations_contain_what_their_parts_say() {
    let mut random = Random(3);
    let centre = Vec3::new(0.2, 0.1, 0.0);
    let ball = Shape::sphere(centre, 0.5).unwrap();
    let cuboid = Shape::cuboid(Vec3::ZERO, Vec3::splat(0.4)).unwrap();
    let union = Shape::union(vec![ball.clone(), cuboid.clone()]).unwrap();
    let intersection = Shape::intersection(vec![ball.clone(), cuboid.clone()]).unwrap();
    let difference = Shape::difference(ball.clone(), vec![cuboid.clone()]).unwrap();
    let smooth = Shape::smooth_union(vec![ball.clone(), cuboid.clone()], 0.1).unwrap();
    let shell = ball.clone().shell(0.05, ShellSide::Inside).unwrap();
    let centred = ball.clone().shell(0.05, ShellSide::Centred).unwrap();
    let turn = Quat::from_rotation_z(0.4);
    let moved = cuboid.clone().transformed(Vec3::Y, turn, 2.0).unwrap();
    for _ in 0..5000 {
        let point = random.point(Aabb::new(Vec3::splat(-2.0), Vec3::splat(2.0)));
        let (in_ball, in_cuboid) = (ball.contains(point), cuboid.contains(point));
        assert_eq!(union.contains(point), in_ball || in_cuboid);
        assert_eq!(intersection.contains(point), in_ball && in_cuboid);
        assert_eq!(difference.contains(point), in_ball && !in_cuboid);
        assert!(smooth.contains(point) || !union.contains(point));
        let from_centre = point.distance(centre);
        assert_eq!(
            shell.contains(point),
            from_centre > 0.45 && from_centre < 0.5
        );
        assert_eq!(
            centred.contains(point),
            from_centre > 0.475 && from_centre < 0.525
        );
        let local = turn.inverse() * (point - Vec3::Y) / 2.0;
        assert_eq!(moved.contains(point), cuboid.contains(local));
        assert!((moved.distance(point) - 2.0 * cuboid.distance(local)).abs() < 1e-5);
    }
}

#[test]
fn bounds_of_unbounded_shapes_are_open() -> Result<(), ooze_geometry::ShapeError> {
    let tilted = Shape::half_space(Vec3::ZERO, Vec3::ONE)?;
    assert_eq!(tilted.bounds(), Aabb::EVERYTHING);
    let floor = Shape::half_space(Vec3::new(0.0, 0.5, 0.0), 2.0 * Vec3::Y)?;
    assert_eq!(
        floor.bounds().upper,
        Vec3::new(f32::INFINITY, 0.5, f32::INFINITY)
    );
    assert_eq!(floor.bounds().lower, Vec3::NEG_INFINITY);
    let raised = floor.clone().transformed(Vec3::Y, Quat::IDENTITY, 2.0)?;
    assert_eq!(raised.bounds().upper.y, 2.0);
    let turned = floor
        .clone()
        .transformed(Vec3::Y, Quat::from_rotation_x(0.1), 2.0)?;
    assert_eq!(turned.bounds(), Aabb::EVERYTHING);
    let bowl = Shape::intersection(vec![Shape::sphere(Vec3::ZERO, 1.0)?, floor.clone()])?;
    assert_eq!(
        bowl.bounds(),
        Aabb::new(-Vec3::ONE, Vec3::new(1.0, 0.5, 1.0))
    );
    let apart = Shape::intersection(vec![Shape::sphere(4.0 * Vec3::Y, 1.0)?, floor.clone()])?;
    assert!(apart.bounds().is_empty());
    // An unbounded shape is deep enough for any shell.
    assert!(floor.shell(100.0, ShellSide::Inside).is_ok());
    Ok(())
}

#[test]
fn impossible_parameters_are_named() {
    let zero = Vec3::ZERO;
    let ball = || Shape::sphere(zero, 0.5).unwrap();
    let not_finite = Vec3::new(0.0, f32::NAN, 0.0);
    let cases = [
        (
            Shape::cuboid(zero, Vec3::new(1.0, 0.0, 1.0)),
            "box: half_extents is [1, 0, 1], but must be finite and above 0 along every axis",
        ),
        (
            Shape::cuboid(not_finite, Vec3::ONE),
            "box: centre is [0, NaN, 0], but must be finite",
        ),
        (
            Shape::rounded_cuboid(zero, Vec3::new(1.0, 0.5, 2.0), 0.6),
            "rounded box: radius is 0.6, but must be at most the smallest half extent, 0.5 m",
        ),
        (
            Shape::rounded_cuboid(zero, Vec3::ONE, 0.0),
            "rounded box: radius is 0, but must be finite and above 0",
        ),
        (
            Shape::sphere(zero, -1.0),
            "sphere: radius is -1, but must be finite and above 0",
        ),
        (
            Shape::sphere(zero, f32::INFINITY),
            "sphere: radius is inf, but must be finite and above 0",
        ),
        (
            Shape::ellipsoid(zero, Vec3::new(1.0, 1.0, f32::NAN)),
            "ellipsoid: semi_axes is [1, 1, NaN], but must be finite and above 0 along every axis",
        ),
        (
            Shape::capsule(Vec3::X, Vec3::X, 1.0),
            "capsule: b is [1, 0, 0], but must be different from a",
        ),
        (
            Shape::cylinder(zero, Vec3::X, f32::NAN),
            "cylinder: radius is NaN, but must be finite and above 0",
        ),
        (
            Shape::cone(zero, Vec3::X, 0.5, -0.1),
            "cone: radius_b is -0.1, but must be finite and at least 0 m",
        ),
        (
            Shape::cone(zero, Vec3::X, 0.0, 0.0),
            "cone: radius_a is 0, but must be above 0 m where radius_b is 0 m",
        ),
        (
            Shape::torus(zero, Vec3::Y, 0.5, 0.5),
            "torus: minor_radius is 0.5, but must be below major_radius, 0.5 m",
        ),
        (
            Shape::torus(zero, zero, 0.5, 0.1),
            "torus: axis is [0, 0, 0], but must be finite and not zero",
        ),
        (
            Shape::half_space(zero, zero),
            "half space: normal is [0, 0, 0], but must be finite and not zero",
        ),
        (
            Shape::union(vec![]),
            "union: shapes is an empty list, but must be at least one shape",
        ),
        (
            Shape::intersection(vec![]),
            "intersection: shapes is an empty list, but must be at least one shape",
        ),
        (
            Shape::difference(ball(), vec![]),
            "difference: removed is an empty list, but must be at least one shape",
        ),
        (
            Shape::smooth_union(vec![ball()], 0.0),
            "smooth union: radius is 0, but must be finite and above 0",
        ),
        (
            ball().transformed(zero, Quat::IDENTITY, 0.0),
            "transformed shape: scale is 0, but must be finite and above 0",
        ),
        (
            ball().transformed(zero, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 1.0),
            "transformed shape: rotation is [0, 0, 0, 0], but must be finite and not all zero",
        ),
        (
            ball().shell(0.5, ShellSide::Inside),
            "shell: thickness is 0.5, but must be below 0.5 m, or the shape is left without a cavity",
        ),
        (
            ball().shell(1.2, ShellSide::Centred),
            "shell: thickness is 1.2, but must be below 1 m, or the shape is left without a cavity",
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.expect_err(message).to_string(), message);
    }
}

#[test]
fn shells_need_room_for_a_cavity() {
    // The bar is 0.2 m thick: a wall of 0.09 m leaves a cavity, one of 0.11 m does not.
    let bar = Shape::cuboid(Vec3::ZERO, Vec3::new(1.0, 0.1, 0.1)).unwrap();
    assert!(bar.clone().shell(0.09, ShellSide::Inside).is_ok());
    assert!(bar.clone().shell(0.11, ShellSide::Inside).is_err());
    assert!(bar.clone().shell(0.19, ShellSide::Centred).is_ok());
    // What is deep enough may sit in a corner of the whole.
    let dumbbell = Shape::union(vec![bar, Shape::sphere(Vec3::X, 0.3).unwrap()]).unwrap();
    let shell = dumbbell.shell(0.28, ShellSide::Inside).unwrap();
    assert!(!shell.contains(Vec3::X) && shell.contains(Vec3::ZERO));
}

#[test]
fn shapes_are_free_to_share_and_cheap_to_clone() {
    fn shareable<T: Clone + std::fmt::Debug + Send + Sync>(value: T) -> T {
        value
    }
    let shape = shareable(Shape::sphere(Vec3::ZERO, 1.0).unwrap());
    assert_eq!(size_of_val(&shape), size_of::<usize>());
}

#[test]
fn copies_at_other_places_are_told_from_other_shapes() {
    let shift = Vec3::new(0.3, -1.7, 0.25);
    let ring = |at: Vec3, minor| Shape::torus(at, Vec3::new(0.6, 0.8, 0.0), 0.2, minor).unwrap();
    let stone = |at: Vec3, radius| Shape::sphere(at, radius).unwrap();
    let rod = |at: Vec3, tip| Shape::cone(at, at + Vec3::new(0.1, 0.2, 0.3), 0.05, tip).unwrap();
    let bored = |at: Vec3, hole: Vec3| {
        Shape::difference(stone(at, 0.3), vec![rod(at, 0.01), stone(at + hole, 0.1)]).unwrap()
    };
    let turned = |at: Vec3, angle| {
        let rotation = Quat::from_rotation_z(angle);
        ring(Vec3::ZERO, 0.05)
            .transformed(at, rotation, 2.0)
            .unwrap()
    };
    let hole = Vec3::X * 0.2;
    let pairs = [
        (ring(Vec3::ZERO, 0.05), ring(shift, 0.05), ring(shift, 0.06)),
        (
            stone(Vec3::ONE, 0.1),
            stone(Vec3::ONE + shift, 0.1),
            rod(shift, 0.1),
        ),
        (
            bored(Vec3::ZERO, hole),
            bored(shift, hole),
            bored(shift, -hole),
        ),
        (
            turned(Vec3::Y, 0.4),
            turned(Vec3::Y + shift, 0.4),
            turned(Vec3::Y + shift, 0.5),
        ),
    ];
    for (one, copy, other) in pairs {
        let found = one.shift_to(&copy).expect("a copy");
        assert!(found.abs_diff_eq(shift, 1e-5), "{found}");
        assert_eq!(one.shift_to(&other), None);
        let point = Vec3::new(0.11, 0.07, -0.2);
        assert!((one.distance(point) - copy.distance(point + found)).abs() < 1e-5);
    }
}
