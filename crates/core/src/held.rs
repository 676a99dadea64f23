//! Solids that melt: liquid that is held as long as it is solid. They are no obstacles, but liquid pushes them as it does those.

use glam::Vec3;
use ooze_geometry::Motion;

use crate::obstacles::SIDES;
use crate::{BodyId, InitialLiquid};

/// What holds a solid that melts, and takes it along: a motion. What has melted is free.
#[derive(Clone, Debug)]
pub struct Hold {
    /// Its number among those of a scene, from 1 on.
    pub number: u8,
    /// Where it takes the solid from where that is at time zero.
    pub motion: Motion,
}

/// A solid that melts, for those who ask what the liquid does to it.
#[derive(Clone, Copy, Debug)]
pub struct HeldSolid<'a> {
    /// Its name in the scene.
    pub name: &'a str,
    /// What holds it.
    pub hold: &'a Hold,
}

impl<'a> HeldSolid<'a> {
    /// Those among the liquids of the start.
    pub fn of(initial: &'a [InitialLiquid]) -> Vec<Self> {
        let held = initial.iter().filter_map(|liquid| {
            let hold = liquid.hold.as_ref()?;
            let name = &liquid.name;
            Some(Self { name, hold })
        });
        held.collect()
    }

    /// Which body it is in reports, beside so many solids that do not melt.
    pub(crate) fn body(&self, solids: usize) -> BodyId {
        held_body(solids, self.hold.number)
    }

    /// Its own origin, half-way between where that is at the start of a step and at the end.
    pub(crate) fn origin(&self, [start, end]: [f64; 2]) -> Vec3 {
        let place = |time| self.hold.motion.pose(time).translation;
        place(start).midpoint(place(end))
    }
}

/// The body that is a solid which melts, by its number: they follow upon the sides of the domain.
pub(crate) fn held_body(solids: usize, number: u8) -> BodyId {
    BodyId((solids + SIDES + usize::from(number) - 1) as u16)
}
