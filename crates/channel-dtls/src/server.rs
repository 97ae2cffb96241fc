//! DTLS server channels, and the choice of the version.
//!
//! ```text
//!                            offers 1.3, and so do we ──▶ Channel13 (HelloRetryRequest)
//! ClientHello ── versions? ──┤
//!                            └─ 1.2 ── cookie? ── missing or invalid ──▶ HelloVerifyRequest
//!                                         └────── valid ──▶ Channel12
//! ```
//! The first fragment of a ClientHello is handled like a complete one. The channels reassemble the
//! fragments, those of 1.2 only after the cookie is verified.

use std::{
    fmt,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use portreeve_channel::{AcceptOutcome, DatagramAcceptor, PeerIdentity, SecureDatagrams};
use portreeve_x509::{Credentials, Trust};

use crate::{
    cookie::CookieIssuer,
    hello::{ClientHello, OfferedVersions},
    settings::{Settings, SettingsError, contexts},
    v12::{Channel12, Context12},
    v13::{Channel13, Context13},
    verifier::PeerVerifier,
};

/// Creates server channels. Credentials and trust can be replaced while channels are open.
pub struct DtlsServer {
    current: Mutex<Arc<ServerSetup>>,
    cookies: CookieIssuer,
}

struct ServerSetup {
    v12: Option<Context12>,
    v13: Option<Context13>,
    verifier: PeerVerifier,
}

impl DtlsServer {
    /// Creates a server that presents `credentials`, and accepts clients that `trust` verifies.
    /// With credentials that our DTLS 1.3 does not support, only 1.2 is used; see
    /// [`supports_13`](Self::supports_13).
    ///
    /// # Errors
    /// If the key does not belong to the certificate, or none of the configured versions supports
    /// them.
    pub fn new(credentials: &Credentials, trust: Trust, settings: Settings) -> Result<Self, SettingsError> {
        let setting = ServerSetup::new(credentials, trust, &settings)?;
        let cookies = CookieIssuer::new(Instant::now()).map_err(|_| SettingsError {
            cause: "the system cannot supply random bytes".to_owned(),
            hint: None,
        })?;
        Ok(Self { current: Mutex::new(Arc::new(setting)), cookies })
    }

    /// Replaces credentials, trust and settings for new channels. Open channels keep the old ones.
    ///
    /// # Errors
    /// Those of [`new`](Self::new); the previous credentials, trust and settings then remain in
    /// use.
    pub fn replace(
        &self,
        credentials: &Credentials,
        trust: Trust,
        settings: Settings,
    ) -> Result<(), SettingsError> {
        let setting = Arc::new(ServerSetup::new(credentials, trust, &settings)?);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = setting;
        Ok(())
    }

    /// Returns `true` if the server uses DTLS 1.3 with clients that offer it.
    pub fn supports_13(&self) -> bool {
        self.setup().v13.is_some()
    }

    fn setup(&self) -> Arc<ServerSetup> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl DatagramAcceptor for DtlsServer {
    fn hello_random(&self, datagram: &[u8]) -> Option<[u8; 32]> {
        ClientHello::parse(datagram)?.version_and_random.last_chunk().copied()
    }

    fn accept(&self, now: Instant, peer: SocketAddr, datagram: &mut [u8], reply: &mut [u8]) -> AcceptOutcome {
        let Some(hello) = ClientHello::parse(datagram) else { return AcceptOutcome::Dropped };
        let setting = self.setup();
        let has_cookie = self.cookies.verify(now, peer, &hello);
        let offered = hello.versions.unwrap_or_else(|| setting.assumed_versions());
        // A client that returns the cookie of DTLS 1.2 continues with that version.
        if offered.dtls13
            && !has_cookie
            && let Some(context) = &setting.v13
        {
            return channel_outcome(Channel13::accept(context, setting.verifier.clone(), now, datagram));
        }
        let context = match &setting.v12 {
            Some(context) if offered.dtls12 => context,
            _ => return reply_outcome(write_version_alert(&hello, reply)),
        };
        if has_cookie {
            let (record, rest) = datagram.split_at(hello.record_len);
            channel_outcome(Channel12::accept(context, setting.verifier.clone(), now, record, rest))
        } else {
            reply_outcome(self.cookies.write_challenge(now, peer, &hello, reply))
        }
    }

    fn is_revoked(&self, identity: &PeerIdentity) -> bool {
        matches!(identity, PeerIdentity::Certificate(identity) if self.setup().verifier.is_revoked(identity))
    }
}

impl fmt::Debug for DtlsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsServer").finish_non_exhaustive()
    }
}

impl ServerSetup {
    fn new(credentials: &Credentials, trust: Trust, settings: &Settings) -> Result<Self, SettingsError> {
        let (v12, v13) = contexts(credentials, settings)?;
        Ok(Self { v12, v13, verifier: PeerVerifier::for_clients(Arc::new(trust)) })
    }

    /// Returns the versions to assume if the first fragment of a ClientHello does not show them:
    /// 1.2, which requests the cookie without keeping state, if it is enabled.
    fn assumed_versions(&self) -> OfferedVersions {
        OfferedVersions { dtls12: true, dtls13: self.v12.is_none() }
    }
}

fn channel_outcome<C: SecureDatagrams + 'static>(channel: Option<C>) -> AcceptOutcome {
    channel.map_or(AcceptOutcome::Dropped, |channel| AcceptOutcome::Channel(Box::new(channel)))
}

fn reply_outcome(length: Option<usize>) -> AcceptOutcome {
    length.map_or(AcceptOutcome::Dropped, AcceptOutcome::Reply)
}

/// Writes the alert protocol_version for a hello that offers no supported version.
fn write_version_alert(hello: &ClientHello<'_>, reply: &mut [u8]) -> Option<usize> {
    let mut alert = [21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 70];
    alert.get_mut(5..11)?.copy_from_slice(&hello.sequence);
    reply.get_mut(..alert.len())?.copy_from_slice(&alert);
    Some(alert.len())
}
