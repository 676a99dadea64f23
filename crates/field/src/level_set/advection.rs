//! Moving a level set with the flow, φ_t + u·∇φ = 0 (Carlson 2004, eq. 91): the six schemes of his fig. 28 and MacCormack's.
//!
//! Eulerian schemes take as many equal sub-steps as their stability needs; the velocity does not change during a step.

use glam::Vec3;
use ooze_commons::{choice, reduce};
use rayon::prelude::*;

use super::derivative::{Derivative, STENCIL};
use crate::mask::{Mask, TileBits, set_cells};
use crate::{Block, Field, NO_TILE};

/// Cells that an Eulerian scheme may cross in one sub-step.
const EULERIAN_CFL: f32 = 0.5;

/// Time integration that keeps what upwinding guarantees: total variation diminishing Runge-Kutta (Shu & Osher 1988).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RungeKutta {
    /// Forward Euler.
    First,
    /// Heun's rule.
    Second,
    /// Three stages.
    Third,
}

choice! {
    /// How the level set is moved.
    pub enum Advection {
        /// The value at the place that the flow came from: loses detail where particles do not bring it back.
        SemiLagrangian "semi-lagrangian";
        /// Semi-Lagrangian there and back, with the error taken off (Selle et al. 2008).
        MacCormack "maccormack";
        /// First-order upwind differences and forward Euler.
        Upwind "upwind";
        /// Second-order ENO and forward Euler.
        Eno2Euler "eno2-euler";
        /// Second-order ENO and second-order Runge-Kutta.
        Eno2 "eno2";
        /// Third-order ENO and second-order Runge-Kutta.
        Eno3 "eno3";
        /// Fifth-order WENO and third-order Runge-Kutta.
        Weno5 "weno5";
    }
}

/// What a scheme does with the samples around a place.
enum Scheme {
    /// The value where the flow came from, interpolated linearly: stable at any step, diffusive.
    SemiLagrangian,
    /// Two of these steps, one of them back, whose difference tells the error: second order; limited to the values around the
    /// place that the flow came from.
    MacCormack,
    /// Upwind derivatives and Runge-Kutta.
    Eulerian(Derivative, RungeKutta),
}

impl Advection {
    /// The schemes of Carlson 2004, fig. 28, (a) to (f).
    pub const CARLSON: [Self; 6] = [
        Self::SemiLagrangian,
        Self::Upwind,
        Self::Eno2Euler,
        Self::Eno2,
        Self::Eno3,
        Self::Weno5,
    ];

    fn scheme(self) -> Scheme {
        match self {
            Self::SemiLagrangian => Scheme::SemiLagrangian,
            Self::MacCormack => Scheme::MacCormack,
            Self::Upwind => Scheme::Eulerian(Derivative::Upwind, RungeKutta::First),
            Self::Eno2Euler => Scheme::Eulerian(Derivative::Eno2, RungeKutta::First),
            Self::Eno2 => Scheme::Eulerian(Derivative::Eno2, RungeKutta::Second),
            Self::Eno3 => Scheme::Eulerian(Derivative::Eno3, RungeKutta::Second),
            Self::Weno5 => Scheme::Eulerian(Derivative::Weno5, RungeKutta::Third),
        }
    }
}

/// The level set after it has moved with `velocity` for `dt` seconds, by less than the eight cells of a tile. Samples as far
/// from the surface as the value outside of the tiles stay as they are, where a scheme reads neighbours only; so do samples from
/// which the surface cannot come near, where nothing moves further than `longest_way` metres (infinite if that is not known).
pub fn advect(
    phi: &Field<f32>,
    velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
    longest_way: f32,
    scheme: Advection,
) -> Field<f32> {
    let moving = Moving::find(phi, longest_way);
    match scheme.scheme() {
        Scheme::SemiLagrangian => carried(phi, velocity, dt, &moving),
        Scheme::MacCormack => maccormack(phi, velocity, dt, &moving),
        Scheme::Eulerian(derivative, stages) => eulerian(phi, velocity, dt, derivative, stages),
    }
}

/// The place from which the flow comes to `point` within `dt` seconds, by the midpoint rule (Goktekin 2011, eq. 3.12).
#[inline]
pub fn trace_back(velocity: &impl Fn(Vec3) -> Vec3, point: Vec3, dt: f32) -> Vec3 {
    let middle = point - 0.5 * dt * velocity(point);
    point - dt * velocity(middle)
}

fn carried(
    phi: &Field<f32>,
    velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
    moving: &Moving,
) -> Field<f32> {
    let topology = phi.topology();
    let mut moved = phi.clone();
    moved.par_tiles_mut().for_each(|(slot, tile)| {
        for local in moving.samples(phi, slot) {
            let point = phi.position(topology.cell(slot, local));
            tile[local] = phi.sample(trace_back(velocity, point, dt));
        }
    });
    moved
}

/// The samples that a semi-Lagrangian step must move.
struct Moving {
    settled: Vec<bool>,
    reach: f32,
}

impl Moving {
    /// Cells beyond what the surface can cross that are moved as well, so that it is never at the end of what is.
    const MARGIN: f32 = 3.0;

    fn find(phi: &Field<f32>, longest_way: f32) -> Self {
        let margin = Self::MARGIN * phi.topology().lattice().cell_size;
        Self {
            settled: settled_tiles(phi),
            // Twice: once for the surface, once for what a step back reads.
            reach: 2.0 * longest_way + margin,
        }
    }

    /// Those of a tile.
    fn samples<'a>(&self, phi: &'a Field<f32>, slot: usize) -> impl Iterator<Item = usize> + 'a {
        let tile: &[f32] = if self.settled[slot] {
            &[]
        } else {
            phi.tile(slot)
        };
        let reach = self.reach;
        let near = tile
            .iter()
            .enumerate()
            .filter(move |(_, value)| value.abs() < reach);
        near.map(|(local, _)| local)
    }
}

/// The tiles whose surroundings have one value, which no flow changes that does not cross a tile.
fn settled_tiles(phi: &Field<f32>) -> Vec<bool> {
    let topology = phi.topology();
    let uniform: Vec<Option<f32>> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| {
            let tile = phi.tile(slot);
            tile.iter()
                .all(|&value| value == tile[0])
                .then_some(tile[0])
        })
        .collect();
    let of = |slot: u32| match slot {
        NO_TILE => Some(phi.outside()),
        slot => uniform[slot as usize],
    };
    (0..topology.tile_count())
        .map(|slot| {
            let around = topology.neighbours(slot).iter();
            uniform[slot].is_some() && around.copied().all(|other| of(other) == uniform[slot])
        })
        .collect()
}

fn maccormack(
    phi: &Field<f32>,
    velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
    moving: &Moving,
) -> Field<f32> {
    let topology = phi.topology();
    let mut forward = phi.clone();
    let mut ranges = Field::new(topology, phi.place(), [0.0; 2]);
    let tiles = forward.par_tiles_mut().zip(ranges.par_tiles_mut());
    tiles.for_each(|((slot, values), (_, ranges))| {
        for local in moving.samples(phi, slot) {
            let point = phi.position(topology.cell(slot, local));
            let from = trace_back(velocity, point, dt);
            (values[local], ranges[local]) = phi.sample_with_range(from);
        }
    });
    let mut moved = forward.clone();
    moved.par_tiles_mut().for_each(|(slot, tile)| {
        for local in moving.samples(phi, slot) {
            let here = phi.tile(slot)[local];
            if here.abs() >= phi.outside().abs() {
                continue;
            }
            // Half of what is lost on the way there and back.
            let point = phi.position(topology.cell(slot, local));
            let error = 0.5 * (here - forward.sample(trace_back(velocity, point, -dt)));
            let [lowest, highest] = ranges.tile(slot)[local];
            tile[local] = (tile[local] + error).clamp(lowest, highest);
        }
    });
    moved
}

fn eulerian(
    phi: &Field<f32>,
    velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
    derivative: Derivative,
    stages: RungeKutta,
) -> Field<f32> {
    let topology = phi.topology();
    let cell_size = topology.lattice().cell_size;
    let band = near_surface(phi);
    // In cells per second.
    let mut flow = Field::new(topology, phi.place(), Vec3::ZERO);
    flow.par_tiles_mut().for_each(|(slot, tile)| {
        for local in set_cells(&with_neighbours(&band, slot)) {
            tile[local] = velocity(phi.position(topology.cell(slot, local))) / cell_size;
        }
    });
    // The sum over the axes limits explicit steps.
    let fastest = reduce::max(flow.values(), |flow| flow.abs().element_sum());
    let substeps = (fastest * dt / EULERIAN_CFL).ceil().max(1.0);
    let dt = dt / substeps;
    let step = |phi: &Field<f32>| euler_step(phi, &flow, dt, derivative);
    let mut phi = phi.clone();
    for _ in 0..substeps as u32 {
        let first = step(&phi);
        phi = match stages {
            RungeKutta::First => first,
            RungeKutta::Second => mixed(&phi, &step(&first), 0.5),
            RungeKutta::Third => {
                let half = mixed(&phi, &step(&first), 0.25);
                mixed(&phi, &step(&half), 2.0 / 3.0)
            }
        };
    }
    phi
}

/// One step of forward Euler.
fn euler_step(phi: &Field<f32>, flow: &Field<Vec3>, dt: f32, derivative: Derivative) -> Field<f32> {
    let mut moved = phi.clone();
    for_each_stencil(phi, &mut moved, |slot, local, stencils, value| {
        let flow = flow.tile(slot)[local];
        for (axis, stencil) in stencils.iter().enumerate() {
            if flow[axis] != 0.0 {
                let [below, above] = derivative.both(stencil);
                let slope = if flow[axis] > 0.0 { below } else { above };
                *value -= dt * flow[axis] * slope;
            }
        }
    });
    moved
}

/// The samples nearer to the surface than the level set tells outside of its tiles.
fn near_surface(phi: &Field<f32>) -> Mask {
    let far = phi.outside().abs();
    Mask::of(phi, |value| value.abs() < far)
}

/// The samples of a tile that are in a set or next to it: as the surface moves, so must the end of the band.
fn with_neighbours(set: &Mask, slot: usize) -> TileBits {
    let mut bits = set.any_next(slot);
    for (word, own) in bits.iter_mut().zip(set.tile(slot)) {
        *word |= own;
    }
    // A flat lattice has one layer.
    for word in bits.iter_mut().skip(set.topology().tile_depth() as usize) {
        *word = 0;
    }
    bits
}

/// Calls `change(slot, local, stencils, value)` for each sample of `target` that is not far from the surface, with the
/// samples of `phi` along the axes around it. Flat lattices have the same value all along z.
pub(super) fn for_each_stencil(
    phi: &Field<f32>,
    target: &mut Field<f32>,
    change: impl Fn(usize, usize, &[[f32; STENCIL]; 3], &mut f32) + Sync,
) {
    let topology = phi.topology();
    let band = near_surface(phi);
    target.par_tiles_mut().with_min_len(4).for_each_init(
        || Block::new(topology, STENCIL as i32 / 2, 0.0),
        |block, (slot, tile)| {
            let near = with_neighbours(&band, slot);
            if near.iter().all(|&word| word == 0) {
                return;
            }
            block.load(phi, slot);
            let strides = block.strides();
            for local in set_cells(&near) {
                let index = block.at(topology.local_cell(local));
                let stencils = strides.map(|stride| {
                    let first = index - stride * (STENCIL / 2);
                    std::array::from_fn(|n| block.values()[first + n * stride])
                });
                change(slot, local, &stencils, &mut tile[local]);
            }
        },
    );
}

/// (1 - share) a + share b.
pub(super) fn mixed(a: &Field<f32>, b: &Field<f32>, share: f32) -> Field<f32> {
    let mut mixed = a.clone();
    mixed.par_tiles_mut().for_each(|(slot, tile)| {
        for (value, other) in tile.iter_mut().zip(b.tile(slot)) {
            *value += share * (other - *value);
        }
    });
    mixed
}
