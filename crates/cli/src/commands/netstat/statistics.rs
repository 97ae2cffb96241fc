//! Prints protocol counters.

mod counters;

use std::collections::BTreeMap;

use portreeve_mib::{
    Object,
    modules::ip_mib::{ICMP_MSG_STATS_ENTRY, ICMP_MSG_STATS_IN_PKTS},
};
use portreeve_smi::OwnedValue;

use super::{
    IPV4, IPV6, Protocol,
    read::{number, read_values},
};
use crate::{
    command_error::CommandError,
    commands::{Agent, subtree},
    output::Output,
};

use counters::{ScalarCounter, VersionedCounter};

/// Prints the counters of a protocol, except those that are zero if `without_zeros` is true.
pub(super) fn print(
    agent: &mut Agent,
    output: &mut Output,
    protocol: Protocol,
    without_zeros: bool,
) -> Result<(), CommandError> {
    match protocol {
        Protocol::Tcp => print_scalars(agent, output, "tcp", counters::TCP, without_zeros),
        Protocol::Udp => print_scalars(agent, output, "udp", counters::UDP, without_zeros),
        Protocol::Ip => print_versioned(agent, output, "ip", IPV4, counters::IP, without_zeros),
        Protocol::Ip6 => print_versioned(agent, output, "ip6", IPV6, counters::IP, without_zeros),
        Protocol::Icmp => {
            print_versioned(agent, output, "icmp", IPV4, counters::ICMP, without_zeros)?;
            print_histogram(agent, output, "icmp", IPV4, counters::ICMP_TYPES, without_zeros)
        }
        Protocol::Icmp6 => {
            print_versioned(agent, output, "icmp6", IPV6, counters::ICMP, without_zeros)?;
            print_histogram(agent, output, "icmp6", IPV6, counters::ICMP6_TYPES, without_zeros)
        }
        Protocol::AlwaysEmpty => Ok(()),
    }
}

fn print_scalars(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    counters: &[ScalarCounter],
    without_zeros: bool,
) -> Result<(), CommandError> {
    let requested: Vec<_> = counters.iter().map(|(object, _)| (*object, &[0][..])).collect();
    let values = read_values(agent, output, &requested)?;
    output.print_line(&format!("{name}:"));
    for ((_, label), value) in counters.iter().zip(&values) {
        let Some(count) = number(value.as_ref()).filter(|count| *count > 0 || !without_zeros) else {
            continue;
        };
        let label = label.replace("{}", if count == 1 { "" } else { "s" });
        output.print_line(&format!("{count:>14} {label}"));
    }
    Ok(())
}

fn print_versioned(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    version: u32,
    counters: &[VersionedCounter],
    without_zeros: bool,
) -> Result<(), CommandError> {
    let index = &[version][..];
    let wide: Vec<(&'static Object, &[u32])> =
        counters.iter().map(|(narrow, wide, _)| (wide.unwrap_or(narrow), index)).collect();
    let narrow: Vec<(&'static Object, &[u32])> =
        counters.iter().map(|(narrow, ..)| (*narrow, index)).collect();
    // SNMPv1 has no 64-bit counters.
    let wide = if agent.can_bulk() { read_values(agent, output, &wide)? } else { vec![None; counters.len()] };
    let narrow = if wide.contains(&None) { read_values(agent, output, &narrow)? } else { Vec::new() };
    output.print_line(&format!("{name}:"));
    for (position, (.., label)) in counters.iter().enumerate() {
        let value = [&wide, &narrow].into_iter().find_map(|values| values.get(position)?.as_ref());
        match number(value) {
            Some(0) if without_zeros => {}
            Some(count) => output.print_line(&format!("{count:>14} {label}")),
            None => output.print_line(&format!("{:>14} {label}", "-")),
        }
    }
    Ok(())
}

fn print_histogram(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    version: u32,
    types: &[(u32, &str)],
    without_zeros: bool,
) -> Result<(), CommandError> {
    let mut counts: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
    subtree::visit(agent, output, ICMP_MSG_STATS_ENTRY.arcs(), |bind| {
        let name = bind.name.to_buf();
        let Some(&[column, of, kind]) = name.strip_prefix(ICMP_MSG_STATS_ENTRY.arcs()) else { return };
        let Some(count) = number(Some(&OwnedValue::from(bind.value))).filter(|_| of == version) else {
            return;
        };
        let [received, sent] = counts.entry(kind).or_default();
        *if column == ICMP_MSG_STATS_IN_PKTS.number() { received } else { sent } = count;
    })?;
    output.print_line(&format!("     {name} histogram:"));
    output.print_line(&format!("     {:>10} {:>10} type", "input", "output"));
    for (kind, [received, sent]) in counts {
        if without_zeros && received == 0 && sent == 0 {
            continue;
        }
        let entry = types.iter().find(|(number, _)| *number == kind);
        let label = entry.map_or_else(|| format!("type {kind}"), |(_, label)| (*label).to_owned());
        output.print_line(&format!("     {received:>10} {sent:>10} {label}"));
    }
    Ok(())
}
