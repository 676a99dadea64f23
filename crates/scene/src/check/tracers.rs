//! Tracers.

use std::sync::Arc;

use ooze_core::{Domain, Tracers};

use super::Checker;
use crate::file::{SceneKeys, TracersKeys};
use crate::place::Placed;
use crate::presets::LEVEL_SET;
use crate::{Problem, TracerLook};

/// Sets of tracers that a scene can have; frames tell them apart by one byte.
const MOST_SETS: usize = 256;
/// Tracers that a scene can have: a few times what anyone could tell apart in a picture.
const MOST: f64 = 1e7;
/// Diameter of a tracer in pictures over the distance of neighbours.
const USUAL_DIAMETER: f64 = 0.25;

impl Checker {
    /// The tracers of a scene, and what pictures show of them.
    pub(super) fn tracers(
        &mut self,
        keys: &SceneKeys,
        domain: Option<&Domain>,
    ) -> (Vec<Tracers>, Vec<TracerLook>) {
        let list = &keys.tracers.value;
        let method = &keys.method.preset;
        if let Some(first) = list.first().filter(|_| !LEVEL_SET.contain(method.value)) {
            let message = format!(
                "`{}`: the method `{}` carries no tracers",
                first.place.key,
                method.value.name()
            );
            let help = format!(
                "its particles are tracers already, each with its `id`: see them with `pictures.show = \"particles\"`; tracers go with {}",
                LEVEL_SET.in_words()
            );
            self.error(Problem::error(&first.place, message).help(help));
            return Default::default();
        }
        if let Some(beyond) = list.get(MOST_SETS) {
            let message = format!("a scene can have {MOST_SETS} sets of tracers");
            self.error(Problem::error(&beyond.place, message));
        }
        let given = list.iter().map(|keys| (keys.name.as_ref(), &keys.place));
        let names = self.names("tracers", given);
        let named = list.iter().zip(names);
        named
            .filter_map(|(keys, name)| self.set_of_tracers(keys, name, domain))
            .unzip()
    }

    fn set_of_tracers(
        &mut self,
        keys: &Placed<TracersKeys>,
        name: String,
        domain: Option<&Domain>,
    ) -> Option<(Tracers, TracerLook)> {
        let shape = self.shape(&keys.shape, &keys.shape.place)?;
        let spacing = keys.spacing.value;
        let region = super::domain_box(domain?).intersection(shape.bounds());
        let sides = region.extent().max(glam::Vec3::ZERO).as_dvec3() / spacing;
        let most: f64 = (0..domain?.dimensions())
            .map(|axis| sides[axis].max(1.0))
            .product();
        if most > MOST {
            let message = format!(
                "`{}` is {spacing} m, which makes {most:.1e} tracers of `{name}`; a scene can have {MOST:.0e}",
                keys.spacing.place.key,
            );
            self.error(Problem::error(&keys.spacing.place, message));
            return None;
        }
        let diameter = keys.diameter.as_ref().map(|diameter| diameter.value);
        let look = TracerLook {
            diameter: diameter.unwrap_or(USUAL_DIAMETER * spacing) as f32,
            colour: keys.colour.value,
        };
        let tracers = Tracers {
            name,
            shape: Arc::new(shape),
            spacing: spacing as f32,
            start: keys.start.value,
        };
        Some((tracers, look))
    }
}
