//! One level: the energy of strain samples on a staggered grid, and smoothing.
//!
//! `A = diag(mass) + Gᵀ W G` is applied sample by sample, without a matrix: first the stress of all samples, then its
//! divergence on all faces.

use ooze_commons::widest;
use rayon::prelude::*;

use super::layout::{Layout, Row};

/// Components of a velocity.
pub(super) const AXES: usize = 3;
/// Samples of a cell: three stretches, then the shears of the edges along x, y and z.
pub(super) const SAMPLES: usize = 6;

/// Axes of the shear of an edge: the first component's difference along the second axis and the other way round.
pub(super) const SHEAR: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

/// A level of the hierarchy.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub(super) layout: Layout,
    /// Weights of the samples.
    pub(super) weight: Vec<f32>,
    /// Weights of the sum of the three stretches; empty without bulk viscosity.
    pub(super) bulk: Vec<f32>,
    /// What holds each face on its own.
    pub(super) mass: Vec<f32>,
    /// The inverse of a bound of the diagonal; zero where there is no unknown.
    pub(super) inverse_bound: Vec<f32>,
    pub(super) right_hand_side: Vec<f32>,
    pub(super) x: Vec<f32>,
    pub(super) step: Vec<f32>,
    pub(super) residual: Vec<f32>,
    stress: Vec<f32>,
}

/// A field of some components in a layout.
#[derive(Clone, Copy)]
struct View<'a> {
    layout: &'a Layout,
    components: usize,
    field: &'a [f32],
}

impl<'a> View<'a> {
    /// Values from a place on.
    #[inline(always)]
    fn at(self, row: &Row, component: usize, x: i32, length: usize) -> &'a [f32] {
        let start = row.index(self.components, component, x);
        &self.field[start..start + length]
    }

    /// Values one place further along an axis.
    #[inline(always)]
    fn shifted(
        self,
        row: &Row,
        component: usize,
        x: i32,
        length: usize,
        axis: usize,
        up: bool,
    ) -> &'a [f32] {
        if axis == 0 {
            return self.at(row, component, if up { x + 1 } else { x - 1 }, length);
        }
        let beside = row.beside[2 * axis - 2 + usize::from(up)];
        self.at(&self.layout.row[beside as usize], component, x, length)
    }

    /// The faces of a stretch: lower and upper ones.
    #[inline(always)]
    fn stretch(self, row: &Row, axis: usize) -> [&'a [f32]; 2] {
        let (x, length) = (row.samples.start, row.samples.length as usize);
        [
            self.at(row, axis, x, length),
            self.shifted(row, axis, x, length, axis, true),
        ]
    }

    /// The faces of a shear: two lower and two upper ones.
    #[inline(always)]
    fn shear(self, row: &Row, edge: usize) -> [&'a [f32]; 4] {
        let (x, length) = (row.samples.start, row.samples.length as usize);
        let (first, second) = SHEAR[edge];
        [
            self.shifted(row, first, x, length, second, false),
            self.shifted(row, second, x, length, first, false),
            self.at(row, first, x, length),
            self.at(row, second, x, length),
        ]
    }

    /// The samples of the faces across an axis, each with the face as its upper, then as its lower one.
    #[inline(always)]
    fn around(self, row: &Row, axis: usize) -> [[&'a [f32]; 2]; 3] {
        let (x, length) = (row.faces.start, row.faces.length as usize);
        let shear = |edge: usize, along: usize| {
            [
                self.at(row, 3 + edge, x, length),
                self.shifted(row, 3 + edge, x, length, along, true),
            ]
        };
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        [
            [
                self.shifted(row, axis, x, length, axis, false),
                self.at(row, axis, x, length),
            ],
            shear(last, next),
            shear(next, last),
        ]
    }
}

/// What becomes of the faces once stress is known.
#[derive(Clone, Copy)]
enum Update {
    /// `step = keep step + gain D⁻¹ residual`, `x += step`.
    Relax { keep: f32, gain: f32 },
    /// The residual.
    Residual,
}

struct StressTask<'a> {
    level: &'a Level,
    rows: &'a [Row],
    x: View<'a>,
    out: &'a mut [f32],
}

impl StressTask<'_> {
    #[inline(always)]
    fn run(self) {
        let first = self.rows[0].offset as usize * SAMPLES;
        let layout = &self.level.layout;
        let weight = View {
            layout,
            components: SAMPLES,
            field: &self.level.weight,
        };
        for row in self.rows {
            let (x, length) = (row.samples.start, row.samples.length as usize);
            if length == 0 {
                continue;
            }
            let index = |sample: usize| row.index(SAMPLES, sample, x) - first;
            for axis in 0..3 {
                let [low, high] = self.x.stretch(row, axis);
                let out = &mut self.out[index(axis)..][..length];
                stretch(out, weight.at(row, axis, x, length), low, high);
            }
            for edge in 0..3 {
                let out = &mut self.out[index(3 + edge)..][..length];
                let faces = self.x.shear(row, edge);
                shear(out, weight.at(row, 3 + edge, x, length), faces);
            }
            if !self.level.bulk.is_empty() {
                let start = row.index(1, 0, x);
                let weight = &self.level.bulk[start..start + length];
                let faces = [0, 1, 2].map(|axis| self.x.stretch(row, axis));
                let (a, rest) = self.out[index(0)..].split_at_mut(row.stored.length as usize);
                let (b, c) = rest.split_at_mut(row.stored.length as usize);
                bulk(
                    [&mut a[..length], &mut b[..length], &mut c[..length]],
                    weight,
                    faces,
                );
            }
        }
    }
}

#[inline(always)]
fn stretch(out: &mut [f32], weight: &[f32], low: &[f32], high: &[f32]) {
    let count = out.len();
    let (weight, low, high) = (&weight[..count], &low[..count], &high[..count]);
    for i in 0..count {
        out[i] = weight[i] * (high[i] - low[i]);
    }
}

#[inline(always)]
fn shear(out: &mut [f32], weight: &[f32], faces: [&[f32]; 4]) {
    let count = out.len();
    let weight = &weight[..count];
    let [a, b, c, d] = faces.map(|face| &face[..count]);
    for i in 0..count {
        out[i] = weight[i] * ((c[i] - a[i]) + (d[i] - b[i]));
    }
}

#[inline(always)]
fn bulk(out: [&mut [f32]; 3], weight: &[f32], faces: [[&[f32]; 2]; 3]) {
    let count = weight.len();
    let [x, y, z] = out;
    let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
    let [[a, b], [c, d], [e, f]] = faces.map(|pair| pair.map(|face| &face[..count]));
    for i in 0..count {
        let pressure = weight[i] * ((b[i] - a[i]) + (d[i] - c[i]) + (f[i] - e[i]));
        x[i] += pressure;
        y[i] += pressure;
        z[i] += pressure;
    }
}

struct FaceTask<'a> {
    level: &'a Level,
    rows: &'a [Row],
    stress: View<'a>,
    update: Update,
    /// Solution and step, or residual and nothing.
    out: [&'a mut [f32]; 2],
    /// The solution, for the residual.
    x: &'a [f32],
}

impl FaceTask<'_> {
    #[inline(always)]
    fn run(self) {
        let first = self.rows[0].offset as usize * AXES;
        let [out, step] = self.out;
        for row in self.rows {
            let length = row.faces.length as usize;
            if length == 0 {
                continue;
            }
            for axis in 0..3 {
                let start = row.index(AXES, axis, row.faces.start);
                let all = start..start + length;
                let own = start - first..start - first + length;
                let mass = &self.level.mass[all.clone()];
                let inverse = &self.level.inverse_bound[all.clone()];
                let b = &self.level.right_hand_side[all.clone()];
                let stress = self.stress.around(row, axis);
                match self.update {
                    Update::Relax { keep, gain } => relax(
                        &mut out[own.clone()],
                        &mut step[own],
                        [b, mass, inverse],
                        stress,
                        [keep, gain],
                    ),
                    Update::Residual => {
                        residual(&mut out[own], [b, mass, inverse, &self.x[all]], stress)
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn relax(
    x: &mut [f32],
    step: &mut [f32],
    [b, mass, inverse]: [&[f32]; 3],
    stress: [[&[f32]; 2]; 3],
    [keep, gain]: [f32; 2],
) {
    let count = x.len();
    let step = &mut step[..count];
    let (b, mass, inverse) = (&b[..count], &mass[..count], &inverse[..count]);
    let [[s, t], [u, v], [p, q]] = stress.map(|pair| pair.map(|part| &part[..count]));
    for i in 0..count {
        let force = (s[i] - t[i]) + (u[i] - v[i]) + (p[i] - q[i]);
        let rest = b[i] - mass[i] * x[i] - force;
        step[i] = keep * step[i] + gain * inverse[i] * rest;
        x[i] += step[i];
    }
}

#[inline(always)]
fn residual(out: &mut [f32], [b, mass, inverse, x]: [&[f32]; 4], stress: [[&[f32]; 2]; 3]) {
    let count = out.len();
    let (b, mass, inverse, x) = (&b[..count], &mass[..count], &inverse[..count], &x[..count]);
    let [[s, t], [u, v], [p, q]] = stress.map(|pair| pair.map(|part| &part[..count]));
    for i in 0..count {
        let force = (s[i] - t[i]) + (u[i] - v[i]) + (p[i] - q[i]);
        let rest = b[i] - mass[i] * x[i] - force;
        out[i] = if inverse[i] > 0.0 { rest } else { 0.0 };
    }
}

impl Level {
    /// A level without weights and masses.
    pub(super) fn new(layout: Layout, bulk: bool) -> Self {
        let places = layout.places;
        let field = || vec![0.0; AXES * places];
        Self {
            weight: vec![0.0; SAMPLES * places],
            bulk: vec![0.0; if bulk { places } else { 0 }],
            mass: field(),
            inverse_bound: field(),
            right_hand_side: field(),
            x: field(),
            step: field(),
            residual: field(),
            stress: vec![0.0; SAMPLES * places],
            layout,
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * (2 * self.weight.len() + self.bulk.len() + 6 * self.mass.len())
            + std::mem::size_of::<Row>() * self.layout.row.len()
    }

    fn find_stress(&mut self) {
        let mut stress = std::mem::take(&mut self.stress);
        let level = &*self;
        let x = View {
            layout: &level.layout,
            components: AXES,
            field: &level.x,
        };
        let parts = level.layout.split(SAMPLES, &mut stress);
        let tasks = level.layout.task.par_iter().zip(parts);
        tasks.for_each(|(task, out)| {
            let task = StressTask {
                level,
                rows: &level.layout.row[task.clone()],
                x,
                out,
            };
            widest(
                #[inline(always)]
                |_| task.run(),
            );
        });
        self.stress = stress;
    }

    /// A first step of smoothing, from zero: `x = gain D⁻¹ b`.
    fn start(&mut self, gain: f32) {
        let parts = self
            .x
            .par_chunks_mut(4096)
            .zip(self.step.par_chunks_mut(4096));
        let known = self
            .right_hand_side
            .par_chunks(4096)
            .zip(self.inverse_bound.par_chunks(4096));
        parts.zip(known).for_each(|((x, step), (b, inverse))| {
            for i in 0..x.len() {
                step[i] = gain * inverse[i] * b[i];
                x[i] = step[i];
            }
        });
    }

    fn relax(&mut self, keep: f32, gain: f32) {
        self.find_stress();
        let (mut x, mut step) = (std::mem::take(&mut self.x), std::mem::take(&mut self.step));
        let level = &*self;
        let parts = level.layout.split(AXES, &mut x).into_par_iter();
        let parts = parts.zip(level.layout.split(AXES, &mut step));
        let tasks = level.layout.task.par_iter().zip(parts);
        tasks.for_each(|(task, (x, step))| {
            let task = FaceTask {
                level,
                rows: &level.layout.row[task.clone()],
                stress: level.stress_view(),
                update: Update::Relax { keep, gain },
                out: [x, step],
                x: &[],
            };
            widest(
                #[inline(always)]
                |_| task.run(),
            );
        });
        (self.x, self.step) = (x, step);
    }

    fn stress_view(&self) -> View<'_> {
        View {
            layout: &self.layout,
            components: SAMPLES,
            field: &self.stress,
        }
    }

    /// The residual, zero where there is no unknown.
    pub(super) fn find_residual(&mut self) {
        self.find_stress();
        let mut residual = std::mem::take(&mut self.residual);
        let level = &*self;
        let parts = level.layout.split(AXES, &mut residual);
        let tasks = level.layout.task.par_iter().zip(parts);
        tasks.for_each(|(task, residual)| {
            let task = FaceTask {
                level,
                rows: &level.layout.row[task.clone()],
                stress: level.stress_view(),
                update: Update::Residual,
                out: [residual, &mut []],
                x: &level.x,
            };
            widest(
                #[inline(always)]
                |_| task.run(),
            );
        });
        self.residual = residual;
    }

    /// Steps of the Chebyshev polynomial of the fourth kind (Lottes 2023, alg. 1), from zero or from what is there.
    pub(super) fn smooth(&mut self, degree: usize, from_zero: bool) {
        for step in 1..=degree {
            let k = step as f32;
            let gain = (8.0 * k - 4.0) / (2.0 * k + 1.0);
            let keep = (2.0 * k - 3.0) / (2.0 * k + 1.0);
            match (step, from_zero) {
                (1, true) => self.start(gain),
                (1, false) => self.relax(0.0, gain),
                _ => self.relax(keep, gain),
            }
        }
    }

    /// How many unknowns each sample touches; `active` is 1 at unknowns and 0 elsewhere.
    pub(super) fn count_faces(&self, active: &[f32]) -> Vec<f32> {
        let view = View {
            layout: &self.layout,
            components: AXES,
            field: active,
        };
        let mut counts = vec![0.0; self.weight.len()];
        for row in &self.layout.row {
            let (x, length) = (row.samples.start, row.samples.length as usize);
            if length == 0 {
                continue;
            }
            for sample in 0..SAMPLES {
                let out = &mut counts[row.index(SAMPLES, sample, x)..][..length];
                if sample < 3 {
                    add(out, &view.stretch(row, sample));
                } else {
                    add(out, &view.shear(row, sample - 3));
                }
            }
        }
        counts
    }

    /// Bounds the diagonal so that the spectrum of `D⁻¹ A` stays below 1: by Cauchy-Schwarz, a sample of n unknowns
    /// counts n times.
    pub(super) fn bound(&mut self, active: &[f32], counts: &[f32]) {
        let mut stress = std::mem::take(&mut self.stress);
        for ((stress, weight), count) in stress.iter_mut().zip(&self.weight).zip(counts) {
            *stress = weight * count;
        }
        if !self.bulk.is_empty() {
            let rows = self.layout.row.iter();
            for row in rows.filter(|row| row.samples.length > 0) {
                let (x, length) = (row.samples.start, row.samples.length as usize);
                let start = |sample: usize| row.index(SAMPLES, sample, x);
                let first = row.index(1, 0, x);
                for i in 0..length {
                    let all: f32 = (0..3).map(|axis| counts[start(axis) + i]).sum();
                    for axis in 0..3 {
                        stress[start(axis) + i] += self.bulk[first + i] * all;
                    }
                }
            }
        }
        self.stress = stress;
        let mut inverse = std::mem::take(&mut self.inverse_bound);
        inverse.copy_from_slice(&self.mass);
        for row in &self.layout.row {
            let (x, length) = (row.faces.start, row.faces.length as usize);
            for axis in 0..if length > 0 { 3 } else { 0 } {
                let out = &mut inverse[row.index(AXES, axis, x)..][..length];
                for pair in self.stress_view().around(row, axis) {
                    add(out, &pair);
                }
            }
        }
        for (inverse, active) in inverse.iter_mut().zip(active) {
            *inverse = if *active > 0.0 && *inverse > 0.0 {
                1.0 / *inverse
            } else {
                0.0
            };
        }
        self.inverse_bound = inverse;
        self.stress.fill(0.0);
    }
}

fn add(out: &mut [f32], parts: &[&[f32]]) {
    for part in parts {
        for (out, part) in out.iter_mut().zip(*part) {
            *out += part;
        }
    }
}
