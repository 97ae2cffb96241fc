//! What people want to know of a certificate.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use portreeve_channel::{AlternativeName, Fingerprint, HashAlgorithm};
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer};
use x509_parser::{
    certificate::X509Certificate, prelude::FromDer, public_key::PublicKey,
    revocation_list::CertificateRevocationList, time::ASN1Time, x509::SubjectPublicKeyInfo,
};

use crate::{
    facts::{alternative_names, fingerprint},
    files::{FileError, read_pem},
};

/// A certificate for people to look at. Its texts are its maker's, with control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateSummary {
    /// Whose it is.
    pub subject: String,
    /// Who has signed it.
    pub issuer: String,
    /// subjectAltName entries that can be names of peers.
    pub alternative_names: Vec<AlternativeName>,
    /// From when on it holds.
    pub not_before: CertificateTime,
    /// Until when it holds.
    pub not_after: CertificateTime,
    /// What its key is, as `EC 256 bits`.
    pub key: KeySummary,
    /// Whom it may stand for: `servers`, `clients`, `others`; empty where it does not say.
    pub uses: Vec<&'static str>,
    /// Whether it may sign others.
    pub is_authority: bool,
    /// Its SHA-256.
    pub fingerprint: Fingerprint,
}

/// A day and time that stands in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateTime {
    /// The day, as `2026-11-22`.
    pub day: String,
    /// Seconds since 1970.
    pub seconds: i64,
}

/// The key in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySummary {
    /// `RSA`, `EC`, `Ed25519`, or `other`.
    pub kind: &'static str,
    /// Its length; 0 where that is not known.
    pub bits: usize,
}

impl CertificateSummary {
    /// Reads a certificate in DER; `None` where it is none.
    pub fn read(der: &[u8]) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        let validity = certificate.validity();
        Some(Self {
            subject: certificate.subject().to_string().escape_debug().to_string(),
            issuer: certificate.issuer().to_string().escape_debug().to_string(),
            alternative_names: alternative_names(&certificate),
            not_before: CertificateTime::of(&validity.not_before),
            not_after: CertificateTime::of(&validity.not_after),
            key: KeySummary::of(certificate.public_key()),
            uses: uses(&certificate),
            is_authority: certificate.is_ca(),
            fingerprint: fingerprint(HashAlgorithm::Sha256, der),
        })
    }

    /// Every certificate of a PEM file.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn read_file(path: &Path) -> Result<Vec<Self>, FileError> {
        let found: Vec<CertificateDer<'static>> = read_pem(path, "certificate")?;
        Ok(found.iter().filter_map(|der| Self::read(der)).collect())
    }

    /// How long it still holds at `now`; `None` once it has expired.
    pub fn remaining(&self, now: SystemTime) -> Option<Duration> {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
        let left = self.not_after.seconds.checked_sub(i64::try_from(now).ok()?)?;
        u64::try_from(left).ok().map(Duration::from_secs)
    }
}

/// A revocation list for people to look at. Its texts are its maker's, with control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevocationSummary {
    /// Whose certificates it takes back.
    pub issuer: String,
    /// When its successor was to come (RFC 5280 §5.1.2.5), where it says so.
    pub next_update: Option<CertificateTime>,
}

impl RevocationSummary {
    /// Those in a PEM file that can be read.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn in_file(path: &Path) -> Result<Vec<Self>, FileError> {
        let found: Vec<CertificateRevocationListDer<'static>> = read_pem(path, "revocation list")?;
        let read = |der: &CertificateRevocationListDer<'_>| {
            let (_, list) = CertificateRevocationList::from_der(der).ok()?;
            let issuer = list.issuer().to_string().escape_debug().to_string();
            Some(Self { issuer, next_update: list.next_update().as_ref().map(CertificateTime::of) })
        };
        Ok(found.iter().filter_map(read).collect())
    }
}

/// extendedKeyUsage (RFC 5280 §4.2.1.12), in words.
fn uses(certificate: &X509Certificate<'_>) -> Vec<&'static str> {
    let usage = certificate.extended_key_usage().ok().flatten().map(|usage| usage.value);
    let Some(usage) = usage.filter(|usage| !usage.any) else { return Vec::new() };
    let found = [("servers", usage.server_auth), ("clients", usage.client_auth)];
    let found: Vec<_> = found.into_iter().filter(|(_, is_so)| *is_so).map(|(word, _)| word).collect();
    if found.is_empty() { vec!["others"] } else { found }
}

impl CertificateTime {
    /// Whether it is over at `now`.
    pub fn is_past(&self, now: SystemTime) -> bool {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        i64::try_from(now).is_ok_and(|now| self.seconds < now)
    }

    fn of(time: &ASN1Time) -> Self {
        Self { day: time.to_datetime().date().to_string(), seconds: time.timestamp() }
    }
}

impl KeySummary {
    fn of(key: &SubjectPublicKeyInfo<'_>) -> Self {
        match key.parsed() {
            Ok(PublicKey::RSA(key)) => Self { kind: "RSA", bits: key.key_size() },
            Ok(PublicKey::EC(point)) => Self { kind: "EC", bits: point.key_size() },
            _ if key.algorithm.algorithm.to_id_string() == ED25519 => Self { kind: "Ed25519", bits: 256 },
            _ => Self { kind: "other", bits: 0 },
        }
    }
}

/// id-Ed25519 (RFC 8410).
const ED25519: &str = "1.3.101.112";
