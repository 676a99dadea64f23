//! Heat of the marker-and-cell liquid: carried by upwind differences between cells and by markers to cells that are newly filled
//! (Carlson 2004, eq. 50 and sec. 4.2), conducted as in the other liquids on a grid.
//!
//! Addition: what upwind differences give to one cell they take from another. They are not a flux, so that by themselves they would
//! make heat, or lose it; whichever of both they do too much of is scaled down to the other. Each cell ends up between what its
//! markers brought and what upwind differences have it be. Enthalpy is carried, not temperature, for the sake of latent heat.

use glam::IVec3;
use ooze_core::{ParticleSet, StepError, StepReport};
use ooze_field::{Field, FieldByAxis, Place};
use rayon::prelude::*;

use super::MarkerLiquid;
use super::cells::{Cells, Kind};
use crate::flip::order::CellOrder;
use crate::heat::{CarriedHeat, HeatCells, HeatStage};

/// Heat before a step: what carries it on.
pub(super) struct Warm<'a> {
    pub(super) carried: CarriedHeat<'a>,
    /// Temperatures of cells in kelvin where their markers were; not a number elsewhere.
    before: Field<f64>,
}

impl<'a> Warm<'a> {
    /// What markers hold before they move; nothing where heat does not matter.
    pub(super) fn of(liquid: &'a MarkerLiquid) -> Option<Self> {
        let carried = liquid.carried_heat()?;
        let markers = &liquid.state.markers;
        let (order, permutation) = liquid.sorted(&markers.position);
        let mut sorted = ParticleSet::default();
        markers.gather_into(&permutation, &mut sorted);
        let cells = carried.filled_cells(&order, &sorted);
        let mut before = Field::new(&order.topology, Place::Cell, f64::NAN);
        for (row, filled) in cells.filled.iter().enumerate() {
            before.values_mut()[filled.index] = cells.mixture(row).temperature(filled.heat);
        }
        Some(Self { carried, before })
    }

    /// Lets heat be carried by velocities from before the step, and conducted, and gives markers what their cells have got.
    pub(super) fn pass(
        &self,
        cells: &Cells<'_>,
        order: &CellOrder,
        markers: &mut ParticleSet,
        velocity: &FieldByAxis<f32>,
        (liquid, time, dt): (&MarkerLiquid, f64, f64),
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut heat = self.carried.filled_cells(order, markers);
        self.convect(&mut heat, cells, velocity, dt);
        let distance = distance(cells);
        let stage = HeatStage {
            boundary: cells.boundary,
            obstacles: cells.obstacles,
            liquid: &distance,
            heat: &liquid.setup.heat,
            time,
            dt,
        };
        let heated = stage.pass(&heat, report)?;
        report.heat = Some(heated.flow);
        let curves = &self.carried.thermal.curves;
        let warm: Vec<Vec<f32>> = (0..heat.len())
            .into_par_iter()
            .map(|row| {
                let own = order.cell_particles(heat.filled[row].index);
                // What rounding takes from one is given to the next: over many steps it would add up.
                let mut missing = 0.0;
                let enthalpy = |&material: &u8| {
                    let mass = self.carried.mass(material);
                    let exact = curves[usize::from(material)].enthalpy(heated.after[row]);
                    let stored = (exact + missing / mass) as f32;
                    missing += mass * (exact - f64::from(stored));
                    stored
                };
                markers.material[own].iter().map(enthalpy).collect()
            })
            .collect();
        // The cells are in the order of the markers, and all markers are in one.
        let enthalpies: Vec<f32> = warm.into_iter().flatten().collect();
        self.carried.set(markers, &enthalpies);
        Ok(())
    }

    /// First-order upwind differences, in cells that were liquid before; others hold what their markers have brought.
    fn convect(
        &self,
        heat: &mut HeatCells<'_>,
        cells: &Cells<'_>,
        velocity: &FieldByAxis<f32>,
        dt: f64,
    ) {
        let gains: Vec<f64> = (0..heat.len())
            .into_par_iter()
            .map(|row| {
                let upwind = self.upwind(heat, row, cells, velocity, dt);
                upwind.map_or(0.0, |upwind| upwind - heat.filled[row].heat)
            })
            .collect();
        let total = |sign: f64| -> f64 { gains.iter().map(|gain| (sign * gain).max(0.0)).sum() };
        let (gained, lost) = (total(1.0), total(-1.0));
        let share = |given: f64, taken: f64| if given > taken { taken / given } else { 1.0 };
        let (of_gain, of_loss) = (share(gained, lost), share(lost, gained));
        for (filled, gain) in heat.filled.iter_mut().zip(gains) {
            filled.heat += gain * if gain > 0.0 { of_gain } else { of_loss };
        }
    }

    /// Enthalpy in J of a cell by upwind differences; none if it was not liquid before.
    fn upwind(
        &self,
        heat: &HeatCells<'_>,
        row: usize,
        cells: &Cells<'_>,
        velocity: &FieldByAxis<f32>,
        dt: f64,
    ) -> Option<f64> {
        let cell = heat.cells[row];
        let known = |cell: IVec3| Some(self.before.get(cell)).filter(|own| own.is_finite());
        let own = known(cell)?;
        let mixture = heat.mixture(row);
        let mut from: [(f64, f64); 3] = [(0.0, own); 3];
        for (axis, from) in from.iter_mut().enumerate().take(cells.axes()) {
            let step = IVec3::AXES[axis];
            // The velocity at the centre (eq. 6).
            let speed = 0.5 * (velocity[axis].get(cell) + velocity[axis].get(cell + step));
            let behind = if speed > 0.0 {
                cell - step
            } else {
                cell + step
            };
            if let Some(behind) = known(behind) {
                *from = (f64::from(speed.abs()) * dt / cells.cell_size(), behind);
            }
        }
        // No more can come than there is room for.
        let share = 1.0 / from.iter().map(|(share, _)| share).sum::<f64>().max(1.0);
        let here = mixture.enthalpy(own);
        let arrived = from
            .iter()
            .map(|(part, behind)| part * (mixture.enthalpy(*behind) - here));
        Some(here + share * arrived.sum::<f64>())
    }
}

/// The liquid as heat sees it: a signed distance at cell centres, negative in liquid and in the solids that it touches.
fn distance(cells: &Cells<'_>) -> Field<f32> {
    let half = 0.5 * cells.cell_size() as f32;
    let axes = cells.axes();
    Field::from_cells(&cells.topology, Place::Cell, half, |cell| {
        let touches = || {
            let steps = IVec3::AXES.into_iter().take(axes);
            let mut around = steps.flat_map(|step| [cell - step, cell + step]);
            around.any(|other| cells.is_liquid(other))
        };
        let wet = match cells.kind.get(cell) {
            Kind::Liquid => true,
            Kind::Solid => touches(),
            Kind::Air => false,
        };
        if wet { -half } else { half }
    })
}
