//! What russh refuses before it asks us, and tells nobody but its log: certificates that are not valid now, or that nobody
//! has signed. So its log is listened to.
//!
//! A process has one log of this kind (the crate `log`); russh is what fills it here. Where somebody else has taken it before,
//! these refusals are refusals all the same, but not counted.

use std::{cell::Cell, time::Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

use super::{authentication::Refusal, registry};

/// Begins to listen. More than once is once.
pub(super) fn listen() {
    if log::set_logger(&Overheard).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

/// While it lives, what russh says is about the connection with this number.
pub(super) struct Listening(Option<usize>);

impl Listening {
    pub(super) fn to(number: usize) -> Self {
        Self(SPEAKER.replace(Some(number)))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        SPEAKER.set(self.0);
    }
}

struct Overheard;

impl Log for Overheard {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        let said = record.args().as_str();
        match SAID.iter().find(|(words, _)| said == Some(words)) {
            Some((_, refusal)) => count(*refusal),
            None => {
                tracing::debug!(from = record.target(), said = %record.args(), "another library's warning")
            }
        }
    }

    fn flush(&self) {}
}

fn count(refusal: Refusal) {
    let Some(entry) = SPEAKER.get().and_then(registry::find) else { return };
    entry.refusal.set(Some(refusal));
    entry.statistics.refuse(refusal, entry.peer, None, Instant::now());
}

/// What russh says, and what it means. The version is pinned, and a test sees each of them counted.
const SAID: [(&str, Refusal); 2] = [
    ("Certificate is expired or not yet valid", Refusal::CertificateExpired),
    ("Certificate signature is invalid", Refusal::CertificateForged),
];

thread_local! {
    static SPEAKER: Cell<Option<usize>> = const { Cell::new(None) };
}
