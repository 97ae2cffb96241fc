//! Cleans up when an experiment is interrupted.

use std::process::exit;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::Result;
use crate::namespaces::Namespaces;
use crate::process;
use crate::scratch::ScratchDir;

/// Installs signal handlers: a signal that ends the process then first stops child processes and
/// removes files and namespaces.
pub(crate) fn clean_up_when_interrupted() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            process::end_all();
            Namespaces::remove();
            ScratchDir::remove();
            exit(128 + signal);
        }
    });
    Ok(())
}
