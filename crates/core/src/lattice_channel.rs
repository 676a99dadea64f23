//! Fields on sparse lattices as channels: the level sets of frames, and what checkpoints of liquids on grids hold.
//!
//! A field `name` is five channels: `name_tiles`, three numbers for the lowest cell of each tile, `name_values`, the values of
//! those tiles, `name_uniform_tiles` and `name_uniform_values` for tiles that hold one value only, and `name_outside`, the
//! value everywhere else. Numbers of cells below zero are stored as two's complements.

use std::collections::HashSet;
use std::sync::Arc;

use glam::IVec3;
use ooze_field::{Field, Lattice, Place, TILE_EDGE, TopologyBuilder};

use crate::{ChannelData, ChannelError, Channels, expect_length};

/// Adds a field to a set of channels. Tiles that hold nothing but the outside value are left out.
pub fn insert_field(channels: &mut Channels, name: &str, field: &Field<f32>) {
    let topology = field.topology();
    let (mut tiles, mut values) = (Vec::new(), Vec::new());
    let (mut uniform_tiles, mut uniform_values) = (Vec::new(), Vec::new());
    for slot in 0..topology.tile_count() {
        let tile = field.tile(slot);
        let lower = topology
            .tile_lower(slot)
            .to_array()
            .map(|number| number as u32);
        if tile
            .iter()
            .any(|value| value.to_bits() != tile[0].to_bits())
        {
            tiles.extend(lower);
            values.extend_from_slice(tile);
        } else if tile[0].to_bits() != field.outside().to_bits() {
            uniform_tiles.extend(lower);
            uniform_values.push(tile[0]);
        }
    }
    let mut insert = |part: &str, data| channels.insert(&format!("{name}_{part}"), data);
    insert("tiles", ChannelData::Word(tiles));
    insert("values", ChannelData::Scalar(values));
    insert("uniform_tiles", ChannelData::Word(uniform_tiles));
    insert("uniform_values", ChannelData::Scalar(uniform_values));
    insert("outside", ChannelData::Scalar(vec![field.outside()]));
}

/// Takes a field that [`insert_field`] added out of a set of channels.
pub fn take_field(
    channels: &mut Channels,
    name: &str,
    lattice: Lattice,
    place: Place,
) -> Result<Field<f32>, ChannelError> {
    let [tiles_name, uniform_name] =
        ["tiles", "uniform_tiles"].map(|part| format!("{name}_{part}"));
    let tiles = channels.take_words(&tiles_name)?;
    let values = channels.take_scalars(&format!("{name}_values"))?;
    let uniform_tiles = channels.take_words(&uniform_name)?;
    let uniform_values = channels.take_scalars(&format!("{name}_uniform_values"))?;
    let outside = channels.take_scalars(&format!("{name}_outside"))?;
    expect_length(&format!("{name}_outside"), &outside, 1)?;
    let mut seen = HashSet::new();
    let varied = lowest_cells(&tiles_name, &tiles, &lattice, &mut seen)?;
    let uniform = lowest_cells(&uniform_name, &uniform_tiles, &lattice, &mut seen)?;
    let builder = TopologyBuilder::new(lattice);
    for &cell in varied.iter().chain(&uniform) {
        builder.mark(cell, 0);
    }
    let topology = Arc::new(builder.build());
    let in_tile = topology.tile_cells();
    expect_length(&format!("{name}_values"), &values, varied.len() * in_tile)?;
    expect_length(
        &format!("{name}_uniform_values"),
        &uniform_values,
        uniform.len(),
    )?;
    let mut field = Field::new(&topology, place, outside[0]);
    let slot = |cell: IVec3| topology.slot_of(cell) as usize * in_tile;
    for (&cell, values) in varied.iter().zip(values.chunks_exact(in_tile)) {
        field.values_mut()[slot(cell)..][..in_tile].copy_from_slice(values);
    }
    for (&cell, &value) in uniform.iter().zip(&uniform_values) {
        field.values_mut()[slot(cell)..][..in_tile].fill(value);
    }
    Ok(field)
}

/// The lowest cells of tiles, three numbers a tile; each must be that of a tile of the lattice that was not `seen` before.
fn lowest_cells(
    name: &str,
    numbers: &[u32],
    lattice: &Lattice,
    seen: &mut HashSet<IVec3>,
) -> Result<Vec<IVec3>, ChannelError> {
    let (triples, rest) = numbers.as_chunks::<3>();
    expect_length(name, numbers, numbers.len() + (3 - rest.len()) % 3)?;
    // Tiles reach one tile beyond the lattice.
    let highest = (lattice.cells + (TILE_EDGE - 1)) / TILE_EDGE * TILE_EDGE;
    let is_tile = |cell: IVec3| {
        let along = |axis: usize| {
            let lower = cell[axis];
            if lattice.flat && axis == 2 {
                return lower == 0;
            }
            lower % TILE_EDGE == 0 && (-TILE_EDGE..=highest[axis]).contains(&lower)
        };
        (0..3).all(along)
    };
    let mut cells = Vec::with_capacity(triples.len());
    for (tile, triple) in triples.iter().enumerate() {
        let cell = IVec3::from_array(triple.map(|number| number as i32));
        if !is_tile(cell) || !seen.insert(cell) {
            return Err(ChannelError::Value {
                name: name.into(),
                row: 3 * tile,
                value: format!("{triple:?}").into(),
                wanted: "the lowest cell of a tile that was not there before".into(),
            });
        }
        cells.push(cell);
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ooze_field::Topology;

    use super::*;

    #[test]
    fn a_field_comes_back_whole_or_its_fault_is_named() {
        let lattice = Lattice::new(Vec3::ZERO, 0.1, IVec3::splat(40), false);
        let topology = Arc::new(Topology::full(lattice));
        let field = Field::from_points(&topology, Place::Node, 0.5, |point| {
            (point.distance(Vec3::splat(1.7)) - 1.1).clamp(-0.5, 0.5)
        });
        let mut channels = Channels::default();
        insert_field(&mut channels, "phi", &field);
        let stored = channels.scalars("phi_values").map(<[f32]>::len);
        assert!(stored.is_ok_and(|stored| stored < field.values().len() / 2));
        let back = take_field(&mut channels.clone(), "phi", lattice, Place::Node);
        let back = back.expect("a whole field");
        for cell in 0..40 {
            let cell = IVec3::new(cell, (cell * 7) % 41, (cell * 3) % 37);
            assert_eq!(back.get(cell), field.get(cell));
        }
        let with_tiles = |tiles: Vec<u32>| {
            let mut altered = channels.clone();
            altered.insert("phi_tiles", ChannelData::Word(tiles));
            take_field(&mut altered, "phi", lattice, Place::Node)
        };
        assert!(matches!(
            with_tiles(vec![0, 0, 0]),
            Err(ChannelError::WrongLength { name, .. }) if name == "phi_values"
        ));
        assert!(matches!(
            with_tiles(vec![0, 0, 0, 8]),
            Err(ChannelError::WrongLength { name, expected: 6, .. }) if name == "phi_tiles"
        ));
        // Between tiles, beyond the lattice, and twice.
        for tile in [[0, 3, 0], [0, 0, 48], [0, 0, 1 << 30], [8, 8, 8]] {
            let tiles = [[8, 8, 8], tile].concat();
            assert!(matches!(
                with_tiles(tiles),
                Err(ChannelError::Value { name, row: 3, .. }) if name == "phi_tiles"
            ));
        }
    }
}
