//! Notification targets (RFC 3413 §4): of `[[notify]]`, and rows made by SET.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_config::ConfigLines;
use portreeve_lcd::{NotifyType, StorageType, TargetAddressRow, TargetParamsRow};
use portreeve_mib::{
    format::OutputFormat,
    modules::{
        snmpv2_tm::SNMP_UDP_DOMAIN,
        ssh_tm_mib::SNMP_SSH_DOMAIN,
        tls_tm_mib::{SNMP_DTLS_UDP_DOMAIN, SNMP_TLS_TCP_DOMAIN},
        transport_address_mib::{
            TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
            TRANSPORT_DOMAIN_UDP_IPV6,
        },
    },
};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::{AuditInput, display_escaped};

/// A notification target.
pub(crate) struct Target {
    /// The name of the target (snmpTargetAddrName).
    pub(crate) name: String,
    /// The transport and the address of the target.
    pub(crate) transport: String,
    pub(crate) address: String,
    /// True if the transport is unencrypted.
    pub(crate) is_cleartext: bool,
    /// The notification types sent: `trap`, `inform`; empty if no row of snmpNotifyTable selects
    /// the target.
    pub(crate) kinds: Vec<&'static str>,
    /// The sender; `None` if snmpTargetParamsTable has no row with the target's parameters.
    pub(crate) sender: Option<Sender>,
    /// The line of the `[[notify]]`; `None` for rows made by SET.
    pub(crate) line: Option<usize>,
}

/// The security parameters of the notifications.
pub(crate) struct Sender {
    pub(crate) name: String,
    pub(crate) model: SecurityModel,
    pub(crate) level: SecurityLevel,
}

/// Returns all targets. Omits rows that only limit a community to source addresses: they have no
/// parameters, and no row of snmpNotifyTable selects them.
pub(super) fn all(input: &AuditInput<'_>) -> Vec<Target> {
    let tables = input.lcd.tables();
    let rows = tables.target_addresses.iter().filter(|row| row.is_active());
    let targets = rows.filter_map(|row| {
        let params =
            tables.target_params.iter().find(|params| params.is_active() && params.key.name == row.params);
        let target = target(input, row, params.map(|params| &**params));
        (target.sender.is_some() || !target.kinds.is_empty()).then_some(target)
    });
    targets.collect()
}

fn target(input: &AuditInput<'_>, row: &TargetAddressRow, params: Option<&TargetParamsRow>) -> Target {
    let domain = |of: &[&portreeve_mib::Object]| of.iter().any(|known| *row.domain == *known.oid());
    let (transport, is_cleartext) = match () {
        () if domain(&[&SNMP_UDP_DOMAIN, &TRANSPORT_DOMAIN_UDP_IPV4, &TRANSPORT_DOMAIN_UDP_IPV6]) => {
            ("udp".to_owned(), true)
        }
        () if domain(&[&TRANSPORT_DOMAIN_TCP_IPV4, &TRANSPORT_DOMAIN_TCP_IPV6]) => ("tcp".to_owned(), true),
        () if domain(&[&SNMP_SSH_DOMAIN]) => ("ssh".to_owned(), false),
        () if domain(&[&SNMP_TLS_TCP_DOMAIN]) => ("tls".to_owned(), false),
        () if domain(&[&SNMP_DTLS_UDP_DOMAIN]) => ("dtls".to_owned(), false),
        () => {
            let mut name = String::new();
            OutputFormat::default().name(&mut name, &row.domain);
            (name, true)
        }
    };
    let selected = input.lcd.tables().notifies.iter().filter(|notify| {
        notify.is_active() && !notify.tag.is_empty() && row.tags().any(|tag| *tag == *notify.tag)
    });
    let mut kinds: Vec<_> = selected
        .map(|notify| match notify.kind {
            NotifyType::Trap => "trap",
            NotifyType::Inform => "inform",
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    Target {
        name: display_escaped(&row.key.name),
        transport,
        address: address(&row.address, is_cleartext),
        is_cleartext,
        kinds,
        sender: params.map(|params| Sender {
            name: display_escaped(&params.security_name),
            model: params.security_model,
            level: params.security_level,
        }),
        line: ConfigLines::find_line(&input.config.lines.notify, &row.key.name)
            .filter(|_| row.storage == StorageType::ReadOnly),
    }
}

/// Formats an address: octets and a port (RFC 3419), or text (RFC 5592, RFC 6353).
fn address(octets: &[u8], is_cleartext: bool) -> String {
    let with = |port: &[u8; 2]| u16::from_be_bytes(*port);
    match octets {
        [a, b, c, d, port @ ..] if is_cleartext && octets.len() == 6 => {
            let port = port.first_chunk().map_or(0, with);
            SocketAddr::from((Ipv4Addr::new(*a, *b, *c, *d), port)).to_string()
        }
        _ if is_cleartext && octets.len() == 18 => {
            let host = octets.first_chunk::<16>().map_or(Ipv6Addr::UNSPECIFIED, |host| Ipv6Addr::from(*host));
            SocketAddr::from((host, octets.last_chunk().map_or(0, with))).to_string()
        }
        _ => display_escaped(octets),
    }
}
