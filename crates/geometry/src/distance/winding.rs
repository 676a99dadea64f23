//! Generalized winding numbers of triangle sets (Jacobson et al. 2013) by a tree of dipoles (Barill et al. 2018).
//!
//! The winding number is the sum of solid angles over 4π: one inside and zero outside of a closed surface, in between
//! near holes. Far subtrees are replaced by the first two terms of their Taylor expansion, the dipole of their summed
//! area vectors and its first moment; near triangles are summed exactly.

use std::f64::consts::PI;

use glam::{DVec3, Vec3, Vec3Swizzles};
use rayon::prelude::*;

use super::{
    bvh::{Bvh, STACK},
    triangle::{double_area_vector, solid_angle},
};

use crate::BoxNode;

/// A subtree is far when it is this many of its radii away (β of Barill et al. 2018, who use 2; a little more halves the
/// error).
const FAR: f32 = 2.5;

/// Nodes are summarised by several threads in chunks of this many.
const CHUNK: usize = 512;

/// A subtree seen from far away.
#[derive(Clone, Copy, Debug)]
struct Dipole {
    /// The mean of its triangles' centres, weighted by area.
    centre: Vec3,
    /// All corners are within this distance of the centre, and a far point is beyond [`FAR`] times it.
    radius: f32,
    /// The sum of the area vectors.
    area: Vec3,
    /// The symmetric part of Σ (cₜ - c) ⊗ aₜ over centres cₜ and area vectors aₜ: xx, yy, zz.
    moment_diagonal: Vec3,
    /// The same: yz, zx, xy, each counted twice.
    moment_rest: Vec3,
}

/// The winding number of the triangles of a tree.
#[derive(Clone, Debug)]
pub(super) struct WindingTree {
    dipoles: Vec<Dipole>,
}

impl WindingTree {
    pub(super) fn new(tree: &Bvh) -> Self {
        let summarise = |node: &BoxNode| Dipole::new(&tree.triangles[node.range()]);
        let dipoles = tree
            .nodes
            .par_iter()
            .with_min_len(CHUNK)
            .map(summarise)
            .collect();
        Self { dipoles }
    }

    /// How often the surface winds around `point`. `tree` is the one that `self` was built from.
    pub(super) fn winding_number(&self, tree: &Bvh, point: DVec3) -> f64 {
        let near_point = point.as_vec3();
        let mut solid = 0.0;
        let mut stack = [0_u32; STACK];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let index = stack[waiting];
            let dipole = &self.dipoles[index as usize];
            let offset = dipole.centre - near_point;
            if offset.length_squared() > (FAR * dipole.radius) * (FAR * dipole.radius) {
                solid += f64::from(dipole.solid_angle(offset));
                continue;
            }
            let node = &tree.nodes[index as usize];
            if node.second_child == 0 {
                solid += tree.triangles[node.range()]
                    .iter()
                    .map(|corners| solid_angle(point, corners))
                    .sum::<f64>();
            } else {
                stack[waiting] = node.second_child;
                stack[waiting + 1] = index + 1;
                waiting += 2;
            }
        }
        solid / (4.0 * PI)
    }
}

impl Dipole {
    fn new(triangles: &[[Vec3; 3]]) -> Self {
        let area_vector = |corners: &[Vec3; 3]| double_area_vector(corners) / 2.0;
        let triangle_centre = |corners: &[Vec3; 3]| {
            corners
                .iter()
                .map(|corner| corner.as_dvec3())
                .sum::<DVec3>()
                / 3.0
        };

        let (mut weighted, mut weights, mut plain, mut area) =
            (DVec3::ZERO, 0.0, DVec3::ZERO, DVec3::ZERO);
        for corners in triangles {
            let (vector, centre) = (area_vector(corners), triangle_centre(corners));
            weighted += vector.length() * centre;
            weights += vector.length();
            plain += centre;
            area += vector;
        }
        // Triangles without area still have a place.
        let centre = if weights > 0.0 {
            weighted / weights
        } else {
            plain / triangles.len() as f64
        };

        let (mut diagonal, mut rest, mut radius_squared) = (DVec3::ZERO, DVec3::ZERO, 0.0_f64);
        for corners in triangles {
            let (vector, offset) = (area_vector(corners), triangle_centre(corners) - centre);
            diagonal += offset * vector;
            rest += offset.yzx() * vector.zxy() + offset.zxy() * vector.yzx();
            for corner in corners {
                radius_squared = radius_squared.max(corner.as_dvec3().distance_squared(centre));
            }
        }
        Self {
            centre: centre.as_vec3(),
            radius: radius_squared.sqrt() as f32,
            area: area.as_vec3(),
            moment_diagonal: diagonal.as_vec3(),
            moment_rest: rest.as_vec3(),
        }
    }

    /// The solid angle, seen from a point that is `offset` before the centre.
    #[inline]
    fn solid_angle(&self, offset: Vec3) -> f32 {
        let inverse_squared = 1.0 / offset.length_squared();
        let inverse_cubed = inverse_squared * inverse_squared.sqrt();
        let first = self.area.dot(offset);
        let trace = self.moment_diagonal.element_sum();
        let quadratic = self.moment_diagonal.dot(offset * offset)
            + self.moment_rest.dot(offset.yzx() * offset.zxy());
        (first + trace - 3.0 * quadratic * inverse_squared) * inverse_cubed
    }
}

/// The winding number without a tree.
#[cfg(test)]
pub(super) fn naive_winding_number(triangles: &[[Vec3; 3]], point: DVec3) -> f64 {
    triangles
        .iter()
        .map(|corners| solid_angle(point, corners))
        .sum::<f64>()
        / (4.0 * PI)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TriangleMesh, generate};

    fn corners(mesh: &TriangleMesh) -> Vec<[Vec3; 3]> {
        (0..mesh.triangles.len())
            .map(|index| mesh.corners(index))
            .collect()
    }

    fn points() -> impl Iterator<Item = DVec3> {
        (0..800).map(|step| {
            let angle = f64::from(step) * 0.61;
            DVec3::new(angle.sin(), (1.3 * angle).sin(), (0.37 * angle).cos()) * 1.4
        })
    }

    #[test]
    fn tree_equals_the_naive_sum_closed_or_open() {
        let sphere = corners(&generate::icosphere(Vec3::ZERO, 1.0, 4));
        let torus = corners(&generate::torus(Vec3::ZERO, 0.9, 0.3, 60, 30));
        let half: Vec<_> = sphere
            .iter()
            .filter(|corners| corners[0].y < 0.2)
            .copied()
            .collect();
        for triangles in [sphere, torus, half] {
            let tree = Bvh::new(&triangles);
            let winding = WindingTree::new(&tree);
            let mut largest: f64 = 0.0;
            for point in points() {
                let fast = winding.winding_number(&tree, point);
                let naive = naive_winding_number(&triangles, point);
                largest = largest.max((fast - naive).abs());
            }
            assert!(largest < 0.05, "error {largest}");
        }
    }

    #[test]
    fn closed_surfaces_wind_once_inside_and_never_outside() {
        let triangles = corners(&generate::icosphere(Vec3::ZERO, 1.0, 3));
        for point in points() {
            // The icosphere lies between the radii 0.98 and 1.
            let expected = match point.length() {
                radius if radius < 0.98 => 1.0,
                radius if radius > 1.0 => 0.0,
                _ => continue,
            };
            assert!((naive_winding_number(&triangles, point) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_single_far_triangle_is_a_dipole_with_its_moment() {
        let corners = [
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::new(0.0, 0.2, 0.1),
            Vec3::new(0.0, 0.0, 0.3),
        ];
        let dipole = Dipole::new(&[corners, [corners[2], corners[1], Vec3::ONE * 0.2]]);
        // The error of two terms falls with the fourth power of the distance.
        let errors = [4.0_f32, 8.0].map(|distance| {
            let point = Vec3::new(0.6, -0.64, 0.48) * distance;
            let exact = solid_angle(point.as_dvec3(), &corners)
                + solid_angle(point.as_dvec3(), &[corners[2], corners[1], Vec3::ONE * 0.2]);
            (f64::from(dipole.solid_angle(dipole.centre - point)) - exact).abs()
        });
        assert!(
            (10.0..24.0).contains(&(errors[0] / errors[1])),
            "{errors:?}"
        );
    }
}
