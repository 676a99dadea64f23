//! Sets of methods: each key says which of them read it.

use crate::presets::{CARLSON, FLIP, Family, LEVEL_SET, MethodPreset};

/// A set of methods, by families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Methods(u16);

impl Methods {
    /// Every method.
    pub(crate) const ALL: Self = Self(u16::MAX);
    /// No method, yet.
    pub(crate) const NONE: Self = Self(0);

    /// The methods of a family.
    pub(crate) const fn of(family: Family) -> Self {
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

    /// The methods that are not in the set.
    const fn others(self) -> Self {
        Self(!self.0)
    }

    /// Whether the set has a family.
    pub(crate) fn has(self, family: Family) -> bool {
        self.0 & Self::of(family).0 != 0
    }

    /// Whether the set has a method.
    pub(crate) fn contain(self, preset: MethodPreset) -> bool {
        self.has(preset.method().family())
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

/// All liquids on a grid.
pub(crate) const GRID: Methods = MOMENTUM.with(CARLSON);
/// Those of them that share the stage in which velocities change.
pub(crate) const MOMENTUM: Methods = FLIP.with(LEVEL_SET);
/// Liquids that are full of particles.
pub(crate) const FULL: Methods = LEVEL_SET.others();
/// Those whose walls can let go, rub and give way; walls of whole cells do none of it.
pub(crate) const SMOOTH_WALLS: Methods = CARLSON.others();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::CLAVET;

    #[test]
    fn sets_read_as_words() {
        assert_eq!(CLAVET.in_words(), "`clavet` and `clavet-2005`");
        assert_eq!(FLIP.within(CLAVET).in_words(), "no method yet");
        assert_eq!(FLIP.names().len(), 3);
        assert_eq!(Methods::ALL.names().len(), MethodPreset::ALL.len());
        assert_eq!(
            FULL.names().len(),
            MethodPreset::ALL.len() - LEVEL_SET.names().len()
        );
    }
}
