//! The surface during a step: it moves with the flow, keeps its volume, and takes in and lets out what sources say.

use std::borrow::Cow;

use glam::Vec3;
use ooze_core::{Obstacles, StepError, StepReport};
use ooze_field::level_set::{Air, PathRule, TrackingWalls, trace_back};
use ooze_field::{Field, FieldByAxis, Flow};

use super::air::AirFlow;
use super::elastic;
use super::lattices::{Cells, FINE};
use super::paths::Middles;
use super::pockets::{self, air_around};
use super::rheology::Stands;
use super::sources::OpenSources;
use super::step::{Advance, Stress, Turned};
use super::strain_rates::RowRates;
use super::turning::Spins;
use super::volume::Pieces;
use super::walls::{self, Walls};
use super::{
    LevelSetLiquid, LevelSetSettings, LevelSetState, Mixture, SurfaceTreatment, free_surface,
    sources, tracers, volume,
};
use crate::boundary::Boundary;
use crate::elasticity::Strain;
use crate::face_velocity::FaceVelocity;
use crate::stages;

/// Fine cells around what a step can cross that the level set's tiles cover.
const SPARE_FINE_CELLS: i32 = 4;
/// Fine cells that the surface may cross at once: the width of a tile.
const LONGEST_WAY: f32 = 8.0;
/// How much further than a step's length allows the air may carry the surface: a state that is beyond all bounds must not take
/// for ever.
const LONGEST_STEP: f32 = 4.0;

/// Where the solids of a step are.
pub(super) struct Arrival<'a> {
    /// On the grid as they stood at its start.
    pub(super) departed: &'a Boundary,
    /// Those of them that the liquid flowed between.
    pub(super) between: &'a Boundary,
    /// As they stand at its end.
    pub(super) boundary: &'a Boundary,
    pub(super) obstacles: &'a Obstacles<'a>,
}

impl Advance<'_> {
    /// The state that the velocities have carried the liquid to, from where the level set was `phi`. Stress comes with the rates
    /// at which it is strained, and pieces with their spins.
    pub(super) fn follow(
        &self,
        phi: Field<f32>,
        mut grid: FaceVelocity,
        stress: Option<(Stress, Option<RowRates>)>,
        turned: Option<&Turned>,
        arrival: &Arrival<'_>,
        report: &mut StepReport,
    ) -> Result<LevelSetState, StepError> {
        let (liquid, cells, dt) = (self.liquid, self.cells, self.dt as f32);
        let [departed, walls] = [arrival.departed, arrival.boundary]
            .map(|boundary| Walls::new(boundary, &liquid.setup.domain));
        let around = self.around(&grid.velocity, arrival.between, stress.is_some(), report)?;
        let mut flow = report.timed("surface", |_| Flow::new(&around));
        let (mut state, filled) = report.timed("surface", |_| {
            let fastest = stages::fastest(&around);
            liquid.moved(phi, &flow, fastest, [&departed, &walls], self.dt)
        });
        report.filled_volume = filled;
        if liquid.settings.surface == SurfaceTreatment::Smooth {
            report.timed("surface", |_| {
                free_surface::renew(&mut grid, &cells.liquid, &state.surface.phi);
                flow = Flow::new(&grid.velocity);
            });
        }
        let moved = cells.level_set(&state.surface.phi);
        state.mixture = report.timed("advection", |_| self.mixture.advanced(&flow, &moved, dt));
        state.channels = report.timed("advection", |_| {
            self.channels.advanced(&liquid.setup, &flow, &moved, dt)
        });
        state.strain = report.timed("elasticity", |_| {
            let stands = Stands {
                phi: &state.surface.phi,
                liquid: &moved,
                boundary: arrival.boundary,
                obstacles: arrival.obstacles,
            };
            stress.map(|stress| match stress {
                (stress, Some(rates)) => {
                    let after = (&state.mixture, &stands);
                    self.strained(stress, &rates, &grid.velocity, &flow, after)
                }
                (Stress { law, strain, .. }, None) => {
                    let carried = elastic::carried(&strain, &flow, &moved, dt);
                    let (mixture, velocity) = (self.mixture, &grid.velocity);
                    let boundary = arrival.departed;
                    law.strained_by_differences(carried, mixture, velocity, &moved, boundary, dt)
                }
            })
        });
        state.velocity = grid.velocity;
        report.timed("volume", |_| {
            let before = turned.map(|turned| {
                let middles = self.carried_middles(turned, &state.velocity);
                (turned, middles)
            });
            liquid.keep_place(&mut state, &walls, before, &flow, dt)
        });
        report.timed("heat", |report| {
            self.carry_heat(&mut state, &flow, &moved, arrival.departed, report)
        });
        let phi = std::slice::from_ref(&state.surface.phi);
        stages::check_finite("surface", "level set", phi)?;
        Ok(state)
    }

    /// The strain after the flow has stretched and carried it at the rates of its rows, to where the liquid stands then, in its
    /// mixture then.
    fn strained(
        &self,
        Stress { law, strain, .. }: Stress,
        rates: &RowRates,
        velocity: &FieldByAxis<f32>,
        flow: &Flow,
        (mixture, stands): (&Mixture, &Stands<'_>),
    ) -> Strain {
        let (liquid, dt) = (&self.cells.liquid, self.dt as f32);
        let strained = law.strained(strain, self.mixture, velocity, rates, liquid, dt);
        let carried = elastic::carried(&strained, flow, stands.liquid, dt);
        let law = law.advanced(flow, stands.liquid, dt);
        let shares = self.liquid.stress_shares(&law, mixture, stands);
        rates.restrained(&strained, carried, &shares)
    }

    /// The velocities that carry the surface: with air that is free of divergence, where that is wanted. The other treatments
    /// continue velocities as published; and particles of air that hold gaps open must not be blown out of them.
    fn around<'b>(
        &self,
        velocity: &'b FieldByAxis<f32>,
        boundary: &Boundary,
        elastic: bool,
        report: &mut StepReport,
    ) -> Result<Cow<'b, FieldByAxis<f32>>, StepError> {
        let settings = &self.liquid.settings;
        let particles = settings.tracking.particles;
        let yields = particles.is_none_or(|particles| particles.air != Air::Holding);
        if settings.surface != SurfaceTreatment::Ghost || !yields {
            return Ok(Cow::Borrowed(velocity));
        }
        report.timed("air", |report| {
            let air = AirFlow {
                liquid: &self.cells.liquid,
                far: &self.cells.far,
                boundary,
                cfl: settings.cfl,
                through_walls: elastic,
            };
            air.without_divergence(velocity, report).map(Cow::Owned)
        })
    }
}

impl LevelSetLiquid {
    /// The state after its surface has moved with the flow, whose largest speed is known, and the volume of the pockets that
    /// were filled. The walls are those of the step's start and of its end.
    pub(super) fn moved(
        &self,
        phi: Field<f32>,
        flow: &Flow,
        fastest: f32,
        [departed, walls]: [&Walls<'_>; 2],
        dt: f64,
    ) -> (LevelSetState, Option<f64>) {
        let mut state = self.state.clone();
        state.surface.phi = phi;
        let velocity = |point: Vec3| flow.at(point);
        // A long step in parts, none of which crosses a tile.
        let fine_cell = state.surface.phi.topology().lattice().cell_size;
        let usual = FINE as f32 * self.settings.cfl;
        let way = (dt as f32 * fastest / fine_cell).clamp(usual, LONGEST_STEP * usual);
        let parts = (way / LONGEST_WAY).ceil().max(1.0);
        let part = dt as f32 / parts;
        let longest_way = part * fastest;
        let tracking = &self.settings.tracking;
        let particles = tracking.particles;
        let path = particles.map_or(PathRule::Midpoint, |particles| particles.path);
        for _ in 0..parts as u32 {
            let surface = &mut state.surface;
            surface.advance(&velocity, part, longest_way, tracking, walls);
            tracers::carry(&mut state.tracers, &velocity, part, path);
        }
        let filled = self.settings.volume_correction.then(|| {
            let solids = walls.distances(&state.surface.phi);
            let air_before = || {
                let phi = &self.state.surface.phi;
                air_around(phi, &departed.distances(phi))
            };
            let samples = pockets::fill(&mut state.surface, &solids, air_before, tracking);
            f64::from(samples) * volume::fine_cell_volume(&state.surface.phi)
        });
        (state, filled)
    }

    /// Cuts the surface off at the solids. Where corrections are on, there are the pieces of the liquid before the step, with
    /// where the middles of free ones should have got to: pieces are offset so that they keep their volumes, shifted to there, and hand their
    /// spins down.
    pub(super) fn keep_place(
        &self,
        state: &mut LevelSetState,
        walls: &Walls<'_>,
        before: Option<(&Turned, Middles)>,
        flow: &Flow,
        dt: f32,
    ) {
        let surface = &mut state.surface;
        let solids = walls.distances(&surface.phi);
        let mut shown = walls::cut_off(&surface.phi, &solids);
        if let Some((
            Turned {
                pieces: before,
                spins,
                ..
            },
            middles,
        )) = before
        {
            let pieces = Pieces::find(&shown);
            let current = pieces.volumes(&shown);
            let velocity = |point: Vec3| flow.at(point);
            let links = pieces.links(before, |point: Vec3| trace_back(&velocity, point, dt));
            let (volumes, whole) = (&self.state.piece_volumes, state.expected_volume);
            let wanted = pieces.inherit(&links, volumes, &current, whole);
            let (phi, particles) = (&mut surface.phi, &mut surface.particles);
            let offset = pieces.correct(phi, &solids, &wanted, current);
            shown = walls::cut_off(phi, &solids);
            let middles = pieces.hand_down(&links, &middles);
            let shifts = pieces.put_back(phi, &shown, &middles);
            pieces.move_particles(phi, particles, &offset, &shifts);
            if !shifts.is_empty() {
                shown = walls::cut_off(phi, &solids);
            }
            (state.piece_volumes, state.piece_spins) = if pieces.same(&shown) {
                (wanted, pieces.hand_down(&links, spins))
            } else {
                (shared_volumes(&shown, whole), Spins::new())
            };
        }
        state.shown = shown;
    }

    /// Lets liquid in through emitters that are open at any time after `from` until `to`, and out through drains that are open
    /// at `to` and through open sides.
    pub(super) fn let_in_and_out(
        &self,
        state: &mut LevelSetState,
        walls: &Walls<'_>,
        from: f64,
        to: f64,
    ) {
        let domain = &self.setup.domain;
        let open = OpenSources::between(&self.setup, from, to);
        if open.is_empty() && !domain.has_open_sides() {
            return;
        }
        let before = volume::volume_of(&state.shown);
        // The last of a liquid that leaves is too little for the grid to hold.
        if before == 0.0 && state.expected_volume < domain.lattice().cell_volume() {
            state.expected_volume = 0.0;
        }
        let mut phi = state.surface.phi.clone();
        sources::close_open_sides(&mut phi, domain);
        for drain in &self.setup.drains {
            if drain.start <= to && to < drain.stop {
                sources::cut_out(&mut phi, domain, &drain.shape);
            }
        }
        let mut begins = false;
        let mut changed = phi != state.surface.phi;
        let remaining = if changed {
            volume::volume_of(&walls::cut_off(&phi, &walls.distances(&phi)))
        } else {
            before
        };
        let (mut volume, mut entered) = (remaining, 0.0);
        for (index, emitter) in self.setup.emitters.iter().enumerate() {
            if to < emitter.start || from >= emitter.stop {
                continue;
            }
            let allowance = emitter
                .rate
                .map(|rate| rate * (to.min(emitter.stop) - emitter.start));
            if allowance.is_some_and(|allowed| state.emitted_volume[index] > allowed) {
                continue;
            }
            phi = sources::united(&phi, domain, &emitter.shape, reach(&self.settings));
            sources::close_open_sides(&mut phi, domain);
            let after = volume::volume_of(&walls::cut_off(&phi, &walls.distances(&phi)));
            // What is filled is not all new: it makes up for corners of the stream that the level set has rounded, too.
            let first = from < emitter.start;
            let open = to.min(emitter.stop) - from;
            let most = if first {
                f64::INFINITY
            } else {
                open * self.flows[index]
            };
            let emitted = (after - volume).min(most);
            state.emitted_volume[index] += emitted;
            entered += emitted;
            volume = after;
            changed = true;
            begins |= first;
        }
        if !changed {
            return;
        }
        let old = std::mem::replace(&mut state.surface.phi, phi);
        state.surface.reinitialise(&self.settings.tracking);
        let particles = &self.settings.tracking.particles;
        if let Some(particles) = particles {
            let (phi, seed) = (&state.surface.phi, state.surface.seed);
            // Particles where liquid has become air, or air liquid, would undo the change; at sources, whose surface is given,
            // they know nothing that matters.
            let unchanged = |point| (old.sample(point) < 0.0) == (phi.sample(point) < 0.0);
            let free = |point| unchanged(point) && !open.touch(point);
            let seeded = &mut state.surface.particles;
            seeded.keep_where(free);
            let seed = seed ^ (u64::from(state.surface.steps) << 32);
            seeded.reseed_where(phi, particles, seed, |point| open.surround(point));
            seeded.keep_where(|point| walls.leave_free(point));
        }
        let phi = &state.surface.phi;
        if begins {
            let topology = Cells::around(phi, domain.lattice()).topology;
            let open = stages::open_emitters(&self.setup, to);
            state.mixture = state.mixture.on_tiles(&topology, domain, open);
            let open = stages::open_emitters(&self.setup, to);
            state.channels = state.channels.on_tiles(&topology, &self.setup, open);
            if let Some(warmth) = &mut state.warmth {
                let open = stages::open_emitters(&self.setup, to);
                *warmth = warmth.on_tiles(&topology, &self.setup, open);
            }
        }
        // What leaves takes its share of what is missing with it: of nothing, nothing is missing.
        let kept = if before > 0.0 {
            remaining / before
        } else {
            0.0
        };
        state.expected_volume = kept * state.expected_volume + entered;
        state.piece_spins.clear();
        self.show_whole(state, walls);
    }

    /// Cuts the surface off at the solids after sources have changed it. New liquid is rounded when its distances are found
    /// anew, and its stream meets what is left of the old one in a seam: where corrections are on, every piece is offset by what
    /// that takes from it.
    fn show_whole(&self, state: &mut LevelSetState, walls: &Walls<'_>) {
        let (phi, particles) = (&mut state.surface.phi, &mut state.surface.particles);
        let (solids, whole) = (walls.distances(phi), state.expected_volume);
        state.shown = walls::cut_off(phi, &solids);
        let pieces = Pieces::find(&state.shown);
        let current = pieces.volumes(&state.shown);
        let mut wanted = current.clone();
        wanted[0] = 0.0;
        volume::share_out(&mut wanted, whole);
        state.piece_volumes = if self.settings.volume_correction {
            let offset = pieces.correct(phi, &solids, &wanted, current);
            pieces.move_particles(phi, particles, &offset, &[]);
            state.shown = walls::cut_off(phi, &solids);
            if pieces.same(&state.shown) {
                wanted
            } else {
                shared_volumes(&state.shown, whole)
            }
        } else {
            wanted
        };
    }
}

/// The volumes of the pieces of a liquid, scaled to a whole.
fn shared_volumes(shown: &Field<f32>, whole: f64) -> Vec<f64> {
    let mut volumes = Pieces::find(shown).volumes(shown);
    volumes[0] = 0.0;
    volume::share_out(&mut volumes, whole);
    volumes
}

/// Fine cells around the liquid that the level set's tiles must cover.
pub(super) fn reach(settings: &LevelSetSettings) -> i32 {
    FINE * settings.cfl.ceil() as i32 + SPARE_FINE_CELLS
}
