//! UDP and TCP: a name, a socket, and messages.

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

/// All the way.
pub(crate) fn run(errand: ClientPlan, chart: &Timeline) -> Result<(), Finding> {
    let ClientPlan { address, credentials, options, .. } = errand;
    chart.on_step(ChannelStep::Resolve);
    let found = neighbors::resolve(&address);
    let found =
        found.map_err(|cause| Finding::new(Stage::Channel(ChannelStep::Resolve), cause, NO_ADDRESS_HINT))?;
    for address in &found {
        chart.on_fact(Fact::new("address", address.ip().to_string()));
    }
    chart.on_step(ChannelStep::Connect);
    let asks = snmp::RequestIdentity::from_credentials(&credentials);
    let client = match address.transport {
        Transport::Tcp => {
            let stream = connect(&found, options.retry.total_timeout(), chart)?;
            Client::with_link(StreamLink::new(stream), credentials, &options)
        }
        _ => {
            let client = Client::open(&address, credentials, &options);
            let client = client.map_err(|error| unreachable(&error, &address.host))?;
            if let Some((own, peer)) = client.addresses() {
                chart.on_fact(Fact::new("connected", format!("{peer} from {own}, as far as UDP goes")));
            }
            client
        }
    };
    snmp::read_system_group(client, asks, chart)
}

/// A connection to the first address that takes one.
fn connect(addresses: &[SocketAddr], patience: Duration, chart: &Timeline) -> Result<TcpStream, Finding> {
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(address, patience) {
            Ok(stream) => {
                // Where this cannot be set, it is slower, and works.
                let _ = stream.set_nodelay(true);
                chart.on_fact(Fact::new("connected", address.to_string()));
                return Ok(stream);
            }
            Err(error) => {
                chart.on_fact(Fact::new("unreachable", format!("{address}: {error}")));
                last = Some((address, error));
            }
        }
    }
    Err(match last {
        Some((address, error)) => unreachable(&error, &address.to_string()),
        None => Finding::new(
            Stage::Channel(ChannelStep::Connect),
            "there is no address of that family",
            NO_ADDRESS_HINT,
        ),
    })
}

fn unreachable(error: &std::io::Error, whom: &str) -> Finding {
    let stage = Stage::Channel(ChannelStep::Connect);
    match Diagnosis::from_io(error) {
        Some(diagnosis) if diagnosis.cause != Cause::ConnectionClosed => {
            Finding::diagnosed(stage, &diagnosis)
        }
        _ if error.kind() == ErrorKind::TimedOut => Finding::new(
            stage,
            format!("{whom} does not answer: the host is down, or something drops what is sent there"),
            FIREWALL_HINT,
        ),
        _ => Finding::new(stage, format!("{whom}: {error}"), FIREWALL_HINT),
    }
}
