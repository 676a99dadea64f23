//! Ctrl-C: the first ends what is going on in good order, the second leaves at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::failure::INTERRUPTED;
use super::words::complain;

/// Whether the user has asked to stop.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    wanted: Arc<AtomicBool>,
    /// What will happen when the user asks.
    promise: Arc<Mutex<&'static str>>,
}

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate, which a process can do once. Without the means to, Ctrl-C ends the
    /// process as it always does, which loses no more than what came after the last checkpoint.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        let listening = ctrlc::set_handler(move || {
            if flag.wanted.swap(true, Ordering::SeqCst) {
                process::exit(INTERRUPTED.into());
            }
            let promise = *flag.promise.lock().unwrap_or_else(PoisonError::into_inner);
            complain(&format!("\n{promise}; press Ctrl-C again to leave at once"));
        });
        if let Err(error) = listening {
            complain(&format!("warning: cannot listen to Ctrl-C: {error}"));
        }
        interrupt
    }

    /// Says what will happen when the user asks to stop while this goes on.
    pub(crate) fn promise(&self, what: &'static str) {
        *self.promise.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    /// Whether to stop.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }
}
