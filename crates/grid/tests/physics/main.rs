//! Small liquids that must do what physics says.

mod at_rest;
mod between_planes;
mod carried;
mod drum;
mod elasticity;
mod energy;
mod forces;
mod frozen;
mod gaps;
mod head_space;
mod heat;
mod heat_level_set;
mod level_set;
mod level_set_goo;
mod markers;
mod moving_solids;
mod packing;
mod setting;
mod sources;
mod spin;
mod standing;
mod streams;
mod support;
mod viscosity;
mod walls;
mod warm_scenes;
