//! Normals and curvature of balls and discs.

mod common;

use common::{circle, level_set, sphere};
use glam::{IVec3, Vec3};
use ooze_field::level_set::{curvature, curvatures, normal};
use ooze_field::{Field, Place};

const CENTRE: Vec3 = Vec3::new(0.011, -0.017, 0.007);
const RADIUS: f32 = 0.3;

/// Points on the surface of the ball or disc.
fn surface_points(flat: bool) -> impl Iterator<Item = (Vec3, Vec3)> {
    (0..500).map(move |i| {
        let height = if flat {
            0.0
        } else {
            (i as f32 + 0.5) / 250.0 - 1.0
        };
        let angle = i as f32 * 2.399_963;
        let across = (1.0 - height * height).sqrt();
        let direction = Vec3::new(across * angle.cos(), across * angle.sin(), height);
        (CENTRE + RADIUS * direction, direction)
    })
}

#[test]
fn normals_are_of_second_order() {
    for flat in [false, true] {
        let errors = [16, 32, 64].map(|cells| {
            let phi = if flat {
                level_set(cells, flat, Place::Cell, circle(CENTRE, RADIUS))
            } else {
                level_set(cells, flat, Place::Cell, sphere(CENTRE, RADIUS))
            };
            let off =
                surface_points(flat).map(|(point, exact)| normal(&phi, point).distance(exact));
            off.fold(0.0_f32, f32::max)
        });
        assert!(errors[2] < 2e-3, "{errors:?}");
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1]).log2() > 1.7, "{errors:?}");
        }
    }
}

#[test]
fn curvature_is_of_second_order() {
    for flat in [false, true] {
        let bends = if flat { 1.0 } else { 2.0 };
        let errors = [16, 32, 64].map(|cells| {
            // Not a distance: curvature does not depend on the level set's scale.
            let phi = if flat {
                let shape = circle(CENTRE, RADIUS);
                level_set(cells, flat, Place::Cell, move |point| 2.0 * shape(point))
            } else {
                let shape = sphere(CENTRE, RADIUS);
                level_set(cells, flat, Place::Cell, move |point| 2.0 * shape(point))
            };
            let band = 3.0 / cells as f32;
            let field = curvatures(&phi, band);
            let topology = phi.topology();
            let mut worst = 0.0_f32;
            for (index, &value) in field.values().iter().enumerate() {
                let cell =
                    topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
                if phi.get(cell).abs() < band {
                    assert_eq!(value, curvature(&phi, cell));
                    let mut arm = phi.position(cell) - CENTRE;
                    if flat {
                        arm.z = 0.0;
                    }
                    worst = worst.max((value * arm.length() / bends - 1.0).abs());
                } else {
                    assert_eq!(value, 0.0);
                }
            }
            worst
        });
        assert!(errors[2] < 0.01, "{errors:?}");
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1]).log2() > 1.7, "{errors:?}");
        }
    }
}

#[test]
fn curvature_has_the_liquids_sign_and_a_limit() {
    let bubble = level_set(32, false, Place::Cell, |point| 0.2 - point.length());
    assert!(curvature(&bubble, IVec3::new(22, 16, 16)) < 0.0);
    let droplet = level_set(
        32,
        false,
        Place::Cell,
        sphere(Vec3::splat(0.5 / 32.0), 0.3 / 32.0),
    );
    let size = droplet.topology().lattice().cell_size;
    for step in [IVec3::X, IVec3::Y, IVec3::new(1, 1, 0)] {
        let value = curvature(&droplet, IVec3::splat(16) + step);
        assert!(value > 0.0 && value <= 2.0 / size);
    }
    let constant = Field::from_points(droplet.topology(), Place::Cell, 1.0, |_| 1.0);
    assert_eq!(curvature(&constant, IVec3::splat(16)), 0.0);
    assert_eq!(normal(&constant, Vec3::ZERO), Vec3::ZERO);
}
