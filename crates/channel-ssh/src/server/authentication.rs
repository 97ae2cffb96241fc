//! Decides which users may log in.
//!
//! ```text
//! name ─▶ key, certificate ─▶ revoked? ─┬─▶ authority? ─▶ principals, dates, options ─▶ login
//!     │                                 └─▶ line of authorized_keys, its options ─────────▶ login
//!     └─▶ password, answers ─▶ verifier on its own thread ────────────────────────────────▶ login
//! ```
//! russh has already verified that the peer holds the key and that a certificate is signed by the
//! authority it names. A refused peer does not learn the reason; the operator finds the
//! [`LoginRefusalReason`] in the log and in the counters.

mod certificates;
mod conversation;
mod file_cache;
mod key_files;
mod pool;
mod read_slots;
mod refusal_reason;
mod user_file;
mod users;

use std::{
    net::IpAddr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_channel::{AccountVerifier, PasswordVerifier, SshProof};
use russh::keys::{Algorithm, Certificate};

use crate::{
    algorithms,
    keys::{self, AuthorizedKey, KeyData, KeyOptions, RevokedKeys},
};

pub use certificates::Authorities;
pub use key_files::{KeyFilePatternError, KeyFiles};
pub use pool::PasswordLimits;
pub use refusal_reason::LoginRefusalReason;

pub(super) use conversation::{ConversationEvent, LoginConversation, VERIFIER_STACK_SIZE};
pub(super) use pool::PasswordPool;
pub(super) use read_slots::ReadSlots;

/// The enabled login methods. By default none is enabled.
#[derive(Debug, Default)]
pub struct Authentication {
    /// Patterns of authorized_keys files, expanded for each user.
    pub key_files: KeyFiles,
    /// Authorities whose certificates are accepted for the users named in the certificates.
    pub authorities: Authorities,
    /// Patterns of files that list the principals accepted for a user. Without them, a certificate
    /// must contain the user's own name.
    pub principals: Option<KeyFiles>,
    /// The revoked keys and certificates.
    pub revoked: RevokedKeys,
    /// Verifier for the password method. The password is used as the answer to all hidden questions
    /// of the verifier.
    pub password: Option<Arc<dyn PasswordVerifier>>,
    /// Verifier for keyboard-interactive (RFC 4256), which asks its own questions.
    pub keyboard_interactive: Option<Arc<dyn PasswordVerifier>>,
    /// Verifier for the accounts of users who have logged in with a key or a certificate. Without
    /// it, an expired account can log in.
    pub account: Option<Arc<dyn AccountVerifier>>,
}

/// A user name and the address that tries to log in with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoginAttempt<'a> {
    pub(super) user: &'a str,
    pub(super) address: IpAddr,
}

/// The decision about an offered key.
#[derive(Debug)]
pub(super) struct OfferDecision {
    /// The decision about a login with the key alone, without a certificate.
    pub(super) result: Result<SshProof, LoginRefusalReason>,
    /// Set if a certificate of the key might be accepted. russh passes on only the key of an
    /// offered certificate, so an offered certificate cannot be distinguished from a plain key.
    pub(super) may_have_certificate: bool,
}

impl Authentication {
    /// Returns true if logins with keys or certificates are configured.
    pub(super) fn accepts_keys(&self) -> bool {
        !self.key_files.is_empty() || !self.authorities.is_empty()
    }

    /// Checks that a user name is valid, so that files may be read for it.
    pub(super) fn check_name(&self, user: &str) -> Result<(), LoginRefusalReason> {
        users::check_name(user)
    }

    /// Decides if the user may sign with an algorithm.
    pub(super) fn check_algorithm(&self, algorithm: &Algorithm) -> Result<(), LoginRefusalReason> {
        match algorithm {
            Algorithm::SkEd25519 | Algorithm::SkEcdsaSha2NistP256 => Err(LoginRefusalReason::SecurityKey),
            listed if algorithms::USER_KEYS.contains(listed) => Ok(()),
            _ => Err(LoginRefusalReason::SignatureAlgorithm),
        }
    }

    /// Decides if a key may log in without a certificate. Reads files.
    pub(super) fn authorize_key(
        &self,
        attempt: LoginAttempt<'_>,
        key: &KeyData,
    ) -> Result<SshProof, LoginRefusalReason> {
        users::check_name(attempt.user)?;
        self.check_key(key)?;
        find_key(&self.key_files.keys_of(attempt.user)?, attempt, key)
    }

    /// Decides about a key that the peer offers. Reads files.
    pub(super) fn authorize_offer(&self, attempt: LoginAttempt<'_>, key: &KeyData) -> OfferDecision {
        let checked = users::check_name(attempt.user).and_then(|()| self.check_key(key));
        if let Err(reason) = checked {
            return OfferDecision { result: Err(reason), may_have_certificate: false };
        }
        let lines = self.key_files.keys_of(attempt.user);
        let has_authority = lines
            .as_ref()
            .is_ok_and(|files| files.iter().any(|lines| lines.iter().any(|line| line.options.is_authority)));
        OfferDecision {
            result: lines.and_then(|files| find_key(&files, attempt, key)),
            may_have_certificate: has_authority || !self.authorities.is_empty(),
        }
    }

    /// Decides if a certificate may log in. Reads files.
    pub(super) fn authorize_certificate(
        &self,
        attempt: LoginAttempt<'_>,
        certificate: &Certificate,
    ) -> Result<SshProof, LoginRefusalReason> {
        users::check_name(attempt.user)?;
        if self.revoked.contains_certificate(certificate) {
            return Err(LoginRefusalReason::CertificateRevoked);
        }
        check_strength(certificate.public_key())?;
        if !keys::is_certified_strongly(certificate) {
            return Err(LoginRefusalReason::CertificateWeak);
        }
        let authority = certificate.signature_key();
        let now = seconds(SystemTime::now());
        let mut reason = LoginRefusalReason::CertificateUntrusted;
        if self.authorities.contains(authority) {
            let names = self.accepted_principals(attempt);
            match names.and_then(|names| certificates::authorize(certificate, attempt, &names, false, now)) {
                Ok(()) => return Ok(certificates::proof(certificate)),
                // The user's own file may list the authority too, with other principals.
                Err(other_reason) => reason = other_reason,
            }
        }
        let files = self.key_files.keys_of(attempt.user)?;
        for line in files.iter().flat_map(|lines| lines.iter()) {
            if !line.options.is_authority || line.key != *authority {
                continue;
            }
            let user_name = [attempt.user.to_owned()];
            let principals = line.options.principals.as_deref();
            // In a user's own file, a certificate without principals counts as one with the user's
            // name.
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

    /// Returns the principals that a certificate may have for this login.
    fn accepted_principals(&self, attempt: LoginAttempt<'_>) -> Result<Vec<String>, LoginRefusalReason> {
        let Some(files) = &self.principals else { return Ok(vec![attempt.user.to_owned()]) };
        let files = files.principals_of(attempt.user)?;
        let principals = files.iter().flat_map(|principals| principals.iter());
        let usable =
            principals.filter(|principal| check_restrictions(&principal.options, attempt.address).is_ok());
        Ok(usable.map(|principal| principal.name.clone()).collect())
    }

    fn check_key(&self, key: &KeyData) -> Result<(), LoginRefusalReason> {
        check_strength(key)?;
        if self.revoked.contains_key(key) { Err(LoginRefusalReason::KeyRevoked) } else { Ok(()) }
    }
}

/// Decides if one of these lines allows a login with the key.
fn find_key(
    files: &[Arc<[AuthorizedKey]>],
    attempt: LoginAttempt<'_>,
    key: &KeyData,
) -> Result<SshProof, LoginRefusalReason> {
    let mut reason = LoginRefusalReason::KeyNotListed;
    for line in files.iter().flat_map(|lines| lines.iter()) {
        if line.options.is_authority || line.key != *key {
            continue;
        }
        match check_restrictions(&line.options, attempt.address) {
            Ok(()) => return Ok(SshProof::PublicKey { key: keys::fingerprint(key) }),
            // Another line for the same key may allow the login.
            Err(other_reason) => reason = other_reason,
        }
    }
    Err(reason)
}

/// Checks that the key is long enough, and that it is not the key of a FIDO security key.
fn check_strength(key: &KeyData) -> Result<(), LoginRefusalReason> {
    match key {
        // russh verifies the signature of a security key, but does not report its flags. A client
        // could sign without a touch, although the touch is what protects such a key.
        KeyData::SkEd25519(_) | KeyData::SkEcdsaSha2NistP256(_) => Err(LoginRefusalReason::SecurityKey),
        key if keys::is_short_rsa(key) => Err(LoginRefusalReason::KeyWeak),
        _ => Ok(()),
    }
}

/// Checks that a line's options allow a login from this address now.
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

#[cfg(test)]
mod tests;
