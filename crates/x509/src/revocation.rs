//! Revoked certificates, found by issuer and serial number.
//!
//! `webpki` reads revocation lists only after it has found a chain, and only the first list of
//! an issuer. The peer chooses the other certificates of the chain, so a revocation must not depend
//! on them.

use rustls_pki_types::CertificateRevocationListDer;
use webpki::{CertRevocationList, OwnedCertRevocationList};
use x509_parser::{asn1_rs::Any, certificate::X509Certificate, prelude::FromDer, x509::X509Name};

/// The revocation lists that the operator configured. None of them expires.
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

    /// The lists, as `webpki` needs them.
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
        let Some(issuer) = content(certificate.issuer()) else { return true };
        let serial = certificate.tbs_certificate.raw_serial();
        self.0.iter().any(|list| list.issuer() == issuer && !matches!(list.find_serial(serial), Ok(None)))
    }
}

/// Returns the octets of a name without the tag and the length, which `webpki` omits.
fn content<'a>(name: &X509Name<'a>) -> Option<&'a [u8]> {
    Any::from_der(name.as_raw()).ok().map(|(_, name)| name.data)
}
