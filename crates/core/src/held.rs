//! Solids that melt: liquid that is held as long as it is solid. Colliders that melt are no obstacles, but liquid pushes them as it does
//! those. Bodies that melt are obstacles, whose shape follows what is left of them.

use glam::Vec3;
use ooze_geometry::Motion;

use crate::obstacles::SIDES;
use crate::{BodyId, InitialLiquid};

/// What holds a solid that melts, and takes it along. What has melted is free.
#[derive(Clone, Debug)]
pub struct Hold {
    /// Its number among those of a scene, from 1 on.
    pub number: u8,
    /// What it is.
    pub by: Holder,
}

/// Something that holds a solid which melts.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each solid that melts"
)]
pub enum Holder {
    /// A motion takes the solid from where it is at time zero.
    Motion(Motion),
    /// A free body has it aboard.
    Body {
        /// The body among the solids.
        body: BodyId,
        /// Its density over that of its melt, up to 1: what melts takes less room.
        packing: f32,
    },
}

/// What is solid still of a free body that melts: the particles that are aboard of it, its grains.
#[derive(Clone, Debug, PartialEq)]
pub struct Remains {
    /// The body.
    pub body: BodyId,
    /// Where they are in the body's own frame; none once all of it has melted.
    pub grains: Vec<Vec3>,
    /// How many there were at the start.
    pub whole: usize,
    /// Mass of one in kg.
    pub mass: f64,
    /// Distance of neighbours in metres.
    pub spacing: f32,
}

impl Remains {
    /// The share that is solid still.
    pub fn share(&self) -> f64 {
        self.grains.len() as f64 / self.whole.max(1) as f64
    }
}

/// A solid that melts and follows its keyframes, for those who ask what the liquid does to it.
#[derive(Clone, Copy, Debug)]
pub struct HeldSolid<'a> {
    /// Its name in the scene.
    pub name: &'a str,
    number: u8,
    motion: &'a Motion,
}

impl<'a> HeldSolid<'a> {
    /// Those among the liquids of the start.
    pub fn of(initial: &'a [InitialLiquid]) -> Vec<Self> {
        let held = initial.iter().filter_map(|liquid| {
            let hold = liquid.hold.as_ref()?;
            let Holder::Motion(motion) = &hold.by else {
                return None;
            };
            Some(Self {
                name: &liquid.name,
                number: hold.number,
                motion,
            })
        });
        held.collect()
    }

    /// Which body it is in reports, beside so many solids that do not melt.
    pub(crate) fn body(&self, solids: usize) -> BodyId {
        held_body(solids, self.number)
    }

    /// Its own origin, half-way between where that is at the start of a step and at the end.
    pub(crate) fn origin(&self, [start, end]: [f64; 2]) -> Vec3 {
        let place = |time| self.motion.pose(time).translation;
        place(start).midpoint(place(end))
    }
}

/// The body that is a solid which melts, by its number: they follow upon the sides of the domain.
pub(crate) fn held_body(solids: usize, number: u8) -> BodyId {
    BodyId((solids + SIDES + usize::from(number) - 1) as u16)
}
