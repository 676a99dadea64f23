//! The cells that hold liquid: how much of which material, and what that holds of heat.
//!
//! Tracing back is not conservative. What it makes or takes is given back where temperatures differ, in proportion to how far
//! each cell is from the warmest or coldest next to it: nothing leads beyond what was there, and what is equally warm stays so.

use std::sync::Arc;

use glam::IVec3;
use ooze_core::Material;
use ooze_field::{Field, Place, Topology, fraction};
use rayon::prelude::*;

use super::lattices::FINE;
use super::{Mixture, Warmth};

/// Share of a cell up to which its liquid is too little to count.
const LEAST_SHARE: f32 = 1e-3;
/// Share from which on a cell takes what rounding took from others: little liquid would have to take too much of it.
const TAKES_ROUNDING: f32 = 0.5;

/// A cell that holds liquid.
#[derive(Clone, Copy, Debug)]
pub(super) struct WetCell {
    /// Its number in storage.
    pub(super) index: usize,
    pub(super) cell: IVec3,
    /// Share of it that is liquid.
    pub(super) share: f32,
}

/// All of them, in the order of storage.
pub(super) struct WetCells {
    pub(super) cells: Vec<WetCell>,
    /// Materials of the mixture.
    pub(super) materials: usize,
    /// Of each cell the mass in kg of each material.
    masses: Vec<f64>,
}

/// What a liquid held before it was carried on.
pub(super) struct Held {
    /// Of each material the mass in kg and the enthalpy in J.
    masses: Vec<f64>,
    heats: Vec<f64>,
    /// The lowest and the highest temperature in kelvin; the other way round if there was no liquid.
    range: [f64; 2],
}

impl WetCells {
    /// The cells of a level set on the fine lattice that is cut off at the solids.
    pub(super) fn find(
        shown: &Field<f32>,
        mixture: &Mixture,
        materials: &[Material],
        topology: &Arc<Topology>,
    ) -> Self {
        let fine = fraction::cell_fractions(shown);
        let each = topology.tile_cells();
        let tiles = (0..topology.tile_count()).into_par_iter();
        let cells: Vec<WetCell> = tiles
            .flat_map_iter(|slot| {
                let fine = &fine;
                (0..each).filter_map(move |local| {
                    let cell = topology.cell(slot, local);
                    let share = share_of(fine, cell);
                    (share > LEAST_SHARE).then_some(WetCell {
                        index: slot * each + local,
                        cell,
                        share,
                    })
                })
            })
            .collect();
        let count = mixture.materials().len();
        let densities: Vec<f64> = mixture
            .materials()
            .iter()
            .map(|&index| f64::from(materials[usize::from(index)].density))
            .collect();
        let volume = topology.lattice().cell_volume();
        let mut masses = vec![0.0; count * cells.len()];
        masses
            .par_chunks_mut(count.max(1))
            .zip(&cells)
            .for_each(|(masses, wet)| {
                for (index, share) in mixture.portions(wet.cell) {
                    let own = f64::from(wet.share) * f64::from(share) * volume;
                    masses[index] = own * densities[index];
                }
            });
        Self {
            cells,
            materials: count,
            masses,
        }
    }

    /// The masses in kg of the materials in a cell.
    pub(super) fn masses(&self, number: usize) -> &[f64] {
        &self.masses[self.materials * number..][..self.materials]
    }

    /// Of each cell the enthalpy of each material in J/kg.
    pub(super) fn enthalpies(&self, warmth: &Warmth) -> Vec<f64> {
        let cells = self.cells.par_iter();
        cells
            .flat_map_iter(|wet| {
                let fields = warmth.enthalpies.iter();
                fields.map(|field| f64::from(field.values()[wet.index]))
            })
            .collect()
    }

    /// Sum over the cells of what each material has: its mass in kg times what is given for a kilogram.
    fn sums(&self, specific: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.materials];
        for (place, mass) in self.masses.iter().enumerate() {
            sums[place % self.materials] += mass * specific(place);
        }
        sums
    }

    fn total(&self, specific: &[f64]) -> f64 {
        self.sums(|place| specific[place]).iter().sum()
    }

    /// Enthalpy of the liquid in J.
    pub(super) fn content(&self, warmth: &Warmth) -> f64 {
        self.total(&self.enthalpies(warmth))
    }

    /// What there is to hold, between these temperatures in kelvin.
    pub(super) fn held(&self, warmth: &Warmth, range: [f64; 2]) -> Held {
        let specific = self.enthalpies(warmth);
        Held {
            masses: self.sums(|_| 1.0),
            heats: self.sums(|place| specific[place]),
            range,
        }
    }

    /// Marks of the cells.
    pub(super) fn marks(&self, topology: &Arc<Topology>) -> Field<u8> {
        let mut marks = Field::new(topology, Place::Cell, 0u8);
        for wet in &self.cells {
            marks.values_mut()[wet.index] = 1;
        }
        marks
    }

    /// Gives cells enthalpies. What rounding takes from one is given to the next: over many steps it would add up.
    pub(super) fn store(&self, warmth: &mut Warmth, enthalpies: &[f64]) {
        let mut missing = 0.0;
        for (number, wet) in self.cells.iter().enumerate() {
            let masses = self.masses(number);
            let mass: f64 = masses.iter().sum();
            let extra = match wet.share >= TAKES_ROUNDING && mass > 0.0 {
                true => std::mem::take(&mut missing) / mass,
                false => 0.0,
            };
            let own = &enthalpies[self.materials * number..];
            for ((field, &wanted), mass) in warmth.enthalpies.iter_mut().zip(own).zip(masses) {
                let stored = (wanted + extra) as f32;
                missing += mass * (wanted + extra - f64::from(stored));
                field.values_mut()[wet.index] = stored;
            }
        }
    }

    /// Gives carried liquid the heat back that it held, and tells what came in J with liquid that is new, less what left with
    /// liquid that is gone: of each material what it holds on average.
    pub(super) fn restore(&self, held: &Held, warmth: &mut Warmth) -> f64 {
        let [coldest, hottest] = held.range;
        if coldest > hottest {
            // There was none.
            return self.content(warmth);
        }
        let mut specific = self.enthalpies(warmth);
        let (masses, now) = (self.sums(|_| 1.0), self.sums(|place| specific[place]));
        let wanted: f64 = (0..self.materials)
            .map(|index| match held.masses[index] > 0.0 {
                true => held.heats[index] / held.masses[index] * masses[index],
                false => now[index],
            })
            .sum();
        let bounds: Vec<[f64; 2]> = warmth
            .curves
            .iter()
            .map(|curve| held.range.map(|temperature| curve.enthalpy(temperature)))
            .collect();
        let bound = |place: usize| bounds[place % self.materials];
        specific
            .par_iter_mut()
            .enumerate()
            .for_each(|(place, own)| {
                let [least, most] = bound(place);
                *own = own.clamp(least, most);
            });
        let around = |place: usize| {
            let (number, index) = (place / self.materials, place % self.materials);
            let [least, most] = bound(place);
            neighbourhood(&warmth.enthalpies[index], self.cells[number].cell)
                .map(|enthalpy| enthalpy.clamp(least, most))
        };
        let mut missing = wanted - self.total(&specific);
        missing -= self.spread(&mut specific, missing, around);
        missing -= self.spread(&mut specific, missing, bound);
        self.store(warmth, &specific);
        wanted - missing - held.heats.iter().sum::<f64>()
    }

    /// Spreads heat in J over cells in proportion to their ways to a bound, and tells how much of it there was room for.
    fn spread(
        &self,
        specific: &mut [f64],
        missing: f64,
        bounds: impl Fn(usize) -> [f64; 2] + Sync,
    ) -> f64 {
        let ways: Vec<f64> = specific
            .par_iter()
            .enumerate()
            .map(|(place, own)| {
                let [least, most] = bounds(place);
                match missing > 0.0 {
                    true => (most - own).max(0.0),
                    false => (least - own).min(0.0),
                }
            })
            .collect();
        let room = self.total(&ways);
        if room == 0.0 {
            return 0.0;
        }
        let share = (missing / room).min(1.0);
        for (own, way) in specific.iter_mut().zip(ways) {
            *own += share * way;
        }
        share * room
    }
}

/// Share of a cell that is liquid, from those of the cells of the fine lattice in it.
fn share_of(fine: &Field<f32>, cell: IVec3) -> f32 {
    let corner = |number: i32| IVec3::new(number & 1, number >> 1 & 1, number >> 2);
    let shares = (0..8).map(|number| fine.get(FINE * cell + corner(number)));
    // In flat lattices each counts twice.
    shares.sum::<f32>() / 8.0
}

/// The smallest and the largest value of a cell and those that share a face with it.
fn neighbourhood(field: &Field<f32>, cell: IVec3) -> [f64; 2] {
    let axes = field.topology().lattice().axes();
    let steps = IVec3::AXES.into_iter().take(axes);
    let others = steps.flat_map(|step| [cell - step, cell + step]);
    let values = others.map(|other| field.get(other));
    let own = field.get(cell);
    let range = values.fold([own; 2], |[least, most], value| {
        [least.min(value), most.max(value)]
    });
    range.map(f64::from)
}
