//! Reinitialised level sets against the distances they should be.

mod common;

use common::{level_set, sphere, torus};
use glam::Vec3;
use ooze_field::{Field, Place, level_set::reinitialise};

const CENTRE: Vec3 = Vec3::new(0.011, -0.017, 0.007);

/// Spoils a distance without moving its surface: slopes between about 0.4 and 2.2, changing from place to place.
fn distorted(shape: impl Fn(Vec3) -> f32) -> impl Fn(Vec3) -> f32 {
    move |point| {
        let wave = 0.45 * (9.0 * point.x + 4.0 * point.z).sin() + 0.45 * (7.0 * point.y).cos();
        shape(point) * (1.3 + wave)
    }
}

/// Largest and mean error, in cells, over the samples nearer than `reach` cells to the surface.
fn errors(phi: &Field<f32>, reach: f32, shape: impl Fn(Vec3) -> f32) -> (f32, f32) {
    let topology = phi.topology();
    let size = topology.lattice().cell_size;
    let (mut largest, mut sum, mut count) = (0.0_f32, 0.0, 0.0);
    for slot in 0..topology.tile_count() {
        for (local, &value) in phi.tile(slot).iter().enumerate() {
            let expected = shape(phi.position(topology.cell(slot, local)));
            if expected.abs() < reach * size {
                let error = (value - expected).abs() / size;
                largest = largest.max(error);
                sum += error;
                count += 1.0;
            }
        }
    }
    (largest, sum / count)
}

#[test]
fn spheres_and_tori_become_distances_to_second_order() {
    let mut table = Vec::new();
    for cells in [32, 64, 128] {
        let shape = sphere(CENTRE, 0.3);
        let mut phi = level_set(cells, false, Place::Cell, distorted(shape));
        reinitialise(&mut phi, 4.0 / cells as f32);
        let ball = errors(&phi, 3.0, shape);
        let shape = torus(CENTRE, 0.28, 0.13);
        let mut phi = level_set(cells, false, Place::Cell, distorted(shape));
        reinitialise(&mut phi, 4.0 / cells as f32);
        let ring = errors(&phi, 3.0, shape);
        table.push([ball.0, ball.1, ring.0, ring.1]);
    }
    let bounds = [0.035, 0.006, 0.12, 0.015];
    for (measured, bound) in table[0].iter().zip(bounds) {
        assert!(measured < &bound, "{table:?}");
    }
    // Errors are in cells: those of a distance of second order halve when the cells do.
    for column in 0..4 {
        let ratio = table[0][column] / table[2][column];
        assert!(ratio > 3.9, "column {column}: {table:?}");
    }
}
