//! Elasticity of the level-set liquid: strain lives on cells and edges and is carried as velocity is (Goktekin 2011, sec. 3.5,
//! alg. 10 to 14), continued around the liquid and into walls (sec. 3.6, alg. 18 and 19).
//!
//! Deviation: strain grows where and as its force does work (`strain_rates`), and is carried after that, so that force and
//! growth belong to the same place of the liquid.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::{Elasticity, Material};
use ooze_field::level_set::trace_back;
use ooze_field::{Field, FieldByAxis, Flow, Place, Topology};
use rayon::prelude::*;

use super::channels;
use super::lattices::{BAND_CELLS, FINE};
use super::mixture::{self, Mixture};
use super::strain_rates::{COMPONENTS, Marks, RowRates};
use super::warmth::Warmth;
use super::{ElasticForce, LevelSetSettings};
use crate::boundary::Boundary;
use crate::elasticity::{
    MaterialLaw, PointLaw, StepBounds, Strain, SymmetricTensor, explicit_limit, implicitness,
    kept_strain, softening,
};
use crate::face_velocity::FaceVelocity;
use crate::viscosity::{CellViscosity, ROOM};
use crate::{ElasticityScheme, ElasticitySettings, ShearMean, ViscosityScheme};

/// Cells from the surface within which strain is carried; beyond, it is continued.
const CARRIED_CELLS: f32 = 2.5;
/// Explicit steps that an implicit one may be long, by waves. At three, surfaces that are drawn inward flutter until crumbs are
/// flung off them; particles would carry on through that, samples are torn.
const LONGEST_IMPLICIT: f64 = 2.0;
/// Modulus of what has melted altogether, as a share of the largest: where moduli of cells make one of an edge, none at all would count
/// as not known, and what sets beside it would hold it.
const SOFTEST: f32 = 1e-9;
/// Decay rate of strain in 1/s in liquids that are not elastic: it is gone within a step.
const FORGETFUL: f32 = 1e6;

/// The elastic behaviour of a liquid, of one material or several.
#[derive(Clone, Debug)]
pub(super) struct ElasticLaw {
    /// By material of the scene.
    by_material: Vec<MaterialLaw>,
    /// How much of each material of the mixture has melted, at cell centres; none where that makes no difference.
    melted: Vec<Field<f32>>,
    /// How moduli of cells make one of an edge.
    edge_mean: ShearMean,
    /// The longest explicit step in seconds, and what limits it.
    limit: (f64, &'static str),
    /// The longest step of an implicit scheme in seconds.
    implicit_step: f64,
    /// Largest modulus in Pa and decay rate in 1/s of what is elastic.
    largest_modulus: f32,
    decay_rate: f32,
    settings: ElasticitySettings,
    force: ElasticForce,
}

impl ElasticLaw {
    /// The behaviour of a scene's materials; none if none of the liquid's is elastic or the stage is off.
    pub(super) fn of(
        materials: &[Material],
        mixture: &Mixture,
        settings: &LevelSetSettings,
        cell_size: f32,
    ) -> Option<Self> {
        let elastic = |law: &Elasticity| law.modulus > 0.0 && settings.elasticity.enabled;
        let present: Vec<(Elasticity, &Material)> = mixture
            .materials()
            .iter()
            .filter_map(|&index| {
                let material = &materials[usize::from(index)];
                Some((material.elasticity.filter(elastic)?, material))
            })
            .collect();
        let stiffness = present
            .iter()
            .map(|(law, material)| f64::from(law.modulus / material.density))
            .reduce(f64::max)?;
        let (waves, _) = explicit_limit(stiffness, 0.0, f64::from(cell_size));
        let largest = |value: fn(&Elasticity) -> f32| {
            let values = present.iter().map(|(law, _)| value(law));
            values.fold(0.0, f32::max)
        };
        let decay_rate = largest(|law| law.decay_rate);
        // Other viscous schemes have no solve that an implicit step could share, nor does a force that is not its adjoint.
        let variational = settings.viscosity.scheme == ViscosityScheme::Variational;
        let scheme = if variational && settings.elastic_force == ElasticForce::Adjoint {
            settings.elasticity.scheme
        } else {
            ElasticityScheme::Explicit
        };
        let forgetful = Elasticity {
            modulus: 0.0,
            yield_strain: 0.0,
            decay_rate: FORGETFUL,
        };
        let of = |material: &Material| {
            let solid = material.elasticity.filter(elastic).unwrap_or(forgetful);
            MaterialLaw::new(material, solid)
        };
        // Faces at the surface may bear more than those inside, and nothing but the length of the step keeps them from ringing: in
        // steps as long as those of particles, which FLIP calms, a cube of 1 MPa shook itself to pieces in free fall.
        let borne = ROOM * stiffness;
        Some(Self {
            by_material: materials.iter().map(of).collect(),
            melted: Vec::new(),
            edge_mean: settings.viscosity.edge_mean,
            limit: explicit_limit(borne, f64::from(decay_rate), f64::from(cell_size)),
            implicit_step: LONGEST_IMPLICIT * waves,
            largest_modulus: largest(|law| law.modulus),
            decay_rate,
            settings: ElasticitySettings {
                scheme,
                ..settings.elasticity
            },
            force: settings.elastic_force,
        })
    }

    /// The law of liquid that is so warm.
    pub(super) fn warm(mut self, mixture: &Mixture, warmth: &Warmth) -> Self {
        let materials = mixture.materials().iter();
        let mut laws = materials.map(|&index| &self.by_material[usize::from(index)]);
        self.melted = match laws.any(MaterialLaw::melts) {
            true => warmth.melted(),
            false => Vec::new(),
        };
        self
    }

    /// The same after the flow has carried what has melted for `dt` seconds; `liquid` is the level set where the liquid is now.
    pub(super) fn advanced(&self, flow: &Flow, liquid: &Field<f32>, dt: f32) -> Self {
        let way = (dt, mixture::CARRIED_CELLS);
        Self {
            melted: channels::carried(&self.melted, flow, liquid, way, |_, _| true),
            ..self.clone()
        }
    }

    /// The law of the mixture in a cell.
    #[inline]
    fn at(&self, mixture: &Mixture, cell: IVec3) -> Elasticity {
        let of = |index: u8| {
            let materials = || mixture.materials().iter();
            let place = || materials().position(|&other| other == index);
            let fields = self.melted.get(place().unwrap_or(0));
            let melted = fields.map(|field| field.get(cell));
            self.by_material[usize::from(index)].of(melted)
        };
        if mixture.is_pure() {
            return of(mixture.materials()[0]);
        }
        let mean = |value: fn(&Elasticity) -> f32| mixture.mean(cell, |index| value(&of(index)));
        Elasticity {
            modulus: mean(|law| law.modulus),
            yield_strain: mean(|law| law.yield_strain),
            decay_rate: mean(|law| law.decay_rate),
        }
    }

    /// The longest stable step in seconds, and what limits it. Walls that let go ask for explicit steps.
    pub(super) fn stable_step(&self, lets_go: bool) -> (f64, &'static str) {
        let bounds = StepBounds {
            explicit: self.limit,
            implicit: self.implicit_step,
            decay_rate: f64::from(self.decay_rate),
        };
        bounds.longest(self.settings.scheme, self.settings.decay, || lets_go)
    }

    /// The moduli in Pa, as the viscous stage wants them.
    pub(super) fn modulus(&self, mixture: &Mixture, topology: &Arc<Topology>) -> CellViscosity {
        if mixture.is_pure() && self.melted.is_empty() {
            return CellViscosity::Uniform(self.largest_modulus);
        }
        CellViscosity::Varying {
            cells: Field::from_cells(topology, Place::Cell, 0.0, |cell| {
                self.counted_modulus(mixture, cell)
            }),
            largest: self.largest_modulus,
        }
    }

    /// The modulus in Pa with which a cell counts for its edges.
    fn counted_modulus(&self, mixture: &Mixture, cell: IVec3) -> f32 {
        let own = self.at(mixture, cell).modulus;
        match self.melted.is_empty() {
            true => own,
            false => own.max(SOFTEST * self.largest_modulus),
        }
    }

    /// Elastic energy ½ μ_e ‖ε‖² in a cell of the fine lattice in J/m³. It is an octant of one cell and of the surroundings of
    /// one edge along each axis, whose components of strain count.
    pub(super) fn energy_density(&self, strain: &Strain, mixture: &Mixture, fine: IVec3) -> f64 {
        let cell = fine.div_euclid(IVec3::splat(FINE));
        let upper = fine - FINE * cell;
        let mut tensor = SymmetricTensor::ZERO;
        let flat = strain.diagonal[0].topology().lattice().flat;
        for axis in 0..3 {
            tensor.diagonal[axis] = strain.diagonal[axis].get(cell);
            if axis == 2 || !flat {
                let mut nearest = cell + upper;
                nearest[axis] = cell[axis];
                tensor.shear[axis] = strain.shear[axis].get(nearest);
            }
        }
        let modulus = f64::from(self.at(mixture, cell).modulus);
        0.5 * modulus * f64::from(tensor.dot(tensor))
    }

    /// Whether the force is that of the viscous stage's own strain operator.
    pub(super) fn is_adjoint(&self) -> bool {
        self.force == ElasticForce::Adjoint
    }

    /// Lets strain follow what has melted and set since the law was `before` (see [`kept_strain`]).
    pub(super) fn follow_melting(&self, before: &Self, mixture: &Mixture, strain: &mut Strain) {
        if self.melted.is_empty() {
            return;
        }
        let modulus = |law: &Self, cell: IVec3| law.at(mixture, cell).modulus;
        let kept =
            |moduli: &(dyn Fn(&Self) -> f32 + Sync)| kept_strain(moduli(before), moduli(self));
        for number in 0..COMPONENTS {
            let field = strain.component_mut(number);
            let topology = Arc::clone(field.topology());
            let edge_mean = self.edge_mean;
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    if *value == 0.0 {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    *value *= match number.checked_sub(3) {
                        None => kept(&|law| modulus(law, cell)),
                        Some(edge) => kept(&|law| {
                            let (a, b) = (IVec3::AXES[(edge + 1) % 3], IVec3::AXES[(edge + 2) % 3]);
                            let around = [IVec3::ZERO, a, b, a + b];
                            edge_mean
                                .of(around.map(|step| law.counted_modulus(mixture, cell - step)))
                        }),
                    };
                }
            });
        }
    }

    /// What is left of the strain at the end of a step of `dt` seconds in which the liquid rests.
    pub(super) fn relaxed(
        &self,
        strain: &Strain,
        mixture: &Mixture,
        liquid: &Field<f32>,
        dt: f32,
    ) -> Strain {
        let mut relaxed = strain.clone();
        relaxed.relax(liquid, |cell| self.at(mixture, cell), dt);
        relaxed
    }

    /// The viscosity in Pa s that makes a step as implicit as it must be, by cell; none for an explicit step. `viscosity` is
    /// the liquid's own.
    pub(super) fn implicit_viscosity(
        &self,
        strain: &Strain,
        mixture: &Mixture,
        liquid: &Field<f32>,
        viscosity: &CellViscosity,
        dt: f64,
    ) -> Option<CellViscosity> {
        let share = implicitness(self.settings.scheme, self.limit.0, dt);
        if share == 0.0 {
            return None;
        }
        let half = (0.5 * share * dt) as f32;
        // No sample of the strain rate that holds liquid is further from it.
        let far = 2.0 * liquid.topology().lattice().cell_size;
        let cells = Field::from_cells(liquid.topology(), liquid.place(), 0.0, |cell| {
            if liquid.get(cell) > far {
                return viscosity.at(cell);
            }
            let tensor = at_cell(strain, cell, liquid.topology().lattice().axes());
            let law = self.at(mixture, cell);
            viscosity.at(cell) + half * law.modulus * softening(tensor, &law, dt as f32)
        });
        Some(CellViscosity::Varying {
            cells,
            largest: viscosity.largest() + half * self.largest_modulus,
        })
    }

    /// Lets the plain differences of the stress push the faces (Goktekin 2011, eq. 3.5, alg. 1 and 3).
    /// `density` tells the density of a cell in kg/m³.
    pub(super) fn push_by_differences(
        &self,
        strain: &Strain,
        mixture: &Mixture,
        grid: &mut FaceVelocity,
        density: impl Fn(IVec3) -> f32 + Sync,
        dt: f64,
    ) {
        let axes = strain.diagonal[0].topology().lattice().axes();
        for axis in 0..axes {
            let topology = Arc::clone(grid.velocity[axis].topology());
            let known = &grid.known[axis];
            grid.velocity[axis]
                .par_tiles_mut()
                .for_each(|(slot, tile)| {
                    for (local, value) in tile.iter_mut().enumerate() {
                        if known.tile(slot)[local] != 0 {
                            let cell = topology.cell(slot, local);
                            let modulus = self.at(mixture, cell).modulus;
                            let strength = dt as f32 * modulus / density(cell);
                            *value += strength * strain.divergence(axis, cell);
                        }
                    }
                });
        }
    }

    /// Strain after the velocities have turned, stretched and relaxed it in the liquid where it is, continued around it. It grows
    /// at the rates of the rows that its force is made of.
    pub(super) fn strained(
        &self,
        mut strain: Strain,
        mixture: &Mixture,
        velocity: &FieldByAxis<f32>,
        rates: &RowRates,
        liquid: &Field<f32>,
        dt: f32,
    ) -> Strain {
        let point = PointLaw::new(&self.settings, dt, liquid.topology().lattice().axes());
        let law = |cell: IVec3| self.at(mixture, cell);
        strain.update(&point, velocity, Some(rates.rates()), liquid, law);
        let Marks { cells, edges } = rates.known();
        strain.continue_from(cells, edges, BAND_CELLS as u32);
        strain
    }

    /// Strain that the flow has carried after differences of the velocities have turned, stretched and relaxed it, continued around
    /// the liquid where it is now (Goktekin 2011, alg. 10 to 14, 18 and 19).
    pub(super) fn strained_by_differences(
        &self,
        mut carried: Strain,
        mixture: &Mixture,
        velocity: &FieldByAxis<f32>,
        liquid: &Field<f32>,
        boundary: &Boundary,
        dt: f32,
    ) -> Strain {
        let point = PointLaw::new(&self.settings, dt, liquid.topology().lattice().axes());
        let law = |cell: IVec3| self.at(mixture, cell);
        carried.update(&point, velocity, None, liquid, law);
        carried.extend(liquid, boundary, BAND_CELLS as u32);
        carried.shut_walls(boundary);
        carried
    }
}

/// Strain after the flow has carried it for `dt` seconds, in and near the liquid. Components that live at the same place come
/// the same way.
pub(super) fn carried(strain: &Strain, flow: &Flow, liquid: &Field<f32>, dt: f32) -> Strain {
    let topology = liquid.topology();
    let lattice = *topology.lattice();
    let velocity = |point: Vec3| flow.at(point);
    let near = CARRIED_CELLS * lattice.cell_size;
    let mut carried = Strain::zero(topology);
    let trace = |place: Place, slot: usize, local: usize| {
        let wanted = liquid.tile(slot)[local] < near;
        wanted.then(|| {
            let cell = topology.cell(slot, local).as_vec3();
            trace_back(&velocity, lattice.to_world(cell + place.offset()), dt)
        })
    };
    let diagonal = strain.diagonals();
    let [x, y, z] = &mut carried.diagonal;
    x.par_tiles_mut()
        .zip(y.par_tiles_mut())
        .zip(z.par_tiles_mut())
        .for_each(|(((slot, x), (_, y)), (_, z))| {
            for local in 0..x.len() {
                if let Some(from) = trace(Place::Cell, slot, local) {
                    [x[local], y[local], z[local]] = diagonal.sample(from).to_array();
                }
            }
        });
    let first_edge = if lattice.flat { 2 } else { 0 };
    for edge in first_edge..3 {
        let old = &strain.shear[edge];
        carried.shear[edge]
            .par_tiles_mut()
            .for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    if let Some(from) = trace(Place::Edge(edge), slot, local) {
                        *value = old.sample(from);
                    }
                }
            });
    }
    carried
}

/// The six components, the diagonal first.
pub(super) fn components(strain: &Strain) -> impl Iterator<Item = &Field<f32>> {
    strain.diagonal.iter().chain(&strain.shear)
}

/// The same strain on other tiles.
pub(super) fn on_tiles(strain: &Strain, topology: &Arc<Topology>) -> Strain {
    let moved = |fields: &FieldByAxis<f32>| fields.each_ref().map(|field| field.on_tiles(topology));
    Strain {
        diagonal: moved(&strain.diagonal),
        shear: moved(&strain.shear),
    }
}

/// The whole tensor at a cell's centre.
fn at_cell(strain: &Strain, cell: IVec3, axes: usize) -> SymmetricTensor {
    let mut tensor = SymmetricTensor::ZERO;
    for axis in 0..3 {
        tensor.diagonal[axis] = strain.diagonal[axis].get(cell);
    }
    let edges = if axes == 2 { 2..3 } else { 0..3 };
    for edge in edges {
        let (a, b) = (IVec3::AXES[(edge + 1) % 3], IVec3::AXES[(edge + 2) % 3]);
        let around = [cell, cell + a, cell + b, cell + a + b];
        tensor.shear[edge] = 0.25
            * around
                .map(|cell| strain.shear[edge].get(cell))
                .iter()
                .sum::<f32>();
    }
    tensor
}
