//! Prints the routes in inetCidrRouteTable.

use std::{collections::HashMap, net::IpAddr};

use portreeve_mib::{
    Object,
    modules::{
        if_mib::IF_DESCR,
        ip_forward_mib::{INET_CIDR_ROUTE_IF_INDEX, INET_CIDR_ROUTE_PROTO, INET_CIDR_ROUTE_TYPE},
    },
};
use portreeve_smi::OwnedValue;

use super::{
    Family, IPV6,
    endpoint::{HostNames, parse_address_from},
    read::{number, read_values, text, visit_rows},
};
use crate::{command_error::CommandError, commands::Agent, flags::NetstatOptions, output::Output};

pub(super) fn print(
    agent: &mut Agent,
    output: &mut Output,
    options: &NetstatOptions,
    family: Option<Family>,
) -> Result<(), CommandError> {
    let mut routes = Vec::new();
    visit_rows(agent, output, COLUMNS, |index, values| routes.extend(Route::read(index, values)))?;
    if routes.is_empty() {
        // The hint explains the empty output: some older agents support only the older tables of
        // routes.
        output.flush().map_err(|error| crate::commands::write_error(&error))?;
        eprintln!("hint: the agent has no routes in inetCidrRouteTable");
    }
    routes.retain(|route| Family::matches(family, route.kind));
    let mut names = HostNames::new(options.numeric, options.verbose);
    let mut interfaces = HashMap::new();
    let mut last = None;
    for route in routes {
        let is_v6 = route.kind == IPV6;
        let (destination_width, gateway_width) = if is_v6 && options.numeric { (34, 39) } else { (26, 26) };
        if last != Some(is_v6) {
            if last.is_some() {
                output.print_line("");
            }
            let version = if is_v6 { "IPv6" } else { "IPv4" };
            output.print_line(&format!("{version} Routing tables (inetCidrRouteTable)"));
            output.print_line(&format!(
                "{:<destination_width$} {:<gateway_width$} {:<6}  Interface",
                "Destination", "Gateway", "Flags"
            ));
            last = Some(is_v6);
        }
        let interface = match interfaces.get(&route.interface) {
            Some(name) => name,
            None => {
                let name = interface_name(agent, output, route.interface)?;
                interfaces.entry(route.interface).or_insert(name)
            }
        };
        let destination = route.format_destination(&mut names);
        let next = names.host(route.next);
        output.print_line(&format!(
            "{destination:<destination_width$} {next:<gateway_width$} {:<6.6}  {interface}",
            route.flags()
        ));
    }
    Ok(())
}

/// One row of inetCidrRouteTable.
struct Route {
    kind: u32,
    destination: IpAddr,
    prefix: u32,
    next: IpAddr,
    interface: u64,
    remote: bool,
    redirected: bool,
}

impl Route {
    /// Parses a row; `None` if it is incomplete or its addresses are neither IPv4 nor IPv6.
    fn read(mut index: &[u32], values: &[Option<OwnedValue>]) -> Option<Self> {
        let (kind, destination) = parse_address_from(&mut index)?;
        let destination = destination?;
        let (&[prefix, policy], rest) = index.split_first_chunk()?;
        let mut rest = rest.get(usize::try_from(policy).ok()?..)?;
        // The next hop of a local destination may be empty.
        let unspecified = if destination.is_ipv4() { IpAddr::from([0; 4]) } else { IpAddr::from([0; 16]) };
        let next = parse_address_from(&mut rest)?.1.unwrap_or(unspecified);
        let [interface, route_type, protocol] = values else { return None };
        Some(Self {
            kind,
            destination,
            prefix,
            next,
            interface: number(interface.as_ref())?,
            remote: number(route_type.as_ref())? == REMOTE,
            redirected: number(protocol.as_ref())? == ICMP,
        })
    }

    fn is_host(&self) -> bool {
        self.prefix == if self.destination.is_ipv4() { 32 } else { 128 }
    }

    fn format_destination(&self, names: &mut HostNames) -> String {
        if self.destination.is_unspecified() {
            return "default".to_owned();
        }
        if self.is_host() {
            return names.host(self.destination);
        }
        format!("{}/{}", self.destination, self.prefix)
    }

    fn flags(&self) -> String {
        let flag = |holds: bool, letter: &'static str| if holds { letter } else { "" };
        format!("<U{}{}{}>", flag(self.is_host(), "H"), flag(self.redirected, "D"), flag(self.remote, "G"))
    }
}

fn interface_name(agent: &mut Agent, output: &Output, index: u64) -> Result<String, CommandError> {
    let arc = u32::try_from(index).unwrap_or_default();
    let values = read_values(agent, output, &[(&IF_DESCR, &[arc])])?;
    let name = values.first().and_then(|value| text(value.as_ref()));
    Ok(name.unwrap_or_else(|| format!("if{index}")).chars().take(MAX_NAME_LEN).collect())
}

static COLUMNS: &[&Object] = &[&INET_CIDR_ROUTE_IF_INDEX, &INET_CIDR_ROUTE_TYPE, &INET_CIDR_ROUTE_PROTO];
/// The value remote(4) of inetCidrRouteType.
const REMOTE: u64 = 4;
/// The value icmp(4) of inetCidrRouteProto.
const ICMP: u64 = 4;
const MAX_NAME_LEN: usize = 63;
