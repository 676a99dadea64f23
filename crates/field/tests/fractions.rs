//! Shares of lengths, areas and volumes against closed forms.

mod common;

use common::{circle, full, level_set, sphere};
use glam::{DVec3, IVec3, Vec3};
use ooze_field::fraction::{
    VolumeFractions, area_fractions, cell_fractions, cell_fractions_and_middles, linear_fraction,
    quad_centroid, quad_fraction, triangle_fraction, volume,
};
use ooze_field::{Field, Place};
use proptest::prelude::*;

const CENTRE: Vec3 = Vec3::new(0.011, -0.017, 0.007);

/// Share of the unit cube in which a linear function is negative, by inclusion and exclusion of its corners: a sum that
/// cancels badly for small slopes, in double precision.
fn by_corners(centre: f64, slopes: DVec3) -> f64 {
    let slopes = slopes.abs();
    let lowest = centre - 0.5 * slopes.element_sum();
    let mut sum = 0.0;
    for corner in 0..8 {
        let step = DVec3::new(
            f64::from(corner & 1),
            f64::from(corner >> 1 & 1),
            f64::from(corner >> 2),
        );
        let depth = (-lowest - slopes.dot(step)).max(0.0);
        let sign = if step.element_sum() as i32 % 2 == 0 {
            1.0
        } else {
            -1.0
        };
        sum += sign * depth.powi(3);
    }
    sum / (6.0 * slopes.element_product())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_share_of_a_cube_equals_the_sum_over_its_corners(
        centre in -1.5_f32..1.5,
        x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in -1.0_f32..1.0,
    ) {
        prop_assume!(x.abs().min(y.abs()).min(z.abs()) > 1e-3);
        let expected = by_corners(centre.into(), DVec3::new(x.into(), y.into(), z.into()));
        let share = linear_fraction(centre, Vec3::new(x, y, z));
        prop_assert!((f64::from(share) - expected).abs() < 2e-6, "{share} {expected}");
    }

    #[test]
    fn a_vanishing_slope_does_not_matter(
        centre in -1.0_f32..1.0, x in -1.0_f32..1.0, y in -1.0_f32..1.0, tiny in 0.0_f32..1e-6,
    ) {
        prop_assume!(x.abs().max(y.abs()) > 1e-2);
        let flat = linear_fraction(centre, Vec3::new(x, y, 0.0));
        for slopes in [Vec3::new(x, y, tiny), Vec3::new(tiny, x, y), Vec3::new(y, tiny, x)] {
            prop_assert!((linear_fraction(centre, slopes) - flat).abs() < 1e-4);
        }
        // A square has the same share, from its corners.
        let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
            .map(|(s, t)| centre + x * s + y * t);
        prop_assert!((quad_fraction(corners) - flat).abs() < 2e-6);
    }

    #[test]
    fn the_centroid_of_a_part_of_a_square_is_that_of_many_points_in_it(
        centre in -1.0_f32..1.0, x in -1.0_f32..1.0, y in -1.0_f32..1.0,
    ) {
        let value = |s: f32, t: f32| centre + x * s + y * t;
        let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
        let corners = corners.map(|(s, t)| value(s, t));
        prop_assume!(quad_fraction(corners) > 0.05);
        let (mut count, mut sum) = (0.0f32, [0.0f32; 2]);
        for place in 0..200 * 200 {
            let [s, t] = [place % 200, place / 200].map(|index| (index as f32 + 0.5) / 200.0 - 0.5);
            if value(s, t) < 0.0 {
                count += 1.0;
                sum = [sum[0] + s, sum[1] + t];
            }
        }
        let centroid = quad_centroid(corners);
        for axis in 0..2 {
            prop_assert!((centroid[axis] - sum[axis] / count).abs() < 5e-3, "{centroid:?} {sum:?} {count}");
        }
    }

    #[test]
    fn inside_and_outside_add_up(
        centre in -1.0_f32..1.0, x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in -1.0_f32..1.0,
    ) {
        let slopes = Vec3::new(x, y, z);
        let both = linear_fraction(centre, slopes) + linear_fraction(-centre, -slopes);
        prop_assert!((both - 1.0).abs() < 1e-6);
    }

    #[test]
    fn shares_are_continuous_and_monotone_in_the_corner_values(
        corners in prop::array::uniform4(-1.0_f32..1.0), which in 0_usize..4, size in 1e-4_f32..1.0,
    ) {
        // Corners far from zero, so that a small change of one moves the surface a little only.
        prop_assume!(corners.iter().all(|value| value.abs() > 0.05));
        let mut raised = corners;
        raised[which] += 1e-4;
        let (before, after) = (quad_fraction(corners), quad_fraction(raised));
        prop_assert!(after <= before + 1e-6);
        prop_assert!((after - before).abs() < 0.05, "{before} {after}");
        let scaled = corners.map(|value| value * size);
        prop_assert!((quad_fraction(scaled) - before).abs() < 1e-5);
    }
}

#[test]
fn constants_fill_all_or_nothing() {
    assert_eq!(linear_fraction(-1e-20, Vec3::ZERO), 1.0);
    assert_eq!(linear_fraction(0.0, Vec3::ZERO), 0.0);
    assert_eq!(linear_fraction(1e-20, Vec3::ZERO), 0.0);
    assert_eq!(linear_fraction(0.0, Vec3::X), 0.5);
    assert_eq!(linear_fraction(-0.25, Vec3::Y), 0.75);
    assert_eq!(triangle_fraction([-1.0, 1.0, 1.0]), 0.25);
    assert_eq!(triangle_fraction([1.0, -1.0, -1.0]), 0.75);
    assert_eq!(quad_fraction([-1.0, 1.0, -1.0, 1.0]), 0.5);
    // Opposite corners: the four triangles meet in the centre, each of them cut in half.
    assert_eq!(quad_fraction([-1.0, 1.0, 1.0, -1.0]), 0.5);
}

/// Distance from a plane through the domain, and its normal.
fn half_space(flat: bool) -> (impl Fn(Vec3) -> f32 + Copy, Vec3) {
    let normal = match flat {
        true => Vec3::new(0.8, -0.6, 0.0),
        false => Vec3::new(0.48, 0.6, -0.64),
    };
    (move |point: Vec3| (point - CENTRE).dot(normal), normal)
}

/// Cells whose stencils stay within the tiles that exist.
fn inner_cells(field: &Field<f32>) -> Vec<IVec3> {
    let topology = field.topology();
    let all = (0..field.values().len())
        .map(|index| topology.cell(index / topology.tile_cells(), index % topology.tile_cells()));
    all.filter(|&cell| {
        (-2..=2).all(|step| {
            IVec3::AXES
                .iter()
                .all(|&axis| topology.index(cell + step * axis).is_some())
                && topology.index(cell + IVec3::splat(step)).is_some()
        })
    })
    .collect()
}

#[test]
fn the_middle_of_a_slab_moves_as_the_slab_does_between_cell_planes() {
    let size = 1.0 / 16.0;
    for (place, flat) in [
        (Place::Cell, true),
        (Place::Node, true),
        (Place::Node, false),
    ] {
        let topology = full(16, flat);
        let mut largest: f64 = 0.0;
        for step in 0..8 {
            let middle = 0.01 + 0.125 * size * step as f32;
            let slab = |point: Vec3| (point.y - middle).abs() - 0.205;
            let phi = Field::from_points(&topology, place, 1.0, slab);
            let (shares, middles) = cell_fractions_and_middles(&phi);
            let (mut sum, mut by_centres, mut total) = (0.0, 0.0, 0.0);
            for cell in inner_cells(&shares) {
                let (share, centre) = (f64::from(shares.get(cell)), shares.position(cell).y);
                sum += share * f64::from(centre + size * middles.get(cell).y);
                by_centres += share * f64::from(centre);
                total += share;
            }
            let off = |sum: f64| (sum / total - f64::from(middle)).abs() / f64::from(size);
            assert!(off(sum) < 0.006, "{place:?} {flat} {step}: {}", off(sum));
            largest = largest.max(off(by_centres));
        }
        assert!(largest > 0.01, "{largest}");
    }
}

#[test]
fn open_areas_of_a_half_space_are_exact() {
    let size = 1.0 / 16.0;
    for flat in [false, true] {
        let topology = full(16, flat);
        let (shape, normal) = half_space(flat);
        let slopes = size * normal;
        let nodes = Field::from_points(&topology, Place::Node, 1.0, shape);
        let areas = area_fractions(&nodes);
        for (axis, faces) in areas.iter().enumerate() {
            let mut cut = 0;
            for cell in inner_cells(faces) {
                let mut tangential = slopes;
                tangential[axis] = 0.0;
                let expected = 1.0 - linear_fraction(shape(faces.position(cell)), tangential);
                let share = faces.get(cell);
                assert!(
                    (share - expected).abs() < 2e-4,
                    "{share} {expected} {cell} {axis}"
                );
                cut += i32::from(share > 0.0 && share < 1.0);
            }
            assert!(cut > if flat { 8 } else { 200 });
        }
    }
}

#[test]
fn volumes_of_a_half_space_are_exact() {
    let size = 1.0 / 16.0;
    for flat in [false, true] {
        let topology = full(16, flat);
        let (shape, normal) = half_space(flat);
        let slopes = size * normal;
        for place in [Place::Cell, Place::Node] {
            let phi = Field::from_points(&topology, place, 1.0, shape);
            let volumes = VolumeFractions::with_smallest_octant(&phi, 0.0);
            let pooled = [&volumes.cells]
                .into_iter()
                .chain(&volumes.faces)
                .chain(&volumes.edges);
            for field in pooled {
                let mut cut = 0;
                for cell in inner_cells(field) {
                    // Control volumes reach half a cell along z too: flat ones do not vary there.
                    let expected = linear_fraction(shape(field.position(cell)), slopes);
                    let share = field.get(cell);
                    assert!(
                        (share - expected).abs() < 2e-4,
                        "{share} {expected} {cell} {:?} from {place:?}",
                        field.place()
                    );
                    cut += i32::from(share > 0.0 && share < 1.0);
                }
                assert!(cut > if flat { 15 } else { 300 });
            }
        }
    }
}

/// Total and centre of mass, in cells and metres.
fn moments(field: &Field<f32>) -> (f64, DVec3) {
    let topology = field.topology();
    let (mut total, mut moment) = (0.0, DVec3::ZERO);
    for (index, &share) in field.values().iter().enumerate() {
        let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
        total += f64::from(share);
        moment += f64::from(share) * field.position(cell).as_dvec3();
    }
    (total, moment / total)
}

#[test]
fn cells_faces_and_edges_hold_the_same_liquid() {
    for flat in [false, true] {
        for smallest in [0.0, VolumeFractions::SMALLEST_OCTANT] {
            let phi = if flat {
                level_set(32, flat, Place::Cell, circle(CENTRE, 0.3))
            } else {
                level_set(32, flat, Place::Cell, sphere(CENTRE, 0.3))
            };
            let volumes = VolumeFractions::with_smallest_octant(&phi, smallest);
            let (total, _) = moments(&volumes.cells);
            let size = phi.topology().lattice().cell_size;
            for field in [&volumes.cells]
                .into_iter()
                .chain(&volumes.faces)
                .chain(&volumes.edges)
            {
                let (sum, centre) = moments(field);
                assert!(
                    (sum / total - 1.0).abs() < 1e-6,
                    "{:?} {sum} {total}",
                    field.place()
                );
                let mut offset = centre.as_vec3() - CENTRE;
                if flat {
                    offset.z = 0.0;
                }
                assert!(
                    offset.length() < 0.01 * size,
                    "{:?} {offset}",
                    field.place()
                );
            }
        }
    }
}

#[test]
fn cell_fractions_are_the_cells_of_all_fractions() {
    let phi = level_set(32, false, Place::Node, sphere(CENTRE, 0.3));
    let all = VolumeFractions::with_smallest_octant(&phi, 0.0);
    assert!(cell_fractions(&phi) == all.cells);
}

#[test]
fn volumes_of_balls_and_discs_converge() {
    use std::f64::consts::PI;
    for place in [Place::Cell, Place::Node] {
        let errors = [8, 16, 32, 64].map(|cells| {
            let ball = volume(&level_set(cells, false, place, sphere(CENTRE, 0.3)));
            let exact = 4.0 / 3.0 * PI * f64::from(0.3_f32).powi(3);
            let disc = volume(&level_set(cells, true, place, circle(CENTRE, 0.3)));
            let exact_disc = PI * f64::from(0.3_f32).powi(2) / f64::from(cells);
            [(ball / exact - 1.0).abs(), (disc / exact_disc - 1.0).abs()]
        });
        // Radii of 2.4, 4.8, 9.6 and 19.2 cells.
        for (error, bound) in errors.iter().zip([0.025, 0.003, 4e-4, 5e-5]) {
            assert!(error[0] < bound && error[1] < bound, "{errors:?}");
        }
        for shape in 0..2 {
            let order = (errors[1][shape] / errors[3][shape]).log2() / 2.0;
            assert!(order > 2.5, "order {order} {errors:?}");
        }
    }
}
