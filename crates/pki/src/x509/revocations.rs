//! Revocation lists (RFC 5280 §5).

use std::time::SystemTime;

use rcgen::{CertificateRevocationListParams, KeyIdMethod, RevokedCertParams, SerialNumber};
use rustls_pki_types::{CertificateRevocationListDer, pem::PemObject};
use time::OffsetDateTime;
use x509_parser::{prelude::FromDer, revocation_list::CertificateRevocationList};

use super::{X509Authority, pem};
use crate::PkiError;

/// A certificate that counts no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevokedCertificate {
    /// Its serial number, most significant octet first, without leading zeros.
    pub serial: Vec<u8>,
    /// Since when.
    pub since: SystemTime,
}

impl X509Authority {
    /// A list in PEM of all that count no more. It has no successor planned, so it lasts as long as the authority.
    ///
    /// # Errors
    /// When the key may sign no lists.
    pub fn revocation_list(
        &self,
        revoked: &[RevokedCertificate],
        number: u64,
        now: SystemTime,
    ) -> Result<String, PkiError> {
        let certificate = |revoked: &RevokedCertificate| RevokedCertParams {
            serial_number: SerialNumber::from_slice(&revoked.serial),
            revocation_time: revoked.since.into(),
            reason_code: None,
            invalidity_date: None,
        };
        let this_update: OffsetDateTime = now.into();
        let list = CertificateRevocationListParams {
            this_update,
            next_update: OffsetDateTime::from(self.until).max(this_update + time::Duration::DAY),
            crl_number: SerialNumber::from(number),
            issuing_distribution_point: None,
            revoked_certs: revoked.iter().map(certificate).collect(),
            // What an authority calls its key stands in its certificate.
            key_identifier_method: KeyIdMethod::PreSpecified(self.key_identifier()),
        };
        Ok(pem("X509 CRL", list.signed_by(&self.issuer)?.der()))
    }
}

/// Whom a list in PEM names, and its number.
///
/// # Errors
/// When it is no list.
pub fn parse_revocation_list(list: &str) -> Result<(Vec<RevokedCertificate>, u64), PkiError> {
    const WHAT: PkiError = PkiError::WrongContent("a revocation list in PEM");
    let der = CertificateRevocationListDer::from_pem_slice(list.as_bytes()).map_err(|_| WHAT)?;
    let (_, list) = CertificateRevocationList::from_der(&der).map_err(|_| WHAT)?;
    let revoked = list.iter_revoked_certificates().map(|entry| RevokedCertificate {
        serial: without_zeros(entry.raw_serial()).to_vec(),
        since: entry.revocation_date.to_datetime().into(),
    });
    let number = list.crl_number().and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    Ok((revoked.collect(), number))
}

fn without_zeros(octets: &[u8]) -> &[u8] {
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    octets.get(zeros..).unwrap_or_default()
}
