//! Interfaces, their addresses and their traffic.

use std::net::Ipv4Addr;

use portreeve_mib::{
    Object,
    modules::{
        if_mib::{
            IF_DESCR, IF_IN_ERRORS, IF_IN_N_UCAST_PKTS, IF_IN_OCTETS, IF_IN_UCAST_PKTS, IF_MTU, IF_NAME,
            IF_OUT_DISCARDS, IF_OUT_ERRORS, IF_OUT_N_UCAST_PKTS, IF_OUT_OCTETS, IF_OUT_Q_LEN,
            IF_OUT_UCAST_PKTS,
        },
        ip_mib::{IP_AD_ENT_IF_INDEX, IP_AD_ENT_NET_MASK},
    },
};
use portreeve_smi::OwnedValue;

use super::read::{number, text, visit_rows};
use crate::{command_error::CommandError, commands::Agent, flags::NetstatOptions, output::Output};

pub(super) fn print(
    agent: &mut Agent,
    output: &mut Output,
    options: &NetstatOptions,
) -> Result<(), CommandError> {
    let columns = columns(options);
    let mut interfaces = Vec::new();
    let mut widths = ColumnWidths::default();
    visit_rows(agent, output, &columns, |index, values| {
        let interface = Interface::read(index, &columns, values);
        widths.count(&interface, values.last().is_some_and(Option::is_some));
        interfaces.push(interface);
    })?;
    if let Some(wanted) = &options.interface {
        interfaces.retain(|interface| [&interface.name, &interface.description].contains(&wanted));
    }
    // Without interfaces, the addresses are not needed.
    if !interfaces.is_empty() {
        visit_rows(agent, output, &[&IP_AD_ENT_IF_INDEX, &IP_AD_ENT_NET_MASK], |index, values| {
            assign_address(&mut interfaces, index, values);
        })?;
    }
    interfaces.iter().for_each(|interface| widths.count_shown(interface));
    output.print_line(&widths.line(options, &Line::HEADER));
    for interface in interfaces.iter().filter(|interface| !interface.name.is_empty()) {
        output.print_line(&widths.line(options, &interface.line()));
    }
    Ok(())
}

/// Returns the columns to read. ifName is the last, because it may be missing.
fn columns(options: &NetstatOptions) -> Vec<&'static Object> {
    let mut columns: Vec<&'static Object> = vec![&IF_DESCR, &IF_MTU];
    if options.with_octets || options.octets_only {
        columns.extend([&IF_IN_OCTETS, &IF_OUT_OCTETS]);
    }
    if !options.octets_only {
        columns.extend([&IF_IN_UCAST_PKTS, &IF_IN_N_UCAST_PKTS, &IF_IN_ERRORS]);
        columns.extend([&IF_OUT_UCAST_PKTS, &IF_OUT_N_UCAST_PKTS, &IF_OUT_ERRORS, &IF_OUT_Q_LEN]);
    }
    if options.drops {
        columns.push(&IF_OUT_DISCARDS);
    }
    columns.push(&IF_NAME);
    columns
}

#[derive(Debug, Default)]
struct Interface {
    index: u32,
    name: String,
    description: String,
    network: String,
    address: String,
    mtu: String,
    packets_in: String,
    errors_in: String,
    octets_in: String,
    packets_out: String,
    errors_out: String,
    octets_out: String,
    queue: String,
    drops: String,
}

impl Interface {
    fn read(index: &[u32], columns: &[&'static Object], values: &[Option<OwnedValue>]) -> Self {
        let value = |wanted: &Object| {
            let position = columns.iter().position(|column| std::ptr::eq(*column, wanted))?;
            values.get(position)?.as_ref()
        };
        let shown = |wanted: &Object| number(value(wanted)).map(|number| number.to_string());
        let sum = |one: &Object, other: &Object| match (number(value(one)), number(value(other))) {
            (None, None) => String::new(),
            (one, other) => (one.unwrap_or_default() + other.unwrap_or_default()).to_string(),
        };
        let description = text(value(&IF_DESCR)).unwrap_or_default();
        Self {
            index: index.first().copied().unwrap_or_default(),
            name: text(value(&IF_NAME)).unwrap_or_else(|| description.clone()),
            description,
            mtu: shown(&IF_MTU).unwrap_or_else(|| "0".to_owned()),
            packets_in: sum(&IF_IN_UCAST_PKTS, &IF_IN_N_UCAST_PKTS),
            errors_in: shown(&IF_IN_ERRORS).unwrap_or_default(),
            octets_in: shown(&IF_IN_OCTETS).unwrap_or_default(),
            packets_out: sum(&IF_OUT_UCAST_PKTS, &IF_OUT_N_UCAST_PKTS),
            errors_out: shown(&IF_OUT_ERRORS).unwrap_or_default(),
            octets_out: shown(&IF_OUT_OCTETS).unwrap_or_default(),
            queue: shown(&IF_OUT_Q_LEN).unwrap_or_default(),
            drops: shown(&IF_OUT_DISCARDS).unwrap_or_else(|| "0".to_owned()),
            ..Self::default()
        }
    }

    fn line(&self) -> Line<'_> {
        Line {
            name: &self.name,
            mtu: &self.mtu,
            network: &self.network,
            address: &self.address,
            packets_in: &self.packets_in,
            errors_in: &self.errors_in,
            octets_in: &self.octets_in,
            packets_out: &self.packets_out,
            errors_out: &self.errors_out,
            octets_out: &self.octets_out,
            queue: &self.queue,
            drops: &self.drops,
        }
    }
}

/// Assigns the address in a row of ipAddrTable to its interface, unless it already has one.
fn assign_address(interfaces: &mut [Interface], index: &[u32], values: &[Option<OwnedValue>]) {
    let octets: Vec<u8> = index.iter().filter_map(|&arc| u8::try_from(arc).ok()).collect();
    let (Some(octets), [Some(OwnedValue::Integer(of)), Some(OwnedValue::IpAddress(mask))]) =
        (octets.first_chunk::<4>(), values)
    else {
        return;
    };
    let of = of.cast_unsigned();
    let owner = interfaces.iter_mut().find(|interface| interface.index == of);
    if let Some(interface) = owner.filter(|interface| interface.address.is_empty()) {
        interface.address = Ipv4Addr::from(*octets).to_string();
        interface.network = network_prefix(*octets, u32::from_be_bytes(*mask));
    }
}

/// Formats a network prefix: the significant octets of the address and the prefix length.
fn network_prefix(octets: [u8; 4], mask: u32) -> String {
    let bits = if mask == 0 { 0 } else { 32 - mask.trailing_zeros() };
    let count = match bits {
        0..=8 => 1,
        9..=16 => 2,
        17..=24 => 3,
        _ => 4,
    };
    let shown: Vec<String> = octets.iter().take(count).map(u8::to_string).collect();
    format!("{}/{bits}", shown.join("."))
}

/// The fields of one output line.
struct Line<'a> {
    name: &'a str,
    mtu: &'a str,
    network: &'a str,
    address: &'a str,
    packets_in: &'a str,
    errors_in: &'a str,
    octets_in: &'a str,
    packets_out: &'a str,
    errors_out: &'a str,
    octets_out: &'a str,
    queue: &'a str,
    drops: &'a str,
}

impl Line<'static> {
    const HEADER: Self = Self {
        name: "Name",
        mtu: "Mtu",
        network: "Network",
        address: "Address",
        packets_in: "Ipkts",
        errors_in: "Ierrs",
        octets_in: "Ibytes",
        packets_out: "Opkts",
        errors_out: "Oerrs",
        octets_out: "Obytes",
        queue: "Queue",
        drops: "Drop",
    };
}

/// The width of each column.
struct ColumnWidths {
    name: usize,
    network: usize,
    address: usize,
    packets_in: usize,
    errors_in: usize,
    octets_in: usize,
    packets_out: usize,
    errors_out: usize,
    octets_out: usize,
    queue: usize,
}

impl Default for ColumnWidths {
    fn default() -> Self {
        let packets = 5;
        let octets = 6;
        Self {
            name: 4,
            network: 7,
            address: 7,
            packets_in: packets,
            errors_in: packets,
            octets_in: octets,
            packets_out: packets,
            errors_out: packets,
            octets_out: octets,
            queue: packets,
        }
    }
}

impl ColumnWidths {
    /// Widens the columns so that the numbers of this interface fit, even if the interface is not
    /// printed. Also widens the column of names if the interface has an ifName.
    fn count(&mut self, interface: &Interface, has_name: bool) {
        if has_name {
            self.name = self.name.max(interface.name.len() + 1);
        }
        for (width, text) in [
            (&mut self.packets_in, &interface.packets_in),
            (&mut self.errors_in, &interface.errors_in),
            (&mut self.octets_in, &interface.octets_in),
            (&mut self.packets_out, &interface.packets_out),
            (&mut self.errors_out, &interface.errors_out),
            (&mut self.octets_out, &interface.octets_out),
            (&mut self.queue, &interface.queue),
        ] {
            *width = (*width).max(text.len());
        }
    }

    fn count_shown(&mut self, interface: &Interface) {
        self.name = self.name.max(interface.name.len() + 1);
        self.network = self.network.max(interface.network.len());
        self.address = self.address.max(interface.address.len());
    }

    fn line(&self, options: &NetstatOptions, line: &Line<'_>) -> String {
        let left = |text: &str, width: usize| format!("{text:<width$.width$}");
        let right = |text: &str, width: usize| format!(" {text:>width$}");
        let mut out = left(line.name, self.name) + &right(line.mtu, 5);
        out += &(" ".to_owned() + &left(line.network, self.network));
        out += &(" ".to_owned() + &left(line.address, self.address));
        let octets = |text: &str, width: usize| {
            if options.with_octets || options.octets_only { right(text, width) } else { String::new() }
        };
        if !options.octets_only {
            out += &(right(line.packets_in, self.packets_in) + &right(line.errors_in, self.errors_in));
        }
        out += &octets(line.octets_in, self.octets_in);
        if !options.octets_only {
            out += &(right(line.packets_out, self.packets_out) + &right(line.errors_out, self.errors_out));
        }
        out += &octets(line.octets_out, self.octets_out);
        if !options.octets_only {
            out += &right(line.queue, self.queue);
        }
        if options.drops {
            out += &right(line.drops, 4);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::network_prefix;

    #[test]
    fn network_prefix_omits_octets_beyond_prefix_length() {
        let prefix_of = |octets, prefix: u32| {
            network_prefix(octets, u32::MAX.checked_shl(32 - prefix).unwrap_or_default())
        };
        assert_eq!(prefix_of([127, 0, 0, 1], 8), "127/8");
        assert_eq!(prefix_of([172, 16, 5, 1], 12), "172.16/12");
        assert_eq!(prefix_of([192, 0, 2, 2], 24), "192.0.2/24");
        assert_eq!(prefix_of([192, 0, 2, 2], 25), "192.0.2.2/25");
        assert_eq!(prefix_of([192, 0, 2, 2], 0), "192/0");
    }
}
