//! Connections of TCP, sockets that listen, and endpoints of UDP.

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
    end_point::{EndPoint, Names},
    read::number,
};
use crate::{
    commands::{Agent, subtree},
    failure::Failure,
    flags::Netstat,
    output::Output,
};

pub(super) fn tell(
    agent: &mut Agent,
    output: &mut Output,
    protocol: Protocol,
    options: &Netstat,
    family: Option<Family>,
) -> Result<(), Failure> {
    let mut names = Names::new(options.numeric, options.verbose);
    match protocol {
        Protocol::Tcp => {
            connections(agent, output, &mut names, family)?;
            if options.listeners {
                listeners(agent, output, &mut names, family)?;
            }
        }
        Protocol::Udp => end_points(agent, output, &mut names, family)?,
        _ => {}
    }
    Ok(())
}

fn connections(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut Names,
    family: Option<Family>,
) -> Result<(), Failure> {
    let rows = column(agent, output, &TCP_CONNECTION_STATE)?;
    let processes: HashMap<Vec<u32>, u64> = match rows.is_empty() {
        true => HashMap::new(),
        false => column(agent, output, &TCP_CONNECTION_PROCESS)?.into_iter().collect(),
    };
    let mut first = true;
    for (index, state) in rows {
        let process = processes.get(&index).copied().unwrap_or_default();
        let mut rest = &index[..];
        let (Some(local), Some(remote)) = (EndPoint::take(&mut rest), EndPoint::take(&mut rest)) else {
            continue;
        };
        if !Family::takes(family, local.kind) {
            continue;
        }
        if std::mem::take(&mut first) {
            output.line("Active Internet (tcp) Connections");
            let (here, there) = ("Local Address", "Remote Address");
            output.line(&format!("Proto {here:<27} {there:<27} {:>11} {:>5}", "State", "PID"));
        }
        let is_v6 = remote.kind == IPV6;
        let state = usize::try_from(state)
            .ok()
            .and_then(|state| STATES.get(state))
            .map_or_else(|| state.to_string(), |name| (*name).to_owned());
        output.line(&format!(
            "{:<5}{}{} {state:>11} {process:>5}",
            label("tcp", local),
            names.end_point(local, false, true),
            names.end_point(remote, false, !is_v6),
        ));
    }
    Ok(())
}

fn listeners(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut Names,
    family: Option<Family>,
) -> Result<(), Failure> {
    let rows = column(agent, output, &TCP_LISTENER_PROCESS)?;
    output.line("Listening Internet (tcp) Connections");
    output.line(&format!("Proto {:<27} {:>5}", "Local Address", "PID"));
    for (index, process) in rows {
        let Some(local) = EndPoint::take(&mut &index[..]) else { continue };
        if Family::takes(family, local.kind) {
            let shown = names.end_point(local, false, true);
            output.line(&format!("{:<5}{shown} {process:>5}", label("tcp", local)));
        }
    }
    Ok(())
}

fn end_points(
    agent: &mut Agent,
    output: &mut Output,
    names: &mut Names,
    family: Option<Family>,
) -> Result<(), Failure> {
    let rows = column(agent, output, &UDP_ENDPOINT_PROCESS)?;
    output.line("Active Internet (udp) Connections");
    output.line(&format!("Proto {:<27} {:<27} {:>5}", "Local Address", "Remote Address", "PID"));
    for (index, process) in rows {
        let mut rest = &index[..];
        let (Some(local), Some(remote)) = (EndPoint::take(&mut rest), EndPoint::take(&mut rest)) else {
            continue;
        };
        if Family::takes(family, local.kind) {
            let (here, there) = (names.end_point(local, true, true), names.end_point(remote, true, true));
            output.line(&format!("{:<5}{here}{there} {process:>5}", label("udp", local)));
        }
    }
    Ok(())
}

/// A column whose values are numbers: the index and value of each row.
fn column(
    agent: &mut Agent,
    output: &mut Output,
    column: &'static Object,
) -> Result<Vec<(Vec<u32>, u64)>, Failure> {
    let mut rows = Vec::new();
    subtree::visit(agent, output, column.arcs(), |bind| {
        let name = bind.name.to_buf();
        let index = name.strip_prefix(column.arcs()).map(<[u32]>::to_vec);
        rows.extend(index.zip(number(Some(&OwnedValue::from(bind.value)))));
    })?;
    Ok(rows)
}

fn label(protocol: &str, local: EndPoint) -> String {
    format!("{protocol}{}", if local.kind == IPV6 { 6 } else { 4 })
}

/// By the numbers of tcpConnectionState.
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
