//! From a scene's solids and joints to a stage, or to what is wrong with them.

use std::collections::BTreeMap;

use glam::DVec3;
use ooze_core::{Body, Collider, Domain, Joint};
use ooze_geometry::{Pose, Shape};
use rayon::prelude::*;

use crate::RigidError;
use crate::body::Heft;
use crate::joint::{End, Fitting};
use crate::pieces::{Use, pieces};
use crate::places::misplaced;
use crate::stage::Stage;

/// What keeps solids from being set up: one thing, and maybe others.
pub(crate) struct Faults {
    first: RigidError,
    others: Vec<RigidError>,
}

impl Faults {
    /// Nothing, unless there are some.
    fn of(found: impl IntoIterator<Item = RigidError>) -> Result<(), Self> {
        let mut found = found.into_iter();
        found.next().map_or(Ok(()), |first| {
            let others = found.collect();
            Err(Self { first, others })
        })
    }

    /// All that was asked for, or all that is wrong with some of it.
    fn none_in<T>(results: Vec<Result<T, RigidError>>) -> Result<Vec<T>, Self> {
        let (sound, faulty): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        Self::of(faulty.into_iter().filter_map(Result::err))?;
        Ok(sound.into_iter().filter_map(Result::ok).collect())
    }
}

/// All that never changes of a scene's solids; of several faults the first, whatever threads did.
pub(crate) fn stage(
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
    gravity: DVec3,
    domain: &Domain,
) -> Result<Stage, RigidError> {
    staged(colliders, bodies, joints, gravity, domain).map_err(|faults| faults.first)
}

/// Everything that keeps a scene's solids from being set up, as far as it can be told at once: of solids whose shapes or masses are
/// at fault nobody knows where they are in one another's way.
pub fn faults(
    colliders: &[Collider],
    bodies: &[Body],
    joints: &[Joint],
    gravity: DVec3,
    domain: &Domain,
) -> Vec<RigidError> {
    match staged(colliders.to_vec(), bodies.to_vec(), joints, gravity, domain) {
        Ok(_) => Vec::new(),
        Err(Faults { first, others }) => std::iter::once(first).chain(others).collect(),
    }
}

fn staged(
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
    gravity: DVec3,
    domain: &Domain,
) -> Result<Stage, Faults> {
    let hefts = bodies.par_iter().map(|body| {
        check_numbers(body)?;
        Heft::of(body, domain)
    });
    let hefts = Faults::none_in(hefts.collect())?;
    let fittings = fittings(&colliders, &bodies, &hefts, joints)?;
    let cut = |solid: &'static str, name: &str, shape: &Shape, purpose: Use| {
        pieces(shape, purpose).map_err(|reason| RigidError::Shape {
            solid,
            name: name.into(),
            reason,
        })
    };
    let of_colliders = colliders.par_iter().map(|collider| {
        let Collider { name, shape, .. } = collider;
        cut("collider", name, shape, Use::Collider)
    });
    let of_bodies = bodies
        .par_iter()
        .map(|body| cut("body", &body.name, &body.shape, Use::Body));
    // Without bodies nothing collides.
    let pieces = match bodies.is_empty() {
        true => vec![Vec::new(); colliders.len()],
        false => Faults::none_in(of_colliders.chain(of_bodies).collect())?,
    };
    let own = pieces.iter().skip(colliders.len()).zip(&hefts);
    let reaches: Vec<f64> = own
        .map(|(pieces, heft)| {
            let reaches = pieces.iter().map(|piece| piece.reach(heft.centre));
            reaches.fold(0.0, f64::max)
        })
        .collect();
    let sizes = bodies.iter().map(|body| size(&body.shape));
    let stage = Stage {
        volumes: hefts.iter().map(|heft| heft.volume).collect(),
        domain: domain.clone(),
        gravity,
        unit: sizes.fold(f64::INFINITY, f64::min).clamp(1e-9, 1.0),
        colliders,
        bodies,
        hefts,
        pieces,
        reaches,
        fittings,
    };
    Faults::of(misplaced(&stage))?;
    Ok(stage)
}

/// The longest side of the box around a shape.
pub(crate) fn size(shape: &Shape) -> f64 {
    f64::from(shape.bounds().extent().max_element())
}

fn check_numbers(body: &Body) -> Result<(), RigidError> {
    let wrong = |quantity, value, allowed| RigidError::Property {
        body: body.name.clone(),
        quantity,
        value,
        allowed,
    };
    if !(body.friction.is_finite() && body.friction >= 0.0) {
        let allowed = "finite and at least 0";
        return Err(wrong("friction", body.friction, allowed));
    }
    if !(0.0..=1.0).contains(&body.restitution) {
        return Err(wrong("restitution", body.restitution, "from 0 to 1"));
    }
    if let Some(capacity) = body.heat_capacity {
        if !(capacity.is_finite() && capacity > 0.0) {
            let allowed = "finite and above 0";
            return Err(wrong("the heat capacity", capacity, allowed));
        }
        if body.contact.heat.is_none() {
            let allowed = "left out for a body without a temperature";
            return Err(wrong("the heat capacity", capacity, allowed));
        }
    }
    if body.released.is_nan() {
        return Err(wrong("the time of release", body.released, "a time"));
    }
    for velocity in [body.velocity.linear, body.velocity.angular] {
        if !velocity.is_finite() {
            let value = velocity
                .to_array()
                .into_iter()
                .find(|part| !part.is_finite());
            let value = value.unwrap_or_default();
            return Err(wrong("the velocity", value, "finite"));
        }
    }
    for time in [0.0, body.released.clamp(0.0, 1e6)] {
        let scale = body.motion.pose(time).scale;
        if (scale - 1.0).abs() > 1e-6 {
            return Err(RigidError::Scale {
                body: body.name.clone(),
                scale,
                time,
            });
        }
    }
    Ok(())
}

fn fittings(
    colliders: &[Collider],
    bodies: &[Body],
    hefts: &[Heft],
    joints: &[Joint],
) -> Result<Vec<Fitting>, Faults> {
    let end = |pose: Pose, centre: DVec3, body: bool, free: bool| End {
        origin: pose.translation.as_dvec3(),
        rotation: pose.rotation.as_dquat().normalize(),
        centre,
        body,
        free,
    };
    let mut twins = Vec::new();
    let mut names = BTreeMap::new();
    let mut ends = Vec::new();
    for collider in colliders {
        names.entry(collider.name.as_str()).or_insert(ends.len());
        ends.push(end(collider.motion.pose(0.0), DVec3::ZERO, false, false));
    }
    for (body, heft) in bodies.iter().zip(hefts) {
        if names.insert(body.name.as_str(), ends.len()).is_some() {
            twins.push(RigidError::SameName {
                name: body.name.clone(),
            });
        }
        let free = body.released <= 0.0;
        ends.push(end(body.motion.pose(0.0), heft.centre, true, free));
    }
    Faults::of(twins)?;
    let fitted = joints.iter().map(|joint| Fitting::of(joint, &names, &ends));
    Faults::none_in(fitted.collect())
}
