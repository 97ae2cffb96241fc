//! The server's end, and which version a new peer gets.
//!
//! ```text
//!                            offers 1.3, and so do we ──▶ Channel13 (proves its address by a HelloRetryRequest)
//! ClientHello ── versions? ──┤
//!                            └─ 1.2 ── cookie? ── none, or not ours ──▶ HelloVerifyRequest; nothing is kept
//!                                         └────── ours ──▶ Channel12
//! ```

use std::{
    fmt,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use portreeve_channel::{AcceptOutcome, DatagramAcceptor, SecureDatagrams};
use portreeve_x509::{Credentials, Trust};

use crate::{
    cookie::CookieIssuer,
    hello::ClientHello,
    settings::{Settings, SettingsError, contexts},
    v12::{Channel12, Context12},
    v13::{Channel13, Context13},
    verifier::PeerVerifier,
};

/// Makes the server's ends. What it presents and trusts can be replaced while channels are open.
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
    /// Presents `credentials` and takes in whom `trust` trusts. With credentials that DTLS 1.3 has no use for here, only
    /// 1.2 is spoken; [`supports_13`](Self::speaks_13) tells.
    ///
    /// # Errors
    /// When the key is not the certificate's, or no version wanted can use them.
    pub fn new(credentials: &Credentials, trust: Trust, settings: Settings) -> Result<Self, SettingsError> {
        let setting = ServerSetup::new(credentials, trust, &settings)?;
        let cookies = CookieIssuer::new(Instant::now())
            .map_err(|_| SettingsError { cause: "the system has no randomness".to_owned(), hint: None })?;
        Ok(Self { current: Mutex::new(Arc::new(setting)), cookies })
    }

    /// From now on presents and trusts these. Channels of before keep what they have.
    ///
    /// # Errors
    /// As [`new`](Self::new), and nothing has changed.
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

    /// Whether clients that offer DTLS 1.3 get it.
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
        if hello.versions.dtls13
            && let Some(context) = &setting.v13
        {
            return channel_outcome(Channel13::accept(context, setting.verifier.clone(), now, datagram));
        }
        let context = match &setting.v12 {
            Some(context) if hello.versions.dtls12 => context,
            _ => return reply_outcome(write_version_alert(&hello, reply)),
        };
        if self.cookies.verify(now, peer, &hello) {
            channel_outcome(Channel12::accept(context, setting.verifier.clone(), now, datagram))
        } else {
            reply_outcome(self.cookies.write_challenge(now, peer, &hello, reply))
        }
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
}

fn channel_outcome<C: SecureDatagrams + 'static>(channel: Option<C>) -> AcceptOutcome {
    channel.map_or(AcceptOutcome::Dropped, |channel| AcceptOutcome::Channel(Box::new(channel)))
}

fn reply_outcome(length: Option<usize>) -> AcceptOutcome {
    length.map_or(AcceptOutcome::Dropped, AcceptOutcome::Reply)
}

/// Writes the alert protocol_version for a hello that offers none of ours.
fn write_version_alert(hello: &ClientHello<'_>, reply: &mut [u8]) -> Option<usize> {
    let mut alert = [21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 70];
    alert.get_mut(5..11)?.copy_from_slice(&hello.sequence);
    reply.get_mut(..alert.len())?.copy_from_slice(&alert);
    Some(alert.len())
}
