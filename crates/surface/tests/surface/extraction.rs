//! Marching cubes: closed for every case and for noise, second order for smooth shapes, slabs in the plane.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::{Field, Lattice, Place, Topology, TopologyBuilder};
use ooze_surface::marching_cubes;
use proptest::prelude::*;

use crate::common::{assert_closed, level_set, noise, on_threads, pieces, torus};

/// A field of four samples a side in the corner of a tile; the middle eight are inside as the bits of `case` say.
fn embedded(case: u32, shift: IVec3) -> Field<f32> {
    let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(20), false);
    let builder = TopologyBuilder::new(lattice);
    builder.mark(shift, 2);
    let topology = Arc::new(builder.build());
    Field::from_cells(&topology, Place::Cell, 1.0, |cell| {
        let step = cell - shift;
        let corner = step.dot(IVec3::new(1, 2, 4)) as u32;
        let within = step.min_element() >= 0 && step.max_element() <= 1;
        if within && case >> corner & 1 == 1 {
            -0.3 - 0.1 * corner as f32
        } else {
            0.5
        }
    })
}

#[test]
fn all_cases_close_inside_tiles_and_across_their_borders() {
    for shift in [3, 7, 15].map(IVec3::splat) {
        for case in 1..256 {
            let mesh = marching_cubes(&embedded(case, shift), 0.0);
            assert_closed(&mesh, &format!("case {case:08b} at {shift}"));
            assert!(mesh.volume() > 0.0, "case {case:08b}");
        }
    }
}

#[test]
fn inside_corners_across_a_face_hold_together_and_across_a_cube_do_not() {
    let count = |case: u32| pieces(&marching_cubes(&embedded(case, IVec3::splat(3)), 0.0)).len();
    assert_eq!(count(1 | 1 << 3), 1);
    assert_eq!(count(1 | 1 << 7), 2);
}

#[test]
fn noise_is_closed_and_so_are_its_ends() {
    for seed in 0..3 {
        let field = noise(IVec3::new(21, 18, 26), false, seed);
        for level in [-0.7, -0.2, 0.0, 0.3, 0.9] {
            assert_closed(
                &marching_cubes(&field, level),
                &format!("noise {seed} at {level}"),
            );
        }
    }
    // Tiles that touch along faces, edges and corners only, all of them full of noise to the brim; the outside value
    // would be inside.
    let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(32), false);
    let builder = TopologyBuilder::new(lattice);
    for tile in [
        [0, 0, 0],
        [1, 0, 0],
        [2, 1, 0],
        [3, 2, 1],
        [0, 1, 2],
        [0, 2, 3],
        [3, 3, 3],
    ] {
        builder.mark(8 * IVec3::from(tile) + 4, 0);
    }
    let topology = Arc::new(builder.build());
    for outside in [-1.0, 1.0, f32::NAN, f32::INFINITY] {
        let field = Field::from_cells(&topology, Place::Node, outside, |cell| {
            let key = cell.dot(IVec3::new(7, 130, 1700)) as u64;
            crate::common::uniform(11, key) - 0.7
        });
        assert_closed(
            &marching_cubes(&field, 0.0),
            &format!("ends, outside {outside}"),
        );
    }
    let full = Field::new(&topology, Place::Node, -1.0);
    let mesh = marching_cubes(&full, 0.0);
    assert_closed(&mesh, "full tiles");
    let volume = 7.0 * 0.8_f64.powi(3);
    assert!(mesh.volume() > volume && mesh.volume() < 1.5 * volume);
}

#[test]
fn values_that_are_no_numbers_or_lie_on_the_level_leave_no_hole() {
    let field = {
        let mut field = noise(IVec3::splat(12), false, 5);
        for (index, value) in field.values_mut().iter_mut().enumerate() {
            match index % 11 {
                0 => *value = 0.0,
                1 => *value = f32::NAN,
                2 => *value = f32::INFINITY,
                3 if *value < 0.0 => *value = f32::NEG_INFINITY,
                _ => {}
            }
        }
        field
    };
    assert_closed(&marching_cubes(&field, 0.0), "odd values");
    let nothing = Field::new(field.topology(), Place::Cell, f32::NAN);
    assert!(marching_cubes(&nothing, 0.0).triangles.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_blobs_are_closed(
        blobs in prop::collection::vec((-0.4f32..0.4, -0.4f32..0.4, -0.4f32..0.4, 0.02f32..0.15), 1..8),
        cells in 9i32..24,
    ) {
        let field = level_set(cells, false, Place::Cell, |point| {
            let distances = blobs.iter().map(|&(x, y, z, radius)| point.distance(Vec3::new(x, y, z)) - radius);
            distances.fold(f32::INFINITY, f32::min)
        });
        let mesh = marching_cubes(&field, 0.0);
        if !mesh.triangles.is_empty() {
            assert_closed(&mesh, "blobs");
            prop_assert!(mesh.volume() > 0.0);
        }
    }
}

#[test]
fn volume_and_area_of_a_sphere_and_a_torus_are_of_second_order() {
    let centre = Vec3::new(0.011, -0.017, 0.007);
    let (radius, large, small) = (0.31_f32, 0.3_f32, 0.12_f32);
    let sphere = |point: Vec3| point.distance(centre) - radius;
    let [r, big, thin] = [radius, large, small].map(f64::from);
    type Distance<'a> = &'a (dyn Fn(Vec3) -> f32 + Sync);
    let cases: [(Distance, f64, f64); 2] = [
        (&sphere, 4.0 / 3.0 * PI * r.powi(3), 4.0 * PI * r * r),
        (
            &torus(large, small),
            2.0 * PI * PI * big * thin * thin,
            4.0 * PI * PI * big * thin,
        ),
    ];
    for (shape, volume, area) in cases {
        let errors = [16, 32, 64].map(|cells| {
            let mesh = marching_cubes(&level_set(cells, false, Place::Cell, shape), 0.0);
            assert_closed(&mesh, "smooth shape");
            [
                (mesh.volume() / volume - 1.0).abs(),
                (mesh.area() / area - 1.0).abs(),
            ]
        });
        for kind in 0..2 {
            for pair in errors.windows(2) {
                let order = (pair[0][kind] / pair[1][kind]).log2();
                assert!(order > 1.7 && order < 2.4, "{errors:?}");
            }
            assert!(errors[2][kind] < 4e-3, "{errors:?}");
        }
    }
}

#[test]
fn triangles_face_outward_and_vertices_lie_on_the_surface() {
    let field = level_set(24, false, Place::Node, |point| point.length() - 0.3);
    let mesh = marching_cubes(&field, 0.05);
    for index in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(index);
        assert!((b - a).cross(c - a).dot(a + b + c) >= 0.0);
        assert!((a.length() - 0.35).abs() < 2e-3, "{}", a.length());
    }
}

#[test]
fn a_flat_field_gives_a_slab_as_thick_as_a_cell() {
    let radius = 0.3_f64;
    let errors = [16, 32, 64].map(|cells| {
        let field = level_set(cells, true, Place::Cell, |point| {
            point.truncate().length() - radius as f32
        });
        let mesh = marching_cubes(&field, 0.0);
        assert_closed(&mesh, "disc");
        let size = field.topology().lattice().cell_size;
        let bounds = mesh.bounds();
        assert_eq!([bounds.lower.z, bounds.upper.z], [-0.5 * size, 0.5 * size]);
        (mesh.volume() / f64::from(size) / (PI * radius * radius) - 1.0).abs()
    });
    assert!(errors[2] < 2e-3, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1]).log2() > 1.7, "{errors:?}");
    }
    for seed in 0..4 {
        let field = noise(IVec3::new(21, 13, 1), true, seed);
        assert_closed(&marching_cubes(&field, 0.1), "flat noise");
    }
}

#[test]
fn the_mesh_is_the_same_on_any_number_of_threads() {
    let field = noise(IVec3::new(40, 30, 50), false, 3);
    let [one, two, five] = on_threads(|| marching_cubes(&field, 0.1));
    assert_eq!(one, two);
    assert_eq!(one, five);
    let topology = Arc::new(Topology::full(*field.topology().lattice()));
    assert!(
        marching_cubes(&Field::new(&topology, Place::Cell, 1.0), 0.0)
            .positions
            .is_empty()
    );
}
