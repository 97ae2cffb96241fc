//! Detects needless retransmissions: a second response to the same request proves one.

use std::time::Duration;

use portreeve_smi::Timestamp;

use super::PendingRequest;

/// The last requests that were sent more than once and answered: the request-id, and the time from
/// the first transmission to the first response.
#[derive(Debug, Default)]
pub(super) struct ResentRequests {
    ended: [Option<(i32, Duration)>; MAX_REMEMBERED],
}

impl ResentRequests {
    /// Records a request that was answered.
    pub(super) fn record(&mut self, now: Timestamp, answered: &PendingRequest) {
        if answered.timer.was_resent() {
            self.ended.rotate_right(1);
            if let Some(newest) = self.ended.first_mut() {
                *newest = Some((answered.request_id, now.since(answered.timer.first_sent())));
            }
        }
    }

    /// Returns the time from a request's first transmission to its first response. A second call
    /// for the same request returns `None`.
    pub(super) fn take(&mut self, request_id: i32) -> Option<Duration> {
        let matches =
            |ended: &&mut Option<(i32, Duration)>| ended.is_some_and(|(known, _)| known == request_id);
        self.ended.iter_mut().find(matches)?.take().map(|(_, round_trip)| round_trip)
    }
}

/// The number of requests to remember. It is small, because a second response that arrives much
/// later does not matter.
const MAX_REMEMBERED: usize = 16;
