//! Encodes the names in certificates.

use portreeve_channel::AlternativeName;
use rcgen::{DistinguishedName, DnType, SanType};

use crate::PkiError;

/// Returns a subject or issuer with `name` as its CommonName. The result is empty if `name` is
/// empty or too long (RFC 5280, ub-common-name).
pub(super) fn common_name(name: &str) -> DistinguishedName {
    let mut subject = DistinguishedName::new();
    if (1..=MAX_COMMON_NAME_LEN).contains(&name.chars().count()) {
        subject.push(DnType::CommonName, name);
    }
    subject
}

pub(super) fn alternative(names: &[AlternativeName]) -> Result<Vec<SanType>, PkiError> {
    let ascii = |text: &String| text.clone().try_into().map_err(|_| PkiError::BadName(text.clone()));
    let name = |name: &AlternativeName| {
        Ok(match name {
            AlternativeName::Dns(host) => SanType::DnsName(ascii(host)?),
            AlternativeName::Rfc822(mailbox) => SanType::Rfc822Name(ascii(mailbox)?),
            AlternativeName::Ip(address) => SanType::IpAddress(*address),
        })
    };
    names.iter().map(name).collect()
}

/// The maximum number of characters in a CommonName.
const MAX_COMMON_NAME_LEN: usize = 64;
