//! Who came in, and who was refused and why: one counter each.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use portreeve_channel::SshProof;

use super::authentication::Refusal;

/// Counters of one server.
#[derive(Debug, Default)]
pub struct SshStatistics {
    public_key: AtomicU64,
    certificate: AtomicU64,
    password: AtomicU64,
    refused: [AtomicU64; Refusal::ALL.len()],
    not_offered: AtomicU64,
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
