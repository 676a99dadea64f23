//! Strands and sheets one or two particles thick hold together and keep their length and breadth.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use ooze_field::Place;
use ooze_geometry::TriangleMesh;
use ooze_surface::{ParticleSurface, SurfaceSettings, marching_cubes, smooth};

use crate::common::{assert_closed, euler_number, level_set, pieces, random_vector};

fn surface(positions: &[Vec3]) -> TriangleMesh {
    let particles = ParticleSurface::new(positions, 1.0);
    let surface = particles.build().expect("sound particles");
    assert_closed(&surface.mesh, "thin");
    let change = surface.report.volume_change();
    assert!(change.abs() < 0.02, "{:?}", surface.report);
    surface.mesh
}

/// Extent of a mesh along a direction.
fn extent(mesh: &TriangleMesh, direction: Vec3) -> f32 {
    let along = || mesh.positions.iter().map(|point| point.dot(direction));
    along().fold(f32::NEG_INFINITY, f32::max) - along().fold(f32::INFINITY, f32::min)
}

/// Directions along the lattice's lines and across them.
fn directions() -> [Vec3; 4] {
    [
        Vec3::X,
        Vec3::new(1.0, 1.0, 0.0).normalize(),
        Vec3::ONE.normalize(),
        Vec3::new(0.83, -0.31, 0.46).normalize(),
    ]
}

#[test]
fn strands_hold_together() {
    let two_thick = [Vec3::ZERO, Vec3::Y, Vec3::Z, Vec3::new(0.0, 1.0, 1.0)];
    for direction in directions() {
        let turn = Quat::from_rotation_arc(Vec3::X, direction);
        for rows in [&two_thick[..1], &two_thick] {
            for stretch in [1.0, 1.4] {
                let positions: Vec<Vec3> = (0..40)
                    .flat_map(|step| rows.iter().map(move |row| (step, *row)))
                    .enumerate()
                    .map(|(key, (step, row))| {
                        let along = Vec3::new(stretch * step as f32, 0.0, 0.0);
                        turn * (along + row + 0.25 * random_vector(2, key as u64))
                    })
                    .collect();
                let mesh = surface(&positions);
                let rows = rows.len();
                let what = format!("{rows} rows along {direction}, stretched {stretch}");
                assert_eq!(pieces(&mesh).len(), 1, "{what}");
                if stretch == 1.0 {
                    assert_eq!(euler_number(&mesh), 2, "{what}");
                }
                let length = extent(&mesh, direction);
                let expected = 39.0 * stretch + 1.0;
                assert!((length - expected).abs() < 1.0, "{what}: {length}");
            }
        }
    }
}

#[test]
fn a_coil_holds_together() {
    // A rope of honey: a helix whose turns are four particles apart.
    let positions: Vec<Vec3> = (0..160)
        .map(|step| {
            let angle = TAU * step as f32 / 40.0;
            let place = Vec3::new(6.4 * angle.cos(), 6.4 * angle.sin(), 4.0 * angle / TAU);
            place + 0.2 * random_vector(3, step)
        })
        .collect();
    let mesh = surface(&positions);
    assert_eq!(pieces(&mesh).len(), 1);
    assert_eq!(euler_number(&mesh), 2);
    assert!((extent(&mesh, Vec3::Z) - 17.0).abs() < 0.7);
    assert!((extent(&mesh, Vec3::X) - 13.9).abs() < 0.7);
}

#[test]
fn sheets_have_no_holes() {
    for direction in directions() {
        let turn = Quat::from_rotation_arc(Vec3::Z, direction);
        for layers in [1, 2] {
            let positions: Vec<Vec3> = (0..16 * 16 * layers)
                .map(|key| {
                    let place = [key % 16, key / 16 % 16, key / 256].map(|step| step as f32);
                    turn * (Vec3::from(place) + 0.25 * random_vector(5, key as u64))
                })
                .collect();
            let mesh = surface(&positions);
            let what = format!("{layers} layers across {direction}");
            assert_eq!(pieces(&mesh).len(), 1, "{what}");
            assert_eq!(euler_number(&mesh), 2, "{what}");
            let breadth = extent(&mesh, turn * Vec3::X);
            assert!((breadth - 16.0).abs() < 1.0, "{what}: {breadth}");
        }
    }
}

/// Distances from the line along x through `centre` of the vertices between -0.35 and 0.35: least, mean and largest.
fn radii(mesh: &TriangleMesh, centre: Vec3) -> [f32; 3] {
    let distances: Vec<f32> = mesh
        .positions
        .iter()
        .filter(|point| point.x.abs() < 0.35)
        .map(|point| (point.y - centre.y).hypot(point.z - centre.z))
        .collect();
    [
        distances.iter().copied().fold(f32::INFINITY, f32::min),
        distances.iter().sum::<f32>() / distances.len() as f32,
        distances.iter().copied().fold(0.0, f32::max),
    ]
}

#[test]
fn smoothing_keeps_threads_thinner_than_two_cells() {
    let cell = 1.0 / 40.0;
    // Between the lattice's lines, where a thread is worst resolved.
    let centre = Vec3::new(0.0, 0.3, 0.4) * cell;
    for diameter in [1.3, 1.6, 2.0, 3.0] {
        let radius = 0.5 * diameter * cell;
        let field = level_set(40, false, Place::Node, |point| {
            point.distance(centre.with_x(point.x.clamp(-0.4, 0.4))) - radius
        });
        let original = marching_cubes(&field, 0.0);
        let before = radii(&original, centre);
        // The least and the largest radius, relative to those before, that are allowed after so many steps.
        for (steps, least, largest) in [(10, 0.6, 1.15), (30, 0.6, 1.3)] {
            let mut mesh = original.clone();
            let change = smooth(&mut mesh, steps).volume_change();
            assert!(change.abs() < 5e-3, "{diameter}: {change}");
            assert_closed(&mesh, &format!("thread of {diameter} cells"));
            assert_eq!(pieces(&mesh).len(), 1);
            let after = radii(&mesh, centre);
            let what = format!("{diameter} cells, {steps} steps: {before:?} becomes {after:?}");
            // The mean counts vertices, which smoothing spreads more evenly over the thread.
            assert!((after[1] / before[1] - 1.0).abs() < 0.15, "{what}");
            assert!(after[0] > least * before[0], "{what}");
            assert!(after[2] < largest * before[2], "{what}");
            // Its ends draw back by little more than a cell each.
            let shorter = (extent(&original, Vec3::X) - extent(&mesh, Vec3::X)) / cell;
            assert!(shorter < 3.0, "{what}, {shorter} cells shorter");
        }
    }
    assert!(SurfaceSettings::default().smoothing_steps <= 30);
}
