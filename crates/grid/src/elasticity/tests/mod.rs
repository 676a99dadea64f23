//! The elastic law at a point and on the grid, against closed forms.

mod grid;
mod point;
