//! Counters of protocols.

mod words;

use std::collections::BTreeMap;

use portreeve_mib::{
    Object,
    modules::ip_mib::{ICMP_MSG_STATS_ENTRY, ICMP_MSG_STATS_IN_PKTS},
};
use portreeve_smi::OwnedValue;

use super::{
    IPV4, IPV6, Protocol,
    read::{number, values},
};
use crate::{
    commands::{Agent, subtree},
    failure::Failure,
    output::Output,
};

use words::{Counted, Versioned};

/// Prints a protocol's counters; `without_zeros` leaves those out.
pub(super) fn tell(
    agent: &mut Agent,
    output: &mut Output,
    protocol: Protocol,
    without_zeros: bool,
) -> Result<(), Failure> {
    match protocol {
        Protocol::Tcp => scalars(agent, output, "tcp", words::TCP, without_zeros),
        Protocol::Udp => scalars(agent, output, "udp", words::UDP, without_zeros),
        Protocol::Ip => versioned(agent, output, "ip", IPV4, words::IP, without_zeros),
        Protocol::Ip6 => versioned(agent, output, "ip6", IPV6, words::IP, without_zeros),
        Protocol::Icmp => {
            versioned(agent, output, "icmp", IPV4, words::ICMP, without_zeros)?;
            histogram(agent, output, "icmp", IPV4, words::ICMP_TYPES, without_zeros)
        }
        Protocol::Icmp6 => {
            versioned(agent, output, "icmp6", IPV6, words::ICMP, without_zeros)?;
            histogram(agent, output, "icmp6", IPV6, words::ICMP6_TYPES, without_zeros)
        }
        Protocol::Nothing => Ok(()),
    }
}

fn scalars(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    counters: &[Counted],
    without_zeros: bool,
) -> Result<(), Failure> {
    let wanted: Vec<_> = counters.iter().map(|(object, _)| (*object, &[0][..])).collect();
    let found = values(agent, output, &wanted)?;
    output.line(&format!("{name}:"));
    for ((_, words), value) in counters.iter().zip(&found) {
        let Some(count) = number(value.as_ref()).filter(|count| *count > 0 || !without_zeros) else {
            continue;
        };
        let words = words.replace("{}", if count == 1 { "" } else { "s" });
        output.line(&format!("{count:>14} {words}"));
    }
    Ok(())
}

fn versioned(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    version: u32,
    counters: &[Versioned],
    without_zeros: bool,
) -> Result<(), Failure> {
    let index = &[version][..];
    let wide: Vec<(&'static Object, &[u32])> =
        counters.iter().map(|(narrow, wide, _)| (wide.unwrap_or(narrow), index)).collect();
    let narrow: Vec<(&'static Object, &[u32])> =
        counters.iter().map(|(narrow, ..)| (*narrow, index)).collect();
    // SNMPv1 has no counters of 64 bits.
    let wide = if agent.can_bulk() { values(agent, output, &wide)? } else { vec![None; counters.len()] };
    let narrow = if wide.contains(&None) { values(agent, output, &narrow)? } else { Vec::new() };
    output.line(&format!("{name}:"));
    for (position, (.., words)) in counters.iter().enumerate() {
        let value = [&wide, &narrow].into_iter().find_map(|values| values.get(position)?.as_ref());
        match number(value) {
            Some(0) if without_zeros => {}
            Some(count) => output.line(&format!("{count:>14} {words}")),
            None => output.line(&format!("{:>14} {words}", "-")),
        }
    }
    Ok(())
}

fn histogram(
    agent: &mut Agent,
    output: &mut Output,
    name: &str,
    version: u32,
    types: &[(u32, &str)],
    without_zeros: bool,
) -> Result<(), Failure> {
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
    output.line(&format!("     {name} histogram:"));
    output.line(&format!("     {:>10} {:>10} type", "input", "output"));
    for (kind, [received, sent]) in counts {
        if without_zeros && received == 0 && sent == 0 {
            continue;
        }
        let known = types.iter().find(|(number, _)| *number == kind);
        let words = known.map_or_else(|| format!("type {kind}"), |(_, words)| (*words).to_owned());
        output.line(&format!("     {received:>10} {sent:>10} {words}"));
    }
    Ok(())
}
