//! An interrupted experiment leaves as little behind as one that ends.

use std::process::exit;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::failure::Result;
use crate::namespaces::Namespaces;
use crate::process;
use crate::scratch::Scratch;

/// From now on, a signal that asks us to end first ends what we started and removes what we made.
pub(crate) fn clean_up_when_interrupted() -> Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            process::end_all();
            Namespaces::remove();
            Scratch::remove();
            exit(128 + signal);
        }
    });
    Ok(())
}
