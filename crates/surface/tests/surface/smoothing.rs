//! Smoothing takes unevenness away and keeps volume; normals are those of the shape.

use glam::Vec3;
use ooze_field::Place;
use ooze_surface::{
    Extraction, LevelSetSettings, level_set_surface, marching_cubes, set_level_set_normals,
    set_vertex_normals, smooth,
};

use crate::common::{assert_closed, level_set, on_threads, random_vector, torus, uniform};

#[test]
fn smoothing_keeps_the_volume_of_every_piece_and_removes_noise() {
    let centres = [Vec3::new(-0.2, 0.0, 0.0), Vec3::new(0.33, 0.1, 0.1)];
    let radii = [0.22, 0.1];
    let field = level_set(40, false, Place::Cell, |point| {
        let first = point.distance(centres[0]) - radii[0];
        first.min(point.distance(centres[1]) - radii[1])
    });
    let clean = marching_cubes(&field, 0.0);
    let mut mesh = clean.clone();
    for (key, position) in mesh.positions.iter_mut().enumerate() {
        *position += 0.006 * random_vector(1, key as u64);
    }
    let roughness = |mesh: &ooze_geometry::TriangleMesh| {
        let off = mesh.positions.iter().map(|point| {
            let near = usize::from(point.x > 0.12);
            (point.distance(centres[near]) - radii[near]).powi(2)
        });
        (off.sum::<f32>() / mesh.positions.len() as f32).sqrt()
    };
    let piece_volume = |mesh: &ooze_geometry::TriangleMesh, right: bool| {
        let triangles = mesh
            .triangles
            .iter()
            .filter(|corners| (mesh.positions[corners[0] as usize].x > 0.12) == right);
        let parts = triangles.map(|corners| {
            let [a, b, c] = corners.map(|vertex| mesh.positions[vertex as usize].as_dvec3());
            a.dot(b.cross(c)) / 6.0
        });
        parts.sum::<f64>()
    };
    let before = (
        roughness(&mesh),
        [false, true].map(|right| piece_volume(&mesh, right)),
    );
    let report = smooth(&mut mesh, 10);
    assert_closed(&mesh, "smoothed");
    assert!(report.volume_change().abs() < 1e-5, "{report:?}");
    assert!((mesh.volume() - report.volume_after).abs() < 1e-12);
    assert!(
        report.largest_move > 0.0 && report.largest_move < 0.03,
        "{report:?}"
    );
    for (right, volume) in [false, true].into_iter().zip(before.1) {
        let change = piece_volume(&mesh, right) / volume - 1.0;
        assert!(change.abs() < 1e-4, "{change}");
    }
    let after = roughness(&mesh);
    assert!(after < 0.4 * before.0, "{} {after}", before.0);
}

#[test]
fn smoothing_leaves_smooth_shapes_and_no_steps_leave_all() {
    let field = level_set(48, false, Place::Cell, torus(0.3, 0.12));
    let original = marching_cubes(&field, 0.0);
    let mut mesh = original.clone();
    let report = smooth(&mut mesh, 0);
    assert_eq!(mesh, original);
    assert_eq!(report.volume_change(), 0.0);
    let report = smooth(&mut mesh, 20);
    assert!(report.volume_change().abs() < 1e-5);
    let shape = torus(0.3, 0.12);
    for &position in &mesh.positions {
        assert!(shape(position).abs() < 0.1 / 48.0, "{}", shape(position));
    }
    let mut nothing = ooze_geometry::TriangleMesh::default();
    assert_eq!(smooth(&mut nothing, 10).volume_change(), 0.0);
}

#[test]
fn smoothing_is_the_same_on_any_number_of_threads() {
    let field = level_set(32, false, Place::Cell, |point| {
        let key = (point * 1000.0)
            .as_ivec3()
            .dot(glam::IVec3::new(1, 71, 1733)) as u64;
        point.length() - 0.3 + 0.03 * uniform(1, key)
    });
    let original = marching_cubes(&field, 0.0);
    let [one, two, five] = on_threads(|| {
        let mut mesh = original.clone();
        smooth(&mut mesh, 12);
        set_vertex_normals(&mut mesh);
        mesh
    });
    assert_eq!(one, two);
    assert_eq!(one, five);
}

#[test]
fn normals_are_those_of_the_shape() {
    let errors = [16, 32, 64].map(|cells| {
        let field = level_set(cells, false, Place::Cell, |point| point.length() - 0.3);
        let mut mesh = marching_cubes(&field, 0.0);
        let worst = |mesh: &ooze_geometry::TriangleMesh| {
            let pairs = mesh.positions.iter().zip(&mesh.normals);
            pairs
                .map(|(position, normal)| position.normalize().distance(*normal))
                .fold(0.0, f32::max)
        };
        set_vertex_normals(&mut mesh);
        assert!(mesh.normals.iter().all(|normal| normal.is_normalized()));
        let from_triangles = worst(&mesh);
        set_level_set_normals(&mut mesh, &field);
        assert!(mesh.normals.iter().all(|normal| normal.is_normalized()));
        [from_triangles, worst(&mesh)]
    });
    // Triangles do not know the curvature between them: first order. The gradient is of second order.
    assert!(errors[2][0] < 0.05 && errors[2][1] < 2e-3, "{errors:?}");
    assert!((errors[0][1] / errors[2][1]).log2() > 3.0, "{errors:?}");
}

#[test]
fn a_level_set_surface_reports_what_smoothing_did() {
    let field = level_set(24, false, Place::Cell, |point| point.length() - 0.3);
    for extraction in [Extraction::Cubes, Extraction::TetrahedraTwentyFour] {
        for smoothing_steps in [0, 8] {
            let settings = LevelSetSettings {
                extraction,
                smoothing_steps,
            };
            let surface = level_set_surface(&field, &settings, &[]);
            assert_closed(&surface.mesh, "level set");
            assert_eq!(surface.mesh.normals.len(), surface.mesh.positions.len());
            assert!(surface.report.volume_change().abs() < 1e-4);
            assert!((surface.report.volume - surface.mesh.volume()).abs() < 1e-9);
            // Triangles alone cut half a percent off the ball.
            let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.3_f64.powi(3);
            assert!((surface.report.volume / ball - 1.0).abs() < 2e-3);
            let hardly = surface.report.smoothing.largest_move < 0.05 / 24.0;
            assert_eq!(hardly, smoothing_steps == 0);
        }
    }
    let flat = level_set(24, true, Place::Cell, |point| {
        point.truncate().length() - 0.3
    });
    let settings = LevelSetSettings {
        smoothing_steps: 5,
        ..LevelSetSettings::default()
    };
    let slab = level_set_surface(&flat, &settings, &[]);
    assert!(slab.mesh.normals.is_empty());
    assert_eq!(slab.mesh, marching_cubes(&flat, 0.0));
}
