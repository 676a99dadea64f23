//! The particles' elastic stress on the grid, and the rates at which the grid strains the particles.
//!
//! The grid sees the mean of the stress of the particles p around a sample r of the strain rate, and its force works on the
//! rate there (`viscosity::adjoint`):
//!
//! ```text
//! σ_r = Σ_p w_rp μ_p ε_p / m_r,    m_r = Σ_p w_rp,    power = −dx³ Σ_r W_r σ_r : ε̇_r
//! ```
//!
//! where w is the transfer's kernel and W the row's share of a cell. The particles, each of the volume dx³/n, store
//! Σ_p dx³/n μ_p ε_p : ε̇_p, and that is the same, whatever the strain, if and only if
//!
//! ```text
//! ε̇_p = Σ_r w_rp (n W_r/m_r) ε̇_r
//! ```
//!
//! Moduli cancel: liquids side by side are strained alike, and their stresses are averaged. In the outermost half cell the rate
//! is less than the flow's (6/7 of it, and 31/28 in the half cell below, at a flat surface on a cell's face), in the mean it is
//! the same.

use glam::{Vec3, Vec3A};
use ooze_field::{Block, Field, FieldByAxis, Place, edge_fields};
use rayon::prelude::*;

use super::kernel::{Kernel, Linear, Quadratic};
use super::order::CellOrder;
use super::scatter::scatter;
use super::transfer::divide;
use crate::Sampling;
use crate::elasticity::{Strain, SymmetricTensor};
use crate::momentum::RowStress;
use crate::viscosity::{CellViscosity, Content, Stiffening};

/// The elastic stress of one moment.
pub(crate) struct ElasticStress {
    /// Stress over the largest modulus.
    pub(crate) strain: Strain,
    /// The largest modulus in Pa.
    pub(crate) modulus: CellViscosity,
    /// What makes the step as implicit as it must be; none for an explicit one.
    pub(crate) stiffening: Option<Stiffening>,
    /// The sums m of weights at cells and edges.
    cells: Field<f32>,
    edges: FieldByAxis<f32>,
    sampling: Sampling,
}

/// What the stress of a particle is made from.
pub(crate) struct Stressed {
    /// Stress over the largest modulus.
    pub(crate) strain: SymmetricTensor,
    /// Viscosity in Pa s that makes the step as implicit as it must be.
    pub(crate) stiffening: f32,
}

impl ElasticStress {
    /// The stress of sorted particles. `largest` is the largest modulus in Pa.
    pub(crate) fn of(
        order: &CellOrder,
        positions: &[Vec3],
        stressed: &[Stressed],
        largest: f32,
        implicit: bool,
        sampling: Sampling,
    ) -> Self {
        let mut stress = Self {
            strain: Strain::zero(&order.topology),
            modulus: CellViscosity::Uniform(largest),
            stiffening: None,
            cells: Field::new(&order.topology, Place::Cell, 0.0),
            edges: edge_fields(&order.topology, 0.0),
            sampling,
        };
        match sampling {
            Sampling::Fine => stress.spread::<Linear>(order, positions, stressed, implicit),
            Sampling::Coarse => stress.spread::<Quadratic>(order, positions, stressed, implicit),
        }
        stress
    }

    fn spread<K: Kernel>(
        &mut self,
        order: &CellOrder,
        positions: &[Vec3],
        stressed: &[Stressed],
        implicit: bool,
    ) {
        let [x, y, z, added, share] =
            scatter::<5, K, _>(order, positions, Place::Cell, |particle| {
                let Stressed { strain, stiffening } = &stressed[particle];
                let [x, y, z] = strain.diagonal.to_array();
                move |_| [x, y, z, *stiffening, 1.0]
            });
        for (target, sum) in self.strain.diagonal.iter_mut().zip([x, y, z]) {
            *target = divide(&sum, &share, 0.0);
        }
        let stiff_cells = divide(&added, &share, 0.0);
        self.cells = share;
        let mut stiff_edges = edge_fields(&order.topology, 0.0);
        for edge in edges(order) {
            let [sum, added, share] =
                scatter::<3, K, _>(order, positions, Place::Edge(edge), |particle| {
                    let Stressed { strain, stiffening } = &stressed[particle];
                    let shear = strain.shear[edge];
                    move |_| [shear, *stiffening, 1.0]
                });
            self.strain.shear[edge] = divide(&sum, &share, 0.0);
            stiff_edges[edge] = divide(&added, &share, 0.0);
            self.edges[edge] = share;
        }
        self.stiffening = implicit.then_some(Stiffening {
            cells: stiff_cells,
            edges: stiff_edges,
        });
    }

    /// The particles that carry it, with the sums of their weights at `faces`.
    pub(crate) fn content<'a>(&'a self, faces: &'a FieldByAxis<f32>) -> Content<'a> {
        Content {
            cells: &self.cells,
            edges: &self.edges,
            faces,
            full: self.full_weight(),
        }
    }

    /// The sum of weights in full liquid: its particles a cell.
    fn full_weight(&self) -> f32 {
        match (self.sampling, self.cells.topology().lattice().flat) {
            (Sampling::Coarse, _) => 1.0,
            (Sampling::Fine, true) => 4.0,
            (Sampling::Fine, false) => 8.0,
        }
    }

    /// The stress as it acts.
    pub(crate) fn acting(&self) -> RowStress<'_> {
        RowStress {
            strain: &self.strain,
            modulus: &self.modulus,
            stiffening: self.stiffening.as_ref(),
        }
    }

    /// The rates at which the particles are strained in 1/s, from `rates` on the grid times their rows' shares of a cell.
    pub(crate) fn rates(
        &self,
        order: &CellOrder,
        positions: &[Vec3],
        rates: &Strain,
    ) -> Vec<SymmetricTensor> {
        let per_cell = self.full_weight();
        let mut rates = rates.clone();
        for (number, shares) in [&self.cells; 3].into_iter().chain(&self.edges).enumerate() {
            let field = rates.component_mut(number);
            *field = divide(field, shares, 0.0);
        }
        match self.sampling {
            Sampling::Fine => read::<Linear>(order, positions, &rates, per_cell),
            Sampling::Coarse => read::<Quadratic>(order, positions, &rates, per_cell),
        }
    }
}

/// The edges that have a meaning.
fn edges(order: &CellOrder) -> std::ops::Range<usize> {
    if order.topology.lattice().flat {
        2..3
    } else {
        0..3
    }
}

/// `factor` times what the grid says at the particles, with the weights that they are spread with.
fn read<K: Kernel>(
    order: &CellOrder,
    positions: &[Vec3],
    grid: &Strain,
    factor: f32,
) -> Vec<SymmetricTensor> {
    let topology = &order.topology;
    let lattice = *topology.lattice();
    let diagonals = grid.diagonals();
    let mut values = vec![SymmetricTensor::ZERO; positions.len()];
    let tiles = order.split_by_tile(&mut values).into_par_iter().enumerate();
    tiles.for_each_init(
        || {
            let cells = Block::new(topology, K::RIM, Vec3A::ZERO);
            let edges: [Block<f32>; 3] = std::array::from_fn(|_| Block::new(topology, K::RIM, 0.0));
            (cells, edges)
        },
        |(cells, shears), (slot, values)| {
            let range = order.tile_particles(slot);
            if range.is_empty() {
                return;
            }
            cells.load(&diagonals, slot);
            for edge in edges(order) {
                shears[edge].load(&grid.shear[edge], slot);
            }
            let place_in_tile = order.places_in_tile(slot);
            for (value, &position) in values.iter_mut().zip(&positions[range]) {
                let from_tile = place_in_tile(position);
                let at = |place: Place| from_tile - place.offset();
                let diagonal = sample::<K, _>(cells, at(Place::Cell), lattice.flat);
                value.diagonal = factor * Vec3::from(diagonal);
                for edge in edges(order) {
                    let place = at(Place::Edge(edge));
                    value.shear[edge] = factor * sample::<K, _>(&shears[edge], place, lattice.flat);
                }
            }
        },
    );
    values
}

/// The sum of a block's values with a kernel's weights; `coordinate` counts lattice points from the block's tile on.
#[inline(always)]
fn sample<K, T>(block: &Block<T>, coordinate: Vec3, flat: bool) -> T
where
    K: Kernel,
    T: ooze_field::Value + Default + std::ops::Add<Output = T> + std::ops::Mul<f32, Output = T>,
{
    let (mut first, mut weights) = K::weights(coordinate);
    let mut depth = K::WIDTH;
    if flat {
        first.z = 0;
        weights[0].z = 1.0;
        depth = 1;
    }
    let [_, stride_y, stride_z] = block.strides();
    let start = block.at(first);
    let mut sum = T::default();
    for z in 0..depth {
        for y in 0..K::WIDTH {
            let row = start + z * stride_z + y * stride_y;
            let across = weights[y].y * weights[z].z;
            let values = block.values()[row..row + K::WIDTH].iter();
            for (&value, weight) in values.zip(&weights) {
                sum = sum + value * (weight.x * across);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_commons::reduce;
    use ooze_core::random::uniform;
    use ooze_field::{Lattice, Topology};

    use super::super::order::tiles_around;
    use super::*;

    /// Particles at random in a box that ends between cell planes, sorted.
    fn cloud(flat: bool) -> (CellOrder, Vec<Vec3>) {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(14), flat);
        let positions: Vec<Vec3> = (0..4000)
            .map(|index| {
                let pick = |axis| 0.33 + 0.71 * uniform(axis, index);
                Vec3::new(pick(0), pick(1), if flat { 0.05 } else { pick(2) })
            })
            .collect();
        let topology: Arc<Topology> = Arc::new(tiles_around(lattice, &positions, 3).build());
        let (order, permutation) = CellOrder::sort(topology, &positions);
        let sorted = permutation.iter().map(|&index| positions[index as usize]);
        (order, sorted.collect())
    }

    fn random_tensor(seed: u64, index: u64, flat: bool) -> SymmetricTensor {
        let pick = |part: u64| uniform(seed + part, index) - 0.5;
        let shear = Vec3::new(pick(3), pick(4), pick(5));
        SymmetricTensor {
            diagonal: Vec3::new(pick(0), pick(1), if flat { 0.0 } else { pick(2) }),
            shear: if flat { shear * Vec3::Z } else { shear },
        }
    }

    #[test]
    fn particles_store_what_the_grid_takes_whatever_their_moduli() {
        for (flat, sampling, per_cell) in [
            (false, Sampling::Fine, 8.0),
            (true, Sampling::Fine, 4.0),
            (false, Sampling::Coarse, 1.0),
            (true, Sampling::Coarse, 1.0),
        ] {
            for softest in [1.0, 0.01] {
                let (order, positions) = cloud(flat);
                let strains: Vec<SymmetricTensor> = (0..positions.len() as u64)
                    .map(|index| random_tensor(10, index, flat))
                    .collect();
                let moduli: Vec<f32> = (0..positions.len())
                    .map(|index| if index % 3 == 0 { softest } else { 1.0 })
                    .collect();
                let stressed: Vec<Stressed> = strains
                    .iter()
                    .zip(&moduli)
                    .map(|(&strain, &modulus)| Stressed {
                        strain: strain * modulus,
                        stiffening: modulus,
                    })
                    .collect();
                let stress = ElasticStress::of(&order, &positions, &stressed, 1.0, true, sampling);
                let mut rates = Strain::zero(&order.topology);
                let first = if flat { 5 } else { 3 };
                for number in (0..3).chain(first..6) {
                    let field = rates.component_mut(number);
                    for (index, value) in field.values_mut().iter_mut().enumerate() {
                        *value = uniform(30 + number as u64, index as u64) - 0.5;
                    }
                }
                let taken: f64 = (0..6)
                    .map(|number| {
                        let times = if number < 3 { 1.0 } else { 2.0 };
                        let (a, b) = (stress.strain.component(number), rates.component(number));
                        times
                            * reduce::sum_indices(a.values().len(), |index| {
                                f64::from(a.values()[index]) * f64::from(b.values()[index])
                            })
                    })
                    .sum();
                let own = stress.rates(&order, &positions, &rates);
                let stored: f64 = (0..positions.len())
                    .map(|index| f64::from(moduli[index] * strains[index].dot(own[index])))
                    .sum();
                let stored = stored / per_cell;
                assert!(taken.abs() > 0.1, "{taken}");
                assert!(
                    (taken - stored).abs() < 1e-4 * taken.abs().max(1.0),
                    "flat {flat}, {sampling:?}, {softest}: {taken} taken, {stored} stored"
                );
            }
        }
    }

    #[test]
    fn even_strain_rates_reach_particles_inside_as_they_are() {
        // Two particles along each axis of a cell, evenly: every sum of weights inside is eight.
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(12), false);
        let positions: Vec<Vec3> = (0..16 * 16 * 16)
            .map(|index| {
                let place = IVec3::new(index % 16, index / 16 % 16, index / 256);
                0.2 + 0.05 * (place.as_vec3() + 0.5)
            })
            .collect();
        let topology: Arc<Topology> = Arc::new(tiles_around(lattice, &positions, 3).build());
        let (order, permutation) = CellOrder::sort(topology, &positions);
        let sorted: Vec<Vec3> = permutation
            .iter()
            .map(|&index| positions[index as usize])
            .collect();
        let none = || Stressed {
            strain: SymmetricTensor::ZERO,
            stiffening: 0.0,
        };
        let stressed: Vec<Stressed> = sorted.iter().map(|_| none()).collect();
        let stress = ElasticStress::of(&order, &sorted, &stressed, 1.0, false, Sampling::Fine);
        let mut rates = Strain::zero(&order.topology);
        for number in 0..6 {
            let field = rates.component_mut(number);
            field.values_mut().fill(0.1 * (1 + number) as f32);
        }
        let expected = SymmetricTensor {
            diagonal: Vec3::new(0.1, 0.2, 0.3),
            shear: Vec3::new(0.4, 0.5, 0.6),
        };
        let own = stress.rates(&order, &sorted, &rates);
        for (point, rate) in sorted.iter().zip(own) {
            if (*point - 0.6).abs().max_element() < 0.25 {
                let apart = (rate + expected * -1.0).norm();
                assert!(apart < 1e-5, "{point}: {rate:?}");
            }
        }
    }
}
