//! Reinitialised level sets against the distances they should be.

mod common;

use common::{circle, full, level_set, sphere, torus};
use glam::{IVec3, Vec3};
use ooze_field::level_set::{redistance_inside, reinitialise, volume};
use ooze_field::{Field, Place};

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
    let bounds = [0.04, 0.007, 0.13, 0.015];
    for (measured, bound) in table[0].iter().zip(bounds) {
        assert!(measured < &bound, "{table:?}");
    }
    // Errors are in cells: those of a distance of second order halve when the cells do.
    for column in 0..4 {
        let ratio = table[0][column] / table[2][column];
        assert!(ratio > 3.9, "column {column}: {table:?}");
    }
}

#[test]
fn circles_become_distances_in_flat_lattices() {
    let shape = circle(CENTRE, 0.3);
    for (cells, largest) in [(32, 0.03), (64, 0.015)] {
        let mut phi = level_set(cells, true, Place::Cell, distorted(shape));
        reinitialise(&mut phi, 4.0 / cells as f32);
        let measured = errors(&phi, 3.0, shape).0;
        assert!(measured < largest, "{measured}");
    }
}

#[test]
fn a_plane_is_restored_exactly() {
    for flat in [false, true] {
        let topology = full(24, flat);
        let size = topology.lattice().cell_size;
        let normal = if flat {
            Vec3::new(0.8, -0.6, 0.0)
        } else {
            Vec3::new(0.48, 0.6, -0.64)
        };
        let shape = |point: Vec3| (point - CENTRE).dot(normal);
        let mut phi = Field::from_points(&topology, Place::Node, 1.0, |point| 0.3 * shape(point));
        reinitialise(&mut phi, 4.0 * size);
        // The plane ends at the sides of the lattice: away from them only.
        let mut checked = 0;
        for (index, &value) in phi.values().iter().enumerate() {
            let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
            let expected = shape(phi.position(cell));
            let inner = (cell - 12).abs()
                * if flat {
                    IVec3::new(1, 1, 0)
                } else {
                    IVec3::ONE
                };
            if inner.max_element() < 6 && expected.abs() < 3.9 * size {
                assert!(
                    (value - expected).abs() < 1e-4 * size,
                    "{cell} {value} {expected}"
                );
                checked += 1;
            }
        }
        assert!(checked > if flat { 50 } else { 500 }, "{checked}");
    }
}

#[test]
fn samples_on_the_surface_are_the_surface() {
    for flat in [false, true] {
        let topology = full(24, flat);
        let size = topology.lattice().cell_size;
        for side in [1.0, -1.0] {
            let mut phi = Field::from_points(&topology, Place::Node, 1.0, |point| {
                // Rounding must not move the plane off the nodes.
                side * (point.x / size).round()
            });
            reinitialise(&mut phi, 4.0 * size);
            for x in 9..=15 {
                let value = phi.get(IVec3::new(x, 12, 12));
                let expected = side * (x - 12) as f32;
                assert!(
                    (value / size - expected).abs() < 1e-5,
                    "{x} {}",
                    value / size
                );
            }
        }
    }
}

/// The largest movement of the surface along the edges between samples, in cells.
fn movement(before: &Field<f32>, after: &Field<f32>) -> f32 {
    let topology = before.topology();
    let axes = topology.lattice().axes();
    let mut largest = 0.0_f32;
    for (index, &here) in before.values().iter().enumerate() {
        let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
        for next in IVec3::AXES.into_iter().take(axes).map(|axis| cell + axis) {
            let (there, new_here, new_there) = (before.get(next), after.get(cell), after.get(next));
            assert_eq!(here < 0.0, new_here < 0.0, "{cell} changed sides");
            if (here < 0.0) != (there < 0.0) {
                let moved = here / (here - there) - new_here / (new_here - new_there);
                largest = largest.max(moved.abs());
            }
        }
    }
    largest
}

#[test]
fn the_surface_stays_where_it_is() {
    let shape = torus(CENTRE, 0.28, 0.13);
    for (cells, largest) in [(32, 0.05), (64, 0.02), (128, 0.011)] {
        let before = level_set(cells, false, Place::Cell, distorted(shape));
        let mut after = before.clone();
        reinitialise(&mut after, 4.0 / cells as f32);
        let moved = movement(&before, &after);
        assert!(moved < largest, "{moved} cells of 1/{cells}");
    }
}

#[test]
fn repetition_does_not_eat_thin_things() {
    let cells = 32;
    let size = 1.0 / cells as f32;
    // A droplet and a thread less than a cell across, an inclined sheet hardly more, and balls.
    let centre = size * Vec3::new(0.3, 0.6, 0.4);
    type Shape = Box<dyn Fn(Vec3) -> f32 + Sync>;
    let shapes: [(&str, f64, Shape); 5] = [
        ("droplet", 1e-3, Box::new(sphere(centre, 0.7 * size))),
        (
            "thread",
            1e-3,
            Box::new(torus(centre, 10.0 * size, 0.8 * size)),
        ),
        (
            "sheet",
            5e-3,
            Box::new(move |point: Vec3| {
                let across = (point - centre).dot(Vec3::new(0.8, 0.0, 0.6)).abs() - 0.6 * size;
                across.max(point.length() - 9.0 * size)
            }),
        ),
        ("ball", 1e-3, Box::new(sphere(centre, 2.0 * size))),
        ("larger ball", 1e-3, Box::new(sphere(centre, 5.0 * size))),
    ];
    for (name, tolerance, shape) in shapes {
        let mut phi = level_set(cells, false, Place::Cell, shape);
        // Samples that see no surface along the axes are set the first time: corners of a droplet within one cell.
        reinitialise(&mut phi, 4.0 * size);
        let before = volume(&phi);
        for _ in 0..50 {
            reinitialise(&mut phi, 4.0 * size);
        }
        let drift = volume(&phi) / before - 1.0;
        assert!(drift.abs() < tolerance, "{name} {drift}");
    }
}

#[test]
fn far_values_are_limited() {
    let cells = 32;
    let band = 3.0 / cells as f32;
    let mut phi = level_set(cells, false, Place::Cell, distorted(sphere(CENTRE, 0.3)));
    assert!(phi.outside() > band);
    reinitialise(&mut phi, band);
    assert_eq!(phi.outside(), band);
    let far = phi.values().iter().filter(|value| value.abs() == band);
    assert!(far.count() > 1000);
    assert!(phi.values().iter().all(|value| value.abs() <= band));
}

#[test]
fn the_inside_alone_can_be_redone() {
    let cells = 64;
    let size = 1.0 / cells as f32;
    let band = 3.0 * size;
    let shape = torus(CENTRE, 0.28, 0.13);
    // Distances outside; the inside is known next to the surface only.
    let before = level_set(cells, false, Place::Cell, |point| {
        shape(point).max(-1.2 * size)
    });
    let mut after = before.clone();
    redistance_inside(&mut after, band);
    assert_eq!(after.outside(), before.outside());
    for (index, &old) in before.values().iter().enumerate() {
        let (new, topology) = (after.values()[index], before.topology());
        let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
        if old >= 0.0 {
            assert_eq!(new.to_bits(), old.to_bits());
        } else {
            let expected = shape(before.position(cell)).max(-band);
            assert!(
                (new - expected).abs() < 0.1 * size,
                "{new} {expected} {cell}"
            );
        }
    }
}
