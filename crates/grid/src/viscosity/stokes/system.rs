//! The saddle-point system of velocities and pressures.

use glam::IVec3;
use ooze_commons::reduce::CHUNK;
use ooze_core::StepError;
use ooze_linalg::ViscousChoice;
use rayon::prelude::*;

use super::super::ends::BodyEnds;
use super::super::rows::{RowMaker, SampleKind};
use super::super::system::ViscousSystem;
use super::bodies::BodyBlock;
use super::cells::PressedFaces;
use super::stuck::Stuck;
use crate::coupling::{BodyFaces, FreeBodies, Patches};
use crate::pressure::NO_ROW;

/// Rounds in which bodies settle: those that share a film hear of one another from one to the next.
const SETTLING: usize = 3;
/// Share of liquid from which a face carries some.
const CARRYING_SHARE: f32 = 0.1;

/// Contrast of viscosity up to which all liquid is about as thick as the rest.
pub(super) const MODERATE: f64 = 1e4;

/// Mean diffusion number from which it shows that some faces are held by viscosity and others glide along walls.
const GLIDING_STIFFNESS: f64 = 10.0;

/// The cells on both sides of a face, and how far it is open between them.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    /// Rows of the cells, or `NO_ROW`.
    pub(super) below: u32,
    pub(super) above: u32,
    pub(super) open: f32,
}

/// What flows out of a cell: its faces that are unknown, with their open shares, negative for the lower ones.
#[derive(Clone, Copy)]
pub(super) struct Outflow {
    pub(super) faces: [(u32, f32); 6],
    pub(super) count: u8,
}

impl Outflow {
    const NONE: Self = Self {
        faces: [(0, 0.0); 6],
        count: 0,
    };

    fn push(&mut self, face: usize, share: f32) {
        if share != 0.0 {
            self.faces[usize::from(self.count)] = (face as u32, share);
            self.count += 1;
        }
    }

    pub(super) fn open(&self) -> &[(u32, f32)] {
        &self.faces[..usize::from(self.count)]
    }

    /// What flows out under a unit of pressure where each face, of those from a first one on, resists by itself.
    fn freedom(&self, resistance: &[f64], first: usize) -> f64 {
        let faces = self.open().iter();
        faces
            .filter(|&&(face, _)| face as usize >= first)
            .map(|&(face, share)| f64::from(share).powi(2) / resistance[face as usize])
            .sum()
    }

    /// The pressure that a unit of outflow takes where each face resists by itself; none in cells that nothing flows out of.
    fn stiffness(&self, resistance: &[f64]) -> f64 {
        let freedom = self.freedom(resistance, 0);
        if freedom > 0.0 { 1.0 / freedom } else { 0.0 }
    }
}

/// Velocities come first, then pressures, then the motions of bodies.
pub(super) struct StokesSystem {
    pub(super) viscous: ViscousSystem,
    pub(super) passages: Vec<Passage>,
    pub(super) outflows: Vec<Outflow>,
    /// What flows out of each cell through faces that are known and walls that move, in m/s.
    known_outflow: Vec<f64>,
    /// What viscosity alone makes of a unit of outflow, as a pressure: 2 s V, s the diffusion number; what the cell's own faces
    /// resist with if that is more, as rows of stretching are missing beside walls and where air parts liquid from them; less where
    /// faces glide along walls.
    pub(super) resistance: Vec<f64>,
    /// The stiffest cell over the softest.
    pub(super) contrast: f64,
    /// Whether thick liquid glides along walls that do not lie along the grid.
    pub(super) glides: bool,
    /// Which faces carry liquid to speak of: others follow what is around them, as fast as they may be.
    pub(super) carries: Vec<bool>,
    /// The bodies that move along, and what sticks to them.
    pub(super) bodies: BodyBlock,
    pub(super) stuck: Stuck,
    /// What a residual is multiplied by to make momentum and outflow comparable.
    pub(super) units: Vec<f64>,
}

impl StokesSystem {
    pub(super) fn assemble(
        maker: &RowMaker<'_>,
        pressed: &PressedFaces,
        bodies: (&FreeBodies, &BodyFaces),
        patches: &Patches,
        dt: f64,
    ) -> Result<Self, StepError> {
        let mut strain = maker.rows_of_step(dt);
        let mut ends = BodyEnds::find(maker, &strain, bodies.0);
        ends.meet(bodies.0, &mut strain.known);
        let viscous = ViscousSystem::of(maker, strain)?;
        let passages = passages(maker, pressed);
        let outflows = outflows(&passages, pressed.cells.len());
        let (mut resistance, [softest, stiffest]) = resistance(&viscous, maker, pressed);
        let contrast = if softest > 0.0 {
            stiffest / softest
        } else {
            1.0
        };
        let diagonal = viscous.matrix.diagonal();
        let faces = passages.len();
        let first_gliding = faces - pressed.gliding().len();
        let stiffness = ViscousChoice::stiffness(&viscous.matrix, &viscous.mass);
        for (resistance, cell) in resistance.iter_mut().zip(&outflows) {
            *resistance = resistance.max(cell.stiffness(diagonal));
            // What glides along walls leaves without a stretching that viscosity would resist.
            *resistance /= 1.0 + *resistance * cell.freedom(diagonal, first_gliding);
        }
        let known_outflow = known_outflow(maker, pressed, &passages, &outflows);
        let block = BodyBlock::new(maker, (&viscous, &ends), pressed, bodies, patches);
        let stuck = match contrast > MODERATE {
            true => {
                let stiff = (softest * stiffest).sqrt();
                Stuck::find(maker, &viscous, pressed, (bodies.0, &block), stiff)
            }
            false => Stuck::default(),
        };
        let mut system = Self {
            bodies: block,
            stuck,
            viscous,
            passages,
            outflows,
            known_outflow,
            resistance,
            contrast,
            glides: first_gliding < faces && stiffness > GLIDING_STIFFNESS,
            carries: carries(maker, pressed),
            units: Vec::new(),
        };
        system.units = system.units();
        Ok(system)
    }

    /// Number of velocities.
    pub(super) fn faces(&self) -> usize {
        self.passages.len()
    }

    /// Number of pressures.
    pub(super) fn cells(&self) -> usize {
        self.outflows.len()
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.faces() + self.cells() + self.bodies.size()
    }

    /// Velocities, pressures and motions of bodies.
    pub(super) fn parts<'a>(&self, unknown: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (velocity, others) = unknown.split_at(self.faces());
        let (pressure, motions) = others.split_at(self.cells());
        (velocity, pressure, motions)
    }

    /// The same to be changed.
    pub(super) fn parts_mut<'a>(
        &self,
        unknown: &'a mut [f64],
    ) -> (&'a mut [f64], &'a mut [f64], &'a mut [f64]) {
        let (velocity, others) = unknown.split_at_mut(self.faces());
        let (pressure, motions) = others.split_at_mut(self.cells());
        (velocity, pressure, motions)
    }

    /// The right-hand side for velocities to begin with.
    pub(super) fn right_hand_side(&self, velocity: &[f64]) -> Vec<f64> {
        let mut side = self.viscous.right_hand_side(velocity);
        side.extend(self.known_outflow.iter().map(|outflow| -outflow));
        side.extend(self.bodies.right_hand_side(&self.viscous));
        side
    }

    /// `product = S x`.
    pub(super) fn multiply(&self, x: &[f64], product: &mut [f64]) {
        let (velocity, pressure, unknown) = self.parts(x);
        let (momentum, outflow, pushes) = self.parts_mut(product);
        self.viscous.matrix.multiply(velocity, momentum);
        self.add_push(pressure, -1.0, None, momentum);
        self.outflow(velocity, outflow);
        let motions = self.bodies.motions(unknown);
        self.bodies
            .add_motion(&self.viscous, &motions, 1.0, momentum, outflow);
        self.bodies.multiply(
            &self.viscous,
            (velocity, pressure, unknown),
            &motions,
            pushes,
        );
    }

    /// Solves the bodies' own rows among velocities and pressures that are as they are.
    ///
    /// Where stiff liquid holds a body on all sides, pressure and viscosity push it many thousand times as hard as its weight, and
    /// all but cancel. A residual that is nothing beside either would fling it away, for it is as light as it is. Its motion that leaves none
    /// differs by next to nothing from the one that was found; what is left over is then the liquid's, which is stiff enough to bear it.
    pub(super) fn settle_bodies(&self, right_hand_side: &[f64], unknown: &mut [f64]) {
        let (_, _, sides) = self.parts(right_hand_side);
        let (velocity, pressure, motions) = self.parts_mut(unknown);
        let (mut pushes, mut change) = (vec![0.0; sides.len()], vec![0.0; sides.len()]);
        for _ in 0..SETTLING {
            let moved = self.bodies.motions(motions);
            let state = (&*velocity, &*pressure, &*motions);
            self.bodies
                .multiply(&self.viscous, state, &moved, &mut pushes);
            for (push, side) in pushes.iter_mut().zip(sides) {
                *push = side - *push;
            }
            self.bodies.answer(&pushes, &mut change);
            for (motion, change) in motions.iter_mut().zip(&change) {
                *motion += change;
            }
        }
    }

    /// The largest of the velocities, those of bodies among them.
    pub(super) fn largest_speed(&self, unknown: &[f64]) -> f64 {
        let (velocity, _, motions) = self.parts(unknown);
        self.largest(velocity)
            .max(self.bodies.largest_speed(motions))
    }

    /// The largest change of velocity in a correction.
    pub(super) fn largest_change(&self, correction: &[f64]) -> f64 {
        let (velocity, _, motions) = self.parts(correction);
        self.largest(velocity)
            .max(self.bodies.largest_change(motions))
    }

    /// The largest of the velocities of faces that carry liquid.
    fn largest(&self, velocity: &[f64]) -> f64 {
        let faces = velocity.iter().zip(&self.carries);
        let carried = faces.filter(|(_, carries)| **carries);
        carried.fold(0.0, |most, (velocity, _)| most.max(velocity.abs()))
    }

    /// What flows out of the cells.
    pub(super) fn outflow(&self, velocity: &[f64], outflow: &mut [f64]) {
        let chunks = outflow.par_chunks_mut(CHUNK);
        chunks
            .zip(self.outflows.par_chunks(CHUNK))
            .for_each(|(outflow, cells)| {
                for (outflow, cell) in outflow.iter_mut().zip(cells) {
                    let faces = cell.open().iter();
                    *outflow = faces
                        .map(|&(face, share)| f64::from(share) * velocity[face as usize])
                        .sum();
                }
            });
    }

    /// Adds so many times the push Dᵀ P of a pressure on the faces, times a mobility of each if there is one.
    pub(super) fn add_push(
        &self,
        pressure: &[f64],
        times: f64,
        mobility: Option<&[f64]>,
        momentum: &mut [f64],
    ) {
        let at = |row: u32| match row {
            NO_ROW => 0.0,
            row => pressure[row as usize],
        };
        let chunks = momentum.par_chunks_mut(CHUNK).enumerate();
        chunks
            .zip(self.passages.par_chunks(CHUNK))
            .for_each(|((chunk, momentum), passages)| {
                let faces = chunk * CHUNK..;
                for ((face, momentum), passage) in faces.zip(momentum).zip(passages) {
                    let push = f64::from(passage.open) * (at(passage.below) - at(passage.above));
                    *momentum += times * push * mobility.map_or(1.0, |mobility| mobility[face]);
                }
            });
    }

    /// See [`Self::units`](Self::units): a face's velocity answers to momentum by 1/diag(A), a cell's pressure to outflow by what
    /// viscosity and mass make of it.
    fn units(&self) -> Vec<f64> {
        let diagonal = self.viscous.matrix.diagonal();
        let momentum = diagonal.iter().map(|&entry| 1.0 / entry);
        let mass = &self.viscous.mass;
        let outflow = self.outflows.iter().zip(&self.resistance);
        let outflow = outflow.map(|(cell, resistance)| resistance + cell.stiffness(mass));
        momentum.chain(outflow).chain(self.bodies.units()).collect()
    }
}

/// Marks the unknown faces that carry liquid.
fn carries(maker: &RowMaker<'_>, pressed: &PressedFaces) -> Vec<bool> {
    let share = |axis: usize, cell: IVec3| maker.liquid.face_share(maker.weights, axis, cell);
    let places = pressed.faces.places.par_iter();
    places
        .map(|place| share(usize::from(place.axis), IVec3::from_array(place.cell)) > CARRYING_SHARE)
        .collect()
}

/// The passages of all unknown faces.
fn passages(maker: &RowMaker<'_>, pressed: &PressedFaces) -> Vec<Passage> {
    let open = &maker.liquid.coupling.boundary.open;
    let places = pressed.faces.places.par_iter();
    let passage = |axis: usize, cell: IVec3| Passage {
        below: pressed.row.get(cell - IVec3::AXES[axis]),
        above: pressed.row.get(cell),
        open: open[axis].get(cell),
    };
    places
        .map(|place| passage(usize::from(place.axis), IVec3::from_array(place.cell)))
        .collect()
}

/// The same by cells.
fn outflows(passages: &[Passage], cells: usize) -> Vec<Outflow> {
    let mut outflows = vec![Outflow::NONE; cells];
    for (face, passage) in passages.iter().enumerate() {
        if let Some(cell) = outflows.get_mut(passage.below as usize) {
            cell.push(face, passage.open);
        }
        if let Some(cell) = outflows.get_mut(passage.above as usize) {
            cell.push(face, -passage.open);
        }
    }
    outflows
}

/// What viscosity makes of outflow in each cell, and how stiff the softest and the stiffest cell are.
fn resistance(
    viscous: &ViscousSystem,
    maker: &RowMaker<'_>,
    pressed: &PressedFaces,
) -> (Vec<f64>, [f64; 2]) {
    let mut resistance = vec![0.0f64; pressed.cells.len()];
    let volume = maker.weights.cells.values();
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    let rows = viscous.samples.iter().zip(viscous.rows.weights());
    for (sample, &weight) in rows {
        let SampleKind::Stretching(_) = sample.kind else {
            continue;
        };
        let (index, weight) = (sample.index as usize, f64::from(weight));
        if let Some(cell) = resistance.get_mut(pressed.row.values()[index] as usize) {
            *cell = cell.max(weight);
        }
        let stiffness = weight / f64::from(volume[index]);
        (least, most) = (least.min(stiffness), most.max(stiffness));
    }
    (resistance, [least.min(most), most])
}

/// What flows out of each cell through faces that are known, and with walls that move. Cells without unknown faces can do nothing
/// about it.
fn known_outflow(
    maker: &RowMaker<'_>,
    pressed: &PressedFaces,
    passages: &[Passage],
    outflows: &[Outflow],
) -> Vec<f64> {
    let boundary = maker.liquid.coupling.boundary;
    let axes = pressed.row.topology().lattice().axes();
    // Of a face that is shut all of it moves as its mean does.
    let wall = |axis: usize, face: IVec3| match boundary.open[axis].get(face) > 0.0 {
        true => boundary.wall_velocity[axis].get(face),
        false => boundary.shut_velocity(axis, face),
    };
    // First as if walls had all of every face, then without the open shares of those that are unknown.
    let mut known: Vec<f64> = pressed
        .cells
        .par_iter()
        .map(|&cell| {
            let along = |axis: usize| {
                let above = wall(axis, cell + IVec3::AXES[axis]);
                f64::from(above) - f64::from(wall(axis, cell))
            };
            (0..axes).map(along).sum()
        })
        .collect();
    for (passage, place) in passages.iter().zip(&pressed.faces.places) {
        let (axis, face) = (usize::from(place.axis), IVec3::from_array(place.cell));
        let [wall, shut] = [wall(axis, face), boundary.shut_velocity(axis, face)].map(f64::from);
        if wall == 0.0 && shut == 0.0 {
            continue;
        }
        let flow = wall - (1.0 - f64::from(passage.open)) * shut;
        if let Some(known) = known.get_mut(passage.below as usize) {
            *known -= flow;
        }
        if let Some(known) = known.get_mut(passage.above as usize) {
            *known += flow;
        }
    }
    for (known, outflow) in known.iter_mut().zip(outflows) {
        if outflow.count == 0 {
            *known = 0.0;
        }
    }
    known
}
