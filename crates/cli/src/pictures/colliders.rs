//! Meshes of colliders, made once in their own frame and moved from frame to frame.

use std::sync::Arc;

use glam::Vec3;
use ooze_field::{Field, Lattice, Place, Topology};
use ooze_geometry::{Aabb, Motion, TriangleMesh};
use ooze_render::{Look, RenderError};
use ooze_scene::Scene;
use ooze_surface::{marching_cubes, set_vertex_normals};
use rayon::prelude::*;

/// Cells along the longest side of a collider.
const CELLS: f32 = 96.0;

/// A collider as pictures show it.
pub(crate) struct ColliderMesh {
    /// Its name in the scene.
    pub(crate) name: String,
    /// What it looks like.
    pub(crate) look: Look,
    /// Its mesh in its own frame.
    pub(crate) mesh: TriangleMesh,
    /// How it moves.
    pub(crate) motion: Motion,
}

/// The colliders that pictures show; what reaches beyond the domain is cut off there.
pub(crate) fn visible(scene: &Scene, domain: Aabb) -> Result<Vec<ColliderMesh>, RenderError> {
    let pairs = scene.colliders.iter().zip(&scene.collider_looks);
    pairs
        .filter(|(_, look)| look.visible)
        .map(|(collider, look)| {
            let mut bounds = collider.shape.bounds();
            if !bounds.is_finite() {
                bounds = bounds.intersection(domain);
            }
            let mut mesh = mesh_of(&|point| collider.shape.distance(point), bounds);
            // Glass has a colour of its own.
            if look.look != "glass" {
                mesh.colours = vec![look.colour; mesh.positions.len()];
            }
            Ok(ColliderMesh {
                name: collider.name.clone(),
                look: Look::named(look.look)?,
                mesh,
                motion: collider.motion.clone(),
            })
        })
        .collect()
}

/// The box around a subject and the colliders at the start, as far as the domain reaches.
pub(crate) fn bounds_with(colliders: &[ColliderMesh], subject: Aabb, domain: Aabb) -> Aabb {
    colliders
        .iter()
        .map(|collider| collider.bounds_at(0.0))
        .fold(subject, Aabb::union)
        .intersection(domain)
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

impl ColliderMesh {
    /// The mesh where the collider is at `time`.
    pub(crate) fn mesh_at(&self, time: f64) -> TriangleMesh {
        let pose = self.motion.pose(time);
        let twist = self.motion.twist(time);
        let mut mesh = self.mesh.clone();
        for position in &mut mesh.positions {
            *position = pose.to_world(*position);
        }
        for normal in &mut mesh.normals {
            *normal = pose.rotation * *normal;
        }
        mesh.velocities = mesh
            .positions
            .iter()
            .map(|&point| twist.velocity(point))
            .collect();
        mesh
    }

    /// The box around the collider at `time`.
    pub(crate) fn bounds_at(&self, time: f64) -> Aabb {
        let pose = self.motion.pose(time);
        Aabb::from_points(
            self.mesh
                .positions
                .iter()
                .map(|&point| pose.to_world(point)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
