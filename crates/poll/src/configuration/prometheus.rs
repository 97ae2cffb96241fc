//! `[prometheus]`: where results are shown, and what may be asked there.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use portreeve_config::Reader;

use super::{Known, look_up, refuse, sections::PROMETHEUS};
use crate::{Network, Prometheus};

/// `None` where the address is wrong.
pub(super) fn read(reader: &mut Reader<'_, '_>, known: &Known) -> Option<Prometheus> {
    let mut listen = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)));
    if let Some(written) = reader.text("listen") {
        listen = written.value.parse().ok();
        if listen.is_none() {
            refuse(reader.problems, &PROMETHEUS, "listen", &written, "this is no address with a port");
        }
    }
    let mut targets = Vec::new();
    for written in reader.list("targets").unwrap_or_default() {
        match network(&written.value) {
            Some(network) => targets.push(network),
            None => refuse(reader.problems, &PROMETHEUS, "targets", &written, "this is no network"),
        }
    }
    let mut credentials = Vec::new();
    for written in reader.list("credentials").unwrap_or_default() {
        if look_up(reader.problems, "credentials", &written, &known.credentials).is_some() {
            credentials.push(written.value);
        }
    }
    Some(Prometheus { listen: listen?, targets, credentials })
}

fn network(text: &str) -> Option<Network> {
    let (address, prefix) = text.split_once('/').map_or((text, None), |(one, other)| (one, Some(other)));
    let address: IpAddr = address.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    let prefix = prefix.map_or(Some(most), |prefix| prefix.parse().ok())?;
    (prefix <= most).then_some(Network { address, prefix })
}

/// The port that snmp_exporter listens on.
const PORT: u16 = 9116;
