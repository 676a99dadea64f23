//! Small vector tools shared by the whole renderer.

use glam::{Vec3, vec3};
use std::f32::consts::PI;

pub(crate) use ooze_staging::luminance;

/// Componentwise exponential.
#[inline]
pub(crate) fn exponential(value: Vec3) -> Vec3 {
    vec3(value.x.exp(), value.y.exp(), value.z.exp())
}

/// A right-handed frame around a unit normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    pub(crate) tangent: Vec3,
    pub(crate) bitangent: Vec3,
    pub(crate) normal: Vec3,
}

impl Basis {
    /// The branchless frame of Duff et al. 2017, "Building an Orthonormal Basis, Revisited".
    #[inline]
    pub(crate) fn around(normal: Vec3) -> Self {
        let sign = 1.0_f32.copysign(normal.z);
        let a = -1.0 / (sign + normal.z);
        let b = normal.x * normal.y * a;
        Self {
            tangent: vec3(
                1.0 + sign * normal.x * normal.x * a,
                sign * b,
                -sign * normal.x,
            ),
            bitangent: vec3(b, sign + normal.y * normal.y * a, -normal.y),
            normal,
        }
    }

    /// From this frame to world space.
    #[inline]
    pub(crate) fn to_world(self, local: Vec3) -> Vec3 {
        self.tangent * local.x + self.bitangent * local.y + self.normal * local.z
    }

    /// From world space to this frame.
    #[inline]
    pub(crate) fn to_local(self, world: Vec3) -> Vec3 {
        vec3(
            world.dot(self.tangent),
            world.dot(self.bitangent),
            world.dot(self.normal),
        )
    }
}

/// Moves a ray origin off the surface it lies on, to the side `normal` points to, by a few units in the last place:
/// Wächter and Binder 2019, "A Fast and Robust Method for Avoiding Self-Intersection" (Ray Tracing Gems, ch. 6).
#[inline]
pub(crate) fn offset_origin(point: Vec3, normal: Vec3) -> Vec3 {
    const NEAR_ZERO: f32 = 1.0 / 32.0;
    const FLOAT_SCALE: f32 = 1.0 / 65536.0;
    const INTEGER_SCALE: f32 = 256.0;
    let offset = |coordinate: f32, direction: f32| -> f32 {
        if coordinate.abs() < NEAR_ZERO {
            return coordinate + FLOAT_SCALE * direction;
        }
        let steps = (INTEGER_SCALE * direction) as i32;
        let steps = if coordinate < 0.0 { -steps } else { steps };
        f32::from_bits((coordinate.to_bits() as i32).wrapping_add(steps) as u32)
    };
    vec3(
        offset(point.x, normal.x),
        offset(point.y, normal.y),
        offset(point.z, normal.z),
    )
}

/// Maps the unit square to the unit disc, keeping areas: Shirley and Chiu 1997.
#[inline]
pub(crate) fn disc_point(square: [f32; 2]) -> [f32; 2] {
    let [x, y] = square.map(|value| 2.0 * value - 1.0);
    if x == 0.0 && y == 0.0 {
        return [0.0, 0.0];
    }
    let (radius, angle) = if x.abs() > y.abs() {
        (x, PI / 4.0 * (y / x))
    } else {
        (y, PI / 2.0 - PI / 4.0 * (x / y))
    };
    [radius * angle.cos(), radius * angle.sin()]
}

/// A cosine-distributed direction around +z (density cos θ / π).
#[inline]
pub(crate) fn cosine_direction(square: [f32; 2]) -> Vec3 {
    let [x, y] = disc_point(square);
    vec3(x, y, (1.0 - x * x - y * y).max(0.0).sqrt())
}

/// A uniformly distributed direction.
#[inline]
pub(crate) fn sphere_direction(square: [f32; 2]) -> Vec3 {
    let z = 1.0 - 2.0 * square[0];
    let ring = (1.0 - z * z).max(0.0).sqrt();
    let angle = 2.0 * PI * square[1];
    vec3(ring * angle.cos(), ring * angle.sin(), z)
}

/// A value with a triangular density over [-1, 1].
#[inline]
pub(crate) fn tent(uniform: f32) -> f32 {
    if uniform < 0.5 {
        (2.0 * uniform).sqrt() - 1.0
    } else {
        1.0 - (2.0 - 2.0 * uniform).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basis_is_orthonormal_and_inverts() {
        for index in 0..200 {
            let normal = sphere_direction([
                (index as f32 + 0.5) / 200.0,
                (index as f32 * 0.618_034).fract(),
            ]);
            let basis = Basis::around(normal);
            assert!(basis.tangent.dot(basis.bitangent).abs() < 1e-6);
            assert!(basis.tangent.dot(normal).abs() < 1e-6);
            assert!((basis.tangent.cross(basis.bitangent) - normal).length() < 1e-5);
            let world = vec3(0.3, -0.7, 0.2);
            assert!((basis.to_world(basis.to_local(world)) - world).length() < 1e-6);
        }
    }

    #[test]
    fn cosine_directions_have_the_mean_of_their_density() {
        // The mean of cos θ under cos θ / π is 2/3.
        let count = 64;
        let mean: f64 = (0..count * count)
            .map(|i| {
                let square = [
                    ((i % count) as f32 + 0.5) / count as f32,
                    ((i / count) as f32 + 0.5) / count as f32,
                ];
                f64::from(cosine_direction(square).z)
            })
            .sum::<f64>()
            / f64::from(count * count);
        assert!((mean - 2.0 / 3.0).abs() < 2e-3, "{mean}");
    }

    #[test]
    fn tent_density_has_variance_one_sixth() {
        let count = 10_000;
        let variance: f64 = (0..count)
            .map(|i| f64::from(tent((i as f32 + 0.5) / count as f32)).powi(2))
            .sum::<f64>()
            / f64::from(count);
        assert!((variance - 1.0 / 6.0).abs() < 1e-4, "{variance}");
    }

    #[test]
    fn offset_moves_to_the_side_of_the_normal() {
        for point in [Vec3::ZERO, vec3(0.01, 3.0, -200.0), vec3(-1e4, 1e-9, 0.1)] {
            for normal in [Vec3::X, -Vec3::Y, vec3(0.6, -0.64, 0.48)] {
                let moved = offset_origin(point, normal);
                assert!((moved - point).dot(normal) > 0.0);
                assert!((moved - point).length() <= 1e-4 * point.length().max(1.0));
            }
        }
    }
}
