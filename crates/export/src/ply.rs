//! The polygon file format (Turk 1994), binary and little-endian, with vertices only.

use std::io::{self, Write};

use ooze_core::Channels;

use crate::columns::{Cell, columns, rows};

pub(crate) fn write(channels: &Channels, target: &mut dyn Write) -> io::Result<()> {
    let columns = columns(channels);
    let rows = rows(&columns);
    writeln!(target, "ply\nformat binary_little_endian 1.0")?;
    writeln!(
        target,
        "comment particles written by ooze; lengths in metres"
    )?;
    writeln!(target, "element vertex {rows}")?;
    for column in &columns {
        writeln!(target, "property {} {}", column.ply_type(), column.name)?;
    }
    writeln!(target, "end_header")?;
    for row in 0..rows {
        for column in &columns {
            match column.cell(row) {
                Cell::Single(value) => target.write_all(&value.to_le_bytes())?,
                Cell::Double(value) => target.write_all(&value.to_le_bytes())?,
                Cell::Byte(value) => target.write_all(&[value])?,
                Cell::Word(value) => target.write_all(&value.to_le_bytes())?,
            }
        }
    }
    Ok(())
}
