//! The steps over UDP, TCP and a Unix socket: resolve, connect, then SNMP.

use std::{
    io::ErrorKind,
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use portreeve_channel::{ChannelObserver, ChannelStep, Fact};
use portreeve_cli::ClientPlan;
use portreeve_snmp_manager::{Cause, Client, Diagnosis, StreamLink, Transport};

use crate::{
    finding::{FIREWALL_HINT, Finding, NO_ADDRESS_HINT},
    neighbors,
    record::Stage,
    snmp,
    timeline::Timeline,
};

/// Runs all steps for an agent over UDP, TCP or a Unix socket.
pub(crate) fn run(plan: ClientPlan, timeline: &Timeline) -> Result<(), Finding> {
    let ClientPlan { address, credentials, options, assumed_protocols, .. } = plan;
    let identity = snmp::RequestIdentity::new(&credentials, assumed_protocols);
    if address.transport == Transport::Unix {
        timeline.on_step(ChannelStep::Connect);
        let client = Client::open(&address, credentials, &options);
        let client = client.map_err(|error| socket_finding(&error, &address.host))?;
        timeline.on_fact(Fact::new("connected", address.host));
        return snmp::read_system_group(client, identity, timeline);
    }
    timeline.on_step(ChannelStep::Resolve);
    let addresses = neighbors::resolve(&address);
    let addresses = addresses
        .map_err(|cause| Finding::new(Stage::Channel(ChannelStep::Resolve), cause, NO_ADDRESS_HINT))?;
    for address in &addresses {
        timeline.on_fact(Fact::new("address", address.ip().to_string()));
    }
    timeline.on_step(ChannelStep::Connect);
    let client = match address.transport {
        Transport::Tcp => {
            let stream = connect(&addresses, options.retry.total_timeout(), timeline)?;
            Client::with_link(StreamLink::new(stream), credentials, &options)
        }
        _ => {
            let client = Client::open(&address, credentials, &options);
            let client = client.map_err(|error| unreachable(&error, &address.host))?;
            if let Some((own, peer)) = client.addresses() {
                let value = format!("{peer} from {own} (UDP: no response yet)");
                timeline.on_fact(Fact::new("connected", value));
            }
            client
        }
    };
    snmp::read_system_group(client, identity, timeline)
}

/// Connects to the first address that accepts the connection.
fn connect(addresses: &[SocketAddr], timeout: Duration, timeline: &Timeline) -> Result<TcpStream, Finding> {
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(address, timeout) {
            Ok(stream) => {
                // If TCP_NODELAY cannot be set, the connection still works, but more slowly.
                let _ = stream.set_nodelay(true);
                timeline.on_fact(Fact::new("connected", address.to_string()));
                return Ok(stream);
            }
            Err(error) => {
                timeline.on_fact(Fact::new("unreachable", format!("{address}: {error}")));
                last = Some((address, error));
            }
        }
    }
    Err(match last {
        Some((address, error)) => unreachable(&error, &address.to_string()),
        None => Finding::new(
            Stage::Channel(ChannelStep::Connect),
            "the host has no address of the requested family",
            NO_ADDRESS_HINT,
        ),
    })
}

fn unreachable(error: &std::io::Error, host: &str) -> Finding {
    let stage = Stage::Channel(ChannelStep::Connect);
    match Diagnosis::from_io(error) {
        Some(diagnosis) if diagnosis.cause != Cause::ConnectionClosed => {
            Finding::diagnosed(stage, &diagnosis)
        }
        _ if error.kind() == ErrorKind::TimedOut => Finding::new(
            stage,
            format!("{host} does not respond: the host is down, or a firewall drops the packets"),
            FIREWALL_HINT,
        ),
        _ => Finding::new(stage, format!("{host}: {error}"), FIREWALL_HINT),
    }
}

fn socket_finding(error: &std::io::Error, path: &str) -> Finding {
    let hint = match error.kind() {
        ErrorKind::ConnectionRefused => "start the agent: the socket exists, but no program listens on it",
        ErrorKind::PermissionDenied => "change the permissions of the socket and of its directories",
        _ => "check the path, and that the agent listens on a Unix socket",
    };
    Finding::new(Stage::Channel(ChannelStep::Connect), format!("{path}: {error}"), hint)
}
