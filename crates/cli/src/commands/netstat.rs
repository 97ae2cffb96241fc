//! `netstat`: prints connections, interfaces, routes and protocol counters.

mod endpoint;
mod interfaces;
mod read;
mod routes;
mod sockets;
mod statistics;

use super::Agent;
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, _: &[String]) -> Result<u8, CommandError> {
    let options = agent.application.netstat.clone();
    let family = options.family.as_deref().map(Family::read).transpose()?;
    let protocol = options.protocol.as_deref().map(Protocol::read).transpose()?;
    agent.open()?;
    if options.interfaces {
        interfaces::print(agent, output, &options)?;
    } else if options.routes {
        routes::print(agent, output, &options, family)?;
    } else {
        for wanted in Protocol::ALL {
            if protocol.is_some_and(|protocol| protocol != wanted) {
                continue;
            }
            if options.statistics > 0 {
                statistics::print(agent, output, wanted, options.statistics > 1)?;
            } else {
                sockets::print(agent, output, wanted, &options, family)?;
            }
        }
    }
    Ok(0)
}

/// The address family of `-Cf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

impl Family {
    fn read(name: &str) -> Result<Self, CommandError> {
        match name {
            "inet" => Ok(Self::V4),
            "inet6" => Ok(Self::V6),
            _ => Err(CommandError::Session(format!("{name}: unknown address family"))),
        }
    }

    /// Returns true if an InetAddressType is selected. Every type but IPv6 counts as IPv4.
    fn matches(wanted: Option<Self>, kind: u32) -> bool {
        wanted.is_none_or(|family| (family == Self::V6) == (kind == IPV6))
    }
}

/// The protocol of `-Cp`, in the order in which all protocols are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Tcp,
    Udp,
    Ip,
    Ip6,
    Icmp,
    Icmp6,
    /// A protocol that Net-SNMP accepts but for which it never prints anything.
    AlwaysEmpty,
}

impl Protocol {
    const ALL: [Self; 6] = [Self::Tcp, Self::Udp, Self::Ip, Self::Ip6, Self::Icmp, Self::Icmp6];

    /// Parses the name of a protocol, in lower case or as in protocols(5).
    fn read(name: &str) -> Result<Self, CommandError> {
        match name {
            "tcp" | "TCP" => Ok(Self::Tcp),
            "udp" | "UDP" => Ok(Self::Udp),
            "ip" | "IP" => Ok(Self::Ip),
            "icmp" | "ICMP" => Ok(Self::Icmp),
            "ip6" => Ok(Self::Ip6),
            "icmp6" => Ok(Self::Icmp6),
            "tcp6" | "udp6" => Ok(Self::AlwaysEmpty),
            _ => Err(CommandError::Session(format!("{name}: unknown protocol"))),
        }
    }
}

/// The value ipv4(1) of InetAddressType.
const IPV4: u32 = 1;
const IPV6: u32 = 2;
