//! The sparse operators against plain ones on dense arrays, on random blobs that cross tile borders and the sides of the
//! domain, in three dimensions and in two.

mod common;
mod dense;

use common::{blob_topology, blobs, on_threads};
use dense::Dense;
use glam::{IVec3, Vec3};
use ooze_field::fraction::{VolumeFractions, area_fractions, cell_fractions};
use ooze_field::{Blend, Field, Place, face_fields, level_set, sample_faces, sample_faces_cubic};

const SEEDS: std::ops::Range<u32> = 0..6;

/// A wavy function for values without meaning.
fn wave(point: Vec3) -> f32 {
    (5.1 * point.x).sin() + (4.3 * point.y - 1.7 * point.z).cos() + 0.3 * point.z
}

fn flatness() -> impl Iterator<Item = (u32, bool)> {
    SEEDS.flat_map(|seed| [(seed, false), (seed, true)])
}

/// Points in and around the domain.
fn points(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(|i| {
        let fractions = (i as f32 * Vec3::new(0.618_034, 0.754_877, 0.569_84)).fract();
        1.3 * (fractions - 0.5)
    })
}

#[test]
fn samples_and_gradients_are_equal() {
    for (seed, flat) in flatness() {
        let topology = blob_topology(seed, flat);
        for place in [Place::Cell, Place::Node, Place::Face(1), Place::Edge(2)] {
            let field = Field::from_points(&topology, place, -0.7, wave);
            let dense = Dense::of(&field);
            for point in points(2000) {
                assert_eq!(field.sample(point).to_bits(), dense.sample(point).to_bits());
                assert_eq!(
                    field.sample_gradient(point),
                    dense.gradient(point),
                    "{point}"
                );
                let (cubic, expected) = (field.sample_cubic(point), dense.sample_cubic(point));
                assert!(
                    (cubic - expected).abs() < 1e-5,
                    "{cubic} {expected} {point}"
                );
            }
        }
    }
}

fn check_extrapolation<T: Blend>(seed: u32, flat: bool, value: impl Fn(Vec3) -> T + Sync, zero: T) {
    let topology = blob_topology(seed, flat);
    let shape = blobs(seed, flat);
    for place in [Place::Cell, Place::Face(0), Place::Face(2)] {
        let mut known = Field::from_points(&topology, place, 0_u8, |point| {
            2 * u8::from(shape(point) < 0.0)
        });
        let mut values = Field::from_points(&topology, place, zero, &value);
        let (mut dense_values, mut dense_known) = (Dense::of(&values), Dense::of(&known));
        level_set::extrapolate(&mut values, &mut known, 4);
        dense::extrapolate(&mut dense_values, &mut dense_known, 4);
        assert!(
            dense_values == Dense::of(&values),
            "seed {seed} flat {flat} {place:?}"
        );
        assert!(dense_known == Dense::of(&known));
    }
}

#[test]
fn extrapolated_values_are_equal_bit_by_bit() {
    for (seed, flat) in flatness() {
        check_extrapolation(seed, flat, wave, 0.0);
        check_extrapolation(
            seed,
            flat,
            |point| Vec3::new(wave(point), point.x, 1.0),
            Vec3::ZERO,
        );
    }
}

#[test]
fn open_areas_are_equal() {
    for (seed, flat) in flatness() {
        let topology = blob_topology(seed, flat);
        let nodes = Field::from_points(&topology, Place::Node, 0.2, blobs(seed, flat));
        let dense = Dense::of(&nodes);
        for (axis, faces) in area_fractions(&nodes).iter().enumerate() {
            for (cell, &share) in dense::cells(faces) {
                assert_eq!(
                    share.to_bits(),
                    dense.open_area(cell, axis).to_bits(),
                    "{cell} {axis}"
                );
            }
        }
    }
}

#[test]
fn volumes_are_equal_octant_by_octant() {
    for (seed, flat) in flatness().take(4) {
        let topology = blob_topology(seed, flat);
        for place in [Place::Cell, Place::Node] {
            let phi = Field::from_points(&topology, place, 0.2, blobs(seed, flat));
            let dense = Dense::of(&phi);
            for smallest in [0.0, VolumeFractions::SMALLEST_OCTANT] {
                let volumes = VolumeFractions::with_smallest_octant(&phi, smallest);
                let all = [&volumes.cells]
                    .into_iter()
                    .chain(&volumes.faces)
                    .chain(&volumes.edges);
                for field in all {
                    for (cell, &share) in dense::cells(field) {
                        let expected = dense.volume(cell, field.place(), smallest);
                        assert!(
                            (share - expected).abs() < 1e-6,
                            "{share} {expected} {cell} {:?} from {place:?}, seed {seed} flat {flat}",
                            field.place()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn reinitialised_distances_are_those_of_fast_marching() {
    for (seed, flat) in flatness() {
        let topology = blob_topology(seed, flat);
        let size = topology.lattice().cell_size;
        let shape = blobs(seed, flat);
        let band = 4.0 * size;
        let original = Field::from_points(&topology, Place::Cell, 0.2, |point| {
            shape(point) * (1.0 + 0.4 * wave(point).sin())
        });
        let mut phi = original.clone();
        level_set::reinitialise(&mut phi, band);
        let mut dense = Dense::of(&phi);
        // Marching begins at the cells next to the surface, which have their values from the level set.
        dense.march(&Dense::of(&original), band);
        let mut worst = 0.0_f32;
        for (cell, &value) in dense::cells(&phi) {
            worst = worst.max((value - dense.get(cell)).abs() / size);
        }
        assert!(worst < 0.02, "{worst} cells, seed {seed} flat {flat}");
    }
}

/// Everything that the operators compute, as bits.
fn everything(flat: bool) -> Vec<u32> {
    let topology = blob_topology(3, flat);
    let shape = blobs(3, flat);
    let size = topology.lattice().cell_size;
    let mut phi = Field::from_points(&topology, Place::Cell, 0.2, |point| 1.4 * shape(point));
    let mut inside = phi.clone();
    level_set::reinitialise(&mut phi, 4.0 * size);
    level_set::redistance_inside(&mut inside, 3.0 * size);
    let volumes = VolumeFractions::of(&phi);
    let mut velocity = face_fields(&topology, 0.0_f32)
        .map(|field| Field::from_points(&topology, field.place(), 0.0, wave));
    let mut known = face_fields(&topology, 0_u8).map(|field| {
        Field::from_points(&topology, field.place(), 0, |point| {
            u8::from(shape(point) < 0.0)
        })
    });
    level_set::extrapolate_faces(&mut velocity, &mut known, 3);
    let nodes = Field::from_points(&topology, Place::Node, 0.2, shape);
    let areas = area_fractions(&nodes);
    let curvatures = level_set::curvatures(&phi, 3.0 * size);
    let cells = cell_fractions(&phi);
    let fields = [&phi, &inside, &volumes.cells, &curvatures, &cells].into_iter();
    let mut bits: Vec<u32> = fields
        .chain(&volumes.faces)
        .chain(&volumes.edges)
        .chain(&velocity)
        .chain(&areas)
        .flat_map(|field| field.values().iter().map(|value| value.to_bits()))
        .collect();
    let pieces = level_set::components(&phi);
    bits.extend(pieces.labels.values());
    bits.push(pieces.count);
    let volume = level_set::volume(&phi).to_bits();
    bits.extend([volume as u32, (volume >> 32) as u32]);
    for point in points(200) {
        let sampled = sample_faces(&velocity, point) + sample_faces_cubic(&velocity, point);
        bits.extend(sampled.to_array().map(f32::to_bits));
    }
    bits
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for flat in [false, true] {
        let alone = on_threads(1, || everything(flat));
        for threads in [2, 5] {
            assert!(
                alone == on_threads(threads, || everything(flat)),
                "{threads} threads"
            );
        }
    }
}

#[test]
fn blobs_touch_tile_borders_and_the_sides_of_the_domain() {
    // What the tests above rely on.
    for (seed, flat) in flatness() {
        let topology = blob_topology(seed, flat);
        let lattice = *topology.lattice();
        let shape = blobs(seed, flat);
        let phi = Field::from_points(&topology, Place::Cell, 0.2, shape);
        let beyond = dense::cells(&phi).filter(|(cell, value)| {
            let inside = cell.cmpge(IVec3::ZERO) & cell.cmplt(lattice.cells);
            **value < 0.0 && !inside.all()
        });
        assert!(beyond.count() > 0);
        let neighbours = (0..topology.tile_count()).flat_map(|slot| topology.neighbours(slot));
        assert!(
            neighbours
                .filter(|&&slot| slot == ooze_field::NO_TILE)
                .count()
                > 0
        );
    }
}
