//! TLS server channels.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use portreeve_channel::{PeerIdentity, SecureStream, StreamAcceptor};
use portreeve_x509::{Credentials, PeerRole, Trust};
use rustls::{ServerConfig, ServerConnection, crypto::aws_lc_rs::Ticketer, server::NoServerSessionStorage};

use crate::{
    channel::TlsChannel,
    settings::{SettingsError, Versions, provider},
    verifier::PeerVerifier,
};

/// Creates server channels. Credentials and trust can be replaced while channels are open; open
/// channels keep the old ones.
pub struct TlsServer {
    current: Mutex<ServerSetup>,
}

#[derive(Clone)]
struct ServerSetup {
    config: Arc<ServerConfig>,
    verifier: Arc<PeerVerifier>,
}

impl TlsServer {
    /// Creates a server that presents `credentials`, and accepts clients that `trust` verifies.
    ///
    /// # Errors
    /// If the key does not belong to the certificate, or TLS does not support its type.
    pub fn new(credentials: &Credentials, trust: Trust, versions: Versions) -> Result<Self, SettingsError> {
        Ok(Self { current: Mutex::new(ServerSetup::new(credentials, trust, versions)?) })
    }

    /// Replaces credentials, trust and versions for new channels, and invalidates all earlier
    /// tickets.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); the previous credentials, trust and versions then remain in
    /// use.
    pub fn replace(
        &self,
        credentials: &Credentials,
        trust: Trust,
        versions: Versions,
    ) -> Result<(), SettingsError> {
        let setting = ServerSetup::new(credentials, trust, versions)?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = setting;
        Ok(())
    }
}

impl StreamAcceptor for TlsServer {
    fn accept(&self) -> Option<Box<dyn SecureStream>> {
        let ServerSetup { config, verifier } =
            self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let connection = ServerConnection::new(config).ok()?;
        Some(Box::new(TlsChannel::server(connection, verifier)))
    }

    fn is_revoked(&self, identity: &PeerIdentity) -> bool {
        let verifier = Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner).verifier);
        matches!(identity, PeerIdentity::Certificate(identity) if verifier.is_revoked(identity))
    }
}

impl fmt::Debug for TlsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsServer").finish_non_exhaustive()
    }
}

impl ServerSetup {
    fn new(credentials: &Credentials, trust: Trust, versions: Versions) -> Result<Self, SettingsError> {
        let provider = provider();
        let verifier =
            Arc::new(PeerVerifier::new(PeerRole::Client, trust, provider.signature_verification_algorithms));
        let builder = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions.supported())
            .map_err(SettingsError)?
            .with_client_cert_verifier(Arc::clone(&verifier) as _);
        let mut config = builder
            .with_single_cert(credentials.chain().to_vec(), credentials.key().clone_key())
            .map_err(SettingsError)?;
        // Sessions are resumed by tickets only, so closed sessions take no memory here.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.ticketer = Ticketer::new().map_err(SettingsError)?;
        config.send_tls13_tickets = 1;
        config.max_early_data_size = 0;
        Ok(Self { config: Arc::new(config), verifier })
    }
}
