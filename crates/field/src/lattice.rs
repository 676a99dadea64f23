//! The integer lattice of cells that fields live on.

use glam::{IVec3, Vec3};

/// A box of cubic cells in space. Cell (i, j, k) has its lower corner at `origin + (i, j, k) * cell_size`.
///
/// Indices below zero and beyond `cells` are legal: fields keep a margin there, so that stencils at the sides of the
/// domain need no special cases. A flat lattice is one cell thick and periodic along z: every k means the same cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Lower corner of cell (0, 0, 0).
    pub origin: Vec3,
    /// Edge length of a cell.
    pub cell_size: f32,
    /// Number of cells along each axis.
    pub cells: IVec3,
    /// Whether the lattice is a slab, periodic along z.
    pub flat: bool,
}

impl Lattice {
    /// A lattice of `cells` from `origin` on; a flat one has one cell along z.
    pub fn new(origin: Vec3, cell_size: f32, cells: IVec3, flat: bool) -> Self {
        let cells = if flat { cells.with_z(1) } else { cells };
        Self {
            origin,
            cell_size,
            cells,
            flat,
        }
    }

    /// Number of axes along which cells have neighbours: two in flat lattices, else three.
    #[inline]
    pub fn axes(&self) -> usize {
        if self.flat { 2 } else { 3 }
    }

    /// The lattice of half the cell size in the same place, whose nodes lie on the nodes, edges, faces and centres of this
    /// one's cells: 2 N + 1 of them along N cells (Goktekin 2011, fig. 3.9). A flat one is half as thick.
    pub fn refined(&self) -> Self {
        Self::new(self.origin, 0.5 * self.cell_size, 2 * self.cells, self.flat)
    }

    /// Position in units of cells: the cell's index in the whole part.
    #[inline]
    pub fn to_cells(&self, point: Vec3) -> Vec3 {
        (point - self.origin) / self.cell_size
    }

    /// Position of a point given in units of cells.
    #[inline]
    pub fn to_world(&self, cells: Vec3) -> Vec3 {
        self.origin + cells * self.cell_size
    }

    /// The cell that contains a point.
    #[inline]
    pub fn cell_of(&self, point: Vec3) -> IVec3 {
        floor(self.to_cells(point))
    }

    /// Centre of a cell.
    #[inline]
    pub fn centre(&self, cell: IVec3) -> Vec3 {
        self.to_world(cell.as_vec3() + 0.5)
    }

    /// Volume of a cell; a slab's cell counts with its thickness.
    #[inline]
    pub fn cell_volume(&self) -> f64 {
        f64::from(self.cell_size).powi(3)
    }
}

/// Largest whole numbers not above the components. The standard library's `floor` is a function call on processors
/// without a rounding instruction, and this sits in the innermost loops.
#[inline]
pub fn floor(place: Vec3) -> IVec3 {
    let toward_zero = place.as_ivec3();
    let above = toward_zero.as_vec3().cmpgt(place);
    let down = IVec3::new(i32::from(above.x), i32::from(above.y), i32::from(above.z));
    // Places beyond all whole numbers are outside of every lattice, whatever they wrap to.
    toward_zero.wrapping_sub(down)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_agrees_with_the_standard_library() {
        for step in -400..400 {
            let place = Vec3::new(step as f32 * 0.25, step as f32 * 0.1, -0.0);
            assert_eq!(floor(place), place.floor().as_ivec3(), "{place}");
        }
    }
}
