//! Solids in pictures and exports: meshes that are made once in their own frame, and placed where a frame says.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;
use ooze_core::{BodyPose, Frame};
use ooze_field::{Field, Lattice, Place, Topology};
use ooze_geometry::{Aabb, Pose, Shape, TriangleMesh, Twist};
use ooze_scene::Scene;
use ooze_staging::{Look, StagingError};
use ooze_surface::{marching_cubes, set_vertex_normals};
use rayon::prelude::*;

use super::PictureError;

/// Cells along the longest side of a solid that is no mesh.
const CELLS: f32 = 96.0;

/// Radians by which solids turn at the most in half of the time that the shutter is open; they swell by 3 % on the way.
const LARGEST_TURN: f32 = 0.25;

/// A solid as pictures show it.
pub(crate) struct SolidMesh {
    /// Its name in the scene.
    pub(crate) name: String,
    /// What it looks like.
    pub(crate) look: Look,
    /// Its mesh in its own frame.
    pub(crate) mesh: TriangleMesh,
    /// Its place among the scene's solids.
    index: usize,
    /// Where the scene puts it at the start.
    at_start: Pose,
}

/// The solids that pictures show; what reaches beyond the domain is cut off there.
pub(crate) fn visible(scene: &Scene, domain: Aabb) -> Result<Vec<SolidMesh>, StagingError> {
    let solids = scene.solids();
    let pairs = solids.iter().zip(&scene.solid_looks);
    pairs
        .enumerate()
        .filter(|(_, (_, look))| look.visible)
        .map(|(index, (collider, look))| {
            let mut mesh = mesh_of_shape(&collider.shape, domain);
            // Glass has a colour of its own.
            if look.look != "glass" {
                mesh.colours = vec![look.colour; mesh.positions.len()];
            }
            Ok(SolidMesh {
                name: collider.name.clone(),
                look: Look::named(look.look)?,
                mesh,
                index,
                at_start: collider.motion.pose(0.0),
            })
        })
        .collect()
}

/// Where the solids of a scene are in a frame. Frames of older versions do not tell: there keyframes do, at `time`.
pub(crate) fn bodies<'a>(
    scene: &Scene,
    frame: &'a Frame,
    time: f64,
) -> Result<Cow<'a, [BodyPose]>, PictureError> {
    let solids = scene.solids();
    if frame.bodies.is_empty() {
        let by_keyframes = solids
            .iter()
            .map(|collider| BodyPose::of(&collider.at(time)));
        return Ok(by_keyframes.collect());
    }
    let expected = solids.iter().map(|solid| &solid.name);
    if frame.bodies.iter().map(|body| &body.name).eq(expected) {
        return Ok(Cow::Borrowed(&frame.bodies));
    }
    let list = |names: Vec<&str>| match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    Err(PictureError::Solids {
        found: list(frame.bodies.iter().map(|body| &*body.name).collect()),
        expected: list(solids.iter().map(|solid| &*solid.name).collect()),
    })
}

/// The box around a subject and the solids at the start, as far as the domain reaches.
pub(crate) fn bounds_with(solids: &[SolidMesh], subject: Aabb, domain: Aabb) -> Aabb {
    let at_start = solids.iter().map(SolidMesh::bounds_at_start);
    at_start.fold(subject, Aabb::union).intersection(domain)
}

/// A mesh as it was given, or one along the surface of another shape.
fn mesh_of_shape(shape: &Shape, domain: Aabb) -> TriangleMesh {
    shape.given_mesh().unwrap_or_else(|| {
        let mut bounds = shape.bounds();
        if !bounds.is_finite() {
            bounds = bounds.intersection(domain);
        }
        mesh_of(&|point| shape.distance(point), bounds)
    })
}

fn mesh_of(distance: &(dyn Fn(Vec3) -> f32 + Sync), bounds: Aabb) -> TriangleMesh {
    let cell_size = bounds.extent().max_element() / CELLS;
    let roomy = bounds.dilated(2.0 * cell_size);
    let cells = (roomy.extent() / cell_size).ceil().as_ivec3();
    let lattice = Lattice::new(roomy.lower, cell_size, cells, false);
    let topology = Arc::new(Topology::full(lattice));
    let outside = 2.0 * cell_size;
    let field = Field::from_points(&topology, Place::Node, outside, distance);
    let mut mesh = marching_cubes(&field, 0.0);
    mesh.positions
        .par_iter_mut()
        .for_each(|position| *position = drawn_to_surface(distance, *position, cell_size));
    set_vertex_normals(&mut mesh);
    mesh
}

/// A vertex drawn to where the distance is zero by two of Newton's steps: beside edges, where distance is not linear, marching
/// cubes leaves it off the surface, and rims would look chipped.
fn drawn_to_surface(distance: &dyn Fn(Vec3) -> f32, vertex: Vec3, cell_size: f32) -> Vec3 {
    let half = 0.05 * cell_size;
    let mut point = vertex;
    for _ in 0..2 {
        let slope = Vec3::from_array(Vec3::AXES.map(|axis| {
            (distance(point + half * axis) - distance(point - half * axis)) / (2.0 * half)
        }));
        // In a crease the slopes of both sides cancel: there is nowhere to go.
        if slope.length_squared() < 0.25 {
            break;
        }
        point -= slope * (distance(point) / slope.length_squared());
    }
    if point.distance(vertex) < 0.5 * cell_size {
        point
    } else {
        vertex
    }
}

/// How a solid moves around a point of its own as far as pictures can show: vertices go straight on while the shutter is open, and what
/// turned far in that time would swell.
fn blurred(twist: &Twist, middle: Vec3, shutter: f32) -> Twist {
    let turn = 0.5 * shutter * twist.angular.length();
    Twist {
        centre: middle,
        linear: twist.velocity(middle),
        angular: twist.angular * (LARGEST_TURN / turn).min(1.0),
        growth: twist.growth,
    }
}

impl SolidMesh {
    /// Its place among the scene's solids.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The solid among those of a frame.
    pub(crate) fn among<'a>(&self, bodies: &'a [BodyPose]) -> &'a BodyPose {
        &bodies[self.index]
    }

    /// The mesh where the solid is in a frame, moving as it does there, for a shutter that is open for so many seconds.
    pub(crate) fn placed(&self, bodies: &[BodyPose], shutter: f32) -> TriangleMesh {
        let BodyPose { pose, twist, .. } = self.among(bodies);
        let mut mesh = self.mesh.clone();
        mesh.place(pose);
        let moving = blurred(twist, mesh.bounds().centre(), shutter);
        let positions = mesh.positions.iter();
        mesh.velocities = positions.map(|&point| moving.velocity(point)).collect();
        mesh
    }

    fn bounds_at_start(&self) -> Aabb {
        let positions = self.mesh.positions.iter();
        Aabb::from_points(positions.map(|&point| self.at_start.to_world(point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_blurred_goes_its_way_and_hardly_swells_however_fast_it_turns() {
        let (middle, radius, shutter) = (Vec3::new(0.3, 0.2, 0.1), 0.08, 0.02);
        for turns_per_second in [0.5, 16.7, 300.0] {
            // Its own frame is the world's: far from the ball, and carried around by its spin.
            let angular = Vec3::Y * (std::f32::consts::TAU * turns_per_second);
            let flight = Vec3::new(3.8, -3.1, 0.0);
            let twist = Twist {
                centre: Vec3::ZERO,
                linear: flight - angular.cross(middle),
                angular,
                growth: 0.0,
            };
            let moving = blurred(&twist, middle, shutter);
            for offset in [Vec3::X, Vec3::Z, Vec3::Y].map(|axis| axis * radius) {
                let way = 0.5 * shutter * moving.velocity(middle + offset);
                let centre = middle + 0.5 * shutter * flight;
                let swollen = (middle + offset + way).distance(centre) / radius;
                assert!(
                    (0.999..1.035).contains(&swollen),
                    "{turns_per_second}: {swollen}"
                );
            }
            let rim = middle + Vec3::X * radius;
            let slow = turns_per_second < 1.0;
            assert_eq!(
                slow,
                moving.velocity(rim).distance(twist.velocity(rim)) < 1e-4
            );
        }
    }

    #[test]
    fn vertices_beside_the_rim_of_a_plate_lie_on_it() {
        let (radius, half) = (0.075_f32, 0.011_f32);
        let distance = |point: Vec3| {
            let outside = [point.x.hypot(point.z) - radius, point.y.abs() - half];
            let beyond = outside.map(|value| value.max(0.0));
            outside[0].max(outside[1]).min(0.0) + beyond[0].hypot(beyond[1])
        };
        let size = Vec3::new(radius, half, radius);
        let mesh = mesh_of(&distance, Aabb::new(-size, size));
        let cell_size = 2.0 * radius / CELLS;
        let farthest = mesh
            .positions
            .iter()
            .map(|&point| distance(point).abs())
            .fold(0.0, f32::max);
        assert!(farthest < 0.01 * cell_size, "{}", farthest / cell_size);
    }
}
