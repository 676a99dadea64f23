//! Frames, checkpoints and statistics.
//!
//! A run leaves a folder behind: the scene as it was run, one file a frame, a line of statistics and of
//! probe readings a frame, a checkpoint to continue from, and a summary. [`RunFolder`] reads such a folder and
//! [`RunWriter`] makes one, under a [`FolderLock`]. A [`Ledger`] tells which files of a folder ooze made, and from what.
//! Every file but those that grow line by line is written under a temporary name, flushed to the disk and renamed, so that
//! it is there whole or not at all; binary files carry checksums, and a damaged one is named when it is read.

mod archive;
mod checkpoint;
mod error;
mod folder;
mod folders;
mod frame;
mod info;
mod ledger;
mod line_log;
mod lock;
mod npy;
mod older_run;
mod own_file;
mod probes;
pub mod sealed;
mod statistics;
mod writer;

pub use error::CacheError;
pub use folder::RunFolder;
pub use info::{InputFile, Machine, PictureTotals, RunInfo, RunStatus, Totals, checksum};
pub use ledger::{Ledger, Origin, Standing};
pub use lock::FolderLock;
pub use older_run::OlderRun;
pub use probes::ProbeTable;
pub use statistics::StatisticsLines;
pub use writer::RunWriter;
