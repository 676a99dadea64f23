//! What a level-set liquid is made of: densities, viscosities and elasticity of its mixture.

use std::iter;
use std::sync::Arc;

use glam::IVec3;
use ooze_core::{Material, Obstacles, Solids};
use ooze_field::{Field, FieldByAxis, Place, Topology};
use rayon::prelude::*;

use super::content::BeforeWalls;
use super::elastic::{self, ElasticLaw};
use super::heat::Warm;
use super::lattices::Cells;
use super::step::{Advance, Stress};
use super::{LevelSetLiquid, Mixture, walls};
use crate::boundary::Boundary;
use crate::elasticity::Strain;
use crate::pressure::Coupling;
use crate::viscosity::{CellViscosity, NEGLIGIBLE, StressRows, ViscousLiquid, diffusion_number};

/// Where a liquid stands, and between which solids.
pub(super) struct Stands<'a> {
    pub(super) phi: &'a Field<f32>,
    /// The level set at the centres of cells.
    pub(super) liquid: &'a Field<f32>,
    pub(super) boundary: &'a Boundary,
    pub(super) obstacles: &'a Obstacles<'a>,
}

impl LevelSetLiquid {
    /// Density of a cell in kg/m³.
    pub(super) fn density(&self, mixture: &Mixture, cell: IVec3) -> f32 {
        mixture.mean(cell, |index| {
            self.setup.materials[usize::from(index)].density
        })
    }

    /// The materials that there are or will be.
    pub(super) fn materials(&self) -> impl Iterator<Item = &Material> {
        let present = self.state.mixture.materials().iter();
        present.map(|&index| &self.setup.materials[usize::from(index)])
    }

    /// The least density of the materials in kg/m³; one where there is no material at all, so that nothing divides by zero.
    pub(super) fn least_density(&self) -> f32 {
        let densities = self.materials().map(|material| material.density);
        densities.reduce(f32::min).unwrap_or(1.0)
    }

    /// Densities at faces; none where they are all the same.
    pub(super) fn face_densities(
        &self,
        mixture: &Mixture,
        topology: &Arc<Topology>,
    ) -> Option<FieldByAxis<f32>> {
        let least = self.least_density();
        if self.materials().all(|material| material.density == least) {
            return None;
        }
        Some(std::array::from_fn(|axis| {
            Field::from_cells(topology, Place::Face(axis), least, |cell| {
                let below = cell - IVec3::AXES[axis];
                0.5 * (self.density(mixture, cell) + self.density(mixture, below))
            })
        }))
    }

    /// What is elastic about the liquid; none if nothing is.
    pub(super) fn elastic_law(&self) -> Option<ElasticLaw> {
        let (materials, mixture) = (&self.setup.materials, &self.state.mixture);
        let cell_size = self.setup.domain.cell_size;
        ElasticLaw::of(materials, mixture, &self.settings, cell_size)
    }

    /// The same of the liquid as warm as it is.
    pub(super) fn warm_elastic_law(&self) -> Option<ElasticLaw> {
        let law = self.elastic_law()?;
        Some(match &self.state.warmth {
            Some(warmth) => law.warm(&self.state.mixture, warmth),
            None => law,
        })
    }

    /// What strain stores in J where its force has rows, with their weights: just what the force can do work with.
    pub(super) fn stored_energy(
        &self,
        law: &ElasticLaw,
        strain: &Strain,
        solids: &dyn Solids,
    ) -> f64 {
        let (state, domain) = (&self.state, &self.setup.domain);
        let cells = Cells::around(&state.surface.phi, domain.lattice());
        let obstacles = Obstacles::new(domain, solids);
        let boundary = self.rasterize(&mut self.fixed.clone(), &cells, &obstacles, -1.0);
        let mixture = state
            .mixture
            .on_tiles(&cells.topology, domain, iter::empty());
        let stands = Stands {
            phi: &state.surface.phi,
            liquid: &cells.liquid,
            boundary: &boundary,
            obstacles: &obstacles,
        };
        let strain = elastic::on_tiles(strain, &cells.topology);
        self.stressed(law, &mixture, &stands, |viscous, rows| {
            viscous.stored(rows, &strain)
        })
    }

    /// The shares of cells with which the rows of stress count.
    pub(super) fn stress_shares(
        &self,
        law: &ElasticLaw,
        mixture: &Mixture,
        stands: &Stands<'_>,
    ) -> Strain {
        self.stressed(law, mixture, stands, |viscous, rows| {
            viscous.stress_shares(rows)
        })
    }

    /// What is found of the rows of stress in a liquid that stands somewhere.
    fn stressed<T>(
        &self,
        law: &ElasticLaw,
        mixture: &Mixture,
        stands: &Stands<'_>,
        found: impl FnOnce(&ViscousLiquid<'_>, &StressRows) -> T,
    ) -> T {
        let mut liquid = stands.liquid.clone();
        walls::part(&mut liquid, stands.phi, stands.boundary);
        let densities = self.face_densities(mixture, liquid.topology());
        let coupling = Coupling {
            liquid: &liquid,
            boundary: stands.boundary,
            density: densities.as_ref(),
            reference_density: self.least_density(),
        };
        let before_walls = BeforeWalls::of(&liquid, stands.boundary);
        let viscous = ViscousLiquid {
            coupling: &coupling,
            obstacles: stands.obstacles,
            viscosity: &law.modulus(mixture, liquid.topology()),
            stiffening: None,
            least_density: self.least_density(),
            discretisation: None,
            content: Some(before_walls.content()),
            settings: self.settings.viscosity,
        };
        let rows = viscous.stress_rows(&viscous.discretisation());
        found(&viscous, &rows)
    }
}

impl Advance<'_> {
    /// The viscosity, if it is on and large enough to matter, with what an implicit elastic step adds.
    pub(super) fn viscosity_to_act(&self, stress: Option<&Stress>) -> Option<CellViscosity> {
        let (liquid, mixture, cells) = (self.liquid, self.mixture, &self.cells.liquid);
        let own = self.own_viscosity();
        let implicit = stress.and_then(|Stress { law, strain, .. }| {
            law.implicit_viscosity(strain, mixture, cells, &own, self.dt)
        });
        let cell_size = f64::from(liquid.setup.domain.cell_size);
        let largest = own.largest();
        let number = diffusion_number(largest, liquid.least_density(), cell_size, self.dt);
        implicit.or_else(|| (number >= NEGLIGIBLE).then_some(own))
    }

    /// The liquid's own viscosity, which follows temperature where heat matters.
    fn own_viscosity(&self) -> CellViscosity {
        let (liquid, mixture, cells) = (self.liquid, self.mixture, &self.cells.liquid);
        let materials = &liquid.setup.materials;
        if !liquid.settings.viscosity.enabled {
            return CellViscosity::Uniform(0.0);
        }
        let by_cell = |viscosity: &(dyn Fn(IVec3) -> f32 + Sync)| {
            Field::from_cells(cells.topology(), Place::Cell, 0.0, viscosity)
        };
        if let Some(Warm { warmth, .. }) = &self.warm {
            let viscosity = by_cell(&|cell| {
                let temperature = warmth.temperature(mixture, cell) as f32;
                mixture.mean(cell, |index| {
                    materials[usize::from(index)].viscosity_at(temperature)
                })
            });
            // No sample of the strain rate that holds liquid is further from it.
            let far = 2.0 * cells.topology().lattice().cell_size;
            let near = viscosity.values().par_iter().zip(cells.values());
            let near = near.map(|(&own, &distance)| if distance < far { own } else { 0.0 });
            return CellViscosity::Varying {
                largest: near.reduce(|| 0.0, f32::max),
                cells: viscosity,
            };
        }
        let own = |index: u8| materials[usize::from(index)].viscosity;
        let present = mixture.materials().iter();
        let largest = present.map(|&index| own(index)).fold(0.0, f32::max);
        if mixture.is_pure() {
            return CellViscosity::Uniform(largest);
        }
        CellViscosity::Varying {
            cells: by_cell(&|cell| mixture.mean(cell, own)),
            largest,
        }
    }
}
