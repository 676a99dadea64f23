//! What surrounds each particle: how much of its neighbourhood is liquid, where the neighbours' centre lies and how they
//! spread (Yu & Turk 2013, eqs. 6, 9 and 10). Neighbours weigh 1 - (r/R)² instead of 1 - (r/R)³, which needs no root.

use std::f32::consts::PI;

use glam::{IVec3, Vec3, Vec4};
use rayon::prelude::*;

use super::eigen::Symmetric;
use super::order::CellOrder;

/// Particles handled at once.
const LANES: usize = 4;
/// Share of the particles of full liquid with which a cell is crowded: a surface that cuts through it is less than a
/// spacing from its far side.
const CROWDED: f32 = 0.75;

/// The neighbourhood of a particle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    /// Weight of the neighbours, itself included, relative to full liquid: about 1 inside, 0.6 on a plane surface.
    pub(crate) fill: f32,
    /// From the particle to the weighted mean of its neighbours, in metres.
    pub(crate) shift: Vec3,
    /// Weighted covariance of the neighbours about their mean, in square metres.
    pub(crate) spread: Symmetric,
}

impl Surroundings {
    /// Liquid evenly all around.
    fn ideal(order: &CellOrder) -> Self {
        let variance = full_variance(order.flat()) * order.cell_size().powi(2);
        Self {
            fill: 1.0,
            shift: Vec3::ZERO,
            spread: Symmetric {
                diagonal: Vec3::new(
                    variance,
                    variance,
                    if order.flat() { 0.0 } else { variance },
                ),
                off: Vec3::ZERO,
            },
        }
    }
}

/// The particles around a cell.
#[derive(Clone, Debug, Default)]
struct Around {
    /// Coordinates along each axis, four particles together; padded with particles out of reach.
    coordinates: [Vec<Vec4>; 3],
    /// Their indices in sorted order, without the padding.
    indices: Vec<u32>,
}

impl Around {
    /// Gathers the particles in a cell and the cells next to it.
    fn load(&mut self, order: &CellOrder, cell: IVec3) {
        self.indices.clear();
        order.for_each_row(cell - 1, cell + 1, |cells| {
            let particles = order.particles_of_cells(cells);
            self.indices
                .extend(particles.start as u32..particles.end as u32);
        });
        let far = (cell.as_vec3() + 5.0) * order.cell_size();
        for coordinates in &mut self.coordinates {
            coordinates.clear();
        }
        for group in self.indices.chunks(LANES) {
            let mut four = [far; LANES];
            for (position, &index) in four.iter_mut().zip(group) {
                *position = order.positions()[index as usize];
            }
            for (axis, coordinates) in self.coordinates.iter_mut().enumerate() {
                coordinates.push(Vec4::from_array(four.map(|position| position[axis])));
            }
        }
    }
}

/// Sum of the weights 1 - (r/R)² in full liquid, per particle in a cube (square) of the spacing's size.
fn full_weight(reach: f32, flat: bool) -> f32 {
    if flat {
        PI / 2.0 * reach.powi(2)
    } else {
        8.0 * PI / 15.0 * reach.powi(3)
    }
}

/// Variance along an axis of the neighbours of a particle inside the liquid, relative to the square of the reach.
pub(super) fn full_variance(flat: bool) -> f32 {
    // ∫ w x² / ∫ w over the ball or the disc.
    if flat { 1.0 / 6.0 } else { 1.0 / 7.0 }
}

/// The surroundings of all particles, in sorted order. Neighbours count up to the size of the cells.
pub(crate) fn surroundings(order: &CellOrder, spacing: f32) -> Vec<Surroundings> {
    surroundings_but(order, spacing, |_| false)
}

/// The same, with ideal ones for particles whose cell and all cells around it are crowded: those are deep in the liquid,
/// and most of a large body.
pub(super) fn surroundings_or_ideal(order: &CellOrder, spacing: f32) -> Vec<Surroundings> {
    let dimensions = if order.flat() { 2 } else { 3 };
    let full = (order.cell_size() / spacing).powi(dimensions);
    let crowded: Vec<bool> = (0..order.cells().len())
        .map(|index| order.particles(index).len() as f32 > CROWDED * full)
        .collect();
    surroundings_but(order, spacing, |cell| {
        let mut around = 0;
        order.for_each_row(cell - 1, cell + 1, |cells| {
            around += crowded[cells].iter().filter(|&&crowded| crowded).count();
        });
        around == 3_usize.pow(dimensions as u32)
    })
}

/// The surroundings of all particles, ideal ones in cells that `is_full`.
fn surroundings_but(
    order: &CellOrder,
    spacing: f32,
    is_full: impl Fn(IVec3) -> bool + Sync,
) -> Vec<Surroundings> {
    let full = full_weight(order.cell_size() / spacing, order.flat());
    let ideal = Surroundings::ideal(order);
    (0..order.cells().len())
        .into_par_iter()
        .with_min_len(16)
        .map_init(Around::default, |around, index| {
            let (cell, particles) = (order.cells()[index], order.particles(index));
            if is_full(cell) {
                return vec![ideal; particles.len()];
            }
            around.load(order, cell);
            order.positions()[particles]
                .iter()
                .map(|&position| {
                    let sums = Sums::around(position, around, order.cell_size());
                    sums.surroundings(full)
                })
                .collect::<Vec<_>>()
        })
        .flatten_iter()
        .collect()
}

/// Weighted sums over the neighbours: of 1, of offsets and of their products.
struct Sums {
    weight: f32,
    offset: Vec3,
    squares: Vec3,
    products: Vec3,
}

impl Sums {
    #[inline]
    fn around(position: Vec3, around: &Around, reach: f32) -> Self {
        let scale = Vec4::splat(1.0 / (reach * reach));
        let [px, py, pz] = position.to_array().map(Vec4::splat);
        let [xs, ys, zs] = &around.coordinates;
        let mut sums = [Vec4::ZERO; 10];
        for ((&x, &y), &z) in xs.iter().zip(ys).zip(zs) {
            let (x, y, z) = (x - px, y - py, z - pz);
            let weight = (Vec4::ONE - (x * x + y * y + z * z) * scale).max(Vec4::ZERO);
            let (wx, wy, wz) = (weight * x, weight * y, weight * z);
            let terms = [
                weight,
                wx,
                wy,
                wz,
                wx * x,
                wy * y,
                wz * z,
                wy * z,
                wx * z,
                wx * y,
            ];
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term;
            }
        }
        let total = sums.map(|lanes| lanes.element_sum());
        Self {
            weight: total[0],
            offset: Vec3::new(total[1], total[2], total[3]),
            squares: Vec3::new(total[4], total[5], total[6]),
            products: Vec3::new(total[7], total[8], total[9]),
        }
    }

    fn surroundings(&self, full: f32) -> Surroundings {
        // A particle is its own neighbour: the weight is at least one.
        let shift = self.offset / self.weight;
        let crossed = Vec3::new(shift.y * shift.z, shift.x * shift.z, shift.x * shift.y);
        Surroundings {
            fill: self.weight / full,
            shift,
            spread: Symmetric {
                diagonal: (self.squares / self.weight - shift * shift).max(Vec3::ZERO),
                off: self.products / self.weight - crossed,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn scattered(count: u32) -> Vec<Vec3> {
        (0..count)
            .map(|index| {
                let turn = index as f32 * 2.399_963;
                let height = (index as f32 * 0.618_034).fract();
                Vec3::new(turn.cos(), turn.sin(), 0.0) * (index as f32).sqrt() * 0.25
                    + Vec3::new(-0.3, 0.2, 6.0 * height - 3.0)
            })
            .collect()
    }

    #[test]
    fn surroundings_equal_a_sum_over_all_particles() {
        for flat in [false, true] {
            let (spacing, reach) = (0.8, 1.7);
            let order = CellOrder::new(&scattered(500), reach, flat);
            let full = f64::from(full_weight(reach / spacing, flat));
            let positions: Vec<DVec3> = order.positions().iter().map(|p| p.as_dvec3()).collect();
            for (around, &centre) in surroundings(&order, spacing).iter().zip(&positions) {
                let weighted = |term: &dyn Fn(DVec3) -> f64| {
                    let terms = positions.iter().map(|&other| {
                        let offset = other - centre;
                        let square = offset.length_squared() / f64::from(reach * reach);
                        (1.0 - square).max(0.0) * term(offset)
                    });
                    terms.sum::<f64>()
                };
                let weight = weighted(&|_| 1.0);
                assert!((f64::from(around.fill) - weight / full).abs() < 1e-5);
                let mean = DVec3::from_array(
                    [0, 1, 2].map(|axis| weighted(&|offset: DVec3| offset[axis]) / weight),
                );
                assert!(around.shift.as_dvec3().abs_diff_eq(mean, 1e-5));
                for axis in 0..3 {
                    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                    let about_mean = |a: usize, b: usize| {
                        weighted(&|offset: DVec3| (offset - mean)[a] * (offset - mean)[b]) / weight
                    };
                    let spread = around.spread;
                    assert!(
                        (f64::from(spread.diagonal[axis]) - about_mean(axis, axis)).abs() < 1e-5
                    );
                    assert!((f64::from(spread.off[axis]) - about_mean(next, last)).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn full_liquid_is_full_and_spreads_alike_in_all_directions() {
        for flat in [false, true] {
            let layers = if flat { 0..1 } else { -4..5 };
            let positions: Vec<Vec3> = layers
                .flat_map(|z| (-4..5).flat_map(move |y| (-4..5).map(move |x| IVec3::new(x, y, z))))
                .map(|place| place.as_vec3())
                .collect();
            let order = CellOrder::new(&positions, 3.0, flat);
            let centre = order.positions().iter().position(|&p| p == Vec3::ZERO);
            let around = surroundings(&order, 1.0)[centre.expect("the origin has a particle")];
            assert!((around.fill - 1.0).abs() < 0.05, "{around:?}");
            assert!(around.shift.length() < 1e-6);
            let variance = 9.0 * full_variance(flat);
            for axis in 0..if flat { 2 } else { 3 } {
                let relative = around.spread.diagonal[axis] / variance;
                assert!((relative - 1.0).abs() < 0.05, "{around:?}");
            }
        }
    }

    #[test]
    fn ideal_surroundings_are_given_deep_inside_only_and_nearly_true() {
        let edge = 21;
        let positions: Vec<Vec3> = (0..edge * edge * edge)
            .map(|index: i32| {
                let place = IVec3::new(index % edge, index / edge % edge, index / edge / edge);
                let turn = index as f32 * 2.399_963;
                place.as_vec3() + 0.3 * Vec3::new(turn.cos(), turn.sin(), (1.7 * turn).cos())
            })
            .collect();
        let order = CellOrder::new(&positions, 3.0, false);
        let exact = surroundings(&order, 1.0);
        let quick = surroundings_or_ideal(&order, 1.0);
        let mut ideal = 0;
        for ((exact, quick), position) in exact.iter().zip(&quick).zip(order.positions()) {
            if quick.shift == Vec3::ZERO {
                ideal += 1;
                let surface = position.min(edge as f32 - 1.0 - *position).min_element();
                assert!(surface > 2.0, "{position}");
                assert!((exact.fill - 1.0).abs() < 0.05, "{position} {exact:?}");
                assert!(exact.shift.length() < 0.1, "{position} {exact:?}");
            } else {
                assert_eq!(quick.shift, exact.shift);
            }
        }
        assert!(ideal > 100, "{ideal}");
    }
}
