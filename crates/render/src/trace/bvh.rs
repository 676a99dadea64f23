//! A four-wide bounding volume hierarchy and its traversal, one ray against four boxes at a time.

use glam::Vec4;

use super::ray::RayFrame;

/// Marks a link to a leaf.
pub(crate) const LEAF: u32 = 1 << 31;
/// Marks an empty lane, of a node or of a leaf.
pub(crate) const NONE: u32 = u32::MAX;
/// Entries on the traversal stack; the builder keeps trees shallow enough.
pub(crate) const STACK: usize = 128;

/// Four boxes and what is inside each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Lower and upper planes, per axis, of four boxes.
    pub(crate) planes: [[Vec4; 3]; 2],
    /// Per box a node, a leaf (with the `LEAF` bit), or `NONE`.
    pub(crate) links: [u32; 4],
}

impl Node {
    /// Four empty lanes, whose inverted boxes no ray meets.
    pub(crate) const EMPTY: Self = Self {
        planes: [[Vec4::INFINITY; 3], [Vec4::NEG_INFINITY; 3]],
        links: [NONE; 4],
    };
}

/// The hierarchy; node 0 is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh {
    pub(crate) nodes: Vec<Node>,
}

impl Bvh {
    /// Calls `visit` with every leaf whose box the ray meets before `limit`, roughly from near to far. `visit` receives
    /// the current limit and returns the new one; a limit of 0 or less ends the traversal.
    #[inline(always)]
    pub(crate) fn traverse(
        &self,
        ray: &RayFrame,
        mut limit: f32,
        mut visit: impl FnMut(usize, f32) -> f32,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        // Rounding can make a ray miss a box that it grazes: widen the far distance (Ize 2013).
        const FAR_SLACK: f32 = 1.000_000_5;
        let mut stack = [(0_u32, 0.0_f32); STACK];
        let mut height = 0;
        let mut link = 0_u32;
        loop {
            if link & LEAF == 0 {
                let node = &self.nodes[link as usize];
                let mut near = Vec4::ZERO;
                let mut far = Vec4::splat(limit);
                for axis in 0..3 {
                    let far_plane = ray.far_plane[axis];
                    let enter =
                        (node.planes[1 - far_plane][axis] - ray.origin[axis]) * ray.inverse[axis];
                    let leave =
                        (node.planes[far_plane][axis] - ray.origin[axis]) * ray.inverse[axis];
                    near = near.max(enter);
                    far = far.min(leave * FAR_SLACK);
                }
                let mut hits = near.cmple(far).bitmask();
                if hits != 0 {
                    // Push the hit children so that the nearest ends on top: insertion into the stack's tail.
                    let base = height;
                    while hits != 0 {
                        let lane = hits.trailing_zeros() as usize;
                        hits &= hits - 1;
                        let entry = (node.links[lane], near[lane]);
                        let mut place = height;
                        while place > base && stack[place - 1].1 < entry.1 {
                            stack[place] = stack[place - 1];
                            place -= 1;
                        }
                        stack[place] = entry;
                        height += 1;
                    }
                }
            } else {
                limit = visit((link & !LEAF) as usize, limit);
                if limit <= 0.0 {
                    return;
                }
            }
            loop {
                if height == 0 {
                    return;
                }
                height -= 1;
                let (next, distance) = stack[height];
                if distance <= limit {
                    link = next;
                    break;
                }
            }
        }
    }

    /// Calls `visit` with every leaf that comes nearer to `point` than a squared distance, which `visit` may shrink.
    pub(crate) fn traverse_near(
        &self,
        point: [Vec4; 3],
        mut squared: f32,
        mut visit: impl FnMut(usize, f32) -> f32,
    ) {
        let mut stack: Vec<u32> = if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![0]
        };
        while let Some(link) = stack.pop() {
            if link & LEAF != 0 {
                squared = visit((link & !LEAF) as usize, squared);
                continue;
            }
            let node = &self.nodes[link as usize];
            let mut distance = Vec4::ZERO;
            for (axis, coordinate) in point.into_iter().enumerate() {
                let outside = (node.planes[0][axis] - coordinate)
                    .max(coordinate - node.planes[1][axis])
                    .max(Vec4::ZERO);
                distance += outside * outside;
            }
            for lane in 0..4 {
                if node.links[lane] != NONE && distance[lane] <= squared {
                    stack.push(node.links[lane]);
                }
            }
        }
    }
}
