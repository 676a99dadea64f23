//! A tree of boxes over triangles, and the nearest point of a triangle set.
//!
//! Built from the top by the surface area heuristic over bins of the longest axis (Wald 2007); subtrees are built in
//! parallel and joined in a fixed order, so that the tree does not depend on the number of threads.
//!
//! A box around a slanted patch of a surface is much thicker than the patch, so that from afar very many boxes seem to
//! be as near as the nearest triangle. Each node therefore also has a disc around its mean normal, nearly as thin as
//! the patch itself, which is looked at when the box is near enough.

use std::ops::Range;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::triangle::{Nearest, double_area_vector, nearest_on_triangle};
use crate::Aabb;

/// At most this many triangles share a leaf.
const LEAF_TRIANGLES: usize = 4;
const BINS: usize = 16;
/// Discs are made by several threads in chunks of this many.
const CHUNK: usize = 512;
/// Larger subtrees are built by two threads.
const PARALLEL_TRIANGLES: usize = 4096;
/// From this depth on triangles are halved by count, which bounds the depth of the whole tree.
const BALANCED_DEPTH: usize = 40;
/// Enough for the depth of any tree: `BALANCED_DEPTH` plus the logarithm of the largest count.
pub(super) const STACK: usize = BALANCED_DEPTH + 40;

/// A box around the triangles `first..first + count` of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) bounds: Aabb,
    pub(super) first: u32,
    pub(super) count: u32,
    /// The second child; the first child is the next node. Zero for leaves.
    pub(super) second_child: u32,
}

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
    pub(super) nodes: Vec<Node>,
    discs: Vec<Disc>,
    pub(super) triangles: Vec<[Vec3; 3]>,
}

/// A triangle while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    centre: Vec3,
    index: u32,
}

impl Bvh {
    /// Builds the tree over at least one triangle.
    pub(super) fn new(triangles: &[[Vec3; 3]]) -> Self {
        let mut items: Vec<Item> = triangles
            .iter()
            .enumerate()
            .map(|(index, corners)| {
                let bounds = Aabb::from_points(*corners);
                Item {
                    bounds,
                    centre: bounds.centre(),
                    index: index as u32,
                }
            })
            .collect();
        let nodes = build(&mut items, 0, 0);
        let triangles: Vec<[Vec3; 3]> = items
            .iter()
            .map(|item| triangles[item.index as usize])
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

/// The nodes of a subtree, whose first triangle is number `first` of the whole tree; orders `items` as the tree does.
fn build(items: &mut [Item], first: u32, depth: usize) -> Vec<Node> {
    let mut nodes = Vec::new();
    if items.len() <= PARALLEL_TRIANGLES {
        push_subtree(items, first, depth, &mut nodes);
        return nodes;
    }
    nodes.push(Node::around(items, first));
    let middle = split(items, depth);
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = rayon::join(
        || build(left, first, depth + 1),
        || build(right, first + middle as u32, depth + 1),
    );
    for child in [left, right] {
        let base = nodes.len() as u32;
        nodes[0].second_child = base;
        nodes.extend(child.into_iter().map(|mut node| {
            if node.second_child != 0 {
                node.second_child += base;
            }
            node
        }));
    }
    nodes
}

/// The same on one thread, appending to `nodes`.
fn push_subtree(items: &mut [Item], first: u32, depth: usize, nodes: &mut Vec<Node>) {
    let place = nodes.len();
    nodes.push(Node::around(items, first));
    if items.len() <= LEAF_TRIANGLES {
        return;
    }
    let middle = split(items, depth);
    let (left, right) = items.split_at_mut(middle);
    push_subtree(left, first, depth + 1, nodes);
    nodes[place].second_child = nodes.len() as u32;
    push_subtree(right, first + middle as u32, depth + 1, nodes);
}

impl Node {
    /// The triangles of the node.
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// A leaf.
    fn around(items: &[Item], first: u32) -> Self {
        let bounds = items
            .iter()
            .fold(Aabb::EMPTY, |bounds, item| bounds.union(item.bounds));
        Self {
            bounds,
            first,
            count: items.len() as u32,
            second_child: 0,
        }
    }
}

/// Orders `items` so that the two sides of the returned position make good subtrees; neither is empty.
fn split(items: &mut [Item], depth: usize) -> usize {
    let centres = Aabb::from_points(items.iter().map(|item| item.centre));
    let axis = centres.extent().max_position();
    let (start, extent) = (centres.lower[axis], centres.extent()[axis]);
    if depth < BALANCED_DEPTH && extent > 0.0 {
        let bin_of = |item: &Item| {
            let share = (item.centre[axis] - start) / extent;
            ((share * BINS as f32) as usize).min(BINS - 1)
        };
        let border = best_border(items, bin_of);
        let middle = partition(items, |item| bin_of(item) < border);
        if middle > 0 && middle < items.len() {
            return middle;
        }
    }
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |one, other| {
        let order = one.centre[axis].total_cmp(&other.centre[axis]);
        order.then(one.index.cmp(&other.index))
    });
    middle
}

/// The bin from which on triangles go to the second child, by the least sum of area times count.
fn best_border(items: &[Item], bin_of: impl Fn(&Item) -> usize) -> usize {
    let mut bins = [(Aabb::EMPTY, 0_usize); BINS];
    for item in items {
        let bin = &mut bins[bin_of(item)];
        *bin = (bin.0.union(item.bounds), bin.1 + 1);
    }
    let cost = |(bounds, count): (Aabb, usize)| {
        let extent = bounds.extent();
        (extent.x * extent.y + extent.y * extent.z + extent.z * extent.x) * count as f32
    };
    let add = |sum: (Aabb, usize), bin: &(Aabb, usize)| (sum.0.union(bin.0), sum.1 + bin.1);
    let mut best = (f32::INFINITY, BINS / 2);
    for border in 1..BINS {
        let left = bins[..border].iter().fold((Aabb::EMPTY, 0), add);
        let right = bins[border..].iter().fold((Aabb::EMPTY, 0), add);
        let total = cost(left) + cost(right);
        if left.1 > 0 && right.1 > 0 && total < best.0 {
            best = (total, border);
        }
    }
    best.1
}

/// Moves the items for which `first` holds to the front and returns their number.
fn partition(items: &mut [Item], first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for index in 0..items.len() {
        if first(&items[index]) {
            items.swap(index, middle);
            middle += 1;
        }
    }
    middle
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
    fn every_triangle_is_in_one_leaf_inside_all_boxes_above() {
        let triangles = corners(&generate::icosphere(Vec3::ZERO, 1.0, 4));
        let tree = Bvh::new(&triangles);
        assert_eq!(tree.triangles.len(), triangles.len());
        let mut covered = 0;
        for (index, node) in tree.nodes.iter().enumerate() {
            for corner in tree.triangles[node.range()].iter().flatten() {
                assert!(node.bounds.contains(*corner));
            }
            if node.second_child == 0 {
                assert_eq!(node.first, covered);
                covered += node.count;
            } else {
                let [left, right] =
                    [index + 1, node.second_child as usize].map(|child| tree.nodes[child]);
                assert_eq!(left.first, node.first);
                assert_eq!(right.first, node.first + left.count);
                assert_eq!(left.count + right.count, node.count);
            }
        }
        assert_eq!(covered as usize, triangles.len());
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
