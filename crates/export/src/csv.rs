//! Comma-separated text with a header line; numbers are written with as many digits as it takes to read them back exactly.

use std::io::{self, Write};

use ooze_core::Channels;

use crate::columns::{Cell, columns, rows};

pub(crate) fn write(channels: &Channels, target: &mut dyn Write) -> io::Result<()> {
    let columns = columns(channels);
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    writeln!(target, "{}", names.join(","))?;
    for row in 0..rows(&columns) {
        for (index, column) in columns.iter().enumerate() {
            if index > 0 {
                target.write_all(b",")?;
            }
            match column.cell(row) {
                Cell::Single(value) => write!(target, "{value}")?,
                Cell::Double(value) => write!(target, "{value}")?,
                Cell::Byte(value) => write!(target, "{value}")?,
                Cell::Word(value) => write!(target, "{value}")?,
            }
        }
        target.write_all(b"\n")?;
    }
    Ok(())
}
