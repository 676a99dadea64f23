//! Channels as columns of numbers: a vector gives three.

use ooze_core::{ChannelData, Channels};

use crate::names::word;

/// A channel, or one component of it.
pub(crate) struct Column<'a> {
    /// `x` for a position, `velocity_x` for other vectors, else the channel's own name; a single word.
    pub name: String,
    data: &'a ChannelData,
    axis: usize,
}

/// A number of a column.
pub(crate) enum Cell {
    Single(f32),
    Double(f64),
    Byte(u8),
    Word(u32),
}

/// All columns, the position first, since programs expect it there.
pub(crate) fn columns(channels: &Channels) -> Vec<Column<'_>> {
    let is_position = |name: &str| name == "position";
    let first = channels.iter().filter(|(name, _)| is_position(name));
    let others = channels.iter().filter(|(name, _)| !is_position(name));
    let mut columns = Vec::new();
    for (name, data) in first.chain(others) {
        let ChannelData::Vector(_) = data else {
            columns.push(Column {
                name: word(name),
                data,
                axis: 0,
            });
            continue;
        };
        for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
            columns.push(Column {
                name: if is_position(name) {
                    letter.into()
                } else {
                    format!("{}_{letter}", word(name))
                },
                data,
                axis,
            });
        }
    }
    columns
}

/// Number of rows that all columns have.
pub(crate) fn rows(columns: &[Column]) -> usize {
    columns
        .iter()
        .map(|column| column.data.len())
        .min()
        .unwrap_or(0)
}

impl Column<'_> {
    /// The number in a row.
    pub(crate) fn cell(&self, row: usize) -> Cell {
        match self.data {
            ChannelData::Scalar(values) => Cell::Single(values[row]),
            ChannelData::Vector(values) => Cell::Single(values[row][self.axis]),
            ChannelData::Byte(values) => Cell::Byte(values[row]),
            ChannelData::Word(values) => Cell::Word(values[row]),
            ChannelData::Double(values) => Cell::Double(values[row]),
        }
    }

    /// The type's name in a PLY header.
    pub(crate) fn ply_type(&self) -> &'static str {
        match self.data {
            ChannelData::Scalar(_) | ChannelData::Vector(_) => "float",
            ChannelData::Byte(_) => "uchar",
            ChannelData::Word(_) => "uint",
            ChannelData::Double(_) => "double",
        }
    }
}
