//! Compares `status` with `snmpstatus`, both with Debian's agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use portreeve_smi::OwnedValue::{Counter32, Integer, OctetString, TimeTicks};
use support::{
    compare::{commands, normalize},
    export_definitions,
    fake_agent::FakeAgent,
    net_snmp, portreeve,
    snmpd::Snmpd,
};

#[test]
fn status_prints_uptime_packet_counts_and_interfaces_that_are_down() {
    let agent = FakeAgent::with(&[
        (&[1, 3, 6, 1, 2, 1, 1, 1, 0], OctetString(b"a test".to_vec())),
        (&[1, 3, 6, 1, 2, 1, 1, 3, 0], TimeTicks(14_096_763)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 8, 1], Integer(1)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 8, 2], Integer(2)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 11, 1], Counter32(u32::MAX)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 11, 2], Counter32(1)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 17, 1], Counter32(7)),
        (&[1, 3, 6, 1, 2, 1, 4, 3, 0], Counter32(5)),
        (&[1, 3, 6, 1, 2, 1, 4, 10, 0], Counter32(6)),
    ]);
    let expected = format!(
        "[UDP: [127.0.0.1]:{}]=>[a test] Up: 1 day, 15:09:27.63\n\
         Interfaces: 2, Recv/Trans packets: 4294967296/7 | IP: 5/6\n1 interface is down!\n",
        agent.address.rsplit_once(':').unwrap().1
    );
    portreeve(&format!("status -v2c -c public {}", agent.address)).expect(0, &expected, "");
}

#[test]
fn status_output_matches_snmpstatus() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("status") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    for line in [
        "-v2c -c public AGENT",
        "-v1 -c public AGENT",
        "-v2c AGENT",
        "-v2c -c none -r0 -t0.3 AGENT",
        "-v2c -c x",
    ] {
        let line = line.replace("AGENT", &snmpd.address);
        let mut expected = normalize(net_snmp(&commands.join("snmpstatus"), &mibs, &line), "status");
        let mut actual = normalize(portreeve(&format!("status {line}")), "status");
        (expected.stdout, actual.stdout) = (mask_numbers(&expected.stdout), mask_numbers(&actual.stdout));
        assert_eq!(actual, expected, "{line}");
    }
}

/// Masks counters, our own port and uptimes, which differ between two runs.
fn mask_numbers(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Some(first) = lines.first_mut() {
        let (address, rest) = first.split_once("]=>").unwrap_or((first.as_str(), ""));
        let address = address.split("->").next().unwrap_or_default();
        let rest = rest.split("Up:").next().unwrap_or_default();
        *first = format!("{address}]=>{rest}Up:");
    }
    if let Some(second) = lines.get_mut(1) {
        let (interfaces, rest) = second.split_once(',').unwrap_or((second.as_str(), ""));
        let words: String = rest.chars().filter(|character| !character.is_ascii_digit()).collect();
        *second = format!("{interfaces},{words}");
    }
    lines.join("\n")
}
