//! UDP and TCP: a name, a socket, and messages.

use std::{
    io::ErrorKind,
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use portreeve_channel::{Fact, Observer, Step};
use portreeve_cli::Errand;
use portreeve_snmp_manager::{Cause, Client, Diagnosis, StreamLink, Transport};

use crate::{
    chart::Chart,
    finding::{FIREWALL, Finding, NO_ADDRESS},
    record::Stage,
    snmp, surroundings,
};

/// All the way.
pub(crate) fn walk(errand: Errand, chart: &Chart) -> Result<(), Finding> {
    let Errand { address, credentials, options, .. } = errand;
    chart.begins(Step::Resolve);
    let found = surroundings::resolve(&address);
    let found = found.map_err(|cause| Finding::new(Stage::Channel(Step::Resolve), cause, NO_ADDRESS))?;
    for address in &found {
        chart.finds(Fact::new("address", address.ip().to_string()));
    }
    chart.begins(Step::Connect);
    let asks = snmp::Asks::of(&credentials);
    let client = match address.transport {
        Transport::Tcp => {
            let stream = connect(&found, options.retry.patience(), chart)?;
            Client::over(StreamLink::new(stream), credentials, &options)
        }
        _ => {
            let client = Client::open(&address, credentials, &options);
            let client = client.map_err(|error| unreachable(&error, &address.host))?;
            if let Some((own, peer)) = client.ends() {
                chart.finds(Fact::new("connected", format!("{peer} from {own}, as far as UDP goes")));
            }
            client
        }
    };
    snmp::ask(client, asks, chart)
}

/// A connection to the first address that takes one.
fn connect(addresses: &[SocketAddr], patience: Duration, chart: &Chart) -> Result<TcpStream, Finding> {
    let mut last = None;
    for address in addresses {
        match TcpStream::connect_timeout(address, patience) {
            Ok(stream) => {
                // Where this cannot be set, it is slower, and works.
                let _ = stream.set_nodelay(true);
                chart.finds(Fact::new("connected", address.to_string()));
                return Ok(stream);
            }
            Err(error) => {
                chart.finds(Fact::new("unreachable", format!("{address}: {error}")));
                last = Some((address, error));
            }
        }
    }
    Err(match last {
        Some((address, error)) => unreachable(&error, &address.to_string()),
        None => Finding::new(Stage::Channel(Step::Connect), "there is no address of that family", NO_ADDRESS),
    })
}

fn unreachable(error: &std::io::Error, whom: &str) -> Finding {
    let stage = Stage::Channel(Step::Connect);
    match Diagnosis::from_io(error) {
        Some(diagnosis) if diagnosis.cause != Cause::ConnectionClosed => {
            Finding::diagnosed(stage, &diagnosis)
        }
        _ if error.kind() == ErrorKind::TimedOut => Finding::new(
            stage,
            format!("{whom} does not answer: the host is down, or something drops what is sent there"),
            FIREWALL,
        ),
        _ => Finding::new(stage, format!("{whom}: {error}"), FIREWALL),
    }
}
