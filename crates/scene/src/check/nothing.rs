//! Scenes in which there is nothing to simulate.

use glam::Vec3;
use ooze_geometry::{Pose, Shape};

use super::look_over::{Parts, extents, solid_at};
use super::sample::Samples;
use super::{Checker, domain_box};
use crate::Problem;
use crate::file::SceneKeys;
use crate::place::Place;

/// Most samples along a side of what is looked at.
const SAMPLES: u32 = 160;

/// Why a region gives no liquid.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Outside,
    Blocked,
    Empty,
}

impl Fault {
    fn words(self) -> &'static str {
        match self {
            Self::Outside => "lies outside of the domain",
            Self::Blocked => "lies inside of colliders",
            Self::Empty => "is empty, or far thinner than a cell",
        }
    }
}

impl Checker {
    /// Refuses a scene in which there is no liquid and never will be.
    pub(super) fn something_to_simulate(
        &mut self,
        keys: &SceneKeys,
        parts: &Parts<'_>,
    ) -> Option<()> {
        let setup = parts.setup;
        if setup.initial.is_empty() && setup.emitters.is_empty() {
            let message =
                "there is nothing to simulate: the scene has neither a `liquid` nor an `emitter`";
            let problem = Problem::error(&keys.liquid.place, message).help(
                "add a [[liquid]] with a `shape` and a `material`, as in the scene that `ooze new NAME` writes",
            );
            self.error(problem);
            return None;
        }
        let Some(faults) = faults(keys, parts) else {
            return Some(());
        };
        let (_, _, place) = faults.first()?;
        let reasons: Vec<String> = faults
            .iter()
            .map(|(what, fault, _)| format!("{what} {}", fault.words()))
            .collect();
        let message = format!("there is nothing to simulate: {}", reasons.join(", "));
        let outside = faults.iter().any(|(_, fault, _)| *fault == Fault::Outside);
        let help = if outside {
            extents(&setup.domain)
        } else if setup.domain.flat {
            "a flat scene is the plane z = 0: let shapes reach through it, from -1 to 1".into()
        } else {
            "move or enlarge it, or move what is in its way".into()
        };
        self.error(Problem::error(place, message).help(help));
        None
    }
}

/// What is wrong with every liquid and every emitter; none if one of them gives liquid.
fn faults<'k>(keys: &'k SceneKeys, parts: &Parts<'_>) -> Option<Vec<(String, Fault, &'k Place)>> {
    let setup = parts.setup;
    let mut faults = Vec::new();
    // What melts is there at first, wherever it is.
    if setup.initial.iter().any(|liquid| liquid.hold.is_some()) {
        return None;
    }
    for (liquid, keys) in setup.initial.iter().zip(&keys.liquid.value) {
        let fault = fault(&liquid.shape, 0.0, parts)?;
        faults.push((
            format!("liquid `{}`", liquid.name),
            fault,
            &keys.shape.place,
        ));
    }
    let shapes = keys.emitter.iter().map(|emitter| &emitter.shape.place);
    let drops = keys.drops.iter().flat_map(|drops| drops.at.iter());
    let places = shapes.chain(drops.map(|drop| &drop.position.place));
    for (emitter, place) in setup.emitters.iter().zip(places) {
        // One that opens after the last frame may be wanted: of a scene that is looked at for its first frames.
        let fault = fault(&emitter.shape, emitter.start, parts)?;
        faults.push((format!("emitter `{}`", emitter.name), fault, place));
    }
    Some(faults)
}

/// Why a region gives no liquid at a time; none where it gives some, or may.
fn fault(shape: &Shape, time: f64, parts: &Parts<'_>) -> Option<Fault> {
    let domain = &parts.setup.domain;
    let bounds = ooze_core::seeding::shape_bounds(domain, shape);
    let region = bounds.intersection(domain_box(domain));
    if region.is_empty() {
        return Some(Fault::Outside);
    }
    let poses: Vec<Pose> = parts
        .colliders
        .iter()
        .map(|collider| collider.motion.pose(time))
        .collect();
    let blocked = |point: Vec3| {
        let mut solids = parts.colliders.iter().zip(&poses);
        solids.any(|(collider, pose)| solid_at(collider, pose, point))
    };
    let closest = 0.5 * domain.cell_size;
    let samples = Samples::new(region, SAMPLES, closest, domain.flat);
    let mut filled = 0usize;
    for point in samples.points().filter(|&point| shape.contains(point)) {
        filled += 1;
        if !blocked(point) {
            return None;
        }
    }
    // Where samples are farther apart than particles would be, a thin layer may have been missed.
    if samples.spacing() > 1.01 * closest {
        return None;
    }
    Some(if filled == 0 {
        Fault::Empty
    } else {
        Fault::Blocked
    })
}
