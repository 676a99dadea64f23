//! In place of the pictures of a run, in a program that makes none.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use ooze::simulation::Sink;
use ooze_cache::{FolderLock, RunFolder};
use ooze_scene::Scene;

use super::failure::Failure;
use super::interrupt::Interrupt;

/// There is none.
pub(crate) enum Exhibition {}

impl Exhibition {
    /// Refuses.
    pub(crate) fn open(
        _run: &RunFolder,
        _lock: &FolderLock,
        _scene: &Scene,
        _interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        Err(Failure::lacks("pictures"))
    }

    /// Never called.
    pub(crate) fn sink(&self, _every: u32) -> Box<dyn Sink> {
        match *self {}
    }

    /// Never called.
    pub(crate) fn count(&self) -> Arc<AtomicUsize> {
        match *self {}
    }

    /// Never called.
    pub(crate) fn finish(&self, _frames: &[u32], _quiet: bool) -> Result<(), Failure> {
        match *self {}
    }
}
