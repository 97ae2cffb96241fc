//! Names of holders, and what else can stand in their certificates.

use std::net::IpAddr;

use portreeve_channel::AlternativeName;
use portreeve_pki::HolderRole;

use crate::CommandError;

/// A name that can be a folder, a principal and, a user's, a securityName.
pub(crate) fn check_name(role: HolderRole, name: &str) -> Result<String, CommandError> {
    let reject =
        |what: &str, cure: &str| Err(CommandError::new(format_args!("{name:?} is {what}")).with_hint(cure));
    let plain =
        |letter: char| !letter.is_control() && !letter.is_whitespace() && !r#"/\"',;"#.contains(letter);
    if name.is_empty() || name.starts_with(['.', '-', '#', '@']) || !name.chars().all(plain) {
        return reject("no name", "take letters, digits and hyphens, as in gw.example or ops");
    }
    match role {
        HolderRole::User if name.len() > MAX_USER_LEN => {
            reject("too long for a user", "a securityName has 1 to 32 octets")
        }
        HolderRole::Host if !is_host(name) => reject(
            "no host's name",
            "take the name or address by which it is asked, such as gw.example or 192.0.2.1",
        ),
        _ => Ok(name.to_owned()),
    }
}

/// A host's name or address in subjectAltName; a user's, where it is a mailbox.
pub(crate) fn alternative_for(role: HolderRole, name: &str) -> Option<AlternativeName> {
    match role {
        HolderRole::Host => alternative(name),
        HolderRole::User => Some(name).filter(|name| name.contains('@')).and_then(alternative),
    }
}

/// What is meant by `--san`: an address, a mailbox, or a name of DNS; `None` where it is none of these.
pub(crate) fn alternative(text: &str) -> Option<AlternativeName> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(AlternativeName::Ip(address));
    }
    let printable = text.chars().all(|letter| letter.is_ascii_graphic());
    match text.split_once('@') {
        Some((box_, domain)) if !box_.is_empty() && is_domain(domain) && printable => {
            Some(AlternativeName::Rfc822(text.to_owned()))
        }
        Some(_) => None,
        None => {
            is_domain(text.strip_prefix("*.").unwrap_or(text)).then(|| AlternativeName::Dns(text.to_owned()))
        }
    }
}

/// The name as text.
pub(crate) fn display_name(name: &AlternativeName) -> String {
    match name {
        AlternativeName::Dns(text) | AlternativeName::Rfc822(text) => text.clone(),
        AlternativeName::Ip(address) => address.to_string(),
    }
}

/// Whether it is a list of networks and addresses as `source-address` has it.
pub(crate) fn is_network_list(list: &str) -> bool {
    !list.is_empty() && list.split(',').all(is_network)
}

fn is_network(text: &str) -> bool {
    let Some((address, prefix)) = text.split_once('/') else { return text.parse::<IpAddr>().is_ok() };
    let (Ok(address), Ok(prefix)) = (address.parse::<IpAddr>(), prefix.parse::<u32>()) else { return false };
    let (bits, width) = match address {
        IpAddr::V4(v4) => (u128::from(v4.to_bits()) << 96, 32),
        IpAddr::V6(v6) => (v6.to_bits(), 128),
    };
    // Nothing may stand behind the prefix: it would be read differently by different readers.
    prefix <= width && bits.checked_shl(prefix).unwrap_or(0) == 0
}

fn is_host(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok() || is_domain(name)
}

fn is_domain(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(label)
}

/// Octets of a securityName.
const MAX_USER_LEN: usize = 32;

#[cfg(test)]
mod tests;
