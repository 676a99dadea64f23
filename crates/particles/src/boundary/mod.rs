//! What solids do to particles.
//!
//! Walls act through their distance field ([`contact`]), with the pressure of a wall full of liquid ([`wall`]), friction
//! and stickiness; or as particles, mirrored in every step ([`ghosts`]) or sampled on the solids ([`samples`]).

pub mod contact;
pub mod ghosts;
pub mod samples;
pub mod wall;
