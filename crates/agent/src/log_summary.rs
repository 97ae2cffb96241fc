//! The log summary of drops, rejections and closed sessions: one line for all, and none if nothing
//! happened.
//!
//! Peers can cause any number of rejections. Only some rejections are logged individually, but all
//! are counted here.

use portreeve_channel_ssh::server::SshStatisticsSnapshot as SshStatistics;
use portreeve_transport::StatisticsReading as SessionStatistics;

/// The counters at the time of the last summary.
#[derive(Debug, Default)]
pub(crate) struct LogSummary {
    last: Vec<u64>,
}

impl LogSummary {
    /// Returns the counters that have increased since the last call, with the increase; `None` if
    /// no counter has increased.
    pub(crate) fn changes(
        &mut self,
        sessions: &SessionStatistics,
        logins: Option<&SshStatistics>,
    ) -> Option<String> {
        let now = counters(sessions, logins);
        self.last.resize(now.len(), 0);
        let mut changed = Vec::new();
        for ((name, count), last) in now.into_iter().zip(&mut self.last) {
            if count > *last {
                changed.push(format!("{name} +{}", count - *last));
                *last = count;
            }
        }
        (!changed.is_empty()).then(|| changed.join(", "))
    }
}

/// Returns the names and values of the counters of drops, rejections and closed sessions.
pub(crate) fn counters(sessions: &SessionStatistics, logins: Option<&SshStatistics>) -> Vec<(String, u64)> {
    let sessions = sessions.named().filter(|(name, _)| !ROUTINE_COUNTERS.contains(name));
    let sessions = sessions.map(|(name, count)| (name.to_owned(), count));
    let refused = logins.into_iter().flat_map(|logins| &logins.refused);
    let refused = refused.map(|(refusal, count)| (format!("ssh_logins_refused{{{refusal:?}}}"), *count));
    let requests = logins.map(|logins| ("ssh_requests_refused".to_owned(), logins.requests_rejected));
    let delays = logins.map(|logins| ("ssh_logins_delayed".to_owned(), logins.login_delays));
    sessions.chain(refused).chain(requests).chain(delays).collect()
}

/// Counters that also increase in normal operation.
const ROUTINE_COUNTERS: [&str; 4] =
    ["sessions_opened", "closed_by_peer", "closed_idle", "closed_by_shutdown"];

#[cfg(test)]
mod tests;
