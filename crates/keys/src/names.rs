//! Names of hosts and users, and alternative names in their certificates.

use std::net::IpAddr;

use portreeve_channel::AlternativeName;
use portreeve_pki::HolderRole;

use crate::CommandError;

/// Checks a name that is used as a directory, a principal and, for a user, a securityName.
pub(crate) fn check_name(role: HolderRole, name: &str) -> Result<String, CommandError> {
    let reject =
        |what: &str, hint: &str| Err(CommandError::new(format_args!("{name:?} is {what}")).with_hint(hint));
    let plain =
        |letter: char| !letter.is_control() && !letter.is_whitespace() && !r#"/\"',;"#.contains(letter);
    if name.is_empty() || name.starts_with(['.', '-', '#', '@']) || !name.chars().all(plain) {
        return reject("not a valid name", "use letters, digits and hyphens, for example gw.example or ops");
    }
    match role {
        HolderRole::User if name.len() > MAX_USER_LEN => {
            reject("too long for a user", "a securityName has 1 to 32 octets")
        }
        HolderRole::Host if !is_host(name) => reject(
            "not a valid host name",
            "use the name or address of the agent, for example gw.example or 192.0.2.1",
        ),
        _ => Ok(name.to_owned()),
    }
}

/// Returns the subjectAltName of a host. A user has one only if the name is an email address.
pub(crate) fn alternative_for(role: HolderRole, name: &str) -> Option<AlternativeName> {
    match role {
        HolderRole::Host => alternative(name),
        HolderRole::User => Some(name).filter(|name| name.contains('@')).and_then(alternative),
    }
}

/// Parses the value of `--san`: an IP address, an email address or a DNS name; `None` if it is none
/// of these.
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

/// Returns the name as text.
pub(crate) fn display_name(name: &AlternativeName) -> String {
    match name {
        AlternativeName::Dns(text) | AlternativeName::Rfc822(text) => text.clone(),
        AlternativeName::Ip(address) => address.to_string(),
    }
}

/// Returns true if the text is a list of networks and addresses in the format of `source-address`.
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
    // No bits may be set after the prefix, because implementations interpret them differently.
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

/// Maximum length of a securityName in octets.
const MAX_USER_LEN: usize = 32;

#[cfg(test)]
mod tests;
