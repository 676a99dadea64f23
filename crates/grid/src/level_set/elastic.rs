//! Elasticity of the level-set liquid: strain lives on cells and edges and is carried as velocity is (Goktekin 2011, sec. 3.5,
//! alg. 10 to 14), continued around the liquid and into walls (sec. 3.6, alg. 18 and 19).

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::Elasticity;
use ooze_field::level_set::trace_back;
use ooze_field::{Field, FieldByAxis, Topology, face_fields};
use rayon::prelude::*;

use super::lattices::BAND_CELLS;
use super::{ElasticForce, LevelSetSettings};
use crate::boundary::Boundary;
use crate::elasticity::{
    PointLaw, Strain, SymmetricTensor, explicit_step, implicitness, softening,
};
use crate::flip::FaceVelocity;
use crate::viscosity::CellViscosity;
use crate::{Decay, ElasticityScheme, ElasticitySettings, ViscosityScheme};

/// The elastic behaviour of a liquid.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElasticLaw {
    law: Elasticity,
    density: f32,
    settings: ElasticitySettings,
    force: ElasticForce,
}

impl ElasticLaw {
    /// The behaviour of a material; none if it is not elastic or the stage is off.
    pub(super) fn of(
        elasticity: Option<Elasticity>,
        density: f32,
        settings: &LevelSetSettings,
    ) -> Option<Self> {
        let law = elasticity.filter(|law| law.modulus > 0.0 && settings.elasticity.enabled)?;
        // Other viscous schemes have no solve that an implicit step could share, nor does a force that is not its adjoint.
        let variational = settings.viscosity.scheme == ViscosityScheme::Variational;
        let scheme = if variational && settings.elastic_force == ElasticForce::Adjoint {
            settings.elasticity.scheme
        } else {
            ElasticityScheme::Explicit
        };
        Some(Self {
            law,
            density,
            settings: ElasticitySettings {
                scheme,
                ..settings.elasticity
            },
            force: settings.elastic_force,
        })
    }

    /// The longest stable step, if elasticity limits it, and why.
    pub(super) fn stable_step(&self, cell_size: f32) -> Option<(f64, &'static str)> {
        if self.settings.scheme == ElasticityScheme::Explicit {
            Some(explicit_step(&self.law, self.density, cell_size))
        } else if self.settings.decay == Decay::Explicit && self.law.decay_rate > 0.0 {
            Some((
                1.0 / f64::from(self.law.decay_rate),
                "decay of elastic strain",
            ))
        } else {
            None
        }
    }

    /// The modulus in Pa, as the viscous stage wants it.
    pub(super) fn modulus(&self) -> CellViscosity {
        CellViscosity::Uniform(self.law.modulus)
    }

    /// Whether the force is that of the viscous stage's own strain operator.
    pub(super) fn is_adjoint(&self) -> bool {
        self.force == ElasticForce::Adjoint
    }

    /// What is left of the strain at the end of a step of `dt` seconds in which the liquid rests.
    pub(super) fn relaxed(&self, strain: &Strain, liquid: &Field<f32>, dt: f32) -> Strain {
        let mut relaxed = strain.clone();
        let rest = face_fields(liquid.topology(), 0.0);
        let point = PointLaw::new(&self.settings, dt, axis_count(liquid));
        relaxed.update(&point, &rest, liquid, |_| self.law);
        relaxed
    }

    /// The viscosity in Pa s that makes a step as implicit as it must be, by cell; none for an explicit step.
    pub(super) fn implicit_viscosity(
        &self,
        strain: &Strain,
        liquid: &Field<f32>,
        viscosity: f32,
        dt: f64,
    ) -> Option<CellViscosity> {
        let cell_size = liquid.topology().lattice().cell_size;
        let (limit, _) = explicit_step(&self.law, self.density, cell_size);
        let share = implicitness(self.settings.scheme, limit, dt);
        if share == 0.0 {
            return None;
        }
        let half = (0.5 * share * dt) as f32 * self.law.modulus;
        let cells = Field::from_cells(liquid.topology(), liquid.place(), 0.0, |cell| {
            let tensor = at_cell(strain, cell, axis_count(liquid));
            viscosity + half * softening(tensor, &self.law, dt as f32)
        });
        Some(CellViscosity::Varying {
            cells,
            largest: viscosity + half,
        })
    }

    /// Lets the plain differences of the stress push the faces (Goktekin 2011, eq. 3.5, alg. 1 and 3).
    pub(super) fn push_by_differences(&self, strain: &Strain, grid: &mut FaceVelocity, dt: f64) {
        let strength = (dt * f64::from(self.law.modulus / self.density)) as f32;
        let axes = axis_count(&strain.diagonal[0]);
        for axis in 0..axes {
            let topology = Arc::clone(grid.velocity[axis].topology());
            let known = &grid.known[axis];
            grid.velocity[axis]
                .par_tiles_mut()
                .for_each(|(slot, tile)| {
                    for (local, value) in tile.iter_mut().enumerate() {
                        if known.tile(slot)[local] != 0 {
                            *value +=
                                strength * strain.divergence(axis, topology.cell(slot, local));
                        }
                    }
                });
        }
    }

    /// The strain after a step: carried by the flow, turned, grown and relaxed by it, and continued around the liquid where it
    /// is now.
    pub(super) fn advanced(
        &self,
        strain: &Strain,
        velocity: &FieldByAxis<f32>,
        liquid: &Field<f32>,
        boundary: &Boundary,
        dt: f32,
    ) -> Strain {
        let flow = |point: Vec3| ooze_field::sample_faces(velocity, point);
        let near = 2.5 * liquid.topology().lattice().cell_size;
        let mut carried = on_tiles(strain, liquid.topology());
        for (old, new) in components(strain).zip(components_mut(&mut carried)) {
            let topology = Arc::clone(liquid.topology());
            let place = old.place();
            new.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    if liquid.tile(slot)[local] < near {
                        let cell = topology.cell(slot, local).as_vec3();
                        let point = topology.lattice().to_world(cell + place.offset());
                        *value = old.sample(trace_back(&flow, point, dt));
                    }
                }
            });
        }
        let point = PointLaw::new(&self.settings, dt, axis_count(liquid));
        carried.update(&point, velocity, liquid, |_| self.law);
        carried.extend(liquid, boundary, BAND_CELLS as u32);
        if self.force == ElasticForce::Differences {
            carried.shut_walls(boundary);
        }
        carried
    }
}

fn axis_count(field: &Field<f32>) -> usize {
    if field.topology().lattice().flat {
        2
    } else {
        3
    }
}

/// The six components, the diagonal first.
pub(super) fn components(strain: &Strain) -> impl Iterator<Item = &Field<f32>> {
    strain.diagonal.iter().chain(&strain.shear)
}

fn components_mut(strain: &mut Strain) -> impl Iterator<Item = &mut Field<f32>> {
    strain.diagonal.iter_mut().chain(&mut strain.shear)
}

/// The same strain on other tiles.
pub(super) fn on_tiles(strain: &Strain, topology: &Arc<Topology>) -> Strain {
    let moved = |field: &Field<f32>| {
        Field::from_cells(topology, field.place(), 0.0, |cell| field.get(cell))
    };
    Strain {
        diagonal: strain.diagonal.each_ref().map(moved),
        shear: strain.shear.each_ref().map(moved),
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
