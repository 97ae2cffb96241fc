//! Hexadecimal dumps of packets in the layout of the Net-SNMP commands.

use std::{
    fmt::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use portreeve_snmp_manager::WireMessage;

/// Formats the addresses of a connection: `UDP: [127.0.0.1]:161->[0.0.0.0]:34175`.
pub(super) fn format_endpoints(transport: &str, ends: Option<(SocketAddr, SocketAddr)>) -> String {
    let Some((local, peer)) = ends else { return transport.to_owned() };
    // Net-SNMP's sockets are not bound to a local address, and it prints no local port for TCP.
    let (anywhere, family) = match peer.ip() {
        IpAddr::V4(_) => (IpAddr::V4(Ipv4Addr::UNSPECIFIED), ""),
        IpAddr::V6(_) => (IpAddr::V6(Ipv6Addr::UNSPECIFIED), "/IPv6"),
    };
    let port = if transport == "UDP" { local.port() } else { 0 };
    format!("{transport}{family}: [{}]:{}->[{anywhere}]:{port}", peer.ip(), peer.port())
}

/// Formats a packet with its heading.
pub(super) fn format_packet(traffic: WireMessage<'_>, endpoints: &str) -> String {
    let (heading, octets) = match traffic {
        WireMessage::Sent(octets) => (format!("\nSending {} bytes to {endpoints}", octets.len()), octets),
        WireMessage::Received(octets) => {
            (format!("\nReceived {} byte packet from {endpoints}", octets.len()), octets)
        }
    };
    let mut text = heading + "\n";
    for (number, row) in octets.chunks(OCTETS_PER_ROW).enumerate() {
        push_row(&mut text, number * OCTETS_PER_ROW, row);
    }
    text
}

/// Appends one line of the dump, such as `0016: 04 53 0B 35  6D 02 01 00  02 01 00 30  0E 30 0C 06
/// .S.5m......0.0..`.
fn push_row(text: &mut String, offset: usize, row: &[u8]) {
    let mut digits = String::new();
    for (column, octet) in row.iter().enumerate() {
        let gap = if column % 4 == 3 { "  " } else { " " };
        // Writing to a string does not fail.
        let _ = write!(digits, "{octet:02X}{gap}");
    }
    let text_column = row.iter().map(|octet| match octet {
        b' '..=b'~' => char::from(*octet),
        _ => '.',
    });
    let _ = writeln!(text, "{offset:04}: {digits:<HEX_WIDTH$}  {}", text_column.collect::<String>());
}

/// Number of octets in each line of a dump.
const OCTETS_PER_ROW: usize = 16;
/// Width of the hexadecimal digits of a full line, including gaps.
const HEX_WIDTH: usize = 3 * OCTETS_PER_ROW + OCTETS_PER_ROW / 4;
