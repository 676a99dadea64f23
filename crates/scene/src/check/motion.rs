//! Colliders and where they are at any time.

use std::sync::Arc;

use ooze_core::Collider;
use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Spin};

use super::Checker;
use crate::file::{ColliderKeys, InterpolationWord, LookWord, MotionKeys};
use crate::place::{Given, Place};
use crate::{ColliderLook, Problem};

impl Checker {
    pub(super) fn colliders(
        &mut self,
        list: &[Given<ColliderKeys>],
    ) -> (Vec<Collider>, Vec<ColliderLook>) {
        let names = self.names(
            "collider",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let bodies = list
            .iter()
            .zip(names)
            .filter_map(|(keys, name)| self.collider(keys, name));
        bodies.unzip()
    }

    fn collider(
        &mut self,
        keys: &Given<ColliderKeys>,
        name: String,
    ) -> Option<(Collider, ColliderLook)> {
        let contact = self.contact(&keys.contact, &keys.friction);
        let motion = self.motion(&keys.motion);
        let shape = self.shape(&keys.shape, &keys.shape.place);
        let looks = LookWord::ALL
            .iter()
            .find(|(_, word)| *word == keys.look.value);
        let look = ColliderLook {
            visible: keys.visible.value,
            look: looks.map_or("", |(name, _)| name),
            colour: keys.colour.value,
        };
        let collider = Collider {
            name,
            shape: Arc::new(shape?),
            motion: motion?,
            contact,
        };
        Some((collider, look))
    }

    fn motion(&mut self, keys: &Given<MotionKeys>) -> Option<Motion> {
        let rest = Pose {
            translation: keys.position.value,
            rotation: self.rotation(keys.rotation.as_ref()),
            scale: keys.scale.value as f32,
        };
        for pair in keys.keyframes.windows(2) {
            let [earlier, later] = [&pair[0].time, &pair[1].time];
            if later.value <= earlier.value {
                let message = format!(
                    "`{}` is {} s, but must be after the keyframe before it, {} s",
                    later.place.key, later.value, earlier.value
                );
                self.error(Problem::error(&later.place, message).and(&earlier.place));
                return None;
            }
        }
        let mut keyframes = Vec::new();
        for frame in &keys.keyframes.value {
            let rotation = frame.rotation.as_ref();
            keyframes.push(Keyframe {
                time: frame.time.value,
                position: frame.position.as_ref().map(|position| position.value),
                rotation: rotation.map(|rotation| self.rotation(Some(rotation))),
                scale: frame.scale.as_ref().map(|scale| scale.value as f32),
                interpolation: match frame.interpolation.value {
                    InterpolationWord::Linear => Interpolation::Linear,
                    InterpolationWord::Smooth => Interpolation::Smooth,
                },
            });
            if let Some(position) = &frame.position {
                self.in_plane(position);
            }
        }
        let spin = keys.spin.as_ref().map(|spin| {
            self.axis_across_plane(&spin.axis);
            Spin {
                axis: spin.axis.value,
                revolutions_per_second: spin.turns_per_second.value,
            }
        });
        let motion = Motion::new(rest, &keyframes, spin);
        motion
            .map_err(|error| {
                let message = format!("`{}` makes no sense: {error}", keys.place.key);
                self.error(Problem::error(&keys.place, message));
            })
            .ok()
    }

    /// The names of things of one kind: as given, or made up; refuses a name that occurs twice.
    pub(super) fn names<'a>(
        &mut self,
        kind: &str,
        given: impl Iterator<Item = (Option<&'a Given<String>>, &'a Place)>,
    ) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (index, (name, place)) in given.enumerate() {
            let own = name.map(|name| name.value.clone());
            let own = own.unwrap_or_else(|| format!("{kind}-{}", index + 1));
            if names.contains(&own) {
                let place = name.map_or(place, |name| &name.place);
                let message = format!(
                    "`{}` is \"{own}\", but another {kind} has that name already",
                    place.key
                );
                self.error(Problem::error(place, message).label("second of that name"));
            }
            names.push(own);
        }
        names
    }
}
