//! Stages that all liquids on the staggered grid share.

use glam::Vec3;
use ooze_commons::reduce;
use ooze_core::{
    Emitter, Force, LiquidSetup, Obstacles, Solids, StableStep, StepError, StepReport,
};
use ooze_field::{Field, FieldByAxis, level_set};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::coupling::{BodyFace, BodyFaces, BodyRows, FreeBodies, Patches};
use crate::face_velocity::FaceVelocity;
use crate::pressure::{Coupling, PressureSystem};
use crate::reactions::Reactions;

/// Layers of faces that velocities are continued by for a solve: every face of a liquid cell, and every face with liquid
/// around it, needs one.
const LAYERS_BEFORE: u32 = 2;
/// Layers of faces around the solved ones whose velocities are out of date: as far as a particle inside the liquid
/// reaches.
const STALE_LAYERS: u32 = 2;

/// Adds the accelerations of all forces.
pub(crate) fn apply_forces(velocity: &mut FieldByAxis<f32>, forces: &[Force], dt: f64) {
    let dt = dt as f32;
    for (axis, field) in velocity.iter_mut().enumerate() {
        let topology = field.topology().clone();
        let lattice = *topology.lattice();
        if lattice.flat && axis == 2 {
            continue;
        }
        let offset = field.place().offset();
        for force in forces {
            field.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, value) in tile.iter_mut().enumerate() {
                    let cell = topology.cell(slot, local).as_vec3();
                    let point = lattice.to_world(cell + offset);
                    *value += dt * force.acceleration(point)[axis];
                }
            });
        }
    }
}

/// The emitters that are open at a moment.
pub(crate) fn open_emitters(setup: &LiquidSetup, time: f64) -> impl Iterator<Item = &Emitter> {
    let open = move |emitter: &&Emitter| emitter.start <= time && time < emitter.stop;
    setup.emitters.iter().filter(open)
}

/// Has free solids end their step where what the liquid has done to them takes them.
pub(crate) fn let_follow(solids: &mut dyn Solids, report: &StepReport, dt: f64) {
    let count = solids.all().len();
    let impulses = &report.impulses;
    // The domain's sides, and the solids that melt, are numbered after the solids.
    let bodies = impulses.partition_point(|impulse| usize::from(impulse.body.0) < count);
    solids.follow(&impulses[..bodies], dt);
}

/// The pressure stage of a step.
pub(crate) struct Projection<'a> {
    /// The liquid, the solids on the grid, and densities.
    pub(crate) coupling: &'a Coupling<'a>,
    /// The bodies that give way, and the faces that they shut.
    pub(crate) bodies: (&'a FreeBodies, &'a BodyFaces),
    pub(crate) tolerance: f64,
    pub(crate) dt: f64,
}

impl Projection<'_> {
    /// Makes the velocities free of divergence; adds the pressure that it takes, in pascals, to `pressure`, and what it does to walls to
    /// `reactions`.
    pub(crate) fn apply(
        &self,
        system: &mut PressureSystem,
        grid: &mut FaceVelocity,
        pressure: &mut Field<f32>,
        (reactions, report): (&mut Reactions, &mut StepReport),
    ) -> Result<(), StepError> {
        report.timed("pressure", |report| {
            let unknown = self.solve(system, grid, report)?;
            let cell_size = self.coupling.liquid.topology().lattice().cell_size;
            let to_pascals = self.coupling.reference_density * cell_size / self.dt as f32;
            add(pressure, &unknown, to_pascals);
            reactions.press(self.coupling, &unknown);
            Ok(())
        })
    }

    /// Makes the velocities free of divergence with the unknown of the system that is returned.
    fn solve(
        &self,
        system: &mut PressureSystem,
        grid: &mut FaceVelocity,
        report: &mut StepReport,
    ) -> Result<Field<f32>, StepError> {
        let coupling = self.coupling;
        continue_for_solve(&mut grid.velocity, &grid.known);
        let right_hand_side = system
            .right_hand_side(|cell| -system.divergence(coupling.boundary, &grid.velocity, cell));
        let (bodies, faces) = self.bodies;
        let patches = Patches::find(faces, coupling.boundary, system.rows());
        let mut unknown = match bodies.is_empty() {
            true => system.solve("pressure", self.tolerance, &right_hand_side, report)?,
            false => {
                let share = |face: &BodyFace| 1.0 - face.open;
                let rows = BodyRows::new(self.bodies, system.rows(), &patches, share);
                let volume = coupling.liquid.topology().lattice().cell_volume();
                let mass = f64::from(coupling.reference_density) * volume;
                let (bodies, named) = ((&rows, bodies, mass), ("pressure", self.tolerance));
                system.solve_with(bodies, named, &right_hand_side, report)?
            }
        };
        let before = grid.velocity.clone();
        let (velocity, known) = (&mut grid.velocity, &mut grid.known);
        system.subtract_gradient(coupling, &unknown, velocity, known);
        continue_change(&before, velocity, known, system.faces(coupling), true);
        patches.fill(&mut unknown);
        Ok(unknown)
    }
}

/// Gives the faces around the known ones, which a solve may need, the velocities of their neighbours. They are not known for
/// that: once the solve is over, what it found is continued there instead. Air that kept the velocity from before a projection
/// would go on falling over a tank at rest.
pub(crate) fn continue_for_solve(velocity: &mut FieldByAxis<f32>, known: &FieldByAxis<u8>) {
    level_set::extrapolate_faces(velocity, &mut known.clone(), LAYERS_BEFORE);
}

/// After a solve: lets the known faces around the solved ones, whose velocities are out of date, change as their neighbours
/// did if they follow; otherwise they are no longer known. If the velocities themselves were continued there, the surface
/// would lose a little of every rotation in every step, and a rim that kept the outward velocity which pressure takes from a
/// spinning disc would be flung off. `reached` marks the solved faces, which are known from now on.
pub(crate) fn continue_change(
    before: &FieldByAxis<f32>,
    velocity: &mut FieldByAxis<f32>,
    known: &mut FieldByAxis<u8>,
    mut reached: FieldByAxis<u8>,
    follows: bool,
) {
    let solved = reached.clone();
    let mut change = velocity.clone();
    for (change, before) in change.iter_mut().zip(before) {
        change.par_tiles_mut().for_each(|(slot, tile)| {
            for (change, before) in tile.iter_mut().zip(before.tile(slot)) {
                *change -= before;
            }
        });
    }
    level_set::extrapolate_faces(&mut change, &mut reached, STALE_LAYERS);
    for (axis, (velocity, known)) in velocity.iter_mut().zip(known).enumerate() {
        velocity
            .par_tiles_mut()
            .zip(known.par_tiles_mut())
            .for_each(|((slot, velocities), (_, known))| {
                let (solved, reached) = (solved[axis].tile(slot), reached[axis].tile(slot));
                let (before, change) = (before[axis].tile(slot), change[axis].tile(slot));
                for local in 0..velocities.len() {
                    if solved[local] != 0 {
                        known[local] = 1;
                    } else if reached[local] != 0 && known[local] != 0 {
                        if follows {
                            velocities[local] = before[local] + change[local];
                        } else {
                            known[local] = 0;
                        }
                    }
                }
            });
    }
}

/// A bound on the speed anywhere in the flow, in m/s.
pub(crate) fn fastest(velocity: &FieldByAxis<f32>) -> f32 {
    let largest = velocity
        .each_ref()
        .map(|axis| reduce::max(axis.values(), |value| value.abs()).max(0.0));
    Vec3::from_array(largest).length()
}

/// Adds so many times the values of one field to another's.
pub(crate) fn add(sum: &mut Field<f32>, values: &Field<f32>, times: f32) {
    for (sum, value) in sum.values_mut().iter_mut().zip(values.values()) {
        *sum += value * times;
    }
}

/// Open share of a face up to which its velocity is continued from its neighbours instead of being the pressure's: little flows
/// through it, however fast it is.
pub(crate) const NEARLY_SHUT: f32 = 0.1;

/// Velocities on shut faces are not the liquid's: they are continued from outside. Faces count as shut whose open share is not
/// more than `shut`.
pub(crate) fn close_walls(known: &mut FieldByAxis<u8>, boundary: &Boundary, shut: f32) {
    for (known, open) in known.iter_mut().zip(&boundary.open) {
        known.par_tiles_mut().for_each(|(slot, tile)| {
            if boundary.near(slot) {
                for (flag, &open) in tile.iter_mut().zip(open.tile(slot)) {
                    *flag &= u8::from(open > shut);
                }
            }
        });
    }
}

/// The step in which neither the liquid, with its largest speed, nor a collider crosses more than `cfl` cells, and no free body,
/// which the liquid answers to within the step, more than one (Carlson 2004, sec. 5.4.1).
pub(crate) fn stable_step(
    setup: &LiquidSetup,
    solids: &dyn Solids,
    speed: f32,
    cfl: f32,
) -> StableStep {
    let domain = &setup.domain;
    let obstacles = Obstacles::new(domain, solids);
    let accelerations = setup.forces.iter().map(|force| {
        let centre = 0.5 * (domain.lower + domain.upper());
        force.acceleration(centre).length()
    });
    // What starts at rest is as fast as this once it has crossed a cell.
    let falling = (2.0 * accelerations.fold(0.0, f32::max) * domain.cell_size).sqrt();
    let liquid = speed.max(falling);
    let walls = obstacles.max_speed();
    let (speed, limit) = if liquid >= walls {
        (liquid, "speed of the liquid")
    } else {
        (walls, "speed of a collider")
    };
    let seconds = f64::from(cfl * domain.cell_size) / f64::from(speed);
    let free = obstacles.max_speed_of_bodies().map(|bodies| {
        // Gravity acts before they move: v t + g t² is one cell.
        let [speed, falling] = [bodies, falling].map(f64::from);
        2.0 * f64::from(domain.cell_size)
            / (speed + speed.hypot(std::f64::consts::SQRT_2 * falling))
    });
    match free {
        Some(free) if free < seconds => StableStep {
            seconds: free,
            limit: "speed of a body",
        },
        _ => StableStep { seconds, limit },
    }
}

/// An error that tells where, if a field holds a value that is not finite.
pub(crate) fn check_finite(
    stage: &'static str,
    field: &'static str,
    values: &[Field<f32>],
) -> Result<(), StepError> {
    for component in values {
        let broken = component
            .values()
            .iter()
            .position(|value| !value.is_finite());
        if let Some(index) = broken {
            let topology = component.topology();
            let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
            return Err(StepError::GridNotFinite {
                stage,
                field,
                point: component.position(cell),
                value: component.values()[index],
            });
        }
    }
    Ok(())
}
