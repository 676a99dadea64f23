//! Liquids on a staggered grid.
