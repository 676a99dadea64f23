//! Building a four-wide bounding volume hierarchy: binned surface-area heuristic (Wald 2007, "On fast Construction of
//! SAH-based Bounding Volume Hierarchies"), then two levels of the binary tree folded into one (Wald et al. 2008).
//!
//! The work splits by position in the tree, never by thread, so the result is the same for any number of threads.

use glam::{Vec3, Vec4};

use super::bvh::{Bvh, LEAF, NONE, Node, STACK};
use ooze_geometry::Aabb;

use crate::bounds::half_area;

/// Primitives in a leaf; they are tested together, so fewer cost the same.
pub(crate) const WIDTH: usize = 4;

const BINS: usize = 16;
/// Below this depth the heuristic chooses; beyond it, halving by count keeps the tree's depth bounded.
const HEURISTIC_DEPTH: u32 = 24;
/// Subtrees below this size are built by one thread.
const PARALLEL_SIZE: usize = 2048;

#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    index: u32,
}

enum Binary {
    Leaf {
        bounds: Aabb,
        items: [u32; WIDTH],
    },
    Inner {
        bounds: Aabb,
        children: Box<[Binary; 2]>,
    },
}

impl Binary {
    fn bounds(&self) -> &Aabb {
        match self {
            Self::Leaf { bounds, .. } | Self::Inner { bounds, .. } => bounds,
        }
    }
}

/// A hierarchy over boxes, and the boxes' indices in each leaf (`NONE` where a leaf has fewer than four).
pub(crate) fn build(boxes: &[Aabb]) -> (Bvh, Vec<[u32; WIDTH]>) {
    let mut items: Vec<Item> = boxes
        .iter()
        .enumerate()
        .map(|(index, &bounds)| Item {
            bounds,
            index: index as u32,
        })
        .collect();
    if items.is_empty() {
        return (Bvh::default(), Vec::new());
    }
    let built = fold(&split(&mut items, 0, HEURISTIC_DEPTH));
    if built.2 * (WIDTH - 1) < STACK {
        return (built.0, built.1);
    }
    // Only reached by adversarial input: halving by count alone bounds the depth by the logarithm of the size.
    let (bvh, leaves, _) = fold(&split(&mut items, 0, 0));
    (bvh, leaves)
}

fn union_of(items: &[Item]) -> Aabb {
    items
        .iter()
        .fold(Aabb::EMPTY, |bounds, item| bounds.union(item.bounds))
}

fn split(items: &mut [Item], depth: u32, heuristic_depth: u32) -> Binary {
    let bounds = union_of(items);
    if items.len() <= WIDTH {
        let mut indices = [NONE; WIDTH];
        for (slot, item) in indices.iter_mut().zip(items.iter()) {
            *slot = item.index;
        }
        return Binary::Leaf {
            bounds,
            items: indices,
        };
    }
    let middle = if depth < heuristic_depth {
        partition_by_area(items)
    } else {
        None
    };
    let middle = middle.unwrap_or_else(|| halve(items));
    let parallel = items.len() >= PARALLEL_SIZE;
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = if parallel {
        rayon::join(
            || split(left, depth + 1, heuristic_depth),
            || split(right, depth + 1, heuristic_depth),
        )
    } else {
        (
            split(left, depth + 1, heuristic_depth),
            split(right, depth + 1, heuristic_depth),
        )
    };
    Binary::Inner {
        bounds,
        children: Box::new([left, right]),
    }
}

/// Half of the items on each side along the longest axis of their centres.
fn halve(items: &mut [Item]) -> usize {
    let centres = items.iter().fold(Aabb::EMPTY, |bounds, item| {
        bounds.including(item.bounds.centre())
    });
    let size = centres.extent();
    let axis = (0..3)
        .max_by(|&a, &b| size[a].total_cmp(&size[b]))
        .unwrap_or(0);
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.bounds.centre()[axis]
            .total_cmp(&b.bounds.centre()[axis])
            .then(a.index.cmp(&b.index))
    });
    middle
}

/// Partitions at the cheapest of the binned planes; `None` when all centres coincide.
fn partition_by_area(items: &mut [Item]) -> Option<usize> {
    let centres = items.iter().fold(Aabb::EMPTY, |bounds, item| {
        bounds.including(item.bounds.centre())
    });
    let size = centres.extent();
    let scale = Vec3::from_array(
        size.to_array()
            .map(|side| if side > 0.0 { BINS as f32 / side } else { 0.0 }),
    );
    let bin_of = |item: &Item, axis: usize| -> usize {
        (((item.bounds.centre()[axis] - centres.lower[axis]) * scale[axis]) as usize).min(BINS - 1)
    };
    let mut bins = [[(Aabb::EMPTY, 0_usize); BINS]; 3];
    for item in items.iter() {
        for (axis, axis_bins) in bins.iter_mut().enumerate() {
            let bin = &mut axis_bins[bin_of(item, axis)];
            bin.0 = bin.0.union(item.bounds);
            bin.1 += 1;
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for (axis, axis_bins) in bins
        .iter()
        .enumerate()
        .filter(|(axis, _)| size[*axis] > 0.0)
    {
        let mut right_cost = [0.0; BINS];
        let (mut bounds, mut count) = (Aabb::EMPTY, 0);
        for plane in (1..BINS).rev() {
            bounds = bounds.union(axis_bins[plane].0);
            count += axis_bins[plane].1;
            right_cost[plane] = half_area(&bounds) * leaf_tests(count);
        }
        (bounds, count) = (Aabb::EMPTY, 0);
        for plane in 1..BINS {
            bounds = bounds.union(axis_bins[plane - 1].0);
            count += axis_bins[plane - 1].1;
            let cost = half_area(&bounds) * leaf_tests(count) + right_cost[plane];
            if count > 0 && count < items.len() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, plane));
            }
        }
    }
    let (_, axis, plane) = best?;
    Some(partition(items, |item| bin_of(item, axis) < plane))
}

/// Leaf tests needed for `count` primitives, which are tested four at a time.
fn leaf_tests(count: usize) -> f32 {
    count.div_ceil(WIDTH) as f32
}

/// Moves the items that satisfy `belongs_left` to the front and returns their number.
fn partition(items: &mut [Item], belongs_left: impl Fn(&Item) -> bool) -> usize {
    let mut next = 0;
    for index in 0..items.len() {
        if belongs_left(&items[index]) {
            items.swap(next, index);
            next += 1;
        }
    }
    next
}

/// Folds the binary tree into four-wide nodes; also returns the depth.
fn fold(root: &Binary) -> (Bvh, Vec<[u32; WIDTH]>, usize) {
    let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
    let depth = match root {
        // A lone leaf still needs a node to hang from.
        Binary::Leaf { .. } => {
            nodes.push(Node::EMPTY);
            attach(root, 0, 0, &mut nodes, &mut leaves)
        }
        Binary::Inner { .. } => append(root, &mut nodes, &mut leaves).1,
    };
    (Bvh { nodes }, leaves, depth)
}

/// Appends the node for the inner `tree`; returns its index and depth.
fn append(tree: &Binary, nodes: &mut Vec<Node>, leaves: &mut Vec<[u32; WIDTH]>) -> (u32, usize) {
    let mut children: Vec<&Binary> = vec![tree];
    // Open the largest inner child until four are found: rays most likely enter that one.
    while children.len() < WIDTH {
        let largest = (0..children.len())
            .filter(|&index| matches!(children[index], Binary::Inner { .. }))
            .max_by(|&a, &b| {
                half_area(children[a].bounds()).total_cmp(&half_area(children[b].bounds()))
            });
        let Some(largest) = largest else { break };
        if let Binary::Inner { children: pair, .. } = children.swap_remove(largest) {
            children.extend(pair.iter());
        }
    }
    let index = nodes.len();
    nodes.push(Node::EMPTY);
    let mut depth = 0;
    for (lane, child) in children.into_iter().enumerate() {
        depth = depth.max(attach(child, index, lane, nodes, leaves));
    }
    (index as u32, depth + 1)
}

/// Hangs `child` into a lane of node `parent`; returns the depth below.
fn attach(
    child: &Binary,
    parent: usize,
    lane: usize,
    nodes: &mut Vec<Node>,
    leaves: &mut Vec<[u32; WIDTH]>,
) -> usize {
    let (link, depth) = match child {
        Binary::Leaf { items, .. } => {
            leaves.push(*items);
            (LEAF | (leaves.len() - 1) as u32, 0)
        }
        Binary::Inner { .. } => append(child, nodes, leaves),
    };
    let bounds = child.bounds();
    let node = &mut nodes[parent];
    node.links[lane] = link;
    for axis in 0..3 {
        for (plane, corner) in [bounds.lower, bounds.upper].into_iter().enumerate() {
            let lanes: &mut Vec4 = &mut node.planes[plane][axis];
            lanes[lane] = corner[axis];
        }
    }
    depth
}
