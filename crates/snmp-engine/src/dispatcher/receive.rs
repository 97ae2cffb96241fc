//! A message's way in.
//!
//! ```text
//! 1 version ─► 2 message ─► 3 security model: who, how well, decrypt ─► 4 scopedPDU, PDU ─► 5 who serves it?
//!     │            │                        │                                 │                   │
//!     └────────────┴────────────────────────┴─────────────────────────────────┴───────────────────┴─► Failure
//! ```
//!
//! Every failure raises its counter, in one place; some are answered with a Report, if the message allows one.

use portreeve_smi::{MessageProcessingModel, Timestamp, TmStateReference};
use portreeve_snmp_message::{Version, peek_version};

use super::{Engine, Receipt};
use crate::{
    failure::Failure,
    message_processing::{community, v3},
    security::UsePrefix,
    statistics::Counter,
};

impl Engine {
    /// Takes a message that came over `transport`, whose longest message back is `max_size` octets.
    ///
    /// The message is decrypted in place. A Report of our own is built in `reply`.
    pub fn receive<'m>(
        &mut self,
        now: Timestamp,
        transport: &TmStateReference,
        max_size: usize,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> Receipt<'m> {
        self.statistics.count(Counter::SnmpInPkts);
        self.refresh();
        let version = match peek_version(message) {
            Ok(version) => version,
            Err(_) => return self.dropped(Failure::Malformed),
        };
        match version {
            Version::Known(MessageProcessingModel::V3) => {
                self.receive_v3(now, transport, max_size, message, reply)
            }
            Version::Known(model) => {
                let max_size = max_size.min(self.local.max_message_size);
                let lcd = self.lcd.current();
                match community::prepare_data_elements(lcd, &self.local, model, transport, max_size, message)
                {
                    Ok(request) => Receipt::Request(request),
                    Err(failure) => self.dropped(failure),
                }
            }
            Version::Unknown(_) => self.dropped(Failure::BadVersion),
        }
    }

    fn receive_v3<'m>(
        &mut self,
        now: Timestamp,
        transport: &TmStateReference,
        max_size: usize,
        message: &'m mut [u8],
        reply: &mut [u8],
    ) -> Receipt<'m> {
        let scene = v3::Scene {
            local: &self.local,
            now,
            transport,
            max_size: max_size.min(self.local.max_message_size),
            users: &self.users,
            use_prefix: UsePrefix(self.lcd.current().scalars().tsm_use_prefix.enabled),
        };
        match v3::prepare_data_elements(&scene, message) {
            Ok(request) => Receipt::Request(request),
            Err(rejection) => {
                let report = self.count(rejection.failure);
                //= rfc3412#7.2-6a
                //= rfc3412#7.2-6b
                let sent = report
                    .zip(rejection.report_to)
                    .and_then(|(report, target)| self.report(now, report, &target, reply));
                sent.map_or(Receipt::Dropped(rejection.failure), |(range, level)| {
                    Receipt::Report(range, level)
                })
            }
        }
    }

    /// Takes the newest configuration. Receiving a message does; whoever answers an earlier one later has to ask.
    pub fn refresh(&mut self) {
        let lcd = self.lcd.refresh();
        self.users.refresh(lcd);
    }

    fn dropped<'m>(&self, failure: Failure) -> Receipt<'m> {
        self.count(failure);
        Receipt::Dropped(failure)
    }
}
