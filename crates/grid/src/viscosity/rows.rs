//! Strain rates on the grid: rows of G with their weights (Batty & Bridson 2008, fig. 5 and appendix B).

use glam::IVec3;
use ooze_field::{Block, Field, FieldByAxis};
use ooze_linalg::WeightedRows;
use rayon::prelude::*;

use super::faces::{AIR, DRIVEN, FIRST_CODE, Faces, SLIPPING, face_position};
use super::weights::Weights;
use super::{CellViscosity, ViscousLiquid};
use crate::pressure::Coupling;

/// How strain is made of differences of velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The symmetric part of the velocity gradient: components are coupled.
    Strain,
    /// Every entry of the velocity gradient by itself: components are not coupled. With `traction_free`, shear is left
    /// out at edges where the strain would be.
    Gradient { traction_free: bool },
}

/// What a difference towards air is.
#[derive(Clone, Copy)]
pub(super) enum Air<'a> {
    /// Nothing: the strain is left out.
    Unknown,
    /// A difference to the velocity that the air has.
    Held(&'a FieldByAxis<f32>),
}

/// Everything that rows are made of.
pub(super) struct RowMaker<'a> {
    pub(super) liquid: &'a ViscousLiquid<'a>,
    pub(super) weights: &'a Weights,
    pub(super) faces: &'a Faces,
    pub(super) form: Form,
    pub(super) air: Air<'a>,
    /// Smallest distance of a wall from a face, as a share of the way to the face beyond: limits the matrix.
    pub(super) least_theta: f32,
    /// Share of its cell that a face with less liquid is taken to carry.
    pub(super) least_share: f64,
}

/// Rows and the part of each strain rate that is known beforehand, in m/s per cell.
#[derive(Default)]
pub(super) struct StrainRows {
    pub(super) rows: WeightedRows,
    pub(super) known: Vec<f32>,
    /// Where each row is.
    pub(super) samples: Vec<Sample>,
}

/// Where a strain rate is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) kind: SampleKind,
    /// Place of the cell in a field's storage.
    pub(super) index: u32,
}

impl Sample {
    /// The cell, or the edge by its axis.
    pub(super) fn place(self) -> (Option<u8>, u32) {
        match self.kind {
            SampleKind::Stretching(_) => (None, self.index),
            SampleKind::Shear(edge) => (Some(edge), self.index),
        }
    }
}

/// What is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleKind {
    /// Stretching along an axis, at the centre of a cell.
    Stretching(u8),
    /// Shear at an edge along an axis.
    Shear(u8),
}

/// A weight without its last bits, so that sums of two of them are exact: the matrix stores such sums in single precision,
/// and rigid motion must not feel their rounding, which would be multiplied by a large diffusion number.
pub(super) fn few_digits(weight: f32) -> f32 {
    f32::from_bits(weight.to_bits() & !0xff)
}

/// What a row counts for.
#[derive(Clone, Copy)]
struct Weight {
    /// With the whole of the liquid at its place.
    whole: f32,
    /// With the particles there.
    most: f32,
}

impl Weight {
    /// From the shares of a cell that lie within the surface and that particles fill.
    fn new(shares: [f32; 2], scale: f32, viscosity: f32) -> Self {
        let [whole, most] = shares.map(|share| scale * share * viscosity);
        Self { whole, most }
    }

    fn times(self, factor: f32) -> Self {
        Self {
            whole: factor * self.whole,
            most: factor * self.most,
        }
    }

    /// The weight of a share of the liquid.
    fn of(self, share: f32) -> f32 {
        (self.whole * share).min(self.most)
    }
}

/// A difference of one component between two neighbouring faces.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    /// Rows and coefficients; a zero coefficient means no entry.
    entries: [(u32, f32); 2],
    /// What walls and air contribute.
    known: f32,
    /// Share of the distance that lies in the liquid.
    pub(super) share: f32,
}

/// A face and what is known of it.
#[derive(Clone, Copy)]
pub(super) struct NumberedFace {
    pub(super) axis: usize,
    pub(super) cell: IVec3,
    pub(super) row: u32,
}

/// A cell whose rows are made.
#[derive(Clone, Copy)]
struct TileCell {
    cell: IVec3,
    /// The cell as its tile counts.
    place: IVec3,
    /// Its place in a field's storage.
    index: u32,
}

impl TileCell {
    fn sample(self, kind: SampleKind) -> Sample {
        Sample {
            kind,
            index: self.index,
        }
    }
}

impl RowMaker<'_> {
    /// The rows of a viscous step of `dt` seconds.
    pub(super) fn rows_of_step(&self, dt: f64) -> StrainRows {
        let coupling = self.liquid.coupling;
        let cell_size = f64::from(coupling.liquid.topology().lattice().cell_size);
        let density = f64::from(coupling.reference_density);
        self.rows(dt / (density * cell_size * cell_size))
    }

    /// All rows, tile by tile. `scale` is time step over density and cell size squared.
    pub(super) fn rows(&self, scale: f64) -> StrainRows {
        let topology = self.weights.cells.topology();
        let tiles: Vec<StrainRows> = (0..topology.tile_count())
            .into_par_iter()
            .with_min_len(2)
            .map_init(
                || TileReader::new(self),
                |reader, slot| {
                    let mut rows = StrainRows::default();
                    reader.tile_rows(slot, scale as f32, &mut rows);
                    rows
                },
            )
            .collect();
        let mut all = StrainRows::default();
        for tile in &tiles {
            all.rows.append(&tile.rows);
            all.known.extend_from_slice(&tile.known);
            all.samples.extend_from_slice(&tile.samples);
        }
        all
    }

    /// The difference of a component from the face `lower` to the face `upper`, per cell; none if it is not known.
    pub(super) fn difference(
        &self,
        upper: NumberedFace,
        lower: NumberedFace,
    ) -> Option<Difference> {
        if upper.row < FIRST_CODE && lower.row < FIRST_CODE {
            return Some(Difference {
                entries: [(upper.row, 1.0), (lower.row, -1.0)],
                known: 0.0,
                share: 1.0,
            });
        }
        let (above, below) = (self.fixed_velocity(upper)?, self.fixed_velocity(lower)?);
        // Towards a wall the way to it counts, towards air and inside emitters the whole way.
        let whole = |end: NumberedFace| end.row == AIR || end.row == DRIVEN;
        let share = match (upper.row < FIRST_CODE, lower.row < FIRST_CODE) {
            (true, false) if !whole(lower) => self.way_to_wall(upper, lower)?,
            (false, true) if !whole(upper) => self.way_to_wall(lower, upper)?,
            _ => 1.0,
        };
        let slope = 1.0 / share;
        let entry = |end: NumberedFace, sign: f32| match end.row < FIRST_CODE {
            true => (end.row, sign * slope),
            false => (0, 0.0),
        };
        Some(Difference {
            entries: [entry(upper, 1.0), entry(lower, -1.0)],
            known: slope * (above - below),
            share,
        })
    }

    /// The velocity that a face has whatever the solution is: zero if it is unknown, none if there is none at all.
    fn fixed_velocity(&self, end: NumberedFace) -> Option<f32> {
        match (end.row, self.air) {
            (row, _) if row < FIRST_CODE => Some(0.0),
            (SLIPPING, _) | (AIR, Air::Unknown) => None,
            (AIR, Air::Held(velocity)) => Some(velocity[end.axis].get(end.cell)),
            _ => {
                let walls = &self.liquid.coupling.boundary.wall_velocity;
                Some(walls[end.axis].get(end.cell))
            }
        }
    }

    /// Where between a face in the liquid and one in a wall the wall begins, as a share of the way; none where there is air
    /// before the wall, which holds nothing back. Whatever volume reaches into the gap, however little, would tie a thick
    /// liquid to the wall otherwise.
    fn way_to_wall(&self, liquid: NumberedFace, wall: NumberedFace) -> Option<f32> {
        let Coupling {
            liquid: surface,
            boundary,
            ..
        } = self.liquid.coupling;
        let solid = &boundary.distance;
        let place = |end: NumberedFace| face_position(solid.topology(), end.axis, end.cell);
        let (from, to) = (place(liquid), place(wall));
        let (outside, inside) = (solid.sample(from), solid.sample(to));
        let share = (outside / (outside - inside)).clamp(self.least_theta, 1.0);
        let touches = surface.sample(from.lerp(to, share)) < 0.0;
        touches.then_some(share)
    }
}

/// Reads the surroundings of one tile after the other.
struct TileReader<'a> {
    maker: &'a RowMaker<'a>,
    rows: [Block<u32>; 3],
    viscosity: Option<(&'a Field<f32>, Block<f32>)>,
}

impl<'a> TileReader<'a> {
    fn new(maker: &'a RowMaker<'a>) -> Self {
        let topology = maker.weights.cells.topology();
        let viscosity = match maker.liquid.viscosity {
            CellViscosity::Uniform(_) => None,
            CellViscosity::Varying { cells, .. } => Some((cells, Block::new(topology, 1, 0.0))),
        };
        Self {
            maker,
            rows: std::array::from_fn(|_| Block::new(topology, 1, AIR)),
            viscosity,
        }
    }

    fn tile_rows(&mut self, slot: usize, scale: f32, out: &mut StrainRows) {
        let weights = self.maker.weights;
        let topology = weights.cells.topology();
        let axes = topology.lattice().axes();
        let (cells, edges) = (
            weights.cells.tile(slot),
            weights.edges.each_ref().map(|field| field.tile(slot)),
        );
        let empty = |tile: &[f32]| tile.iter().all(|&share| share == 0.0);
        if empty(cells) && edges.iter().all(|tile| empty(tile)) {
            return;
        }
        for (block, rows) in self.rows[..axes].iter_mut().zip(&self.maker.faces.row) {
            block.load(rows, slot);
        }
        if let Some((field, block)) = &mut self.viscosity {
            block.load(field, slot);
        }
        let stiffening = self.maker.liquid.stiffening;
        let stiffening = stiffening.map(|stiffening| {
            let edges = stiffening.edges.each_ref().map(|field| field.tile(slot));
            (stiffening.cells.tile(slot), edges)
        });
        let content = self.maker.liquid.content;
        // Shear between the axes of the plane lives on the edges across it.
        let first_edge = if axes == 2 { 2 } else { 0 };
        for local in 0..cells.len() {
            let at = TileCell {
                cell: topology.cell(slot, local),
                place: topology.local_cell(local),
                index: (slot * cells.len() + local) as u32,
            };
            if cells[local] > 0.0 {
                let added = stiffening.map_or(0.0, |(cells, _)| cells[local]);
                let viscosity = self.cell_viscosity(at.place) + added;
                let most = content.map_or(1.0, |content| content.cell_share(slot, local));
                let weight = Weight::new([cells[local], most], scale, viscosity);
                self.stretching(axes, at, weight, out);
            }
            for edge in first_edge..3 {
                if edges[edge][local] > 0.0 {
                    let added = stiffening.map_or(0.0, |(_, edges)| edges[edge][local]);
                    let viscosity = self.edge_viscosity(edge, at.place) + added;
                    let most = content.map_or(1.0, |content| content.edge_share(edge, slot, local));
                    let weight = Weight::new([edges[edge][local], most], scale, viscosity);
                    self.shear(edge, at, weight, out);
                }
            }
        }
    }

    fn cell_viscosity(&self, place: IVec3) -> f32 {
        match (&self.viscosity, self.maker.liquid.viscosity) {
            (Some((_, block)), _) => block.get(place),
            (None, viscosity) => viscosity.largest(),
        }
    }

    /// The mean over the cells around an edge whose viscosity is known.
    fn edge_viscosity(&self, edge: usize, place: IVec3) -> f32 {
        let Some((_, block)) = &self.viscosity else {
            return self.maker.liquid.viscosity.largest();
        };
        let (first, second) = (IVec3::AXES[(edge + 1) % 3], IVec3::AXES[(edge + 2) % 3]);
        let steps = [IVec3::ZERO, first, second, first + second];
        let around = steps.map(|step| block.get(place - step));
        self.maker.liquid.settings.edge_mean.of(around)
    }

    fn end(&self, axis: usize, at: TileCell, step: IVec3) -> NumberedFace {
        NumberedFace {
            axis,
            cell: at.cell + step,
            row: self.rows[axis].get(at.place + step),
        }
    }

    /// ∂u/∂x, ∂v/∂y and ∂w/∂z at the centre of a cell.
    fn stretching(&self, axes: usize, at: TileCell, weight: Weight, out: &mut StrainRows) {
        let times = match self.maker.form {
            Form::Strain => 2.0,
            Form::Gradient { .. } => 1.0,
        };
        let slope = |axis: usize| {
            let upper = self.end(axis, at, IVec3::AXES[axis]);
            let lower = self.end(axis, at, IVec3::ZERO);
            self.maker.difference(upper, lower)
        };
        let slopes: [Option<Difference>; 3] =
            std::array::from_fn(|axis| (axis < axes).then(|| slope(axis)).flatten());
        for (axis, difference) in slopes.into_iter().enumerate() {
            if let Some(difference) = difference {
                let kind = SampleKind::Stretching(axis as u8);
                out.push(at.sample(kind), weight.times(times), &[difference]);
            }
        }
    }

    /// ∂u/∂y + ∂v/∂x at an edge along z, or each of them.
    fn shear(&self, edge: usize, at: TileCell, weight: Weight, out: &mut StrainRows) {
        let (first, second) = ((edge + 1) % 3, (edge + 2) % 3);
        let slope = |component: usize, along: usize| {
            let upper = self.end(component, at, IVec3::ZERO);
            let lower = self.end(component, at, -IVec3::AXES[along]);
            self.maker.difference(upper, lower)
        };
        let pair = [slope(first, second), slope(second, first)];
        let sample = at.sample(SampleKind::Shear(edge as u8));
        match (self.maker.form, pair) {
            (Form::Strain, [Some(a), Some(b)]) => out.push(sample, weight, &[a, b]),
            (Form::Gradient { traction_free }, pair)
                if !traction_free || pair.iter().all(Option::is_some) =>
            {
                for difference in pair.into_iter().flatten() {
                    out.push(sample, weight, &[difference]);
                }
            }
            _ => {}
        }
    }
}

impl StrainRows {
    /// Adds the sum of differences as a row. At walls only the liquid's share of the control volume dissipates.
    fn push(&mut self, sample: Sample, weight: Weight, differences: &[Difference]) {
        let entries = || differences.iter().flat_map(|part| part.entries);
        let share = differences
            .iter()
            .fold(1.0, |least: f32, part| least.min(part.share));
        let weight = weight.of(share);
        if weight > 0.0 && entries().any(|(_, coefficient)| coefficient != 0.0) {
            self.rows.push(few_digits(weight), entries());
            self.known
                .push(differences.iter().map(|part| part.known).sum());
            self.samples.push(sample);
        }
    }
}
