//! Revocation lists (RFC 5280 §5).

use std::time::SystemTime;

use rcgen::{CertificateRevocationListParams, KeyIdMethod, RevokedCertParams, SerialNumber};
use rustls_pki_types::{CertificateRevocationListDer, pem::PemObject};
use time::OffsetDateTime;
use x509_parser::{prelude::FromDer, revocation_list::CertificateRevocationList};

use super::{X509Authority, pem};
use crate::PkiError;

/// A revoked certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevokedCertificate {
    /// Its serial number, most significant octet first, without leading zeros.
    pub serial: Vec<u8>,
    /// The time at which the certificate was revoked.
    pub since: SystemTime,
}

impl X509Authority {
    /// Creates a revocation list in PEM. No successor is planned, so the list is valid as long as
    /// the authority, but at least for one day.
    ///
    /// # Errors
    /// If the key may not sign revocation lists.
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
            // The key identifier in the authority's certificate.
            key_identifier_method: KeyIdMethod::PreSpecified(self.key_identifier()),
        };
        Ok(pem("X509 CRL", list.signed_by(&self.issuer)?.der()))
    }
}

/// Reads the revoked certificates and the CRL number from a PEM revocation list.
///
/// # Errors
/// If it is not a revocation list.
pub fn parse_revocation_list(list: &str) -> Result<(Vec<RevokedCertificate>, u64), PkiError> {
    const NOT_A_LIST: PkiError = PkiError::WrongContent("a PEM revocation list");
    let der = CertificateRevocationListDer::from_pem_slice(list.as_bytes()).map_err(|_| NOT_A_LIST)?;
    let (_, list) = CertificateRevocationList::from_der(&der).map_err(|_| NOT_A_LIST)?;
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
