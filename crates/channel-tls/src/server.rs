//! The server's end.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use portreeve_channel::{SecureStream, StreamAcceptor};
use portreeve_x509::{Credentials, PeerRole, Trust};
use rustls::{ServerConfig, ServerConnection, crypto::aws_lc_rs::Ticketer, server::NoServerSessionStorage};

use crate::{
    channel::TlsChannel,
    settings::{SettingsError, Versions, provider},
    verifier::PeerVerifier,
};

/// Makes the server's ends. Credentials and trust can be put anew while channels are open, which keep what they have.
pub struct TlsServer {
    current: Mutex<ServerSetup>,
}

#[derive(Clone)]
struct ServerSetup {
    config: Arc<ServerConfig>,
    verifier: Arc<PeerVerifier>,
}

impl TlsServer {
    /// Presents `credentials` and takes in whom `trust` trusts.
    ///
    /// # Errors
    /// When the key is not the certificate's, or of a kind that TLS cannot use.
    pub fn new(credentials: &Credentials, trust: Trust, versions: Versions) -> Result<Self, SettingsError> {
        Ok(Self { current: Mutex::new(ServerSetup::new(credentials, trust, versions)?) })
    }

    /// From now on presents and trusts these. Tickets of before are void.
    ///
    /// # Errors
    /// As [`new`](Self::new), and nothing has changed.
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
        // Sessions are resumed by tickets alone, so that a peer's sessions cost no memory here once they are closed.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.ticketer = Ticketer::new().map_err(SettingsError)?;
        config.send_tls13_tickets = 1;
        config.max_early_data_size = 0;
        Ok(Self { config: Arc::new(config), verifier })
    }
}
