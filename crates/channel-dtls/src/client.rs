//! DTLS client channels.

mod fallback;

use std::{fmt, sync::Arc, time::Instant};

use portreeve_channel::{ChannelError, ChannelStep, SecureDatagrams};
use portreeve_x509::{Credentials, Trust};
use rustls_pki_types::ServerName;

use crate::{
    settings::{Settings, SettingsError, contexts},
    v12::{Channel12, Context12},
    v13::{Channel13, Context13},
    verifier::PeerVerifier,
};
use fallback::VersionFallback;

/// Creates client channels to one or more servers with the same credentials.
pub struct DtlsClient {
    v12: Option<Context12>,
    v13: Option<Context13>,
    trust: Arc<Trust>,
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
            ChannelError::at(ChannelStep::Resolve, format!("{host:?} is not a valid DNS name or IP address"))
                .with_hint("specify the server by its DNS name or IP address")
        })?;
        Ok(Self(name))
    }
}

impl DtlsClient {
    /// Creates a client that presents `credentials`, and accepts only servers that `trust`
    /// verifies. With credentials that our DTLS 1.3 does not support, only 1.2 is used.
    ///
    /// # Errors
    /// If the key does not belong to the certificate, or none of the configured versions supports
    /// them.
    pub fn new(credentials: &Credentials, trust: Trust, settings: Settings) -> Result<Self, SettingsError> {
        let (v12, v13) = contexts(credentials, &settings)?;
        Ok(Self { v12, v13, trust: Arc::new(trust) })
    }

    /// Creates a channel with the server. Its first flight is waiting to be transmitted.
    ///
    /// # Errors
    /// If the library cannot start a handshake.
    pub fn connect(
        &self,
        now: Instant,
        expected: &ServerExpectation,
    ) -> Result<Box<dyn SecureDatagrams>, ChannelError> {
        let verifier = PeerVerifier::for_server(Arc::clone(&self.trust), expected.0.clone());
        let older = self.v12.as_ref().map(|context| (context.clone(), verifier.clone()));
        match (&self.v13, older) {
            (Some(context), Some((older, _))) => Ok(Box::new(VersionFallback::new(
                Channel13::connect(context, verifier.clone(), now),
                older,
                verifier,
            ))),
            (Some(context), None) => Ok(Box::new(Channel13::connect(context, verifier, now))),
            (None, Some((context, verifier))) => match Channel12::connect(&context, verifier, now) {
                Some(channel) => Ok(Box::new(channel)),
                None => {
                    Err(ChannelError::at(ChannelStep::Negotiate, "OpenSSL cannot create a DTLS connection"))
                }
            },
            (None, None) => Err(ChannelError::at(ChannelStep::Negotiate, "no version of DTLS is enabled")),
        }
    }
}

impl fmt::Debug for DtlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsClient").finish_non_exhaustive()
    }
}
