//! Extrapolation of known values away from the surface, sample after sample in the order of their distance (Goktekin 2011,
//! alg. 16 and 19, after Enright et al. 2002).
//!
//! A sample takes the mean of its known neighbours, each weighted with how much nearer to the surface it lies. Neighbours as
//! far as the sample itself carry no weight unless there are no others.

use glam::IVec3;
use rayon::prelude::*;

use crate::{Blend, Field, FieldByAxis};

/// Continues `values` from the samples whose `known` is not zero to those where `distance`, at the same places, is at most
/// `band` metres. What was reached becomes known. Samples with no way to a known one through the band stay as they are.
///
/// # Panics
/// If the fields do not live on the same tiles.
pub fn march_outward<T: Blend>(
    values: &mut Field<T>,
    known: &mut Field<u8>,
    distance: &Field<f32>,
    band: f32,
) {
    let topology = values.topology().clone();
    assert!(
        topology.tile_count() == known.topology().tile_count()
            && topology.tile_count() == distance.topology().tile_count(),
        "values, marks and distances live on the same tiles"
    );
    let cells = topology.tile_cells();
    let axes = topology.lattice().axes();
    let mut waiting: Vec<u32> = (0..topology.tile_count())
        .into_par_iter()
        .flat_map_iter(|slot| {
            let pairs = known.tile(slot).iter().zip(distance.tile(slot)).enumerate();
            pairs
                .filter(|(_, (known, distance))| **known == 0 && **distance <= band)
                .map(move |(local, _)| (slot * cells + local) as u32)
        })
        .collect();
    // Equal distances in the order of storage: the same on any number of threads.
    waiting.par_sort_unstable_by(|&a, &b| {
        let of = |index: u32| distance.values()[index as usize];
        of(a).total_cmp(&of(b)).then(a.cmp(&b))
    });
    // What nothing known touches yet has another turn when the others are done.
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|&index| {
            let index = index as usize;
            let cell = topology.cell(index / cells, index % cells);
            match mean(values, known, distance, cell, axes) {
                Some(value) => {
                    values.values_mut()[index] = value;
                    known.values_mut()[index] = 1;
                    false
                }
                None => true,
            }
        });
        if waiting.len() == before {
            return;
        }
    }
}

/// [`march_outward`] for each component of a staggered field.
pub fn march_faces_outward(
    velocity: &mut FieldByAxis<f32>,
    known: &mut FieldByAxis<u8>,
    distance: &FieldByAxis<f32>,
    band: f32,
) {
    velocity
        .par_iter_mut()
        .zip(known)
        .zip(distance)
        .for_each(|((values, known), distance)| march_outward(values, known, distance, band));
}

/// The mean of a sample's known neighbours.
fn mean<T: Blend>(
    values: &Field<T>,
    known: &Field<u8>,
    distance: &Field<f32>,
    cell: IVec3,
    axes: usize,
) -> Option<T> {
    let topology = values.topology();
    let here = distance.get(cell);
    let least = 1e-3 * topology.lattice().cell_size;
    let mut sum: Option<T> = None;
    let mut total = 0.0;
    for side in 0..2 * axes {
        let mut other = cell;
        other[side / 2] += 2 * (side % 2) as i32 - 1;
        let Some(index) = topology.index(other) else {
            continue;
        };
        if known.values()[index] != 0 {
            let weight = (here - distance.values()[index]).max(least);
            let part = values.values()[index] * weight;
            sum = Some(sum.map_or(part, |sum| sum + part));
            total += weight;
        }
    }
    sum.map(|sum| sum * (1.0 / total))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::{Lattice, Place, Topology};

    #[test]
    fn values_stay_constant_along_the_normals_of_a_ball() {
        let lattice = Lattice::new(Vec3::splat(-0.5), 1.0 / 40.0, IVec3::splat(40), false);
        let topology = Arc::new(Topology::full(lattice));
        let distance = Field::from_points(&topology, Place::Cell, 1.0, |p| p.length() - 0.2);
        let direction = |point: Vec3| point.normalize_or_zero().dot(Vec3::new(0.6, 0.0, 0.8));
        let exact = Field::from_points(&topology, Place::Cell, 0.0, direction);
        let mut values = exact.clone();
        let mut known = Field::new(&topology, Place::Cell, 0u8);
        for (index, distance) in distance.values().iter().enumerate() {
            if *distance > 0.0 {
                values.values_mut()[index] = 99.0;
            } else {
                known.values_mut()[index] = 1;
            }
        }
        let band = 5.0 * lattice.cell_size;
        march_outward(&mut values, &mut known, &distance, band);
        let mut worst: f32 = 0.0;
        for (index, &distance) in distance.values().iter().enumerate() {
            if distance <= band {
                worst = worst.max((values.values()[index] - exact.values()[index]).abs());
            } else {
                assert_eq!(values.values()[index], 99.0);
                assert_eq!(known.values()[index], 0);
            }
        }
        assert!(worst < 0.1, "{worst}");
    }
}
