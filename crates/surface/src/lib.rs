//! Surfaces of liquids from level sets and particles.
