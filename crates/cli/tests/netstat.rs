//! Tests `netstat` with an agent in the test process. Also compares the output of `netstat` and of
//! `snmpnetstat` when both query Debian's agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::net::{TcpListener, TcpStream, UdpSocket};

use portreeve_smi::OwnedValue::{self, Counter32, Counter64, Gauge32, Integer, IpAddress, OctetString};
use support::{
    CommandOutput,
    compare::{commands, first_difference, normalize},
    export_definitions,
    fake_agent::FakeAgent,
    net_snmp, portreeve,
    snmpd::Snmpd,
};

const IF: [u32; 9] = [1, 3, 6, 1, 2, 1, 2, 2, 1];
const IF_NAME: [u32; 11] = [1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 1];
const ADDRESS: [u32; 9] = [1, 3, 6, 1, 2, 1, 4, 20, 1];
const ROUTE: [u32; 10] = [1, 3, 6, 1, 2, 1, 4, 24, 7, 1];
const TCP: [u32; 7] = [1, 3, 6, 1, 2, 1, 6];
const UDP: [u32; 7] = [1, 3, 6, 1, 2, 1, 7];
const IP_STATISTICS: [u32; 10] = [1, 3, 6, 1, 2, 1, 4, 31, 1, 1];
const ICMP: [u32; 7] = [1, 3, 6, 1, 2, 1, 5];

type Variable = (Vec<u32>, OwnedValue);

fn variable(object: &[u32], rest: &[u32], value: OwnedValue) -> Variable {
    ([object, rest].concat(), value)
}

fn text(text: &str) -> OwnedValue {
    OctetString(text.as_bytes().to_vec())
}

/// The variables of one interface, without ifName if `name` is `None`.
fn interface(index: u32, description: &str, name: Option<&str>, packets: u32) -> Vec<Variable> {
    let column = |number: u32, value: OwnedValue| variable(&IF, &[number, index], value);
    let mut all = vec![
        column(2, text(description)),
        column(4, Integer(1500)),
        column(10, Counter32(packets.wrapping_mul(100))),
        column(11, Counter32(packets)),
        column(12, Counter32(1)),
        column(14, Counter32(2)),
        column(16, Counter32(7)),
        column(17, Counter32(5)),
        column(18, Counter32(0)),
        column(19, Counter32(9)),
        column(20, Counter32(3)),
        column(21, Gauge32(4)),
    ];
    all.extend(name.map(|name| variable(&IF_NAME, &[index], text(name))));
    all
}

fn interfaces() -> FakeAgent {
    let mut all = interface(1, "lo", Some("lo"), 1_234_567);
    all.extend(interface(7, "Ethernet\u{1b}[31m Controller", Some("eth0"), 10));
    all.extend(interface(9, "tunnel", None, 0));
    for (address, index, mask) in
        [([127_u8, 0, 0, 1], 1, [255, 0, 0, 0]), ([192, 0, 2, 2], 7, [255, 255, 255, 128])]
    {
        let arcs = address.map(u32::from);
        all.push(variable(&[&ADDRESS[..], &[2]].concat(), &arcs, Integer(index)));
        all.push(variable(&[&ADDRESS[..], &[3]].concat(), &arcs, IpAddress(mask)));
    }
    FakeAgent::of(all)
}

#[test]
fn netstat_interface_columns_are_as_wide_as_their_values() {
    let agent = interfaces();
    let expected = "\
Name      Mtu Network      Address     Ipkts Ierrs Opkts Oerrs Queue
lo       1500 127/8        127.0.0.1 1234568     2     5     3     4
eth0     1500 192.0.2.2/25 192.0.2.2      11     2     5     3     4
tunnel   1500                              1     2     5     3     4
";
    for version in ["1", "2c"] {
        portreeve(&format!("netstat -v{version} -c public -Ci {}", agent.address)).expect(0, expected, "");
    }
    let expected = "\
Name    Mtu Network      Address      Ibytes Obytes Drop
eth0   1500 192.0.2.2/25 192.0.2.2      1000      7    9
";
    // The width of the octet columns depends on all interfaces.
    portreeve(&format!("netstat -v2c -c public -CI eth0 -Cod {}", agent.address)).expect(0, expected, "");
}

#[test]
fn netstat_groups_sockets_by_protocol_and_prints_state_and_pid() {
    let local = [1, 4, 192, 0, 2, 2];
    let remote = [1, 4, 203, 0, 113, 80, 443];
    let connection_index = [&local[..], &[36_766], &remote].concat();
    let any6 = [2, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22];
    let any = [0, 0, 53, 0, 0, 0, 77];
    let agent = FakeAgent::of(vec![
        variable(&[&TCP[..], &[19, 1, 7]].concat(), &connection_index, Integer(5)),
        variable(&[&TCP[..], &[19, 1, 8]].concat(), &connection_index, Gauge32(815)),
        variable(&[&TCP[..], &[20, 1, 4]].concat(), &any6, Gauge32(1)),
        variable(&[&UDP[..], &[7, 1, 8]].concat(), &any, Gauge32(0)),
    ]);
    let expected = "\
Active Internet (tcp) Connections
Proto Local Address               Remote Address                    State   PID
tcp4  192.0.2.2.36766             203.0.113.80.443            ESTABLISHED   815
Listening Internet (tcp) Connections
Proto Local Address                 PID
tcp6  *.22                            1
Active Internet (udp) Connections
Proto Local Address               Remote Address                PID
udp4  *.53                        *.*                             0
";
    portreeve(&format!("netstat -v2c -c public -Can {}", agent.address)).expect(0, expected, "");
    let expected = "\
Listening Internet (tcp) Connections
Proto Local Address                 PID
tcp6  *.22                            1
";
    portreeve(&format!("netstat -v1 -c public -Canptcp -Cfinet6 {}", agent.address)).expect(0, expected, "");
}

fn route(destination: &[u32], next: &[u32], interface: i32, kind: i32) -> Vec<Variable> {
    let index = [destination, &[3, 0, 0, 1], next].concat();
    let column = |number: u32, value| variable(&[&ROUTE[..], &[number]].concat(), &index, value);
    vec![column(7, Integer(interface)), column(8, Integer(kind)), column(9, Integer(2))]
}

#[test]
fn netstat_groups_routes_by_address_family() {
    let mut all = route(&[1, 4, 0, 0, 0, 0, 0], &[1, 4, 192, 0, 2, 1], 7, 4);
    all.extend(route(&[1, 4, 192, 0, 2, 0, 24], &[1, 4, 0, 0, 0, 0], 7, 3));
    // The address of a missing next hop is empty (RFC 4292).
    all.extend(route(&[1, 4, 192, 0, 2, 9, 32], &[0, 0], 8, 3));
    let destination = [2, 16, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64];
    let next = [2, 16, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    all.extend(route(&destination, &next, 7, 4));
    all.push(variable(&IF, &[2, 7], text("eth0")));
    let agent = FakeAgent::of(all);
    let expected = "\
IPv4 Routing tables (inetCidrRouteTable)
Destination                Gateway                    Flags   Interface
default                    192.0.2.1                  <UG>    eth0
192.0.2.0/24               0.0.0.0                    <U>     eth0
192.0.2.9                  0.0.0.0                    <UH>    if8

IPv6 Routing tables (inetCidrRouteTable)
Destination                        Gateway                                 Flags   Interface
fd00::/64                          fd00::1                                 <UG>    eth0
";
    portreeve(&format!("netstat -v2c -c public -Crn {}", agent.address)).expect(0, expected, "");
}

#[test]
fn netstat_does_not_print_missing_counter_as_zero() {
    let agent = FakeAgent::of(vec![
        variable(&TCP, &[5, 0], Counter32(1)),
        variable(&TCP, &[6, 0], Counter32(0)),
        variable(&TCP, &[12, 0], Counter32(118)),
        variable(&IP_STATISTICS, &[3, 1], Counter32(7)),
        variable(&IP_STATISTICS, &[4, 1], Counter64(1 << 40)),
        variable(&ICMP, &[30, 1, 3, 1, 3], Counter32(5)),
        variable(&ICMP, &[30, 1, 4, 1, 99], Counter32(0)),
    ]);
    let expected = "tcp:\n             1 active open\n             0 passive opens\n           118 segments retransmitted\n";
    for version in ["1", "2c"] {
        let line = format!("netstat -v{version} -c public -Cs -Cp tcp {}", agent.address);
        portreeve(&line).expect(0, expected, "");
    }
    let first = |line: &str| {
        let output = portreeve(&line.replace("AGENT", &agent.address));
        output.stdout.lines().take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let wide = ["ip:", " 1099511627776 datagrams input", "             - octets received"];
    assert_eq!(first("netstat -v2c -c public -Cs -Cp ip AGENT"), wide);
    assert_eq!(first("netstat -v1 -c public -Cs -Cp ip AGENT")[1], "             7 datagrams input");
    let output = portreeve(&format!("netstat -v2c -c public -Cs -Cp icmp {}", agent.address));
    let histogram = "     icmp histogram:\n          input     output type\n              5          0 Destination unreachable\n              0          0 type 99\n";
    assert!(output.stdout.ends_with(histogram), "{}", output.stdout);
}

#[test]
fn netstat_rejects_unsupported_options_and_unknown_protocols() {
    let output = portreeve("netstat -v2c -c public -Cw 5 127.0.0.1");
    assert_eq!(
        (output.code, &*output.stderr),
        (Some(1), "-Cw is not supported: use `delta` to follow counters\n")
    );
    let output = portreeve("netstat -v2c -c public -Cs -Cp gopher 127.0.0.1:1");
    assert_eq!((output.code, &*output.stderr), (Some(1), "portreeve netstat: gopher: unknown protocol\n"));
}

#[test]
fn netstat_output_matches_snmpnetstat() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("netstat") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    // Opens one socket of every kind, because the machine may have no others.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connection = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let end_point = UdpSocket::bind("127.0.0.1:0").unwrap();
    let ports = [listener.local_addr(), connection.local_addr(), end_point.local_addr()];
    let ports = ports.map(|address| address.unwrap().port());
    for line in [
        "-v2c -c public -Cr AGENT",
        "-v2c -c public -Crn AGENT",
        "-v1 -c public -Crnfinet AGENT",
        "-v2c -c public -CIlo AGENT",
        "-v1 -c public -CI lo -Cb AGENT",
        "-v2c -c public -CI lo -Cod AGENT",
        "-v2c -c public -CI nosuch -Cd AGENT",
        "-v2c -c public -Can AGENT",
        "-v1 -c public -Can -Cp tcp AGENT",
        "-v2c -c public -Cn -Cp udp AGENT",
        "-v2c -c public -Cvn -Cfinet AGENT",
        "-v2c -c public -Cs AGENT",
        "-v2c -c public -Cs -Cp TCP AGENT",
        "-v1 -c public -Cs -Cp ip AGENT",
        "-v2c -c public -Cs -Cp icmp AGENT",
        "-v2c -c public -Cp ip AGENT",
        "-v2c -c public -Cp foo AGENT",
        "-v2c -c public -Cf foo AGENT",
        "-v2c -c public -Cq AGENT",
        "-v2c -c public",
    ] {
        let line = line.replace("AGENT", &snmpd.address);
        let expected = mask_values(net_snmp(&commands.join("snmpnetstat"), &mibs, &line), ports);
        let actual = mask_values(portreeve(&format!("netstat {line}")), ports);
        assert_eq!(actual, expected, "{line}\n{}", first_difference(&expected, &actual));
    }
}

/// Masks numbers and column widths, which change between two requests, and removes the sockets of
/// other programs.
fn mask_values(output: CommandOutput, ports: [u16; 3]) -> CommandOutput {
    let actual = |line: &str| ports.iter().any(|port| line.contains(&format!(".{port} ")));
    let counts = |word: &str| !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_digit());
    let line = |line: &str| {
        if line.starts_with("tcp4 ") || line.starts_with("udp4 ") {
            return line.to_owned();
        }
        let words = line.split_whitespace().map(|word| if counts(word) { "0" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut output = output;
    output.stderr = output.stderr.replace("usage:", "Usage:");
    let mut output = normalize(output, "netstat");
    let is_socket =
        |line: &str| ["tcp4 ", "tcp6 ", "udp4 ", "udp6 "].iter().any(|kind| line.starts_with(kind));
    let lines = output.stdout.lines().filter(|line| !is_socket(line) || actual(line));
    output.stdout = lines.map(|text| line(text) + "\n").collect();
    output
}
