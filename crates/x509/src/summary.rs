//! Summaries of certificates and revocation lists for display.

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
    facts::{alternative_names, fingerprint, max_path_len},
    files::{FileError, read_pem},
};

/// A certificate summary for display. Texts come from the issuer, with control characters escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateSummary {
    /// The subject of the certificate.
    pub subject: String,
    /// The issuer of the certificate.
    pub issuer: String,
    /// subjectAltName entries that can identify peers.
    pub alternative_names: Vec<AlternativeName>,
    /// The start of the validity period.
    pub not_before: CertificateTime,
    /// The end of the validity period.
    pub not_after: CertificateTime,
    /// The type and length of the key, such as `EC 256 bits`.
    pub key: KeySummary,
    /// The permitted uses: `servers`, `clients`, `others`; empty if the certificate does not
    /// restrict them.
    pub uses: Vec<&'static str>,
    /// `true` if the certificate may sign others.
    pub is_authority: bool,
    /// `true` if the certificate may sign other authorities.
    pub signs_authorities: bool,
    /// The SHA-256 fingerprint of the certificate.
    pub fingerprint: Fingerprint,
}

/// A date and time in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateTime {
    /// The day, such as `2026-11-22`.
    pub day: String,
    /// The time in seconds since 1970.
    pub seconds: i64,
}

/// The key in a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySummary {
    /// `RSA`, `EC`, `Ed25519`, or `other`.
    pub kind: &'static str,
    /// The key length in bits; 0 if unknown.
    pub bits: usize,
}

impl CertificateSummary {
    /// Reads a DER certificate; `None` if it is malformed.
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
            signs_authorities: certificate.is_ca() && max_path_len(der) != Some(0),
            fingerprint: fingerprint(HashAlgorithm::Sha256, der),
        })
    }

    /// Reads every certificate in a PEM file.
    ///
    /// # Errors
    /// If the file cannot be read or contains no PEM certificates.
    pub fn read_file(path: &Path) -> Result<Vec<Self>, FileError> {
        let found: Vec<CertificateDer<'static>> = read_pem(path, "certificate")?;
        Ok(found.iter().filter_map(|der| Self::read(der)).collect())
    }

    /// Returns the remaining validity at `now`; `None` once the certificate has expired.
    pub fn remaining(&self, now: SystemTime) -> Option<Duration> {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
        let left = self.not_after.seconds.checked_sub(i64::try_from(now).ok()?)?;
        u64::try_from(left).ok().map(Duration::from_secs)
    }
}

/// A revocation list summary for display. Texts come from the issuer, with control characters
/// escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevocationSummary {
    /// The issuer of the revocation list.
    pub issuer: String,
    /// The planned time of the next list (RFC 5280 §5.1.2.5), if there is one.
    pub next_update: Option<CertificateTime>,
}

impl RevocationSummary {
    /// Reads the revocation lists in a PEM file, and skips malformed ones.
    ///
    /// # Errors
    /// If the file cannot be read or contains no PEM revocation lists.
    pub fn read_file(path: &Path) -> Result<Vec<Self>, FileError> {
        let found: Vec<CertificateRevocationListDer<'static>> = read_pem(path, "revocation list")?;
        let read = |der: &CertificateRevocationListDer<'_>| {
            let (_, list) = CertificateRevocationList::from_der(der).ok()?;
            let issuer = list.issuer().to_string().escape_debug().to_string();
            Some(Self { issuer, next_update: list.next_update().as_ref().map(CertificateTime::of) })
        };
        Ok(found.iter().filter_map(read).collect())
    }
}

/// Returns the uses in extendedKeyUsage (RFC 5280 §4.2.1.12) as words.
fn uses(certificate: &X509Certificate<'_>) -> Vec<&'static str> {
    let usage = certificate.extended_key_usage().ok().flatten().map(|usage| usage.value);
    let Some(usage) = usage.filter(|usage| !usage.any) else { return Vec::new() };
    let found = [("servers", usage.server_auth), ("clients", usage.client_auth)];
    let found: Vec<_> = found.into_iter().filter(|(_, is_so)| *is_so).map(|(word, _)| word).collect();
    if found.is_empty() { vec!["others"] } else { found }
}

impl CertificateTime {
    /// Returns `true` if this time is before `now`.
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

/// The object identifier of id-Ed25519 (RFC 8410).
const ED25519: &str = "1.3.101.112";
