//! What solids do to particles.
//!
//! [`contact`] is the default: walls act through their distance field, with the pressure of a wall full of liquid
//! ([`wall`]), friction and stickiness. [`ghosts`] are particles mirrored across walls in every step; [`samples`] are
//! particles fixed to solids (Kasi, sec. 6.1 and 6.2).

pub mod contact;
pub mod wall;
