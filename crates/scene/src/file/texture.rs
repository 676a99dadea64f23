//! Keys of textures.

use ooze_staging::TexturePattern;

use crate::keys::{metres, number, seconds, table};

table! {
    /// Texture coordinates that stick to the liquid: the channel `rest_position` tells where it was when they were given. Frames
    /// hold it, files for other programs too, and materials with a `texture` show it.
    struct TextureCoordinateKeys "texture coordinates" {
        /// Time after which coordinates are given anew, since a liquid that is stirred draws out whatever sticks to it. There are two
        /// layers of them then, `rest_position` and `rest_position_2`, by turns: at the time t the first shows with a share of
        /// 1 − |2 · frac(t/refresh) − 1|. Left out, coordinates are given for good.
        refresh: f64 [seconds().size()] optional;
    }
}

table! {
    /// A pattern that sticks to the liquid, in pictures. `texture = "sand"` is short for `texture.pattern = "sand"`.
    struct TextureKeys "texture" shorthand pattern {
        /// What it shows.
        pattern: TexturePattern [()] default(TexturePattern::Sand);
        /// Size of a grain, vein, cube or layer; left out, a fortieth of the longest side of the domain.
        size: f64 [metres().size()] optional;
        /// How much lighter and darker than the material's colour it becomes.
        contrast: f64 [number("").between(0.0, 1.0)] default(0.4);
        /// Height of its bumps over their size.
        relief: f64 [number("").between(0.0, 1.0)] default(0.1);
    }
}
