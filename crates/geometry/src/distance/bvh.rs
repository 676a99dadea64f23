//! A tree of boxes over triangles, and the nearest point of a triangle set.
//!
//! A box around a slanted patch of a surface is much thicker than the patch, so that from afar very many boxes seem to
//! be as near as the nearest triangle. Each node therefore also has a disc around its mean normal, nearly as thin as
//! the patch itself, which is looked at when the box is near enough.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::triangle::{Nearest, double_area_vector, nearest_on_triangle};
use crate::{Aabb, BoxNode, BoxTree, BoxTreeSettings};

/// Discs are made by several threads in chunks of this many.
const CHUNK: usize = 512;
const TREE: BoxTreeSettings = BoxTreeSettings {
    all_axes: false,
    together: 1,
    balanced_depth: 40,
};
/// Enough for the depth of any tree: that from which it is balanced, plus the logarithm of the largest count.
pub(super) const STACK: usize = TREE.balanced_depth + 40;

/// A cylinder around the triangles of a node, in most cases a flat one.
#[derive(Clone, Copy, Debug)]
struct Disc {
    centre: Vec3,
    normal: Vec3,
    radius: f32,
    half_height: f32,
}

/// Triangles in the order of a tree of boxes.
#[derive(Clone, Debug)]
pub(super) struct Bvh {
    pub(super) nodes: Vec<BoxNode>,
    discs: Vec<Disc>,
    pub(super) triangles: Vec<[Vec3; 3]>,
}

impl Bvh {
    /// Builds the tree over at least one triangle.
    pub(super) fn new(triangles: &[[Vec3; 3]]) -> Self {
        let boxes = triangles.iter().map(|corners| Aabb::from_points(*corners));
        let BoxTree { nodes, order } = BoxTree::new(boxes, &TREE);
        let triangles: Vec<[Vec3; 3]> = order
            .iter()
            .map(|&index| triangles[index as usize])
            .collect();
        let discs = nodes
            .par_iter()
            .with_min_len(CHUNK)
            .map(|node| Disc::around(&triangles[node.range()]))
            .collect();
        Self {
            nodes,
            discs,
            triangles,
        }
    }

    /// The box around everything.
    pub(super) fn bounds(&self) -> Aabb {
        self.nodes[0].bounds
    }

    /// The area of all triangles.
    pub(super) fn area(&self) -> f64 {
        self.triangles
            .iter()
            .map(|corners| 0.5 * double_area_vector(corners).length())
            .sum()
    }

    /// The nearest point of any triangle that is nearer than `reach`, if there is one.
    pub(super) fn nearest(&self, point: Vec3, reach: f32) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut best_squared = reach * reach;
        let mut stack = [(0_u32, 0.0_f32); STACK];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let (mut index, squared) = stack[waiting];
            if squared >= best_squared {
                continue;
            }
            // Down the nearer children, leaving the further ones for later.
            loop {
                let node = &self.nodes[index as usize];
                if node.second_child == 0 {
                    for triangle in node.range() {
                        let offset = nearest_on_triangle(point, &self.triangles[triangle]);
                        let squared = offset.length_squared();
                        if squared < best_squared {
                            best_squared = squared;
                            best = Some(Nearest {
                                offset,
                                triangle: triangle as u32,
                            });
                        }
                    }
                    break;
                }
                let children = [index + 1, node.second_child];
                let squares = children.map(|child| self.least_squared(child, point, best_squared));
                let nearer = usize::from(squares[1] < squares[0]);
                if squares[1 - nearer] < best_squared {
                    stack[waiting] = (children[1 - nearer], squares[1 - nearer]);
                    waiting += 1;
                }
                if squares[nearer] >= best_squared {
                    break;
                }
                index = children[nearer];
            }
        }
        best
    }

    /// No triangle of the node is nearer than the root of this. What is beyond `enough` needs no sharper bound.
    #[inline]
    fn least_squared(&self, node: u32, point: Vec3, enough: f32) -> f32 {
        let from_box = self.nodes[node as usize].bounds.squared_distance(point);
        if from_box >= enough {
            return from_box;
        }
        from_box.max(self.discs[node as usize].squared_distance(point))
    }
}

impl Disc {
    fn around(triangles: &[[Vec3; 3]]) -> Self {
        let area: DVec3 = triangles.iter().map(double_area_vector).sum();
        let normal = area.normalize_or(DVec3::Y);
        let corners = || triangles.iter().flatten().map(|corner| corner.as_dvec3());
        let middle = Aabb::from_points(triangles.iter().flatten().copied())
            .centre()
            .as_dvec3();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut radius_squared: f64 = 0.0;
        for corner in corners() {
            let height = normal.dot(corner - middle);
            (low, high) = (low.min(height), high.max(height));
            radius_squared =
                radius_squared.max((corner - middle).length_squared() - height * height);
        }
        // Rounding to f32 must not make the disc smaller than what it holds.
        let centre = (middle + 0.5 * (low + high) * normal).as_vec3();
        let slack =
            f64::from(4.0 * f32::EPSILON * (centre.abs().max_element() + (high - low) as f32));
        let grown = |length: f64| ((1.0 + 1e-6) * length + slack) as f32;
        Self {
            centre,
            normal: normal.as_vec3(),
            radius: grown(radius_squared.sqrt()),
            half_height: grown(0.5 * (high - low)),
        }
    }

    #[inline]
    fn squared_distance(&self, point: Vec3) -> f32 {
        let offset = point - self.centre;
        let height = self.normal.dot(offset);
        let across = (offset.length_squared() - height * height).max(0.0).sqrt();
        let beside = (across - self.radius).max(0.0);
        let above = (height.abs() - self.half_height).max(0.0);
        beside * beside + above * above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    fn corners(mesh: &crate::TriangleMesh) -> Vec<[Vec3; 3]> {
        (0..mesh.triangles.len())
            .map(|index| mesh.corners(index))
            .collect()
    }

    #[test]
    fn nearest_equals_the_least_over_all_triangles() {
        let triangles = corners(&generate::torus(
            Vec3::new(0.2, 0.0, -0.1),
            1.0,
            0.35,
            40,
            20,
        ));
        let tree = Bvh::new(&triangles);
        for step in 0..500 {
            let angle = step as f32 * 0.7;
            let point = Vec3::new(angle.sin(), (1.7 * angle).cos(), (0.31 * angle).sin()) * 1.6;
            let brute_force = triangles
                .iter()
                .map(|corners| nearest_on_triangle(point, corners).length())
                .fold(f32::INFINITY, f32::min);
            let found = tree.nearest(point, f32::INFINITY).unwrap();
            assert!((found.offset.length() - brute_force).abs() <= 1e-6 * brute_force);
            assert!(tree.nearest(point, 0.99 * brute_force).is_none());
            assert!(tree.nearest(point, 1.01 * brute_force).is_some());
        }
    }

    #[test]
    fn many_triangles_in_one_place_do_not_hurt() {
        let triangles = vec![[Vec3::ZERO, Vec3::X, Vec3::Y]; 10_000];
        let tree = Bvh::new(&triangles);
        let nearest = tree
            .nearest(Vec3::new(0.2, 0.2, 3.0), f32::INFINITY)
            .unwrap();
        assert_eq!(nearest.offset, Vec3::new(0.0, 0.0, 3.0));
    }
}
