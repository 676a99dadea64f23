//! Heat in a liquid (Carlson 2004, sec. 4.2): conduction, and what passes through walls, to the air and from heaters. What carries
//! heat along is up to the transport; here it stays in its cell or goes to the next.

mod bodies;
mod carried;
mod conduction;
mod content;
mod network;
mod outside;
mod skin;

use ooze_core::{HeatFlow, HeatSetup, LiquidSetup, MaterialId, Obstacles, StepError, StepReport};
use ooze_field::Field;
use rayon::prelude::*;

use crate::boundary::Boundary;

pub(crate) use carried::CarriedHeat;
use conduction::{Conducted, Conduction};
pub(crate) use content::{FilledCell, HeatCells, NO_ROW, Portion, ThermalMaterials};
pub(crate) use network::{Link, Network};
use outside::{Outside, Ways};

/// The liquid between solids, as heat sees it.
pub(crate) struct HeatStage<'a> {
    pub(crate) boundary: &'a Boundary,
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// Signed distance at cell centres, continued into solids.
    pub(crate) liquid: &'a Field<f32>,
    pub(crate) heat: &'a HeatSetup,
    pub(crate) time: f64,
    pub(crate) dt: f64,
}

/// What a step did to the heat of cells.
pub(crate) struct Heated {
    /// Temperatures of the cells in kelvin before and after.
    pub(crate) before: Vec<f64>,
    pub(crate) after: Vec<f64>,
    /// Temperatures between which nothing in a cell can be afterwards, unless it was beyond them before.
    pub(crate) range: Vec<[f64; 2]>,
    pub(crate) network: Network,
    pub(crate) flow: HeatFlow,
}

impl HeatStage<'_> {
    /// Lets heat pass.
    pub(crate) fn pass(
        &self,
        cells: &HeatCells<'_>,
        report: &mut StepReport,
    ) -> Result<Heated, StepError> {
        let temperatures = |heat: &(dyn Fn(usize) -> f64 + Sync)| -> Vec<f64> {
            let rows = (0..cells.len()).into_par_iter();
            rows.map(|row| cells.mixture(row).temperature(heat(row)))
                .collect()
        };
        let before = temperatures(&|row| cells.filled[row].heat);
        let network = Network::new(cells, self.boundary);
        let outside = Outside {
            cells,
            boundary: self.boundary,
            obstacles: self.obstacles,
            liquid: self.liquid,
            heat: self.heat,
            temperature: &before,
            time: self.time,
        };
        let (ways, bodies) = outside.ways();
        let conduction = Conduction {
            cells,
            network: &network,
            ways,
            bodies: &bodies,
            dt: self.dt,
        };
        let Conducted {
            heat,
            flow,
            bodies,
            ways,
        } = conduction.pass(&before, report)?;
        report.body_heat = bodies;
        let after = temperatures(&|row| heat[row]);
        Ok(Heated {
            range: ranges(&network, &ways, &after),
            before,
            after,
            network,
            flow,
        })
    }
}

/// The temperatures in reach of each cell: its own, its neighbours', and those of what is outside.
fn ranges(network: &Network, ways: &Ways, after: &[f64]) -> Vec<[f64; 2]> {
    let rows = (0..after.len()).into_par_iter();
    rows.map(|row| {
        let links = network.links[row].iter().flatten();
        let neighbours = links
            .filter(|link| link.row != NO_ROW)
            .map(|link| after[link.row as usize]);
        let outside = ways.iter().flatten().filter_map(|way| {
            let (conductance, power) = (way.conductance[row], way.power[row]);
            let felt = conductance > 0.0 || power != 0.0;
            // A heater of so many watts has no temperature of its own.
            felt.then(|| power / conductance)
        });
        let all = neighbours.chain(outside);
        all.fold([after[row]; 2], |[least, most], one| {
            match one.is_finite() {
                true => [least.min(one), most.max(one)],
                false => [f64::NEG_INFINITY, f64::INFINITY],
            }
        })
    })
    .collect()
}

/// Whether heat makes any difference in a scene: something heats or cools the liquid, or not all of it is equally warm.
pub(crate) fn matters(setup: &LiquidSetup, obstacles: &Obstacles<'_>) -> bool {
    let HeatSetup { ambient, heaters } = &setup.heat;
    let warm = |body| obstacles.contact(body).heat.is_some();
    let liquids = setup
        .initial
        .iter()
        .map(|liquid| (liquid.material, liquid.temperature));
    let emitters = setup
        .emitters
        .iter()
        .map(|emitter| (emitter.material, emitter.temperature));
    let mut sources = liquids.chain(emitters);
    let own = |material: MaterialId| setup.materials[usize::from(material.0)].temperature;
    let first = sources.clone().next().map(|(material, _)| own(material));
    let uneven = sources.any(|(material, given)| given.is_some() || Some(own(material)) != first);
    let conducts = setup
        .materials
        .iter()
        .any(|material| material.thermal.is_some());
    let exchanged = ambient.is_some() || !heaters.is_empty() || obstacles.bodies().any(warm);
    conducts && (exchanged || uneven)
}
