//! What a level-set liquid is made of: densities, viscosities and elasticity of its mixture.

use std::sync::Arc;

use glam::IVec3;
use ooze_core::Material;
use ooze_field::{Field, FieldByAxis, Place, Topology};

use super::elastic::ElasticLaw;
use super::{LevelSetLiquid, Mixture};
use crate::elasticity::Strain;
use crate::flip::NEGLIGIBLE;
use crate::viscosity::{CellViscosity, diffusion_number};

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

    /// The viscosity, if it is on and large enough to matter, with what an implicit elastic step adds.
    pub(super) fn viscosity_to_act(
        &self,
        strain: Option<&Strain>,
        mixture: &Mixture,
        liquid: &Field<f32>,
        dt: f64,
    ) -> Option<CellViscosity> {
        let enabled = self.settings.viscosity.enabled;
        let materials = &self.setup.materials;
        let viscosity = |index: u8| {
            let own = materials[usize::from(index)].viscosity;
            if enabled { own } else { 0.0 }
        };
        let implicit = self.elastic_law().zip(strain).and_then(|(law, strain)| {
            law.implicit_viscosity(strain, mixture, liquid, viscosity, dt)
        });
        let present = mixture.materials().iter();
        let largest = present.map(|&index| viscosity(index)).fold(0.0, f32::max);
        let cell_size = f64::from(self.setup.domain.cell_size);
        let number = diffusion_number(largest, self.least_density(), cell_size, dt);
        implicit.or_else(|| {
            (number >= NEGLIGIBLE).then(|| {
                if mixture.is_pure() {
                    return CellViscosity::Uniform(largest);
                }
                let cells = Field::from_cells(liquid.topology(), Place::Cell, 0.0, |cell| {
                    mixture.mean(cell, viscosity)
                });
                CellViscosity::Varying { cells, largest }
            })
        })
    }
}
