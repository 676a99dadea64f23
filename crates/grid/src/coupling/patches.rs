//! Where bodies all but touch other solids.
//!
//! Between a ball and the floor that it lies on there are cells without room: none of their faces is open, and they have no pressure. The
//! film of liquid there bears the ball all the same, or it would be pressed down by all that stands above it. Each such cell has the
//! pressure of the nearest cell around that has one, and what the body leaves there as it moves away flows in from that cell;
//! nothing where air is nearer.

use std::collections::{HashMap, HashSet};

use glam::IVec3;
use ooze_field::Field;

use super::BodyFaces;
use crate::boundary::Boundary;
use crate::pressure::NO_ROW;

/// The shut cells between bodies and other solids, by the cells whose pressure they have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    /// In the order in which they were found, from the liquid inwards.
    cells: Vec<(IVec3, IVec3)>,
    source: HashMap<IVec3, IVec3>,
}

impl Patches {
    /// Finds those of a system with these rows.
    pub(crate) fn find(faces: &BodyFaces, boundary: &Boundary, row: &Field<u32>) -> Self {
        let mut waiting = narrow_cells(faces, boundary, row);
        let axes = row.topology().lattice().axes();
        let mut patches = Self::default();
        let mut dry = HashSet::new();
        while !waiting.is_empty() {
            let mut reached = Vec::new();
            waiting.retain(|&cell| {
                let around = IVec3::AXES[..axes].iter();
                let around = around.flat_map(|&step| [cell - step, cell + step]);
                let mut beside_air = false;
                for other in around {
                    let source = match row.get(other) {
                        NO_ROW => patches.source.get(&other).copied(),
                        _ => Some(other),
                    };
                    if let Some(source) = source {
                        reached.push((cell, Some(source)));
                        return false;
                    }
                    beside_air |= is_open(boundary, other) || dry.contains(&other);
                }
                if beside_air {
                    reached.push((cell, None));
                }
                !beside_air
            });
            if reached.is_empty() {
                break;
            }
            for (cell, source) in reached {
                match source {
                    Some(source) => {
                        patches.cells.push((cell, source));
                        patches.source.insert(cell, source);
                    }
                    None => {
                        dry.insert(cell);
                    }
                }
            }
        }
        patches
    }

    /// The cell whose row a cell has.
    #[inline]
    pub(crate) fn source(&self, cell: IVec3) -> IVec3 {
        match self.source.is_empty() {
            true => cell,
            false => self.source.get(&cell).copied().unwrap_or(cell),
        }
    }

    /// Gives the cells the pressures that they have.
    pub(crate) fn fill(&self, pressure: &mut Field<f32>) {
        for &(cell, source) in &self.cells {
            pressure.set(cell, pressure.get(source));
        }
    }
}

/// Whether anything could flow into a cell or out of it.
fn is_open(boundary: &Boundary, cell: IVec3) -> bool {
    let axes = boundary.distance.topology().lattice().axes();
    (0..axes).any(|axis| {
        let open = &boundary.open[axis];
        open.get(cell) > 0.0 || open.get(cell + IVec3::AXES[axis]) > 0.0
    })
}

/// Shut cells that lie between a body and another solid.
fn narrow_cells(faces: &BodyFaces, boundary: &Boundary, row: &Field<u32>) -> Vec<IVec3> {
    let axes = row.topology().lattice().axes();
    let mut found = Vec::new();
    for face in faces.iter().filter(|face| face.open == 0.0) {
        for cell in [face.cell - IVec3::AXES[face.axis], face.cell] {
            if row.get(cell) != NO_ROW || is_open(boundary, cell) {
                continue;
            }
            let sides = (0..axes)
                .flat_map(|axis| [(axis, cell), (axis, cell + IVec3::AXES[axis])])
                .map(|(axis, side)| boundary.body_at(boundary.open[axis].position(side)));
            let mut others = sides.flatten();
            if others.any(|body| body != face.body) {
                found.push(cell);
            }
        }
    }
    found.sort_by_key(|cell| cell.to_array());
    found.dedup();
    found
}
