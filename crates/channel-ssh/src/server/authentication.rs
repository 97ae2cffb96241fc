//! Who may log in.
//!
//! ```text
//! user name ─▶ key, certificate ─▶ revoked? ─▶ authority? ─▶ its principals, dates, options, source ─▶ in
//!          │                                └─▶ a line of the user's authorized_keys, its options ───▶ in
//!          └─▶ password, answers ─▶ an interview with the judge, on a thread of its own ──────────────▶ in
//! ```
//! That the peer holds the key, and that a certificate was signed by the authority it names, is already proven when we get
//! here. Whoever is refused learns nothing but that; the operator finds the [`LoginRefusalReason`] in the log and in the counters.

mod certificates;
mod conversation;
mod key_files;
mod pool;
mod refusal_reason;
mod users;

use std::{
    net::IpAddr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_channel::{PasswordVerifier, SshProof};
use russh::keys::Certificate;

use crate::keys::{self, KeyData, KeyOptions, RevokedKeys};

pub use certificates::Authorities;
pub use key_files::{KeyFilePatternError, KeyFiles};
pub use pool::PasswordLimits;
pub use refusal_reason::LoginRefusalReason;

pub(super) use conversation::{ConversationEvent, LoginConversation};
pub(super) use pool::PasswordPool;

/// The ways in. By default there is none.
#[derive(Debug, Default)]
pub struct Authentication {
    /// Keys in files of authorized_keys, one set of files for each user.
    pub key_files: KeyFiles,
    /// Authorities whose certificates log anyone in whom they name.
    pub authorities: Authorities,
    /// Files of the names that such a certificate may have, one set for each user; without, it must have the user's own.
    pub principals: Option<KeyFiles>,
    /// Keys and certificates that are void.
    pub revoked: RevokedKeys,
    /// Passwords: one answers whatever the judge asks.
    pub password: Option<Arc<dyn PasswordVerifier>>,
    /// The judge's own questions (RFC 4256).
    pub keyboard_interactive: Option<Arc<dyn PasswordVerifier>>,
}

/// Somebody who wants in.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoginAttempt<'a> {
    pub(super) user: &'a str,
    pub(super) address: IpAddr,
}

impl Authentication {
    /// Whether keys or certificates can be of use at all.
    pub(super) fn accepts_keys(&self) -> bool {
        !self.key_files.is_empty() || !self.authorities.is_empty()
    }

    /// Whether what is to be read for a judgement is at hand.
    pub(super) fn can_read_inline(&self, user: &str) -> bool {
        // A name that is none is refused before anything is read.
        users::check_name(user).is_err()
            || self.key_files.can_read_inline(user)
                && self.principals.as_ref().is_none_or(|files| files.can_read_inline(user))
    }

    /// Whether a key may log in by itself. Reads files.
    pub(super) fn authorize_key(
        &self,
        attempt: LoginAttempt<'_>,
        key: &KeyData,
    ) -> Result<SshProof, LoginRefusalReason> {
        users::check_name(attempt.user)?;
        self.check_key(key)?;
        let mut reason = LoginRefusalReason::KeyNotListed;
        for line in self.key_files.keys_of(attempt.user)? {
            if line.options.is_authority || line.key != *key {
                continue;
            }
            match check_restrictions(&line.options, attempt.address) {
                Ok(()) => return Ok(SshProof::PublicKey { key: keys::fingerprint(key) }),
                // Another line may allow what this one does not.
                Err(other_reason) => reason = other_reason,
            }
        }
        Err(reason)
    }

    /// Whether a certificate may log in. Reads files.
    pub(super) fn authorize_certificate(
        &self,
        attempt: LoginAttempt<'_>,
        certificate: &Certificate,
    ) -> Result<SshProof, LoginRefusalReason> {
        users::check_name(attempt.user)?;
        if self.revoked.contains_certificate(certificate) {
            return Err(LoginRefusalReason::CertificateRevoked);
        }
        self.check_strength(certificate.public_key())?;
        let authority = certificate.signature_key();
        let now = seconds(SystemTime::now());
        let mut reason = LoginRefusalReason::CertificateUntrusted;
        if self.authorities.contains(authority) {
            let names = self.accepted_principals(attempt);
            match names.and_then(|names| certificates::authorize(certificate, attempt, &names, false, now)) {
                Ok(()) => return Ok(certificates::proof(certificate)),
                // The user's own file may name the authority as well, for other names.
                Err(other_reason) => reason = other_reason,
            }
        }
        for line in self.key_files.keys_of(attempt.user)? {
            if !line.options.is_authority || line.key != *authority {
                continue;
            }
            let user_name = [attempt.user.to_owned()];
            let principals = line.options.principals.as_deref();
            // In a user's own file, a certificate without principals is as good as one with the user's name.
            let result = check_restrictions(&line.options, attempt.address).and_then(|()| {
                certificates::authorize(
                    certificate,
                    attempt,
                    principals.unwrap_or(&user_name),
                    principals.is_none(),
                    now,
                )
            });
            match result {
                Ok(()) => return Ok(certificates::proof(certificate)),
                Err(other_reason) => reason = other_reason,
            }
        }
        Err(reason)
    }

    /// Whether a key is worth a signature: it may log in by itself, or be a certificate's. Reads files.
    pub(super) fn may_have_certificate(&self, user: &str) -> bool {
        users::check_name(user).is_ok()
            && (!self.authorities.is_empty()
                || self
                    .key_files
                    .keys_of(user)
                    .is_ok_and(|mut lines| lines.any(|line| line.options.is_authority)))
    }

    /// The names that an authority may certify the applicant by.
    fn accepted_principals(&self, attempt: LoginAttempt<'_>) -> Result<Vec<String>, LoginRefusalReason> {
        let Some(files) = &self.principals else { return Ok(vec![attempt.user.to_owned()]) };
        let principals = files.principals_of(attempt.user)?.into_iter();
        let usable =
            principals.filter(|principal| check_restrictions(&principal.options, attempt.address).is_ok());
        Ok(usable.map(|principal| principal.name).collect())
    }

    fn check_key(&self, key: &KeyData) -> Result<(), LoginRefusalReason> {
        self.check_strength(key)?;
        if self.revoked.contains_key(key) { Err(LoginRefusalReason::KeyRevoked) } else { Ok(()) }
    }

    fn check_strength(&self, key: &KeyData) -> Result<(), LoginRefusalReason> {
        match key {
            KeyData::Rsa(rsa) if rsa.key_size() < MIN_RSA_BITS => Err(LoginRefusalReason::KeyWeak),
            _ => Ok(()),
        }
    }
}

/// Whether a line's options allow its use, from there and now.
fn check_restrictions(options: &KeyOptions, address: IpAddr) -> Result<(), LoginRefusalReason> {
    if options.from.as_ref().is_some_and(|from| !from.contains(address)) {
        return Err(LoginRefusalReason::KeySource);
    }
    if options.expires_at.is_some_and(|end| seconds(SystemTime::now()) >= end) {
        return Err(LoginRefusalReason::KeyExpired);
    }
    Ok(())
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Bits of an RSA key.
const MIN_RSA_BITS: u32 = 2048;

#[cfg(test)]
mod tests;
