//! Revoked certificates, found by issuer and serial number.
//!
//! `webpki` reads revocation lists only after it has found a chain, and only the first list of an
//! issuer. The peer chooses the other certificates of the chain, so a revocation must not depend on
//! these certificates.

use rustls_pki_types::CertificateRevocationListDer;
use webpki::{CertRevocationList, OwnedCertRevocationList};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

use crate::facts::name_content;

/// The revocation lists that the operator configured. They remain in effect after they expire.
#[derive(Debug, Default)]
pub(crate) struct RevocationLists(Vec<CertRevocationList<'static>>);

impl RevocationLists {
    /// Adds a DER list.
    ///
    /// # Errors
    /// If `webpki` does not support it.
    pub(crate) fn add(&mut self, der: &CertificateRevocationListDer<'_>) -> Result<(), webpki::Error> {
        self.0.push(OwnedCertRevocationList::from_der(der)?.into());
        Ok(())
    }

    /// Returns the lists in the form that `webpki` needs.
    pub(crate) fn for_webpki(&self) -> Vec<&CertRevocationList<'static>> {
        self.0.iter().collect()
    }

    /// Returns `true` if a list of the certificate's issuer contains its serial number. A malformed
    /// certificate counts as revoked.
    pub(crate) fn contain(&self, der: &[u8]) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let Ok((_, certificate)) = X509Certificate::from_der(der) else { return true };
        let Some(issuer) = name_content(certificate.issuer()) else { return true };
        let serial = certificate.tbs_certificate.raw_serial();
        self.contain_serial(issuer, serial)
    }

    /// Returns `true` if a list of this issuer contains the serial number.
    pub(crate) fn contain_serial(&self, issuer: &[u8], serial: &[u8]) -> bool {
        self.0.iter().any(|list| list.issuer() == issuer && !matches!(list.find_serial(serial), Ok(None)))
    }
}
