//! The TLS Transport Model's naming (RFC 6353 §5.3.2, and §7 about snmpTlstmCertToTSNTable).
//!
//! ```text
//! rows by priority ─► is it this certificate, or an authority above it? ─► is there such a name? ─► can it be one?
//!        ▲─────────────────── no: the next row ◄──────────────────────────────────┴───────────────────────┘
//! ```
//! The chain has been verified when we get here, or the certificate's own fingerprint is trusted.

use std::{borrow::Cow, fmt::Write, net::IpAddr, sync::Arc};

use portreeve_channel::{AlternativeName, CertificateFacts, CertificateIdentity, Fingerprint};
use portreeve_lcd::CertToName;
use portreeve_mib::modules::tls_tm_mib::{
    SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SAN_ANY, SNMP_TLSTM_CERT_SAN_DNS_NAME,
    SNMP_TLSTM_CERT_SAN_IP_ADDRESS, SNMP_TLSTM_CERT_SAN_RFC822_NAME, SNMP_TLSTM_CERT_SPECIFIED,
};

use super::valid_security_name;

/// The securityName of a certificate's holder, by the first of `rows` that matches the certificate and gives a name of
/// 1 to 32 octets. `rows` are the active ones, least snmpTlstmCertToTSNID first. `None`: the session is to be closed.
//= rfc6353#5.3.2-p2
#[must_use]
pub fn certificate_security_name<'r>(
    rows: impl IntoIterator<Item = &'r CertToName>,
    identity: &CertificateIdentity,
) -> Option<Arc<[u8]>> {
    let mut matching = rows.into_iter().filter(|row| matches_chain(row, identity));
    matching.find_map(|row| valid_security_name(&map_name(row, &identity.leaf)?))
}

/// Whether the row's fingerprint is that of the certificate, or of one that its verification went through.
//= rfc6353#7-p1
//= rfc6353#7-p2
fn matches_chain(row: &CertToName, identity: &CertificateIdentity) -> bool {
    Fingerprint::from_octets(&row.fingerprint).is_ok_and(|fingerprint| {
        identity.chain().any(|certificate| certificate.has_fingerprint(&fingerprint))
    })
}

/// The name that the row makes of the certificate, whatever its length.
fn map_name<'n>(row: &'n CertToName, certificate: &'n CertificateFacts) -> Option<Cow<'n, str>> {
    let first = |wanted: fn(&AlternativeName) -> bool| {
        certificate.alternative_names.iter().find(|name| wanted(name)).and_then(alternative_name_text)
    };
    let way = &*row.map_type;
    // A row that has not been told otherwise specifies the name.
    if way.is_empty() || way == SNMP_TLSTM_CERT_SPECIFIED.arcs() {
        std::str::from_utf8(&row.data).ok().map(Cow::Borrowed)
    } else if way == SNMP_TLSTM_CERT_SAN_RFC822_NAME.arcs() {
        first(|name| matches!(name, AlternativeName::Rfc822(_)))
    } else if way == SNMP_TLSTM_CERT_SAN_DNS_NAME.arcs() {
        first(|name| matches!(name, AlternativeName::Dns(_)))
    } else if way == SNMP_TLSTM_CERT_SAN_IP_ADDRESS.arcs() {
        first(|name| matches!(name, AlternativeName::Ip(_)))
    } else if way == SNMP_TLSTM_CERT_SAN_ANY.arcs() {
        first(|_| true)
    } else if way == SNMP_TLSTM_CERT_COMMON_NAME.arcs() {
        certificate.common_name.as_deref().map(Cow::Borrowed)
    } else {
        None
    }
}

/// A subjectAltName as a securityName.
fn alternative_name_text(name: &AlternativeName) -> Option<Cow<'_, str>> {
    match name {
        //= rfc6353#7-p4
        AlternativeName::Rfc822(mailbox) => {
            // A quoted local part may hold an @ of its own.
            let (local, host) = mailbox.rsplit_once('@')?;
            let whole = !local.is_empty() && !host.is_empty();
            whole.then(|| Cow::Owned(format!("{local}@{}", host.to_ascii_lowercase())))
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
