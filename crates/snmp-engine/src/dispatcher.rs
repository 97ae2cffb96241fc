//! The dispatcher (RFC 3412 §4): from octets to a request for an application, and from its answer to octets.

mod receive;
mod report;
mod respond;

use std::sync::Arc;

use portreeve_lcd::{Lcd, LcdReader};
use portreeve_smi::SecurityLevel;
use portreeve_snmp_message::Pdu;

use crate::{
    LocalEngine, StateReference, reject_reason::RejectReason, security::usm::UserCache, statistics::Recorder,
};

pub use respond::{Response, reply_buffer_size, var_bind_area};

/// One worker's engine. Shares identity, configuration and counters with the engines of other workers, nothing else.
pub struct Engine {
    local: LocalEngine,
    lcd: LcdReader,
    users: UserCache,
    statistics: Recorder,
    salt: u64,
}

impl Engine {
    /// An engine over the configuration that `lcd` reads.
    ///
    /// `salt` must be unpredictable and differ from that of every other worker: it starts the sequence that keeps
    /// two messages from being encrypted alike.
    pub fn new(local: LocalEngine, lcd: LcdReader, statistics: Recorder, salt: u64) -> Self {
        let mut users = UserCache::default();
        users.refresh(lcd.current());
        Self { local, lcd, users, statistics, salt }
    }

    /// Identity and clock.
    pub fn local(&self) -> &LocalEngine {
        &self.local
    }

    /// The configuration as of the last message received.
    pub fn snapshot(&self) -> &Arc<Lcd> {
        self.lcd.current()
    }

    /// This worker's counters.
    pub fn statistics(&self) -> &Recorder {
        &self.statistics
    }
}

/// What became of a received message.
pub enum ReceiveOutcome<'m> {
    /// A request for the command responder.
    Request(Request<'m>),
    /// Answered by the engine itself, with a Report of this level: this part of the reply buffer is to be sent back.
    Report(std::ops::Range<usize>, SecurityLevel),
    /// Dropped and counted.
    Dropped(RejectReason),
}

/// A request, authentic as far as its security level promises.
pub struct Request<'m> {
    /// What is asked.
    pub pdu: Pdu<'m>,
    /// Who asks, about what, and what the response will need.
    pub state: StateReference,
}

#[cfg(test)]
mod tests;
