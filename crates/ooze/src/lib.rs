//! Animates viscous, elastic, yielding and melting liquids.
