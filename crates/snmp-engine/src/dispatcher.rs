//! The dispatcher (RFC 3412 §4): turns received octets into a request for an application, and the
//! application's response into octets.

mod receive;
mod report;
mod respond;

use std::{cell::Cell, sync::Arc};

use portreeve_lcd::Lcd;
use portreeve_smi::{ClockReading, EngineId, SecurityLevel, Timestamp};
use portreeve_snmp_message::{Pdu, TrapV1};

use crate::{
    LocalEngine, StateReference,
    reject_reason::RejectReason,
    security::usm::UserCache,
    senders::{SenderEvent, SenderOperations, SenderSettings, Senders},
    statistics::Recorder,
};

pub use respond::{Response, reply_buffer_size, var_bind_area};

/// The engine of one worker. The engines of all workers share only their identity, configuration
/// and counters.
pub struct Engine {
    local: LocalEngine,
    users: UserCache,
    statistics: Recorder,
    salt: u64,
    /// The number of messages that were not properly authenticated.
    authentication_failures: Cell<u64>,
    /// The senders of traps; `None` if no SNMPv3 traps are accepted.
    pub(crate) senders: Option<Senders>,
}

impl Engine {
    /// Creates an engine. `lcd` is the initial configuration, whose users are prepared now.
    ///
    /// `salt` must be unpredictable and different for every worker. It is the first value of a
    /// sequence that ensures that the engine never encrypts two messages with the same salt.
    pub fn new(local: LocalEngine, lcd: &Arc<Lcd>, statistics: Recorder, salt: u64) -> Self {
        let mut users = UserCache::default();
        users.refresh(lcd);
        Self { local, users, statistics, salt, authentication_failures: Cell::default(), senders: None }
    }

    /// Accepts SNMPv3 traps in [`Engine::receive_notification`]; by default, none are accepted.
    ///
    /// Each engine has its own table of the senders' clocks. Therefore, a process with several
    /// engines passes the traps of a sender always to the same engine.
    pub fn accept_senders(&mut self, settings: SenderSettings) {
        self.senders = Some(Senders::new(settings));
    }

    /// Returns the number of engines whose clocks are known from their traps.
    pub fn sender_count(&self) -> usize {
        self.senders.as_ref().map_or(0, Senders::count)
    }

    /// Returns the reading of a sender's clock, if an authentic trap has set it. A program stores
    /// it, so that traps from before a restart are not accepted again.
    ///
    /// A reading that was restored is not returned until a trap passes it: the program has it, and
    /// may have stored a later reading than that of the sender.
    pub fn sender_clock(&self, engine_id: &EngineId, now: Timestamp) -> Option<ClockReading> {
        self.senders.as_ref()?.reading(engine_id, now)
    }

    /// Sets the clock of a sender to a reading that was stored before a restart. Call this after
    /// [`Engine::accept_senders`].
    pub fn restore_sender_clock(&mut self, engine_id: EngineId, reading: ClockReading, now: Timestamp) {
        if let Some(senders) = &mut self.senders {
            senders.restore(engine_id, reading, now);
        }
    }

    /// Returns the next event about the senders of traps.
    pub fn poll_sender_event(&mut self) -> Option<SenderEvent> {
        self.senders.as_mut()?.poll_event()
    }

    /// Returns the number of operations that traps have caused.
    pub fn sender_operations(&self) -> SenderOperations {
        self.senders.as_ref().map_or_else(SenderOperations::default, Senders::operations)
    }

    /// Returns the number of messages since the last call that were not properly authenticated, for
    /// which authenticationFailure is defined (RFC 3418).
    pub fn take_authentication_failures(&mut self) -> u64 {
        self.authentication_failures.take()
    }

    /// Returns the identity and clock of this engine.
    pub fn local(&self) -> &LocalEngine {
        &self.local
    }

    /// Returns the counters of this worker.
    pub fn statistics(&self) -> &Recorder {
        &self.statistics
    }
}

/// The result of processing a received message.
pub enum ReceiveOutcome<'m> {
    /// A request for the command responder.
    Request(Request<'m>),
    /// The engine responds with a Report of this level. The range is its position in the reply
    /// buffer.
    Report(std::ops::Range<usize>, SecurityLevel),
    /// The message was dropped and counted.
    Dropped(RejectReason),
}

/// A request, authenticated according to its security level.
pub struct Request<'m> {
    /// The PDU of the request.
    pub pdu: Pdu<'m>,
    /// The principal, the context, and everything that the response needs.
    pub state: StateReference,
}

/// The result of processing a message for a notification receiver.
#[allow(clippy::large_enum_variant, reason = "messages are processed without allocation")]
pub enum NotificationOutcome<'m> {
    /// A notification.
    Notification(IncomingNotification<'m>),
    /// The engine responds to a request for its engine ID. The range is the position of the
    /// response in the reply buffer.
    Discovery(std::ops::Range<usize>),
    /// The message was rejected and counted, and the engine responds with a Report.
    Report {
        /// The position of the Report in the reply buffer.
        range: std::ops::Range<usize>,
        /// The level of the Report.
        level: SecurityLevel,
        /// The reason of the rejection.
        reason: RejectReason,
    },
    /// The message was dropped and counted.
    Dropped(RejectReason),
}

/// A notification, authenticated according to its security level.
pub struct IncomingNotification<'m> {
    /// The PDU.
    pub content: NotificationContent<'m>,
    /// The principal, the context, and everything that the response to an inform needs.
    pub state: StateReference,
    /// securityEngineID, for USM: the ID of the sender of a trap, or of this engine.
    pub security_engine_id: Option<EngineId>,
}

/// The PDU of a notification. Its variables may be any: snmpTrapOID.0 is not checked.
pub enum NotificationContent<'m> {
    /// The trap of SNMPv1.
    TrapV1(TrapV1<'m>),
    /// The trap of SNMPv2c and SNMPv3.
    TrapV2(Pdu<'m>),
    /// An inform, whose sender expects a response.
    Inform(Pdu<'m>),
}

#[cfg(test)]
mod tests;
