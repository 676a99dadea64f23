//! One moment of a run, in parts: what caches keep, and what pictures and exports are made from.

use ooze_geometry::{Pose, Twist};

use crate::{Channels, LevelSet, Liquid, Solid, Solids};

/// A moment of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Channels with one item for each particle.
    pub particles: Channels,
    /// The tracers, with `position`, `velocity`, `id` and `set`; nothing in scenes that have none.
    pub tracers: Channels,
    /// The surface of liquids that follow it on a grid.
    pub level_set: Option<LevelSet>,
    /// Where the solids stand, in the order of the scene.
    pub bodies: Vec<BodyPose>,
}

/// Where a solid stands in a frame, and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPose {
    /// Name in the scene.
    pub name: String,
    /// From the solid's own frame to the world.
    pub pose: Pose,
    /// The rate at which the pose changes, about the origin of the solid's own frame.
    pub twist: Twist,
    /// Its temperature in kelvin, if what it gives and takes changes it.
    pub temperature: Option<f32>,
    /// The share of it that is solid still, if it melts.
    pub left: Option<f32>,
}

impl BodyPose {
    /// Where a solid stands between two steps.
    pub fn of(solid: &Solid) -> Self {
        Self {
            name: solid.name.clone(),
            pose: solid.end,
            twist: solid.next,
            temperature: solid.changing_temperature(),
            left: solid.left,
        }
    }
}

impl Frame {
    /// The frame of a liquid and its solids between two steps.
    pub fn of(liquid: &dyn Liquid, solids: &dyn Solids) -> Self {
        Self {
            particles: liquid.channels(),
            tracers: liquid.tracers(),
            level_set: liquid.level_set(),
            bodies: solids.all().iter().map(BodyPose::of).collect(),
        }
    }
}
