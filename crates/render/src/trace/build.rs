//! Building a four-wide bounding volume hierarchy: two levels of a binary tree folded into one (Wald et al. 2008).

use glam::Vec4;
use ooze_geometry::{Aabb, BoxTree, BoxTreeSettings};

use super::bvh::{Bvh, LEAF, NONE, Node, STACK};

/// Primitives in a leaf; they are tested together, so fewer cost the same.
pub(crate) const WIDTH: usize = BoxTree::LEAF;

const TREE: BoxTreeSettings = BoxTreeSettings {
    all_axes: true,
    together: WIDTH,
    balanced_depth: 24,
};

/// A hierarchy over boxes, and the boxes' indices in each leaf (`NONE` where a leaf has fewer than four).
pub(crate) fn build(boxes: &[Aabb]) -> (Bvh, Vec<[u32; WIDTH]>) {
    if boxes.is_empty() {
        return (Bvh::default(), Vec::new());
    }
    let folded = |balanced_depth: usize| {
        let settings = BoxTreeSettings {
            balanced_depth,
            ..TREE
        };
        Folding::of(&BoxTree::new(boxes.iter().copied(), &settings))
    };
    let (mut folding, depth) = folded(TREE.balanced_depth);
    if depth * (WIDTH - 1) >= STACK {
        // Only reached by adversarial input: halving by count alone bounds the depth by the logarithm of the size.
        folding = folded(0).0;
    }
    let nodes = folding.nodes;
    (Bvh { nodes }, folding.leaves)
}

/// The wide nodes of a binary tree, as far as it is folded.
#[derive(Default)]
struct Folding {
    nodes: Vec<Node>,
    leaves: Vec<[u32; WIDTH]>,
}

impl Folding {
    /// Folds the binary tree into four-wide nodes; also returns the depth.
    fn of(tree: &BoxTree) -> (Self, usize) {
        let mut folding = Self::default();
        let depth = if tree.children(0).is_some() {
            folding.append(tree, 0).1
        } else {
            // A lone leaf still needs a node to hang from.
            folding.nodes.push(Node::EMPTY);
            folding.attach(tree, 0, 0, 0)
        };
        (folding, depth)
    }

    /// Appends the wide node for an inner one; returns its index and depth.
    fn append(&mut self, tree: &BoxTree, inner: usize) -> (u32, usize) {
        let area = |node: usize| tree.nodes[node].bounds.half_area();
        let mut children = vec![inner];
        // Open the largest inner child until four are found: rays most likely enter that one.
        while children.len() < WIDTH {
            let largest = (0..children.len())
                .filter_map(|index| Some((index, tree.children(children[index])?)))
                .max_by(|&(a, _), &(b, _)| area(children[a]).total_cmp(&area(children[b])));
            let Some((largest, pair)) = largest else {
                break;
            };
            children.swap_remove(largest);
            children.extend(pair);
        }
        let index = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let mut depth = 0;
        for (lane, child) in children.into_iter().enumerate() {
            depth = depth.max(self.attach(tree, child, index, lane));
        }
        (index as u32, depth + 1)
    }

    /// Hangs `child` into a lane of the wide node `parent`; returns the depth below.
    fn attach(&mut self, tree: &BoxTree, child: usize, parent: usize, lane: usize) -> usize {
        let (link, depth) = if tree.children(child).is_some() {
            self.append(tree, child)
        } else {
            let mut leaf = [NONE; WIDTH];
            for (slot, &item) in leaf.iter_mut().zip(tree.items(child)) {
                *slot = item;
            }
            self.leaves.push(leaf);
            (LEAF | (self.leaves.len() - 1) as u32, 0)
        };
        let bounds = tree.nodes[child].bounds;
        let node = &mut self.nodes[parent];
        node.links[lane] = link;
        for axis in 0..3 {
            for (plane, corner) in [bounds.lower, bounds.upper].into_iter().enumerate() {
                let lanes: &mut Vec4 = &mut node.planes[plane][axis];
                lanes[lane] = corner[axis];
            }
        }
        depth
    }
}
