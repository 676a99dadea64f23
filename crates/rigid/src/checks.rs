//! From a scene's solids and joints to a stage, or to what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};
use ooze_core::{Body, Collider, Domain, Joint};
use ooze_geometry::{Form, Pose, Shape};
use rayon::prelude::*;

use crate::RigidError;
use crate::body::Heft;
use crate::joint::{End, Fitting};
use crate::outline::points_on;
use crate::pieces::{Use, pieces};
use crate::stage::Stage;

/// How deep solids may start inside one another or beyond walls, in sizes of the body.
const TOLERANCE: f64 = 0.01;
/// Names of the domain's sides.
const SIDES: [[&str; 2]; 3] = [["left", "right"], ["bottom", "top"], ["back", "front"]];

/// All that never changes of a scene's solids.
pub(crate) fn stage(
    colliders: Vec<Collider>,
    bodies: Vec<Body>,
    joints: &[Joint],
    gravity: DVec3,
    domain: &Domain,
) -> Result<Stage, RigidError> {
    for body in &bodies {
        check_numbers(body)?;
    }
    let hefts: Vec<_> = bodies
        .par_iter()
        .map(|body| Heft::of(body, domain))
        .collect();
    // The first of several faults is told, whatever threads did.
    let hefts = hefts.into_iter().collect::<Result<Vec<_>, _>>()?;
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
        false => {
            let pieces: Vec<_> = of_colliders.chain(of_bodies).collect();
            pieces.into_iter().collect::<Result<Vec<_>, _>>()?
        }
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
    check_places(&stage)?;
    Ok(stage)
}

/// The longest side of the box around a shape.
fn size(shape: &Shape) -> f64 {
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
) -> Result<Vec<Fitting>, RigidError> {
    let end = |pose: Pose, centre: DVec3, body: bool| End {
        origin: pose.translation.as_dvec3(),
        rotation: pose.rotation.as_dquat().normalize(),
        centre,
        body,
    };
    let mut names = BTreeMap::new();
    let mut ends = Vec::new();
    for collider in colliders {
        names.entry(collider.name.as_str()).or_insert(ends.len());
        ends.push(end(collider.motion.pose(0.0), DVec3::ZERO, false));
    }
    for (body, heft) in bodies.iter().zip(hefts) {
        if names.insert(body.name.as_str(), ends.len()).is_some() {
            return Err(RigidError::SameName {
                name: body.name.clone(),
            });
        }
        ends.push(end(body.motion.pose(0.0), heft.centre, true));
    }
    let fitted = joints.iter().map(|joint| Fitting::of(joint, &names, &ends));
    fitted.collect()
}

fn check_places(stage: &Stage) -> Result<(), RigidError> {
    let colliders = stage.colliders.len();
    let poses: Vec<Pose> = {
        let own = stage.colliders.iter().map(|solid| solid.motion.pose(0.0));
        own.chain(stage.bodies.iter().map(|body| body.motion.pose(0.0)))
            .collect()
    };
    let shape = |number: usize| match number.checked_sub(colliders) {
        None => &stage.colliders[number].shape,
        Some(body) => &stage.bodies[body].shape,
    };
    let name = |number: usize| match number.checked_sub(colliders) {
        None => stage.colliders[number].name.clone(),
        Some(body) => stage.bodies[body].name.clone(),
    };
    let joined: BTreeSet<[usize; 2]> = stage
        .fittings
        .iter()
        .filter_map(|fitting| Some([fitting.ends[0]?, fitting.ends[1]?]))
        .flat_map(|[one, other]| [[one, other], [other, one]])
        .collect();
    let places: Vec<Vec<Vec3>> = stage
        .bodies
        .iter()
        .zip(&poses[colliders..])
        .map(|(body, pose)| places(&body.shape, pose, &stage.domain))
        .collect();
    for (number, places) in places.iter().enumerate() {
        let tolerance = TOLERANCE * size(&stage.bodies[number].shape);
        outside(stage, number, places, tolerance)?;
        let own = colliders + number;
        for other in (0..poses.len()).filter(|&other| other != own) {
            // Keyframes of two solids may cross.
            let driven = stage.bodies[number].released > 0.0;
            let other_driven = match other.checked_sub(colliders) {
                None => true,
                Some(body) => stage.bodies[body].released > 0.0,
            };
            if joined.contains(&[own, other]) || (driven && other_driven) {
                continue;
            }
            let (shape, pose) = (shape(other), &poses[other]);
            let depth =
                |place: &Vec3| -f64::from(shape.distance(pose.to_local(*place)) * pose.scale);
            let depth = places.iter().map(depth).fold(f64::NEG_INFINITY, f64::max);
            if depth > tolerance {
                return Err(RigidError::Overlap {
                    body: name(own),
                    other: name(other),
                    depth,
                    tolerance,
                });
            }
        }
    }
    Ok(())
}

/// Points of a body in the world: on its surface, and in flat scenes within its section, and its middle.
fn places(shape: &Shape, pose: &Pose, domain: &Domain) -> Vec<Vec3> {
    let mut points = points_on(shape);
    if let Form::Cuboid { rounding: 0.0, .. } = shape.form() {
        let bounds = shape.bounds();
        points.extend((0..8).map(|corner| {
            let pick = |axis: usize| match corner >> axis & 1 {
                0 => bounds.lower[axis],
                _ => bounds.upper[axis],
            };
            Vec3::new(pick(0), pick(1), pick(2))
        }));
    }
    points.push(shape.bounds().centre());
    let middle = domain.lower.z + 0.5 * domain.cell_size;
    let in_world = points.into_iter().map(|point| {
        let place = pose.to_world(point);
        if domain.flat {
            place.with_z(middle)
        } else {
            place
        }
    });
    let slack = 1e-4 * shape.bounds().extent().max_element();
    in_world
        .filter(|&place| shape.distance(pose.to_local(place)) <= slack)
        .collect()
}

fn outside(
    stage: &Stage,
    number: usize,
    places: &[Vec3],
    tolerance: f64,
) -> Result<(), RigidError> {
    for (inwards, wall) in stage.walls() {
        let depth = |place: &Vec3| (wall - place.as_dvec3()).dot(inwards);
        let depth = places.iter().map(depth).fold(f64::NEG_INFINITY, f64::max);
        if depth > tolerance {
            let axis = (0..3).find(|&axis| inwards[axis] != 0.0).unwrap_or(0);
            return Err(RigidError::Outside {
                body: stage.bodies[number].name.clone(),
                side: SIDES[axis][usize::from(inwards[axis] < 0.0)],
                depth,
                tolerance,
            });
        }
    }
    Ok(())
}
