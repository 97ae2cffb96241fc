//! The server's end.

mod authentication;
mod callbacks;
mod connection;
mod handler;
mod host_keys;
mod pre_auth_limit;
mod registry;
mod russh_log;
mod settings;
mod socket_stats;
mod statistics;

use std::{
    net::SocketAddr,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use portreeve_channel::SshAlgorithms;
use tokio::io::{AsyncRead, AsyncWrite};

pub use authentication::{
    Authentication, Authorities, KeyFilePatternError, KeyFiles, LoginRefusalReason, PasswordLimits,
};
pub use callbacks::{ChannelNumber, ChannelWriter, ConnectionCallbacks, ConnectionHandle, ControlFlow};
pub use connection::SshCloseReason;
pub use host_keys::HostKeys;
pub use settings::ServerSettings;
pub use statistics::{SshStatistics, SshStatisticsSnapshot};

use crate::TrafficSettings;
use authentication::PasswordPool;
use settings::ActiveSettings;

/// Serves SSH connections. Keys and rules can be put anew while connections are open, which keep what they have.
pub struct SshServer {
    current: Mutex<Arc<ActiveSettings>>,
    statistics: Arc<SshStatistics>,
    /// Outlives the settings, so that a bound is one.
    passwords: Arc<PasswordPool>,
}

impl SshServer {
    /// A server with these settings.
    pub fn new(settings: ServerSettings) -> Self {
        russh_log::install_log_hook();
        let passwords = Arc::new(PasswordPool::new(settings.passwords));
        let current = ActiveSettings::new(settings, Arc::clone(&passwords));
        Self { current: Mutex::new(Arc::new(current)), statistics: Arc::default(), passwords }
    }

    /// From now on connections get these.
    pub fn replace(&self, settings: ServerSettings) {
        let current = ActiveSettings::new(settings, Arc::clone(&self.passwords));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(current);
    }

    /// Who came in and who was refused, live.
    pub fn statistics(&self) -> &Arc<SshStatistics> {
        &self.statistics
    }

    /// Serves one connection until it ends; dropping the future closes it at once. How long a peer may take is the caller's
    /// to decide. To be polled on a current-thread runtime, always the same.
    pub async fn serve<S>(
        &self,
        stream: S,
        peer: SocketAddr,
        traffic: TrafficSettings,
        algorithms: SshAlgorithms,
        callbacks: Rc<dyn ConnectionCallbacks>,
    ) -> SshCloseReason
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let current = Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner));
        connection::serve(current, Arc::clone(&self.statistics), stream, peer, traffic, algorithms, callbacks)
            .await
    }
}

impl std::fmt::Debug for SshServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SshServer").finish_non_exhaustive()
    }
}
