//! The GGX (Trowbridge-Reitz) distribution of microfacets with height-correlated masking (Heitz 2014, JCGT 3(2)) and
//! visible normals sampled by spherical caps (Dupuy and Benyoub 2023).
//!
//! Directions are in the frame of the surface, normal along +z.

use glam::{Vec3, vec3};
use std::f32::consts::PI;

/// An isotropic microfacet surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facets {
    /// Slope parameter, the square of the user's roughness.
    pub(crate) alpha: f32,
}

impl Facets {
    /// Below this slope a surface is treated as a mirror.
    const MIRROR: f32 = 1e-3;

    pub(crate) fn new(roughness: f32) -> Self {
        Self {
            alpha: roughness * roughness,
        }
    }

    #[inline]
    pub(crate) fn is_mirror(&self) -> bool {
        self.alpha < Self::MIRROR
    }

    /// A facet normal visible from `outgoing`.
    #[inline]
    pub(crate) fn sample(&self, outgoing: Vec3, square: [f32; 2]) -> Vec3 {
        if self.is_mirror() {
            return Vec3::Z;
        }
        let stretched =
            vec3(self.alpha * outgoing.x, self.alpha * outgoing.y, outgoing.z).normalize();
        let angle = 2.0 * PI * square[0];
        let z = (1.0 - square[1]) * (1.0 + stretched.z) - stretched.z;
        let ring = (1.0 - z * z).max(0.0).sqrt();
        let half = vec3(ring * angle.cos(), ring * angle.sin(), z) + stretched;
        vec3(self.alpha * half.x, self.alpha * half.y, half.z.max(1e-6)).normalize()
    }

    /// Smith's Λ.
    #[inline]
    fn lambda(&self, direction: Vec3) -> f32 {
        let cosine_squared = (direction.z * direction.z).max(1e-12);
        let tangent_squared = (1.0 - cosine_squared).max(0.0) / cosine_squared;
        0.5 * ((1.0 + self.alpha * self.alpha * tangent_squared).sqrt() - 1.0)
    }

    /// Share of facets visible from `direction`.
    #[inline]
    pub(crate) fn visible(&self, direction: Vec3) -> f32 {
        1.0 / (1.0 + self.lambda(direction))
    }

    /// Share of the facets visible from `outgoing` that light from `incoming` reaches: G₂ / G₁, the weight of a sampled
    /// reflection before its Fresnel factor.
    #[inline]
    pub(crate) fn sampled_weight(&self, outgoing: Vec3, incoming: Vec3) -> f32 {
        if self.is_mirror() {
            return 1.0;
        }
        let outgoing = self.lambda(outgoing);
        (1.0 + outgoing) / (1.0 + outgoing + self.lambda(incoming))
    }

    #[inline]
    fn distribution(&self, normal: Vec3) -> f32 {
        let square = self.alpha * self.alpha;
        let denominator = normal.z * normal.z * (square - 1.0) + 1.0;
        square / (PI * denominator * denominator).max(1e-20)
    }

    /// For light from `incoming` reflected to `outgoing` by rough facets: the reflected share times the incident cosine,
    /// before its Fresnel factor, and the density with which sampling finds `incoming`. Zero for a mirror.
    #[inline]
    pub(crate) fn evaluate(&self, outgoing: Vec3, incoming: Vec3) -> (f32, f32) {
        if self.is_mirror() || incoming.z <= 0.0 || outgoing.z <= 0.0 {
            return (0.0, 0.0);
        }
        let normal = (outgoing + incoming).normalize();
        let density = self.distribution(normal) * self.visible(outgoing) / (4.0 * outgoing.z);
        (density * self.sampled_weight(outgoing, incoming), density)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sphere_direction;
    use crate::shade::reflect;

    fn grid(side: u32) -> impl Iterator<Item = [f32; 2]> {
        (0..side * side).map(move |i| {
            [
                ((i % side) as f32 + 0.5) / side as f32,
                ((i / side) as f32 + 0.5) / side as f32,
            ]
        })
    }

    #[test]
    fn visible_normals_are_normalised() {
        // Heitz 2014 eq. 14: the projected visible area of facets equals the cosine of the view direction.
        for alpha in [0.1_f32, 0.4, 0.9] {
            let facets = Facets { alpha };
            for cosine in [0.2_f32, 0.6, 1.0] {
                let outgoing = vec3((1.0 - cosine * cosine).sqrt(), 0.0, cosine);
                let area: f64 = grid(800)
                    .map(|square| {
                        // Uniform over the upper half: density 1 / 2π.
                        let normal = sphere_direction([square[0] * 0.5, square[1]]);
                        let value = facets.distribution(normal)
                            * facets.visible(outgoing)
                            * outgoing.dot(normal).max(0.0);
                        f64::from(value) * 2.0 * std::f64::consts::PI
                    })
                    .sum::<f64>()
                    / (800.0 * 800.0);
                assert!(
                    (area - f64::from(cosine)).abs() < 0.01,
                    "alpha {alpha}, cosine {cosine}: {area}"
                );
            }
        }
    }

    #[test]
    fn sampling_and_evaluation_agree() {
        // The reflected share, once by sampling and once by integrating over the hemisphere.
        for alpha in [0.2_f32, 0.5, 1.0] {
            let facets = Facets { alpha };
            let outgoing = vec3(0.6, 0.0, 0.8);
            let sampled: f64 = grid(400)
                .map(|square| {
                    let incoming = reflect(-outgoing, facets.sample(outgoing, square));
                    if incoming.z > 0.0 {
                        f64::from(facets.sampled_weight(outgoing, incoming))
                    } else {
                        0.0
                    }
                })
                .sum::<f64>()
                / (400.0 * 400.0);
            let integrated: f64 = grid(800)
                .map(|square| {
                    let incoming = sphere_direction([square[0] * 0.5, square[1]]);
                    f64::from(facets.evaluate(outgoing, incoming).0) * 2.0 * std::f64::consts::PI
                })
                .sum::<f64>()
                / (800.0 * 800.0);
            assert!(
                (sampled - integrated).abs() < 0.01,
                "alpha {alpha}: {sampled} {integrated}"
            );
            assert!(sampled <= 1.0 + 1e-6);
        }
    }
}
