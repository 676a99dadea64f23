//! Signed distance of meshes as people make them: whole, with holes, overlapping, inside out, or broken.

mod support;

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_geometry::{Aabb, MeshDistance, MeshWarning, Shape, TriangleMesh, generate};
use support::{meshes::*, random::Random};

fn distance_of(mesh: &TriangleMesh) -> MeshDistance {
    MeshDistance::new(mesh).unwrap_or_else(|error| panic!("{error}"))
}

fn points(seed: u64, count: usize, bounds: Aabb) -> Vec<Vec3> {
    let mut random = Random(seed);
    (0..count).map(|_| random.point(bounds)).collect()
}

#[test]
fn boxes_have_the_distance_of_the_formula() {
    let (centre, half_extents) = (Vec3::new(3.0, -1.0, 0.5), Vec3::new(0.5, 0.2, 1.0));
    let shape = Shape::cuboid(centre, half_extents).unwrap();
    let mesh = distance_of(&generate::cuboid(centre, half_extents));
    assert!(mesh.warnings().is_empty(), "{:?}", mesh.warnings());
    assert_eq!(mesh.bounds(), shape.bounds());
    for point in points(1, 4000, shape.bounds().dilated(1.0)) {
        let (exact, found) = (shape.distance(point), mesh.distance(point));
        assert!(
            (exact - found).abs() < 2e-6,
            "{found} instead of {exact} at {point}"
        );
        let surface = mesh.closest_point(point);
        assert!((surface.distance(point) - exact.abs()).abs() < 2e-6);
        assert!(shape.distance(surface).abs() < 2e-6);
        if exact.abs() > 1e-3 {
            let along = shape.distance(point + 1e-3 * mesh.gradient(point)) - exact;
            assert!(
                along > 0.9e-3,
                "gradient {} at {point}",
                mesh.gradient(point)
            );
        }
    }
}

#[test]
fn soups_of_separate_triangles_are_joined() {
    let torus = generate::torus(Vec3::ZERO, 1.0, 0.3, 24, 12);
    let (joined, soup) = (distance_of(&torus), distance_of(&exploded(&torus)));
    assert!(soup.warnings().is_empty(), "{:?}", soup.warnings());
    for point in points(2, 500, joined.bounds().dilated(0.3)) {
        assert_eq!(joined.distance(point), soup.distance(point));
    }
}

#[test]
fn small_holes_are_closed() {
    let whole = generate::icosphere(Vec3::ZERO, 1.0, 3);
    let mut holed = whole.clone();
    // Two single triangles, and the six around one vertex.
    holed.triangles.remove(700);
    holed.triangles.remove(40);
    let vertex = holed.triangles[300][0];
    holed
        .triangles
        .retain(|triangle| !triangle.contains(&vertex));
    let rim = whole.positions[vertex as usize];
    let (whole, holed) = (distance_of(&whole), distance_of(&holed));
    match holed.warnings() {
        [
            MeshWarning::Holes {
                count: 3,
                largest,
                near,
                share,
            },
        ] => {
            assert!(
                (0.2..0.4).contains(largest) && near.distance(rim) < 0.05,
                "{largest} {near}"
            );
            assert!((0.4..0.8).contains(share), "{share}");
        }
        other => panic!("{other:?}"),
    }
    for point in points(3, 4000, whole.bounds().dilated(0.5)) {
        let (exact, found) = (whole.distance(point), holed.distance(point));
        // The larger hole is closed by a plane instead of a cap 0.012 m high.
        let error = if point.normalize().distance(rim) < 0.4 {
            0.013
        } else {
            0.0
        };
        assert!(
            (exact - found).abs() <= error,
            "{found} instead of {exact} at {point}"
        );
    }
}

#[test]
fn distance_is_1_lipschitz_across_holes_and_overlaps() {
    let mut holed = generate::icosphere(Vec3::ZERO, 1.0, 3);
    let vertex = holed.triangles[300][0];
    holed
        .triangles
        .retain(|triangle| !triangle.contains(&vertex));
    let overlapping = merged(&[
        generate::icosphere(Vec3::ZERO, 1.0, 3),
        generate::cuboid(Vec3::new(0.8, 0.0, 0.0), Vec3::splat(0.5)),
    ]);
    let mut random = Random(4);
    for mesh in [distance_of(&holed), distance_of(&overlapping)] {
        for point in points(5, 4000, mesh.bounds().dilated(0.2)) {
            let step = 0.3 * random.unit().powi(2) * random.direction();
            let change = (mesh.distance(point + step) - mesh.distance(point)).abs();
            assert!(
                change <= step.length() + 1e-6,
                "{change} over {} at {point}",
                step.length()
            );
        }
    }
}

#[test]
fn overlapping_pieces_make_a_union() {
    let (first, second) = (Vec3::ZERO, Vec3::new(0.9, 0.2, 0.0));
    let spheres = [first, second].map(|centre| generate::icosphere(centre, 1.0, 4));
    let parts = spheres.clone().map(|sphere| distance_of(&sphere));
    let both = distance_of(&merged(&spheres));
    assert!(
        matches!(both.warnings(), [MeshWarning::Inner { .. }]),
        "{:?}",
        both.warnings()
    );
    for point in points(6, 3000, both.bounds().dilated(0.3)) {
        let [a, b] = [&parts[0], &parts[1]].map(|part| part.distance(point));
        let found = both.distance(point);
        assert_eq!(found < 0.0, a.min(b) < 0.0, "at {point}");
        if found > 0.0 {
            assert!((found - a.min(b)).abs() < 1e-6);
        } else {
            // Deeper than either alone, as the surfaces inside do not count (but for a rim as wide as the cuts).
            assert!(
                found <= a.min(b) + 0.02,
                "{found} but {a} and {b} at {point}"
            );
        }
    }
    assert!((both.winding_number(0.5 * (first + second)) - 2.0).abs() < 0.1);
    // On the first sphere, deep inside the second: not at a surface.
    assert!(both.distance(Vec3::new(0.97, 0.2, 0.0)) < -0.5);
}

#[test]
fn stacked_boxes_are_one_solid() {
    // They share a square, cut along different diagonals, which is no surface.
    let mut upper = reversed(&generate::cuboid(Vec3::Y, Vec3::splat(0.5)));
    upper
        .positions
        .iter_mut()
        .for_each(|position| position.x = -position.x);
    let mesh = distance_of(&merged(&[
        generate::cuboid(Vec3::ZERO, Vec3::splat(0.5)),
        upper,
    ]));
    let shape = Shape::cuboid(Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.5, 1.0, 0.5)).unwrap();
    for point in points(7, 2000, shape.bounds().dilated(0.3)) {
        let (exact, found) = (shape.distance(point), mesh.distance(point));
        assert!(
            (exact - found).abs() < 1e-5,
            "{found} instead of {exact} at {point}"
        );
    }
}

#[test]
fn repeated_triangles_and_t_junctions_are_mended() {
    let cube = generate::cuboid(Vec3::ZERO, Vec3::ONE);
    let mut odd = merged(&[cube.clone(), cube.clone()]);
    let [a, b, _] = odd.triangles[5].map(|vertex| odd.positions[vertex as usize]);
    let middle = odd.positions.len() as u32;
    odd.positions.push(0.5 * (a + b));
    // Both copies of one triangle are split at the middle of a side, its neighbour there is not.
    for copy in [17, 5] {
        let [a, b, c] = odd.triangles.remove(copy);
        odd.triangles.extend([[a, middle, c], [middle, b, c]]);
    }
    odd.triangles.push([0, 0, 1]);
    let mesh = distance_of(&odd);
    assert_eq!(
        mesh.warnings(),
        [
            MeshWarning::Degenerate { count: 1 },
            MeshWarning::Repeated { count: 13 },
            MeshWarning::Seams { count: 1 },
            MeshWarning::Inner { count: 1 },
        ]
    );
    let shape = Shape::cuboid(Vec3::ZERO, Vec3::ONE).unwrap();
    for point in points(8, 1000, shape.bounds().dilated(0.5)) {
        assert!((shape.distance(point) - mesh.distance(point)).abs() < 2e-6);
    }
}

#[test]
fn inside_out_meshes_and_pieces_are_turned() {
    let cube = generate::cuboid(Vec3::ZERO, Vec3::ONE);
    let other = generate::icosphere(Vec3::new(4.0, 0.0, 0.0), 1.0, 2);
    for (pieces, turned) in [
        (vec![reversed(&cube)], 1),
        (vec![reversed(&cube), reversed(&other)], 2),
        (vec![cube.clone(), reversed(&other)], 1),
        (vec![reversed(&cube), other.clone()], 1),
    ] {
        let mesh = distance_of(&merged(&pieces));
        let of = pieces.len();
        assert_eq!(
            mesh.warnings(),
            [MeshWarning::InsideOut { pieces: turned, of }]
        );
        assert!(mesh.distance(Vec3::ZERO) < -0.9 && mesh.distance(Vec3::splat(2.0)) > 0.9);
        assert_eq!(mesh.distance(Vec3::new(4.0, 0.0, 0.0)) < 0.0, of == 2);
    }
}

#[test]
fn a_mesh_is_drawn_as_given_unless_it_had_to_be_put_right() {
    let mut cube = exploded(&generate::cuboid(Vec3::ZERO, Vec3::ONE));
    cube.normals = cube.positions.clone();
    assert_eq!(distance_of(&cube).mesh(), &cube);
    let turned = distance_of(&reversed(&cube));
    assert!((turned.mesh().volume() - 8.0).abs() < 1e-6);

    let shape = |mesh: &TriangleMesh| Shape::mesh(Arc::new(distance_of(mesh)));
    let turn = Quat::from_rotation_z(0.5 * PI);
    let moved = shape(&cube).transformed(Vec3::X, turn, 2.0).unwrap();
    let moved = moved.given_mesh().unwrap();
    for (index, &point) in cube.positions.iter().enumerate() {
        let expected = Vec3::X + 2.0 * Vec3::new(-point.y, point.x, point.z);
        assert!(moved.positions[index].abs_diff_eq(expected, 1e-6));
        let normal = Vec3::new(-point.y, point.x, point.z);
        assert!(moved.normals[index].abs_diff_eq(normal, 1e-6));
    }
    // A union has no mesh that was given.
    let union = Shape::union(vec![shape(&cube), shape(&cube)]).unwrap();
    assert!(union.given_mesh().is_none());
}

#[test]
fn cavities_stay_cavities() {
    let outer = generate::icosphere(Vec3::ZERO, 1.0, 3);
    let cavity = reversed(&generate::icosphere(Vec3::ZERO, 0.8, 3));
    let hollow = merged(&[outer.clone(), cavity]);
    // Outside in as a whole it means the same.
    for (mesh, warnings) in [(hollow.clone(), 0), (reversed(&hollow), 1)] {
        let mesh = distance_of(&mesh);
        assert_eq!(mesh.warnings().len(), warnings, "{:?}", mesh.warnings());
        assert!((mesh.distance(Vec3::ZERO) - 0.79).abs() < 0.01);
        assert!((mesh.distance(Vec3::new(0.9, 0.0, 0.0)) + 0.1).abs() < 0.02);
        assert!(mesh.distance(Vec3::new(1.1, 0.0, 0.0)) > 0.09);
    }
    // A solid inside of a solid is not a cavity.
    let inner = generate::icosphere(Vec3::ZERO, 0.5, 3);
    assert!(distance_of(&merged(&[outer, inner])).distance(Vec3::ZERO) < -0.9);
}

#[test]
fn thin_walls_are_resolved() {
    // A box of 1 m with walls of 0.2 mm.
    let thickness = 2e-4_f32;
    let outer = generate::cuboid(Vec3::ZERO, Vec3::splat(0.5));
    let inner = reversed(&generate::cuboid(Vec3::ZERO, Vec3::splat(0.5 - thickness)));
    let mesh = distance_of(&merged(&[outer, inner]));
    let mut random = Random(9);
    for _ in 0..500 {
        let [y, z] = [0.9 * (random.unit() - 0.5), 0.9 * (random.unit() - 0.5)];
        for (depth, expected) in [
            (-0.5, 0.5),
            (0.25, -0.25),
            (0.5, -0.5),
            (0.9, -0.1),
            (1.5, 0.5),
            (3.0, 2.0),
        ] {
            let point = Vec3::new(0.5 - depth * thickness, y, z);
            let distance = mesh.distance(point) / thickness;
            assert!(
                (distance - expected).abs() < 2e-3,
                "{distance} instead of {expected}"
            );
        }
    }
}

#[test]
fn a_few_triangles_that_face_wrongly_are_turned() {
    let sphere = generate::icosphere(Vec3::ZERO, 1.0, 2);
    let mut wrong = sphere.clone();
    for index in [0, 100, 101, 250] {
        wrong.triangles[index].swap(0, 1);
    }
    let mesh = distance_of(&wrong);
    assert_eq!(mesh.warnings(), [MeshWarning::Turned { count: 4 }]);
    let right = distance_of(&sphere);
    for point in points(10, 500, right.bounds()) {
        assert!((mesh.distance(point) - right.distance(point)).abs() < 1e-6);
    }
}

#[test]
fn broken_meshes_are_refused_by_name() {
    let cube = || generate::cuboid(Vec3::ZERO, Vec3::splat(0.5));
    let sphere = || generate::icosphere(Vec3::ZERO, 1.0, 3);
    let with = |mut mesh: TriangleMesh, change: &dyn Fn(&mut TriangleMesh)| {
        change(&mut mesh);
        mesh
    };
    let square = TriangleMesh {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Z, Vec3::Z],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..TriangleMesh::default()
    };
    let cases: Vec<(TriangleMesh, &str)> = vec![
        (TriangleMesh::default(), "there are no triangles"),
        (
            with(cube(), &|mesh| mesh.triangles[3][1] = 8),
            "face 3 refers to vertex 8, but there are only 8 vertices",
        ),
        (
            with(cube(), &|mesh| mesh.positions[5].y = f32::NAN),
            "vertex 5 is at [0.5, NaN, 0.5], which is not a place: coordinates must be finite",
        ),
        (
            with(cube(), &|mesh| mesh.positions[2].x = f32::INFINITY),
            "vertex 2 is at [inf, 0.5, -0.5], which is not a place: coordinates must be finite",
        ),
        (
            with(cube(), &|mesh| mesh.positions[7].z = 3e7),
            "vertex 7 is at [0.5, 0.5, 30000000], further than 1000000 m from the origin; are the units right? \
             Coordinates are in metres",
        ),
        (
            with(cube(), &|mesh| mesh.positions.fill(Vec3::ONE)),
            "all 12 triangles are degenerate: their corners coincide or lie on a line",
        ),
        (
            with(cube(), &|mesh| {
                mesh.positions
                    .iter_mut()
                    .for_each(|place| *place *= Vec3::X)
            }),
            "all 12 triangles are degenerate: their corners coincide or lie on a line",
        ),
        (
            square.clone(),
            "a flat sheet: its 1 m² enclose no volume; give it a thickness of at least a grid cell",
        ),
        (
            merged(&[square.clone(), reversed(&square)]),
            "a flat sheet: its 1 m² enclose no volume; give it a thickness of at least a grid cell",
        ),
        (
            with(cube(), &|mesh| {
                mesh.positions.iter_mut().for_each(|place| place.y = 0.0)
            }),
            "a flat sheet: its 2 m² enclose no volume; give it a thickness of at least a grid cell",
        ),
        (
            with(cube(), &|mesh| mesh.triangles.truncate(10)),
            "open by 4 boundary edges of 17; holes: 1, the largest 1 m across near [0, 0, 0.5] (up to 0.5196 m can be mended), \
             together 16.7 % of the surface (up to 10 % can be mended); close it or thicken it",
        ),
        (
            with(sphere(), &|mesh| {
                let above = |triangle: &[u32; 3]| {
                    triangle
                        .iter()
                        .any(|&vertex| mesh.positions[vertex as usize].y > 0.0)
                };
                mesh.triangles = mesh
                    .triangles
                    .iter()
                    .filter(|corners| !above(corners))
                    .copied()
                    .collect();
            }),
            "open by 48 boundary edges of 960; holes: 1, the largest 2 m across near [0, -0.02723, 0]",
        ),
        (
            // Many small holes instead of a large one.
            with(sphere(), &|mesh| {
                let mut index = 0;
                mesh.triangles.retain(|_| {
                    index += 1;
                    index % 6 != 0
                });
            }),
            "open by 639 boundary edges of 1920; holes: 207, the largest 0.3836 m across",
        ),
        (
            with(sphere(), &|mesh| {
                mesh.triangles
                    .iter_mut()
                    .step_by(4)
                    .for_each(|triangle| triangle.swap(0, 1));
            }),
            "inconsistently oriented: 320 of 1280 triangles (25 %) face the other way than their neighbours, so that \
             inside and outside cancel; recalculate the normals",
        ),
        (
            // Triangles that do not touch.
            with(exploded(&sphere()), &|mesh| {
                for index in 0..mesh.positions.len() {
                    let triangle = index / 3 * 3;
                    let centre: Vec3 = mesh.positions[triangle..triangle + 3].iter().sum();
                    if index % 3 == 2 {
                        mesh.positions[triangle..=index]
                            .iter_mut()
                            .for_each(|place| *place += centre);
                    }
                }
            }),
            "a flat sheet: its ",
        ),
    ];
    for (mesh, message) in cases {
        let error = MeshDistance::new(&mesh).expect_err(message).to_string();
        assert!(
            error.starts_with(message),
            "expected: {message}\n   found: {error}"
        );
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let mesh = merged(&[
        generate::torus(Vec3::ZERO, 1.0, 0.35, 120, 40),
        generate::icosphere(Vec3::X, 0.6, 3),
    ]);
    let places = points(11, 300, mesh.bounds().dilated(0.3));
    let results: Vec<Vec<u32>> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mesh = distance_of(&mesh).baked(0.15, 0.2).unwrap();
                places
                    .iter()
                    .flat_map(|&place| [mesh.distance(place), mesh.sampled(place)])
                    .map(f32::to_bits)
                    .collect()
            })
        })
        .collect();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}
