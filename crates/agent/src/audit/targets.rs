//! Where notifications are to go (RFC 3413 §4): rows that SETs have made, for the file has no word for them.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use portreeve_lcd::{NotifyType, TargetAddressRow, TargetParamsRow};
use portreeve_mib::{
    format::Format,
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

use super::{Evidence, shown};

/// A target of notifications.
pub(crate) struct Target {
    /// snmpTargetAddrName.
    pub(crate) name: String,
    /// Over what, and where to.
    pub(crate) transport: String,
    pub(crate) address: String,
    /// Whether what goes over that can be read on the way, unless SNMP itself protects it.
    pub(crate) is_clear: bool,
    /// What is sent there: `trap`, `inform`; empty where no row of snmpNotifyTable selects it.
    pub(crate) kinds: Vec<&'static str>,
    /// As whom; `None` where snmpTargetParamsTable has no such row.
    pub(crate) sender: Option<Sender>,
}

/// On whose behalf notifications are made.
pub(crate) struct Sender {
    pub(crate) name: String,
    pub(crate) model: SecurityModel,
    pub(crate) level: SecurityLevel,
}

/// Every target but the sources that communities are taken from, which name no parameters and which nothing selects.
pub(super) fn all(evidence: &Evidence<'_>) -> Vec<Target> {
    let tables = evidence.lcd.tables();
    let rows = tables.target_addresses.iter().filter(|row| row.is_active());
    let targets = rows.filter_map(|row| {
        let params =
            tables.target_params.iter().find(|params| params.is_active() && params.key.name == row.params);
        let target = target(evidence, row, params.map(|params| &**params));
        let is_source = row.storage == portreeve_lcd::StorageType::ReadOnly;
        (!is_source && (target.sender.is_some() || !target.kinds.is_empty())).then_some(target)
    });
    targets.collect()
}

fn target(evidence: &Evidence<'_>, row: &TargetAddressRow, params: Option<&TargetParamsRow>) -> Target {
    let domain = |of: &[&portreeve_mib::Object]| of.iter().any(|known| *row.domain == *known.oid());
    let (transport, is_clear) = match () {
        () if domain(&[&SNMP_UDP_DOMAIN, &TRANSPORT_DOMAIN_UDP_IPV4, &TRANSPORT_DOMAIN_UDP_IPV6]) => {
            ("udp".to_owned(), true)
        }
        () if domain(&[&TRANSPORT_DOMAIN_TCP_IPV4, &TRANSPORT_DOMAIN_TCP_IPV6]) => ("tcp".to_owned(), true),
        () if domain(&[&SNMP_SSH_DOMAIN]) => ("ssh".to_owned(), false),
        () if domain(&[&SNMP_TLS_TCP_DOMAIN]) => ("tls".to_owned(), false),
        () if domain(&[&SNMP_DTLS_UDP_DOMAIN]) => ("dtls".to_owned(), false),
        () => {
            let mut name = String::new();
            Format::default().name(&mut name, &row.domain);
            (name, true)
        }
    };
    let selected = evidence.lcd.tables().notifies.iter().filter(|notify| {
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
        name: shown(&row.key.name),
        transport,
        address: address(&row.address, is_clear),
        is_clear,
        kinds,
        sender: params.map(|params| Sender {
            name: shown(&params.security_name),
            model: params.security_model,
            level: params.security_level,
        }),
    }
}

/// An address in its domain's layout: octets and a port (RFC 3419), or text (RFC 5592, RFC 6353).
fn address(octets: &[u8], is_clear: bool) -> String {
    let with = |port: &[u8; 2]| u16::from_be_bytes(*port);
    match octets {
        [a, b, c, d, port @ ..] if is_clear && octets.len() == 6 => {
            let port = port.first_chunk().map_or(0, with);
            SocketAddr::from((Ipv4Addr::new(*a, *b, *c, *d), port)).to_string()
        }
        _ if is_clear && octets.len() == 18 => {
            let host = octets.first_chunk::<16>().map_or(Ipv6Addr::UNSPECIFIED, |host| Ipv6Addr::from(*host));
            SocketAddr::from((host, octets.last_chunk().map_or(0, with))).to_string()
        }
        _ => shown(octets),
    }
}
