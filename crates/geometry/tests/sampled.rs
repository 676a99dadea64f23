//! Sampled distances of meshes against the exact ones.

mod support;

use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_geometry::{Aabb, MeshDistance, Shape, ShellSide, TriangleMesh, generate};
use proptest::prelude::*;
use support::{meshes::merged, random::Random};

const HALF_DIAGONAL: f32 = 0.866_026;

fn sampled(mesh: &TriangleMesh, cell_size: f32, band: f32) -> MeshDistance {
    MeshDistance::new(mesh)
        .unwrap()
        .baked(cell_size, band)
        .unwrap()
}

fn points(seed: u64, count: usize, bounds: Aabb) -> Vec<Vec3> {
    let mut random = Random(seed);
    (0..count).map(|_| random.point(bounds)).collect()
}

/// A mesh with edges, concave parts and a hole through it.
fn torus_and_box() -> TriangleMesh {
    merged(&[
        generate::torus(Vec3::ZERO, 1.0, 0.3, 48, 24),
        generate::cuboid(Vec3::new(0.0, 0.9, 0.0), Vec3::new(1.2, 0.2, 0.3)),
    ])
}

#[test]
fn errors_stay_within_the_bounds() {
    let (cell_size, band) = (0.05, 0.2);
    let mesh = sampled(&torus_and_box(), cell_size, band);
    assert!((mesh.tolerance() - HALF_DIAGONAL * cell_size).abs() < 1e-6);
    assert_eq!(mesh.band(), band);
    let (mut sum, mut count) = (0.0, 0);
    for point in points(1, 20_000, mesh.bounds().dilated(1.5)) {
        let (exact, found) = (mesh.distance(point), mesh.sampled(point));
        if exact.abs() <= band {
            let error = (exact - found).abs();
            assert!(
                error <= mesh.tolerance(),
                "{found} instead of {exact} at {point}"
            );
            sum += error;
            count += 1;
        } else {
            // A lower bound, of the right sign and not below the band (but for rounding within it).
            assert_eq!(
                exact < 0.0,
                found < 0.0,
                "{found} instead of {exact} at {point}"
            );
            assert!(found.abs() <= exact.abs() + mesh.tolerance() + 1e-6);
            assert!(found.abs() >= band - mesh.tolerance());
        }
    }
    let mean = sum / count as f32;
    assert!(
        count > 1000 && mean < 0.03 * cell_size,
        "mean error {mean} of {count}"
    );
}

#[test]
fn far_away_the_true_distance_is_never_exceeded() {
    let mesh = sampled(&generate::icosphere(Vec3::ZERO, 1.0, 4), 0.02, 0.05);
    let mut compared = 0;
    for point in points(2, 20_000, mesh.bounds().dilated(1.0)) {
        let (exact, found) = (mesh.distance(point), mesh.sampled(point));
        // Beyond the band and the diagonal of a tile no tile has samples of its own.
        if exact.abs() > 0.05 + 8.0 * 2.0 * HALF_DIAGONAL * 0.02 {
            compared += 1;
            assert!(
                found.abs() <= exact.abs() + 1e-6,
                "{found} exceeds {exact} at {point}"
            );
            // And it is worth something: beyond the grid it is the distance of the mesh's box.
            assert!(
                found.abs() >= 0.4 * exact.abs(),
                "{found} of {exact} at {point}"
            );
        }
    }
    assert!(compared > 5000);
}

#[test]
fn errors_fall_with_the_square_of_the_cell_size() {
    // Fine enough to be a smooth sphere at these cell sizes.
    let exact = MeshDistance::new(&generate::icosphere(Vec3::ZERO, 1.0, 6)).unwrap();
    let places = points(3, 3000, exact.bounds().dilated(0.1));
    let errors = [0.2_f32, 0.1, 0.05].map(|cell_size| {
        let mesh = exact.baked(cell_size, 0.2).unwrap();
        let near = places
            .iter()
            .filter(|place| (place.length() - 1.0).abs() < 0.15);
        near.map(|&place| (mesh.sampled(place) - mesh.distance(place)).abs())
            .fold(0.0, f32::max)
    });
    for pair in errors.windows(2) {
        assert!((3.0..5.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn gradients_point_away_from_the_surface() {
    let mesh = sampled(&generate::icosphere(Vec3::ZERO, 1.0, 5), 0.04, 0.15);
    for point in points(4, 3000, mesh.bounds().dilated(2.0)) {
        let gradient = mesh.sampled_gradient(point);
        assert!(gradient.is_normalized());
        let cosine = gradient.dot(point.normalize());
        if (point.length() - 1.0).abs() < 0.15 {
            assert!(cosine > 0.998, "{cosine} at {point}");
        } else if point.length() > 0.4 {
            assert!(cosine > 0.5, "{cosine} at {point}");
        }
    }
}

#[test]
fn neighbouring_tiles_agree() {
    let mesh = sampled(&torus_and_box(), 0.04, 0.1);
    let mut random = Random(5);
    for _ in 0..20_000 {
        let point = random.point(mesh.bounds().dilated(0.05));
        if mesh.sampled(point).abs() < 0.1 {
            let step = 1e-5 * random.direction();
            let jump = (mesh.sampled(point + step) - mesh.sampled(point)).abs();
            // Interpolation may be steeper than the distance itself, but has no jumps.
            assert!(jump < 3e-5, "jump of {jump} at {point}");
        }
    }
}

#[test]
fn sparse_samples_take_little_memory() {
    let mesh = generate::icosphere(Vec3::ZERO, 1.0, 4);
    // Half the cell size in a band of as many cells: 4 times as much for a surface, 8 times for a dense grid.
    let [coarse, fine] =
        [0.04, 0.02].map(|cell_size| sampled(&mesh, cell_size, 2.0 * cell_size).sample_bytes());
    assert!(fine < 5 * coarse, "{fine} bytes after {coarse}");
    let dense = 4.0 * (2.0_f64 / 0.02).powi(3);
    assert!((fine as f64) < 0.9 * dense, "{fine} bytes");
    assert_eq!(MeshDistance::new(&mesh).unwrap().sample_bytes(), 0);
}

#[test]
fn impossible_samples_are_refused_by_name() {
    let mesh = MeshDistance::new(&generate::icosphere(Vec3::ZERO, 1.0, 2)).unwrap();
    let cases = [
        (0.0, 0.1, "cell_size is 0, but must be finite and above 0 m"),
        (
            f32::NAN,
            0.1,
            "cell_size is NaN, but must be finite and above 0 m",
        ),
        (0.1, -0.1, "band is -0.1, but must be finite and above 0 m"),
        (
            1e-5,
            1e-3,
            "sampling every 0.00001 m needs about 262799638 MiB, more than 512 MiB; \
             use a cell size of at least 0.001522 m",
        ),
    ];
    for (cell_size, band, message) in cases {
        let error = mesh.baked(cell_size, band).expect_err(message).to_string();
        assert!(error.starts_with(message), "{error}");
    }
    // Not only the number of tiles counts, but the samples in them too.
    let error = mesh
        .baked(0.001, 0.01)
        .expect_err("samples beyond 512 MiB")
        .to_string();
    assert!(
        error.starts_with("sampling every 0.001 m needs about "),
        "{error}"
    );
    assert!(
        error.contains("more than 512 MiB; use a cell size of at least 0.00"),
        "{error}"
    );
}

#[test]
fn shapes_use_the_samples() {
    let exact = Arc::new(MeshDistance::new(&generate::icosphere(Vec3::ZERO, 1.0, 4)).unwrap());
    let baked = Arc::new(exact.baked(0.05, 0.2).unwrap());
    let (exact_shape, shape) = (
        Shape::mesh(Arc::clone(&exact)),
        Shape::mesh(Arc::clone(&baked)),
    );
    let point = Vec3::new(0.61, 0.53, 0.44);
    assert_eq!(shape.distance(point), baked.sampled(point));
    assert_eq!(exact_shape.distance(point), exact.distance(point));
    assert_ne!(shape.distance(point), exact_shape.distance(point));
    assert_eq!(shape.bounds(), exact.bounds());
    assert_eq!(exact_shape.tolerance(), 0.0);
    let large = shape
        .clone()
        .transformed(Vec3::X, Quat::IDENTITY, 3.0)
        .unwrap();
    assert!((large.tolerance() - 3.0 * baked.tolerance()).abs() < 1e-6);
    assert_eq!(
        Shape::union(vec![exact_shape, shape.clone()])
            .unwrap()
            .tolerance(),
        baked.tolerance()
    );

    // A wall within the band is as good as exact, one beyond it is refused.
    let shell = shape.clone().shell(0.15, ShellSide::Inside).unwrap();
    for radius in [0.2, 0.84, 0.86, 0.98, 1.01] {
        let expected = (radius - 1.0_f32).max(0.85 - radius).min(0.5);
        let found = shell.distance(radius * point.normalize()).min(0.5);
        assert!(
            (found - expected).abs() < 0.02 || radius < 0.5,
            "{found} at {radius}"
        );
        assert_eq!(found < 0.0, expected < 0.0);
    }
    let error = large
        .shell(0.7, ShellSide::Inside)
        .expect_err("0.7 exceeds 3 · 0.2")
        .to_string();
    assert!(
        error.starts_with("shell: thickness is 0.7, but must be at most 0.6")
            && error.ends_with("as far as the mesh is sampled; sample it in a wider band"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever triangles there are: refused by name, or a finite distance within the size of the mesh.
    #[test]
    fn random_soups_never_panic(
        coordinates in prop::collection::vec(-4_i8..5, 54..60),
        indices in prop::collection::vec(0_u32..18, 3..120),
    ) {
        let positions: Vec<Vec3> = coordinates.as_chunks::<3>().0.iter()
            .map(|corner| Vec3::from_array(corner.map(f32::from)))
            .collect();
        let triangles = indices.as_chunks::<3>().0.to_vec();
        let mesh = TriangleMesh { positions, triangles, ..TriangleMesh::default() };
        match MeshDistance::new(&mesh) {
            Ok(mesh) => {
                let baked = mesh.baked(0.5, 0.5).unwrap();
                for point in points(6, 20, mesh.bounds().dilated(1.0)) {
                    prop_assert!(mesh.distance(point).abs() < 20.0);
                    prop_assert!(baked.sampled(point).abs() < 20.0);
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    /// A closed solid with triangles removed, turned and repeated at random.
    #[test]
    fn damaged_spheres_never_panic(changes in prop::collection::vec((0_usize..300, 0_u8..4), 0..60)) {
        let mut mesh = generate::icosphere(Vec3::ZERO, 1.0, 2);
        for (place, kind) in changes {
            let place = place % mesh.triangles.len();
            match kind {
                0 => { mesh.triangles.swap_remove(place); }
                1 => mesh.triangles[place].swap(0, 1),
                2 => { let again = mesh.triangles[place]; mesh.triangles.push(again); }
                _ => mesh.triangles[place][0] = mesh.triangles[place / 2][1],
            }
        }
        if let Ok(mesh) = MeshDistance::new(&mesh) {
            prop_assert!(mesh.distance(Vec3::new(0.0, 0.0, 3.0)) > 1.9);
        }
    }
}
