//! Which clear bodies a path is inside of. Where bodies overlap the one of higher priority is there and the others are
//! not: nested dielectrics after Schmidt and Budge 2002. Containers come before liquids, so a liquid that reaches a
//! little into its glass meets it without a gap of air.

use glam::Vec3;

/// One body around a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Medium {
    /// The object.
    pub(crate) object: u32,
    /// Absorption per metre.
    pub(crate) absorption: Vec3,
    /// Refractive index.
    pub(crate) index: f32,
    /// Scattering events per metre.
    pub(crate) haze: f32,
    /// Lower comes first.
    pub(crate) rank: u32,
}

/// Deeper nesting than this is not followed.
const CAPACITY: usize = 4;

/// The bodies around a path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Media {
    entries: [Option<Medium>; CAPACITY],
}

impl Media {
    /// The body that is there: the first in priority.
    #[inline]
    pub(crate) fn current(&self) -> Option<Medium> {
        self.entries
            .iter()
            .flatten()
            .min_by_key(|medium| (medium.rank, medium.object))
            .copied()
    }

    /// The path passes into a body.
    #[inline]
    pub(crate) fn enter(&mut self, medium: Medium) {
        if let Some(free) = self.entries.iter_mut().find(|entry| entry.is_none()) {
            *free = Some(medium);
        }
    }

    /// The path passes out of a body; out of one it was not inside of, nothing happens.
    #[inline]
    pub(crate) fn leave(&mut self, object: u32) {
        if let Some(entry) = self
            .entries
            .iter_mut()
            .find(|entry| entry.is_some_and(|medium| medium.object == object))
        {
            *entry = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn medium(object: u32, rank: u32) -> Medium {
        Medium {
            object,
            rank,
            absorption: Vec3::ZERO,
            index: 1.0 + object as f32,
            haze: 0.0,
        }
    }

    #[test]
    fn priority_decides_and_overlap_is_resolved_in_any_order() {
        let (liquid, glass) = (medium(0, 2), medium(1, 1));
        let mut media = Media::default();
        media.enter(liquid);
        assert_eq!(media.current(), Some(liquid));
        media.enter(glass);
        assert_eq!(media.current(), Some(glass));
        media.leave(0);
        assert_eq!(media.current(), Some(glass));
        media.leave(0);
        media.leave(1);
        assert_eq!(media.current(), None);
    }

    #[test]
    fn overlapping_parts_of_one_body_are_one_body() {
        let mut media = Media::default();
        media.enter(medium(3, 2));
        media.enter(medium(3, 2));
        media.leave(3);
        assert_eq!(media.current(), Some(medium(3, 2)));
        media.leave(3);
        assert_eq!(media.current(), None);
    }
}
