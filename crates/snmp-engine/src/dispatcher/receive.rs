//! Processes the octets of a received message and returns a request or a notification.
//!
//! ```text
//! 1 version ─► 2 message ─► 3 security: verify, decrypt ─► 4 scopedPDU, PDU ─► 5 handler
//!     │            │              │                              │                 │
//!     └────────────┴──────────────┴──────────────────────────────┴─────────────────┴► RejectReason
//! ```
//!
//! One function increments the counter of a reject reason. Some reasons also cause a Report, if the
//! message allows one.

use std::{ops::Range, sync::Arc};

use portreeve_lcd::Lcd;
use portreeve_mib::modules::framework_mib::SNMP_ENGINE_ID;
use portreeve_smi::{
    ErrorStatus, MessageProcessingModel, SecurityLevel, Timestamp, TmStateReference, Value,
    ber::ForwardWriter,
};
use portreeve_snmp_message::{Pdu, PduType, Version, peek_version};

use super::{Engine, ReceiveOutcome, Response, var_bind_area};
use crate::{
    IncomingNotification, NotificationContent, NotificationOutcome, Request, StateReference,
    message_processing::{ReceivedMessage, ReceivedPdu, RegisteredPdus, community, v3},
    reject_reason::RejectReason,
    security::UsePrefix,
    statistics::Counter,
};

/// The origin of a message and the limits of its answer.
struct Origin<'a> {
    now: Timestamp,
    transport: &'a TmStateReference,
    max_size: usize,
    registered: RegisteredPdus,
}

/// The consequence of a message that was rejected.
enum Rejection {
    Report { range: Range<usize>, level: SecurityLevel, reason: RejectReason },
    Dropped(RejectReason),
}

impl Engine {
    /// Processes a message received over `transport`, with the configuration `lcd`. A message to
    /// the peer may be at most `max_size` octets long.
    ///
    /// The message is decrypted in place. A Report is built in `reply`.
    pub fn receive<'m>(
        &mut self,
        lcd: &Arc<Lcd>,
        now: Timestamp,
        transport: &TmStateReference,
        max_size: usize,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> ReceiveOutcome<'m> {
        let origin = Origin { now, transport, max_size, registered: RegisteredPdus::Requests };
        match self.process(lcd, &origin, message, reply) {
            Ok(ReceivedMessage { pdu: ReceivedPdu::Other(pdu), state, .. }) => {
                ReceiveOutcome::Request(Request { pdu, state })
            }
            // A trap is not registered.
            Ok(ReceivedMessage { pdu: ReceivedPdu::TrapV1(_), .. }) => {
                self.count(RejectReason::UnknownPduHandler);
                ReceiveOutcome::Dropped(RejectReason::UnknownPduHandler)
            }
            Err(Rejection::Report { range, level, .. }) => ReceiveOutcome::Report(range, level),
            Err(Rejection::Dropped(reason)) => ReceiveOutcome::Dropped(reason),
        }
    }

    /// Processes a message for a notification receiver (RFC 3413 §3.4); otherwise like
    /// [`Engine::receive`]. Requests are rejected. [`Engine::accept_senders`] must have been
    /// called, because the senders of SNMPv3 traps are authoritative for them.
    pub fn receive_notification<'m>(
        &mut self,
        lcd: &Arc<Lcd>,
        now: Timestamp,
        transport: &TmStateReference,
        max_size: usize,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> NotificationOutcome<'m> {
        let origin = Origin { now, transport, max_size, registered: RegisteredPdus::Notifications };
        match self.process(lcd, &origin, message, reply) {
            Ok(ReceivedMessage { pdu: ReceivedPdu::Other(pdu), state, .. })
                if pdu.pdu_type == PduType::GetRequest =>
            {
                match self.answer_discovery(now, &state, &pdu, reply) {
                    Ok(range) => NotificationOutcome::Discovery(range),
                    Err(reason) => NotificationOutcome::Dropped(reason),
                }
            }
            Ok(ReceivedMessage { pdu, state, security_engine_id }) => {
                let content = match pdu {
                    ReceivedPdu::TrapV1(trap) => NotificationContent::TrapV1(trap),
                    ReceivedPdu::Other(pdu) if pdu.pdu_type.is_confirmed() => {
                        NotificationContent::Inform(pdu)
                    }
                    ReceivedPdu::Other(pdu) => NotificationContent::TrapV2(pdu),
                };
                NotificationOutcome::Notification(IncomingNotification { content, state, security_engine_id })
            }
            Err(Rejection::Report { range, level, reason }) => {
                NotificationOutcome::Report { range, level, reason }
            }
            Err(Rejection::Dropped(reason)) => NotificationOutcome::Dropped(reason),
        }
    }

    /// Answers a request for the engine ID (RFC 5343 §3.2). Other objects do not exist.
    fn answer_discovery(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        pdu: &Pdu<'_>,
        reply: &mut [u8],
    ) -> Result<Range<usize>, RejectReason> {
        let engine_id = self.local.engine_id;
        let mut writer = ForwardWriter::new(var_bind_area(reply));
        for bind in pdu.var_binds.iter() {
            let name = bind.name.to_buf();
            let value = match name.split_last() {
                Some((0, object)) if object == SNMP_ENGINE_ID.arcs() => {
                    Value::OctetString(engine_id.as_bytes())
                }
                _ => Value::NoSuchObject,
            };
            if writer.var_bind(&name, &value).is_err() {
                self.drop_silently();
                return Err(RejectReason::ResponseTooBig);
            }
        }
        let var_binds = writer.len();
        let response = Response {
            request_id: pdu.request_id,
            error_status: ErrorStatus::NoError,
            error_index: 0,
            var_binds,
        };
        let responded = self.respond(now, state, &response, reply);
        if responded.is_err() {
            self.drop_silently();
        }
        responded
    }

    fn process<'m>(
        &mut self,
        lcd: &Arc<Lcd>,
        origin: &Origin<'_>,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> Result<ReceivedMessage<'m>, Rejection> {
        self.statistics.count(Counter::SnmpInPkts);
        self.users.refresh(lcd);
        let version = match peek_version(message) {
            Ok(version) => version,
            Err(_) => return Err(self.dropped(RejectReason::Malformed)),
        };
        match version {
            Version::Known(MessageProcessingModel::V3) => self.process_v3(lcd, origin, message, reply),
            Version::Known(model) => {
                let max_size = origin.max_size.min(self.local.max_message_size);
                let (transport, registered) = (origin.transport, origin.registered);
                let received = community::prepare_data_elements(
                    lcd,
                    &self.local,
                    model,
                    transport,
                    max_size,
                    registered,
                    message,
                );
                received.map_err(|reason| self.dropped(reason))
            }
            Version::Unknown(_) => Err(self.dropped(RejectReason::BadVersion)),
        }
    }

    fn process_v3<'m>(
        &mut self,
        lcd: &Lcd,
        origin: &Origin<'_>,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> Result<ReceivedMessage<'m>, Rejection> {
        let now = origin.now;
        let senders = match origin.registered {
            RegisteredPdus::Requests => None,
            RegisteredPdus::Notifications => self.senders.as_mut(),
        };
        let mut context = v3::IncomingContext {
            local: &self.local,
            now,
            transport: origin.transport,
            max_size: origin.max_size.min(self.local.max_message_size),
            users: &self.users,
            use_prefix: UsePrefix(lcd.scalars().tsm_use_prefix.enabled),
            registered: origin.registered,
            senders,
        };
        v3::prepare_data_elements(&mut context, message).map_err(|rejection| {
            let reason = rejection.reason;
            let report = self.count(reason);
            //= rfc3412#7.2-6a
            //= rfc3412#7.2-6b
            let sent = report
                .zip(rejection.report_target)
                .and_then(|(report, target)| self.report(now, report, &target, reply));
            match sent {
                Some((range, level)) => Rejection::Report { range, level, reason },
                None => Rejection::Dropped(reason),
            }
        })
    }

    fn dropped(&self, reason: RejectReason) -> Rejection {
        self.count(reason);
        Rejection::Dropped(reason)
    }
}
