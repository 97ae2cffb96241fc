//! New certificates for keys that have one: the same names and use, another number and other dates.
//!
//! A certificate that is to be followed may come from anybody: its authority's signature is checked first, and what would not
//! stand in its successor stops the renewal.

use portreeve_secret::Secret;
use portreeve_x509::certificate_facts;
use rcgen::{KeyPair, PublicKeyData, SubjectPublicKeyInfo};
use rustls_pki_types::{CertificateDer, pem::PemObject};
use x509_parser::{certificate::X509Certificate, extensions::ParsedExtension, prelude::FromDer};

use super::{X509Authority, leaf, pem};
use crate::{Holder, HolderRole, PkiError, Validity, encrypted_key};

impl X509Authority {
    /// The successor, in PEM, of a certificate in PEM that this authority has signed: for the same key.
    ///
    /// # Errors
    /// When it is no certificate, another has signed it, or it says something that its successor would not.
    pub fn renew(&self, certificate: &str, valid: Validity) -> Result<String, PkiError> {
        let der = read(certificate)?;
        let (_, old) = X509Certificate::from_der(&der).map_err(|_| WHAT)?;
        let (_, own) = X509Certificate::from_der(self.der()).map_err(|_| WHAT)?;
        let is_ours = old.issuer().as_raw() == own.subject().as_raw()
            && old.verify_signature(Some(own.public_key())).is_ok();
        if !is_ours {
            return Err(PkiError::NotSignedByAuthority);
        }
        let key = SubjectPublicKeyInfo::from_der(old.public_key().raw)?;
        let params = leaf(&holder(&old)?, valid.limited_to(self.until()))?;
        Ok(pem("CERTIFICATE", params.signed_by(&key, &self.issuer)?.der()))
    }
}

/// The successor, in PEM, of a certificate in PEM that its own key has signed. Its fingerprint is another.
///
/// # Errors
/// When it is no such certificate, the key is another, or it says something that its successor would not.
pub fn renew_self_signed(certificate: &str, key: &Secret, valid: Validity) -> Result<String, PkiError> {
    let der = read(certificate)?;
    let (_, old) = X509Certificate::from_der(&der).map_err(|_| WHAT)?;
    let key = KeyPair::from_pem(encrypted_key::text(key)?)
        .map_err(|_| PkiError::WrongContent("a private key in PEM"))?;
    if old.public_key().subject_public_key.data.as_ref() != key.der_bytes() {
        return Err(PkiError::KeyMismatch);
    }
    if old.issuer().as_raw() != old.subject().as_raw() || old.verify_signature(None).is_err() {
        return Err(PkiError::NotSignedByAuthority);
    }
    Ok(pem("CERTIFICATE", leaf(&holder(&old)?, valid)?.self_signed(&key)?.der()))
}

fn read(certificate: &str) -> Result<CertificateDer<'static>, PkiError> {
    CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(|_| WHAT)
}

/// Whom a certificate names, and for what.
fn holder(old: &X509Certificate<'_>) -> Result<Holder, PkiError> {
    let usage = old.extended_key_usage().ok().flatten().map(|usage| usage.value);
    let role = match usage.map(|usage| (usage.server_auth, usage.client_auth)) {
        Some((true, false)) => HolderRole::Host,
        Some((false, true)) => HolderRole::User,
        _ => return Err(PkiError::NotRenewable("more uses than one, or none")),
    };
    let names: Vec<_> = old.subject().iter_attributes().collect();
    let name = match (names.as_slice(), old.subject().iter_common_name().next()) {
        ([], _) => "",
        ([_], Some(name)) => {
            name.as_str().map_err(|_| PkiError::NotRenewable("a subject that is no text"))?
        }
        _ => return Err(PkiError::NotRenewable("a subject of more than a CommonName")),
    };
    let facts = certificate_facts(old.as_raw()).ok_or(WHAT)?;
    for extension in old.extensions() {
        match extension.parsed_extension() {
            ParsedExtension::SubjectAlternativeName(found)
                if found.general_names.len() != facts.alternative_names.len() =>
            {
                return Err(PkiError::NotRenewable("a name of another kind"));
            }
            ParsedExtension::BasicConstraints(constraints) if constraints.ca => {
                return Err(PkiError::NotRenewable("the right to sign others"));
            }
            ParsedExtension::SubjectAlternativeName(_)
            | ParsedExtension::BasicConstraints(_)
            | ParsedExtension::KeyUsage(_)
            | ParsedExtension::ExtendedKeyUsage(_)
            | ParsedExtension::SubjectKeyIdentifier(_)
            | ParsedExtension::AuthorityKeyIdentifier(_) => {}
            _ => return Err(PkiError::NotRenewable("an extension of another kind")),
        }
    }
    Ok(Holder::new(role, name).with_names(facts.alternative_names))
}

const WHAT: PkiError = PkiError::WrongContent("a certificate in PEM");

#[cfg(test)]
mod tests;
