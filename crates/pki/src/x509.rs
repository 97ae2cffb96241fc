//! X.509 authorities, and the certificates that they sign.

mod names;
mod renewal;
mod revocations;

use std::time::SystemTime;

use portreeve_secret::Secret;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, PublicKeyData, SerialNumber,
};
use rustls_pki_types::{CertificateDer, CertificateSigningRequestDer, pem::PemObject};
use x509_parser::{certificate::X509Certificate, extensions::ParsedExtension, prelude::FromDer};

use crate::{Holder, HolderRole, PkiError, Validity, encrypted_key, random};

pub use renewal::renew_self_signed;
pub use revocations::{RevokedCertificate, parse_revocation_list};

/// An authority: its certificate, and the key that signs.
pub struct X509Authority {
    der: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
    until: SystemTime,
}

impl X509Authority {
    /// Creates an authority that signs leaf certificates only.
    ///
    /// # Errors
    /// If the system cannot supply random bytes, or certificates cannot contain the name.
    pub fn new(name: &str, valid: Validity) -> Result<Self, PkiError> {
        let mut params = params(valid)?;
        params.distinguished_name = names::common_name(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate()?;
        let der = params.self_signed(&key)?.der().clone();
        Ok(Self { der, issuer: Issuer::new(params, key), until: valid.until })
    }

    /// Reads an existing authority from its certificate and its key, both in PEM. Another program
    /// may have created them.
    ///
    /// # Errors
    /// If the certificate or the key is malformed, they do not belong together, or the certificate
    /// may not sign others.
    pub fn load(certificate: &str, key: &Secret) -> Result<Self, PkiError> {
        const NOT_A_CERTIFICATE: PkiError = PkiError::WrongContent("a PEM certificate");
        let der = CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(|_| NOT_A_CERTIFICATE)?;
        let (_, parsed) = X509Certificate::from_der(&der).map_err(|_| NOT_A_CERTIFICATE)?;
        if !parsed.is_ca() {
            return Err(PkiError::NotAuthority);
        }
        let until = parsed.validity().not_after.to_datetime().into();
        let key = KeyPair::from_pem(encrypted_key::text(key)?)
            .map_err(|_| PkiError::WrongContent("a PEM private key"))?;
        if parsed.public_key().subject_public_key.data.as_ref() != key.der_bytes() {
            return Err(PkiError::KeyMismatch);
        }
        let der = der.into_owned();
        let issuer = Issuer::from_ca_cert_der(&der, key)?;
        Ok(Self { der, issuer, until })
    }

    /// The authority's certificate in PEM.
    pub fn pem(&self) -> String {
        pem("CERTIFICATE", &self.der)
    }

    /// The authority's certificate in DER.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the authority's key in PEM.
    pub fn key_pem(&self) -> Secret {
        Secret::from(self.issuer.key().serialize_pem())
    }

    /// The subject key identifier, which revocation lists must contain.
    fn key_identifier(&self) -> Vec<u8> {
        let parsed = X509Certificate::from_der(&self.der);
        let extensions = parsed.iter().flat_map(|(_, certificate)| certificate.extensions());
        let mut named = extensions.filter_map(|extension| match extension.parsed_extension() {
            ParsedExtension::SubjectKeyIdentifier(identifier) => Some(identifier.0.to_vec()),
            _ => None,
        });
        named.next().unwrap_or_default()
    }

    /// The end of the authority's validity. No certificate that it signs outlives it.
    pub fn until(&self) -> SystemTime {
        self.until
    }

    /// Creates a key and a certificate for it.
    ///
    /// # Errors
    /// If certificates cannot contain one of the names.
    pub fn issue(&self, holder: &Holder, valid: Validity) -> Result<IssuedCertificate, PkiError> {
        let key = KeyPair::generate()?;
        let params = leaf(holder, valid.limited_to(self.until))?;
        let certificate = params.signed_by(&key, &self.issuer)?.der().clone();
        Ok(IssuedCertificate::new(&certificate, &key))
    }

    /// Signs a certificate, in PEM, for the key of a PEM request. It contains the holder's names;
    /// the names in the request are ignored.
    ///
    /// # Errors
    /// If it is not a request, or is not signed with its own key.
    pub fn sign(&self, request: &str, holder: &Holder, valid: Validity) -> Result<String, PkiError> {
        const NOT_A_REQUEST: PkiError = PkiError::WrongContent("a PEM certificate request");
        let der =
            CertificateSigningRequestDer::from_pem_slice(request.as_bytes()).map_err(|_| NOT_A_REQUEST)?;
        let request_params =
            CertificateSigningRequestParams::from_der(&der).map_err(|error| match error {
                rcgen::Error::InvalidCertificationRequestSignature => PkiError::BadRequestSignature,
                rcgen::Error::CouldNotParseCertificationRequest => NOT_A_REQUEST,
                other => other.into(),
            })?;
        let params = leaf(holder, valid.limited_to(self.until))?;
        let certificate = params.signed_by(&request_params.public_key, &self.issuer)?;
        Ok(pem("CERTIFICATE", certificate.der()))
    }
}

impl std::fmt::Debug for X509Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("until", &self.until).finish_non_exhaustive()
    }
}

/// A certificate and its key, in PEM.
pub struct IssuedCertificate {
    /// The certificate in PEM.
    pub certificate: String,
    /// The certificate in DER.
    pub der: Vec<u8>,
    /// The private key in PEM.
    pub key: Secret,
}

impl IssuedCertificate {
    fn new(certificate: &CertificateDer<'_>, key: &KeyPair) -> Self {
        Self {
            certificate: pem("CERTIFICATE", certificate),
            der: certificate.to_vec(),
            key: Secret::from(key.serialize_pem()),
        }
    }
}

/// Creates a self-signed certificate, to be pinned by its fingerprint.
///
/// # Errors
/// If certificates cannot contain one of the names.
pub fn self_signed(holder: &Holder, valid: Validity) -> Result<IssuedCertificate, PkiError> {
    let key = KeyPair::generate()?;
    let certificate = leaf(holder, valid)?.self_signed(&key)?;
    Ok(IssuedCertificate::new(certificate.der(), &key))
}

/// Returns the parameters common to all certificates.
fn params(valid: Validity) -> Result<CertificateParams, PkiError> {
    let mut params = CertificateParams::new(Vec::new())?;
    (params.not_before, params.not_after) = valid.dates();
    let mut serial: [u8; SERIAL_LEN] = random::octets()?;
    // The first bits are 01, so that the number is positive and has this length.
    if let Some(first) = serial.first_mut() {
        *first = *first & 0x3f | 0x40;
    }
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.use_authority_key_identifier_extension = true;
    Ok(params)
}

fn leaf(holder: &Holder, valid: Validity) -> Result<CertificateParams, PkiError> {
    let mut params = params(valid)?;
    params.distinguished_name = names::common_name(&holder.name);
    params.subject_alt_names = names::alternative(&holder.alternative_names)?;
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![match holder.role {
        HolderRole::Host => ExtendedKeyUsagePurpose::ServerAuth,
        HolderRole::User => ExtendedKeyUsagePurpose::ClientAuth,
    }];
    Ok(params)
}

/// Encodes an object in PEM (RFC 7468).
fn pem(label: &str, der: &[u8]) -> String {
    // The encoding fails only for labels with invalid characters.
    pkcs8::der::pem::encode_string(label, pkcs8::LineEnding::LF, der).unwrap_or_default()
}

/// The length of a serial number in octets. All but two bits are random.
const SERIAL_LEN: usize = 16;

#[cfg(test)]
mod tests;
