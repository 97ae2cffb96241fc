//! Who came in, and who was refused and why: one counter each, and for the refused a line of the log, as often as that bears it.

use std::{
    net::IpAddr,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use portreeve_channel::{Seldom, SshProof};

use super::authentication::Refusal;

/// Counters of one server.
#[derive(Debug)]
pub struct SshStatistics {
    public_key: AtomicU64,
    certificate: AtomicU64,
    password: AtomicU64,
    refused: [AtomicU64; Refusal::ALL.len()],
    not_offered: AtomicU64,
    /// What the log hears of the refused.
    lines: Seldom,
}

impl Default for SshStatistics {
    fn default() -> Self {
        Self {
            public_key: AtomicU64::default(),
            certificate: AtomicU64::default(),
            password: AtomicU64::default(),
            refused: Default::default(),
            not_offered: AtomicU64::default(),
            lines: Seldom::at_most(LINES),
        }
    }
}

impl SshStatistics {
    /// All counters, read one after the other.
    pub fn read(&self) -> StatisticsReading {
        StatisticsReading {
            logins_by_public_key: self.public_key.load(Relaxed),
            logins_by_certificate: self.certificate.load(Relaxed),
            logins_by_password: self.password.load(Relaxed),
            requests_refused: self.not_offered.load(Relaxed),
            refused: Refusal::ALL
                .iter()
                .copied()
                .zip(self.refused.iter().map(|count| count.load(Relaxed)))
                .collect(),
        }
    }

    /// How often somebody was refused for this.
    pub fn refused(&self, refusal: Refusal) -> u64 {
        self.refused.get(refusal as usize).map_or(0, |count| count.load(Relaxed))
    }

    pub(super) fn count_refusal(&self, refusal: Refusal) {
        if let Some(count) = self.refused.get(refusal as usize) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Counts a refusal, and tells the log; the user is who the peer says it is.
    pub(super) fn refuse(&self, refusal: Refusal, peer: IpAddr, user: Option<&str>, now: Instant) {
        self.count_refusal(refusal);
        let Some(suppressed) = self.lines.allow(now) else { return };
        let suppressed = (suppressed > 0).then_some(suppressed);
        let shown =
            |user: &str| user.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect::<String>();
        let user = user.map(|user| tracing::field::display(shown(user)));
        tracing::info!(%peer, user, %refusal, suppressed, "SSH login refused");
    }

    pub(super) fn count_login(&self, proof: &SshProof) {
        match proof {
            SshProof::PublicKey { .. } => &self.public_key,
            SshProof::Certificate { .. } => &self.certificate,
            _ => &self.password,
        }
        .fetch_add(1, Relaxed);
    }

    pub(super) fn count_refused_request(&self) {
        self.not_offered.fetch_add(1, Relaxed);
    }
}

/// The counters of [`SshStatistics`] at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatisticsReading {
    /// Logins with a key.
    pub logins_by_public_key: u64,
    /// Logins with a certificate.
    pub logins_by_certificate: u64,
    /// Logins with a password or answers to questions.
    pub logins_by_password: u64,
    /// Requests for what does not exist here: shells, commands, terminals, forwarding, other subsystems, too many channels.
    pub requests_refused: u64,
    /// Refused attempts to log in, by reason.
    pub refused: Vec<(Refusal, u64)>,
}

/// Lines of the log a second.
const LINES: u32 = 10;
/// Letters of a name that the log shows.
const LONGEST_SHOWN: usize = 64;

#[cfg(test)]
mod tests;
