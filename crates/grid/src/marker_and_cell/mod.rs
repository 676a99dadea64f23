//! The marker-and-cell liquid (Carlson 2004, ch. 3 and 4): markers tell which cells are liquid, velocities stay on the faces of the
//! grid and carry themselves, and each component diffuses by itself.
//!
//! A step moves the markers through the velocities that are there, tells cells anew, carries velocities (eq. 43), adds forces, lets
//! viscosity act (eq. 44) and makes velocities free of divergence (eqs. 29 and 31). After each of these, velocities at walls, at the
//! surface and around are set by the conditions of sec. 3.2.3.4.

mod cells;
mod continuity;
mod convection;
mod diffusion;
mod edges;
mod heat;
mod liquid;
mod markers;
mod projection;
mod refill;
mod settings;
mod state;

use std::mem;
use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_commons::reduce;
use ooze_core::{
    Inventory, LiquidSetup, Obstacles, ParticleSet, ParticleSources, Solids, StepError, StepReport,
};
use ooze_field::{Field, FieldByAxis, Place, Topology, sample_faces};
use rayon::prelude::*;

use crate::boundary::{Boundary, FixedTiles};
use crate::flip::channels::{HeatChannels, ViscosityChannel, register_viscosity};
use crate::flip::order::{CellOrder, tiles_around};
use crate::flip::{rheology, seeding};
use crate::heat::{CarriedHeat, ThermalMaterials};
use crate::reactions::Reactions;
use crate::stages;
use crate::{Sampling, WallWeights};

use cells::{Cells, solid_cells};
use diffusion::Viscous;
use heat::Warm;
use projection::Projection;
pub use settings::{Convection, Diffusion, EdgeMean, MarkerSettings, OuterFaces, WallFaces};
pub use state::MarkerState;

/// Cells around markers that fields reach, beyond what a step can cross.
const MARGIN_CELLS: i32 = 4;
/// How markers are seeded.
const SAMPLING: Sampling = Sampling::Fine;

/// A liquid whose cells are told by markers.
pub struct MarkerLiquid {
    setup: LiquidSetup,
    settings: MarkerSettings,
    densities: Vec<f32>,
    thermal: ThermalMaterials,
    viscosity: ViscosityChannel,
    heat: Option<HeatChannels>,
    state: MarkerState,
    /// What fixed solids look like on the grid.
    fixed: FixedTiles,
}

/// Markers where a step has taken them.
struct Moved {
    markers: ParticleSet,
    inventory: Inventory,
    /// What left took along, in J.
    drained_heat: f64,
}

impl MarkerLiquid {
    /// The liquid of a scene at time zero.
    pub fn new(setup: LiquidSetup, settings: MarkerSettings, solids: &dyn Solids) -> Self {
        let obstacles = Obstacles::new(&setup.domain, solids);
        let mut carried = setup.carried.clone();
        let warm = crate::heat::matters(&setup, &obstacles);
        let viscosity = register_viscosity(&mut carried);
        let heat = warm.then(|| HeatChannels::register(&mut carried));
        let sources = seeding::sources(&setup, SAMPLING);
        let points = sources.initial_points(&obstacles);
        let (markers, inventory) = sources.seed(&carried, &points, &obstacles);
        let density = |material: &ooze_core::Material| material.density;
        Self {
            densities: setup.materials.iter().map(density).collect(),
            thermal: ThermalMaterials::new(&setup.materials),
            state: MarkerState::new(markers, inventory, &setup.domain),
            viscosity,
            heat,
            settings,
            setup,
            fixed: FixedTiles::default(),
        }
    }

    /// The state: markers, velocities and counters.
    pub fn state(&self) -> &MarkerState {
        &self.state
    }

    /// Everything a step does, on copies of what there is.
    fn advance(
        &mut self,
        time: f64,
        dt: f64,
        solids: &dyn Solids,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut fixed = mem::take(&mut self.fixed);
        let stepped = self.stepped((time, dt), solids, &mut fixed, report);
        self.fixed = fixed;
        // From here on nothing can fail.
        self.state = stepped?;
        let domain = self.setup.domain.clone();
        let obstacles = Obstacles::new(&domain, solids);
        let before = self.heat_content();
        let MarkerState {
            markers, inventory, ..
        } = &mut self.state;
        let sources = seeding::sources(&self.setup, SAMPLING);
        sources.emit(markers, inventory, &obstacles, (time, time + dt));
        let after = self.heat_content();
        if let Some(flow) = &mut report.heat {
            flow.carried += after - before;
        }
        Ok(())
    }

    /// The state at the end of a step, but for what is emitted.
    fn stepped(
        &self,
        (time, dt): (f64, f64),
        solids: &dyn Solids,
        fixed: &mut FixedTiles,
        report: &mut StepReport,
    ) -> Result<MarkerState, StepError> {
        let obstacles = Obstacles::new(&self.setup.domain, solids);
        let warm = report.timed("heat", |_| Warm::of(self));
        let Moved {
            mut markers,
            inventory,
            drained_heat,
        } = report.timed("carry", |_| self.moved(time + dt, &obstacles, dt as f32))?;
        let boundary = report.timed("solids", |_| {
            let topology = self.tiles_around(&markers.position);
            let weights = WallWeights::Area;
            let mut boundary = Boundary::rasterize(&topology, &obstacles, weights, fixed);
            boundary.drive(stages::open_emitters(&self.setup, time));
            boundary
        });
        let (order, solid) = report.timed("sort", |_| {
            let solid = solid_cells(&boundary);
            markers::leave_solids(&mut markers.position, &solid);
            let topology = boundary.room.topology().clone();
            let (order, permutation) = CellOrder::sort(topology, &markers.position);
            markers.gather(&permutation);
            (order, solid)
        });
        let cells = report.timed("cells", |_| {
            Cells::new(&order, solid, &boundary, &obstacles).with_densities(
                &order,
                &markers,
                &self.densities,
            )
        });
        if let Some(warm) = &warm {
            report.timed("heat", |report| {
                let (flow, moment) = (&self.state.velocity, (self, time, dt));
                warm.pass(&cells, &order, &mut markers, flow, moment, report)
            })?;
            if let Some(flow) = &mut report.heat {
                flow.carried -= drained_heat;
            }
        }
        let (velocity, pressure) = self.velocities(&cells, &order, &markers, dt, report)?;
        report.timed("to markers", |_| {
            let positions = markers.position.par_iter();
            let velocities = markers.velocity.par_iter_mut().with_min_len(1024);
            velocities
                .zip(positions)
                .for_each(|(own, &point)| *own = sample_faces(&velocity, point));
        });
        markers.check_finite("to markers")?;
        let wet = |cell| f32::from(u8::from(cells.is_liquid(cell)));
        Ok(MarkerState {
            wet: Field::from_cells(&cells.topology, Place::Cell, 0.0, wet),
            markers,
            inventory,
            velocity,
            pressure,
        })
    }

    /// The markers after they have moved, without those that are gone.
    fn moved(&self, to: f64, obstacles: &Obstacles<'_>, dt: f32) -> Result<Moved, StepError> {
        let MarkerState { velocity, wet, .. } = &self.state;
        let mut markers = self.state.markers.clone();
        // On tiles that follow from the markers alone: checkpoints lack those that hold nothing.
        let around = self.tiles_around(&markers.position);
        let velocity = velocity.each_ref().map(|axis| axis.on_tiles(&around));
        markers::advance(&mut markers, &velocity, wet, obstacles, dt);
        markers.check_finite("carry")?;
        let mut inventory = self.state.inventory.clone();
        self.sources().drain(&mut markers, &mut inventory, to);
        let carried = self.carried_heat();
        let left = carried.map_or(0.0, |carried| carried.content(&markers));
        Ok(Moved {
            drained_heat: self.heat_content() - left,
            markers,
            inventory,
        })
    }

    /// Velocities and pressure at the end of a step.
    fn velocities(
        &self,
        cells: &Cells<'_>,
        order: &CellOrder,
        markers: &ParticleSet,
        dt: f64,
        report: &mut StepReport,
    ) -> Result<(FieldByAxis<f32>, Field<f32>), StepError> {
        let settings = &self.settings;
        let MarkerState {
            velocity,
            wet,
            pressure,
            ..
        } = &self.state;
        let mut velocity = velocity
            .each_ref()
            .map(|axis| axis.on_tiles(&cells.topology));
        let layers = settings.cfl.ceil() as u32 + 2;
        let set_edges = |velocity: &mut FieldByAxis<f32>, report: &mut StepReport| {
            report.timed("edges", |_| {
                edges::set_all(cells, velocity, settings.wall_faces, layers);
            });
        };
        report.timed("refill", |_| {
            let wet = wet.on_tiles(&cells.topology);
            refill::refill(cells, order, markers, &wet, &mut velocity);
        });
        set_edges(&mut velocity, report);
        let density = self.densities.iter().copied().fold(f32::INFINITY, f32::min);
        let viscosity = rheology::cell_viscosity(order, markers, self.viscosity, density, dt);
        let reference_density = f64::from(self.densities.first().copied().unwrap_or(1.0));
        let viscous = |viscosity| Viscous {
            cells,
            viscosity,
            settings,
            reference_density,
            dt,
        };
        report.timed("convection", |_| {
            let carried = convection::convect(cells, &velocity, settings.convection, dt);
            let before = mem::replace(&mut velocity, carried);
            if let (Diffusion::Explicit, Some(viscosity)) = (settings.diffusion, &viscosity) {
                viscous(viscosity).add_explicit(&before, &mut velocity);
            }
            stages::apply_forces(&mut velocity, &self.setup.forces, dt);
        });
        set_edges(&mut velocity, report);
        let mut reactions = Reactions::new(cells.obstacles);
        if let (Diffusion::Implicit, Some(viscosity)) = (settings.diffusion, &viscosity) {
            report.timed("viscosity", |report| {
                viscous(viscosity).solve(&mut velocity, &mut reactions, report)
            })?;
            set_edges(&mut velocity, report);
        }
        let projection = Projection {
            cells,
            settings,
            reference_density,
            forces: &self.setup.forces,
            dt,
        };
        let pressure = report.timed("pressure", |report| {
            projection.apply(pressure, &mut velocity, &mut reactions, report)
        })?;
        stages::check_finite("pressure", "velocity", &velocity)?;
        set_edges(&mut velocity, report);
        report.impulses = reactions.of_obstacles(cells.obstacles);
        Ok((velocity, pressure))
    }

    fn sources(&self) -> ParticleSources<'_> {
        seeding::sources(&self.setup, SAMPLING)
    }

    fn particle_volume(&self) -> f64 {
        self.settings.particle_volume(&self.setup.domain)
    }

    /// The tiles that markers and what is around them need.
    fn tiles_around(&self, positions: &[Vec3]) -> Arc<Topology> {
        let margin = MARGIN_CELLS + self.settings.cfl.ceil() as i32;
        tiles_around(self.setup.domain.lattice(), positions, margin)
            .build()
            .into()
    }

    /// Points sorted by cell.
    fn sorted(&self, positions: &[Vec3]) -> (CellOrder, Vec<u32>) {
        let topology = tiles_around(self.setup.domain.lattice(), positions, 1).build();
        CellOrder::sort(topology.into(), positions)
    }

    /// What is known of markers that carry heat, where it matters.
    fn carried_heat(&self) -> Option<CarriedHeat<'_>> {
        Some(CarriedHeat {
            channels: self.heat?,
            viscosity: self.viscosity,
            thermal: &self.thermal,
            materials: &self.setup.materials,
            volume: self.particle_volume(),
        })
    }

    fn heat_content(&self) -> f64 {
        let carried = self.carried_heat();
        carried.map_or(0.0, |carried| carried.content(&self.state.markers))
    }

    fn is_wet(&self, point: Vec3) -> bool {
        let cell = self.setup.domain.lattice().cell_of(point);
        self.state.wet.get(cell) != 0.0
    }

    /// The longest step in seconds in which explicit viscosity is stable: νΔt/Δx² < 1/(2d) (eq. 20 and sec. 4.1).
    fn viscous_step(&self) -> f64 {
        let viscosities = &self.state.markers.carried[self.viscosity];
        let thickest = f64::from(reduce::max(viscosities, |&viscosity| viscosity).max(0.0));
        let lightest = self.densities.iter().copied().fold(f32::INFINITY, f32::min);
        let cell_size = f64::from(self.setup.domain.cell_size);
        let dimensions = self.setup.domain.dimensions() as f64;
        cell_size * cell_size * f64::from(lightest) / (2.0 * dimensions * thickest)
    }

    /// Volume in cubic metres, with the share of each cell that `counted` allows: whole cells inside the liquid, and the markers'
    /// own where there is air beside them.
    fn volume(&self, obstacles: &Obstacles<'_>, counted: &(dyn Fn(IVec3) -> f64 + Sync)) -> f64 {
        let positions = &self.state.markers.position;
        let (order, _) = self.sorted(positions);
        let topology = &order.topology;
        let (each, lattice) = (topology.tile_cells(), *topology.lattice());
        let of_marker = self.particle_volume() / lattice.cell_volume();
        let count = |cell: IVec3| {
            let index = topology.index(cell);
            index.map_or(0, |index| order.cell_particles(index).len())
        };
        let is_air = |cell: IVec3| {
            let distance = || obstacles.nearest(lattice.centre(cell)).map(|near| near.0);
            count(cell) == 0 && distance().is_none_or(|distance| distance > 0.0)
        };
        let cells = reduce::sum_indices(topology.tile_count(), |slot| {
            let filled = (0..each).filter(|local| {
                let own = order.cell_particles(slot * each + local);
                !own.is_empty()
            });
            let volume = filled.map(|local| {
                let cell = topology.cell(slot, local);
                let steps = IVec3::AXES.into_iter().take(lattice.axes());
                let mut around = steps.flat_map(|step| [cell - step, cell + step]);
                let share = match around.any(is_air) {
                    true => (count(cell) as f64 * of_marker).min(1.0),
                    false => 1.0,
                };
                share * counted(cell)
            });
            volume.sum()
        });
        cells * lattice.cell_volume()
    }
}
