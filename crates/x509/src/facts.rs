//! The names and fingerprints in a certificate.

use std::net::IpAddr;

use aws_lc_rs::digest::{self, digest};
use portreeve_channel::{AlternativeName, CertificateFacts, Fingerprint, HashAlgorithm};
use x509_parser::{
    asn1_rs::Any,
    certificate::X509Certificate,
    extensions::{GeneralName, ParsedExtension},
    prelude::FromDer,
    public_key::PublicKey,
    x509::X509Name,
};

/// Reads the names and fingerprints of a DER certificate; `None` if it is malformed or followed by
/// other data.
pub fn certificate_facts(der: &[u8]) -> Option<CertificateFacts> {
    let (rest, certificate) = X509Certificate::from_der(der).ok()?;
    if !rest.is_empty() {
        return None;
    }
    let fingerprints = HashAlgorithm::ALL.into_iter().map(|algorithm| fingerprint(algorithm, der)).collect();
    // Names are compared by their octets, so a name that is not UTF-8 is ignored.
    let common_name = certificate.subject().iter_common_name().last().and_then(|name| name.as_str().ok());
    Some(CertificateFacts {
        fingerprints,
        alternative_names: alternative_names(&certificate),
        common_name: common_name.map(str::to_owned),
        issuer_and_serial: (
            name_content(certificate.issuer())?.to_vec(),
            certificate.tbs_certificate.raw_serial().to_vec(),
        ),
    })
}

/// Returns the content of a name, without its tag and length. Revocation lists in `webpki` contain
/// their issuers in this form.
pub(crate) fn name_content<'a>(name: &X509Name<'a>) -> Option<&'a [u8]> {
    Any::from_der(name.as_raw()).ok().map(|(_, name)| name.data)
}

/// Returns pathLenConstraint (RFC 5280 §4.2.1.9) of a DER certificate, if there is one.
pub(crate) fn max_path_len(der: &[u8]) -> Option<u32> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    certificate.basic_constraints().ok().flatten()?.value.path_len_constraint
}

/// Returns `true` if keyUsage (RFC 5280 §4.2.1.3) of a DER certificate, if there is one, allows its
/// key to sign certificates.
pub(crate) fn may_sign_certificates(der: &[u8]) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    certificate.key_usage().is_ok_and(|usage| usage.is_none_or(|usage| usage.value.key_cert_sign()))
}

/// Returns `true` if a DER certificate has an RSA key that is shorter than TLS allows here.
pub(crate) fn has_short_rsa_key(der: &[u8]) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    matches!(certificate.public_key().parsed(), Ok(PublicKey::RSA(key)) if key.key_size() < MIN_RSA_BITS)
}

/// Returns the fingerprint of a DER certificate, or of any other data.
pub fn fingerprint(algorithm: HashAlgorithm, octets: &[u8]) -> Fingerprint {
    let digest_algorithm = match algorithm {
        HashAlgorithm::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        HashAlgorithm::Sha224 => &digest::SHA224,
        HashAlgorithm::Sha256 => &digest::SHA256,
        HashAlgorithm::Sha384 => &digest::SHA384,
        HashAlgorithm::Sha512 => &digest::SHA512,
    };
    Fingerprint::from_hash(algorithm, digest(digest_algorithm, octets).as_ref())
}

pub(crate) fn alternative_names(certificate: &X509Certificate<'_>) -> Vec<AlternativeName> {
    let names = certificate.extensions().iter().filter_map(|extension| match extension.parsed_extension() {
        ParsedExtension::SubjectAlternativeName(names) => Some(&names.general_names),
        _ => None,
    });
    names.flatten().filter_map(alternative_name).collect()
}

fn alternative_name(name: &GeneralName<'_>) -> Option<AlternativeName> {
    match name {
        GeneralName::RFC822Name(mailbox) => Some(AlternativeName::Rfc822((*mailbox).to_owned())),
        GeneralName::DNSName(host) => Some(AlternativeName::Dns((*host).to_owned())),
        GeneralName::IPAddress(octets) => match <[u8; 4]>::try_from(*octets) {
            Ok(v4) => Some(AlternativeName::Ip(IpAddr::from(v4))),
            Err(_) => <[u8; 16]>::try_from(*octets).ok().map(|v6| AlternativeName::Ip(IpAddr::from(v6))),
        },
        _ => None,
    }
}

/// The minimum length of RSA keys in bits, as in the libraries that verify signatures.
const MIN_RSA_BITS: usize = 2048;
