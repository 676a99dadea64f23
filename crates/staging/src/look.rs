//! How a body looks: its surface, and how light travels below it.

use glam::{Vec3, vec3};

use crate::error::{StagingError, require};
use crate::look_presets;
use crate::texture::Texture;

/// How light travels below a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Body {
    /// Transparent: refracts, and absorbs with depth after Beer and Lambert.
    Clear {
        /// What white light has become after travelling `depth`, linear RGB in (0, 1].
        colour: Vec3,
        /// The distance for `colour`, in metres.
        depth: f32,
        /// Scattering events per metre; 0 is perfectly clear, `1 / depth` is cloudy.
        haze: f32,
    },
    /// Milky: light enters, wanders and leaves elsewhere.
    Scattering {
        /// Colour of a thick layer under white light, linear RGB in [0, 1).
        colour: Vec3,
        /// How far light wanders between scatterings, in metres, for red, green and blue.
        radius: Vec3,
    },
    /// Nothing passes the surface: paint under a clear coat whose gloss `roughness` sets.
    Opaque {
        /// Diffuse colour, linear RGB in [0, 1].
        colour: Vec3,
    },
    /// A bare metal.
    Metal {
        /// Reflectance at normal incidence, linear RGB in [0, 1].
        colour: Vec3,
    },
    /// A clear sheet without thickness, for containers modelled as a single surface.
    ThinGlass {
        /// Share of light that passes the sheet itself, linear RGB in [0, 1].
        colour: Vec3,
    },
}

/// Light that a hot body gives off, by the temperature of its vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glow {
    /// Radiance (in units where a sunlit white wall is about 1) at `reference_temperature`.
    pub radiance: f32,
    /// The temperature for `radiance`, in kelvin.
    pub reference_temperature: f32,
    /// Radiance grows with this power of temperature. A black body's visible light near 1300 K follows about the 17th
    /// power, more than a picture can hold; smaller powers compress that range. The colour is always a black body's.
    pub falloff: f32,
    /// The temperature of bodies whose mesh carries none, in kelvin.
    pub default_temperature: f32,
}

/// The look of a body.
///
/// Lengths are those of a subject about 0.2 m across; [`Look::for_subject_size`] fits them to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What is below the surface.
    pub body: Body,
    /// Roughness of the surface, 0 (mirror-smooth) to 1; the microfacet slope is its square.
    pub roughness: f32,
    /// Refractive index of the body, or of its coat.
    pub refractive_index: f32,
    /// How much of the vertices' own colour replaces the body's, 0 to 1, where the mesh carries colours.
    pub vertex_colour: f32,
    /// Light given off when hot.
    pub glow: Option<Glow>,
    /// A pattern, on bodies whose mesh carries texture coordinates.
    pub texture: Option<Texture>,
    /// How clear a milky body becomes when it melts, from 0, as milky as before, to 1, without any haze.
    pub clearing: f32,
}

impl Look {
    /// The preset called `name`.
    pub fn named(name: &str) -> Result<Self, StagingError> {
        look_presets::find(name).ok_or_else(|| {
            let known: Vec<&str> = Self::names().collect();
            StagingError::unknown_name("look", name, &known)
        })
    }

    /// The names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        look_presets::names()
    }

    /// A diffuse surface under a clear coat.
    pub fn opaque(colour: Vec3, roughness: f32) -> Self {
        Self {
            body: Body::Opaque { colour },
            roughness,
            refractive_index: 1.5,
            vertex_colour: 1.0,
            glow: None,
            texture: None,
            clearing: 0.0,
        }
    }

    /// A metal.
    pub fn metal(colour: Vec3, roughness: f32) -> Self {
        Self {
            body: Body::Metal { colour },
            roughness,
            refractive_index: 1.5,
            vertex_colour: 1.0,
            glow: None,
            texture: None,
            clearing: 0.0,
        }
    }

    /// A clear body that turns white light into `colour` over `depth` metres.
    pub fn clear(colour: Vec3, depth: f32, refractive_index: f32) -> Self {
        Self {
            body: Body::Clear {
                colour,
                depth,
                haze: 0.0,
            },
            roughness: 0.0,
            refractive_index,
            vertex_colour: 1.0,
            glow: None,
            texture: None,
            clearing: 0.0,
        }
    }

    /// A milky body of the given colour, within which light wanders `radius` metres.
    pub fn scattering(colour: Vec3, radius: Vec3, roughness: f32) -> Self {
        Self {
            body: Body::Scattering { colour, radius },
            roughness,
            refractive_index: 1.4,
            vertex_colour: 1.0,
            glow: None,
            texture: None,
            clearing: 0.0,
        }
    }

    /// The same look for a subject `size` metres across: absorption depths and scattering radii scale with it, so that
    /// a bath of honey reads as honey and not as tar.
    pub fn for_subject_size(mut self, size: f32) -> Self {
        const REFERENCE_SIZE: f32 = 0.2;
        let factor = size / REFERENCE_SIZE;
        match &mut self.body {
            Body::Clear { depth, haze, .. } => {
                *depth *= factor;
                *haze /= factor;
            }
            Body::Scattering { radius, .. } => *radius *= factor,
            Body::Opaque { .. } | Body::Metal { .. } | Body::ThinGlass { .. } => {}
        }
        self
    }

    /// The same look in another colour.
    pub fn with_colour(mut self, new: Vec3) -> Self {
        match &mut self.body {
            Body::Clear { colour, .. } => *colour = new.max(Vec3::splat(1e-3)),
            Body::Scattering { colour, .. } => *colour = new.min(Vec3::splat(0.98)),
            Body::Opaque { colour } | Body::Metal { colour } | Body::ThinGlass { colour } => {
                *colour = new;
            }
        }
        self
    }

    /// The colour of the body, whichever kind it is.
    pub fn colour(&self) -> Vec3 {
        match self.body {
            Body::Clear { colour, .. }
            | Body::Scattering { colour, .. }
            | Body::Opaque { colour }
            | Body::Metal { colour }
            | Body::ThinGlass { colour } => colour,
        }
    }

    /// Refuses values that no picture can be made with.
    pub fn check(&self, of: &str) -> Result<(), StagingError> {
        let colour = self.colour();
        let name = |key: &str| format!("{of}.{key}");
        let positive_colour =
            !matches!(self.body, Body::Clear { .. }) || colour.min_element() > 0.0;
        require(
            colour.is_finite()
                && colour.min_element() >= 0.0
                && colour.max_element() <= 1.0
                && positive_colour,
            &name("colour"),
            colour,
            "between 0 and 1 in every channel (above 0 for a clear body)",
        )?;
        match self.body {
            Body::Clear { depth, haze, .. } => {
                require(
                    depth > 0.0 && depth.is_finite(),
                    &name("depth"),
                    depth,
                    "positive (metres)",
                )?;
                require(
                    haze >= 0.0 && haze.is_finite(),
                    &name("haze"),
                    haze,
                    "zero or positive (per metre)",
                )?;
            }
            Body::Scattering { radius, .. } => {
                require(
                    radius.is_finite() && radius.min_element() > 0.0,
                    &name("radius"),
                    radius,
                    "positive (metres)",
                )?;
            }
            Body::Opaque { .. } | Body::Metal { .. } | Body::ThinGlass { .. } => {}
        }
        require(
            (0.0..=1.0).contains(&self.roughness),
            &name("roughness"),
            self.roughness,
            "between 0 and 1",
        )?;
        require(
            (1.0..=4.0).contains(&self.refractive_index),
            &name("refractive_index"),
            self.refractive_index,
            "between 1 and 4",
        )?;
        require(
            (0.0..=1.0).contains(&self.vertex_colour),
            &name("vertex_colour"),
            self.vertex_colour,
            "between 0 and 1",
        )?;
        require(
            (0.0..=1.0).contains(&self.clearing),
            &name("clearing"),
            self.clearing,
            "between 0 and 1",
        )?;
        if let Some(texture) = &self.texture {
            texture.check(of)?;
        }
        if let Some(glow) = self.glow {
            let values = [
                glow.radiance,
                glow.reference_temperature,
                glow.falloff,
                glow.default_temperature,
            ];
            require(
                values
                    .iter()
                    .all(|value| value.is_finite() && *value >= 0.0)
                    && glow.reference_temperature > 0.0,
                &name("glow"),
                glow,
                "finite and not negative, with a reference temperature above 0 K",
            )?;
        }
        Ok(())
    }
}

/// The linear colour of an sRGB triple such as `0xd98c1f`.
pub fn linear_colour(srgb: u32) -> Vec3 {
    Vec3::from_array([16, 8, 0].map(|shift| {
        let encoded = (srgb >> shift & 0xff) as f32 / 255.0;
        if encoded <= 0.04045 {
            encoded / 12.92
        } else {
            ((encoded + 0.055) / 1.055).powf(2.4)
        }
    }))
}

/// Relative luminance of a linear Rec. 709 colour.
#[inline]
pub fn luminance(colour: Vec3) -> f32 {
    colour.dot(vec3(0.2126, 0.7152, 0.0722))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_found_and_sound() {
        assert!(Look::names().count() >= 18);
        for name in Look::names() {
            let look = Look::named(name).expect("listed presets exist");
            assert!(look.check(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn unknown_look_suggests_the_nearest() {
        let message = Look::named("hony").expect_err("no such look").to_string();
        assert!(
            message.contains("`hony`") && message.contains("did you mean `honey`?"),
            "{message}"
        );
    }

    #[test]
    fn subject_size_scales_lengths_only() {
        let honey = Look::named("honey").expect("preset");
        let large = honey.for_subject_size(2.0);
        let (
            Body::Clear { depth, colour, .. },
            Body::Clear {
                depth: large_depth,
                colour: large_colour,
                ..
            },
        ) = (honey.body, large.body)
        else {
            panic!("honey is clear");
        };
        assert!((large_depth / depth - 10.0).abs() < 1e-4 && colour == large_colour);
    }

    #[test]
    fn srgb_decoding_meets_its_anchors() {
        assert_eq!(linear_colour(0x000000), Vec3::ZERO);
        assert_eq!(linear_colour(0xffffff), Vec3::ONE);
        assert!((linear_colour(0x808080).x - 0.2158).abs() < 1e-3);
    }
}
