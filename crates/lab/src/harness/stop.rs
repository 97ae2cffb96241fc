//! Ctrl-C: the first one ends a run after the current measurement, the second one ends the process.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

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
            eprintln!("\nstopping after this measurement; press Ctrl-C again to stop at once");
        }
    });
    Ok(())
}

/// Returns true if the run must end.
pub(super) fn is_requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

static STOP: AtomicBool = AtomicBool::new(false);
