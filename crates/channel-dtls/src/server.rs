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

use portreeve_channel::{Acceptance, DatagramAcceptor, SecureDatagrams};
use portreeve_x509::{Credentials, Trust};

use crate::{
    cookie::CookieJar,
    hello::ClientHello,
    judge::Judge,
    settings::{Settings, SettingsError, contexts},
    v12::{Channel12, Context12},
    v13::{Channel13, Context13},
};

/// Makes the server's ends. What it presents and trusts can be replaced while channels are open.
pub struct DtlsServer {
    current: Mutex<Arc<Setting>>,
    cookies: CookieJar,
}

struct Setting {
    v12: Option<Context12>,
    v13: Option<Context13>,
    judge: Judge,
}

impl DtlsServer {
    /// Presents `credentials` and takes in whom `trust` trusts. With credentials that DTLS 1.3 has no use for here, only
    /// 1.2 is spoken; [`speaks_13`](Self::speaks_13) tells.
    ///
    /// # Errors
    /// When the key is not the certificate's, or no version wanted can use them.
    pub fn new(credentials: &Credentials, trust: Trust, settings: Settings) -> Result<Self, SettingsError> {
        let setting = Setting::new(credentials, trust, &settings)?;
        let cookies = CookieJar::new(Instant::now())
            .map_err(|_| SettingsError { found: "the system has no randomness".to_owned(), cure: None })?;
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
        let setting = Arc::new(Setting::new(credentials, trust, &settings)?);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = setting;
        Ok(())
    }

    /// Whether clients that offer DTLS 1.3 get it.
    pub fn speaks_13(&self) -> bool {
        self.setting().v13.is_some()
    }

    fn setting(&self) -> Arc<Setting> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl DatagramAcceptor for DtlsServer {
    fn hello(&self, datagram: &[u8]) -> Option<[u8; 32]> {
        ClientHello::parse(datagram)?.before_session.last_chunk().copied()
    }

    fn accept(&self, now: Instant, peer: SocketAddr, datagram: &mut [u8], reply: &mut [u8]) -> Acceptance {
        let Some(hello) = ClientHello::parse(datagram) else { return Acceptance::Dropped };
        let setting = self.setting();
        if hello.versions.dtls13
            && let Some(context) = &setting.v13
        {
            return channel(Channel13::accept(context, setting.judge.clone(), now, datagram));
        }
        let context = match &setting.v12 {
            Some(context) if hello.versions.dtls12 => context,
            _ => return answer(no_such_version(&hello, reply)),
        };
        if self.cookies.confirms(now, peer, &hello) {
            channel(Channel12::accept(context, setting.judge.clone(), now, datagram))
        } else {
            answer(self.cookies.challenge(now, peer, &hello, reply))
        }
    }
}

impl fmt::Debug for DtlsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtlsServer").finish_non_exhaustive()
    }
}

impl Setting {
    fn new(credentials: &Credentials, trust: Trust, settings: &Settings) -> Result<Self, SettingsError> {
        let (v12, v13) = contexts(credentials, settings)?;
        Ok(Self { v12, v13, judge: Judge::of_clients(Arc::new(trust)) })
    }
}

fn channel<C: SecureDatagrams + 'static>(channel: Option<C>) -> Acceptance {
    channel.map_or(Acceptance::Dropped, |channel| Acceptance::Channel(Box::new(channel)))
}

fn answer(length: Option<usize>) -> Acceptance {
    length.map_or(Acceptance::Dropped, Acceptance::Answer)
}

/// Writes the alert protocol_version for a hello that offers none of ours.
fn no_such_version(hello: &ClientHello<'_>, reply: &mut [u8]) -> Option<usize> {
    let mut alert = [21, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 70];
    alert.get_mut(5..11)?.copy_from_slice(&hello.sequence);
    reply.get_mut(..alert.len())?.copy_from_slice(&alert);
    Some(alert.len())
}
