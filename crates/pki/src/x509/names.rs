//! Names in certificates.

use portreeve_channel::AlternativeName;
use rcgen::{DistinguishedName, DnType, SanType};

use crate::Problem;

/// A subject or issuer that is a CommonName; empty where there is none or it would be too long (RFC 5280, ub-common-name).
pub(super) fn common_name(name: &str) -> DistinguishedName {
    let mut subject = DistinguishedName::new();
    if (1..=LONGEST_COMMON_NAME).contains(&name.chars().count()) {
        subject.push(DnType::CommonName, name);
    }
    subject
}

pub(super) fn alternative(names: &[AlternativeName]) -> Result<Vec<SanType>, Problem> {
    let ascii = |text: &String| text.clone().try_into().map_err(|_| Problem::BadName(text.clone()));
    let name = |name: &AlternativeName| {
        Ok(match name {
            AlternativeName::Dns(host) => SanType::DnsName(ascii(host)?),
            AlternativeName::Rfc822(mailbox) => SanType::Rfc822Name(ascii(mailbox)?),
            AlternativeName::Ip(address) => SanType::IpAddress(*address),
        })
    };
    names.iter().map(name).collect()
}

/// Characters.
const LONGEST_COMMON_NAME: usize = 64;
