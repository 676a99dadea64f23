//! Ctrl-C: the first finishes the sub-step and writes a checkpoint, the second leaves at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::INTERRUPTED;
use super::words::complain;

/// Whether the user has asked to stop.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate. Without the means to, Ctrl-C ends the process as it always does,
    /// which loses no more than what came after the last checkpoint.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        let listening = ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::SeqCst) {
                process::exit(INTERRUPTED.into());
            }
            complain("\nstopping after this sub-step; press Ctrl-C again to leave at once");
        });
        if let Err(error) = listening {
            complain(&format!("warning: cannot listen to Ctrl-C: {error}"));
        }
        interrupt
    }

    /// Whether to stop.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
