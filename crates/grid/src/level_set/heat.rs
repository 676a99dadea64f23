//! Heat of the level-set liquid: where it passes between cells, and what becomes of it when they are carried on.
//!
//! A cell that holds little of the liquid that it has room for counts with a neighbour that holds more, and shares its
//! temperature: slivers of a surface conduct within no time, and would ask for the costliest solve in every step.

use glam::IVec3;
use ooze_core::{HeatMeasure, LiquidSetup, StepError, StepReport};
use ooze_field::{Field, Flow, Place};
use rayon::prelude::*;

use super::step::Advance;
use super::wet_cells::{Held, WetCells};
use super::{LevelSetLiquid, LevelSetState, VelocityAdvection, Warmth};
use crate::boundary::Boundary;
use crate::heat::{FilledCell, HeatCells, HeatStage, NO_ROW, Portion};

/// Share of its room, and of itself, below which a cell counts with its fullest neighbour, if it has one.
const SLIVER_OF_ROOM: f32 = 0.25;
const SLIVER: f32 = 0.05;

/// The heat of a liquid in a step.
pub(super) struct Warm {
    pub(super) warmth: Warmth,
    /// What is to be kept when it is carried on.
    held: Held,
}

impl Advance<'_> {
    /// Lets heat pass between the cells of the liquid as it is at the start of the step; `warmth` is that of its state with what
    /// emitters drive.
    pub(super) fn heat(
        &mut self,
        mut warmth: Warmth,
        time: f64,
        boundary: &Boundary,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let (liquid, topology) = (self.liquid, &self.cells.topology);
        let LevelSetLiquid { setup, state, .. } = liquid;
        let wet = WetCells::find(&state.shown, self.mixture, &setup.materials, topology);
        let enthalpies = wet.enthalpies(&warmth);
        let rows = Rows::new(&wet, boundary);
        let volume = topology.lattice().cell_volume();
        let filled = rows.filled(&wet, self.mixture.materials(), &enthalpies, volume);
        let cells = HeatCells::new(topology, filled, &liquid.thermal);
        let stage = HeatStage {
            boundary,
            obstacles: self.obstacles,
            liquid: &self.cells.liquid,
            heat: &setup.heat,
            time,
            dt: self.dt,
        };
        let heated = stage.pass(&cells, report)?;
        let mut flow = heated.flow;
        if !setup.emitters.is_empty() {
            flow.carried += wet.content(&warmth) - liquid.heat_content(state);
        }
        report.heat = Some(flow);
        let warm: Vec<f64> = rows
            .row
            .par_iter()
            .flat_map_iter(|&row| {
                let temperature = heated.after[row as usize];
                warmth
                    .curves
                    .iter()
                    .map(move |curve| curve.enthalpy(temperature))
            })
            .collect();
        wet.store(&mut warmth, &warm);
        warmth.extrapolate(&wet.marks(topology));
        let range = heated
            .after
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], &own| {
                [least.min(own), most.max(own)]
            });
        let held = wet.held(&warmth, range);
        self.warm = Some(Warm { warmth, held });
        Ok(())
    }

    /// Carries heat along with the flow, to where the level set of cells has `moved` between solids that stand where the
    /// step has `departed`, and gives back what that has taken.
    pub(super) fn carry_heat(
        &self,
        state: &mut LevelSetState,
        flow: &Flow,
        moved: &Field<f32>,
        departed: &Boundary,
        report: &mut StepReport,
    ) {
        let Some(Warm { warmth, held }) = self.warm.as_ref() else {
            return;
        };
        let (shown, materials) = (&state.shown, &self.liquid.setup.materials);
        let wet = WetCells::find(shown, &state.mixture, materials, &self.cells.topology);
        let dt = self.dt as f32;
        let mut carried = match self.liquid.settings.velocity_advection {
            VelocityAdvection::SemiLagrangian => warmth.advanced(flow, moved, dt),
            VelocityAdvection::MacCormack => {
                warmth.advanced_there_and_back(flow, moved, departed, dt)
            }
        };
        let came = wet.restore(held, &mut carried);
        state.warmth = Some(carried);
        if let Some(booked) = &mut report.heat {
            booked.carried += came;
        }
    }
}

/// The rows of the heat stage: cells together with the slivers around them.
struct Rows {
    /// The cell that each row is named after.
    heads: Vec<usize>,
    /// The row of each cell.
    row: Vec<u32>,
}

impl Rows {
    fn new(wet: &WetCells, boundary: &Boundary) -> Self {
        let topology = boundary.room.topology();
        let axes = topology.lattice().axes();
        let mut number = Field::new(topology, Place::Cell, NO_ROW);
        for (own, wet) in wet.cells.iter().enumerate() {
            number.values_mut()[wet.index] = own as u32;
        }
        let stands = |number: usize| {
            let wet = &wet.cells[number];
            let room = boundary.room.values()[wet.index];
            wet.share >= SLIVER && wet.share >= SLIVER_OF_ROOM * room
        };
        let head = |own: usize| {
            if stands(own) {
                return own;
            }
            let cell = wet.cells[own].cell;
            let steps = IVec3::AXES.into_iter().take(axes);
            let around = steps.flat_map(|step| [cell - step, cell + step]);
            let others = around.map(|other| number.get(other));
            let others = others
                .filter(|&other| other != NO_ROW && stands(other as usize))
                .map(|other| other as usize);
            let fullest =
                others.reduce(
                    |best, other| match wet.cells[other].share > wet.cells[best].share {
                        true => other,
                        false => best,
                    },
                );
            fullest.unwrap_or(own)
        };
        let head_of: Vec<usize> = (0..wet.cells.len()).into_par_iter().map(head).collect();
        let mut own_row = vec![NO_ROW; head_of.len()];
        let mut heads = Vec::new();
        for (own, &head) in head_of.iter().enumerate() {
            if own == head {
                own_row[own] = heads.len() as u32;
                heads.push(own);
            }
        }
        Self {
            heads,
            row: head_of.into_iter().map(|head| own_row[head]).collect(),
        }
    }

    /// What the rows hold, of cells with these enthalpies in J/kg and of this volume in cubic metres.
    fn filled(
        &self,
        wet: &WetCells,
        materials: &[u8],
        enthalpies: &[f64],
        volume: f64,
    ) -> Vec<FilledCell> {
        let none = |&material: &u8| Portion {
            material,
            mass: 0.0,
        };
        let empty = |&head: &usize| FilledCell {
            index: wet.cells[head].index,
            portions: materials.iter().map(none).collect(),
            heat: 0.0,
            volume: 0.0,
        };
        let mut filled: Vec<FilledCell> = self.heads.iter().map(empty).collect();
        for (number, &row) in self.row.iter().enumerate() {
            let cell = &mut filled[row as usize];
            cell.volume += volume * f64::from(wet.cells[number].share);
            let own = &enthalpies[materials.len() * number..];
            let masses = wet.masses(number).iter().zip(own);
            for ((mass, enthalpy), portion) in masses.zip(&mut cell.portions) {
                portion.mass += mass;
                cell.heat += mass * enthalpy;
            }
        }
        for cell in &mut filled {
            cell.portions.retain(|portion| portion.mass > 0.0);
        }
        filled
    }
}

impl LevelSetLiquid {
    /// The cells that hold liquid, where heat matters.
    fn wet_cells<'a>(&self, state: &'a LevelSetState) -> Option<(WetCells, &'a Warmth)> {
        let warmth = state.warmth.as_ref()?;
        let topology = warmth.enthalpies.first()?.topology();
        let materials = &self.setup.materials;
        let wet = WetCells::find(&state.shown, &state.mixture, materials, topology);
        Some((wet, warmth))
    }

    /// Enthalpy of the liquid in J; zero where heat does not matter.
    pub(super) fn heat_content(&self, state: &LevelSetState) -> f64 {
        let wet = self.wet_cells(state);
        wet.map_or(0.0, |(wet, warmth)| wet.content(warmth))
    }

    /// The same if sources could change it.
    pub(super) fn content_before_sources(&self, state: &LevelSetState) -> Option<f64> {
        let LiquidSetup {
            domain,
            emitters,
            drains,
            ..
        } = &self.setup;
        let open = !emitters.is_empty() || !drains.is_empty() || domain.has_open_sides();
        (open && state.warmth.is_some()).then(|| self.heat_content(state))
    }

    /// Notes what came and went with the liquid since there was so much heat in it.
    pub(super) fn book_sources(
        &self,
        before: Option<f64>,
        state: &LevelSetState,
        report: &mut StepReport,
    ) {
        if let (Some(before), Some(flow)) = (before, &mut report.heat) {
            flow.carried += self.heat_content(state) - before;
        }
    }

    /// The figures of its heat, where it matters and there is any liquid.
    pub(super) fn heat_measure(&self) -> Option<HeatMeasure> {
        let state = &self.state;
        let (wet, warmth) = self.wet_cells(state)?;
        if wet.cells.is_empty() {
            return None;
        }
        let temperatures: Vec<f64> = wet
            .cells
            .par_iter()
            .map(|wet| warmth.temperature(&state.mixture, wet.cell))
            .collect();
        let mut measure = HeatMeasure {
            content: wet.content(warmth),
            coldest: f64::INFINITY,
            hottest: f64::NEG_INFINITY,
            ..HeatMeasure::default()
        };
        let mut whole = 0.0;
        for (wet, temperature) in wet.cells.iter().zip(temperatures) {
            let share = f64::from(wet.share);
            whole += share;
            measure.coldest = measure.coldest.min(temperature);
            measure.hottest = measure.hottest.max(temperature);
            measure.mean += share * temperature;
            for (index, portion) in state.mixture.portions(wet.cell) {
                let melted = warmth.curves[index].melted(temperature);
                measure.melted += share * f64::from(portion) * melted;
            }
        }
        measure.mean /= whole;
        measure.melted /= whole;
        Some(measure)
    }
}
