//! Bodies do what bodies do.

mod contacts;
mod falling;
mod joints;
mod liquids;
mod refusals;
mod resuming;
mod scenes;
mod sleeping;
mod support;
