//! TLS client channels.

use std::{fmt, sync::Arc};

use portreeve_channel::{ChannelError, ChannelStep, SecureStream};
use portreeve_x509::{Credentials, PeerRole, Trust};
use rustls::{ClientConfig, ClientConnection, pki_types::ServerName};

use crate::{
    channel::TlsChannel,
    handshake_tap::HandshakeTap,
    mutual_auth::SessionCache,
    settings::{KeyExchanges, SettingsError, Versions, client_provider},
    verifier::PeerVerifier,
};

/// Creates client channels to one or more servers with the same credentials. Sessions are resumed
/// if the server allows it.
pub struct TlsClient {
    config: Arc<ClientConfig>,
    sessions: SessionCache,
    verifier: Arc<PeerVerifier>,
}

/// The name that a server's certificate must contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerExpectation(ServerName<'static>);

impl ServerExpectation {
    /// Parses a DNS name or an IP address. Pinned certificates are accepted under any name.
    ///
    /// # Errors
    /// If `host` is neither a DNS name nor an IP address.
    pub fn named(host: &str) -> Result<Self, ChannelError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| {
            ChannelError::at(
                ChannelStep::Resolve,
                format!("{:?} is not a valid DNS name or IP address", host),
            )
            .with_hint("specify the server by its DNS name or IP address")
        })?;
        Ok(Self(name))
    }
}

impl TlsClient {
    /// Creates a client that presents `credentials`, and accepts only servers that `trust`
    /// verifies.
    ///
    /// # Errors
    /// If the key does not belong to the certificate, or TLS does not support its type.
    pub fn new(credentials: &Credentials, trust: Trust, versions: Versions) -> Result<Self, SettingsError> {
        Self::with_key_exchanges(credentials, trust, versions, KeyExchanges::All)
    }

    /// Like [`new`](Self::new), but offers only some key exchanges.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), or if the versions do not support the key exchanges.
    pub fn with_key_exchanges(
        credentials: &Credentials,
        trust: Trust,
        versions: Versions,
        key_exchanges: KeyExchanges,
    ) -> Result<Self, SettingsError> {
        let provider = client_provider(key_exchanges);
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

    /// Creates a channel for a connection to the server. Its first flight is waiting to be
    /// transmitted.
    ///
    /// # Errors
    /// If rustls rejects the name.
    pub fn connect(&self, expected: &ServerExpectation) -> Result<Box<dyn SecureStream>, ChannelError> {
        Ok(Box::new(self.channel(Arc::clone(&self.config), expected)?))
    }

    /// Like [`connect`](Self::connect), but [`SecureStream::handshake`] also reports the server's
    /// certificates and whether a client certificate was requested. No session is resumed.
    ///
    /// # Errors
    /// If rustls rejects the name.
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
