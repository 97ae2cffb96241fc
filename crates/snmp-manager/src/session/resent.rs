//! Were retransmissions needed? A second answer to the same request says that they were not.

use std::time::Duration;

use portreeve_smi::Timestamp;

use super::PendingRequest;

/// The latest requests that left more than once and were answered: request-id, and how long after the first sending
/// the first answer came.
#[derive(Debug, Default)]
pub(super) struct ResentRequests {
    ended: [Option<(i32, Duration)>; MAX_REMEMBERED],
}

impl ResentRequests {
    /// A request has been answered.
    pub(super) fn record(&mut self, now: Timestamp, answered: &PendingRequest) {
        if answered.timer.was_resent() {
            self.ended.rotate_right(1);
            if let Some(newest) = self.ended.first_mut() {
                *newest = Some((answered.request_id, now.since(answered.timer.first_sent())));
            }
        }
    }

    /// The time of the first answer to this request, told once.
    pub(super) fn take(&mut self, request_id: i32) -> Option<Duration> {
        let is_it =
            |ended: &&mut Option<(i32, Duration)>| ended.is_some_and(|(known, _)| known == request_id);
        self.ended.iter_mut().find(is_it)?.take().map(|(_, round_trip)| round_trip)
    }
}

/// A second answer comes soon after the first or is of no interest.
const MAX_REMEMBERED: usize = 16;
