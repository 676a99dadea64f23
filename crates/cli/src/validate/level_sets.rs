//! Level sets in flows that bring them back to where they were: how much area or volume each scheme loses, with and without
//! particles.
//!
//! The slotted disc (Zalesak 1979) as Carlson 2004, fig. 27 and 28, and Enright et al. 2002 turn it, a slotted sphere, and the
//! single vortex of Bell, Colella & Glaz 1989, reversed in time. Enright et al. 2002 lose 0.3 % of the disc with particles and
//! fifth-order WENO.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_field::level_set::{
    Advection, NoWalls, ParticleSettings, TrackedSurface, TrackingSettings, retiled, volume,
};
use ooze_field::{Field, Lattice, Place, Topology};

use self::Alone::{Keeps, Loses};
use super::{Case, Numbers, Verdict};

/// What a level set alone makes of a body.
#[derive(Clone, Copy)]
enum Alone {
    /// It keeps the size but for this share.
    Keeps(f64),
    /// It loses this share at least: first-order schemes smear a body of a few cells away, as in Carlson 2004, fig. 28.
    Loses(f64),
}

/// A scheme, with what is expected of it for the disc, the sphere and the vortex.
struct Scheme {
    name: &'static str,
    advection: Advection,
    /// Share of the size that may be lost with particles.
    corrected: [f64; 3],
    alone: [Alone; 3],
}

impl Scheme {
    const fn new(
        name: &'static str,
        advection: Advection,
        corrected: [f64; 3],
        alone: [Alone; 3],
    ) -> Self {
        Self {
            name,
            advection,
            corrected,
            alone,
        }
    }
}

/// Carlson's six schemes and MacCormack's. With particles all of them keep what the particles resolve: published is a loss of
/// 0.3 % of the disc with WENO5. The slot of the sphere is two and a half cells wide, and all lose more of it.
#[rustfmt::skip]
const SCHEMES: [Scheme; 7] = [
    Scheme::new("semi-Lagrangian", Advection::CARLSON[0], [0.03, 0.12, 0.02], [Loses(0.3), Loses(0.9), Loses(0.1)]),
    Scheme::new("upwind, Euler", Advection::CARLSON[1], [0.03, 0.12, 0.02], [Loses(0.3), Loses(0.9), Loses(0.1)]),
    Scheme::new("ENO2, Euler", Advection::CARLSON[2], [0.03, 0.12, 0.02], [Keeps(0.08), Keeps(0.3), Keeps(0.04)]),
    Scheme::new("ENO2, RK2", Advection::CARLSON[3], [0.03, 0.12, 0.02], [Keeps(0.05), Keeps(0.4), Keeps(0.04)]),
    Scheme::new("ENO3, RK2", Advection::CARLSON[4], [0.03, 0.12, 0.02], [Keeps(0.05), Keeps(0.3), Keeps(0.04)]),
    Scheme::new("WENO5, RK3", Advection::CARLSON[5], [0.02, 0.12, 0.02], [Keeps(0.05), Keeps(0.2), Keeps(0.04)]),
    Scheme::new("MacCormack", Advection::MacCormack, [0.03, 0.06, 0.02], [Keeps(0.05), Keeps(0.25), Keeps(0.04)]),
];

/// Cells that the flow crosses in a step of the vortex.
const VORTEX_STEP: f32 = 0.5;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "zalesak-disc",
            summary: "a slotted disc turned once on 100 × 100 cells: area lost by each level-set scheme, with and without particles",
            quick: false,
            run: |case| Ok(turned_disc().judge(case, 0)),
        },
        Case {
            name: "zalesak-sphere",
            summary: "a slotted sphere turned once on 50³ cells: volume lost by each level-set scheme, with and without particles",
            quick: false,
            run: |case| Ok(turned_sphere().judge(case, 1)),
        },
        Case {
            name: "single-vortex",
            summary: "a disc drawn out by a vortex and back on 128 × 128 cells: area lost by each level-set scheme, with and without particles",
            quick: false,
            run: |case| Ok(reversed_vortex().judge(case, 2)),
        },
    ]
}

/// A level set, a flow that brings it back, and how it is stepped.
struct Trial {
    start: Field<f32>,
    /// Velocity at a point and time.
    flow: fn(Vec3, f32) -> Vec3,
    steps: u32,
    dt: f32,
}

impl Trial {
    /// Size of what is left, and of what is in the wrong place, as shares of the start.
    fn outcome(&self, advection: Advection, particles: bool) -> (f64, f64) {
        let settings = TrackingSettings {
            advection,
            particles: particles.then_some(ParticleSettings::PUBLISHED),
            ..TrackingSettings::default()
        };
        let mut surface = TrackedSurface::new(retiled(&self.start, 10), &settings, 1);
        for step in 0..self.steps {
            surface.phi = retiled(&surface.phi, 10);
            let middle = (step as f32 + 0.5) * self.dt;
            let flow = |point: Vec3| (self.flow)(point, middle);
            surface.advance(&flow, self.dt, f32::INFINITY, &settings, &NoWalls);
        }
        let whole = volume(&self.start);
        let topology = self.start.topology();
        let mut wrong = 0.0;
        for slot in 0..topology.tile_count() {
            for (local, &value) in self.start.tile(slot).iter().enumerate() {
                let now = surface.phi.get(topology.cell(slot, local));
                wrong += f64::from(u8::from((now < 0.0) != (value < 0.0)));
            }
        }
        let cell = topology.lattice().cell_volume();
        (volume(&surface.phi) / whole, wrong * cell / whole)
    }

    fn judge(&self, case: &Case, trial: usize) -> Vec<Verdict> {
        let resolution = self.start.topology().lattice().cells.max_element();
        let mut verdicts = Vec::new();
        let mut add = |name: &str, quantity: &str, numbers: Numbers| {
            verdicts.push(Verdict {
                case: format!("{}/{quantity}", case.name),
                method: name.into(),
                resolution,
                measured: numbers.measured,
                expected: numbers.expected,
                pass: numbers.error <= numbers.tolerance,
                error: numbers.error,
                tolerance: numbers.tolerance,
            });
        };
        for scheme in SCHEMES {
            let name = scheme.name;
            let (alone, misplaced_alone) = self.outcome(scheme.advection, false);
            let (with, misplaced) = self.outcome(scheme.advection, true);
            add(
                name,
                "left with particles",
                Numbers::relative(with, 1.0, scheme.corrected[trial]),
            );
            let numbers = match scheme.alone[trial] {
                Keeps(share) => Numbers::relative(alone, 1.0, share),
                Loses(share) => Numbers::at_most(alone, 1.0 - share),
            };
            add(name, "left without particles", numbers);
            let gain = misplaced_alone / misplaced.max(f64::MIN_POSITIVE);
            add(
                name,
                "misplaced without over with particles",
                Numbers::at_least(gain, 1.0),
            );
        }
        verdicts
    }
}

fn lattice(cells: i32, size: f32, flat: bool) -> Lattice {
    Lattice::new(Vec3::ZERO, size / cells as f32, IVec3::splat(cells), flat)
}

fn sampled(lattice: Lattice, shape: impl Fn(Vec3) -> f32 + Sync) -> Field<f32> {
    let topology = Arc::new(Topology::full(lattice));
    let band = 6.0 * lattice.cell_size;
    Field::from_points(&topology, Place::Node, band, |point| {
        shape(point).clamp(-band, band)
    })
}

/// A rigid rotation about (50, 50) once in 628 seconds.
fn rotation(point: Vec3, _: f32) -> Vec3 {
    TAU / 628.0 * Vec3::new(50.0 - point.y, point.x - 50.0, 0.0)
}

/// Distance to a body of radius 15 with a slot 5 wide and 25 deep.
fn slotted(body: f32, point: Vec3) -> f32 {
    body.max(-(point.x.abs() - 2.5).max(point.y - 10.0))
}

fn turned_disc() -> Trial {
    let start = sampled(lattice(100, 100.0, true), |point| {
        let from_centre = point - Vec3::new(50.0, 75.0, 0.0);
        slotted(from_centre.truncate().length() - 15.0, from_centre)
    });
    Trial {
        start,
        flow: rotation,
        steps: 628,
        dt: 1.0,
    }
}

fn turned_sphere() -> Trial {
    let start = sampled(lattice(50, 100.0, false), |point| {
        let from_centre = point - Vec3::new(50.0, 75.0, 50.0);
        slotted(from_centre.length() - 15.0, from_centre)
    });
    Trial {
        start,
        flow: rotation,
        steps: 314,
        dt: 2.0,
    }
}

/// The vortex of a stream function sin²(πx) sin²(πy)/π, which turns back after half of its period of two seconds.
fn vortex(point: Vec3, time: f32) -> Vec3 {
    let (x, y) = (PI * point.x, PI * point.y);
    let strength = (0.5 * PI * time).cos();
    let speeds = Vec3::new(
        -x.sin().powi(2) * (2.0 * y).sin(),
        y.sin().powi(2) * (2.0 * x).sin(),
        0.0,
    );
    strength * speeds
}

fn reversed_vortex() -> Trial {
    let cells = 128;
    let start = sampled(lattice(cells, 1.0, true), |point| {
        point.truncate().distance(glam::Vec2::new(0.5, 0.75)) - 0.15
    });
    let steps = (2.0 * cells as f32 / VORTEX_STEP) as u32;
    Trial {
        start,
        flow: vortex,
        steps,
        dt: 2.0 / steps as f32,
    }
}
