//! The client's end.

use std::{fmt, sync::Arc};

use portreeve_channel::{ChannelError, ChannelStep, SecureStream};
use portreeve_x509::{Credentials, PeerRole, Trust};
use rustls::{ClientConfig, ClientConnection, pki_types::ServerName};

use crate::{
    channel::TlsChannel,
    handshake_tap::HandshakeTap,
    mutual_auth::SessionCache,
    settings::{SettingsError, Versions, provider},
    verifier::PeerVerifier,
};

/// Makes the client's ends: towards one server or many, as the same user. Sessions are resumed where the server allows.
pub struct TlsClient {
    config: Arc<ClientConfig>,
    sessions: SessionCache,
    verifier: Arc<PeerVerifier>,
}

/// By which name a server's certificate must know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerExpectation(ServerName<'static>);

impl ServerExpectation {
    /// A DNS name or an IP address, as it was typed. Pinned certificates are taken whatever the name.
    ///
    /// # Errors
    /// For what is neither.
    pub fn named(host: &str) -> Result<Self, ChannelError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| {
            ChannelError::at(
                ChannelStep::Resolve,
                format!("{:?} is no name that a certificate could have", host),
            )
            .with_hint("reach the server by its DNS name or IP address")
        })?;
        Ok(Self(name))
    }
}

impl TlsClient {
    /// Presents `credentials` and takes only servers that `trust` trusts.
    ///
    /// # Errors
    /// When the key is not the certificate's, or of a kind that TLS cannot use.
    pub fn new(credentials: &Credentials, trust: Trust, versions: Versions) -> Result<Self, SettingsError> {
        let provider = provider();
        let verifier =
            Arc::new(PeerVerifier::new(PeerRole::Server, trust, provider.signature_verification_algorithms));
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(versions.supported())
            .map_err(SettingsError)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&verifier) as _)
            .with_client_auth_cert(credentials.chain().to_vec(), credentials.key().clone_key())
            .map_err(SettingsError)?;
        let sessions = SessionCache::install(&mut config);
        Ok(Self { config: Arc::new(config), sessions, verifier })
    }

    /// A channel for a connection to the server. Its first flight waits to be transmitted.
    ///
    /// # Errors
    /// When the library has no use for the name.
    pub fn connect(&self, expected: &ServerExpectation) -> Result<Box<dyn SecureStream>, ChannelError> {
        Ok(Box::new(self.channel(Arc::clone(&self.config), expected)?))
    }

    /// As [`connect`](Self::connect), and the channel's [`SecureStream::handshake`] tells everything that is shown on the
    /// way. No session is resumed.
    ///
    /// # Errors
    /// When the library has no use for the name.
    pub fn connect_observed(
        &self,
        expected: &ServerExpectation,
    ) -> Result<Box<dyn SecureStream>, ChannelError> {
        let tap = HandshakeTap::default();
        let config = tap.tap_config(&self.config, &self.verifier);
        Ok(Box::new(self.channel(Arc::new(config), expected)?.with_tap(tap)))
    }

    fn channel(
        &self,
        config: Arc<ClientConfig>,
        expected: &ServerExpectation,
    ) -> Result<TlsChannel, ChannelError> {
        let name = expected.0.clone();
        let connection = ClientConnection::new(config, name.clone())
            .map_err(|error| ChannelError::at(ChannelStep::Negotiate, error.to_string()))?;
        Ok(TlsChannel::client(connection, Arc::clone(&self.verifier), name, self.sessions.clone()))
    }
}

impl fmt::Debug for TlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsClient").finish_non_exhaustive()
    }
}
