//! The viscous stage alone, against closed forms and conserved quantities.

mod adjoint;
mod channels;
mod matrix;
mod reaction;
mod rotation;
mod stokes;
mod substeps;

use std::sync::Arc;

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{
    Collider, Contact, Domain, KeyframedSolids, Obstacles, Side, Solids, StepReport, WallCondition,
};
use ooze_field::{Field, FieldByAxis, Place, Topology, TopologyBuilder, face_fields};

use super::weights::Weights;
use super::{CellViscosity, Stiffening, ViscousLiquid};
use crate::boundary::{Boundary, FixedTiles};
use crate::pressure::Coupling;
use crate::reactions::Reactions;
use crate::{ViscosityScheme, ViscositySettings, WallWeights};

/// A liquid of density one in a domain, with all tiles that its stencils need.
#[derive(Clone)]
struct Case {
    domain: Domain,
    solids: KeyframedSolids,
    boundary: Boundary,
    liquid: Field<f32>,
    viscosity: CellViscosity,
    density: Option<FieldByAxis<f32>>,
    stiffening: Option<Stiffening>,
    settings: ViscositySettings,
}

/// A box of cells without walls.
fn open_domain(cells: IVec3, cell_size: f32, flat: bool) -> Domain {
    Domain {
        lower: Vec3::ZERO,
        cell_size,
        cells,
        flat,
        sides: [[Side::Open; 2]; 3],
    }
}

fn closed(condition: WallCondition) -> Side {
    Side::Closed(Contact {
        condition,
        friction: 0.0,
        heat: None,
    })
}

impl Case {
    fn new(
        domain: Domain,
        colliders: Vec<Collider>,
        distance: impl Fn(Vec3) -> f32 + Sync,
    ) -> Self {
        let mut solids = KeyframedSolids::new(colliders);
        solids.advance(0.0, 1e-3);
        let builder = TopologyBuilder::new(domain.lattice());
        builder.mark(domain.cells / 2, domain.cells.max_element() / 2 + 4);
        let topology = Arc::new(builder.build());
        let boundary = {
            let obstacles = Obstacles::new(&domain, &solids);
            let kept = &mut FixedTiles::default();
            Boundary::rasterize(&topology, &obstacles, WallWeights::Area, kept)
        };
        let far = distance(Vec3::splat(1e3));
        let liquid = Field::from_points(&topology, Place::Cell, far, distance);
        Self {
            domain,
            solids,
            boundary,
            liquid,
            viscosity: CellViscosity::Uniform(1.0),
            density: None,
            stiffening: None,
            settings: ViscositySettings::default(),
        }
    }

    fn with_viscosity(mut self, viscosity: f32) -> Self {
        self.viscosity = CellViscosity::Uniform(viscosity);
        self
    }

    fn with_scheme(mut self, scheme: ViscosityScheme) -> Self {
        self.settings.scheme = scheme;
        self
    }

    fn topology(&self) -> &Arc<Topology> {
        self.liquid.topology()
    }

    /// What the stage sees.
    fn seen<R>(&self, look: impl FnOnce(&ViscousLiquid<'_>) -> R) -> R {
        let coupling = Coupling {
            liquid: &self.liquid,
            boundary: &self.boundary,
            density: self.density.as_ref(),
            reference_density: 1.0,
        };
        let obstacles = Obstacles::new(&self.domain, &self.solids);
        look(&ViscousLiquid {
            coupling: &coupling,
            obstacles: &obstacles,
            viscosity: &self.viscosity,
            stiffening: self.stiffening.as_ref(),
            least_density: 1.0,
            discretisation: None,
            content: None,
            settings: self.settings,
        })
    }

    /// A velocity on all faces.
    fn velocity(&self, velocity: impl Fn(Vec3) -> Vec3 + Sync) -> FieldByAxis<f32> {
        std::array::from_fn(|axis| {
            Field::from_points(self.topology(), Place::Face(axis), 0.0, |point| {
                velocity(point)[axis]
            })
        })
    }

    /// Viscosity for `dt` seconds.
    fn diffuse(&self, velocity: &mut FieldByAxis<f32>, dt: f64) -> StepReport {
        let mut report = StepReport::default();
        let mut known = face_fields(self.topology(), 1u8);
        let outcome = self.seen(|liquid| {
            let reports = (&mut Reactions::new(liquid.obstacles), &mut report);
            liquid.diffuse(velocity, &mut known, dt, reports)
        });
        outcome.expect("the stage succeeds");
        assert_eq!(report.events, Vec::<String>::new());
        report
    }

    /// The sum over faces of `value(position, axis, velocity)` times the face's mass.
    fn sum(&self, velocity: &FieldByAxis<f32>, value: impl Fn(DVec3, usize, f64) -> f64) -> f64 {
        let weights = Weights::by_volume(&self.liquid);
        let mut sum = 0.0;
        for axis in 0..self.domain.dimensions() {
            let topology = self.topology();
            for slot in 0..topology.tile_count() {
                for local in 0..topology.tile_cells() {
                    let share = weights.faces[axis].tile(slot)[local];
                    if share > 0.0 {
                        let point = velocity[axis].position(topology.cell(slot, local));
                        let speed = f64::from(velocity[axis].tile(slot)[local]);
                        let density = match &self.density {
                            Some(density) => density[axis].tile(slot)[local],
                            None => 1.0,
                        };
                        let mass = f64::from(share * density);
                        sum += mass * value(point.as_dvec3(), axis, speed);
                    }
                }
            }
        }
        sum
    }

    fn momentum(&self, velocity: &FieldByAxis<f32>) -> DVec3 {
        let part = |of: usize| {
            self.sum(
                velocity,
                |_, axis, speed| if axis == of { speed } else { 0.0 },
            )
        };
        DVec3::new(part(0), part(1), part(2))
    }

    fn angular_momentum(&self, velocity: &FieldByAxis<f32>) -> DVec3 {
        let centre = (0.5 * (self.domain.lower + self.domain.upper())).as_dvec3();
        let part = |of: usize| {
            self.sum(velocity, |point, axis, speed| {
                (point - centre).cross(DVec3::AXES[axis] * speed)[of]
            })
        };
        DVec3::new(part(0), part(1), part(2))
    }

    fn energy(&self, velocity: &FieldByAxis<f32>) -> f64 {
        self.sum(velocity, |_, _, speed| 0.5 * speed * speed)
    }
}
