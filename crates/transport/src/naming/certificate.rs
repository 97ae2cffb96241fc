//! The name mapping of the TLS Transport Model (RFC 6353 §5.3.2, and §7 on
//! snmpTlstmCertToTSNTable).
//!
//! ```text
//! rows by ID ─► matches the certificate or an issuer? ─► yields a name?   ─► valid securityName?
//!     ▲────────────── no: next row ◄──────┴────────────────────┴───────────────────┘
//! ```
//! At this point the chain has been verified, or the certificate's own fingerprint is trusted.

use std::{borrow::Cow, fmt::Write, net::IpAddr, sync::Arc};

use portreeve_channel::{AlternativeName, CertificateFacts, CertificateIdentity, Fingerprint};
use portreeve_lcd::CertToName;
use portreeve_mib::modules::tls_tm_mib::{
    SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SAN_ANY, SNMP_TLSTM_CERT_SAN_DNS_NAME,
    SNMP_TLSTM_CERT_SAN_IP_ADDRESS, SNMP_TLSTM_CERT_SAN_RFC822_NAME, SNMP_TLSTM_CERT_SPECIFIED,
};

use super::valid_security_name;

/// Returns the securityName of a certificate: the name from the first row that matches the
/// certificate and yields a name of 1 to 32 octets. `rows` contains the active rows in ascending
/// order of snmpTlstmCertToTSNID. Returns `None` if no row yields a name; the session must then be
/// closed.
//= rfc6353#5.3.2-p2
#[must_use]
pub fn certificate_security_name<'r>(
    rows: impl IntoIterator<Item = &'r CertToName>,
    identity: &CertificateIdentity,
) -> Option<Arc<[u8]>> {
    let mut matching = rows.into_iter().filter(|row| matches_chain(row, identity));
    matching.find_map(|row| valid_security_name(&map_name(row, &identity.leaf)?))
}

/// Returns whether the row's fingerprint matches the certificate or an issuer in its verified
/// chain.
//= rfc6353#7-p1
//= rfc6353#7-p2
fn matches_chain(row: &CertToName, identity: &CertificateIdentity) -> bool {
    Fingerprint::from_octets(&row.fingerprint).is_ok_and(|fingerprint| {
        identity.chain().any(|certificate| certificate.has_fingerprint(&fingerprint))
    })
}

/// Returns the name that the row derives from the certificate. The length of the name is not
/// checked.
fn map_name<'n>(row: &'n CertToName, certificate: &'n CertificateFacts) -> Option<Cow<'n, str>> {
    let first = |wanted: fn(&AlternativeName) -> bool| {
        certificate.alternative_names.iter().find(|name| wanted(name)).and_then(alternative_name_text)
    };
    let map_type = &*row.map_type;
    // An unset map type means that the row specifies the name.
    if map_type.is_empty() || map_type == SNMP_TLSTM_CERT_SPECIFIED.arcs() {
        std::str::from_utf8(&row.data).ok().map(Cow::Borrowed)
    } else if map_type == SNMP_TLSTM_CERT_SAN_RFC822_NAME.arcs() {
        first(|name| matches!(name, AlternativeName::Rfc822(_)))
    } else if map_type == SNMP_TLSTM_CERT_SAN_DNS_NAME.arcs() {
        first(|name| matches!(name, AlternativeName::Dns(_)))
    } else if map_type == SNMP_TLSTM_CERT_SAN_IP_ADDRESS.arcs() {
        first(|name| matches!(name, AlternativeName::Ip(_)))
    } else if map_type == SNMP_TLSTM_CERT_SAN_ANY.arcs() {
        first(|_| true)
    } else if map_type == SNMP_TLSTM_CERT_COMMON_NAME.arcs() {
        certificate.common_name.as_deref().map(Cow::Borrowed)
    } else {
        None
    }
}

/// Returns a subjectAltName as a securityName.
fn alternative_name_text(name: &AlternativeName) -> Option<Cow<'_, str>> {
    match name {
        //= rfc6353#7-p4
        AlternativeName::Rfc822(mailbox) => {
            // A quoted local part may contain an @.
            let (local, host) = mailbox.rsplit_once('@')?;
            let is_complete = !local.is_empty() && !host.is_empty();
            is_complete.then(|| Cow::Owned(format!("{local}@{}", host.to_ascii_lowercase())))
        }
        AlternativeName::Dns(host) => Some(Cow::Owned(host.to_ascii_lowercase())),
        //= rfc6353#7-p5
        AlternativeName::Ip(IpAddr::V4(address)) => Some(Cow::Owned(address.to_string())),
        AlternativeName::Ip(IpAddr::V6(address)) => {
            let mut digits = String::with_capacity(32);
            address.octets().iter().try_for_each(|octet| write!(digits, "{octet:02x}")).ok()?;
            Some(Cow::Owned(digits))
        }
    }
}

#[cfg(test)]
mod tests;
