//! TCP connections, listening TCP sockets, and UDP endpoints.

use std::collections::HashMap;

use portreeve_mib::{
    Object,
    modules::{
        tcp_mib::{TCP_CONNECTION_PROCESS, TCP_CONNECTION_STATE, TCP_LISTENER_PROCESS},
        udp_mib::UDP_ENDPOINT_PROCESS,
    },
};
use portreeve_smi::OwnedValue;

use super::{
    Family, IPV6, Protocol,
    endpoint::{Endpoint, HostNames},
    read::number,
};
use crate::{
    command_error::CommandError,
    commands::{Agent, subtree},
    flags::NetstatOptions,
    output::Output,
};

pub(super) fn print(
    agent: &mut Agent,
    output: &mut Output,
    protocol: Protocol,
    options: &NetstatOptions,
    family: Option<Family>,
) -> Result<(), CommandError> {
    let mut names = HostNames::new(options.numeric, options.verbose);
    match protocol {
        Protocol::Tcp => {
            print_connections(agent, output, &mut names, family)?;
            if options.listeners {
                print_listeners(agent, output, &mut names, family)?;
            }
        }
        Protocol::Udp => print_udp_endpoints(agent, output, &mut names, family)?,
        _ => {}
    }
    Ok(())
}

fn print_connections(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut HostNames,
    family: Option<Family>,
) -> Result<(), CommandError> {
    let rows = read_column(agent, output, &TCP_CONNECTION_STATE)?;
    let processes: HashMap<Vec<u32>, u64> = match rows.is_empty() {
        true => HashMap::new(),
        false => read_column(agent, output, &TCP_CONNECTION_PROCESS)?.into_iter().collect(),
    };
    let mut first = true;
    for (index, state) in rows {
        let process = processes.get(&index).copied().unwrap_or_default();
        let mut rest = &index[..];
        let (Some(local), Some(remote)) = (Endpoint::parse_from(&mut rest), Endpoint::parse_from(&mut rest))
        else {
            continue;
        };
        if !Family::matches(family, local.kind) {
            continue;
        }
        if std::mem::take(&mut first) {
            output.print_line("Active Internet (tcp) Connections");
            let (local, remote) = ("Local Address", "Remote Address");
            output.print_line(&format!("Proto {local:<27} {remote:<27} {:>11} {:>5}", "State", "PID"));
        }
        let is_v6 = remote.kind == IPV6;
        let state = usize::try_from(state)
            .ok()
            .and_then(|state| STATES.get(state))
            .map_or_else(|| state.to_string(), |name| (*name).to_owned());
        output.print_line(&format!(
            "{:<5}{}{} {state:>11} {process:>5}",
            label("tcp", local),
            names.format_endpoint(local, false, true),
            names.format_endpoint(remote, false, !is_v6),
        ));
    }
    Ok(())
}

fn print_listeners(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut HostNames,
    family: Option<Family>,
) -> Result<(), CommandError> {
    let rows = read_column(agent, output, &TCP_LISTENER_PROCESS)?;
    output.print_line("Listening Internet (tcp) Connections");
    output.print_line(&format!("Proto {:<27} {:>5}", "Local Address", "PID"));
    for (index, process) in rows {
        let Some(local) = Endpoint::parse_from(&mut &index[..]) else { continue };
        if Family::matches(family, local.kind) {
            let endpoint = names.format_endpoint(local, false, true);
            output.print_line(&format!("{:<5}{endpoint} {process:>5}", label("tcp", local)));
        }
    }
    Ok(())
}

fn print_udp_endpoints(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut HostNames,
    family: Option<Family>,
) -> Result<(), CommandError> {
    let rows = read_column(agent, output, &UDP_ENDPOINT_PROCESS)?;
    output.print_line("Active Internet (udp) Connections");
    output.print_line(&format!("Proto {:<27} {:<27} {:>5}", "Local Address", "Remote Address", "PID"));
    for (index, process) in rows {
        let mut rest = &index[..];
        let (Some(local), Some(remote)) = (Endpoint::parse_from(&mut rest), Endpoint::parse_from(&mut rest))
        else {
            continue;
        };
        if Family::matches(family, local.kind) {
            let (local_text, remote_text) =
                (names.format_endpoint(local, true, true), names.format_endpoint(remote, true, true));
            output.print_line(&format!("{:<5}{local_text}{remote_text} {process:>5}", label("udp", local)));
        }
    }
    Ok(())
}

/// Reads a numeric column: the index and value of each row.
fn read_column(
    agent: &mut Agent,
    output: &mut Output,
    column: &'static Object,
) -> Result<Vec<(Vec<u32>, u64)>, CommandError> {
    let mut rows = Vec::new();
    subtree::visit(agent, output, column.arcs(), |bind| {
        let name = bind.name.to_buf();
        let index = name.strip_prefix(column.arcs()).map(<[u32]>::to_vec);
        rows.extend(index.zip(number(Some(&OwnedValue::from(bind.value)))));
    })?;
    Ok(rows)
}

fn label(protocol: &str, local: Endpoint) -> String {
    format!("{protocol}{}", if local.kind == IPV6 { 6 } else { 4 })
}

/// The names of the values of tcpConnectionState.
const STATES: [&str; 12] = [
    "0",
    "CLOSED",
    "LISTEN",
    "SYNSENT",
    "SYNRECEIVED",
    "ESTABLISHED",
    "FINWAIT1",
    "FINWAIT2",
    "CLOSEWAIT",
    "LASTACK",
    "CLOSING",
    "TIMEWAIT",
];
