//! Renewal: a new certificate for the same key, names and use, with another serial number and other
//! dates.
//!
//! The old certificate may come from an untrusted source. So the authority's signature is verified
//! first, and the renewal fails if the new certificate would lose any content.

use portreeve_secret::Secret;
use portreeve_x509::certificate_facts;
use rcgen::{KeyPair, PublicKeyData, SubjectPublicKeyInfo};
use rustls_pki_types::{CertificateDer, pem::PemObject};
use x509_parser::{certificate::X509Certificate, extensions::ParsedExtension, prelude::FromDer};

use super::{X509Authority, leaf, pem};
use crate::{Holder, HolderRole, PkiError, Validity, encrypted_key};

impl X509Authority {
    /// Renews a PEM certificate that this authority has signed. Returns the new certificate for the
    /// same key in PEM.
    ///
    /// # Errors
    /// If `certificate` is not a certificate, another authority has signed it, or the new
    /// certificate would lose content.
    pub fn renew(&self, certificate: &str, valid: Validity) -> Result<String, PkiError> {
        let der = read(certificate)?;
        let (_, old) = X509Certificate::from_der(&der).map_err(|_| NOT_A_CERTIFICATE)?;
        let (_, own) = X509Certificate::from_der(self.der()).map_err(|_| NOT_A_CERTIFICATE)?;
        let is_signed_by_us = old.issuer().as_raw() == own.subject().as_raw()
            && old.verify_signature(Some(own.public_key())).is_ok();
        if !is_signed_by_us {
            return Err(PkiError::NotSignedByAuthority);
        }
        let key = SubjectPublicKeyInfo::from_der(old.public_key().raw)?;
        let params = leaf(&holder(&old)?, valid.limited_to(self.until()))?;
        Ok(pem("CERTIFICATE", params.signed_by(&key, &self.issuer)?.der()))
    }
}

/// Renews a self-signed PEM certificate. Returns the new certificate in PEM, which has a different
/// fingerprint.
///
/// # Errors
/// If `certificate` is not a self-signed certificate, the key does not match, or the new
/// certificate would lose content.
pub fn renew_self_signed(certificate: &str, key: &Secret, valid: Validity) -> Result<String, PkiError> {
    let der = read(certificate)?;
    let (_, old) = X509Certificate::from_der(&der).map_err(|_| NOT_A_CERTIFICATE)?;
    let key = KeyPair::from_pem(encrypted_key::text(key)?)
        .map_err(|_| PkiError::WrongContent("a PEM private key"))?;
    if old.public_key().subject_public_key.data.as_ref() != key.der_bytes() {
        return Err(PkiError::KeyMismatch);
    }
    if old.issuer().as_raw() != old.subject().as_raw() || old.verify_signature(None).is_err() {
        return Err(PkiError::NotSignedByAuthority);
    }
    Ok(pem("CERTIFICATE", leaf(&holder(&old)?, valid)?.self_signed(&key)?.der()))
}

fn read(certificate: &str) -> Result<CertificateDer<'static>, PkiError> {
    CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(|_| NOT_A_CERTIFICATE)
}

/// Reads the holder and the purpose of a certificate.
fn holder(old: &X509Certificate<'_>) -> Result<Holder, PkiError> {
    let usage = old.extended_key_usage().ok().flatten().map(|usage| usage.value);
    let role = match usage.map(|usage| (usage.server_auth, usage.client_auth)) {
        Some((true, false)) => HolderRole::Host,
        Some((false, true)) => HolderRole::User,
        _ => return Err(PkiError::NotRenewable("no extended key usage, or more than one")),
    };
    let names: Vec<_> = old.subject().iter_attributes().collect();
    let name = match (names.as_slice(), old.subject().iter_common_name().next()) {
        ([], _) => "",
        ([_], Some(name)) => {
            name.as_str().map_err(|_| PkiError::NotRenewable("a CommonName that is not text"))?
        }
        _ => return Err(PkiError::NotRenewable("a subject with more than a CommonName")),
    };
    let facts = certificate_facts(old.as_raw()).ok_or(NOT_A_CERTIFICATE)?;
    for extension in old.extensions() {
        match extension.parsed_extension() {
            ParsedExtension::SubjectAlternativeName(found)
                if found.general_names.len() != facts.alternative_names.len() =>
            {
                return Err(PkiError::NotRenewable("an unsupported kind of name"));
            }
            ParsedExtension::BasicConstraints(constraints) if constraints.ca => {
                return Err(PkiError::NotRenewable("the right to sign other certificates"));
            }
            ParsedExtension::SubjectAlternativeName(_)
            | ParsedExtension::BasicConstraints(_)
            | ParsedExtension::KeyUsage(_)
            | ParsedExtension::ExtendedKeyUsage(_)
            | ParsedExtension::SubjectKeyIdentifier(_)
            | ParsedExtension::AuthorityKeyIdentifier(_) => {}
            _ => return Err(PkiError::NotRenewable("an unsupported extension")),
        }
    }
    Ok(Holder::new(role, name).with_names(facts.alternative_names))
}

const NOT_A_CERTIFICATE: PkiError = PkiError::WrongContent("a PEM certificate");

#[cfg(test)]
mod tests;
