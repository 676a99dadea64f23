//! How much light a glossy layer reflects in total, by viewing angle, tabulated once a body, so that what lies below
//! receives exactly the rest and no energy is lost or made.

use glam::vec3;

use super::fresnel::{dielectric_reflectance, reflect};
use super::microfacet::Facets;

const ENTRIES: usize = 32;
const SAMPLES: u32 = 24;

/// Reflected share by the cosine of the viewing angle.
#[derive(Clone, Debug)]
pub(crate) struct CoatTable {
    shares: [f32; ENTRIES],
}

impl CoatTable {
    /// A clear coat of the given refractive index.
    pub(crate) fn dielectric(facets: Facets, index: f32) -> Self {
        Self::tabulate(facets, |cosine| dielectric_reflectance(cosine, 1.0 / index))
    }

    /// Perfectly reflecting facets: what a rough metal keeps after light that facets block is left out.
    pub(crate) fn conductor(facets: Facets) -> Self {
        Self::tabulate(facets, |_| 1.0)
    }

    fn tabulate(facets: Facets, reflectance: impl Fn(f32) -> f32) -> Self {
        let shares = std::array::from_fn(|entry| {
            let cosine = (entry as f32 / (ENTRIES - 1) as f32).max(1e-3);
            let outgoing = vec3((1.0 - cosine * cosine).max(0.0).sqrt(), 0.0, cosine);
            if facets.is_mirror() {
                return reflectance(cosine);
            }
            let mut sum = 0.0;
            for i in 0..SAMPLES * SAMPLES {
                let square = [(i % SAMPLES) as f32 + 0.5, (i / SAMPLES) as f32 + 0.5]
                    .map(|value| value / SAMPLES as f32);
                let normal = facets.sample(outgoing, square);
                let incoming = reflect(-outgoing, normal);
                if incoming.z > 0.0 {
                    sum += reflectance(outgoing.dot(normal))
                        * facets.sampled_weight(outgoing, incoming);
                }
            }
            sum / (SAMPLES * SAMPLES) as f32
        });
        Self { shares }
    }

    /// The reflected share seen at an angle of the given cosine.
    #[inline]
    pub(crate) fn share(&self, cosine: f32) -> f32 {
        let position = cosine.clamp(0.0, 1.0) * (ENTRIES - 1) as f32;
        let entry = (position as usize).min(ENTRIES - 2);
        let fraction = position - entry as f32;
        self.shares[entry] * (1.0 - fraction) + self.shares[entry + 1] * fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_coat_reflects_what_fresnel_says() {
        let table = CoatTable::dielectric(Facets::new(0.0), 1.5);
        for cosine in [0.3_f32, 0.5, 0.9, 1.0] {
            assert!(
                (table.share(cosine) - dielectric_reflectance(cosine, 1.0 / 1.5)).abs() < 3e-3,
                "{cosine}"
            );
        }
    }

    #[test]
    fn rough_metal_loses_some_and_smooth_metal_nothing() {
        assert!((CoatTable::conductor(Facets::new(0.0)).share(0.7) - 1.0).abs() < 1e-6);
        let rough = CoatTable::conductor(Facets::new(1.0)).share(0.7);
        assert!(rough > 0.3 && rough < 0.95, "{rough}");
    }
}
