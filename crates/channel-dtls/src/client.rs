//! The client's end.

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

/// Makes the client's ends: towards one server or many, as the same user.
pub struct DtlsClient {
    v12: Option<Context12>,
    v13: Option<Context13>,
    trust: Arc<Trust>,
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
                format!("{host:?} is no name that a certificate could have"),
            )
            .with_hint("reach the server by its DNS name or IP address")
        })?;
        Ok(Self(name))
    }
}

impl DtlsClient {
    /// Presents `credentials` and takes only servers that `trust` trusts. With credentials that DTLS 1.3 has no use for
    /// here, only 1.2 is spoken.
    ///
    /// # Errors
    /// When the key is not the certificate's, or no version wanted can use them.
    pub fn new(credentials: &Credentials, trust: Trust, settings: Settings) -> Result<Self, SettingsError> {
        let (v12, v13) = contexts(credentials, &settings)?;
        Ok(Self { v12, v13, trust: Arc::new(trust) })
    }

    /// A channel with the server. Its first flight waits to be transmitted.
    ///
    /// # Errors
    /// When the library cannot begin.
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
                    Err(ChannelError::at(ChannelStep::Negotiate, "OpenSSL could not begin a DTLS channel"))
                }
            },
            (None, None) => Err(ChannelError::at(ChannelStep::Negotiate, "no version of DTLS can be spoken")),
        }
    }
}

impl fmt::Debug for DtlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsClient").finish_non_exhaustive()
    }
}
