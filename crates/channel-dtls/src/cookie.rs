//! DTLS 1.2 cookies (RFC 6347 §4.2.1). A client that returns a cookie has received what was sent to
//! its address; until then the server keeps no state for it.
//!
//! ```text
//! cookie = HMAC-SHA-256(secret, address, port, version, random, session id)
//! ```
//! The cipher suites and compression methods are not part of it: in a fragmented ClientHello, they
//! may be in a later fragment than the cookie. The Finished messages protect them.
//!
//! The secret changes every [`SECRET_LIFETIME`]. The previous one is still accepted, so a cookie
//! lives at least that long and at most twice as long.

use std::{
    fmt, mem,
    net::{IpAddr, SocketAddr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use aws_lc_rs::{
    error::Unspecified,
    hmac::{self, HMAC_SHA256, Key},
    rand::SystemRandom,
};

use crate::hello::ClientHello;

/// Issues and verifies cookies.
pub(crate) struct CookieIssuer {
    random: SystemRandom,
    secrets: Mutex<Secrets>,
}

struct Secrets {
    current: Key,
    previous: Key,
    changed_at: Instant,
}

impl CookieIssuer {
    /// Creates an issuer with random secrets. Fails if the system cannot supply random bytes.
    pub(crate) fn new(now: Instant) -> Result<Self, Unspecified> {
        let random = SystemRandom::new();
        let (current, previous) =
            (Key::generate(HMAC_SHA256, &random)?, Key::generate(HMAC_SHA256, &random)?);
        Ok(Self { secrets: Mutex::new(Secrets { current, previous, changed_at: now }), random })
    }

    /// Returns `true` if the hello contains a cookie that was issued for it.
    pub(crate) fn verify(&self, now: Instant, peer: SocketAddr, hello: &ClientHello<'_>) -> bool {
        if hello.cookie.len() != COOKIE_LEN {
            return false;
        }
        let (current, previous) = self.current_keys(now);
        let content = cookie_input(peer, hello);
        [current, previous].iter().any(|key| hmac::verify(key, &content, hello.cookie).is_ok())
    }

    /// Writes the HelloVerifyRequest that requests the hello again with a cookie; returns its
    /// length, or `None` if `reply` is too short.
    pub(crate) fn write_challenge(
        &self,
        now: Instant,
        peer: SocketAddr,
        hello: &ClientHello<'_>,
        reply: &mut [u8],
    ) -> Option<usize> {
        let (current, _) = self.current_keys(now);
        let cookie = hmac::sign(&current, &cookie_input(peer, hello));
        let mut written = 0;
        for part in [&RECORD_BEGIN[..], &hello.sequence, &LENGTHS_AND_VERSION, cookie.as_ref()] {
            reply.get_mut(written..written + part.len())?.copy_from_slice(part);
            written += part.len();
        }
        Some(written)
    }

    /// Returns the current and the previous secret.
    fn current_keys(&self, now: Instant) -> (Key, Key) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let age = now.saturating_duration_since(secrets.changed_at);
        // After a pause, both secrets are replaced, so that no secret outlives its lifetime. If the
        // system cannot supply random bytes, the old secrets remain in use: they are still secret.
        for due in [SECRET_LIFETIME * 2, SECRET_LIFETIME] {
            if age >= due
                && let Ok(next) = Key::generate(HMAC_SHA256, &self.random)
            {
                secrets.previous = mem::replace(&mut secrets.current, next);
                secrets.changed_at = now;
            }
        }
        (secrets.current.clone(), secrets.previous.clone())
    }
}

impl fmt::Debug for CookieIssuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CookieIssuer").finish_non_exhaustive()
    }
}

/// The input of a cookie's MAC. Only the last part has a variable length, so different hellos
/// always have different inputs.
fn cookie_input(peer: SocketAddr, hello: &ClientHello<'_>) -> Vec<u8> {
    let mut content = Vec::with_capacity(128);
    match peer.ip() {
        IpAddr::V4(v4) => content.extend(v4.to_ipv6_mapped().octets()),
        IpAddr::V6(v6) => content.extend(v6.octets()),
    }
    content.extend(peer.port().to_be_bytes());
    content.extend(hello.version_and_random);
    content.extend(hello.session_id);
    content
}

/// The length of a cookie in octets.
const COOKIE_LEN: usize = 32;

/// The time after which a new secret replaces the current one.
const SECRET_LIFETIME: Duration = Duration::from_secs(60);

/// The start of a handshake record in epoch 0, with the version DTLS 1.0, which a
/// HelloVerifyRequest always contains (RFC 6347 §4.2.1). The sequence number follows.
const RECORD_BEGIN: [u8; 5] = [22, 0xfe, 0xff, 0, 0];

/// The record length, the type and length of a HelloVerifyRequest in one fragment, its version, and
/// the cookie length.
const LENGTHS_AND_VERSION: [u8; 17] = [
    0,
    12 + 3 + COOKIE_LEN as u8,
    3,
    0,
    0,
    3 + COOKIE_LEN as u8,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    3 + COOKIE_LEN as u8,
    0xfe,
    0xff,
    COOKIE_LEN as u8,
];

#[cfg(test)]
mod tests;
