//! Addresses and ports in the index of a row, and their formatting.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use super::{IPV4, IPV6};

/// An address and a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    /// The IP address; `None` if the endpoint stands for every address, or if its address is
    /// neither IPv4 nor IPv6.
    pub(super) address: Option<IpAddr>,
    /// The InetAddressType of the address.
    pub(super) kind: u32,
    pub(super) port: u16,
}

impl Endpoint {
    /// Removes an endpoint from the start of an index.
    pub(super) fn parse_from(index: &mut &[u32]) -> Option<Self> {
        let (kind, address) = parse_address_from(index)?;
        let (port, rest) = index.split_first()?;
        *index = rest;
        Some(Self { address, kind, port: u16::try_from(*port).ok()? })
    }
}

/// Removes an InetAddressType and an InetAddress from the start of an index. The address is `None`
/// if it is neither IPv4 nor IPv6.
pub(super) fn parse_address_from(index: &mut &[u32]) -> Option<(u32, Option<IpAddr>)> {
    let (&[kind, count], rest) = index.split_first_chunk()?;
    let (arcs, rest) = rest.split_at_checked(usize::try_from(count).ok()?)?;
    *index = rest;
    let octets: Vec<u8> = arcs.iter().map(|&arc| u8::try_from(arc).ok()).collect::<Option<_>>()?;
    let address = match kind {
        IPV4 => octets.first_chunk::<4>().map(|octets| Ipv4Addr::from(*octets).into()),
        IPV6 => octets.first_chunk::<16>().map(|octets| Ipv6Addr::from(*octets).into()),
        _ => None,
    };
    Some((kind, address))
}

/// Formats hosts and services with their names. Each host is looked up once.
pub(super) struct HostNames {
    numeric: bool,
    verbose: bool,
    hosts: HashMap<IpAddr, Option<String>>,
}

impl HostNames {
    pub(super) fn new(numeric: bool, verbose: bool) -> Self {
        Self { numeric, verbose, hosts: HashMap::new() }
    }

    /// Returns the name of a host, or its address if it has none.
    pub(super) fn host(&mut self, address: IpAddr) -> String {
        if self.numeric {
            return address.to_string();
        }
        let name = self.hosts.entry(address).or_insert_with(|| portreeve_sys::host_name(address));
        name.clone().unwrap_or_else(|| address.to_string())
    }

    /// Formats `host.port` as a column, preceded by a space. The name of the service is looked up
    /// if `of_service` is true.
    pub(super) fn format_endpoint(&mut self, end_point: Endpoint, udp: bool, of_service: bool) -> String {
        let host = match end_point.address {
            Some(address) if !address.is_unspecified() => self.host(address),
            _ => "*".to_owned(),
        };
        let service = match end_point.port {
            0 => "*".to_owned(),
            port if self.numeric || !of_service => port.to_string(),
            port => portreeve_sys::service_name(port, udp).unwrap_or_else(|| port.to_string()),
        };
        if self.verbose {
            return format!(" {:<WIDTH$}", format!("{host}.{service}"));
        }
        let line = format!("{host:.HOST_WIDTH$}.{service:.SERVICE_WIDTH$}");
        format!(" {line:<WIDTH$.WIDTH$}")
    }
}

const WIDTH: usize = 27;
const HOST_WIDTH: usize = 18;
const SERVICE_WIDTH: usize = 8;
