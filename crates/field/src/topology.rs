//! Which tiles of the lattice exist: a dense table of tile indices over the domain box, tiles of 8×8×8 cells (8×8×1 in
//! flat lattices) where there is something to compute.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::IVec3;

use crate::Lattice;

/// Cells along an edge of a tile (along x and y only, in flat lattices).
pub const TILE_EDGE: i32 = 8;
const SHIFT: u32 = TILE_EDGE.trailing_zeros();
const MASK: i32 = TILE_EDGE - 1;
/// Marks a tile that does not exist.
pub const NO_TILE: u32 = u32::MAX;

/// The active tiles of a lattice and how to find them.
///
/// The table reaches one tile beyond the domain on every side, so that cells with indices from -8 to `cells + 7` can
/// exist. Tiles are numbered by their place in the box (x fastest), whatever the order in which they were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    lattice: Lattice,
    table: Vec<u32>,
    table_size: IVec3,
    tiles: Vec<IVec3>,
    neighbours: Vec<[u32; 27]>,
}

/// Collects the cells that must exist; marking may happen from several threads at once.
#[derive(Debug)]
pub struct TopologyBuilder {
    lattice: Lattice,
    table_size: IVec3,
    wanted: Vec<AtomicBool>,
}

impl TopologyBuilder {
    /// No tiles yet.
    pub fn new(lattice: Lattice) -> Self {
        let table_size = table_size(&lattice);
        let wanted = (0..table_size.element_product())
            .map(|_| AtomicBool::new(false))
            .collect();
        Self {
            lattice,
            table_size,
            wanted,
        }
    }

    /// Asks for every tile that holds a cell within `margin` cells of `cell`.
    pub fn mark(&self, cell: IVec3, margin: i32) {
        let lowest = self.table_cell(cell - margin);
        let highest = self.table_cell(cell + margin);
        for z in lowest.z..=highest.z {
            for y in lowest.y..=highest.y {
                for x in lowest.x..=highest.x {
                    let entry = &self.wanted[table_entry(self.table_size, IVec3::new(x, y, z))];
                    // Most marks repeat: a load that finds the flag set spares the cache line a write.
                    if !entry.load(Ordering::Relaxed) {
                        entry.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Asks for all tiles of the domain itself.
    pub fn mark_all(&self) {
        let last = self.table_cell(self.lattice.cells);
        for z in self.table_cell(IVec3::ZERO).z..=last.z {
            for y in self.table_cell(IVec3::ZERO).y..=last.y {
                for x in self.table_cell(IVec3::ZERO).x..=last.x {
                    self.wanted[table_entry(self.table_size, IVec3::new(x, y, z))]
                        .store(true, Ordering::Relaxed);
                }
            }
        }
    }

    fn table_cell(&self, cell: IVec3) -> IVec3 {
        tile_of(cell, self.lattice.flat).clamp(IVec3::ZERO, self.table_size - 1)
    }

    /// Number of tiles asked for.
    pub fn count(&self) -> usize {
        self.wanted
            .iter()
            .filter(|flag| flag.load(Ordering::Relaxed))
            .count()
    }

    /// The topology of all tiles asked for.
    pub fn build(self) -> Topology {
        let mut table = vec![NO_TILE; self.wanted.len()];
        let mut tiles = Vec::new();
        for z in 0..self.table_size.z {
            for y in 0..self.table_size.y {
                for x in 0..self.table_size.x {
                    let place = IVec3::new(x, y, z);
                    let entry = table_entry(self.table_size, place);
                    if self.wanted[entry].load(Ordering::Relaxed) {
                        table[entry] = tiles.len() as u32;
                        tiles.push(place);
                    }
                }
            }
        }
        let mut topology = Topology {
            lattice: self.lattice,
            table,
            table_size: self.table_size,
            tiles,
            neighbours: Vec::new(),
        };
        topology.neighbours = (0..topology.tiles.len())
            .map(|slot| topology.find_neighbours(slot))
            .collect();
        topology
    }
}

fn table_size(lattice: &Lattice) -> IVec3 {
    let tiles = (lattice.cells + MASK) >> SHIFT as i32;
    let with_margin = tiles + 2;
    if lattice.flat {
        with_margin.with_z(1)
    } else {
        with_margin
    }
}

#[inline]
fn table_entry(size: IVec3, place: IVec3) -> usize {
    ((place.z * size.y + place.y) * size.x + place.x) as usize
}

/// Place of a cell's tile in the table, which begins one tile below the lattice's origin.
#[inline]
fn tile_of(cell: IVec3, flat: bool) -> IVec3 {
    let place = (cell >> SHIFT as i32) + 1;
    if flat { place.with_z(0) } else { place }
}

impl Topology {
    /// A topology in which every tile of the domain exists.
    pub fn full(lattice: Lattice) -> Self {
        let builder = TopologyBuilder::new(lattice);
        builder.mark_all();
        builder.build()
    }

    /// The lattice below.
    #[inline]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Number of active tiles.
    #[inline]
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// Cells in one tile.
    #[inline]
    pub fn tile_cells(&self) -> usize {
        (TILE_EDGE * TILE_EDGE) as usize * self.tile_depth() as usize
    }

    /// Cells of a tile along z.
    #[inline]
    pub fn tile_depth(&self) -> i32 {
        if self.lattice.flat { 1 } else { TILE_EDGE }
    }

    /// The lowest cell of the tile in `slot`.
    #[inline]
    pub fn tile_lower(&self, slot: usize) -> IVec3 {
        let lower = (self.tiles[slot] - 1) * TILE_EDGE;
        if self.lattice.flat {
            lower.with_z(0)
        } else {
            lower
        }
    }

    /// The cell with index `local` inside the tile in `slot`.
    #[inline]
    pub fn cell(&self, slot: usize, local: usize) -> IVec3 {
        self.tile_lower(slot) + self.local_cell(local)
    }

    /// The cell with index `local` relative to its tile's lowest cell.
    #[inline]
    pub fn local_cell(&self, local: usize) -> IVec3 {
        let local = local as i32;
        IVec3::new(local & MASK, (local >> SHIFT) & MASK, local >> (2 * SHIFT))
    }

    /// The tile that holds a cell, or [`NO_TILE`].
    #[inline]
    pub fn slot_of(&self, cell: IVec3) -> u32 {
        let place = tile_of(cell, self.lattice.flat);
        let inside = place.cmpge(IVec3::ZERO) & place.cmplt(self.table_size);
        if !inside.all() {
            return NO_TILE;
        }
        self.table[table_entry(self.table_size, place)]
    }

    /// Index of a cell inside its tile.
    #[inline]
    pub fn local_of(&self, cell: IVec3) -> usize {
        let within = cell & MASK;
        let flat_part = (within.y << SHIFT | within.x) as usize;
        if self.lattice.flat {
            flat_part
        } else {
            (within.z as usize) << (2 * SHIFT) | flat_part
        }
    }

    /// Place of a cell's value in a field's storage, if its tile exists.
    #[inline]
    pub fn index(&self, cell: IVec3) -> Option<usize> {
        let slot = self.slot_of(cell);
        (slot != NO_TILE).then(|| slot as usize * self.tile_cells() + self.local_of(cell))
    }

    /// Slots of the 3×3×3 tiles around a tile, x fastest; [`NO_TILE`] where there is none. The tile itself is entry 13.
    #[inline]
    pub fn neighbours(&self, slot: usize) -> &[u32; 27] {
        &self.neighbours[slot]
    }

    fn find_neighbours(&self, slot: usize) -> [u32; 27] {
        let mut found = [NO_TILE; 27];
        for (entry, neighbour) in found.iter_mut().enumerate() {
            let entry = entry as i32;
            let step = IVec3::new(entry % 3, entry / 3 % 3, entry / 9) - 1;
            *neighbour = self.slot_of(self.tile_lower(slot) + step * TILE_EDGE);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn lattice(flat: bool) -> Lattice {
        Lattice::new(Vec3::ZERO, 0.1, IVec3::new(20, 17, 33), flat)
    }

    #[test]
    fn marking_a_cell_brings_its_margin_into_being() {
        let builder = TopologyBuilder::new(lattice(false));
        builder.mark(IVec3::new(7, 0, 16), 2);
        let topology = builder.build();
        // Across x = 8, y = 0 and z = 16 lie tile borders.
        assert_eq!(topology.tile_count(), 8);
        for corner in [IVec3::new(5, -2, 14), IVec3::new(9, 2, 18)] {
            let index = topology.index(corner).expect("inside the margin");
            let (slot, local) = (index / 512, index % 512);
            assert_eq!(topology.cell(slot, local), corner);
        }
        assert_eq!(topology.index(IVec3::new(16, 0, 16)), None);
        assert_eq!(topology.index(IVec3::splat(-9)), None);
    }

    #[test]
    fn a_flat_lattice_ignores_depth() {
        let topology = Topology::full(lattice(true));
        assert_eq!(topology.tile_cells(), 64);
        let cell = IVec3::new(11, 3, 0);
        assert_eq!(topology.index(cell), topology.index(cell.with_z(-1)));
        assert_eq!(topology.index(cell), topology.index(cell.with_z(5)));
        let around = topology.neighbours(0);
        assert_eq!(around[4], 0);
        assert_eq!(around[22], 0);
    }

    #[test]
    fn neighbours_are_where_a_look_up_finds_them() {
        let topology = Topology::full(lattice(false));
        for slot in 0..topology.tile_count() {
            let centre = topology.tile_lower(slot);
            for (entry, &neighbour) in topology.neighbours(slot).iter().enumerate() {
                let entry = entry as i32;
                let step = IVec3::new(entry % 3, entry / 3 % 3, entry / 9) - 1;
                assert_eq!(neighbour, topology.slot_of(centre + step * TILE_EDGE));
            }
        }
    }
}
