//! What russh refuses before it asks us, and tells nobody but its log: certificates that are not valid now, or that nobody
//! has signed. So its log is listened to.
//!
//! A process has one log of this kind (the crate `log`); russh is what fills it here. Where somebody else has taken it before,
//! these refusals are refusals all the same, but not counted.

use std::{cell::Cell, time::Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

use super::{authentication::LoginRefusalReason, registry};

/// Begins to listen. More than once is once.
pub(super) fn install_log_hook() {
    if log::set_logger(&RusshLogHook).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

/// While it lives, what russh says is about the connection with this number.
pub(super) struct LogScope(Option<usize>);

impl LogScope {
    pub(super) fn enter(number: usize) -> Self {
        Self(CURRENT_CONNECTION.replace(Some(number)))
    }
}

impl Drop for LogScope {
    fn drop(&mut self) {
        CURRENT_CONNECTION.set(self.0);
    }
}

struct RusshLogHook;

impl Log for RusshLogHook {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
    }

    fn log(&self, record: &Record<'_>) {
        let text = record.args().as_str();
        match KNOWN_MESSAGES.iter().find(|(message, _)| text == Some(message)) {
            Some((_, refusal)) => count(*refusal),
            None => {
                tracing::debug!(from = record.target(), text = %record.args(), "another library's warning")
            }
        }
    }

    fn flush(&self) {}
}

fn count(refusal: LoginRefusalReason) {
    let Some(entry) = CURRENT_CONNECTION.get().and_then(registry::find) else { return };
    entry.refusal.set(Some(refusal));
    entry.statistics.record_refusal(refusal, entry.peer, None, Instant::now());
}

/// What russh says, and what it means. The version is pinned, and a test sees each of them counted.
const KNOWN_MESSAGES: [(&str, LoginRefusalReason); 2] = [
    ("Certificate is expired or not yet valid", LoginRefusalReason::CertificateExpired),
    ("Certificate signature is invalid", LoginRefusalReason::CertificateForged),
];

thread_local! {
    static CURRENT_CONNECTION: Cell<Option<usize>> = const { Cell::new(None) };
}
