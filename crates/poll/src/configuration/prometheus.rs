//! `[prometheus]`: the HTTP endpoint and the allowed scrapes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use portreeve_config::Reader;

use super::{Definitions, look_up, reject_value, sections::PROMETHEUS};
use crate::{Network, PrometheusConfig};

/// Reads the section; returns `None` if the listen address is invalid.
pub(super) fn read(reader: &mut Reader<'_, '_>, definitions: &Definitions) -> Option<PrometheusConfig> {
    let mut listen = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)));
    if let Some(written) = reader.text("listen") {
        listen = written.value.parse().ok();
        if listen.is_none() {
            reject_value(reader.problems, &PROMETHEUS, "listen", &written, "not an address with a port");
        }
    }
    let mut targets = Vec::new();
    for written in reader.list("targets").unwrap_or_default() {
        match parse_network(&written.value) {
            Some(network) => targets.push(network),
            None => reject_value(reader.problems, &PROMETHEUS, "targets", &written, "not a network"),
        }
    }
    let mut credentials = Vec::new();
    for written in reader.list("credentials").unwrap_or_default() {
        if look_up(reader.problems, "credentials", &written, &definitions.credentials).is_some() {
            credentials.push(written.value);
        }
    }
    let hosts = reader.list("hosts").unwrap_or_default().into_iter().map(|written| written.value).collect();
    Some(PrometheusConfig { listen: listen?, targets, credentials, hosts })
}

fn parse_network(text: &str) -> Option<Network> {
    let (address, prefix) = text.split_once('/').map_or((text, None), |(one, other)| (one, Some(other)));
    let address: IpAddr = address.parse().ok()?;
    let max_prefix = if address.is_ipv4() { 32 } else { 128 };
    let prefix = prefix.map_or(Some(max_prefix), |prefix| prefix.parse().ok())?;
    (prefix <= max_prefix).then_some(Network { address, prefix })
}

/// The default port, which is that of snmp_exporter.
const DEFAULT_PORT: u16 = 9116;
