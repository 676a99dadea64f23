//! Small liquids that must do what physics says.

mod clavet;
mod mueller;
mod strings;
mod support;
