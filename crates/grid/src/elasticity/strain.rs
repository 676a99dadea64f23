//! Strain on the staggered grid (Goktekin 2011, sec. 3.1, 3.5 and 3.6).

use std::sync::Arc;

use glam::{IVec3, Vec3A};
use ooze_core::Elasticity;
use ooze_field::{Field, FieldByAxis, Place, Topology, edge_fields, level_set};
use rayon::prelude::*;

use super::PointLaw;
use super::surroundings::{COMPONENTS, Motion, Surroundings, planes};
use crate::boundary::Boundary;

/// Cells outside the surface beyond which strain is nobody's.
const BAND: f32 = 2.0;

/// A symmetric tensor: diagonal components at cell centres, the component that couples two axes on the edges along the
/// third.
#[derive(Clone, Debug, PartialEq)]
pub struct Strain {
    /// xx, yy and zz.
    pub diagonal: FieldByAxis<f32>,
    /// yz, zx and xy.
    pub shear: FieldByAxis<f32>,
}

impl Strain {
    /// No strain anywhere.
    pub fn zero(topology: &Arc<Topology>) -> Self {
        Self {
            diagonal: std::array::from_fn(|_| Field::new(topology, Place::Cell, 0.0)),
            shear: edge_fields(topology, 0.0),
        }
    }

    /// The component with a number from 0 to 5: the diagonal first.
    pub fn component(&self, number: usize) -> &Field<f32> {
        if number < 3 {
            &self.diagonal[number]
        } else {
            &self.shear[number - 3]
        }
    }

    /// The same, to be changed.
    pub(crate) fn component_mut(&mut self, number: usize) -> &mut Field<f32> {
        if number < 3 {
            &mut self.diagonal[number]
        } else {
            &mut self.shear[number - 3]
        }
    }

    /// The diagonal components as vectors, which are read at once.
    pub fn diagonals(&self) -> Field<Vec3A> {
        let mut vectors = Field::new(self.diagonal[0].topology(), Place::Cell, Vec3A::ZERO);
        vectors.par_tiles_mut().for_each(|(slot, tile)| {
            let [x, y, z] = self.diagonal.each_ref().map(|field| field.tile(slot));
            for (local, vector) in tile.iter_mut().enumerate() {
                *vector = Vec3A::new(x[local], y[local], z[local]);
            }
        });
        vectors
    }

    fn components_mut(&mut self) -> impl Iterator<Item = &mut Field<f32>> {
        self.diagonal.iter_mut().chain(&mut self.shear)
    }

    /// One step of eq. 2.23 without transport, in and near the liquid: what is missing at a cell or an edge is the mean
    /// of the four samples around it (sec. 3.5). `law` tells what a cell is made of. Strain grows at `rates` in 1/s, or as
    /// differences of the velocities say.
    pub fn update(
        &mut self,
        point: &PointLaw,
        velocity: &FieldByAxis<f32>,
        rates: Option<&Strain>,
        liquid: &Field<f32>,
        law: impl Fn(IVec3) -> Elasticity + Sync,
    ) {
        let motion = Motion { velocity, rates };
        self.renew(Some(motion), liquid, |around, place, cell| {
            around.advanced(place, point, &law(cell))
        });
    }

    /// What [`Strain::update`] makes of strain where the liquid rests for `dt` seconds: what is beyond the yield strain flows
    /// away.
    pub fn relax(
        &mut self,
        liquid: &Field<f32>,
        law: impl Fn(IVec3) -> Elasticity + Sync,
        dt: f32,
    ) {
        self.renew(None, liquid, |around, place, cell| {
            around.relaxed(place, &law(cell), dt)
        });
    }

    /// Gives cells and edges in and near the liquid new components, from what is around them.
    fn renew(
        &mut self,
        motion: Option<Motion<'_>>,
        liquid: &Field<f32>,
        renewed: impl Fn(&Surroundings, usize, IVec3) -> [f32; COMPONENTS] + Sync,
    ) {
        let topology = Arc::clone(liquid.topology());
        let band = BAND * topology.lattice().cell_size;
        let tiles: Vec<Option<Vec<[f32; COMPONENTS]>>> = (0..topology.tile_count())
            .into_par_iter()
            .map_init(
                || Surroundings::new(&topology, motion),
                |around, slot| {
                    let distances = liquid.tile(slot);
                    if distances.iter().all(|&distance| distance > band) {
                        return None;
                    }
                    around.load(self, motion, slot);
                    let updated = distances.iter().enumerate().map(|(local, &distance)| {
                        let place = around.place(topology.local_cell(local));
                        if distance > band {
                            around.stored(place)
                        } else {
                            renewed(around, place, topology.cell(slot, local))
                        }
                    });
                    Some(updated.collect())
                },
            )
            .collect();
        for (number, field) in self.components_mut().enumerate() {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                if let Some(updated) = &tiles[slot] {
                    for (value, updated) in tile.iter_mut().zip(updated) {
                        *value = updated[number];
                    }
                }
            });
        }
    }

    /// Continues strain across the surface (∂ε/∂n = 0, alg. 19) and into walls by `layers` layers of samples.
    pub fn extend(&mut self, liquid: &Field<f32>, boundary: &Boundary, layers: u32) {
        let topology = Arc::clone(liquid.topology());
        let lattice = *topology.lattice();
        // No edge is further from the middle of its cell.
        let decided = 1.5 * lattice.cell_size;
        let known = |place: Place| {
            let mut known = Field::new(&topology, place, 0u8);
            known.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, known) in tile.iter_mut().enumerate() {
                    let distance = liquid.tile(slot)[local];
                    if distance > decided {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    let point = lattice.to_world(cell.as_vec3() + place.offset());
                    let wet = distance < -decided || liquid.sample(point) < 0.0;
                    let in_wall = boundary.near(slot) && boundary.distance.sample(point) < 0.0;
                    *known = u8::from(wet && !in_wall);
                }
            });
            known
        };
        let edges = [0, 1, 2].map(|axis| known(Place::Edge(axis)));
        self.continue_from(known(Place::Cell), edges, layers);
    }

    /// Continues strain from the cells and edges where it is known by `layers` layers of samples.
    pub(crate) fn continue_from(
        &mut self,
        mut cells: Field<u8>,
        mut edges: FieldByAxis<u8>,
        layers: u32,
    ) {
        let mut diagonals = self.diagonals();
        level_set::extrapolate(&mut diagonals, &mut cells, layers);
        for (axis, field) in self.diagonal.iter_mut().enumerate() {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (value, diagonal) in tile.iter_mut().zip(diagonals.tile(slot)) {
                    *value = diagonal[axis];
                }
            });
        }
        for (field, known) in self.shear.iter_mut().zip(&mut edges) {
            level_set::extrapolate(field, known, layers);
        }
    }

    /// No shear on walls, as the thesis has it (alg. 18): edges that touch a shut face lose theirs. Diagonal components
    /// behind the wall are those before it, which [`Strain::extend`] sees to.
    pub fn shut_walls(&mut self, boundary: &Boundary) {
        let topology = Arc::clone(self.shear[0].topology());
        for (edge, field) in self.shear.iter_mut().enumerate() {
            let (first, second) = planes(edge);
            field.par_tiles_mut().for_each(|(slot, tile)| {
                if !boundary.near(slot) {
                    return;
                }
                for (local, value) in tile.iter_mut().enumerate() {
                    let cell = topology.cell(slot, local);
                    let shut =
                        [(first, second), (second, first)]
                            .into_iter()
                            .any(|(normal, along)| {
                                let open = &boundary.open[normal];
                                open.get(cell) == 0.0 || open.get(cell - IVec3::AXES[along]) == 0.0
                            });
                    if shut {
                        *value = 0.0;
                    }
                }
            });
        }
    }

    /// The component along `axis` of ∇·ε at the lower face of a cell, per metre, by plain differences (eq. 3.5, alg. 1).
    pub fn divergence(&self, axis: usize, cell: IVec3) -> f32 {
        let lattice = self.diagonal[0].topology().lattice();
        let diagonal = &self.diagonal[axis];
        let mut sum = diagonal.get(cell) - diagonal.get(cell - IVec3::AXES[axis]);
        let axes = lattice.axes();
        for other in (0..axes).filter(|&other| other != axis) {
            // The component that couples both axes lives on the edges along the third.
            let shear = &self.shear[3 - axis - other];
            sum += shear.get(cell + IVec3::AXES[other]) - shear.get(cell);
        }
        sum / lattice.cell_size
    }
}
