//! Patterns that fill space and stick to a liquid by the texture coordinates that it carries.

use ooze_commons::choice;

use crate::error::{StagingError, require};

choice! {
    /// What a texture shows.
    pub enum TexturePattern default Sand {
        /// Grains, lighter and darker, each a bump.
        Sand "sand";
        /// Veins that wind through the body.
        Marble "marble";
        /// Cubes by turns.
        Checker "checker";
        /// Layers by turns, one above the other.
        Stripes "stripes";
    }
}

/// A pattern on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Texture {
    /// What it shows.
    pub pattern: TexturePattern,
    /// Size of a grain, vein, cube or layer in metres.
    pub size: f32,
    /// How much lighter and darker than the body's colour it becomes, 0 to 1.
    pub contrast: f32,
    /// Height of its bumps over its size, 0 to 1.
    pub relief: f32,
    /// How much each layer of coordinates shows; together one.
    pub shares: [f32; 2],
}

impl Texture {
    /// Refuses values that no picture can be made with.
    pub(crate) fn check(&self, of: &str) -> Result<(), StagingError> {
        let name = |key: &str| format!("{of}.texture.{key}");
        require(
            self.size > 0.0 && self.size.is_finite(),
            &name("size"),
            self.size,
            "positive (metres)",
        )?;
        for (key, value) in [("contrast", self.contrast), ("relief", self.relief)] {
            let share = (0.0..=1.0).contains(&value);
            require(share, &name(key), value, "between 0 and 1")?;
        }
        require(
            self.shares.iter().all(|share| (0.0..=1.0).contains(share)),
            &name("shares"),
            format!("{:?}", self.shares),
            "between 0 and 1",
        )
    }
}
