//! Surfaces of level sets and of particles: closed, of the right size, the same on any number of threads.

mod common;
mod extraction;
mod tetrahedra;
