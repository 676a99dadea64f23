//! A look made ready for tracing: coefficients in place of colours and depths.
//!
//! Milky bodies use the albedo inversion of Chiang, Kutz and Burley 2016 ("Practical and Controllable Subsurface
//! Scattering for Production Path Tracing", eqs. 1 and 2): from the colour of a thick layer to the albedo of a single
//! scattering, and a mean free path scaled so that the look's radius is what one sees.

use glam::Vec3;

use super::coat::CoatTable;
use super::media::Medium;
use super::microfacet::Facets;
use crate::math::exponential;
use ooze_staging::{Body, Glow, Look, Subsurface, Texture};

/// What is below a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Substance {
    Clear { depth: f32, haze: f32 },
    Scattering { radius: Vec3 },
    Opaque,
    Metal,
    ThinGlass,
}

/// How a body treats a straight line towards a lamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shadow {
    /// Blocks it.
    Opaque,
    /// Lets it through its surfaces as Fresnel says and absorbs inside.
    Clear { absorption: Vec3 },
    /// Lets it through a single sheet.
    Sheet { colour: Vec3 },
    /// Dims it inside.
    Translucent { attenuation: Vec3 },
}

/// Coefficients of a walk below a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wander {
    /// Scatterings and absorptions per metre.
    pub(crate) extinction: Vec3,
    /// Share of those that scatter.
    pub(crate) albedo: Vec3,
}

impl Wander {
    /// How fast light fades with depth: diffusion theory's √(3 (1 - albedo)) extinction, limited where hardly anything is
    /// absorbed and a real body would be too small for that theory.
    fn attenuation(&self) -> Vec3 {
        let escape = (3.0 * (Vec3::ONE - self.albedo)).map(f32::sqrt);
        escape.max(Vec3::splat(0.15)) * self.extinction
    }
}

/// A look made ready for tracing.
#[derive(Clone, Debug)]
pub(crate) struct Finish {
    pub(crate) substance: Substance,
    pub(crate) colour: Vec3,
    pub(crate) facets: Facets,
    pub(crate) index: f32,
    pub(crate) coat: CoatTable,
    pub(crate) glow: Option<Glow>,
    pub(crate) texture: Option<Texture>,
    /// Priority where clear bodies overlap; lower comes first.
    pub(crate) rank: u32,
    /// How far light wraps around the terminator of a milky body whose shading is approximated, per channel.
    pub(crate) wrap: Vec3,
    vertex_colour: f32,
    subsurface: Subsurface,
}

impl Finish {
    /// Prepares `look` for a body of priority `rank` that is `size` metres across.
    pub(crate) fn new(look: &Look, rank: u32, subsurface: Subsurface, size: f32) -> Self {
        let facets = Facets::new(look.roughness);
        let substance = match look.body {
            Body::Clear { depth, haze, .. } => Substance::Clear { depth, haze },
            Body::Scattering { radius, .. } => Substance::Scattering { radius },
            Body::Opaque { .. } => Substance::Opaque,
            Body::Metal { .. } => Substance::Metal,
            Body::ThinGlass { .. } => Substance::ThinGlass,
        };
        let coat = match substance {
            Substance::Metal => CoatTable::conductor(facets),
            _ => CoatTable::dielectric(facets, look.refractive_index),
        };
        let wrap = match substance {
            Substance::Scattering { radius } if subsurface == Subsurface::Wrapped => {
                // Light reaches half-way around where it spreads over this share of the body's size; tuned by eye
                // against the walk.
                let half_way = Vec3::splat(0.1 * size.max(1e-6));
                let spread = Vec3::ONE / Self::wander(look.colour(), radius).attenuation();
                spread / (spread + half_way)
            }
            _ => Vec3::ZERO,
        };
        Self {
            substance,
            wrap,
            colour: look.colour(),
            facets,
            index: look.refractive_index,
            coat,
            glow: look.glow,
            texture: look.texture,
            rank,
            vertex_colour: look.vertex_colour,
            subsurface,
        }
    }

    /// The same for particles, which are drawn as small opaque balls: they overlap, so nothing can be followed inside.
    pub(crate) fn for_particles(look: &Look) -> Self {
        let body = match look.body {
            Body::Metal { colour } => Body::Metal { colour },
            _ => Body::Opaque {
                colour: look.colour(),
            },
        };
        Self::new(&Look { body, ..*look }, 0, Subsurface::Wrapped, 1.0)
    }

    /// The body's colour where its surface has a colour of its own, or none.
    #[inline]
    pub(crate) fn colour_with(&self, vertex: Option<Vec3>) -> Vec3 {
        vertex.map_or(self.colour, |vertex| {
            self.colour
                .lerp(vertex.clamp(Vec3::ZERO, Vec3::ONE), self.vertex_colour)
        })
    }

    /// Absorption per metre of a clear body of this colour: Beer and Lambert, colour = exp(-absorption · depth).
    #[inline]
    fn absorption(colour: Vec3, depth: f32) -> Vec3 {
        let colour = colour.max(Vec3::splat(1e-4));
        -Vec3::new(colour.x.ln(), colour.y.ln(), colour.z.ln()) / depth
    }

    /// The medium that a path enters through a surface of this clear body.
    #[inline]
    pub(crate) fn medium(&self, object: u32, vertex: Option<Vec3>) -> Option<Medium> {
        let Substance::Clear { depth, haze } = self.substance else {
            return None;
        };
        let absorption = Self::absorption(self.colour_with(vertex), depth);
        Some(Medium {
            object,
            absorption,
            index: self.index,
            haze,
            rank: self.rank,
        })
    }

    /// How this body treats a line towards a lamp.
    #[inline]
    pub(crate) fn shadow(&self, vertex: impl FnOnce() -> Option<Vec3>) -> Shadow {
        match self.substance {
            Substance::Clear { depth, haze } => {
                // Scattered light is dimmed on its straight way, but most of it still goes forward.
                const LOST: f32 = 0.25;
                let absorption =
                    Self::absorption(self.colour_with(vertex()), depth) + Vec3::splat(LOST * haze);
                Shadow::Clear { absorption }
            }
            Substance::ThinGlass => Shadow::Sheet {
                colour: self.colour_with(vertex()),
            },
            Substance::Scattering { radius } if self.subsurface == Subsurface::Wrapped => {
                let attenuation = Self::wander(self.colour_with(vertex()), radius).attenuation();
                Shadow::Translucent { attenuation }
            }
            Substance::Scattering { .. } | Substance::Opaque | Substance::Metal => Shadow::Opaque,
        }
    }

    /// Whether light is to be followed below the surface, whose texture multiplies colours by `tint`.
    #[inline]
    pub(crate) fn walk(&self, vertex: Option<Vec3>, tint: f32) -> Option<Wander> {
        match (self.substance, self.subsurface) {
            (Substance::Scattering { radius }, Subsurface::Walk) => {
                Some(Self::wander(tint * self.colour_with(vertex), radius))
            }
            _ => None,
        }
    }

    fn wander(colour: Vec3, radius: Vec3) -> Wander {
        let colour = colour.clamp(Vec3::splat(1e-3), Vec3::splat(0.999));
        let square = colour * colour;
        let albedo = Vec3::ONE
            - exponential(-5.09406 * colour + 2.61188 * square - 4.31805 * square * colour);
        let shift = colour - Vec3::splat(0.8);
        let scale = Vec3::splat(1.9) - colour + 3.5 * shift * shift;
        Wander {
            extinction: Vec3::ONE / (radius * scale),
            albedo,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;

    #[test]
    fn absorption_gives_the_colour_at_its_depth_and_its_square_at_twice() {
        let colour = vec3(0.8, 0.4, 0.1);
        let finish = Finish::new(&Look::clear(colour, 0.05, 1.5), 1, Subsurface::Walk, 1.0);
        let absorption = finish.medium(0, None).expect("clear").absorption;
        assert!(
            (exponential(-absorption * 0.05) - colour)
                .abs()
                .max_element()
                < 1e-6
        );
        assert!(
            (exponential(-absorption * 0.10) - colour * colour)
                .abs()
                .max_element()
                < 1e-6
        );
    }

    #[test]
    fn vertex_colours_mix_by_weight() {
        let mut look = Look::opaque(Vec3::ZERO, 0.5);
        look.vertex_colour = 0.25;
        let finish = Finish::new(&look, 1, Subsurface::Walk, 1.0);
        assert_eq!(finish.colour_with(Some(Vec3::ONE)), Vec3::splat(0.25));
        assert_eq!(finish.colour_with(None), Vec3::ZERO);
    }

    #[test]
    fn paler_bodies_scatter_more() {
        let wander = Finish::wander(vec3(0.1, 0.5, 0.95), Vec3::splat(0.01));
        assert!(
            wander.albedo.x < wander.albedo.y
                && wander.albedo.y < wander.albedo.z
                && wander.albedo.z < 1.0
        );
    }
}
