//! What was dropped, refused and closed, as the log is told it: one line for all of it, and none where there was nothing.
//!
//! Peers can provoke any number of refusals. Each is counted; the log hears of a few at once, and of all in these lines.

use portreeve_channel_ssh::server::StatisticsReading as Logins;
use portreeve_transport::StatisticsReading as Sessions;

/// What the counters showed when the log was last told.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    told: Vec<u64>,
}

impl Tally {
    /// The counters that have risen since the last call, and by how much; `None` where none has.
    pub(crate) fn since_last(&mut self, sessions: &Sessions, logins: Option<&Logins>) -> Option<String> {
        let sessions = sessions.named().filter(|(name, _)| !ORDINARY.contains(name));
        let sessions = sessions.map(|(name, count)| (name.to_owned(), count));
        let refused = logins.into_iter().flat_map(|logins| &logins.refused);
        let refused = refused.map(|(refusal, count)| (format!("ssh_logins_refused{{{refusal:?}}}"), *count));
        let requests = logins.map(|logins| ("ssh_requests_refused".to_owned(), logins.requests_refused));
        let now: Vec<_> = sessions.chain(refused).chain(requests).collect();
        self.told.resize(now.len(), 0);
        let mut risen = Vec::new();
        for ((name, count), told) in now.into_iter().zip(&mut self.told) {
            if count > *told {
                risen.push(format!("{name} +{}", count - *told));
                *told = count;
            }
        }
        (!risen.is_empty()).then(|| risen.join(", "))
    }
}

/// What also happens where nothing is wrong.
const ORDINARY: [&str; 4] = ["sessions_opened", "closed_by_peer", "closed_idle", "closed_by_shutdown"];

#[cfg(test)]
mod tests;
