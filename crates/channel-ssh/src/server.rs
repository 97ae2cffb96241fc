//! SSH server.

mod authentication;
mod channel;
mod connection;
mod cpu_time;
mod handler;
mod host_keys;
mod login_cpu_limit;
mod login_steps;
mod progress;
mod russh_log;
mod server_stream;
mod settings;
mod statistics;

use std::sync::{Arc, Mutex, PoisonError};

use portreeve_channel::SshIdentity;
use tokio::io::{AsyncRead, AsyncWrite};

pub use authentication::{
    Authentication, Authorities, KeyFilePatternError, KeyFiles, LoginRefusalReason, PasswordLimits,
};
pub use channel::{Direction, ServerChannel};
pub use connection::{ConnectionOptions, SshCloseReason, SshConnection, SshEvent};
pub use host_keys::HostKeys;
pub use settings::ServerSettings;
pub use statistics::{SshStatistics, SshStatisticsSnapshot};

use authentication::PasswordPool;
use login_cpu_limit::LoginCpuLimit;
use login_steps::LoginSteps;
use settings::ActiveSettings;

/// Serves SSH connections. Settings can be replaced at any time; open connections keep the settings
/// they started with.
pub struct SshServer {
    current: Mutex<Arc<ActiveSettings>>,
    statistics: Arc<SshStatistics>,
    /// The pool of password checks. It is kept when the settings are replaced, so that its limits
    /// hold across all connections.
    passwords: Arc<PasswordPool>,
    login_steps: Arc<LoginSteps>,
    login_cpu: Arc<LoginCpuLimit>,
}

impl SshServer {
    /// Creates a server with these settings.
    pub fn new(settings: ServerSettings) -> Self {
        russh_log::install_log_hook();
        let statistics = Arc::default();
        let passwords = PasswordPool::new(settings.passwords).with_statistics(Arc::clone(&statistics));
        let passwords = Arc::new(passwords);
        let current = ActiveSettings::new(settings, Arc::clone(&passwords));
        Self {
            current: Mutex::new(Arc::new(current)),
            statistics,
            passwords,
            login_steps: Arc::default(),
            login_cpu: Arc::default(),
        }
    }

    /// Replaces the settings for new connections.
    pub fn replace(&self, settings: ServerSettings) {
        let current = ActiveSettings::new(settings, Arc::clone(&self.passwords));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(current);
    }

    /// Returns true if the credential of an earlier login has been revoked since.
    pub fn is_revoked(&self, identity: &SshIdentity) -> bool {
        self.current().authentication.revoked.contains_proof(&identity.proof)
    }

    fn current(&self) -> Arc<ActiveSettings> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the live login counters.
    pub fn statistics(&self) -> &Arc<SshStatistics> {
        &self.statistics
    }

    /// Accepts a connection, which must always be polled on the same current-thread runtime. The
    /// caller enforces timeouts.
    pub fn accept<S>(&self, stream: S, options: ConnectionOptions) -> SshConnection
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        SshConnection::new(self, stream, options)
    }
}

impl std::fmt::Debug for SshServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SshServer").finish_non_exhaustive()
    }
}
