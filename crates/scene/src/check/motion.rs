//! Colliders and where they are at any time.

use std::sync::Arc;

use ooze_core::Collider;
use ooze_geometry::{Keyframe, Motion, Pose, Shape, Spin};

use super::Checker;
use crate::file::{ColliderKeys, MotionKeys, ShapeKeys};
use crate::place::{Place, Placed};
use crate::{Problem, SolidLook};

/// Moments at which the way of a body is looked at.
const MOMENTS: usize = 32;

impl Checker {
    /// Those that never melt.
    pub(super) fn colliders(
        &mut self,
        list: &[Placed<ColliderKeys>],
    ) -> (Vec<Collider>, Vec<SolidLook>) {
        let names = self.names(
            "collider",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let bodies = list
            .iter()
            .zip(names)
            .filter(|(keys, _)| keys.material.is_none())
            .filter_map(|(keys, name)| self.collider(keys, name));
        bodies.unzip()
    }

    fn collider(
        &mut self,
        keys: &Placed<ColliderKeys>,
        name: String,
    ) -> Option<(Collider, SolidLook)> {
        let heat = self.wall_heat(keys.temperature.as_ref(), keys.heat_transfer.as_ref());
        let contact = self.contact(&keys.contact, Some(&keys.friction), heat);
        let motion = self.motion(&keys.motion);
        let shape = self.moving_shape(&keys.shape, motion.as_ref(), &keys.motion);
        let look = SolidLook {
            visible: keys.visible.value,
            look: keys.look.value.name(),
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

    /// The shape of a body, which is looked at where the body takes it.
    pub(super) fn moving_shape(
        &mut self,
        keys: &Placed<ShapeKeys>,
        motion: Option<&Motion>,
        motion_keys: &MotionKeys,
    ) -> Option<Shape> {
        let Some(motion) = motion else {
            return self.shape(keys, &keys.place);
        };
        let last = motion_keys.keyframes.last();
        let last = last.map_or(0.0, |frame| frame.time.value);
        let turn = motion_keys.spin.as_ref();
        let turn = turn.map_or(0.0, |spin| {
            1.0 / spin.turns_per_second.value.abs().max(1e-3)
        });
        let moments = if last.max(turn) > 0.0 { MOMENTS } else { 1 };
        let poses: Vec<Pose> = (0..moments)
            .map(|index| motion.pose(last.max(turn) * index as f64 / MOMENTS as f64))
            .collect();
        let largest = poses.iter().map(|pose| pose.scale).fold(0.0, f32::max);
        let outside = (self.needs, self.whereabouts.clone());
        self.needs = outside.0.inside_scale(largest);
        if let Some(whereabouts) = &mut self.whereabouts {
            whereabouts.poses = poses;
        }
        let shape = self.shape(keys, &keys.place);
        (self.needs, self.whereabouts) = outside;
        shape
    }

    pub(super) fn motion(&mut self, keys: &Placed<MotionKeys>) -> Option<Motion> {
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
                interpolation: frame.interpolation.value,
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
        given: impl Iterator<Item = (Option<&'a Placed<String>>, &'a Place)>,
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
