//! Cleans up when an experiment is interrupted.

use std::process::exit;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::Result;
use crate::namespaces::Namespaces;
use crate::process;
use crate::scratch::ScratchDir;

/// Installs handlers for signals that end the process. They stop child processes and remove files
/// and namespaces before the process ends.
pub(crate) fn clean_up_when_interrupted() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            exit(128 + signal);
        }
    });
    Ok(())
}

/// Stops child processes and removes files and namespaces.
pub(crate) fn clean_up() {
    process::end_all();
    Namespaces::remove();
    ScratchDir::remove();
}
