//! Textures of materials, and the coordinates that make them stick.

use ooze_core::{Domain, LiquidSetup, TextureCoordinates};
use ooze_staging::{Body, Look, Texture};

use super::Checker;
use super::material::Materials;
use crate::Problem;
use crate::file::SceneKeys;

/// Patterns along the longest side of a domain, unless their size is given.
const USUAL_COUNT: f32 = 40.0;

impl Checker {
    /// The textures of the scene's materials, one entry each.
    pub(super) fn textures(
        &mut self,
        keys: &SceneKeys,
        materials: &Materials,
        domain: Option<&Domain>,
    ) -> Vec<Option<Texture>> {
        let longest = domain.map_or(1.0, |domain| (domain.upper() - domain.lower).max_element());
        // The scene's own materials come first.
        let own = keys.materials.0.iter().map(|(_, own)| own.texture.as_ref());
        let mut textures = Vec::with_capacity(materials.list.len());
        for (material, keys) in materials
            .list
            .iter()
            .zip(own.chain(std::iter::repeat(None)))
        {
            let look = Look::named(&material.appearance.look);
            let is_clear = look
                .is_ok_and(|look| matches!(look.body, Body::Clear { .. } | Body::ThinGlass { .. }));
            if let Some(keys) = keys.filter(|_| is_clear) {
                let message = format!(
                    "`{}` will not show: the look `{}` is clear",
                    keys.place.key, material.appearance.look
                );
                self.warnings.push(Problem::warning(&keys.place, message));
            }
            textures.push(keys.map(|keys| {
                Texture {
                    pattern: keys.pattern.value,
                    size: keys
                        .size
                        .as_ref()
                        .map_or(longest / USUAL_COUNT, |size| size.value as f32),
                    contrast: keys.contrast.value as f32,
                    relief: keys.relief.value as f32,
                    shares: [1.0, 0.0],
                }
            }));
        }
        textures
    }
}

/// Lets the liquid of a scene carry texture coordinates where the scene asks for them, or a texture needs them.
pub(super) fn carry_coordinates(
    setup: &mut LiquidSetup,
    keys: &SceneKeys,
    textures: &[Option<Texture>],
) {
    let given = keys.texture_coordinates.as_ref();
    if given.is_some() || textures.iter().any(Option::is_some) {
        let refresh = given.and_then(|given| given.refresh.as_ref());
        setup.carry_texture(TextureCoordinates {
            refresh: refresh.map(|refresh| refresh.value),
        });
    }
}
