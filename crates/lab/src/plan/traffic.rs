//! The lengths of sessions in a user's capture (paper 000 §7): the exchanges of each session and
//! the idle gaps between requests, for different times after which an idle session is closed.

use std::path::Path;
use std::time::Duration;

use portreeve_lab_report::statistics::Summary;

use crate::analyse;
use crate::error::Result;

/// The requests in a capture, from each manager to each agent.
#[derive(Debug, PartialEq)]
pub(super) struct Traffic {
    /// The pairs of a manager and an agent.
    pub(super) pairs: usize,
    pub(super) requests: usize,
    /// From the first to the last request.
    pub(super) duration: Duration,
    /// The gaps between the requests of a pair.
    gaps: Vec<Vec<Duration>>,
}

/// The sessions that would carry the requests if idle sessions were closed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sessions {
    pub(super) idle_timeout: Duration,
    /// The exchanges of each session.
    pub(super) exchanges: Summary,
}

impl Traffic {
    /// Reads a capture.
    ///
    /// # Errors
    /// If it contains no request of SNMP in cleartext or with a cleartext header.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let pairs: Vec<Vec<Duration>> = analyse::request_times(file)?.into_values().collect();
        Self::of(&pairs).ok_or_else(|| {
            format!(
                "{}: no request of SNMP is readable\nhint: capture v1, v2c, or v3 with USM; sessions over SSH, TLS and DTLS are encrypted",
                file.display()
            )
            .into()
        })
    }

    /// Computes the gaps; `times` are those of each pair, in order.
    fn of(times: &[Vec<Duration>]) -> Option<Self> {
        let first = times.iter().filter_map(|times| times.first()).min()?;
        let last = times.iter().filter_map(|times| times.last()).max()?;
        let gaps = times.iter().map(|times| {
            times.windows(2).filter_map(|pair| Some(pair.last()?.saturating_sub(*pair.first()?))).collect()
        });
        Some(Self {
            pairs: times.len(),
            requests: times.iter().map(Vec::len).sum(),
            duration: last.saturating_sub(*first),
            gaps: gaps.collect(),
        })
    }

    /// Summarizes the gaps in seconds; `None` if no pair has two requests.
    pub(super) fn gaps(&self) -> Option<Summary> {
        Summary::of(&self.gaps.iter().flatten().map(Duration::as_secs_f64).collect::<Vec<_>>())
    }

    /// Divides the requests into sessions that are closed after an idle time.
    pub(super) fn sessions(&self, idle_timeout: Duration) -> Option<Sessions> {
        let mut exchanges = Vec::new();
        for gaps in &self.gaps {
            let mut length = 1.0;
            for gap in gaps {
                if *gap > idle_timeout {
                    exchanges.push(length);
                    length = 0.0;
                }
                length += 1.0;
            }
            exchanges.push(length);
        }
        Some(Sessions { idle_timeout, exchanges: Summary::of(&exchanges)? })
    }
}

/// The idle timeouts of the table.
pub(super) const IDLE_TIMEOUTS: [Duration; 5] = [
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(600),
    Duration::from_secs(3600),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(times: &[u64]) -> Vec<Duration> {
        times.iter().map(|time| Duration::from_secs(*time)).collect()
    }

    #[test]
    fn sessions_end_after_the_idle_timeout_and_belong_to_one_pair() {
        let traffic = Traffic::of(&[seconds(&[0, 1, 2, 100, 101]), seconds(&[50])]).unwrap();
        assert_eq!((traffic.pairs, traffic.requests, traffic.duration), (2, 6, Duration::from_secs(101)));
        let lengths = |timeout| {
            let sessions = traffic.sessions(Duration::from_secs(timeout)).unwrap().exchanges;
            (sessions.n, sessions.mean, sessions.maximum)
        };
        assert_eq!(lengths(10), (3, 2.0, 3.0));
        assert_eq!(lengths(98), (2, 3.0, 5.0), "a gap as long as the timeout does not end a session");
        assert_eq!(lengths(97), (3, 2.0, 3.0));
        assert_eq!(lengths(0), (6, 1.0, 1.0));
        assert_eq!(traffic.gaps().unwrap().maximum, 98.0);
    }

    #[test]
    fn capture_without_requests_has_no_traffic() {
        assert_eq!(Traffic::of(&[]), None);
        assert_eq!(Traffic::of(&[seconds(&[7])]).unwrap().gaps(), None);
    }
}
