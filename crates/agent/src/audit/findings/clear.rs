//! Missing or weak encryption: communities and their well-known strings, unauthenticated or
//! unencrypted messages, cleartext listeners on all addresses, and listeners without ML-KEM.

use portreeve_channel::{Algorithm, KeyExchange};
use portreeve_smi::SecurityLevel;

use super::{AuditInput, FindingKind, Findings, Grant, Severity};
use crate::audit::{display_escaped, is_cleartext};

pub(super) fn check(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    for grant in grants {
        let in_clear = grant.transports.iter().any(|transport| is_cleartext(*transport));
        let (who, location) = (format!("{} ({})", grant.name, grant.auth_method), grant.location.clone());
        match grant.level {
            _ if !in_clear => {}
            // The community of a [[notify]] gives no rights in requests.
            _ if grant.is_by_community() && !grant.is_for_requests() => {}
            _ if grant.is_by_community() && !grant.write.is_empty() => {
                let what = format!(
                    "{who} may write the view {}, and so can anyone who intercepts one message",
                    grant.write
                );
                list.add(
                    Severity::Critical,
                    (FindingKind::CommunityWrite, &grant.name),
                    location,
                    what,
                    "set access = \"read\" in the [[community]], or replace the [[community]] with a [[session-user]] or a [[user]]",
                );
            }
            _ if grant.is_by_community() => {
                let what =
                    format!("responses to {who} are sent in cleartext and are readable on the network path");
                let id = (FindingKind::CommunityRead, &*grant.name);
                list.add(
                    Severity::Weak,
                    id,
                    location,
                    what,
                    "replace the [[community]] with a [[session-user]] or a [[user]]",
                );
            }
            SecurityLevel::NoAuthNoPriv if !grant.write.is_empty() => {
                let what = format!("{who} may write the view {} without authentication", grant.write);
                let id = (FindingKind::UnauthenticatedWrite, &*grant.name);
                list.add(
                    Severity::Critical,
                    id,
                    location,
                    what,
                    "set auth, auth-pass, priv, priv-pass and level = \"authPriv\" in the [[user]]",
                );
            }
            SecurityLevel::NoAuthNoPriv => {
                let what = format!("anyone who claims to be {} may read the view {}", grant.name, grant.read);
                let id = (FindingKind::UnauthenticatedRead, &*grant.name);
                list.add(
                    Severity::Weak,
                    id,
                    location,
                    what,
                    "set auth, auth-pass, priv, priv-pass and level = \"authPriv\" in the [[user]]",
                );
            }
            SecurityLevel::AuthNoPriv => {
                let what = format!(
                    "{who} may send unencrypted requests; these and the responses are readable on the network path"
                );
                let id = (FindingKind::Unencrypted, &*grant.name);
                list.add(
                    Severity::Weak,
                    id,
                    location,
                    what,
                    "set priv, priv-pass and level = \"authPriv\" in the [[user]]",
                );
            }
            SecurityLevel::AuthPriv => {}
        }
    }
    default_communities(input, grants, list);
    wildcard_listeners(input, grants, list);
    post_quantum_key_exchange(input, list);
    if input.lcd.tables().communities_in_sessions {
        let what = "sessions accept SNMPv1 and SNMPv2c messages: the session authenticates the user, and the community is not checked";
        list.add(
            Severity::Note,
            (FindingKind::SessionCommunities, ""),
            input.location(0),
            what,
            "set communities = false in [sessions] if no client needs SNMPv1 or SNMPv2c",
        );
    }
}

/// Reports usable communities whose string is a well-known default. The string is not printed,
/// because the output of an audit contains no secrets.
fn default_communities(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    let tables = input.lcd.tables();
    let is_default = |string: &[u8]| {
        DEFAULT_COMMUNITIES.iter().any(|default| default.as_bytes().eq_ignore_ascii_case(string))
    };
    for row in tables.communities.iter().filter(|row| row.is_active() && is_default(&row.name)) {
        let name = display_escaped(&row.security_name);
        let rights = || {
            grants.iter().filter(|grant| {
                grant.name == name && grant.is_by_cleartext_community() && grant.is_for_requests()
            })
        };
        let Some(location) = rights().next().map(|grant| grant.location.clone()) else { continue };
        let can_write = rights().any(|grant| !grant.write.is_empty());
        list.add(
            if can_write { Severity::Critical } else { Severity::Weak },
            (FindingKind::DefaultCommunity, &name),
            location,
            format!("the community string of {name} is a well-known default, which attackers try first"),
            "set name in the [[community]] to a random string, or replace the [[community]] with a [[session-user]] or a [[user]]",
        );
    }
}

/// Notes listeners configured without ML-KEM, the only key exchange that resists quantum computers.
/// Its absence is not a weakness today; every listener offers ML-KEM unless it is configured
/// otherwise.
fn post_quantum_key_exchange(input: &AuditInput<'_>, list: &mut Findings) {
    for (number, listener) in input.config.listeners.iter().enumerate() {
        let narrowed = listener.algorithms.key_exchanges;
        if narrowed.is_some_and(|choice| !choice.contains(KeyExchange::MlKem768X25519)) {
            let line = input.config.lines.listeners.get(number).copied().unwrap_or_default();
            let what = format!(
                "{} {} does not use ML-KEM: quantum computers may be able to decrypt recorded sessions in the \
                 future",
                listener.transport, listener.address
            );
            let subject = format!("{}:{}", listener.transport, listener.address);
            let hint =
                format!("add \"{}\" to key-exchanges in the [[listen]]", KeyExchange::MlKem768X25519.name());
            list.add(
                Severity::Note,
                (FindingKind::NoPostQuantum, &subject),
                input.location(line),
                what,
                hint,
            );
        }
    }
}

/// Reports cleartext listeners on all addresses.
fn wildcard_listeners(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    let is_weak = |grant: &Grant| {
        grant.level < SecurityLevel::AuthPriv
            && (grant.is_for_requests() || !grant.is_by_community())
            && grant.transports.iter().any(|transport| is_cleartext(*transport))
    };
    let severity = if grants.iter().any(is_weak) { Severity::Weak } else { Severity::Note };
    for (number, listener) in input.config.listeners.iter().enumerate() {
        if is_cleartext(listener.transport) && listener.address.ip().is_unspecified() {
            let line = input.config.lines.listeners.get(number).copied().unwrap_or_default();
            let what = format!(
                "{} {} accepts cleartext messages on all addresses of this machine",
                listener.transport, listener.address
            );
            let subject = format!("{}:{}", listener.transport, listener.address);
            let id = (FindingKind::OpenSocket, &*subject);
            list.add(
                severity,
                id,
                input.location(line),
                what,
                "set address in the [[listen]] to an address in the management network",
            );
        }
    }
}

/// Community strings that are defaults of devices and programs, or that scanners try. Compared
/// without regard to case.
const DEFAULT_COMMUNITIES: [&str; 32] = [
    "access",
    "admin",
    "agent",
    "all",
    "cable-docsis",
    "cisco",
    "community",
    "debug",
    "default",
    "guest",
    "ilmi",
    "internal",
    "manager",
    "monitor",
    "netman",
    "network",
    "openview",
    "password",
    "private",
    "proxy",
    "public",
    "read",
    "ro",
    "rw",
    "secret",
    "security",
    "snmp",
    "snmpd",
    "system",
    "test",
    "tivoli",
    "write",
];
