//! A binary tree of boxes over boxes, from which hierarchies for distances and for rays are made.
//!
//! Built from the top by the surface area heuristic over bins (Wald 2007, "On fast Construction of SAH-based Bounding Volume
//! Hierarchies"). Subtrees are built in parallel and joined in a fixed order: the tree does not depend on the number of
//! threads.

use std::ops::Range;

use glam::Vec3;

use crate::Aabb;

const BINS: usize = 16;
/// Larger subtrees are built by two threads.
const PARALLEL_ITEMS: usize = 4096;

/// How a tree is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxTreeSettings {
    /// Whether splits are sought along all axes, or only along the one on which the centres lie furthest apart.
    pub all_axes: bool,
    /// Items that are looked at together, at the cost of one.
    pub together: usize,
    /// From this depth on items are halved by count, which bounds the depth of the whole tree.
    pub balanced_depth: usize,
}

/// A box around the items `first..first + count` of a tree's order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxNode {
    /// The box.
    pub bounds: Aabb,
    /// The first item.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// The second child; the first child is the next node. Zero for leaves.
    pub second_child: u32,
}

/// A tree of boxes over items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxTree {
    /// Parents before children, the root first.
    pub nodes: Vec<BoxNode>,
    /// The items, in the order of the leaves.
    pub order: Vec<u32>,
}

/// An item while the tree is built.
#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    centre: Vec3,
    index: u32,
}

impl BoxTree {
    /// At most this many items share a leaf.
    pub const LEAF: usize = 4;

    /// The tree over the boxes of some items; empty for none.
    pub fn new(boxes: impl IntoIterator<Item = Aabb>, settings: &BoxTreeSettings) -> Self {
        let mut items: Vec<Item> = boxes
            .into_iter()
            .zip(0..)
            .map(|(bounds, index)| Item {
                bounds,
                centre: bounds.centre(),
                index,
            })
            .collect();
        if items.is_empty() {
            return Self::default();
        }
        let nodes = build(&mut items, 0, 0, settings);
        Self {
            nodes,
            order: items.iter().map(|item| item.index).collect(),
        }
    }

    /// The children of a node; none for leaves.
    pub fn children(&self, node: usize) -> Option<[usize; 2]> {
        let second = self.nodes[node].second_child as usize;
        (second != 0).then_some([node + 1, second])
    }

    /// The items of a node.
    pub fn items(&self, node: usize) -> &[u32] {
        &self.order[self.nodes[node].range()]
    }
}

impl BoxNode {
    /// Where its items are in the tree's order.
    pub fn range(&self) -> Range<usize> {
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

/// The nodes of a subtree, whose first item is number `first` of the whole tree; orders `items` as the tree does.
fn build(items: &mut [Item], first: u32, depth: usize, settings: &BoxTreeSettings) -> Vec<BoxNode> {
    let mut nodes = Vec::new();
    if items.len() <= PARALLEL_ITEMS {
        push_subtree(items, first, depth, settings, &mut nodes);
        return nodes;
    }
    nodes.push(BoxNode::around(items, first));
    let middle = split(items, depth, settings);
    let (left, right) = items.split_at_mut(middle);
    let (left, right) = rayon::join(
        || build(left, first, depth + 1, settings),
        || build(right, first + middle as u32, depth + 1, settings),
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
fn push_subtree(
    items: &mut [Item],
    first: u32,
    depth: usize,
    settings: &BoxTreeSettings,
    nodes: &mut Vec<BoxNode>,
) {
    let place = nodes.len();
    nodes.push(BoxNode::around(items, first));
    if items.len() <= BoxTree::LEAF {
        return;
    }
    let middle = split(items, depth, settings);
    let (left, right) = items.split_at_mut(middle);
    push_subtree(left, first, depth + 1, settings, nodes);
    nodes[place].second_child = nodes.len() as u32;
    push_subtree(right, first + middle as u32, depth + 1, settings, nodes);
}

/// Orders `items` so that the two sides of the returned position make good subtrees; neither is empty.
fn split(items: &mut [Item], depth: usize, settings: &BoxTreeSettings) -> usize {
    let centres = Aabb::from_points(items.iter().map(|item| item.centre));
    let extent = centres.extent();
    let longest = extent.max_position();
    if depth < settings.balanced_depth && extent[longest] > 0.0 {
        let bin_of = |item: &Item, axis: usize| {
            let share = (item.centre[axis] - centres.lower[axis]) / extent[axis];
            ((share * BINS as f32) as usize).min(BINS - 1)
        };
        let mut best = (f32::INFINITY, longest, BINS / 2);
        for axis in 0..3 {
            if axis == longest || settings.all_axes && extent[axis] > 0.0 {
                let bins = Bins::new(items, |item| bin_of(item, axis));
                let (cost, border) = bins.best_border(settings.together);
                if cost < best.0 {
                    best = (cost, axis, border);
                }
            }
        }
        let (_, axis, border) = best;
        let middle = partition(items, |item| bin_of(item, axis) < border);
        if middle > 0 && middle < items.len() {
            return middle;
        }
    }
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |one, other| {
        let order = one.centre[longest].total_cmp(&other.centre[longest]);
        order.then(one.index.cmp(&other.index))
    });
    middle
}

/// Box and count of the items in each bin.
struct Bins([(Aabb, usize); BINS]);

impl Bins {
    fn new(items: &[Item], bin_of: impl Fn(&Item) -> usize) -> Self {
        let mut bins = [(Aabb::EMPTY, 0); BINS];
        for item in items {
            let bin = &mut bins[bin_of(item)];
            *bin = (bin.0.union(item.bounds), bin.1 + 1);
        }
        Self(bins)
    }

    /// The least sum of area times tests, and the bin from which on items go to the second child for it.
    fn best_border(&self, together: usize) -> (f32, usize) {
        let cost =
            |(bounds, count): (Aabb, usize)| bounds.half_area() * count.div_ceil(together) as f32;
        let add = |sum: (Aabb, usize), bin: (Aabb, usize)| (sum.0.union(bin.0), sum.1 + bin.1);
        let nothing = (Aabb::EMPTY, 0);
        let mut upper = [nothing; BINS + 1];
        for border in (1..BINS).rev() {
            upper[border] = add(upper[border + 1], self.0[border]);
        }
        let mut best = (f32::INFINITY, BINS / 2);
        let mut lower = nothing;
        for border in 1..BINS {
            lower = add(lower, self.0[border - 1]);
            let total = cost(lower) + cost(upper[border]);
            if lower.1 > 0 && upper[border].1 > 0 && total < best.0 {
                best = (total, border);
            }
        }
        best
    }
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

    const SETTINGS: [BoxTreeSettings; 2] = [
        BoxTreeSettings {
            all_axes: false,
            together: 1,
            balanced_depth: 40,
        },
        BoxTreeSettings {
            all_axes: true,
            together: 4,
            balanced_depth: 24,
        },
    ];

    /// Small boxes on a winding line.
    fn boxes() -> Vec<Aabb> {
        let place = |index: i32| {
            let angle = 0.01 * index as f32;
            Vec3::new(angle.sin(), (1.7 * angle).cos(), 0.1 * angle)
        };
        (0..10_000)
            .map(|index| Aabb::from_centre(place(index), Vec3::splat(0.01)))
            .collect()
    }

    #[test]
    fn every_item_is_in_one_leaf_inside_all_boxes_above() {
        for settings in SETTINGS {
            let boxes = boxes();
            let tree = BoxTree::new(boxes.iter().copied(), &settings);
            let mut covered = 0;
            for (index, node) in tree.nodes.iter().enumerate() {
                for &item in tree.items(index) {
                    assert_eq!(node.bounds.union(boxes[item as usize]), node.bounds);
                }
                if let Some(children) = tree.children(index) {
                    let [left, right] = children.map(|child| tree.nodes[child]);
                    assert_eq!(left.first, node.first);
                    assert_eq!(right.first, node.first + left.count);
                    assert_eq!(left.count + right.count, node.count);
                } else {
                    assert!(node.count as usize <= BoxTree::LEAF);
                    assert_eq!(node.first, covered);
                    covered += node.count;
                }
            }
            assert_eq!(covered as usize, boxes.len());
            let mut order = tree.order;
            order.sort_unstable();
            assert!(order.into_iter().eq(0..boxes.len() as u32));
        }
    }

    #[test]
    fn the_tree_is_the_same_on_any_number_of_threads() {
        for settings in SETTINGS {
            let trees = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.unwrap().install(|| BoxTree::new(boxes(), &settings))
            });
            assert_eq!(trees[0], trees[1]);
        }
    }

    #[test]
    fn items_in_one_place_and_none_make_trees() {
        for settings in SETTINGS {
            let here = Aabb::new(Vec3::ZERO, Vec3::ONE);
            let tree = BoxTree::new([here; 100], &settings);
            assert_eq!(tree.order.len(), 100);
            assert!(BoxTree::new([], &settings).nodes.is_empty());
        }
    }
}
