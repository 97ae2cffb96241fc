//! The client's end.

mod versions;

use std::{fmt, sync::Arc, time::Instant};

use portreeve_channel::{ChannelError, SecureDatagrams, Step};
use portreeve_x509::{Credentials, Trust};
use rustls_pki_types::ServerName;

use crate::{
    judge::Judge,
    settings::{Settings, SettingsError, contexts},
    v12::{Channel12, Context12},
    v13::{Channel13, Context13},
};
use versions::NewestFirst;

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
            ChannelError::at(Step::Resolve, format!("{host:?} is no name that a certificate could have"))
                .cured_by("reach the server by its DNS name or IP address")
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
        let judge = Judge::of_server(Arc::clone(&self.trust), expected.0.clone());
        let older = self.v12.as_ref().map(|context| (context.clone(), judge.clone()));
        match (&self.v13, older) {
            (Some(context), Some((older, _))) => {
                Ok(Box::new(NewestFirst::new(Channel13::connect(context, judge.clone(), now), older, judge)))
            }
            (Some(context), None) => Ok(Box::new(Channel13::connect(context, judge, now))),
            (None, Some((context, judge))) => match Channel12::connect(&context, judge, now) {
                Some(channel) => Ok(Box::new(channel)),
                None => Err(ChannelError::at(Step::Negotiate, "OpenSSL could not begin a DTLS channel")),
            },
            (None, None) => Err(ChannelError::at(Step::Negotiate, "no version of DTLS can be spoken")),
        }
    }
}

impl fmt::Debug for DtlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsClient").finish_non_exhaustive()
    }
}
