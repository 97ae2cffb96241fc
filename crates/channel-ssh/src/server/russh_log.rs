//! Counts what russh reports only in its log: certificates that are not valid now, or whose
//! signature is invalid, and key exchanges that a peer begins after the first one.
//!
//! A process has one logger of the `log` crate; in this project only russh writes to it. If the
//! program has installed another logger before, nothing is counted; these logins are still refused.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    time::Instant,
};

use log::{Level, LevelFilter, Log, Metadata, Record};

use super::{authentication::LoginRefusalReason, progress::ConnectionProgress};

/// Installs the hook. Further calls have no effect.
pub(super) fn install_log_hook() {
    if log::set_logger(&RusshLogHook).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}

/// While this exists, messages that russh logs on this thread are attributed to one connection.
pub(super) struct LogScope(Option<Arc<ConnectionProgress>>);

impl LogScope {
    pub(super) fn enter(connection: Arc<ConnectionProgress>) -> Self {
        Self(CURRENT_CONNECTION.replace(Some(connection)))
    }
}

impl Drop for LogScope {
    fn drop(&mut self) {
        CURRENT_CONNECTION.set(self.0.take());
    }
}

struct RusshLogHook;

impl Log for RusshLogHook {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Info
    }

    fn log(&self, record: &Record<'_>) {
        let text = record.args().as_str();
        if text == Some(REKEY_MESSAGE) {
            return REKEYS.set(rekeys().wrapping_add(1));
        }
        match KNOWN_MESSAGES.iter().find(|(message, _)| text == Some(message)) {
            Some((_, refusal)) => count(*refusal),
            None => {
                tracing::debug!(source = record.target(), text = %record.args(), "message from the SSH library")
            }
        }
    }

    fn flush(&self) {}
}

fn count(refusal: LoginRefusalReason) {
    let Some(connection) = CURRENT_CONNECTION.with_borrow(Clone::clone) else { return };
    connection.set_refusal(refusal);
    connection.statistics.record_refusal(refusal, connection.peer, None, Instant::now());
}

/// Returns the number of key exchanges that peers have begun after the first one, on connections
/// polled by this thread. The number wraps around.
pub(super) fn rekeys() -> u32 {
    REKEYS.get()
}

/// russh's message when a peer begins a key exchange after the first one.
const REKEY_MESSAGE: &str = "Client has initiated re-key";
/// russh's messages and the refusals they mean. The version of russh is pinned, and a test checks
/// that each refusal is counted.
const KNOWN_MESSAGES: [(&str, LoginRefusalReason); 2] = [
    ("Certificate is expired or not yet valid", LoginRefusalReason::CertificateExpired),
    ("Certificate signature is invalid", LoginRefusalReason::CertificateForged),
];

thread_local! {
    static CURRENT_CONNECTION: RefCell<Option<Arc<ConnectionProgress>>> = const { RefCell::new(None) };
    static REKEYS: Cell<u32> = const { Cell::new(0) };
}
