//! Requests and responses of SNMP.

use std::collections::HashSet;
use std::time::Duration;

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
    /// The times of the requests, as far as they are kept.
    pub(super) request_times: Vec<Duration>,
    /// The identifiers of requests that have not been answered.
    waiting: HashSet<i64>,
}

impl Exchanges {
    /// Adds a message at a time of the capture.
    pub(super) fn add(&mut self, header: &SnmpHeader, at: Duration) {
        self.messages += 1;
        match header.kind {
            Kind::Request => {
                self.requests += 1;
                if self.request_times.len() < MAX_TIMES {
                    self.request_times.push(at);
                }
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

/// The maximum number of times that are kept for a conversation.
const MAX_TIMES: usize = 100_000;
/// The maximum number of requests that wait for their responses. Managers have fewer.
const MAX_WAITING: usize = 4096;
