//! The stages of a step that the level-set liquid has to itself.

use glam::IVec3;
use ooze_core::{Obstacles, StepReport};
use ooze_field::fraction::VolumeFractions;
use ooze_field::{Field, FieldByAxis};

use super::content::BeforeWalls;
use super::elastic::{self, ElasticLaw};
use super::heat::Warm;
use super::lattices::Cells;
use super::paths::Middles;
use super::strain_rates::RowRates;
use super::turning::{Spins, Turning};
use super::volume::Pieces;
use super::{
    CellChannels, LevelSetLiquid, Mixture, SurfaceTreatment, WallShape, free_surface, transport,
    walls,
};
use crate::boundary::{Boundary, FixedTiles};
use crate::elasticity::Strain;
use crate::face_velocity::FaceVelocity;
use crate::momentum::{Elastic, Momentum, Moved, RowStress};
use crate::stages::NEARLY_SHUT;
use crate::viscosity::{CellViscosity, Content};
use crate::walls::Traction;

/// A step in the making: everything happens to copies, so that a step that fails leaves the liquid as it was.
pub(super) struct Advance<'a> {
    pub(super) liquid: &'a LevelSetLiquid,
    pub(super) cells: &'a Cells,
    pub(super) mixture: &'a Mixture,
    pub(super) channels: &'a CellChannels,
    /// Its heat, once that has passed, where heat matters.
    pub(super) warm: Option<Warm>,
    /// The solids as they stood at the start of the step; free ones move as is foretold.
    pub(super) obstacles: &'a Obstacles<'a>,
    pub(super) dt: f64,
}

/// The pieces of the liquid before the step, whose spin transport must not take.
pub(super) struct Turned {
    pub(super) pieces: Pieces,
    /// Shares of liquid around the faces of cells.
    shares: FieldByAxis<f32>,
    /// How far they are from walls and emitters, in cells.
    clearances: Vec<f32>,
    /// The spins of free pieces.
    pub(super) spins: Spins,
}

/// Elastic stress at the start of a step.
pub(super) struct Stress {
    pub(super) law: ElasticLaw,
    pub(super) strain: Strain,
    /// What is left of the strain at the end of a step at rest, if that is what acts.
    relaxed: Option<Strain>,
    modulus: CellViscosity,
    /// What of the liquid it acts on, if it acts by rows.
    before_walls: Option<BeforeWalls>,
}

impl Stress {
    fn content(&self) -> Option<Content<'_>> {
        self.before_walls.as_ref().map(BeforeWalls::content)
    }
}

/// What resists motion in the liquid.
pub(super) struct Resistance {
    pub(super) stress: Option<Stress>,
    viscosity: Option<CellViscosity>,
    /// Densities at faces in kg/m³, where they differ.
    density: Option<FieldByAxis<f32>>,
    /// The level set that the pressure sees, if it is another.
    pressed: Option<Field<f32>>,
}

impl<'a> Advance<'a> {
    pub(super) fn density(&self) -> impl Fn(IVec3) -> f32 + Sync + Copy + use<'a> {
        let (liquid, mixture) = (self.liquid, self.mixture);
        move |cell| liquid.density(mixture, cell)
    }

    /// The velocities `old` after they have carried themselves to where the level set is.
    pub(super) fn advect(
        &self,
        old: &FieldByAxis<f32>,
        phi: &Field<f32>,
        boundary: &Boundary,
    ) -> FaceVelocity {
        let settings = &self.liquid.settings;
        let scheme = settings.velocity_advection;
        let (dt, cfl) = (self.dt as f32, settings.cfl);
        transport::advect_velocity(old, self.cells, phi, boundary, dt, scheme, cfl)
    }

    /// The pieces of the liquid with the spins that they had, if they are kept track of.
    pub(super) fn pieces(&self, report: &mut StepReport) -> Option<Turned> {
        let LevelSetLiquid {
            settings, state, ..
        } = self.liquid;
        if !settings.volume_correction {
            return None;
        }
        let pieces = report.timed("volume", |_| Pieces::find(&state.shown));
        let shares = report.timed("spin", |_| VolumeFractions::of(&self.cells.liquid).faces);
        Some(Turned {
            pieces,
            shares,
            clearances: Vec::new(),
            spins: state.piece_spins.clone(),
        })
    }

    fn turning<'b>(&self, turned: &'b Turned) -> Turning<'b>
    where
        'a: 'b,
    {
        Turning {
            pieces: &turned.pieces,
            shown: &self.liquid.state.shown,
            shares: &turned.shares,
        }
    }

    /// Where the middles of free pieces will be at the end of the step.
    pub(super) fn carried_middles(&self, turned: &Turned, velocity: &FieldByAxis<f32>) -> Middles {
        let turning = self.turning(turned);
        turning.carried_middles(velocity, &turned.clearances, self.dt as f32)
    }

    /// Gives pieces back the spins that were noted of them.
    pub(super) fn restore_spins(&self, turned: Option<&Turned>, grid: &mut FaceVelocity) {
        if let Some(turned) = turned {
            let turning = self.turning(turned);
            turning.restore(&mut grid.velocity, &turned.spins, self.density());
        }
    }

    /// Notes how free pieces are, and the spins of free ones if they keep their shape.
    pub(super) fn note_free(
        &self,
        turned: Option<&mut Turned>,
        resistance: &Resistance,
        grid: &FaceVelocity,
        boundary: &Boundary,
    ) {
        if let Some(turned) = turned {
            let turning = self.turning(turned);
            let clearances = turning.clearances(boundary);
            let shaped = resistance.stress.is_some() || resistance.viscosity.is_some();
            let measure = || turning.measure(&grid.velocity, self.density(), &clearances);
            turned.spins = if shaped { measure() } else { Spins::new() };
            turned.clearances = clearances;
        }
    }

    /// What resists motion.
    pub(super) fn resistance(&self, boundary: &Boundary, report: &mut StepReport) -> Resistance {
        let (liquid, cells, mixture) = (self.liquid, self.cells, self.mixture);
        let stress = report.timed("elasticity", |_| self.stress(boundary));
        Resistance {
            viscosity: self.viscosity_to_act(stress.as_ref()),
            stress,
            density: liquid.face_densities(mixture, &cells.topology),
            pressed: free_surface::pressure_cells(&cells.liquid, liquid.settings.surface),
        }
    }

    fn stress(&self, boundary: &Boundary) -> Option<Stress> {
        let (cells, mixture) = (self.cells, self.mixture);
        let before = self.liquid.warm_elastic_law()?;
        let mut strain = elastic::on_tiles(self.liquid.state.strain.as_ref()?, &cells.topology);
        let law = match &self.warm {
            Some(Warm { warmth, .. }) => before.clone().warm(mixture, warmth),
            None => before.clone(),
        };
        law.follow_melting(&before, mixture, &mut strain);
        let relaxed =
            |law: &ElasticLaw| law.relaxed(&strain, mixture, &cells.liquid, self.dt as f32);
        let by_rows = law.is_adjoint();
        Some(Stress {
            before_walls: by_rows.then(|| BeforeWalls::of(&cells.liquid, boundary)),
            relaxed: by_rows.then(|| relaxed(&law)),
            modulus: law.modulus(mixture, &cells.topology),
            law,
            strain,
        })
    }

    /// Lets the stress push by plain differences, if there is any.
    pub(super) fn push_by_differences(&self, resistance: &Resistance, grid: &mut FaceVelocity) {
        if let Some(Stress { law, strain, .. }) = &resistance.stress {
            law.push_by_differences(strain, self.mixture, grid, self.density(), self.dt);
        }
    }

    /// The stage that changes momentum; `by_differences` is [`Self::push_by_differences`].
    pub(super) fn momentum<'b>(
        &self,
        resistance: &'b Resistance,
        by_differences: &'b (dyn Fn(&mut FaceVelocity) + Sync),
    ) -> Momentum<'b>
    where
        'a: 'b,
    {
        let liquid = self.liquid;
        let stress = resistance.stress.as_ref();
        let elastic = match stress {
            Some(stress) => match &stress.relaxed {
                Some(strain) => Elastic::Rows(RowStress {
                    strain,
                    modulus: &stress.modulus,
                    stiffening: None,
                }),
                None => Elastic::Other(by_differences),
            },
            None => Elastic::None,
        };
        Momentum {
            obstacles: self.obstacles,
            liquid: &self.cells.liquid,
            pressed: resistance.pressed.as_ref(),
            density: resistance.density.as_ref(),
            reference_density: liquid.least_density(),
            least_density: liquid.least_density(),
            forces: &liquid.setup.forces,
            viscosity: resistance.viscosity.as_ref(),
            elastic,
            content: stress.and_then(Stress::content),
            holds: false,
            pressure_settings: liquid.settings.pressure,
            viscosity_settings: liquid.settings.viscosity,
            dt: self.dt,
        }
    }

    /// The rates at which strain grows, if it does so by rows.
    pub(super) fn strain_rates(&self, moved: &Moved<'_>) -> Option<RowRates> {
        let (rates, shares) = moved.rates_and_shares()?;
        Some(RowRates::new(rates, shares))
    }

    /// The solids at the end of the step on the grid, if they are not where they were.
    pub(super) fn rasterize_arrived(
        &self,
        arrived: &Obstacles<'_>,
        fixed: &mut FixedTiles,
    ) -> Option<Boundary> {
        let weights = self.liquid.settings.pressure.wall_weights;
        let rasterize = || Boundary::rasterize(&self.cells.topology, arrived, weights, fixed);
        arrived.any_moves().then(rasterize)
    }

    /// Continues velocities around the liquid and lets walls have their say.
    pub(super) fn extrapolate(
        &self,
        phi: &Field<f32>,
        moved: &mut Moved<'_>,
        obstacles: &Obstacles<'_>,
    ) {
        let (settings, cells) = (&self.liquid.settings, self.cells);
        let (grid, boundary) = moved.grid_and_boundary();
        free_surface::enforce_continuity(grid, &cells.liquid, boundary, settings.surface);
        moved.close_walls(NEARLY_SHUT);
        self.continue_velocity(phi, &mut moved.grid);
        moved.constrain(obstacles);
        if settings.walls == WallShape::Voxels {
            let (grid, boundary) = moved.grid_and_boundary();
            walls::mirror(&mut grid.velocity, boundary, obstacles);
        }
        moved.impose();
    }

    /// Continues velocities into the air around the liquid, and into walls.
    fn continue_velocity(&self, phi: &Field<f32>, grid: &mut FaceVelocity) {
        let cell_size = self.cells.topology.lattice().cell_size;
        if self.liquid.settings.surface != SurfaceTreatment::Ghost {
            free_surface::extend(grid, phi, cell_size);
        }
        let distances = self.cells.face_distances();
        let FaceVelocity { velocity, known } = grid;
        free_surface::continue_outward(velocity, known, &distances, cell_size);
    }

    /// Lets walls hold the liquid by friction and stickiness.
    pub(super) fn touch(
        &self,
        grid: &mut FaceVelocity,
        (boundary, obstacles): (&Boundary, &Obstacles<'_>),
        pressure: &Field<f32>,
    ) {
        let traction = Traction {
            boundary,
            obstacles,
            pressure,
            cell_size: self.cells.topology.lattice().cell_size,
            dt: self.dt as f32,
        };
        let velocity = &mut grid.velocity;
        walls::touch(velocity, &self.cells.liquid, &traction, self.density());
    }
}
