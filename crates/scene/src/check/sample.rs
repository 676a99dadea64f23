//! Measuring shapes by sampling them: rough, quick, and the same for every kind of shape.

use glam::Vec3;
use ooze_geometry::{Aabb, Shape};

/// Points in the middle of equal boxes that fill a region.
pub(crate) struct Samples {
    lower: Vec3,
    spacing: Vec3,
    counts: [u32; 3],
}

impl Samples {
    /// At most `most` points along each side of the region, no closer than `closest`; one layer in the plane z = 0 if flat.
    pub(crate) fn new(region: Aabb, most: u32, closest: f32, flat: bool) -> Self {
        let extent = region.extent();
        let mut counts = [0; 3];
        let mut spacing = Vec3::ZERO;
        let mut lower = region.lower;
        for axis in 0..3 {
            let wished = (extent[axis] / closest).ceil().clamp(1.0, most as f32);
            counts[axis] = wished as u32;
            spacing[axis] = extent[axis] / wished;
        }
        if flat {
            counts[2] = 1;
            lower.z = -0.5 * spacing.z;
        }
        if region.is_empty() || !region.is_finite() {
            counts = [0; 3];
        }
        Self {
            lower,
            spacing,
            counts,
        }
    }

    /// Volume that each point stands for; area, if the region is flat.
    pub(crate) fn cell_volume(&self, flat: bool) -> f64 {
        let area = f64::from(self.spacing.x) * f64::from(self.spacing.y);
        if flat {
            area
        } else {
            area * f64::from(self.spacing.z)
        }
    }

    /// Longest distance between neighbours.
    pub(crate) fn spacing(&self) -> f32 {
        self.spacing.max_element()
    }

    /// The points.
    pub(crate) fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let [nx, ny, nz] = self.counts;
        (0..nz).flat_map(move |z| {
            (0..ny).flat_map(move |y| {
                (0..nx).map(move |x| {
                    let index = Vec3::new(x as f32, y as f32, z as f32);
                    self.lower + (index + 0.5) * self.spacing
                })
            })
        })
    }
}

/// Two surfaces are the sides of a wall if their normals are opposite to within some 25 degrees (the cosine). At sharp
/// edges and tips, which are thin without being walls, they are not.
const OPPOSITE: f32 = -0.9;

/// Thickness of the wall behind the surface point nearest to `point`, measured along the normal; none if there is no
/// surface within `reach`, or no far side within `longest`.
pub(crate) fn thickness(shape: &Shape, point: Vec3, reach: f32, longest: f32) -> Option<f32> {
    let distance = shape.distance(point);
    if distance.abs() > reach {
        return None;
    }
    let normal = shape.gradient(point);
    let surface = point - distance * normal;
    let skin = 0.02 * longest;
    if shape.distance(surface).abs() > skin {
        return None;
    }
    // Sphere tracing through the solid: distances bound from below how far it is to the far side.
    let mut depth = skin;
    for _ in 0..64 {
        let inside = -shape.distance(surface - depth * normal);
        if inside <= 0.0 {
            let far_side = shape.gradient(surface - depth * normal);
            return (normal.dot(far_side) < OPPOSITE).then_some(depth);
        }
        depth += inside.max(0.5 * skin);
        if depth > longest {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_s_volume_is_found_to_a_percent() {
        let ball = Shape::sphere(Vec3::ZERO, 1.0).unwrap();
        let samples = Samples::new(ball.bounds(), 48, 1e-3, false);
        let inside = samples
            .points()
            .filter(|&point| ball.contains(point))
            .count();
        let volume = inside as f64 * samples.cell_volume(false);
        assert!((volume / 4.18879 - 1.0).abs() < 0.01, "{volume}");
    }

    #[test]
    fn a_flat_region_is_sampled_in_its_plane() {
        let region = Aabb::new(Vec3::new(0.0, 0.0, -5.0), Vec3::new(2.0, 1.0, 7.0));
        let samples = Samples::new(region, 10, 1e-3, true);
        assert_eq!(samples.points().count(), 100);
        assert!(samples.points().all(|point| point.z.abs() < 1e-6));
        assert!((samples.cell_volume(true) * 100.0 - 2.0).abs() < 1e-5);
    }

    #[test]
    fn nothing_is_sampled_in_an_empty_region() {
        assert_eq!(
            Samples::new(Aabb::EMPTY, 10, 0.1, false).points().count(),
            0
        );
        assert_eq!(
            Samples::new(Aabb::EVERYTHING, 10, 0.1, false)
                .points()
                .count(),
            0
        );
    }

    #[test]
    fn a_shell_s_wall_is_measured_and_a_ball_s_is_not() {
        let ball = Shape::sphere(Vec3::ZERO, 1.0).unwrap();
        let shell = ball
            .clone()
            .shell(0.05, ooze_geometry::ShellSide::Inside)
            .unwrap();
        let point = Vec3::new(0.9, 0.3, 0.1);
        let wall = thickness(&shell, point, 0.2, 0.5).unwrap();
        assert!((wall - 0.05).abs() < 0.012, "{wall}");
        assert_eq!(thickness(&ball, point, 0.2, 0.5), None);
    }

    #[test]
    fn a_sharp_edge_is_no_wall() {
        let cone = Shape::cone(Vec3::ZERO, Vec3::Y, 0.5, 0.0).unwrap();
        for point in [Vec3::new(0.02, 0.95, 0.0), Vec3::new(0.49, 0.01, 0.0)] {
            assert_eq!(thickness(&cone, point, 0.1, 0.2), None, "{point}");
        }
    }
}
