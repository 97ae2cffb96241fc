//! Who may log in.
//!
//! ```text
//! user name ─▶ key, certificate ─▶ revoked? ─▶ authority? ─▶ its principals, dates, options, source ─▶ in
//!          │                                └─▶ a line of the user's authorized_keys, its options ───▶ in
//!          └─▶ password, answers ─▶ an interview with the judge, on a thread of its own ──────────────▶ in
//! ```
//! That the peer holds the key, and that a certificate was signed by the authority it names, is already proven when we get
//! here. Whoever is refused learns nothing but that; the operator finds the [`Refusal`] in the log and in the counters.

mod certificates;
mod interview;
mod key_files;
mod pool;
mod refusal;
mod users;

use std::{
    net::IpAddr,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_channel::{PasswordJudge, SshProof};
use russh::keys::Certificate;

use crate::keys::{self, KeyData, KeyOptions, RevokedKeys};

pub use certificates::Authorities;
pub use key_files::{BadPattern, KeyFiles};
pub use pool::PasswordLimits;
pub use refusal::Refusal;

pub(super) use interview::{Event, Interview};
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
    pub password: Option<Arc<dyn PasswordJudge>>,
    /// The judge's own questions (RFC 4256).
    pub keyboard_interactive: Option<Arc<dyn PasswordJudge>>,
}

/// Somebody who wants in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Applicant<'a> {
    pub(super) user: &'a str,
    pub(super) address: IpAddr,
}

impl Authentication {
    /// Whether keys or certificates can be of use at all.
    pub(super) fn takes_keys(&self) -> bool {
        !self.key_files.is_empty() || !self.authorities.is_empty()
    }

    /// Whether what is to be read for a judgement is at hand.
    pub(super) fn is_at_hand(&self, user: &str) -> bool {
        // A name that is none is refused before anything is read.
        users::check_name(user).is_err()
            || self.key_files.are_at_hand(user)
                && self.principals.as_ref().is_none_or(|files| files.are_at_hand(user))
    }

    /// Whether a key may log in by itself. Reads files.
    pub(super) fn judge_key(&self, applicant: Applicant<'_>, key: &KeyData) -> Result<SshProof, Refusal> {
        users::check_name(applicant.user)?;
        self.check_key(key)?;
        let mut refusal = Refusal::KeyNotListed;
        for line in self.key_files.of(applicant.user)? {
            if line.options.authority || line.key != *key {
                continue;
            }
            match check_use(&line.options, applicant.address) {
                Ok(()) => return Ok(SshProof::PublicKey { key: keys::fingerprint(key) }),
                // Another line may allow what this one does not.
                Err(why) => refusal = why,
            }
        }
        Err(refusal)
    }

    /// Whether a certificate may log in. Reads files.
    pub(super) fn judge_certificate(
        &self,
        applicant: Applicant<'_>,
        certificate: &Certificate,
    ) -> Result<SshProof, Refusal> {
        users::check_name(applicant.user)?;
        if self.revoked.has_certificate(certificate) {
            return Err(Refusal::CertificateRevoked);
        }
        self.check_strength(certificate.public_key())?;
        let authority = certificate.signature_key();
        let now = seconds(SystemTime::now());
        let mut refusal = Refusal::CertificateUntrusted;
        if self.authorities.contains(authority) {
            let names = self.names_of(applicant);
            match names.and_then(|names| certificates::judge(certificate, applicant, &names, false, now)) {
                Ok(()) => return Ok(certificates::proof(certificate)),
                // The user's own file may name the authority as well, for other names.
                Err(why) => refusal = why,
            }
        }
        for line in self.key_files.of(applicant.user)? {
            if !line.options.authority || line.key != *authority {
                continue;
            }
            let own_name = [applicant.user.to_owned()];
            let principals = line.options.principals.as_deref();
            // In a user's own file, a certificate without principals is as good as one with the user's name.
            let judged = check_use(&line.options, applicant.address).and_then(|()| {
                certificates::judge(
                    certificate,
                    applicant,
                    principals.unwrap_or(&own_name),
                    principals.is_none(),
                    now,
                )
            });
            match judged {
                Ok(()) => return Ok(certificates::proof(certificate)),
                Err(why) => refusal = why,
            }
        }
        Err(refusal)
    }

    /// Whether a key is worth a signature: it may log in by itself, or be a certificate's. Reads files.
    pub(super) fn may_be_certified(&self, user: &str) -> bool {
        users::check_name(user).is_ok()
            && (!self.authorities.is_empty()
                || self.key_files.of(user).is_ok_and(|mut lines| lines.any(|line| line.options.authority)))
    }

    /// The names that an authority may certify the applicant by.
    fn names_of(&self, applicant: Applicant<'_>) -> Result<Vec<String>, Refusal> {
        let Some(files) = &self.principals else { return Ok(vec![applicant.user.to_owned()]) };
        let principals = files.principals_of(applicant.user)?.into_iter();
        let usable = principals.filter(|principal| check_use(&principal.options, applicant.address).is_ok());
        Ok(usable.map(|principal| principal.name).collect())
    }

    fn check_key(&self, key: &KeyData) -> Result<(), Refusal> {
        self.check_strength(key)?;
        if self.revoked.has_key(key) { Err(Refusal::KeyRevoked) } else { Ok(()) }
    }

    fn check_strength(&self, key: &KeyData) -> Result<(), Refusal> {
        match key {
            KeyData::Rsa(rsa) if rsa.key_size() < SHORTEST_RSA => Err(Refusal::KeyWeak),
            _ => Ok(()),
        }
    }
}

/// Whether a line's options allow its use, from there and now.
fn check_use(options: &KeyOptions, address: IpAddr) -> Result<(), Refusal> {
    if options.from.as_ref().is_some_and(|from| !from.contains(address)) {
        return Err(Refusal::KeyFromElsewhere);
    }
    if options.expires.is_some_and(|end| seconds(SystemTime::now()) >= end) {
        return Err(Refusal::KeyExpired);
    }
    Ok(())
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Bits of an RSA key.
const SHORTEST_RSA: u32 = 2048;

#[cfg(test)]
mod tests;
