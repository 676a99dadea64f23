//! Where bodies are when they start and when they are released: neither inside other solids nor beyond walls, out of which contacts
//! would throw them.

use std::collections::BTreeSet;

use glam::Vec3;
use ooze_core::Domain;
use ooze_geometry::{Aabb, Form, Motion, Pose, Shape};
use rayon::prelude::*;

use crate::RigidError;
use crate::checks::size;
use crate::outline::points_on;
use crate::stage::Stage;

/// How deep solids may be inside one another or beyond walls, in sizes of the smaller body.
const TOLERANCE: f64 = 0.01;
/// How far from a shape's surface a point of it may be by rounding, in sizes of the shape.
const ROUNDING: f32 = 1e-4;
/// Names of the domain's sides.
const SIDES: [[&str; 2]; 3] = [["left", "right"], ["bottom", "top"], ["back", "front"]];

/// A solid until it is released.
struct Placed<'a> {
    name: &'a str,
    shape: &'a Shape,
    motion: &'a Motion,
    /// When it becomes free; colliders never do.
    released: f64,
    /// How deep it may be inside another solid.
    tolerance: f64,
    /// Points of it in its own frame; none of what has no end.
    points: Vec<Vec3>,
}

/// Bodies that are where they cannot be, in their order.
pub(crate) fn misplaced(stage: &Stage) -> Vec<RigidError> {
    if stage.bodies.is_empty() {
        return Vec::new();
    }
    let domain = &stage.domain;
    let colliders = stage.colliders.par_iter().map(|collider| {
        let points = points(&collider.shape, domain);
        Placed {
            name: &collider.name,
            shape: &collider.shape,
            motion: &collider.motion,
            released: f64::INFINITY,
            tolerance: f64::INFINITY,
            points,
        }
    });
    let bodies = stage.bodies.par_iter().map(|body| Placed {
        name: &body.name,
        shape: &body.shape,
        motion: &body.motion,
        released: body.released,
        tolerance: TOLERANCE * size(&body.shape),
        points: points(&body.shape, domain),
    });
    let solids: Vec<Placed<'_>> = colliders.chain(bodies).collect();
    let bodies = stage.colliders.len()..solids.len();
    let faults = bodies.into_par_iter();
    let faults = faults.flat_map_iter(|own| of_body(stage, &solids, own));
    faults.collect()
}

/// What is wrong with the places of one body; of what is in its way at the start and later, too, it is told once.
fn of_body(stage: &Stage, solids: &[Placed<'_>], number: usize) -> Vec<RigidError> {
    let own = &solids[number];
    let domain = &stage.domain;
    let mut faults = Vec::new();
    let mut outside = None;
    let mut told = BTreeSet::new();
    for time in own.moments() {
        let joined: BTreeSet<usize> = stage
            .fittings
            .iter()
            .filter(|fitting| fitting.holds(time) && fitting.ends.contains(&Some(number)))
            .flat_map(|fitting| fitting.ends.into_iter().flatten())
            .collect();
        let places = own.places(time, domain);
        outside = outside.or_else(|| beyond(stage, own, time, &places));
        for (other_number, other) in solids.iter().enumerate() {
            // Of two bodies the first one has told.
            let has_told = (stage.colliders.len()..number).contains(&other_number)
                && other.moments().any(|moment| moment == time);
            // Keyframes of two solids may cross.
            let crossing = time == 0.0 && own.is_led() && other.is_led();
            let skipped = other_number == number || has_told || crossing;
            if skipped || !other.is_known(time) || joined.contains(&other_number) {
                continue;
            }
            if !own.is_near(other, time) {
                continue;
            }
            let tolerance = own.tolerance.min(other.tolerance);
            let mine = depth_inside(&places, other, time);
            // Of a solid that is wholly inside a body no place of the body is inside the solid.
            let depth = mine.max(depth_inside(&other.places(time, domain), own, time));
            if depth > tolerance && told.insert(other_number) {
                faults.push(RigidError::Overlap {
                    body: own.name.into(),
                    other: other.name.into(),
                    time,
                    depth,
                    tolerance,
                });
            }
        }
    }
    outside.into_iter().chain(faults).collect()
}

/// The wall that a body is beyond, if it is beyond one.
fn beyond(stage: &Stage, own: &Placed<'_>, time: f64, places: &[Vec3]) -> Option<RigidError> {
    let tolerance = own.tolerance;
    let mut walls = stage.walls();
    walls.find_map(|(inwards, wall)| {
        let depth = |place: &Vec3| (wall - place.as_dvec3()).dot(inwards);
        let depth = places.iter().map(depth).fold(f64::NEG_INFINITY, f64::max);
        let axis = (0..3).find(|&axis| inwards[axis] != 0.0).unwrap_or(0);
        (depth > tolerance).then(|| RigidError::Outside {
            body: own.name.into(),
            side: SIDES[axis][usize::from(inwards[axis] < 0.0)],
            time,
            depth,
            tolerance,
        })
    })
}

impl Placed<'_> {
    /// When it must not be in anything's way: at the start, and when it is released.
    fn moments(&self) -> impl Iterator<Item = f64> {
        let released = Some(self.released).filter(|time| *time > 0.0 && time.is_finite());
        std::iter::once(0.0).chain(released)
    }

    /// Whether keyframes move it at the start.
    fn is_led(&self) -> bool {
        self.released > 0.0 && !self.motion.is_static()
    }

    /// Whether it is told where it is at a time: not of what is free by then.
    fn is_known(&self, time: f64) -> bool {
        time <= self.released.max(0.0)
    }

    /// Whether the boxes around two solids meet.
    fn is_near(&self, other: &Self, time: f64) -> bool {
        let bounds = |solid: &Self| solid.bounds(&solid.motion.pose(time));
        bounds(self).overlaps(&bounds(other))
    }

    /// A box of the world around it.
    fn bounds(&self, pose: &Pose) -> Aabb {
        let own = self.shape.bounds();
        if !own.is_finite() {
            return Aabb::EVERYTHING;
        }
        let corners = own.corners().map(|corner| pose.to_world(corner));
        Aabb::from_points(corners).dilated(slack(self.shape))
    }

    /// Points of it in the world, in flat scenes within its section.
    fn places(&self, time: f64, domain: &Domain) -> Vec<Vec3> {
        let pose = self.motion.pose(time);
        let in_world = self.points.iter().map(|&point| pose.to_world(point));
        if !domain.flat {
            return in_world.collect();
        }
        let middle = domain.lower.z + 0.5 * domain.cell_size;
        let in_section = in_world.map(|place| place.with_z(middle));
        let slack = slack(self.shape);
        in_section
            .filter(|&place| self.shape.distance(pose.to_local(place)) <= slack)
            .collect()
    }
}

/// Points on the surface of a shape, and its middle if that is inside.
fn points(shape: &Shape, domain: &Domain) -> Vec<Vec3> {
    let mut points = points_on(shape);
    let bounds = shape.bounds();
    if !bounds.is_finite() {
        return points;
    }
    if let Form::Cuboid { rounding: 0.0, .. } = shape.form() {
        points.extend(bounds.corners());
    }
    points.push(bounds.centre());
    if !domain.flat {
        let slack = slack(shape);
        points.retain(|&point| shape.distance(point) <= slack);
    }
    points
}

/// How far from a shape a point of it may be by rounding.
fn slack(shape: &Shape) -> f32 {
    ROUNDING * shape.bounds().extent().max_element()
}

/// How deep some places are inside a solid; negative where all are outside.
fn depth_inside(places: &[Vec3], solid: &Placed<'_>, time: f64) -> f64 {
    let pose = solid.motion.pose(time);
    let near = solid.bounds(&pose);
    let near = places.iter().filter(|place| near.contains(**place));
    let depth = |place: &Vec3| -f64::from(solid.shape.distance(pose.to_local(*place)) * pose.scale);
    near.map(depth).fold(f64::NEG_INFINITY, f64::max)
}
