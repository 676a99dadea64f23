//! Surfaces of level sets and of particles: closed, of the right size, the same on any number of threads.

mod attributes;
mod common;
mod extraction;
mod input;
mod particles;
mod smoothing;
mod splat;
mod tetrahedra;
mod thin;
