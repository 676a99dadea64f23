//! Moments of what a closed mesh encloses.

use glam::{DMat3, DVec3};

use super::{Moments, outer};
use crate::TriangleMesh;

impl TriangleMesh {
    /// Volume and moments of what the mesh encloses, by the divergence theorem; meaningful for closed meshes.
    pub(crate) fn moments(&self) -> Moments {
        // About the middle of the mesh: far from the origin, differences of large numbers would be left.
        let middle = self.bounds().centre().as_dvec3();
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for index in 0..self.triangles.len() {
            let [a, b, c] = self.corners(index).map(|corner| corner.as_dvec3() - middle);
            let part = a.dot(b.cross(c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += part * 0.25 * sum;
            let squares = outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum);
            second += squares * (part / 20.0);
        }
        let centre = first / volume;
        Moments {
            volume,
            centre: middle + centre,
            second: second - outer(centre, centre) * volume,
        }
    }
}
