//! What the cells of a liquid hold: how much of which material, and how much heat.

use std::sync::Arc;

use glam::IVec3;
use ooze_core::{EnthalpyCurve, Material};
use ooze_field::{Field, Place, Topology};

/// Marks cells without liquid.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// What heat needs to know of materials.
#[derive(Clone, Debug)]
pub(crate) struct ThermalMaterials {
    /// Enthalpy over temperature, by material.
    pub(crate) curves: Vec<EnthalpyCurve>,
    /// Conductivities in W/(m K); zero for materials that take no part.
    pub(crate) conductivities: Vec<f64>,
}

impl ThermalMaterials {
    pub(crate) fn new(materials: &[Material]) -> Self {
        let conductivity = |material: &Material| {
            let thermal = material.thermal.as_ref();
            thermal.map_or(0.0, |thermal| f64::from(thermal.conductivity))
        };
        Self {
            curves: materials.iter().map(EnthalpyCurve::of).collect(),
            conductivities: materials.iter().map(conductivity).collect(),
        }
    }
}

/// How much a cell has of one material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Portion {
    pub(crate) material: u8,
    /// In kg.
    pub(crate) mass: f64,
}

/// A cell that holds liquid.
#[derive(Clone, Debug)]
pub(crate) struct FilledCell {
    /// Its number in storage.
    pub(crate) index: usize,
    pub(crate) portions: Vec<Portion>,
    /// Enthalpy in J.
    pub(crate) heat: f64,
    /// In cubic metres.
    pub(crate) volume: f64,
}

/// The cells of a liquid, in the order of storage: a row for each.
pub(crate) struct HeatCells<'a> {
    pub(crate) materials: &'a ThermalMaterials,
    pub(crate) filled: Vec<FilledCell>,
    pub(crate) cells: Vec<IVec3>,
    /// Row of each cell.
    pub(crate) row: Field<u32>,
}

impl<'a> HeatCells<'a> {
    pub(crate) fn new(
        topology: &Arc<Topology>,
        filled: Vec<FilledCell>,
        materials: &'a ThermalMaterials,
    ) -> Self {
        let mut row = Field::new(topology, Place::Cell, NO_ROW);
        for (number, cell) in filled.iter().enumerate() {
            row.values_mut()[cell.index] = number as u32;
        }
        let each = topology.tile_cells();
        let place = |cell: &FilledCell| topology.cell(cell.index / each, cell.index % each);
        Self {
            materials,
            cells: filled.iter().map(place).collect(),
            filled,
            row,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.filled.len()
    }

    /// Enthalpy over temperature of a whole cell.
    #[inline]
    pub(crate) fn mixture(&self, row: usize) -> Mixture<'_> {
        Mixture {
            curves: &self.materials.curves,
            portions: &self.filled[row].portions,
        }
    }

    /// Conductivity of a cell in W/(m K): the mean of its portions.
    pub(crate) fn conductivity(&self, row: usize) -> f64 {
        let portions = &self.filled[row].portions;
        let mass: f64 = portions.iter().map(|portion| portion.mass).sum();
        let of = |portion: &Portion| {
            self.materials.conductivities[usize::from(portion.material)] * portion.mass
        };
        portions.iter().map(of).sum::<f64>() / mass
    }
}

/// The materials of a cell, which share one temperature.
pub(crate) struct Mixture<'a> {
    curves: &'a [EnthalpyCurve],
    portions: &'a [Portion],
}

impl Mixture<'_> {
    fn curve(&self, portion: &Portion) -> &EnthalpyCurve {
        &self.curves[usize::from(portion.material)]
    }

    fn sum(&self, of: impl Fn(&EnthalpyCurve) -> f64) -> f64 {
        let portions = self.portions.iter();
        portions
            .map(|portion| portion.mass * of(self.curve(portion)))
            .sum()
    }

    /// Enthalpy in J at a temperature in kelvin.
    pub(crate) fn enthalpy(&self, temperature: f64) -> f64 {
        self.sum(|curve| curve.enthalpy(temperature))
    }

    /// How it rises with temperature, in J/K.
    pub(crate) fn slope(&self, temperature: f64) -> f64 {
        self.sum(|curve| curve.slope(temperature))
    }

    /// The least that it rises, in J/K: without any latent heat.
    pub(crate) fn least_slope(&self) -> f64 {
        self.sum(EnthalpyCurve::specific_heat)
    }

    /// Temperature in kelvin at an enthalpy in J.
    pub(crate) fn temperature(&self, enthalpy: f64) -> f64 {
        if let [only] = self.portions {
            return self.curve(only).temperature(enthalpy / only.mass);
        }
        let kinks = self
            .portions
            .iter()
            .filter_map(|portion| self.curve(portion).kinks());
        let mut kinks: Vec<f64> = kinks.flatten().collect();
        kinks.sort_by(f64::total_cmp);
        // Straight from a known point, within the piece between two kinks.
        let above = kinks.partition_point(|&kink| self.enthalpy(kink) <= enthalpy);
        let (from, slope) = match (
            above.checked_sub(1).map(|below| kinks[below]),
            kinks.get(above),
        ) {
            (Some(low), Some(&high)) => (low, self.slope(0.5 * (low + high))),
            (Some(low), None) => (low, self.least_slope()),
            (None, Some(&high)) => (high, self.least_slope()),
            (None, None) => (0.0, self.least_slope()),
        };
        from + (enthalpy - self.enthalpy(from)) / slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_a_cell_shares_a_temperature() {
        let presets = ["wax", "chocolate", "water"];
        let materials: Vec<Material> = presets
            .iter()
            .map(|name| Material::preset(name).expect("a preset"))
            .collect();
        let thermal = ThermalMaterials::new(&materials);
        for count in 1..=3 {
            let portions: Vec<Portion> = (0..count)
                .map(|material| Portion {
                    material,
                    mass: 0.1 + 0.3 * f64::from(material),
                })
                .collect();
            let mixture = Mixture {
                curves: &thermal.curves,
                portions: &portions,
            };
            for kelvin in 250..380 {
                let temperature = f64::from(kelvin) + 0.37;
                let back = mixture.temperature(mixture.enthalpy(temperature));
                assert!(
                    (back - temperature).abs() < 1e-6,
                    "{count}: {back} {temperature}"
                );
            }
        }
    }
}
