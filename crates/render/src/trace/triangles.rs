//! Triangles in blocks of four, and rays against them: the watertight test of Woop, Benthin and Wald 2013 ("Watertight
//! Ray/Triangle Intersection", JCGT 2(1)), four lanes at a time.
//!
//! Deviation: no double-precision fallback for edge functions that are exactly zero; both triangles of an edge then
//! report the hit, which leaves no gap.

use glam::{Vec3, Vec4};
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use super::build::{WIDTH, build};
use super::bvh::{Bvh, NONE};
use super::ray::{Ray, RayFrame};
use ooze_geometry::Aabb;

/// Corner positions of four triangles, by corner and axis.
type Lanes = [[Vec4; 3]; 3];

/// A mesh among those of a set.
pub(crate) struct MeshSource<'a> {
    pub(crate) mesh: &'a TriangleMesh,
    /// One normal a corner, for each triangle.
    pub(crate) normals: Vec<[Vec3; 3]>,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crossing {
    pub(crate) distance: f32,
    /// The triangle's place in its set.
    pub(crate) slot: u32,
    /// Weights of the three corners, which sum to 1.
    pub(crate) weights: [f32; 3],
}

/// The triangles of several meshes in one hierarchy.
#[derive(Default)]
pub(crate) struct TriangleSet {
    bvh: Bvh,
    corners: Vec<Lanes>,
    /// Displacement over the whole shutter interval; empty when nothing moves.
    displacements: Vec<Lanes>,
    objects: Vec<u32>,
    triangles: Vec<u32>,
    normals: Vec<[Vec3; 3]>,
}

impl TriangleSet {
    /// Gathers the triangles of `meshes`, moving over a shutter time in seconds.
    pub(crate) fn new(meshes: &[MeshSource<'_>], shutter: f32) -> Self {
        let moves = shutter > 0.0
            && meshes
                .iter()
                .any(|source| !source.mesh.velocities.is_empty());
        let all: Vec<(u32, u32)> = meshes
            .iter()
            .enumerate()
            .flat_map(|(object, source)| {
                (0..source.mesh.triangles.len()).map(move |index| (object as u32, index as u32))
            })
            .collect();
        let displacement = |object: u32, triangle: u32| -> [Vec3; 3] {
            let mesh = meshes[object as usize].mesh;
            if !moves || mesh.velocities.is_empty() {
                return [Vec3::ZERO; 3];
            }
            mesh.triangles[triangle as usize]
                .map(|vertex| mesh.velocities[vertex as usize] * shutter)
        };
        let boxes: Vec<Aabb> = all
            .par_iter()
            .map(|&(object, triangle)| {
                let corners = meshes[object as usize].mesh.corners(triangle as usize);
                let moved = displacement(object, triangle);
                (0..3).fold(Aabb::EMPTY, |bounds, corner| {
                    bounds
                        .including(corners[corner] - 0.5 * moved[corner])
                        .including(corners[corner] + 0.5 * moved[corner])
                })
            })
            .collect();
        let (bvh, leaves) = build(&boxes);
        let slots: Vec<u32> = leaves.iter().flatten().copied().collect();
        let pack = |fetch: &(dyn Fn(u32, u32) -> [Vec3; 3] + Sync)| -> Vec<Lanes> {
            leaves
                .par_iter()
                .map(|leaf| {
                    let mut lanes = [[Vec4::ZERO; 3]; 3];
                    for (lane, &index) in
                        leaf.iter().enumerate().filter(|(_, index)| **index != NONE)
                    {
                        let (object, triangle) = all[index as usize];
                        for (corner, position) in fetch(object, triangle).into_iter().enumerate() {
                            for axis in 0..3 {
                                lanes[corner][axis][lane] = position[axis];
                            }
                        }
                    }
                    lanes
                })
                .collect()
        };
        let source = |index: u32| all.get(index as usize).copied().unwrap_or((NONE, NONE));
        Self {
            corners: pack(&|object, triangle| {
                meshes[object as usize].mesh.corners(triangle as usize)
            }),
            displacements: if moves {
                pack(&displacement)
            } else {
                Vec::new()
            },
            objects: slots.iter().map(|&index| source(index).0).collect(),
            triangles: slots.iter().map(|&index| source(index).1).collect(),
            normals: slots
                .par_iter()
                .map(|&index| match source(index) {
                    (NONE, _) => [Vec3::ZERO; 3],
                    (object, triangle) => meshes[object as usize].normals[triangle as usize],
                })
                .collect(),
            bvh,
        }
    }

    /// The object that the triangle in `slot` belongs to.
    #[inline]
    pub(crate) fn object(&self, slot: u32) -> u32 {
        self.objects[slot as usize]
    }

    /// The index, within its mesh, of the triangle in `slot`.
    #[inline]
    pub(crate) fn triangle(&self, slot: u32) -> usize {
        self.triangles[slot as usize] as usize
    }

    /// The vertex normals of the triangle in `slot`.
    #[inline]
    pub(crate) fn normals(&self, slot: u32) -> [Vec3; 3] {
        self.normals[slot as usize]
    }

    /// The corners of the triangle in `slot` at a shutter time.
    #[inline]
    pub(crate) fn corners(&self, slot: u32, time: f32) -> [Vec3; 3] {
        let (block, lane) = (slot as usize / WIDTH, slot as usize % WIDTH);
        let fetch = |lanes: &Lanes, corner: usize| {
            let [x, y, z] = &lanes[corner];
            Vec3::new(x[lane], y[lane], z[lane])
        };
        let still = &self.corners[block];
        let mut corners = [fetch(still, 0), fetch(still, 1), fetch(still, 2)];
        if let Some(moved) = self.displacements.get(block) {
            for (corner, position) in corners.iter_mut().enumerate() {
                *position += time * fetch(moved, corner);
            }
        }
        corners
    }

    /// Tests the triangles of block `block`: a bit for each that the ray meets before `limit`, the distances, and the
    /// edge functions, which are the corners' weights up to a factor.
    #[inline(always)]
    fn test(&self, block: usize, ray: &RayFrame, limit: f32) -> (u32, Vec4, [Vec4; 3]) {
        let [kx, ky, kz] = ray.axes;
        let moved = self.displacements.get(block);
        // Sheared so that the ray runs along +z from the origin. (Spelled out: `array::from_fn` is not inlined.)
        let shear = |corner: usize| -> [Vec4; 3] {
            let still = &self.corners[block][corner];
            let mut position = [still[kx], still[ky], still[kz]];
            if let Some(moved) = moved {
                for (value, axis) in position.iter_mut().zip(ray.axes) {
                    *value += moved[corner][axis] * ray.time;
                }
            }
            let depth = position[2] - ray.origin[kz];
            [
                (position[0] - ray.origin[kx]) - ray.shear[0] * depth,
                (position[1] - ray.origin[ky]) - ray.shear[1] * depth,
                ray.shear[2] * depth,
            ]
        };
        let sheared = [shear(0), shear(1), shear(2)];
        let [a, b, c] = sheared;
        let edges = [
            c[0] * b[1] - c[1] * b[0],
            a[0] * c[1] - a[1] * c[0],
            b[0] * a[1] - b[1] * a[0],
        ];
        let least = edges[0].min(edges[1]).min(edges[2]);
        let most = edges[0].max(edges[1]).max(edges[2]);
        let determinant = edges[0] + edges[1] + edges[2];
        let inside =
            (least.cmpge(Vec4::ZERO) | most.cmple(Vec4::ZERO)) & determinant.cmpne(Vec4::ZERO);
        let distance = (edges[0] * a[2] + edges[1] * b[2] + edges[2] * c[2]) / determinant;
        let met = inside & distance.cmpgt(Vec4::ZERO) & distance.cmplt(Vec4::splat(limit));
        (met.bitmask(), distance, edges)
    }

    /// The nearest crossing before `limit` among triangles of objects that `accept` takes.
    #[inline(always)]
    fn nearest_where(
        &self,
        ray: &RayFrame,
        limit: f32,
        accept: impl Fn(u32) -> bool,
    ) -> Option<Crossing> {
        let mut nearest: Option<Crossing> = None;
        self.bvh.traverse(ray, limit, |block, mut limit| {
            let (mut lanes, distance, edges) = self.test(block, ray, limit);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let slot = (block * WIDTH + lane) as u32;
                if distance[lane] < limit && accept(slot) {
                    limit = distance[lane];
                    let scale = 1.0 / (edges[0][lane] + edges[1][lane] + edges[2][lane]);
                    nearest = Some(Crossing {
                        distance: limit,
                        slot,
                        weights: edges.map(|edge| edge[lane] * scale),
                    });
                }
            }
            limit
        });
        nearest
    }

    /// The nearest crossing before `limit`.
    pub(crate) fn nearest(&self, ray: &RayFrame, limit: f32) -> Option<Crossing> {
        self.nearest_where(ray, limit, |_| true)
    }

    /// The nearest crossing of one object's surface before `limit`.
    pub(crate) fn nearest_of(&self, object: u32, ray: &RayFrame, limit: f32) -> Option<Crossing> {
        self.nearest_where(ray, limit, |slot| self.objects[slot as usize] == object)
    }

    /// Calls `visit` with every crossing before `limit`, in no particular order, until it returns false.
    #[inline(always)]
    pub(crate) fn each_crossing(
        &self,
        ray: &RayFrame,
        limit: f32,
        mut visit: impl FnMut(Crossing) -> bool,
    ) {
        self.bvh.traverse(ray, limit, |block, limit| {
            let (mut lanes, distance, edges) = self.test(block, ray, limit);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let slot = (block * WIDTH + lane) as u32;
                let scale = 1.0 / (edges[0][lane] + edges[1][lane] + edges[2][lane]);
                let weights = edges.map(|edge| edge[lane] * scale);
                if !visit(Crossing {
                    distance: distance[lane],
                    slot,
                    weights,
                }) {
                    return -1.0;
                }
            }
            limit
        });
    }

    /// The objects that contain `point`: those whose surface a ray from there leaves more often than it enters, by the
    /// majority of three directions, so that a ray along an edge does not decide.
    pub(crate) fn containing(&self, point: Vec3, objects: usize) -> Vec<bool> {
        let directions = [
            Vec3::new(0.31, 0.83, 0.46),
            Vec3::new(-0.72, 0.24, 0.65),
            Vec3::new(0.11, -0.53, -0.84),
        ];
        let mut votes = vec![0; objects];
        for direction in directions {
            let ray = Ray {
                origin: point,
                direction: direction.normalize(),
                time: 0.0,
            };
            let mut balance = vec![0; objects];
            self.each_crossing(&RayFrame::new(&ray), f32::MAX, |crossing| {
                let [a, b, c] = self.corners(crossing.slot, 0.0);
                let leaves = (b - a).cross(c - a).dot(ray.direction) > 0.0;
                balance[self.object(crossing.slot) as usize] += if leaves { 1 } else { -1 };
                true
            });
            for (vote, balance) in votes.iter_mut().zip(balance) {
                *vote += i32::from(balance > 0);
            }
        }
        votes.into_iter().map(|vote| vote >= 2).collect()
    }

    pub(super) fn hierarchy(&self) -> &Bvh {
        &self.bvh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sphere_direction;
    use crate::random::Sampler;

    /// A cloud of random triangles, some moving.
    fn cloud(count: u32) -> TriangleMesh {
        let mut chain = Sampler::new(1, 2, 3).chain();
        let mut point =
            |scale: f32| Vec3::from_array(std::array::from_fn(|_| (chain.next() - 0.5) * scale));
        let mut mesh = TriangleMesh::default();
        for triangle in 0..count {
            let centre = point(2.0);
            for _ in 0..3 {
                mesh.positions.push(centre + point(0.2));
                mesh.velocities.push(point(0.5));
            }
            mesh.triangles
                .push(std::array::from_fn(|corner| 3 * triangle + corner as u32));
        }
        mesh
    }

    fn set(mesh: &TriangleMesh, shutter: f32) -> TriangleSet {
        TriangleSet::new(
            &[MeshSource {
                mesh,
                normals: vec![[Vec3::Y; 3]; mesh.triangles.len()],
            }],
            shutter,
        )
    }

    fn random_rays(count: u32) -> Vec<Ray> {
        let mut chain = Sampler::new(9, 9, 9).chain();
        (0..count)
            .map(|_| Ray {
                origin: Vec3::from_array(std::array::from_fn(|_| (chain.next() - 0.5) * 3.0)),
                direction: sphere_direction(chain.pair()),
                time: chain.next() - 0.5,
            })
            .collect()
    }

    /// Möller and Trumbore's test in double precision, over all triangles.
    fn brute_force(mesh: &TriangleMesh, ray: &Ray, shutter: f32) -> Option<(usize, f64)> {
        (0..mesh.triangles.len())
            .filter_map(|index| {
                let moved = |vertex: u32| {
                    let vertex = vertex as usize;
                    mesh.positions[vertex].as_dvec3()
                        + (mesh.velocities[vertex] * shutter * ray.time).as_dvec3()
                };
                let [a, b, c] = mesh.triangles[index].map(moved);
                let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
                let (first, second) = (b - a, c - a);
                let across = direction.cross(second);
                let determinant = first.dot(across);
                let offset = origin - a;
                let u = offset.dot(across) / determinant;
                let turned = offset.cross(first);
                let v = direction.dot(turned) / determinant;
                let distance = second.dot(turned) / determinant;
                (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0)
                    .then_some((index, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    #[test]
    fn hierarchy_finds_what_brute_force_finds() {
        for (count, shutter) in [(1, 0.0), (5, 0.0), (3000, 0.0), (3000, 0.4)] {
            let mesh = cloud(count);
            let set = set(&mesh, shutter);
            let mut hits = 0;
            for ray in random_rays(2000) {
                let found = set
                    .nearest(&RayFrame::new(&ray), f32::MAX)
                    .map(|crossing| (set.triangle(crossing.slot), f64::from(crossing.distance)));
                let expected = brute_force(&mesh, &ray, shutter);
                match (found, expected) {
                    (Some(found), Some(expected)) => {
                        hits += 1;
                        assert!(
                            (found.1 - expected.1).abs() < 1e-4,
                            "{found:?} {expected:?}"
                        );
                        assert!(found.0 == expected.0 || (found.1 - expected.1).abs() < 1e-5);
                    }
                    (None, None) => {}
                    other => panic!("{other:?}"),
                }
            }
            assert!(count < 100 || hits > 500, "{hits}");
        }
    }

    #[test]
    fn crossings_lie_on_their_triangles() {
        let mesh = cloud(500);
        let set = set(&mesh, 0.4);
        for ray in random_rays(500) {
            if let Some(crossing) = set.nearest(&RayFrame::new(&ray), f32::MAX) {
                let corners = set.corners(crossing.slot, ray.time);
                let point: Vec3 = (0..3)
                    .map(|corner| corners[corner] * crossing.weights[corner])
                    .sum();
                assert!((point - ray.at(crossing.distance)).length() < 1e-4);
            }
        }
    }

    #[test]
    fn no_ray_slips_between_the_triangles_of_a_closed_surface() {
        // An octahedron: rays from its centre straight at edges and corners included.
        let mesh = TriangleMesh {
            positions: vec![Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z],
            triangles: vec![
                [0, 2, 4],
                [2, 1, 4],
                [1, 3, 4],
                [3, 0, 4],
                [2, 0, 5],
                [1, 2, 5],
                [3, 1, 5],
                [0, 3, 5],
            ],
            ..TriangleMesh::default()
        };
        let set = set(&mesh, 0.0);
        let inside = Vec3::new(0.01, 0.02, -0.03);
        for first in -20..=20 {
            for second in -20..=20 {
                for target in [
                    Vec3::new(first as f32, second as f32, 20.0),
                    Vec3::new(-20.0, first as f32, second as f32),
                ] {
                    for origin in [Vec3::ZERO, inside] {
                        let ray = Ray {
                            origin,
                            direction: target.normalize(),
                            time: 0.0,
                        };
                        assert!(
                            set.nearest(&RayFrame::new(&ray), f32::MAX).is_some(),
                            "{target}"
                        );
                    }
                }
            }
        }
        assert_eq!(set.containing(inside, 1), [true]);
        assert_eq!(set.containing(Vec3::new(0.7, 0.7, 0.7), 1), [false]);
    }

    #[test]
    fn coincident_triangles_do_not_break_the_build() {
        let mut mesh = cloud(1);
        mesh.triangles = vec![[0, 1, 2]; 1000];
        let set = set(&mesh, 0.0);
        let centre = (mesh.positions[0] + mesh.positions[1] + mesh.positions[2]) / 3.0;
        let ray = Ray {
            origin: centre + Vec3::Y * 3.0,
            direction: -Vec3::Y,
            time: 0.0,
        };
        let mut crossings = 0;
        set.each_crossing(&RayFrame::new(&ray), f32::MAX, |_| {
            crossings += 1;
            true
        });
        assert_eq!(crossings, 1000);
    }
}
