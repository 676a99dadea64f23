//! Bodies that have come to rest, and sleep.
//!
//! Contacts are not quite stiff, so that what lies on something creeps, and a pile of bodies costs as much as one that falls. So
//! what has rested where no liquid pushes it, together with all that it leans on or bears, falls asleep as one pile: it stands
//! still, for others it is as a collider is, and where nothing else moves there are no contacts to be found at all. A pile wakes as it
//! fell asleep, as a whole: in the step in which liquid does anything to one of it, another body touches one, or a solid on keyframes moves
//! nearby.
//!
//! Which pile a body is of, and for how long it has rested, is a part of its state: a run that is resumed sleeps on. What follows
//! keyframes until it is released, what is joined and what melts keeps what leans on it awake, for they may let it down without a touch.

use glam::DVec3;
use ooze_commons::DisjointSets;
use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::pipeline::PhysicsWorld;

use crate::stage::{Outcome, Passage, Stage};

/// Seconds for which bodies rest before they fall asleep.
pub(crate) const DROWSY: f64 = 0.5;
/// Speed below which a body rests, over that which it would gain in falling by half of its own reach.
const SLOW: f64 = 5e-3;

/// Which solids of a step are asleep.
pub(crate) struct Sleepers(Vec<bool>);

impl Sleepers {
    /// Whether a solid is.
    pub(crate) fn has(&self, solid: usize) -> bool {
        self.0[solid]
    }

    /// Whether none of the free bodies is awake.
    pub(crate) fn are_all(&self, passages: &[Passage]) -> bool {
        let mut both = passages.iter().zip(&self.0);
        both.all(|(passage, &asleep)| asleep || matches!(passage, Passage::Driven { .. }))
    }

    /// Leaves them where they are.
    pub(crate) fn sleep_on(&self, passages: &[Passage], outcomes: &mut [Option<Outcome>]) {
        for ((passage, outcome), &asleep) in passages.iter().zip(outcomes).zip(&self.0) {
            if let (true, Passage::Free { state, .. }) = (asleep, passage) {
                *outcome = Some(Outcome {
                    end: *state,
                    spin: DVec3::ZERO,
                    met: true,
                });
            }
        }
    }

    /// Wakes the piles of some solids; tells whether there were any.
    fn wake(&mut self, passages: &[Passage], woken: &[usize]) -> bool {
        let piles: Vec<u32> = woken.iter().map(|&solid| pile(&passages[solid])).collect();
        for (asleep, passage) in self.0.iter_mut().zip(passages) {
            *asleep &= !piles.contains(&pile(passage));
        }
        !woken.is_empty()
    }
}

/// The pile in which a solid fell asleep; 0 is none.
fn pile(passage: &Passage) -> u32 {
    match passage {
        Passage::Driven { .. } => 0,
        Passage::Free { state, .. } => state.pile,
    }
}

impl Stage {
    /// The bodies that sleep, if nobody touches them in the step.
    pub(crate) fn sleepers(&self, passages: &[Passage]) -> Sleepers {
        let asleep = passages.iter().map(|passage| pile(passage) != 0);
        let mut sleepers = Sleepers(asleep.collect());
        let disturbed = |solid: &usize| {
            let pushed = matches!(passages[*solid], Passage::Free { pushed: true, .. });
            sleepers.has(*solid) && (pushed || self.is_passed(*solid, passages))
        };
        let woken: Vec<usize> = (0..passages.len()).filter(disturbed).collect();
        sleepers.wake(passages, &woken);
        sleepers
    }

    /// Whether a solid on keyframes moves near a body.
    fn is_passed(&self, solid: usize, passages: &[Passage]) -> bool {
        let Passage::Free { state, .. } = &passages[solid] else {
            return false;
        };
        let reach = self.reaches[solid - self.colliders.len()];
        passages.iter().enumerate().any(|(other, passage)| {
            let Passage::Driven { start, end, .. } = passage else {
                return false;
            };
            if start == end {
                return false;
            }
            let scale = f64::from(start.scale.max(end.scale));
            let others = self.pieces[other].iter();
            let extent = others.map(|piece| scale * piece.reach(DVec3::ZERO));
            let extent = extent.fold(0.0, f64::max);
            let [from, to] = [start, end].map(|pose| pose.translation.as_dvec3());
            let distance = (state.centre - from).length();
            distance <= reach + extent + (to - from).length() + self.unit
        })
    }

    /// Wakes the piles that what is awake has touched; tells whether there were any.
    pub(crate) fn wake_touched(
        &self,
        sleepers: &mut Sleepers,
        passages: &[Passage],
        touching: &[[usize; 2]],
    ) -> bool {
        let both = touching
            .iter()
            .flat_map(|&[one, other]| [[one, other], [other, one]]);
        let is_awake = |solid: usize| {
            matches!(passages.get(solid), Some(Passage::Free { .. })) && !sleepers.has(solid)
        };
        let touched =
            both.filter(|&[one, other]| is_awake(one) && sleepers.0.get(other) == Some(&true));
        let woken: Vec<usize> = touched.map(|[_, other]| other).collect();
        sleepers.wake(passages, &woken)
    }

    /// Has those fall asleep that have rested for long enough with all that they touch, and tells all for how long they have rested.
    pub(crate) fn tire(
        &self,
        passages: &[Passage],
        (jointed, sleepers): (&[bool], &Sleepers),
        touching: &[[usize; 2]],
        outcomes: &mut [Option<Outcome>],
        dt: f64,
    ) {
        let first = self.colliders.len();
        let mut piles = DisjointSets::new(passages.len());
        // What may let go of others some time.
        let mut fickle = vec![false; passages.len()];
        for &[one, other] in touching {
            let free = |solid: usize| matches!(passages.get(solid), Some(Passage::Free { .. }));
            match [one, other].map(free) {
                [true, true] => {
                    piles.join(one as u32, other as u32);
                }
                [true, false] => fickle[one] |= (first..passages.len()).contains(&other),
                [false, true] => fickle[other] |= (first..passages.len()).contains(&one),
                [false, false] => {}
            }
        }
        let mut restless = vec![false; passages.len()];
        for (solid, outcome) in outcomes.iter_mut().enumerate() {
            let (Some(outcome), Passage::Free { state, pushed, .. }) = (outcome, &passages[solid])
            else {
                continue;
            };
            if sleepers.has(solid) {
                continue;
            }
            let number = solid - first;
            let reach = self.reaches[number];
            let bound = SLOW * (self.gravity.length() * reach).sqrt();
            let speed = outcome
                .end
                .velocity
                .length()
                .max(outcome.spin.length() * reach);
            let rests = outcome.met
                && speed <= bound
                && !pushed
                && !jointed[solid]
                && !fickle[solid]
                && self.bodies[number].sleeps
                && !self.bodies[number].melts
                && !self.is_passed(solid, passages);
            outcome.end.pile = 0;
            outcome.end.rested = match rests {
                true => (state.rested + dt).min(DROWSY),
                false => 0.0,
            };
            if outcome.end.rested < DROWSY {
                restless[piles.root(solid as u32) as usize] = true;
            }
        }
        for (solid, outcome) in outcomes.iter_mut().enumerate() {
            let pile = piles.root(solid as u32);
            if let Some(outcome) = outcome
                && !sleepers.has(solid)
                && !restless[pile as usize]
            {
                outcome.fall_asleep(pile + 1);
            }
        }
    }
}

impl Outcome {
    /// Stands still from now on.
    fn fall_asleep(&mut self, pile: u32) {
        self.end.velocity = DVec3::ZERO;
        self.end.momentum = DVec3::ZERO;
        self.end.pile = pile;
        self.spin = DVec3::ZERO;
    }
}

/// The solids of a world that push one another, by their places among the handles; those that have none there are walls.
pub(crate) fn touching(world: &PhysicsWorld, handles: &[RigidBodyHandle]) -> Vec<[usize; 2]> {
    let place = |collider| {
        let parent = world.colliders.get(collider).and_then(|own| own.parent());
        let own = handles.iter().position(|&handle| Some(handle) == parent);
        own.unwrap_or(handles.len())
    };
    let pushes = world.narrow_phase.contact_pairs().filter(|pair| {
        pair.rigid().is_some_and(|contacts| {
            let manifolds = contacts.solver_manifolds().iter();
            let mut points = manifolds.flat_map(|manifold| &manifold.points);
            points.any(|point| point.data.impulse != 0.0)
        })
    });
    let pairs = pushes.map(|pair| [pair.collider1, pair.collider2].map(place));
    pairs.collect()
}
