//! Cubic sampling: order, and no values that were not there.

mod common;

use common::{blob_topology, full};
use glam::Vec3;
use ooze_field::{Field, Place, face_fields, sample_faces_cubic};
use proptest::prelude::*;

fn smooth(point: Vec3) -> f32 {
    (3.0 * point.x + 1.0).sin() * (2.0 * point.y).cos() + (1.5 * point.z - 2.0 * point.x).sin()
}

fn flat_smooth(point: Vec3) -> f32 {
    (3.0 * point.x + 1.0).sin() * (2.0 * point.y).cos()
}

fn points() -> impl Iterator<Item = Vec3> {
    (0..4000).map(|i| 0.8 * ((i as f32 * Vec3::new(0.618_034, 0.754_877, 0.569_84)).fract() - 0.5))
}

/// Mean error of linear and cubic samples.
fn errors(cells: i32, flat: bool) -> [f32; 2] {
    let function = if flat { flat_smooth } else { smooth };
    let field = Field::from_points(&full(cells, flat), Place::Face(1), 0.0, function);
    let mean = |sample: &dyn Fn(Vec3) -> f32| {
        points()
            .map(|point| (sample(point) - function(point)).abs())
            .sum::<f32>()
            / 4000.0
    };
    [
        mean(&|point| field.sample(point)),
        mean(&|point| field.sample_cubic(point)),
    ]
}

#[test]
fn smooth_functions_are_sampled_to_third_order() {
    for flat in [false, true] {
        let table = [8, 16, 32].map(|cells| errors(cells, flat));
        for pair in table.windows(2) {
            let [linear, cubic] = [0, 1].map(|kind| (pair[0][kind] / pair[1][kind]).log2());
            assert!((1.8..2.3).contains(&linear), "{table:?}");
            assert!(cubic > 2.7, "{table:?}");
        }
        assert!(table[1][1] < 0.1 * table[1][0], "{table:?}");
    }
}

#[test]
fn the_vector_has_its_components_from_the_faces() {
    let topology = full(16, false);
    let faces = face_fields(&topology, 0.0).map(|field| {
        let Place::Face(axis) = field.place() else {
            unreachable!()
        };
        Field::from_points(&topology, field.place(), 0.0, |point| {
            smooth(point + axis as f32)
        })
    });
    for point in points().take(100) {
        let sampled = sample_faces_cubic(&faces, point);
        for (axis, field) in faces.iter().enumerate() {
            assert_eq!(sampled[axis], field.sample_cubic(point));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn samples_lie_between_the_values_around(
        x in -0.6_f32..0.6, y in -0.6_f32..0.6, z in -0.6_f32..0.6, seed in 0_u32..1000, flat: bool,
    ) {
        let topology = blob_topology(seed % 4, flat);
        let field = Field::from_cells(&topology, Place::Cell, 0.0, |cell| {
            (cell.dot(glam::IVec3::new(7919, 104_729, 1299)) ^ seed as i32).wrapping_mul(0x9e37) as f32 * 1e-9
        });
        let point = Vec3::new(x, y, z);
        let lattice = topology.lattice();
        let base = (lattice.to_cells(point) - 0.5).floor().as_ivec3();
        let around: Vec<f32> = (0..8)
            .map(|corner| field.get(base + glam::IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2)))
            .collect();
        let lowest = around.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = around.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sample = field.sample_cubic(point);
        prop_assert!((lowest..=highest).contains(&sample), "{sample} {around:?}");
    }

    #[test]
    fn samples_at_the_values_are_the_values(x in 1_i32..14, y in 1_i32..14, z in 1_i32..14) {
        let field = Field::from_points(&full(16, false), Place::Cell, 0.0, smooth);
        let cell = glam::IVec3::new(x, y, z);
        prop_assert!((field.sample_cubic(field.position(cell)) - field.get(cell)).abs() < 1e-5);
    }
}
