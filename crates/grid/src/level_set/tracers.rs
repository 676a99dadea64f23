//! Tracers in a level-set liquid: they follow the flow as the particles of the surface do, along the same paths in the same steps.
//!
//! Velocities go on beyond the surface, so that a tracer which the surface has fallen behind by a little still moves with the liquid.
//! One that is further from all liquid than a cell marks nothing any more, and is gone: what it was in has left through a drain or
//! an open side, or was too thin for the grid to hold.

use glam::Vec3;
use ooze_core::seeding::inside_domain;
use ooze_core::{Channels, Domain, TracerCloud};
use ooze_field::level_set::{PathRule, TrackingWalls, follow};
use ooze_field::{Field, sample_faces};

use super::walls::Walls;
use super::{LevelSetLiquid, LevelSetState};

/// Distance from the liquid in cells up to which tracers stay.
const REACH: f32 = 1.0;
/// How often a tracer is put before the nearest solid, where it is in several at once.
const ATTEMPTS: u32 = 4;
/// Cells before a solid at which tracers are put that it has met.
const CLEARANCE: f32 = 0.02;

/// Lets tracers follow a flow for `dt` seconds.
pub(super) fn carry(
    cloud: &mut TracerCloud,
    velocity: &(impl Fn(Vec3) -> Vec3 + Sync),
    dt: f32,
    path: PathRule,
) {
    cloud.carry(|point| Some(follow(velocity, point, dt, path)));
}

/// Keeps tracers out of solids, and those that are in the liquid or next to it.
fn restrain(cloud: &mut TracerCloud, phi: &Field<f32>, walls: &Walls<'_>, domain: &Domain) {
    let cell_size = domain.cell_size;
    cloud.carry(|point| {
        let mut point = point;
        for _ in 0..ATTEMPTS {
            if walls.leave_free(point) {
                break;
            }
            point = walls.put_before(point, CLEARANCE * cell_size);
        }
        let marks = phi.sample(point) < REACH * cell_size;
        let stays = marks && inside_domain(domain, point) && walls.leave_free(point);
        stays.then_some(point)
    });
}

impl LevelSetLiquid {
    /// Keeps the tracers of a state to its liquid, and sets those whose time comes after `from` until `to`.
    pub(super) fn renew_tracers(
        &self,
        state: &mut LevelSetState,
        walls: &Walls<'_>,
        times: (f64, f64),
    ) {
        if self.setup.tracers.is_empty() {
            return;
        }
        let phi = &state.surface.phi;
        restrain(&mut state.tracers, phi, walls, &self.setup.domain);
        let shown = &state.shown;
        let wet = |point: Vec3| shown.sample(point) < 0.0 && walls.leave_free(point);
        state.tracers.set(&self.setup, times, wet);
    }

    /// The tracers of a frame; nothing in scenes that have none.
    pub(super) fn shown_tracers(&self) -> Channels {
        if self.setup.tracers.is_empty() {
            return Channels::default();
        }
        let velocity = &self.state.velocity;
        let at = |point: Vec3| sample_faces(velocity, point);
        self.state.tracers.channels(at)
    }
}
