//! No panic reaches the user as a backtrace: it becomes a request for a report, and an exit code of its own.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::arguments::VERSION;
use super::failure::INTERNAL_ERROR;
use super::words::complain;

/// Replaces the message that Rust prints when a thread panics.
pub(crate) fn report_clearly() {
    panic::set_hook(Box::new(|panic| {
        // A panic in one thread can bring down others; the first tells what happened.
        static REPORTED: AtomicBool = AtomicBool::new(false);
        if REPORTED.swap(true, Ordering::SeqCst) {
            return;
        }
        let place = panic
            .location()
            .map_or_else(String::new, |place| format!(" ({place})"));
        let payload = panic.payload();
        let what = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        complain(&format!(
            "internal error{place}: {what}\n\
             This is a bug in ooze {VERSION}, not in your scene. Please report it with the scene and the command you typed.\n\
             Frames that are finished are whole, and `ooze resume` continues from the last checkpoint."
        ));
    }));
}

/// Runs the whole command; a panic becomes an exit code.
pub(crate) fn guard(command: impl FnOnce() -> ExitCode) -> ExitCode {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitCode::from(INTERNAL_ERROR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_exit_code_of_a_bug() {
        let code = guard(|| panic!("on purpose"));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(70)));
        let code = guard(|| ExitCode::from(3));
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(3)));
    }
}
