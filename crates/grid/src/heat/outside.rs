//! What passes between the cells of a liquid and what is outside of it: walls, air, heaters.

use glam::{IVec3, Vec3};
use ooze_core::{
    Ambient, BodyId, HeatSetup, HeaterStrength, Obstacles, STEFAN_BOLTZMANN, StandingHeater,
};
use ooze_field::Field;
use rayon::prelude::*;

use super::bodies::WarmBodies;
use super::content::HeatCells;
use super::network::middle;
use super::skin::{Skin, touching};
use crate::boundary::Boundary;

/// Least distance of the middle of a cell's room from a wall, in cells.
const LEAST_DISTANCE: f32 = 0.05;
/// Cosine between a wall's normal and a face's below which the wall does not count as lying along the face.
const LEAST_COSINE: f32 = 0.1;
/// Temperature in kelvin below which coolers take less than they should.
const LEAST_TEMPERATURE: f64 = 1.0;
/// Cells between the points of a line of sight that are looked at, and before the first of them.
const SIGHT_STEP: f32 = 0.75;
const SIGHT_START: f32 = 1.5;

/// Heat that passes between each cell and something outside: power − conductance · T.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// In W/K.
    pub(crate) conductance: Vec<f64>,
    /// In W: what would flow in at absolute zero.
    pub(crate) power: Vec<f64>,
}

impl Exchange {
    fn new(rows: Vec<[f64; 2]>) -> Self {
        let (conductance, power) = rows.into_iter().map(|[one, other]| (one, other)).unzip();
        Self { conductance, power }
    }
}

/// A wall that a cell touches.
#[derive(Clone, Copy)]
struct Touch {
    body: BodyId,
    /// In W/K.
    conductance: f64,
    /// In kelvin.
    temperature: f32,
    /// Whether that changes by what passes.
    changes: bool,
}

/// Everything that a liquid exchanges heat with in a step.
pub(crate) struct Outside<'a> {
    pub(crate) cells: &'a HeatCells<'a>,
    pub(crate) boundary: &'a Boundary,
    pub(crate) obstacles: &'a Obstacles<'a>,
    /// Signed distance of the liquid at cell centres, continued into solids.
    pub(crate) liquid: &'a Field<f32>,
    pub(crate) heat: &'a HeatSetup,
    /// Temperatures of the cells in kelvin.
    pub(crate) temperature: &'a [f64],
    /// The moment.
    pub(crate) time: f64,
}

/// The exchange by its ways: walls, bodies, air, heaters.
pub(crate) type Ways = [Option<Exchange>; 4];
/// The place of bodies among them.
pub(crate) const BODIES: usize = 1;

impl Outside<'_> {
    /// What there is to exchange heat with now: bodies apart, whose temperatures follow from what passes.
    pub(crate) fn ways(&self) -> (Ways, WarmBodies) {
        let heaters: Vec<StandingHeater<'_>> = self
            .heat
            .heaters
            .iter()
            .filter_map(|heater| heater.at(self.time))
            .collect();
        let skin = (self.heat.ambient.is_some() || !heaters.is_empty())
            .then(|| Skin::new(self.cells, self.boundary, self.liquid));
        let warm = |body: BodyId| self.obstacles.contact(body).heat.is_some();
        let walls = self.obstacles.bodies().any(warm).then(|| self.walls());
        let (walls, bodies) = walls.unzip();
        let air = self.heat.ambient.zip(skin.as_ref());
        let ways = [
            walls,
            None,
            air.map(|(ambient, skin)| self.air(ambient, skin)),
            skin.filter(|_| !heaters.is_empty())
                .map(|skin| self.heaters(&heaters, &skin)),
        ];
        (ways, bodies.unwrap_or_default())
    }

    fn rows(&self, of: impl Fn(usize) -> [f64; 2] + Sync) -> Exchange {
        Exchange::new((0..self.cells.len()).into_par_iter().map(&of).collect())
    }

    /// Walls conduct from where they are to the middle of the cell's room. Along each axis the wall has its share of area, and
    /// stands at the distance at which the axis meets it.
    fn walls(&self) -> (Exchange, WarmBodies) {
        let rows = (0..self.cells.len()).into_par_iter();
        let rows: Vec<[Option<Touch>; 3]> = rows.map(|row| self.touches(row)).collect();
        let exchange = rows.iter().map(|touches| {
            let lasting = touches.iter().flatten().filter(|touch| !touch.changes);
            lasting.fold([0.0; 2], |[conductance, power], touch| {
                let brought = touch.conductance * f64::from(touch.temperature);
                [conductance + touch.conductance, power + brought]
            })
        });
        let changing = rows.iter().enumerate().flat_map(|(row, touches)| {
            let changing = touches.iter().flatten().filter(|touch| touch.changes);
            changing.map(move |touch| (row, touch.body, touch.conductance))
        });
        let changing: Vec<_> = changing.collect();
        let bodies = self.obstacles.bodies().filter_map(|body| {
            let wall = self.obstacles.contact(body).heat?;
            let capacity = self.obstacles.heat_capacity(body)?;
            Some((body, wall.temperature, capacity))
        });
        let bodies = WarmBodies::new(bodies, rows.len(), &changing);
        (Exchange::new(exchange.collect()), bodies)
    }

    /// The walls that a cell touches, along each axis.
    fn touches(&self, row: usize) -> [Option<Touch>; 3] {
        let topology = self.cells.row.topology();
        let cell = self.cells.cells[row];
        let slot = self.cells.filled[row].index / topology.tile_cells();
        if !self.boundary.near(slot) {
            return [None; 3];
        }
        let axes = topology.lattice().axes();
        std::array::from_fn(|axis| {
            if axis >= axes {
                return None;
            }
            let [below, above] = [cell, cell + IVec3::AXES[axis]];
            let shut = self.boundary.passage(axis, above) - self.boundary.passage(axis, below);
            if shut == 0.0 {
                return None;
            }
            let face = if shut > 0.0 { below } else { above };
            let point = self.boundary.open[axis].position(face);
            let body = self.wall_along(slot, axis, point)?;
            let wall = self.obstacles.contact(body).heat?;
            let whole = self.through_wall(row, body, axis, wall.transfer);
            Some(Touch {
                body,
                conductance: f64::from(shut.abs()) * whole,
                temperature: wall.temperature,
                changes: self.obstacles.heat_capacity(body).is_some(),
            })
        })
    }

    /// The nearest wall that a face lies along: in a corner the nearest of all may be another.
    fn wall_along(&self, slot: usize, axis: usize, point: Vec3) -> Option<BodyId> {
        let reach = 0.5 * self.cells.row.topology().lattice().cell_size;
        let bodies = self.boundary.bodies(slot).iter().copied();
        let along = |body: &BodyId| {
            let normal = self.obstacles.outward(*body, point, reach);
            normal[axis].abs() > LEAST_COSINE
        };
        let distance = |body: BodyId| self.obstacles.distance(body, point);
        let near = bodies.filter(along).map(|body| (distance(body), body));
        near.filter(|(distance, _)| *distance <= reach)
            .min_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, body)| body)
    }

    /// Conductance in W/K between a cell and a whole face of a wall.
    fn through_wall(&self, row: usize, body: BodyId, axis: usize, transfer: Option<f32>) -> f64 {
        let lattice = *self.cells.row.topology().lattice();
        let (cell, cell_size) = (self.cells.cells[row], lattice.cell_size);
        let point = lattice.centre(cell) + cell_size * middle(self.boundary, cell);
        let distance = self
            .obstacles
            .distance(body, point)
            .max(LEAST_DISTANCE * cell_size);
        let normal = self.obstacles.outward(body, point, 0.5 * cell_size);
        let along = f64::from(distance / normal[axis].abs().max(LEAST_COSINE));
        let conductivity = self.cells.conductivity(row);
        if conductivity == 0.0 {
            return 0.0;
        }
        let foot = point - distance * normal;
        let wet = touching(self.liquid.sample(foot) / cell_size);
        let resistance =
            along / conductivity + transfer.map_or(0.0, |transfer| 1.0 / f64::from(transfer));
        f64::from(wet) * f64::from(cell_size).powi(2) / resistance
    }

    /// Air takes and gives heat at the surface; radiation is made linear about the surface's temperature.
    fn air(&self, ambient: Ambient, skin: &Skin) -> Exchange {
        let air = f64::from(ambient.temperature);
        let radiating = STEFAN_BOLTZMANN * f64::from(ambient.emissivity);
        self.rows(|row| {
            let own = self.temperature[row].max(0.0);
            let radiation = radiating * (own * own + air * air) * (own + air);
            let conductance = skin.area(row) * (f64::from(ambient.transfer) + radiation);
            [conductance, conductance * air]
        })
    }

    fn heaters(&self, heaters: &[StandingHeater<'_>], skin: &Skin) -> Exchange {
        let mut sum = vec![[0.0; 2]; self.cells.len()];
        for heater in heaters {
            let exposed: Vec<f64> = (0..self.cells.len())
                .into_par_iter()
                .map(|row| self.exposed(heater, skin, row))
                .collect();
            let strength = heater.heater.strength;
            let total: f64 = exposed.iter().sum();
            for ((sum, exposed), own) in sum.iter_mut().zip(exposed).zip(self.temperature) {
                let [conductance, power] = given(strength, exposed, total, *own);
                sum[0] += conductance;
                sum[1] += power;
            }
        }
        Exchange::new(sum)
    }

    /// Area in m² by which a cell takes what a heater gives: of its surface that faces the heater, as much as feels it, and of
    /// the layers into which the heater's depth divides what the cell holds inside of it. Both are told by lengths of the
    /// scene, none by the size of cells.
    fn exposed(&self, heater: &StandingHeater<'_>, skin: &Skin, row: usize) -> f64 {
        let lattice = *self.cells.row.topology().lattice();
        let distance = heater.distance(lattice.centre(self.cells.cells[row]));
        // As if the heater's surface lay along a side of the cell.
        let inside = f64::from((0.5 - distance / lattice.cell_size).clamp(0.0, 1.0));
        let layers = match inside {
            0.0 => 0.0,
            _ => inside * self.cells.filled[row].volume / f64::from(heater.heater.depth),
        };
        match inside {
            1.0 => layers,
            _ => layers + (1.0 - inside) * self.facing(heater, skin, row, distance),
        }
    }

    /// Area in m² of a cell's surface that faces a heater at a distance, as much of it as feels the heater.
    fn facing(&self, heater: &StandingHeater<'_>, skin: &Skin, row: usize, distance: f32) -> f64 {
        let felt = heater.felt(distance);
        if felt == 0.0 || skin.area(row) == 0.0 {
            return 0.0;
        }
        let lattice = *self.cells.row.topology().lattice();
        let centre = lattice.centre(self.cells.cells[row]);
        let direction = heater.direction(centre, 0.5 * lattice.cell_size);
        let facing = match skin.normal(row) {
            // Spray has all sides.
            Vec3::ZERO => 0.25,
            normal => normal.dot(direction).max(0.0),
        };
        if facing == 0.0 || heater.heater.shadows && self.shaded(centre, direction, distance) {
            return 0.0;
        }
        skin.area(row) * f64::from(felt * facing)
    }

    /// Whether liquid or a solid is in the line of sight.
    fn shaded(&self, from: Vec3, direction: Vec3, distance: f32) -> bool {
        let cell_size = self.cells.row.topology().lattice().cell_size;
        let mut way = SIGHT_START * cell_size;
        while way < distance {
            let point = from + way * direction;
            let behind = self
                .obstacles
                .nearest(point)
                .is_some_and(|(distance, _)| distance < 0.0);
            if behind || self.liquid.sample(point) < 0.0 {
                return true;
            }
            way += SIGHT_STEP * cell_size;
        }
        false
    }
}

/// Conductance in W/K and power in W that a heater has for a cell of some temperature which takes by so many of all square metres.
/// What a cooler takes falls with the temperature from what it is now: at absolute zero there is nothing left to take.
fn given(strength: HeaterStrength, exposed: f64, total: f64, own: f64) -> [f64; 2] {
    match strength {
        _ if exposed == 0.0 => [0.0; 2],
        HeaterStrength::Temperature {
            temperature,
            transfer,
        } => {
            let conductance = exposed * f64::from(transfer);
            [conductance, conductance * f64::from(temperature)]
        }
        HeaterStrength::Power(power) => {
            let power = f64::from(power) * exposed / total;
            match power < 0.0 {
                true => [-power / own.max(LEAST_TEMPERATURE), 0.0],
                false => [0.0, power],
            }
        }
    }
}
