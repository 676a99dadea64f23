//! Walls that let go of the liquid: 0 ≤ p − σₙ ⟂ (u − u_wall)·n ≥ 0 (Batty, Bertails & Bridson 2007, sec. 5, with the elastic
//! stress σₙ across the wall).
//!
//! A wall of the pressure solve is an equation: liquid neither enters it nor leaves it, and where it would fall off a ceiling,
//! pressure below that of the air holds it. So does elastic stress, which a body that bounces pulls at the floor with. At
//! walls that separate, stress therefore acts once as if the liquid ended at the wall, and faces which the liquid then leaves
//! are opened: the liquid ends there, and pressure is that of the air. Pressure may find that the liquid is pushed against the
//! wall after all; such faces are shut again and the rest is solved anew, a few times at most.

use glam::IVec3;
use ooze_core::{Obstacles, StepError, StepReport, WallCondition};
use ooze_field::{FieldByAxis, face_fields, level_set, sample_faces};
use rayon::prelude::*;

use crate::PressureSettings;
use crate::boundary::Boundary;
use crate::face_velocity::FaceVelocity;
use crate::pressure::{Coupling, PressureSystem};

/// Layers of faces that velocities are continued by: as far as a wall within a cell of the liquid.
const LAYERS: u32 = 2;
/// Rounds in which faces are shut again.
const ROUNDS: usize = 3;
/// Residual to which the trial solves are done.
const TOLERANCE: f64 = 1e-4;
/// Cells a step by which liquid must leave a wall, or be pushed into it, to count.
const NOTICEABLE: f32 = 1e-3;
/// Cosine between a wall's normal and a face's below which the wall has no say in what passes the face.
const ALONG: f32 = 0.3;

/// The solids of a moment in which liquid leaves walls.
pub(crate) struct Opened {
    /// The solids, with the faces open that the liquid leaves.
    pub(crate) boundary: Boundary,
    /// Pressure behind the open faces is that of the air.
    pub(crate) system: PressureSystem,
}

/// Whether there is a wall that lets go.
pub(crate) fn any_lets_go(obstacles: &Obstacles<'_>) -> bool {
    let condition = |body| obstacles.contact(body).condition;
    obstacles
        .bodies()
        .any(|body| condition(body) == WallCondition::Separating)
}

/// The search for walls that the liquid leaves. Elastic stress acts explicitly here, so that elastic steps must be explicit.
pub(crate) struct Separation<'a> {
    pub(crate) coupling: &'a Coupling<'a>,
    pub(crate) obstacles: &'a Obstacles<'a>,
    pub(crate) settings: PressureSettings,
    pub(crate) dt: f64,
}

impl Separation<'_> {
    /// The solids with the faces opened that the liquid is about to leave; none if it leaves no wall that lets go. `grid` holds
    /// velocities that forces have acted on; `push` lets elastic stress act too, in liquid that ends at open faces.
    pub(crate) fn find(
        &self,
        grid: &FaceVelocity,
        push: impl FnOnce(&Boundary, &mut FaceVelocity),
        report: &mut StepReport,
    ) -> Result<Option<Opened>, StepError> {
        let Self {
            coupling,
            obstacles,
            ..
        } = self;
        if !any_lets_go(obstacles) {
            return Ok(None);
        }
        let walls = Walls {
            coupling,
            obstacles,
        };
        let meets = walls.chosen(|axis, slot, local| {
            let speed = walls.leaving_speed(&grid.velocity, axis, slot, local);
            speed.is_some()
        });
        if count(&meets) == 0 {
            return Ok(None);
        }
        let mut grid = grid.clone();
        push(&coupling.boundary.opened(meets.clone()), &mut grid);
        let FaceVelocity {
            velocity, known, ..
        } = &mut grid;
        level_set::extrapolate_faces(velocity, known, LAYERS);
        let noticeable =
            NOTICEABLE * coupling.liquid.topology().lattice().cell_size / self.dt as f32;
        let mut released = walls.among(&meets, |axis, slot, local| {
            let speed = walls.leaving_speed(velocity, axis, slot, local);
            speed.is_some_and(|speed| speed > noticeable)
        });
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                // No settled answer, as at walls across the grid that press: they hold but for faces with air between.
                released = walls.among(&meets, |axis, slot, local| {
                    let speed = walls.leaving_speed(velocity, axis, slot, local);
                    speed == Some(f32::INFINITY)
                });
            }
            if count(&released) == 0 {
                return Ok(None);
            }
            let boundary = coupling.boundary.opened(released.clone());
            let liquid = boundary.cut_off(coupling.liquid);
            let trial = Coupling {
                liquid: &liquid,
                boundary: &boundary,
                ..**coupling
            };
            let mut system = PressureSystem::assemble(&trial, self.settings)?;
            if round == ROUNDS {
                return Ok(Some(Opened { boundary, system }));
            }
            let outflow =
                system.right_hand_side(|cell| -system.divergence(&boundary, velocity, cell));
            let pressure = system.solve("separation", TOLERANCE, &outflow, report)?;
            let (mut after, mut known) = (velocity.clone(), known.clone());
            system.subtract_gradient(&trial, &pressure, &mut after, &mut known);
            let kept = walls.among(&released, |axis, slot, local| {
                let speed = walls.leaving_speed(&after, axis, slot, local);
                speed.is_some_and(|speed| speed > -noticeable)
            });
            if count(&kept) == count(&released) {
                return Ok(Some(Opened { boundary, system }));
            }
            released = kept;
        }
        Ok(None)
    }
}

fn count(marks: &FieldByAxis<u8>) -> usize {
    let fields = marks.iter();
    fields
        .map(|field| field.values().par_iter().filter(|&&mark| mark != 0).count())
        .sum()
}

/// The faces at walls.
struct Walls<'a> {
    coupling: &'a Coupling<'a>,
    obstacles: &'a Obstacles<'a>,
}

impl Walls<'_> {
    /// Marks the faces for which `choose` holds.
    fn chosen(&self, choose: impl Fn(usize, usize, usize) -> bool + Sync) -> FieldByAxis<u8> {
        let topology = self.coupling.liquid.topology();
        let mut marks = face_fields(topology, 0u8);
        let axes = topology.lattice().axes();
        for (axis, field) in marks.iter_mut().enumerate().take(axes) {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                if self.coupling.boundary.near(slot) {
                    for (local, mark) in tile.iter_mut().enumerate() {
                        *mark = u8::from(choose(axis, slot, local));
                    }
                }
            });
        }
        marks
    }

    /// Marks those among marked faces for which `choose` holds.
    fn among(
        &self,
        marks: &FieldByAxis<u8>,
        choose: impl Fn(usize, usize, usize) -> bool + Sync,
    ) -> FieldByAxis<u8> {
        self.chosen(|axis, slot, local| {
            marks[axis].tile(slot)[local] != 0 && choose(axis, slot, local)
        })
    }

    /// Speed in m/s at which liquid beside a face leaves the wall that lets go there; none if there is no such wall, or no
    /// liquid. Infinite if air is between them already: the liquid around the face must not be taken to go on to the wall.
    fn leaving_speed(
        &self,
        velocity: &FieldByAxis<f32>,
        axis: usize,
        slot: usize,
        local: usize,
    ) -> Option<f32> {
        let Coupling {
            liquid, boundary, ..
        } = self.coupling;
        let shut =
            boundary.open[axis].tile(slot)[local] < 1.0 && !boundary.is_driven(axis, slot, local);
        if !shut {
            return None;
        }
        let cell = liquid.topology().cell(slot, local);
        let cell_size = liquid.topology().lattice().cell_size;
        let free = |cell: IVec3| boundary.room.get(cell) > 0.0;
        let cells = [cell, cell - IVec3::AXES[axis]].into_iter();
        let depths = cells
            .filter(|&cell| free(cell))
            .map(|cell| liquid.get(cell));
        let nearest = depths.fold(f32::INFINITY, f32::min);
        if nearest > cell_size {
            return None;
        }
        let point = boundary.open[axis].position(cell);
        let reach = 0.5 * cell_size;
        let mut least: Option<f32> = None;
        for &body in boundary.bodies(slot) {
            if self.obstacles.distance(body, point) > reach {
                continue;
            }
            let normal = self.obstacles.outward(body, point, reach);
            // In a corner the face belongs to the wall that it lies along.
            if normal[axis].abs() < ALONG {
                continue;
            }
            if self.obstacles.contact(body).condition != WallCondition::Separating {
                return None;
            }
            let speed = if nearest < 0.0 {
                let flow = sample_faces(velocity, point);
                (flow - self.obstacles.velocity(body, point)).dot(normal)
            } else {
                f32::INFINITY
            };
            least = Some(least.map_or(speed, |least| least.min(speed)));
        }
        least
    }
}
