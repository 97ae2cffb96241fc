//! Requests and responses of SNMP.

use std::collections::HashSet;

use super::snmp::{Kind, SnmpHeader};

/// The messages of SNMP in a conversation.
#[derive(Debug, Default)]
pub(super) struct Exchanges {
    /// All messages.
    pub(super) messages: u64,
    /// Requests and informs, with retransmissions.
    pub(super) requests: u64,
    /// Responses and reports.
    pub(super) responses: u64,
    /// Requests that were answered, each counted once.
    pub(super) transactions: u64,
    /// The identifiers of requests that have not been answered.
    waiting: HashSet<i64>,
}

impl Exchanges {
    /// Adds a message.
    pub(super) fn add(&mut self, header: &SnmpHeader) {
        self.messages += 1;
        match header.kind {
            Kind::Request => {
                self.requests += 1;
                if self.waiting.len() >= MAX_WAITING {
                    self.waiting.clear();
                }
                self.waiting.insert(header.id);
            }
            Kind::Response => {
                self.responses += 1;
                self.transactions += u64::from(self.waiting.remove(&header.id));
            }
            Kind::Notification => {}
        }
    }
}

/// The maximum number of requests that wait for their responses. Managers have fewer.
const MAX_WAITING: usize = 4096;
