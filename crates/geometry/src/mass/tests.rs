use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3, Quat, Vec3};

use super::subdivide;
use crate::{MassProperties, MeshDistance, Pose, Shape, ShellSide, generate};

/// The largest difference between two sets of properties, relative to volume, size and the largest moment.
fn difference(one: &MassProperties, other: &MassProperties) -> f64 {
    let size = other.volume.cbrt();
    let columns = (0..3).map(|axis| {
        let way = one.inertia.col(axis) - other.inertia.col(axis);
        way.abs().max_element()
    });
    let largest = (0..3).map(|axis| other.inertia.col(axis)[axis].abs());
    let inertia = columns.fold(0.0, f64::max) / largest.fold(0.0, f64::max);
    let volume = (one.volume / other.volume - 1.0).abs();
    volume
        .max((one.centre - other.centre).length() / size)
        .max(inertia)
}

fn turned(shape: Shape) -> Shape {
    let rotation = Quat::from_axis_angle(Vec3::new(0.48, 0.6, 0.64), 1.1);
    let placed = shape.transformed(Vec3::new(0.7, -1.3, 2.1), rotation, 1.7);
    placed.expect("a fair placement")
}

fn primitives() -> Vec<(&'static str, Shape)> {
    let (a, b) = (Vec3::new(0.2, 0.1, -0.3), Vec3::new(0.5, 0.9, 0.1));
    let fair = "a fair shape";
    vec![
        (
            "box",
            Shape::cuboid(a, Vec3::new(0.3, 0.5, 0.2)).expect(fair),
        ),
        ("sphere", Shape::sphere(b, 0.4).expect(fair)),
        (
            "ellipsoid",
            Shape::ellipsoid(a, Vec3::new(0.3, 0.5, 0.2)).expect(fair),
        ),
        ("capsule", Shape::capsule(a, b, 0.2).expect(fair)),
        ("cylinder", Shape::cylinder(a, b, 0.3).expect(fair)),
        ("stump", Shape::cone(a, b, 0.4, 0.1).expect(fair)),
        ("cone", Shape::cone(a, b, 0.0, 0.5).expect(fair)),
        ("torus", Shape::torus(a, b, 0.5, 0.2).expect(fair)),
    ]
}

#[test]
fn closed_forms_are_what_subdivision_finds() {
    for (name, shape) in primitives() {
        let shapes = [shape.clone(), turned(shape)];
        for shape in shapes {
            let exact = shape.mass_properties().expect("it encloses something");
            let found = subdivide(&shape)
                .properties()
                .expect("it encloses something");
            let difference = difference(&found, &exact);
            assert!(difference < 1e-3, "{name}: {difference:e}");
        }
    }
}

#[test]
fn a_box_off_the_origin_that_is_turned_and_scaled_weighs_as_by_hand() {
    let half = Vec3::new(0.3, 0.5, 0.2);
    let shape = turned(Shape::cuboid(Vec3::new(0.2, 0.1, -0.3), half).expect("a fair box"));
    let found = shape.mass_properties().expect("it encloses something");
    let volume = 8.0 * 0.03 * 1.7f64.powi(3);
    let square = (half.as_dvec3() * 1.7).powf(2.0) / 3.0;
    let moments = volume
        * DVec3::new(
            square.y + square.z,
            square.x + square.z,
            square.x + square.y,
        );
    let turn = Quat::from_axis_angle(Vec3::new(0.48, 0.6, 0.64), 1.1).as_dquat();
    let turn = DMat3::from_quat(turn.normalize());
    let expected = MassProperties {
        volume,
        centre: DVec3::new(0.7, -1.3, 2.1) + turn * (1.7 * DVec3::new(0.2, 0.1, -0.3)),
        inertia: turn * DMat3::from_diagonal(moments) * turn.transpose(),
    };
    assert!(
        difference(&found, &expected) < 1e-6,
        "{found:?} {expected:?}"
    );
}

#[test]
fn meshes_weigh_what_they_enclose() {
    let (centre, half) = (Vec3::new(20.0, -3.0, 7.0), Vec3::new(0.3, 0.5, 0.2));
    let mesh = MeshDistance::new(&generate::cuboid(centre, half)).expect("a closed mesh");
    let found = Shape::mesh(Arc::new(mesh)).mass_properties();
    let exact = Shape::cuboid(centre, half)
        .expect("a fair box")
        .mass_properties();
    let difference = difference(&found.expect("a volume"), &exact.expect("a volume"));
    assert!(difference < 1e-5, "{difference:e}");
}

#[test]
fn what_is_put_together_weighs_the_sum_of_its_parts() {
    let fair = "a fair shape";
    // A cup: a cylinder without a narrower one.
    let outer = Shape::cylinder(Vec3::ZERO, Vec3::Y, 0.5).expect(fair);
    let inner = Shape::cylinder(Vec3::Y * 0.1, Vec3::Y * 1.5, 0.4).expect(fair);
    let cup = Shape::difference(outer, vec![inner]).expect(fair);
    let cup = cup.mass_properties().expect("a volume");
    let [whole, hollow] = [0.25 * PI, 0.16 * PI * 0.9];
    let volume = whole - hollow;
    assert!((cup.volume / volume - 1.0).abs() < 1e-3, "{cup:?}");
    let height = (whole * 0.5 - hollow * 0.55) / volume;
    assert!((cup.centre - DVec3::Y * height).length() < 1e-3, "{cup:?}");
    let about_axis = 0.5 * (whole * 0.25 - hollow * 0.16);
    let found = cup.inertia.col(1).y;
    assert!(
        (found / about_axis - 1.0).abs() < 1e-3,
        "{found} {about_axis}"
    );
    // A thin shell of a ball.
    let ball = Shape::sphere(Vec3::ZERO, 0.5).expect(fair);
    let shell = ball.shell(0.02, ShellSide::Inside).expect(fair);
    let shell = shell.mass_properties().expect("a volume");
    let [outer, inner] = [0.5f64, 0.48].map(|radius| 4.0 / 3.0 * PI * radius.powi(3));
    let share = shell.volume / (outer - inner) - 1.0;
    assert!(share.abs() < 1e-3, "{share:e}");
    let inertia = 0.4 * (outer * 0.25 - inner * 0.48 * 0.48);
    let share = shell.inertia.col(0).x / inertia - 1.0;
    assert!(share.abs() < 1e-3, "{share:e}");
}

#[test]
fn sections_are_slabs_of_the_plane_that_cuts_them() {
    let ball = Shape::sphere(Vec3::new(0.1, 0.0, 0.0), 0.5).expect("a fair ball");
    let pose = Pose {
        translation: Vec3::new(1.0, 2.0, 0.3),
        rotation: Quat::from_rotation_z(0.5),
        scale: 1.0,
    };
    let found = ball
        .section_properties(&pose, 0.6, 0.02)
        .expect("it is cut");
    let square = 0.25 - 0.09;
    let volume = PI * square * 0.02;
    assert!((found.volume / volume - 1.0).abs() < 1e-4, "{found:?}");
    let centre = DVec3::new(0.1, 0.0, 0.3);
    assert!((found.centre - centre).length() < 1e-4, "{found:?}");
    let moment = 0.5 * volume * square;
    assert!(
        (found.inertia.col(2).z / moment - 1.0).abs() < 1e-4,
        "{found:?}"
    );
    assert_eq!(ball.section_properties(&pose, 1.0, 0.02), None);
}

#[test]
fn what_has_no_end_has_no_mass() {
    let ground = Shape::half_space(Vec3::ZERO, Vec3::Y).expect("a fair half space");
    assert_eq!(ground.mass_properties(), None);
    let apart = [Vec3::ZERO, Vec3::X].map(|at| Shape::sphere(at, 0.2).expect("a fair ball"));
    let nothing = Shape::intersection(apart.to_vec()).expect("a fair list");
    assert_eq!(nothing.mass_properties(), None);
}
