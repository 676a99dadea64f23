//! What strain depends on at a cell and its lower edges: the components around it, and the gradient of the flow (Goktekin 2011,
//! sec. 3.5).

use glam::{IVec3, Vec3};
use ooze_core::Elasticity;
use ooze_field::{Block, FieldByAxis, Topology};

use super::{PointLaw, Strain, SymmetricTensor, relaxed};

/// Components of a symmetric tensor: three on the diagonal, three off it.
pub(super) const COMPONENTS: usize = 6;

/// The two axes across an edge.
pub(super) fn planes(edge: usize) -> (usize, usize) {
    ((edge + 1) % 3, (edge + 2) % 3)
}

/// How the liquid moves.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) velocity: &'a FieldByAxis<f32>,
    /// The rates at which strain grows in 1/s; none where differences of the velocities tell.
    pub(super) rates: Option<&'a Strain>,
}

/// Symmetric tensors in and around one tile.
struct Tensors {
    diagonal: [Block<f32>; 3],
    shear: [Block<f32>; 3],
}

/// Strain and motion in and around one tile.
pub(super) struct Surroundings {
    strain: Tensors,
    rates: Option<Tensors>,
    velocity: [Block<f32>; 3],
    /// Between neighbours along each axis, in the blocks.
    steps: [usize; 3],
    axes: usize,
    per_cell: f32,
}

impl Tensors {
    fn load(&mut self, fields: &Strain, slot: usize) {
        for axis in 0..3 {
            self.diagonal[axis].load(&fields.diagonal[axis], slot);
            self.shear[axis].load(&fields.shear[axis], slot);
        }
    }
}

impl Surroundings {
    pub(super) fn new(topology: &Topology, motion: Option<Motion<'_>>) -> Self {
        // The velocity's rim, for the sake of one index for all.
        let block = Block::new(topology, 2, 0.0);
        let blocks = || std::array::from_fn(|_| block.clone());
        let tensors = || Tensors {
            diagonal: blocks(),
            shear: blocks(),
        };
        Self {
            strain: tensors(),
            rates: motion.and_then(|motion| motion.rates).map(|_| tensors()),
            velocity: blocks(),
            steps: block.strides(),
            axes: topology.lattice().axes(),
            per_cell: 1.0 / topology.lattice().cell_size,
        }
    }

    pub(super) fn load(&mut self, strain: &Strain, motion: Option<Motion<'_>>, slot: usize) {
        self.strain.load(strain, slot);
        let Some(Motion { velocity, rates }) = motion else {
            return;
        };
        for (block, field) in self.velocity.iter_mut().zip(velocity).take(self.axes) {
            block.load(field, slot);
        }
        if let Some((blocks, rates)) = self.rates.as_mut().zip(rates) {
            blocks.load(rates, slot);
        }
    }

    /// Where a cell is in the blocks, given its place in the tile.
    #[inline]
    pub(super) fn place(&self, local: IVec3) -> usize {
        self.velocity[0].at(local)
    }

    /// The edges that have a meaning: those across the plane only, in flat lattices.
    fn edges(&self) -> std::ops::Range<usize> {
        if self.axes == 2 { 2..3 } else { 0..3 }
    }

    /// The components of a cell and its lower edges as they are.
    pub(super) fn stored(&self, place: usize) -> [f32; COMPONENTS] {
        std::array::from_fn(|number| {
            let block = if number < 3 {
                &self.strain.diagonal[number]
            } else {
                &self.strain.shear[number - 3]
            };
            block.values()[place]
        })
    }

    /// The new components of a cell and its lower edges.
    pub(super) fn advanced(
        &self,
        place: usize,
        point: &PointLaw,
        law: &Elasticity,
    ) -> [f32; COMPONENTS] {
        let mut values = [0.0; COMPONENTS];
        let gradient = self.gradient_at_cell(place);
        let rate = match &self.rates {
            Some(rates) => self.at_cell(rates, place),
            None => SymmetricTensor::rate(&gradient),
        };
        let strain = self.at_cell(&self.strain, place);
        let centre = point.strained(strain, rate, &gradient, law);
        values[..3].copy_from_slice(&centre.diagonal.to_array());
        for edge in self.edges() {
            let gradient = self.gradient_at_edge(edge, place);
            let rate = match &self.rates {
                Some(rates) => self.at_edge(rates, edge, place),
                None => SymmetricTensor::rate(&gradient),
            };
            let strain = self.at_edge(&self.strain, edge, place);
            values[3 + edge] = point.strained(strain, rate, &gradient, law).shear[edge];
        }
        values
    }

    /// The same where nothing moves.
    pub(super) fn relaxed(&self, place: usize, law: &Elasticity, dt: f32) -> [f32; COMPONENTS] {
        let mut values = [0.0; COMPONENTS];
        let centre = relaxed(self.at_cell(&self.strain, place), law, dt);
        values[..3].copy_from_slice(&centre.diagonal.to_array());
        for edge in self.edges() {
            let strain = self.at_edge(&self.strain, edge, place);
            values[3 + edge] = relaxed(strain, law, dt).shear[edge];
        }
        values
    }

    /// Derivative of component `axis` along itself, at the centre of a cell.
    fn stretching(&self, axis: usize, place: usize) -> f32 {
        let block = &self.velocity[axis];
        (block.values()[place + self.steps[axis]] - block.values()[place]) * self.per_cell
    }

    /// Derivative of component `axis` along another, at the edge across both (eq. 3.3).
    fn shearing(&self, axis: usize, along: usize, place: usize) -> f32 {
        let block = &self.velocity[axis];
        (block.values()[place] - block.values()[place - self.steps[along]]) * self.per_cell
    }

    /// The four edges around the centre of a cell.
    fn edges_around(&self, edge: usize, place: usize) -> [usize; 4] {
        let (first, second) = planes(edge);
        let (a, b) = (self.steps[first], self.steps[second]);
        [place, place + a, place + b, place + a + b]
    }

    /// The four cells around an edge. The thesis's fourth index of the mean over them is a misprint.
    fn cells_around(&self, edge: usize, place: usize) -> [usize; 4] {
        let (first, second) = planes(edge);
        let (a, b) = (self.steps[first], self.steps[second]);
        [place, place - a, place - b, place - a - b]
    }

    /// The four edges along `other` around an edge: beside it along `other`, and at both of its ends.
    fn edges_beside(&self, edge: usize, other: usize, place: usize) -> [usize; 4] {
        let (beside, end) = (self.steps[other], self.steps[edge]);
        [place, place - beside, place + end, place - beside + end]
    }

    fn at_cell(&self, tensors: &Tensors, place: usize) -> SymmetricTensor {
        let mut tensor = SymmetricTensor::ZERO;
        for axis in 0..3 {
            tensor.diagonal[axis] = tensors.diagonal[axis].values()[place];
        }
        for edge in self.edges() {
            let around = self.edges_around(edge, place);
            tensor.shear[edge] = mean(around, |place| tensors.shear[edge].values()[place]);
        }
        tensor
    }

    fn gradient_at_cell(&self, place: usize) -> [Vec3; 3] {
        let mut gradient = [Vec3::ZERO; 3];
        for (axis, row) in gradient.iter_mut().enumerate().take(self.axes) {
            row[axis] = self.stretching(axis, place);
        }
        for edge in self.edges() {
            let (first, second) = planes(edge);
            let around = self.edges_around(edge, place);
            gradient[first][second] = mean(around, |place| self.shearing(first, second, place));
            gradient[second][first] = mean(around, |place| self.shearing(second, first, place));
        }
        gradient
    }

    fn at_edge(&self, tensors: &Tensors, edge: usize, place: usize) -> SymmetricTensor {
        let mut tensor = SymmetricTensor::ZERO;
        let around = self.cells_around(edge, place);
        for axis in 0..3 {
            tensor.diagonal[axis] = mean(around, |place| tensors.diagonal[axis].values()[place]);
        }
        tensor.shear[edge] = tensors.shear[edge].values()[place];
        for other in self.edges().filter(|&other| other != edge) {
            let around = self.edges_beside(edge, other, place);
            tensor.shear[other] = mean(around, |place| tensors.shear[other].values()[place]);
        }
        tensor
    }

    fn gradient_at_edge(&self, edge: usize, place: usize) -> [Vec3; 3] {
        let mut gradient = [Vec3::ZERO; 3];
        let around = self.cells_around(edge, place);
        for (axis, row) in gradient.iter_mut().enumerate().take(self.axes) {
            row[axis] = mean(around, |place| self.stretching(axis, place));
        }
        let (first, second) = planes(edge);
        gradient[first][second] = self.shearing(first, second, place);
        gradient[second][first] = self.shearing(second, first, place);
        for other in self.edges().filter(|&other| other != edge) {
            let around = self.edges_beside(edge, other, place);
            let (one, two) = planes(other);
            gradient[one][two] = mean(around, |place| self.shearing(one, two, place));
            gradient[two][one] = mean(around, |place| self.shearing(two, one, place));
        }
        gradient
    }
}

fn mean(places: [usize; 4], value: impl Fn(usize) -> f32) -> f32 {
    0.25 * places.into_iter().map(value).sum::<f32>()
}
