//! Markers splatted onto a finer grid.

use glam::{IVec3, Vec3};
use ooze_field::Lattice;
use ooze_surface::{SurfaceError, marching_cubes, splat_markers};

use crate::common::{assert_closed, euler_number, fill, pieces};

/// A lattice around the origin with cells of two metres: eight (four) markers a metre apart in each.
fn lattice(flat: bool) -> Lattice {
    let origin = Vec3::new(-20.0, -20.0, if flat { -1.0 } else { -20.0 });
    Lattice::new(origin, 2.0, IVec3::splat(20), flat)
}

#[test]
fn markers_of_a_ball_enclose_their_volume_without_gaps() {
    let mut markers = fill(IVec3::splat(12), 0.6, |point| point.length() < 11.0);
    let field = splat_markers(&lattice(false), &markers, 8.0).expect("sound markers");
    assert_eq!(field.topology().lattice().cell_size, 1.0);
    let mesh = marching_cubes(&field, 0.0);
    assert_closed(&mesh, "markers");
    assert_eq!(euler_number(&mesh), 2);
    let change = mesh.volume() / markers.len() as f64 - 1.0;
    assert!(change.abs() < 0.03, "{change}");
    // A lone marker is seen; one beyond the margin is not.
    markers.push(Vec3::new(16.2, 15.1, 0.3));
    markers.push(Vec3::new(100.0, 0.0, 0.0));
    let field = splat_markers(&lattice(false), &markers, 8.0).expect("sound markers");
    assert_eq!(pieces(&marching_cubes(&field, 0.0)).len(), 2);
}

#[test]
fn flat_markers_give_a_slab() {
    let markers: Vec<Vec3> = fill(IVec3::new(12, 12, 1), 0.4, |point| {
        point.z > 0.0 && point.truncate().length() < 11.0
    });
    let field = splat_markers(&lattice(true), &markers, 4.0).expect("sound markers");
    let mesh = marching_cubes(&field, 0.0);
    assert_closed(&mesh, "flat markers");
    assert_eq!(euler_number(&mesh), 2);
    let change = mesh.volume() / markers.len() as f64 - 1.0;
    assert!(change.abs() < 0.03, "{change}");
}

#[test]
fn bad_markers_are_named() {
    let error = splat_markers(&lattice(false), &[Vec3::ZERO, Vec3::NAN], 8.0);
    assert!(matches!(
        error,
        Err(SurfaceError::PositionNotFinite { index: 1, .. })
    ));
    let error = splat_markers(&lattice(false), &[], 0.0).expect_err("no density");
    assert!(error.to_string().starts_with("markers_per_cell is 0"));
    let empty = splat_markers(&lattice(false), &[], 8.0).expect("no markers");
    assert!(marching_cubes(&empty, 0.0).triangles.is_empty());
}
