//! Ctrl-C: the first one ends a run after the current measurement, the second one ends the process.

use std::io::{self, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use portreeve_lab_net::Cleaner;

use crate::error::Result;

/// Installs the handler of signals that end a run. `cleaner` removes everything at the second
/// signal.
pub(super) fn install(cleaner: Cleaner) -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            if STOP.swap(true, Ordering::Relaxed) {
                cleaner.finish();
                exit(128 + signal);
            }
            // The terminal may be closed already.
            let text = "stopping after this measurement; press Ctrl-C again to stop at once";
            let _ = writeln!(io::stderr(), "\n{text}");
        }
    });
    Ok(())
}

/// Returns true if the run must end.
pub(super) fn is_requested() -> bool {
    #[cfg(test)]
    if REQUESTED_BY_TEST.get() {
        return true;
    }
    STOP.load(Ordering::Relaxed)
}

/// Returns true if the run must end, after an operation has failed. Ctrl-C may have ended a program
/// of the operation before this process has handled the signal.
pub(super) fn is_requested_after_error() -> bool {
    thread::sleep(SIGNAL_TIME);
    is_requested()
}

/// The time in which this process handles a signal.
const SIGNAL_TIME: Duration = Duration::from_millis(100);

static STOP: AtomicBool = AtomicBool::new(false);

#[cfg(test)]
thread_local! {
    /// Set by a test to request the end of its own run.
    pub(super) static REQUESTED_BY_TEST: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}
