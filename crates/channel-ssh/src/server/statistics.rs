//! Counters of logins and refusals by reason. Refusals are also logged, at a limited rate.

use std::{
    net::IpAddr,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use portreeve_channel::{LogLimiter, SshProof};

use super::authentication::LoginRefusalReason;

/// The counters of one SSH server.
#[derive(Debug)]
pub struct SshStatistics {
    public_key: AtomicU64,
    certificate: AtomicU64,
    password: AtomicU64,
    refused: [AtomicU64; LoginRefusalReason::ALL.len()],
    rejected_requests: AtomicU64,
    delays: AtomicU64,
    /// Limits log lines about refused logins.
    log_limiter: LogLimiter,
}

impl Default for SshStatistics {
    fn default() -> Self {
        Self {
            public_key: AtomicU64::default(),
            certificate: AtomicU64::default(),
            password: AtomicU64::default(),
            refused: Default::default(),
            rejected_requests: AtomicU64::default(),
            delays: AtomicU64::default(),
            log_limiter: LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND),
        }
    }
}

impl SshStatistics {
    /// Returns all counters, read one after the other.
    pub fn read(&self) -> SshStatisticsSnapshot {
        SshStatisticsSnapshot {
            logins_by_public_key: self.public_key.load(Relaxed),
            logins_by_certificate: self.certificate.load(Relaxed),
            logins_by_password: self.password.load(Relaxed),
            requests_rejected: self.rejected_requests.load(Relaxed),
            login_delays: self.delays.load(Relaxed),
            refused: LoginRefusalReason::ALL
                .iter()
                .copied()
                .zip(self.refused.iter().map(|count| count.load(Relaxed)))
                .collect(),
        }
    }

    /// Returns the number of logins refused for this reason.
    pub fn refused(&self, reason: LoginRefusalReason) -> u64 {
        self.refused.get(reason as usize).map_or(0, |count| count.load(Relaxed))
    }

    pub(super) fn count_refusal(&self, reason: LoginRefusalReason) {
        if let Some(count) = self.refused.get(reason as usize) {
            count.fetch_add(1, Relaxed);
        }
    }

    /// Counts and logs a refused login. `user` is the name that the peer claims.
    pub(super) fn record_refusal(
        &self,
        reason: LoginRefusalReason,
        peer: IpAddr,
        user: Option<&str>,
        now: Instant,
    ) {
        self.count_refusal(reason);
        let Some(suppressed) = self.log_limiter.allow(now) else { return };
        let suppressed = (suppressed > 0).then_some(suppressed);
        let display_name = |user: &str| {
            user.chars().take(MAX_LOGGED_NAME_LEN).flat_map(char::escape_debug).collect::<String>()
        };
        let user = user.map(|user| tracing::field::display(display_name(user)));
        tracing::info!(%peer, user, %reason, suppressed, "SSH login refused");
    }

    pub(super) fn count_login(&self, proof: &SshProof) {
        match proof {
            SshProof::PublicKey { .. } => &self.public_key,
            SshProof::Certificate { .. } => &self.certificate,
            _ => &self.password,
        }
        .fetch_add(1, Relaxed);
    }

    pub(super) fn count_rejected_request(&self) {
        self.rejected_requests.fetch_add(1, Relaxed);
    }

    pub(super) fn count_delay(&self) {
        self.delays.fetch_add(1, Relaxed);
    }
}

/// The values of [`SshStatistics`], read one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SshStatisticsSnapshot {
    /// The number of logins with a key.
    pub logins_by_public_key: u64,
    /// The number of logins with a certificate.
    pub logins_by_certificate: u64,
    /// Logins with a password or with answers to questions.
    pub logins_by_password: u64,
    /// Rejected requests for unsupported services: shells, commands, terminals, forwarding, other
    /// subsystems, or too many channels.
    pub requests_rejected: u64,
    /// The number of times that a login had to wait because its source had used its processor time.
    pub login_delays: u64,
    /// The number of refused logins by reason.
    pub refused: Vec<(LoginRefusalReason, u64)>,
}

/// Maximum number of log lines per second.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
/// Maximum number of characters of a user name in the log.
const MAX_LOGGED_NAME_LEN: usize = 64;

#[cfg(test)]
mod tests;
