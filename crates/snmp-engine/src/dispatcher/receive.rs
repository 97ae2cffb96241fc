//! Processes the octets of a received message and returns a request.
//!
//! ```text
//! 1 version ─► 2 message ─► 3 security: verify, decrypt ─► 4 scopedPDU, PDU ─► 5 handler
//!     │            │              │                              │                 │
//!     └────────────┴──────────────┴──────────────────────────────┴─────────────────┴► RejectReason
//! ```
//!
//! One function increments the counter of a reject reason. Some reasons also cause a Report, if the
//! message allows one.

use std::sync::Arc;

use portreeve_lcd::Lcd;
use portreeve_smi::{MessageProcessingModel, Timestamp, TmStateReference};
use portreeve_snmp_message::{Version, peek_version};

use super::{Engine, ReceiveOutcome};
use crate::{
    message_processing::{community, v3},
    reject_reason::RejectReason,
    security::UsePrefix,
    statistics::Counter,
};

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
        self.statistics.count(Counter::SnmpInPkts);
        self.users.refresh(lcd);
        let version = match peek_version(message) {
            Ok(version) => version,
            Err(_) => return self.dropped(RejectReason::Malformed),
        };
        match version {
            Version::Known(MessageProcessingModel::V3) => {
                self.receive_v3(lcd, now, transport, max_size, message, reply)
            }
            Version::Known(model) => {
                let max_size = max_size.min(self.local.max_message_size);
                match community::prepare_data_elements(lcd, &self.local, model, transport, max_size, message)
                {
                    Ok(request) => ReceiveOutcome::Request(request),
                    Err(reason) => self.dropped(reason),
                }
            }
            Version::Unknown(_) => self.dropped(RejectReason::BadVersion),
        }
    }

    fn receive_v3<'m>(
        &mut self,
        lcd: &Lcd,
        now: Timestamp,
        transport: &TmStateReference,
        max_size: usize,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> ReceiveOutcome<'m> {
        let context = v3::IncomingContext {
            local: &self.local,
            now,
            transport,
            max_size: max_size.min(self.local.max_message_size),
            users: &self.users,
            use_prefix: UsePrefix(lcd.scalars().tsm_use_prefix.enabled),
        };
        match v3::prepare_data_elements(&context, message) {
            Ok(request) => ReceiveOutcome::Request(request),
            Err(rejection) => {
                let report = self.count(rejection.reason);
                //= rfc3412#7.2-6a
                //= rfc3412#7.2-6b
                let sent = report
                    .zip(rejection.report_target)
                    .and_then(|(report, target)| self.report(now, report, &target, reply));
                sent.map_or(ReceiveOutcome::Dropped(rejection.reason), |(range, level)| {
                    ReceiveOutcome::Report(range, level)
                })
            }
        }
    }

    fn dropped<'m>(&self, reason: RejectReason) -> ReceiveOutcome<'m> {
        self.count(reason);
        ReceiveOutcome::Dropped(reason)
    }
}
