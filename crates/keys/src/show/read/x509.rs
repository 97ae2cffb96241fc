//! X.509 certificates, requests, lists and keys.

use portreeve_channel::{AlternativeName, HashAlgorithm};
use portreeve_x509::{certificate_facts, fingerprint};
use x509_parser::{
    certificate::X509Certificate,
    certification_request::X509CertificationRequest,
    extensions::{GeneralName, ParsedExtension},
    prelude::FromDer,
    revocation_list::CertificateRevocationList,
    x509::SubjectPublicKeyInfo,
};

use crate::{
    names,
    show::{ItemKind, KeyItem, dates, item::hexadecimal},
};

/// Parses a certificate in DER.
pub(super) fn certificate(der: &[u8]) -> Option<KeyItem> {
    let (_, parsed) = X509Certificate::from_der(der).ok()?;
    let facts = certificate_facts(der)?;
    let usage = parsed.extended_key_usage().ok().flatten();
    let (host, user) =
        usage.map_or((false, false), |usage| (usage.value.server_auth, usage.value.client_auth));
    let kind = match (parsed.is_ca(), host, user) {
        (true, ..) => ItemKind::X509Authority,
        (false, true, false) => ItemKind::X509Host,
        (false, false, true) => ItemKind::X509User,
        _ => ItemKind::X509Leaf,
    };
    let mut item = KeyItem {
        subject: parsed.subject().to_string(),
        issuer: parsed.issuer().to_string(),
        names: facts.alternative_names.iter().map(names::display_name).collect(),
        serial: without_zeros(parsed.raw_serial()),
        from: Some(parsed.validity().not_before.to_datetime().into()),
        until: Some(parsed.validity().not_after.to_datetime().into()),
        key: algorithm(parsed.public_key()),
        fingerprint: Some(fingerprint(HashAlgorithm::Sha256, der).to_string()),
        ..KeyItem::new(kind)
    };
    for extension in parsed.extensions() {
        match extension.parsed_extension() {
            ParsedExtension::SubjectKeyIdentifier(identifier) => item.subject_key = identifier.0.to_vec(),
            ParsedExtension::AuthorityKeyIdentifier(identifier) => {
                item.authority_key =
                    identifier.key_identifier.as_ref().map(|key| key.0.to_vec()).unwrap_or_default();
            }
            _ => {}
        }
    }
    Some(item)
}

/// Parses a request in DER. The requested names are displayed, but the signer decides on the names
/// of the certificate.
pub(super) fn request(der: &[u8]) -> Option<KeyItem> {
    let (_, parsed) = X509CertificationRequest::from_der(der).ok()?;
    let info = &parsed.certification_request_info;
    let mut item = KeyItem {
        subject: info.subject.to_string(),
        key: algorithm(&info.subject_pki),
        ..KeyItem::new(ItemKind::X509Request)
    };
    for extension in parsed.requested_extensions().into_iter().flatten() {
        if let ParsedExtension::SubjectAlternativeName(asked) = extension {
            item.names.extend(asked.general_names.iter().filter_map(requested_name));
        }
    }
    Some(item)
}

/// Parses a revocation list in DER.
pub(super) fn list(der: &[u8]) -> Option<KeyItem> {
    let (_, parsed) = CertificateRevocationList::from_der(der).ok()?;
    let entries = parsed.iter_revoked_certificates().count();
    let revokes = parsed.iter_revoked_certificates().take(MAX_ENTRIES).map(|entry| {
        let since = dates::day(entry.revocation_date.to_datetime().into());
        format!("serial {} since {since}", hexadecimal(&without_zeros(entry.raw_serial())))
    });
    let more = entries.saturating_sub(MAX_ENTRIES);
    let more = (more > 0).then(|| format!("and {more} more"));
    let number = parsed.crl_number().map(|number| format!("number {number}"));
    Some(KeyItem {
        issuer: parsed.issuer().to_string(),
        from: Some(parsed.last_update().to_datetime().into()),
        until: parsed.next_update().map(|until| until.to_datetime().into()),
        options: number.into_iter().chain([format!("{entries} revoked")]).collect(),
        revokes: revokes.chain(more).collect(),
        fingerprint: Some(fingerprint(HashAlgorithm::Sha256, der).to_string()),
        ..KeyItem::new(ItemKind::X509RevocationList)
    })
}

/// Recognizes a private key in DER, in any of its three formats.
pub(super) fn private(der: &[u8]) -> KeyItem {
    let head = der.get(..ALGORITHM_PREFIX_LEN.min(der.len())).unwrap_or_default();
    let has = |oid: &[u8]| der.windows(oid.len()).any(|window| window == oid);
    let starts = |oid: &[u8]| head.windows(oid.len()).any(|window| window == oid);
    let key = match () {
        () if has(P256) => "ECDSA P-256",
        () if has(P384) => "ECDSA P-384",
        () if starts(ED25519) => "Ed25519",
        () if starts(RSA) => "RSA",
        () => "",
    };
    KeyItem { key: key.to_owned(), ..KeyItem::new(ItemKind::X509PrivateKey) }
}

fn algorithm(key: &SubjectPublicKeyInfo<'_>) -> String {
    let oid = key.algorithm.algorithm.as_bytes();
    let curve = key.algorithm.parameters.as_ref().map(|curve| curve.data).unwrap_or_default();
    match () {
        () if oid == RSA => match key.parsed() {
            Ok(parsed) => format!("RSA, {} bits", parsed.key_size()),
            Err(_) => "RSA".to_owned(),
        },
        () if oid == ED25519 => "Ed25519".to_owned(),
        () if curve == P256 => "ECDSA P-256".to_owned(),
        () if curve == P384 => "ECDSA P-384".to_owned(),
        () => key.algorithm.algorithm.to_id_string(),
    }
}

fn requested_name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(text) | GeneralName::RFC822Name(text) => Some((*text).to_owned()),
        GeneralName::IPAddress(octets) => {
            let v4 = <[u8; 4]>::try_from(*octets).map(|v4| v4.into());
            let address = v4.or_else(|_| <[u8; 16]>::try_from(*octets).map(|v6| v6.into())).ok()?;
            Some(names::display_name(&AlternativeName::Ip(address)))
        }
        _ => None,
    }
}

fn without_zeros(octets: &[u8]) -> Vec<u8> {
    octets.iter().copied().skip_while(|octet| *octet == 0).collect()
}

/// The object identifiers of key algorithms and curves, in DER. The first is that of RSA.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
/// Maximum number of list entries to display.
const MAX_ENTRIES: usize = 1000;
/// Bytes at the start of a PKCS #8 key that contain its algorithm.
const ALGORITHM_PREFIX_LEN: usize = 32;
