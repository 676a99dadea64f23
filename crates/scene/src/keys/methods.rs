//! Sets of methods: each key says which of them read it.

use crate::presets::{Family, MethodPreset};

/// A set of methods, by families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Methods(u16);

impl Methods {
    /// Every method.
    pub(crate) const ALL: Self = Self(u16::MAX);
    /// No method, yet.
    pub(crate) const NONE: Self = Self(0);

    const fn of(family: Family) -> Self {
        Self(1 << family as u16)
    }

    /// The methods of either set.
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The methods that are in both sets.
    pub(crate) const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set has a method.
    pub(crate) fn contain(self, preset: MethodPreset) -> bool {
        self.0 & Self::of(preset.method().family()).0 != 0
    }

    /// Names of the methods, in the order in which they are documented.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let named = MethodPreset::ALL.iter();
        named
            .filter(|(_, preset)| self.contain(*preset))
            .map(|(name, _)| *name)
            .collect()
    }

    /// Who reads it, in words: "`clavet` and `clavet-2005`", "no method yet".
    pub(crate) fn in_words(self) -> String {
        let names: Vec<String> = self
            .names()
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        listed(&names).unwrap_or_else(|| "no method yet".into())
    }
}

/// Words as an enumeration: "a", "a and b", "a, b and c"; nothing of none.
pub(crate) fn listed(words: &[String]) -> Option<String> {
    let (last, others) = words.split_last()?;
    Some(if others.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", others.join(", "))
    })
}

/// Particles that carry the velocity of a grid.
pub(crate) const FLIP: Methods = Methods::of(Family::Flip);
/// Level sets on a grid.
pub(crate) const LEVEL_SET: Methods = Methods::of(Family::LevelSet);
/// All liquids on a grid.
pub(crate) const GRID: Methods = FLIP.with(LEVEL_SET);
/// Relaxed particles with springs.
pub(crate) const CLAVET: Methods = Methods::of(Family::Clavet);
/// Particles with forces.
pub(crate) const MUELLER: Methods = Methods::of(Family::Mueller);
/// Liquids that are full of particles.
pub(crate) const FULL: Methods = FLIP.with(CLAVET).with(MUELLER);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_belongs_to_exactly_one_family() {
        for (name, preset) in MethodPreset::ALL {
            let families = [FLIP, LEVEL_SET, CLAVET, MUELLER];
            let count = families.iter().filter(|set| set.contain(*preset)).count();
            assert_eq!(count, 1, "{name}");
            assert!(Methods::ALL.contain(*preset) && !Methods::NONE.contain(*preset));
        }
    }

    #[test]
    fn sets_read_as_words() {
        assert_eq!(CLAVET.in_words(), "`clavet` and `clavet-2005`");
        assert_eq!(FLIP.within(CLAVET).in_words(), "no method yet");
        assert_eq!(FLIP.names().len(), 3);
        assert_eq!(Methods::ALL.names().len(), MethodPreset::ALL.len());
    }
}
