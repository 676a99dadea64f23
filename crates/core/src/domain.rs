//! The box that a scene takes place in, and what happens at its sides.

use glam::{IVec3, Vec3};
use ooze_field::Lattice;

use crate::Contact;

/// What one side of the domain does to liquid that reaches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// A solid wall.
    Closed(Contact),
    /// Liquid leaves and is gone; the air outside has zero pressure.
    Open,
}

/// The simulated box.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Position of the lower corner in metres.
    pub lower: Vec3,
    /// Edge length of a grid cell in metres.
    pub cell_size: f32,
    /// Number of cells along each axis; one along z for a flat (two-dimensional) scene.
    pub cells: IVec3,
    /// A flat scene is a slab one cell thick, periodic along z.
    pub flat: bool,
    /// Lower and upper side of each axis. The z sides of a flat scene are ignored.
    pub sides: [[Side; 2]; 3],
}

impl Domain {
    /// A box of `size` metres with slippery walls all around and so many cells along its longest side.
    pub fn closed(lower: Vec3, size: Vec3, cells: u32) -> Self {
        let cell_size = f64::from(size.max_element()) / f64::from(cells);
        let cells = (size.as_dvec3() / cell_size).round();
        Self {
            lower,
            cell_size: cell_size as f32,
            cells: cells.as_ivec3().max(IVec3::ONE),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        }
    }

    /// The position of the upper corner.
    pub fn upper(&self) -> Vec3 {
        self.lower + self.cells.as_vec3() * self.cell_size
    }

    /// The lattice of cells that covers the domain.
    pub fn lattice(&self) -> Lattice {
        Lattice::new(self.lower, self.cell_size, self.cells, self.flat)
    }

    /// Whether liquid can leave through one of its sides.
    pub fn has_open_sides(&self) -> bool {
        let mut sides = self.sides[..self.dimensions()].iter().flatten();
        sides.any(|&side| side == Side::Open)
    }

    /// Number of axes along which things vary: 2 for flat scenes, else 3.
    pub fn dimensions(&self) -> usize {
        if self.flat { 2 } else { 3 }
    }
}
