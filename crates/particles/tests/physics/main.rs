//! Small liquids that must do what physics says.

mod carried;
mod clavet;
mod mueller;
mod strings;
mod support;
