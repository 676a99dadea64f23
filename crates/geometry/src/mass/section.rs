//! Moments of the slab that a plane across the z axis cuts out of a solid: what a flat scene has of it.

use glam::{DMat3, DVec3, Vec3};

use super::Moments;
use crate::{Aabb, Pose, Shape};

/// Levels of the quadtree: squares along the perimeter are 1/4096 of the size, their error of the second order.
const LEVELS: u32 = 12;

/// Moments, in the world, of a slab whose section is that of the placed shape at a height, across its whole thickness.
pub(crate) fn section(shape: &Shape, pose: &Pose, height: f64, thickness: f64) -> Moments {
    let bounds = shape.bounds();
    if bounds.is_empty() || !bounds.is_finite() {
        return Moments::default();
    }
    let corners = (0..8).map(|corner| {
        let pick = |axis: usize| match corner >> axis & 1 {
            0 => bounds.lower[axis],
            _ => bounds.upper[axis],
        };
        pose.to_world(Vec3::new(pick(0), pick(1), pick(2)))
    });
    let bounds = Aabb::from_points(corners);
    let half = 0.5 * f64::from(bounds.extent().truncate().max_element());
    let centre = bounds.centre().as_dvec3().with_z(height);
    let mut sums = Sums::default();
    let plane = Plane {
        shape,
        pose,
        centre,
    };
    plane.visit([0.0; 2], half, LEVELS, &mut sums);
    if sums.area <= 0.0 {
        return Moments::default();
    }
    let mean = sums.first / sums.area;
    let [xx, yy, xy] = sums.second;
    let second = DMat3::from_cols(
        DVec3::new(
            xx - sums.area * mean.x * mean.x,
            xy - sums.area * mean.x * mean.y,
            0.0,
        ),
        DVec3::new(
            xy - sums.area * mean.x * mean.y,
            yy - sums.area * mean.y * mean.y,
            0.0,
        ),
        DVec3::new(0.0, 0.0, sums.area * thickness * thickness / 12.0),
    );
    Moments {
        volume: sums.area * thickness,
        centre: centre + mean,
        second: second * thickness,
    }
}

#[derive(Default)]
struct Sums {
    area: f64,
    first: DVec3,
    /// Of xx, yy, xy.
    second: [f64; 3],
}

struct Plane<'a> {
    shape: &'a Shape,
    pose: &'a Pose,
    centre: DVec3,
}

impl Plane<'_> {
    fn visit(&self, [x, y]: [f64; 2], half: f64, levels: u32, sums: &mut Sums) {
        let point = (self.centre + DVec3::new(x, y, 0.0)).as_vec3();
        let local = self.pose.to_local(point);
        let distance = f64::from(self.shape.distance(local) * self.pose.scale);
        let reach = 2.0_f64.sqrt() * half;
        if distance >= reach {
            return;
        }
        let full = distance <= -reach;
        if levels > 0 && !full {
            let quarter = 0.5 * half;
            for [right, up] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
                let at = [x + right * quarter, y + up * quarter];
                self.visit(at, quarter, levels - 1, sums);
            }
            return;
        }
        let share = match full {
            true => 1.0,
            false => {
                // The distance within the plane is longer than that to a surface which leans.
                let normal = self.pose.rotation * self.shape.gradient(local);
                let width = half * f64::from(normal.x.abs() + normal.y.abs()).max(1e-3);
                (0.5 - 0.5 * distance / width).clamp(0.0, 1.0)
            }
        };
        let area = share * 4.0 * half * half;
        let spread = half * half / 3.0;
        sums.area += area;
        sums.first += area * DVec3::new(x, y, 0.0);
        sums.second[0] += area * (x * x + spread);
        sums.second[1] += area * (y * y + spread);
        sums.second[2] += area * x * y;
    }
}
