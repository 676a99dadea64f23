//! Walls that let go of the liquid: 0 ≤ p ⟂ (u − u_wall)·n ≥ 0 (Batty, Bertails & Bridson 2007, sec. 5).
//!
//! A wall of the pressure solve is an equation: liquid neither enters it nor leaves it, and where it would fall off a ceiling,
//! pressure below that of the air holds it. At walls that separate, faces which the liquid leaves before pressure has acted
//! are opened: pressure is that of the air behind them. Pressure may find that the liquid is pushed against the wall after
//! all; such faces are shut again and the rest is solved anew, a few times at most.

use glam::IVec3;
use ooze_core::{Obstacles, StepError, StepReport, WallCondition};
use ooze_field::{FieldByAxis, face_fields, level_set, sample_faces};
use rayon::prelude::*;

use crate::PressureSettings;
use crate::boundary::Boundary;
use crate::flip::FaceVelocity;
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

/// The solids with the faces opened that the liquid is about to leave, for which `own_system` becomes the pressure system; none
/// if it leaves no wall that lets go. `grid` holds the velocities that all but pressure and viscosity have acted on.
pub(crate) fn let_go(
    coupling: &Coupling<'_>,
    obstacles: &Obstacles<'_>,
    grid: &FaceVelocity,
    settings: PressureSettings,
    dt: f64,
    own_system: &mut PressureSystem,
    report: &mut StepReport,
) -> Result<Option<Boundary>, StepError> {
    let separating = obstacles
        .bodies()
        .any(|body| obstacles.contact(body).condition == WallCondition::Separating);
    if !separating {
        return Ok(None);
    }
    let (mut velocity, mut known) = (grid.velocity.clone(), grid.known.clone());
    level_set::extrapolate_faces(&mut velocity, &mut known, LAYERS);
    let noticeable = NOTICEABLE * coupling.liquid.topology().lattice().cell_size / dt as f32;
    let walls = Walls {
        coupling,
        obstacles,
    };
    let mut released = walls.chosen(|axis, slot, local| {
        let speed = walls.leaving_speed(&velocity, axis, slot, local);
        speed.is_some_and(|speed| speed > noticeable)
    });
    for round in 0.. {
        if count(&released) == 0 {
            return Ok(None);
        }
        let opened = coupling.boundary.opened(released.clone());
        let trial = Coupling {
            boundary: &opened,
            ..*coupling
        };
        let mut system = PressureSystem::assemble(&trial, settings)?;
        if round == ROUNDS {
            *own_system = system;
            return Ok(Some(opened));
        }
        let outflow = system.right_hand_side(|cell| -system.divergence(&opened, &velocity, cell));
        let pressure = system.solve("separation", TOLERANCE, &outflow, report)?;
        let (mut after, mut known) = (velocity.clone(), known.clone());
        system.subtract_gradient(&trial, &pressure, &mut after, &mut known);
        let kept = walls.chosen(|axis, slot, local| {
            let speed = || walls.leaving_speed(&after, axis, slot, local);
            released[axis].tile(slot)[local] != 0
                && speed().is_some_and(|speed| speed > -noticeable)
        });
        if count(&kept) == count(&released) {
            *own_system = system;
            return Ok(Some(opened));
        }
        released = kept;
    }
    Ok(None)
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
        let axes = if topology.lattice().flat { 2 } else { 3 };
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

    /// Speed in m/s at which liquid beside a face leaves the wall that lets go there; none if there is no such wall, or no
    /// liquid.
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
        let cell = liquid.topology().cell(slot, local);
        let holds = |cell: IVec3| liquid.get(cell) < 0.0 && boundary.room.get(cell) > 0.0;
        if !shut || !(holds(cell) || holds(cell - IVec3::AXES[axis])) {
            return None;
        }
        let point = boundary.open[axis].position(cell);
        let reach = 0.5 * liquid.topology().lattice().cell_size;
        let flow = sample_faces(velocity, point);
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
            let speed = (flow - self.obstacles.velocity(body, point)).dot(normal);
            least = Some(least.map_or(speed, |least| least.min(speed)));
        }
        least
    }
}
