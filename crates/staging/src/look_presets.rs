//! Looks by name. Refractive indices are measured values; colours and lengths were tuned by eye on a subject 0.2 m
//! across, starting from photographs, because absorption spectra say little about the colour a camera sees.

use glam::{Vec3, vec3};

use crate::look::{Body, Glow, Look, linear_colour};

type Preset = (&'static str, fn() -> Look);

/// A glossy milky liquid.
fn milky(srgb: u32, radius: [f32; 3], roughness: f32) -> Look {
    Look::scattering(linear_colour(srgb), Vec3::from_array(radius), roughness)
}

fn with_haze(mut look: Look, scatterings_per_metre: f32) -> Look {
    if let Body::Clear { haze, .. } = &mut look.body {
        *haze = scatterings_per_metre;
    }
    look
}

fn lava() -> Look {
    Look {
        glow: Some(Glow {
            radiance: 4.0,
            reference_temperature: 1400.0,
            falloff: 11.0,
            default_temperature: 1400.0,
        }),
        ..Look::opaque(linear_colour(0x2b2320), 0.55)
    }
}

const PRESETS: &[Preset] = &[
    ("water", || Look::clear(vec3(0.20, 0.60, 0.74), 0.25, 1.333)),
    ("honey", || {
        // Fine crystals and pollen scatter: light that would cross a thick pile leaves it before it has turned red, so that
        // a thin stream and the pile are of one family of colours.
        with_haze(Look::clear(vec3(0.93, 0.67, 0.08), 0.008, 1.49), 60.0)
    }),
    ("syrup", || Look::clear(vec3(0.58, 0.17, 0.025), 0.05, 1.47)),
    ("molasses", || {
        Look::clear(vec3(0.16, 0.028, 0.006), 0.02, 1.49)
    }),
    ("oil", || Look::clear(vec3(0.86, 0.74, 0.12), 0.08, 1.47)),
    ("glycerine", || {
        Look::clear(vec3(0.94, 0.96, 0.96), 0.2, 1.47)
    }),
    ("shampoo", || {
        with_haze(Look::clear(vec3(0.30, 0.72, 0.86), 0.08, 1.39), 6.0)
    }),
    ("slime", || {
        with_haze(Look::clear(vec3(0.42, 0.78, 0.10), 0.025, 1.38), 24.0)
    }),
    ("gelatin", || {
        with_haze(Look::clear(vec3(0.82, 0.06, 0.08), 0.06, 1.36), 4.0)
    }),
    ("glass", || Look::clear(vec3(0.90, 0.97, 0.95), 0.15, 1.5)),
    ("thin-glass", || Look {
        body: Body::ThinGlass {
            colour: Vec3::splat(0.98),
        },
        ..Look::clear(Vec3::ONE, 1.0, 1.5)
    }),
    ("milk", || milky(0xf6f3ea, [0.0012, 0.0010, 0.0008], 0.12)),
    ("cream", || milky(0xf8eedb, [0.0016, 0.0012, 0.0008], 0.2)),
    ("mayonnaise", || {
        milky(0xf3e7b4, [0.0010, 0.0008, 0.0004], 0.25)
    }),
    ("wax", || Look {
        // Crystals make wax milky, and its melt has none.
        clearing: 0.92,
        ..milky(0xefe0c0, [0.0060, 0.0032, 0.0016], 0.38)
    }),
    ("dough", || milky(0xe9d3ab, [0.0015, 0.0009, 0.0005], 0.6)),
    ("toothpaste", || {
        milky(0xdff3f3, [0.0010, 0.0013, 0.0015], 0.24)
    }),
    ("slip", || milky(0xb9ac9a, [0.0004, 0.00035, 0.0003], 0.3)),
    ("chocolate", || {
        milky(0x4e2c1b, [0.0009, 0.0004, 0.0002], 0.24)
    }),
    ("caramel", || {
        milky(0xb56a22, [0.0030, 0.0012, 0.0004], 0.14)
    }),
    ("ketchup", || milky(0xa3140a, [0.0020, 0.0004, 0.0003], 0.2)),
    ("paint", || Look::opaque(linear_colour(0x1f5fbf), 0.18)),
    ("cement", || Look::opaque(linear_colour(0x8b8984), 0.55)),
    ("mud", || Look::opaque(linear_colour(0x5b4330), 0.42)),
    ("lava", lava),
    ("matte", || Look {
        refractive_index: 1.3,
        ..Look::opaque(linear_colour(0xbcb7ae), 0.9)
    }),
    ("clay", || Look {
        refractive_index: 1.35,
        ..Look::opaque(linear_colour(0xb4623f), 0.75)
    }),
    ("plastic", || Look::opaque(linear_colour(0xd9d9d6), 0.3)),
    ("wood", || Look::opaque(linear_colour(0x9a6b42), 0.45)),
    ("metal", || Look::metal(vec3(0.62, 0.61, 0.59), 0.28)),
    ("steel", || Look::metal(vec3(0.56, 0.57, 0.58), 0.18)),
    ("copper", || Look::metal(vec3(0.955, 0.638, 0.538), 0.2)),
    ("gold", || Look::metal(vec3(1.0, 0.766, 0.336), 0.16)),
];

pub(super) fn find(name: &str) -> Option<Look> {
    PRESETS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, make)| make())
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}
