//! Melts of milky bodies: what crystals made milky in the solid is clear without them.

use crate::look::{Body, Look};

/// Distances that light travels in the melt until it has the body's colour, in those that it wanders in the solid.
const DEPTH: f32 = 10.0;
/// Roughness of a melt's surface, which is smooth as that of other liquids.
const ROUGHNESS: f32 = 0.05;

impl Look {
    /// The look of this body where it has melted; none of one that is not milky or stays so.
    ///
    /// The melt takes its colour from the solid, and `1 - clearing` of the scatterings that light meets there.
    pub fn molten(&self) -> Option<Self> {
        let Body::Scattering { colour, radius } = self.body else {
            return None;
        };
        if self.clearing <= 0.0 {
            return None;
        }
        let wander = radius.element_sum() / 3.0;
        let clear = Self::clear(colour, DEPTH * wander, self.refractive_index);
        let mut melt = Self {
            roughness: self.roughness.min(ROUGHNESS),
            vertex_colour: self.vertex_colour,
            glow: self.glow,
            ..clear
        };
        if let Body::Clear { haze, .. } = &mut melt.body {
            *haze = (1.0 - self.clearing) / wander;
        }
        Some(melt.with_colour(colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearer_melts_scatter_less_and_those_that_do_not_clear_are_none() {
        let wax = Look::named("wax").expect("a preset");
        let haze = |clearing: f32| match (Look { clearing, ..wax }).molten()?.body {
            Body::Clear { haze, .. } => Some(haze),
            _ => None,
        };
        assert!(haze(0.5) > haze(0.9) && haze(0.9) > haze(1.0));
        assert_eq!((haze(1.0), haze(0.0)), (Some(0.0), None));
        for name in Look::names() {
            let look = Look::named(name).expect("listed presets exist");
            assert_eq!(look.molten().is_some(), name == "wax", "{name}");
            assert!(look.molten().is_none_or(|melt| melt.check(name).is_ok()));
        }
    }
}
