//! Fields as plain dense arrays and their operators, written for plainness.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::{IVec3, Vec3};
use ooze_field::fraction::{linear_fraction, quad_fraction};
use ooze_field::{Blend, Field, Lattice, Place, Value};

/// One value for every cell of the domain and a margin of sixteen cells around it.
#[derive(Clone, PartialEq)]
pub(crate) struct Dense<T> {
    lattice: Lattice,
    offset: Vec3,
    outside: T,
    lower: IVec3,
    size: IVec3,
    values: Vec<T>,
    /// Whether the sparse field has a tile there.
    exists: Vec<bool>,
}

/// The cells that a field stores, with their values.
pub(crate) fn cells<T: Value>(field: &Field<T>) -> impl Iterator<Item = (IVec3, &T)> {
    let topology = field.topology();
    let count = topology.tile_cells();
    let values = field.values().iter().enumerate();
    values.map(move |(index, value)| (topology.cell(index / count, index % count), value))
}

impl<T: Value> Dense<T> {
    pub(crate) fn of(field: &Field<T>) -> Self {
        let lattice = *field.topology().lattice();
        let margin = if lattice.flat {
            IVec3::new(16, 16, 0)
        } else {
            IVec3::splat(16)
        };
        let size = lattice.cells + 2 * margin;
        let mut dense = Self {
            lattice,
            offset: field.place().offset(),
            outside: field.outside(),
            lower: -margin,
            size,
            values: vec![field.outside(); size.element_product() as usize],
            exists: vec![false; size.element_product() as usize],
        };
        for (cell, &value) in cells(field) {
            let index = dense.index(cell).expect("tiles end within the margin");
            dense.values[index] = value;
            dense.exists[index] = true;
        }
        dense
    }

    fn index(&self, cell: IVec3) -> Option<usize> {
        let mut place = cell - self.lower;
        if self.lattice.flat {
            place.z = 0;
        }
        let inside = place.cmpge(IVec3::ZERO) & place.cmplt(self.size);
        inside
            .all()
            .then(|| ((place.z * self.size.y + place.y) * self.size.x + place.x) as usize)
    }

    fn cell(&self, index: usize) -> IVec3 {
        let index = index as i32;
        let (x, rest) = (index % self.size.x, index / self.size.x);
        self.lower + IVec3::new(x, rest % self.size.y, rest / self.size.y)
    }

    pub(crate) fn get(&self, cell: IVec3) -> T {
        self.index(cell)
            .map_or(self.outside, |index| self.values[index])
    }

    fn axes(&self) -> usize {
        self.lattice.axes()
    }

    /// The cells next to one: down and up each axis in turn.
    fn next(&self, cell: IVec3) -> impl Iterator<Item = IVec3> + use<T> {
        let axes = IVec3::AXES.into_iter().take(self.axes());
        axes.flat_map(move |axis| [cell - axis, cell + axis])
    }

    fn cube(&self, cell: IVec3) -> [T; 8] {
        std::array::from_fn(|corner| self.get(cell + corner_step(corner)))
    }

    /// The cell below a point and how far the point lies beyond its value.
    fn locate(&self, point: Vec3) -> (IVec3, Vec3) {
        let scaled = (point - self.lattice.origin) / self.lattice.cell_size - self.offset;
        let base = scaled.floor();
        let mut fraction = scaled - base;
        if self.lattice.flat {
            fraction.z = 0.0;
        }
        (base.as_ivec3(), fraction)
    }
}

fn corner_step(corner: usize) -> IVec3 {
    let corner = corner as i32;
    IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2)
}

impl<T: Blend> Dense<T> {
    pub(crate) fn sample(&self, point: Vec3) -> T {
        let (cell, fraction) = self.locate(point);
        let mut values: Vec<T> = self.cube(cell).to_vec();
        for share in fraction.to_array() {
            values = values
                .chunks(2)
                .map(|pair| pair[0] * (1.0 - share) + pair[1] * share)
                .collect();
        }
        values[0]
    }
}

/// Extends the known values, layer by layer.
pub(crate) fn extrapolate<T: Blend>(values: &mut Dense<T>, known: &mut Dense<u8>, layers: u32) {
    for _ in 0..layers {
        let (old_values, old_known) = (values.clone(), known.clone());
        for index in 0..old_known.values.len() {
            let cell = old_known.cell(index);
            if old_known.values[index] != 0 || !old_known.exists[index] {
                continue;
            }
            let sources = old_known
                .next(cell)
                .filter(|&next| old_known.get(next) != 0);
            let found: Vec<T> = sources.map(|next| old_values.get(next)).collect();
            if let Some(sum) = found.iter().copied().reduce(|sum, value| sum + value) {
                values.values[index] = sum * (1.0 / found.len() as f32);
                known.values[index] = 1;
            }
        }
    }
}

/// A cell on its way to be settled; the nearest is the greatest.
#[derive(PartialEq)]
struct Trial {
    distance: f32,
    index: usize,
}

impl Eq for Trial {}

impl Ord for Trial {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .distance
            .total_cmp(&self.distance)
            .then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Trial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Dense<f32> {
    pub(crate) fn gradient(&self, point: Vec3) -> Vec3 {
        let (cell, fraction) = self.locate(point);
        let c = self.cube(cell);
        let mut slopes = Vec3::ZERO;
        for axis in 0..3 {
            // Differences along the axis at four edges, then bilinear between them.
            let step = 1 << axis;
            let mut differences: Vec<f32> = (0..8)
                .filter(|corner| corner & step == 0)
                .map(|corner| c[corner | step] - c[corner])
                .collect();
            for other in (0..3).filter(|&other| other != axis) {
                let share = fraction[other];
                differences = differences
                    .chunks(2)
                    .map(|pair| pair[0] * (1.0 - share) + pair[1] * share)
                    .collect();
            }
            slopes[axis] = differences[0];
        }
        slopes / self.lattice.cell_size
    }

    /// Catmull and Rom's cubic in each direction, limited to the cube around the point.
    pub(crate) fn sample_cubic(&self, point: Vec3) -> f32 {
        let (cell, fraction) = self.locate(point);
        let weight = |axis: usize, step: i32| {
            let t = fraction[axis];
            match step {
                -1 => -0.5 * t * (1.0 - t) * (1.0 - t),
                0 => 1.0 - 2.5 * t * t + 1.5 * t * t * t,
                1 => 0.5 * t + 2.0 * t * t - 1.5 * t * t * t,
                _ => -0.5 * t * t * (1.0 - t),
            }
        };
        let mut sum = 0.0;
        for z in -1..3 {
            for y in -1..3 {
                for x in -1..3 {
                    let value = self.get(cell + IVec3::new(x, y, z));
                    sum += weight(0, x) * weight(1, y) * weight(2, z) * value;
                }
            }
        }
        let cube = self.cube(cell);
        let lowest = cube.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = cube.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        sum.clamp(lowest, highest)
    }

    /// Open share of the lower face of a cell.
    pub(crate) fn open_area(&self, cell: IVec3, axis: usize) -> f32 {
        let (first, second) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
        let corners =
            [IVec3::ZERO, first, second, first + second].map(|step| self.get(cell + step));
        1.0 - quad_fraction(corners)
    }

    /// Share of the control volume of a cell, face or edge that is negative.
    pub(crate) fn volume(&self, cell: IVec3, place: Place, smallest: f32) -> f32 {
        let centre = 2.0 * (cell.as_vec3() + place.offset());
        let octants = (0..8).map(|corner| {
            // Octants are counted from the origin, two a cell.
            let octant = (centre + corner_step(corner).as_vec3() - 1.0).as_ivec3();
            self.octant(octant, smallest)
        });
        octants.sum::<f32>() / 8.0
    }

    fn octant(&self, octant: IVec3, smallest: f32) -> f32 {
        // Centre of the octant relative to the samples, in cells.
        let mut position = 0.5 * (octant.as_vec3() + 0.5) - self.offset;
        if self.lattice.flat {
            position.z = 0.0;
        }
        let base = position.floor();
        let fraction = position - base;
        let base = base.as_ivec3();
        let c = self.cube(base);
        let margin = 0.1 * self.lattice.cell_size;
        if c.iter().all(|&value| value >= margin) {
            return 0.0;
        }
        if c.iter().all(|&value| value < -margin) {
            return 1.0;
        }
        // Trilinear value and slopes, weight by weight.
        let (mut value, mut slopes) = (0.0, Vec3::ZERO);
        for (corner, &sample) in c.iter().enumerate() {
            let step = corner_step(corner);
            let weights: [f32; 3] = std::array::from_fn(|axis| {
                if step[axis] == 1 {
                    fraction[axis]
                } else {
                    1.0 - fraction[axis]
                }
            });
            value += sample * weights[0] * weights[1] * weights[2];
            for axis in 0..self.axes() {
                let sign = if step[axis] == 1 { 1.0 } else { -1.0 };
                slopes[axis] += sample * sign * weights[(axis + 1) % 3] * weights[(axis + 2) % 3];
            }
        }
        let share = linear_fraction(value + self.bend(base).clamp(-margin, margin), 0.5 * slopes);
        if share < smallest { 0.0 } else { share }
    }

    /// Correction for curvature: -1/12 of the second differences along each axis, the smaller one at either end of each
    /// edge of the cube, averaged over its four edges.
    fn bend(&self, base: IVec3) -> f32 {
        let mut sum = 0.0;
        for axis in 0..self.axes() {
            let along = IVec3::AXES[axis];
            let corners = (0..8).map(corner_step).filter(|step| step[axis] == 0);
            for lower in corners.map(|step| base + step) {
                let second = |cell: IVec3| {
                    self.get(cell - along) - 2.0 * self.get(cell) + self.get(cell + along)
                };
                let (a, b) = (second(lower), second(lower + along));
                if a * b > 0.0 {
                    sum += if a.abs() < b.abs() { a } else { b };
                }
            }
        }
        -sum / 48.0
    }

    /// Second-order fast marching (Sethian 1999) from the cells next to the surface of `original`, whose values are kept.
    pub(crate) fn march(&mut self, original: &Self, band: f32) {
        let negative = |cell: IVec3| original.get(cell) < 0.0;
        let mut settled = vec![false; self.values.len()];
        let mut queue = BinaryHeap::new();
        for index in 0..self.values.len() {
            let cell = self.cell(index);
            if !self.exists[index] {
                continue;
            }
            if self.next(cell).any(|next| negative(next) != negative(cell)) {
                queue.push(Trial {
                    distance: self.values[index].abs(),
                    index,
                });
            } else {
                self.values[index] = if negative(cell) { -band } else { band };
            }
        }
        // Values next to the surface are known, whatever their order.
        for trial in queue.iter() {
            settled[trial.index] = true;
        }
        let mut done = vec![false; self.values.len()];
        while let Some(Trial { distance, index }) = queue.pop() {
            if done[index] || distance > self.values[index].abs() {
                continue;
            }
            done[index] = true;
            settled[index] = true;
            let cell = self.cell(index);
            for next in self.next(cell) {
                let Some(target) = self.index(next) else {
                    continue;
                };
                if settled[target] || !self.exists[target] {
                    continue;
                }
                let distance = self.upwind(next, &settled).min(band);
                self.values[target] = distance.copysign(self.values[target]);
                if distance < band {
                    queue.push(Trial {
                        distance,
                        index: target,
                    });
                }
            }
        }
    }

    /// The distance of a cell from its settled neighbours.
    fn upwind(&self, cell: IVec3, settled: &[bool]) -> f32 {
        let size = self.lattice.cell_size;
        let sign = 1.0_f32.copysign(self.get(cell));
        let known = |cell: IVec3| self.index(cell).is_some_and(|index| settled[index]);
        // Along each axis: a neighbour's distance, the coefficient and the value of the difference.
        let mut axes: Vec<(f32, f32, f32)> = Vec::new();
        for axis in IVec3::AXES.into_iter().take(self.axes()) {
            let sides = [-axis, axis].into_iter().filter(|&step| known(cell + step));
            let nearest = sides.min_by(|&a, &b| {
                (sign * self.get(cell + a)).total_cmp(&(sign * self.get(cell + b)))
            });
            if let Some(step) = nearest {
                let near = sign * self.get(cell + step) / size;
                let far = sign * self.get(cell + 2 * step) / size;
                let second_order = known(cell + 2 * step) && far <= near && near - far < 1.05;
                axes.push(if second_order {
                    (near, 2.25, (4.0 * near - far) / 3.0)
                } else {
                    (near, 1.0, near)
                });
            }
        }
        axes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut solution = f64::INFINITY;
        for count in 1..=axes.len() {
            if solution <= f64::from(axes[count - 1].0) {
                break;
            }
            let (mut a, mut b, mut c) = (0.0, 0.0, -1.0);
            for &(_, coefficient, value) in &axes[..count] {
                let (coefficient, value) = (f64::from(coefficient), f64::from(value));
                a += coefficient;
                b += coefficient * value;
                c += coefficient * value * value;
            }
            let discriminant = b * b - a * c;
            if discriminant < 0.0 {
                break;
            }
            solution = (b + discriminant.sqrt()) / a;
        }
        solution as f32 * size
    }
}
