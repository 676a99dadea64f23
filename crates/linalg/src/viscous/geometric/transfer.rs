//! Transfer between a grid and the one twice as coarse.
//!
//! Along the axis across a face, coarse faces coincide with every other fine one; along the other two, they lie between
//! fine ones. Prolongation is linear along each axis, restriction its transpose. Weights of samples are pooled in the
//! same way.

use ooze_commons::widest;
use rayon::prelude::*;

use super::layout::{Layout, Row, Span, parents};
use super::level::{AXES, Level};

/// What a coarse place takes of the fine places along one axis: the shares of those from one before twice its own
/// place to two after it.
pub(super) type Taps = [f32; 4];

/// Places that coincide with every other fine one.
pub(super) const COINCIDENT: Taps = [0.5, 1.0, 0.5, 0.0];
/// Places between fine ones, linear.
pub(super) const BETWEEN: Taps = [0.25, 0.75, 0.75, 0.25];
/// Places that are made of two fine ones.
pub(super) const POOLED: Taps = [0.0, 1.0, 1.0, 0.0];

/// A component of a field.
#[derive(Clone, Copy)]
pub(super) struct Component {
    /// Number of components of the field.
    pub(super) of: usize,
    pub(super) index: usize,
}

/// A pooling along three axes.
#[derive(Clone, Copy)]
pub(super) struct Pooling {
    pub(super) component: Component,
    pub(super) taps: [Taps; 3],
    pub(super) scale: f32,
    /// Whether the coarse places are faces, rather than samples.
    pub(super) faces: bool,
}

/// The taps of the restriction of faces across an axis.
pub(super) fn face_taps(axis: usize) -> [Taps; 3] {
    [0, 1, 2].map(|other| if other == axis { COINCIDENT } else { BETWEEN })
}

/// Fills components of a coarse field with what they take of the same ones of a fine field; there must be one at least.
pub(super) fn pool(
    fine: &Layout,
    field: &[f32],
    coarse: &Layout,
    out: &mut [f32],
    poolings: &[Pooling],
) {
    let components = poolings[0].component.of;
    let parts = coarse.split(components, out);
    let tasks = coarse.task.par_iter().zip(parts);
    tasks.for_each(|(task, out)| {
        let task = PoolTask {
            fine,
            field,
            rows: &coarse.row[task.clone()],
            out,
            poolings,
        };
        widest(
            #[inline(always)]
            |_| task.run(),
        );
    });
}

struct PoolTask<'a> {
    fine: &'a Layout,
    field: &'a [f32],
    rows: &'a [Row],
    out: &'a mut [f32],
    poolings: &'a [Pooling],
}

impl PoolTask<'_> {
    #[inline(always)]
    fn run(self) {
        let mut line = Vec::new();
        for row in self.rows {
            for pooling in self.poolings {
                let span = if pooling.faces {
                    row.faces
                } else {
                    row.samples
                };
                if span.length == 0 {
                    continue;
                }
                let fine_span = Span {
                    start: 2 * span.start - 1,
                    length: 2 * span.length + 2,
                };
                line.clear();
                line.resize(fine_span.length as usize, 0.0);
                for (z, share_z) in (2 * row.z - 1..).zip(pooling.taps[2]) {
                    for (y, share_y) in (2 * row.y - 1..).zip(pooling.taps[1]) {
                        let share = pooling.scale * share_y * share_z;
                        if share != 0.0
                            && let Some(fine) = self.fine.find(y, z)
                        {
                            add_line(
                                &mut line,
                                fine_span,
                                self.field,
                                pooling.component,
                                fine,
                                share,
                            );
                        }
                    }
                }
                let Component { of, index } = pooling.component;
                let start = row.index(of, index, span.start) - of * self.rows[0].offset as usize;
                let out = &mut self.out[start..start + span.length as usize];
                thin_out(out, line.as_chunks().0, pooling.taps[0]);
            }
        }
    }
}

/// Takes shares of four neighbours each, two further each time; the line comes in pairs.
#[inline(always)]
fn thin_out(out: &mut [f32], line: &[[f32; 2]], [a, b, c, d]: Taps) {
    let count = out.len();
    let (line, next) = (&line[..count], &line[1..count + 1]);
    for i in 0..count {
        out[i] = a * line[i][0] + b * line[i][1] + c * next[i][0] + d * next[i][1];
    }
}

/// Adds a share of a row to a line of values.
#[inline(always)]
fn add_line(
    line: &mut [f32],
    span: Span,
    field: &[f32],
    component: Component,
    row: &Row,
    share: f32,
) {
    let start = span.start.max(row.stored.start);
    let end = span.end().min(row.stored.end());
    if start >= end {
        return;
    }
    let length = (end - start) as usize;
    let from = row.index(component.of, component.index, start);
    let into = (start - span.start) as usize;
    let (line, field) = (&mut line[into..into + length], &field[from..from + length]);
    for i in 0..length {
        line[i] += share * field[i];
    }
}

/// Restricts the residual of a fine level to the right-hand side of a coarse one.
pub(super) fn restrict(fine: &Level, coarse: &mut Level) {
    let poolings = [0, 1, 2].map(|axis| Pooling {
        component: Component {
            of: AXES,
            index: axis,
        },
        taps: face_taps(axis),
        scale: 1.0,
        faces: true,
    });
    let mut out = std::mem::take(&mut coarse.right_hand_side);
    let layout = &coarse.layout;
    pool(&fine.layout, &fine.residual, layout, &mut out, &poolings);
    coarse.right_hand_side = out;
}

/// Adds the prolongation of a coarse level's solution to a fine one's.
pub(super) fn prolong(coarse: &Level, fine: &mut Level) {
    let mut x = std::mem::take(&mut fine.x);
    let level = &*fine;
    let parts = level.layout.split(AXES, &mut x);
    let tasks = level.layout.task.par_iter().zip(parts);
    tasks.for_each(|(task, x)| {
        let task = ProlongTask {
            coarse,
            rows: &level.layout.row[task.clone()],
            inverse_bound: &level.inverse_bound,
            x,
        };
        widest(
            #[inline(always)]
            |_| task.run(),
        );
    });
    fine.x = x;
}

struct ProlongTask<'a> {
    coarse: &'a Level,
    rows: &'a [Row],
    inverse_bound: &'a [f32],
    x: &'a mut [f32],
}

impl ProlongTask<'_> {
    #[inline(always)]
    fn run(self) {
        let first = AXES * self.rows[0].offset as usize;
        let mut line = Vec::new();
        for row in self.rows {
            if row.faces.length == 0 {
                continue;
            }
            let low = row.faces.start.div_euclid(2) - 1;
            let span = Span {
                start: low,
                length: (row.faces.end().div_euclid(2) + 2 - low) as u32,
            };
            for axis in 0..3 {
                line.clear();
                line.resize(span.length as usize, 0.0);
                for (z, share_z) in shares(axis == 2, row.z) {
                    for (y, share_y) in shares(axis == 1, row.y) {
                        let share = share_y * share_z;
                        if share > 0.0
                            && let Some(coarse) = self.coarse.layout.find(y, z)
                        {
                            let component = Component {
                                of: AXES,
                                index: axis,
                            };
                            add_line(&mut line, span, &self.coarse.x, component, coarse, share);
                        }
                    }
                }
                let start = row.index(AXES, axis, row.faces.start);
                let length = row.faces.length as usize;
                let inverse = &self.inverse_bound[start..start + length];
                let x = &mut self.x[start - first..start - first + length];
                // Faces start at an even place.
                let shares = if axis == 0 {
                    [0.0, 1.0, 0.5, 0.5]
                } else {
                    [0.25, 0.75, 0.75, 0.25]
                };
                spread(x.as_chunks_mut().0, inverse.as_chunks().0, &line, shares);
            }
        }
    }
}

/// Adds to each pair of fine places what lies before, at and behind it, where there is an unknown.
#[inline(always)]
fn spread(x: &mut [[f32; 2]], inverse: &[[f32; 2]], line: &[f32], [a, b, c, d]: [f32; 4]) {
    let count = x.len();
    let inverse = &inverse[..count];
    let (before, at, behind) = (&line[..count], &line[1..count + 1], &line[2..count + 2]);
    for i in 0..count {
        let even = a * before[i] + b * at[i];
        let odd = c * at[i] + d * behind[i];
        x[i][0] += if inverse[i][0] > 0.0 { even } else { 0.0 };
        x[i][1] += if inverse[i][1] > 0.0 { odd } else { 0.0 };
    }
}

/// The parents of a place along an axis, with their shares.
#[inline(always)]
fn shares(across: bool, place: i32) -> [(i32, f32); 2] {
    let (low, high) = parents(across, place);
    match (across, place & 1) {
        (true, 0) => [(low, 1.0), (high, 0.0)],
        (true, _) => [(low, 0.5), (high, 0.5)],
        (false, 0) => [(low, 0.25), (high, 0.75)],
        (false, _) => [(low, 0.75), (high, 0.25)],
    }
}
