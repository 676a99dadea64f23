//! Particles of a frame in formats that other programs read.

mod columns;
mod csv;
mod ply;

use std::io::{self, Write};
use std::path::Path;

use ooze_core::Channels;

use crate::{CacheError, atomic};

/// A format that particles can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Binary PLY, every channel a vertex property.
    Ply,
    /// Comma-separated text, every channel a column.
    Csv,
}

impl Format {
    /// The ending of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Csv => "csv",
        }
    }

    /// Writes particles in this format.
    pub fn write(self, channels: &Channels, target: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Ply => ply::write(channels, target),
            Self::Csv => csv::write(channels, target),
        }
    }

    /// Writes particles to a file in this format, whole or not at all.
    pub fn write_file(self, channels: &Channels, path: &Path) -> Result<(), CacheError> {
        atomic::write_with(path, |file| self.write(channels, file))
    }
}
