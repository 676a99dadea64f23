//! What the rows of a viscous solve, or of a stress, do to the walls that they end at.
//!
//! A row resists the strain rate g = Σ Gⱼ uⱼ + Σ G_w u_w of unknown velocities and of those of walls with the stress W g: its
//! impulse on each unknown is −Gⱼ W g, and on the wall −G_w W g, where the row meets it. There the torque is right too: the
//! couple that a row of shear exerts on the liquid has the wall's distance for an arm.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::BodyId;
use ooze_linalg::WeightedRows;
use rayon::prelude::*;

use super::faces::{FIRST_CODE, NORMAL, STUCK, face_position};
use super::rows::{Form, NumberedFace, RowMaker, Sample, SampleKind};
use super::system::ViscousSystem;
use super::{Discretisation, StressRows, ViscousLiquid};
use crate::elasticity::Strain;
use crate::reactions::{Part, Reactions};

/// Where a row meets a wall.
pub(super) struct WallEnd {
    pub(super) row: u32,
    pub(super) axis: u8,
    pub(super) body: BodyId,
    /// What the wall's velocity is multiplied by in the row.
    pub(super) coefficient: f32,
    pub(super) point: Vec3,
    /// The cell above the face in the wall whose velocity the row was made with.
    pub(super) face: IVec3,
}

/// The rows of a system that end at walls.
pub(super) struct WallRows {
    ends: Vec<WallEnd>,
    /// Reference density times the volume of a cell, in kg.
    mass: f64,
}

impl WallRows {
    /// Finds the rows of a maker that end at walls.
    pub(super) fn of(maker: &RowMaker<'_>, rows: &WeightedRows, samples: &[Sample]) -> Self {
        let coupling = maker.liquid.coupling;
        let density = f64::from(coupling.reference_density);
        let ends = samples
            .par_iter()
            .enumerate()
            .with_min_len(1024)
            .flat_map_iter(|(row, &sample)| {
                let (columns, _) = rows.row(row);
                // Only where all of its velocities are unknown does a row have no end at all.
                let ends = columns.len() < maker.most_entries(sample.kind);
                let found = ends.then(|| maker.wall_ends(row as u32, sample, columns));
                found.into_iter().flatten()
            })
            .collect();
        Self {
            ends,
            mass: density * coupling.liquid.topology().lattice().cell_volume(),
        }
    }

    /// Where rows end, in the order of the rows.
    pub(super) fn ends(&self) -> &[WallEnd] {
        &self.ends
    }

    /// Adds what the walls get from rows under stress, which `stress` tells by the row.
    pub(super) fn react(&self, stress: impl Fn(usize) -> f64, reactions: &mut Reactions) {
        for end in &self.ends {
            let stress = stress(end.row as usize);
            let size = -self.mass * f64::from(end.coefficient) * stress;
            let linear = DVec3::AXES[usize::from(end.axis)] * size;
            reactions.add(Part::Viscous, end.body, end.point.as_dvec3(), linear);
        }
    }
}

impl RowMaker<'_> {
    /// Entries of a row without ends.
    fn most_entries(&self, kind: SampleKind) -> usize {
        match (kind, self.form) {
            (SampleKind::Shear(_), Form::Strain) => 4,
            _ => 2,
        }
    }

    /// Where a row meets walls.
    fn wall_ends(&self, row: u32, sample: Sample, columns: &[u32]) -> Vec<WallEnd> {
        let boundary = self.liquid.coupling.boundary;
        let topology = self.weights.cells.topology();
        let place = |end: NumberedFace| face_position(topology, end.axis, end.cell);
        let in_wall = |end: NumberedFace| matches!(end.row, STUCK | NORMAL);
        let mut ends = Vec::new();
        for [upper, lower] in self.pairs(sample, columns) {
            if !in_wall(upper) && !in_wall(lower) {
                continue;
            }
            let Some(difference) = self.difference(upper, lower) else {
                continue;
            };
            for (end, other, sign) in [(upper, lower, 1.0), (lower, upper, -1.0)] {
                let body = in_wall(end).then(|| boundary.body_at(place(end)));
                let Some(body) = body.flatten() else {
                    continue;
                };
                let from = if other.row < FIRST_CODE { other } else { end };
                ends.push(WallEnd {
                    row,
                    axis: end.axis as u8,
                    body,
                    coefficient: sign / difference.share,
                    point: place(from).lerp(place(end), difference.share),
                    face: end.cell,
                });
            }
        }
        ends
    }

    /// The upper and lower faces between which a row takes differences.
    fn pairs(&self, sample: Sample, columns: &[u32]) -> impl Iterator<Item = [NumberedFace; 2]> {
        let topology = self.weights.cells.topology();
        let index = sample.index as usize;
        let cell = topology.cell(index / topology.tile_cells(), index % topology.tile_cells());
        let end = |axis: usize, cell: IVec3| NumberedFace {
            axis,
            cell,
            row: self.faces.row[axis].get(cell),
        };
        let along = |axis: usize| [end(axis, cell + IVec3::AXES[axis]), end(axis, cell)];
        let across =
            |axis: usize, other: usize| [end(axis, cell), end(axis, cell - IVec3::AXES[other])];
        let pairs = match sample.kind {
            SampleKind::Stretching(axis) => [Some(along(usize::from(axis))), None, None],
            SampleKind::Shear(edge) => {
                let edge = usize::from(edge);
                // A row of one component: the one that its entry is of.
                let own = |column: &u32| usize::from(self.faces.places[*column as usize].axis);
                let only = match self.form {
                    Form::Strain => None,
                    Form::Gradient { .. } => columns.first().map(own),
                };
                let pair = |axis: usize, other: usize| {
                    let is_of_row = only.is_none_or(|only| only == axis);
                    is_of_row.then(|| across(axis, other))
                };
                let (first, second) = ((edge + 1) % 3, (edge + 2) % 3);
                [pair(first, second), pair(second, first), None]
            }
        };
        pairs.into_iter().flatten()
    }
}

impl ViscousSystem {
    /// Adds so many times what walls get while the liquid moves with a velocity.
    pub(super) fn react(
        &self,
        walls: &WallRows,
        velocity: &[f64],
        times: f64,
        reactions: &mut Reactions,
    ) {
        walls.react(|row| times * self.stress(row, velocity, 0.0), reactions);
    }

    /// The stress of a row while the liquid moves with a velocity; `more` is what else strains it.
    pub(super) fn stress(&self, row: usize, velocity: &[f64], more: f64) -> f64 {
        let rate = f64::from(self.known[row]) + self.strain_rate(row, velocity) + more;
        f64::from(self.rows.weights()[row]) * rate
    }
}

impl ViscousLiquid<'_> {
    /// Adds what walls get from the push of a stress for `dt` seconds.
    pub(crate) fn react_to_push(
        &self,
        discretisation: &Discretisation,
        rows: &StressRows,
        strain: &Strain,
        dt: f64,
        reactions: &mut Reactions,
    ) {
        let maker = self.stress_maker(&discretisation.weights, &discretisation.faces);
        let walls = WallRows::of(&maker, &rows.strain.rows, &rows.strain.samples);
        let stress = self.row_stresses(rows, strain, dt);
        walls.react(stress, reactions);
    }
}
