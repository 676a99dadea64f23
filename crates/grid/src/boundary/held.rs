//! Cells that are filled with solids which melt.

use glam::{IVec3, Vec3};
use ooze_core::BodyId;
use ooze_field::Field;

use super::Boundary;

/// The share of a face that walls must leave open for such a solid to shut it: what else is shut is the wall's.
const OPEN: f32 = 0.5;

impl Boundary {
    /// Shuts the faces of cells that are filled with solids which melt, told by their numbers, but for those that walls shut:
    /// there the liquid moves as `velocity` says of the solid. `bodies` are the free ones among them, by number.
    pub(crate) fn hold(
        &mut self,
        solids: Field<u8>,
        bodies: Vec<Option<BodyId>>,
        velocity: impl Fn(u8, Vec3) -> Option<Vec3> + Sync,
    ) {
        self.prescribe(|axis, face| {
            if face.open < OPEN {
                return None;
            }
            let below = face.cell - IVec3::AXES[axis];
            let number = solids.get(face.cell).max(solids.get(below));
            velocity(number, face.point).map(|velocity| velocity[axis])
        });
        (self.held, self.held_bodies) = (Some(solids), bodies);
    }

    /// The free body that is a solid which melts, by its number.
    #[inline]
    pub(crate) fn held_body(&self, number: u8) -> Option<BodyId> {
        *self.held_bodies.get(usize::from(number))?
    }

    /// The free body that shuts a face which is driven, if it is one that melts.
    #[inline]
    pub(crate) fn driving_body(&self, axis: usize, cell: IVec3) -> Option<BodyId> {
        let held = self.held.as_ref()?;
        self.held_body(held.get(cell).max(held.get(cell - IVec3::AXES[axis])))
    }

    /// The solid that melts which ends at a face, by its number, and whether it is the cell above the face that it fills; none
    /// where walls shut the face.
    #[inline]
    pub(crate) fn held_end(&self, axis: usize, cell: IVec3) -> Option<(u8, bool)> {
        let held = self.held.as_ref()?;
        let ends = [held.get(cell - IVec3::AXES[axis]), held.get(cell)];
        let driven = self.driven.as_ref()?[axis].get(cell) != 0;
        match ends {
            [number, 0] if driven && number != 0 => Some((number, false)),
            [0, number] if driven && number != 0 => Some((number, true)),
            _ => None,
        }
    }

    /// Whether there are solids that melt.
    #[inline]
    pub(crate) fn holds(&self) -> bool {
        self.held.is_some()
    }
}
