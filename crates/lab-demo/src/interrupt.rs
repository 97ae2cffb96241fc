//! Stops child processes when an experiment is interrupted.

use std::process::exit;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::Result;
use crate::process;

/// Installs handlers for signals that end the process. They stop child processes first; the
/// clean-up process removes files, and namespaces end with their last process.
pub fn clean_up_when_interrupted() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            process::end_all();
            exit(128 + signal);
        }
    });
    Ok(())
}
