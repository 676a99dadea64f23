//! What solids do to particles.
//!
//! Walls act through their distance field ([`contact`]), with the pressure of a wall full of liquid ([`wall`]), friction
//! and stickiness. Mirrored and fixed particles (Kasi, sec. 6.1 and 6.2) are not there.

pub mod contact;
pub mod wall;
