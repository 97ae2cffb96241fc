//! Compares `test` with `snmptest`, both with Debian's agent and the same input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use support::{
    CommandOutput,
    compare::{commands, normalize},
    export_definitions, net_snmp_command,
    snmpd::Snmpd,
};

/// The arguments and the input of each session.
const SESSIONS: &[(&str, &str)] = &[
    ("-v2c -c public AGENT", "sysDescr.0\n\n"),
    ("-v1 -c public AGENT", "sysDescr.0\nsysName.0\n\n\n$Q\n"),
    ("-v2c -c public AGENT", "\n$n\nsysDescr\nifNumber\n\n\n"),
    ("-v2c -c public AGENT", "$B\nsysDescr\n\nsysORID.2\n\n2\n$q"),
    ("-v1 -c public AGENT", "$B\n.1.3.6.1.2.1.1.1\n\n.1.3.6.1.2.1.1.5\n\n3\n"),
    ("-v2c -c private AGENT", "$S\nsysContact.0\ns\nme\n\n$G\nsysContact.0\n\n"),
    ("-v2c -c private AGENT", "$S\nsysContact.0\ns\nme\n\n$qp\n$g\nsysContact.0\n\n$qp\n$qx\n"),
    ("-v2c -c private AGENT", "$S\nsysName.0\nz\nsysLocation.0\ni\n5\n\n"),
    ("-v2c -c private AGENT", "$S\nsysUpTime.0\nt\n5\n\n"),
    ("-v1 -c public AGENT", "sysDescr.7\n\n"),
    ("-v1 -c private AGENT", "$S\nsysUpTime.0\nt\n5\n\n"),
    ("-v2c -c public AGENT", "nonesuch\n$X\n$\nsysDescr.0"),
    ("-v2c -c none -r0 -t0.3 AGENT", "sysDescr.0\n\n"),
    ("-u anon AGENT", "sysDescr.0\n\n"),
    ("-v2c -c private AGENT", "$S\nsysContact.0\n"),
    ("-v2c -c private AGENT", "$S\nsysContact.0\ns\n"),
];

#[test]
fn test_verb_output_matches_snmptest() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("typed") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    for (line, typed) in SESSIONS {
        let line = line.replace("AGENT", &snmpd.address);
        let mut expected = net_snmp_command(&commands.join("snmptest"), &mibs, &line);
        let expected = mask_variable_parts(normalize(run_with_input(&mut expected, typed), "test"));
        let mut actual = Command::new(env!("CARGO_BIN_EXE_portreeve"));
        actual.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").arg("test");
        let actual =
            mask_variable_parts(normalize(run_with_input(actual.args(line.split(' ')), typed), "test"));
        assert_eq!(actual, expected, "{line}: {typed:?}");
    }
}

/// This test does not compare with `snmptest`, which mishandles the line feed in values of these
/// types and asks forever.
#[test]
fn test_verb_asks_again_after_invalid_hex_octets_or_oid() {
    let Some(snmpd) = Snmpd::start("octets") else { return };
    let mut actual = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    actual.args(["test", "-v2c", "-c", "private", "-Oqv", &snmpd.address]);
    let output =
        run_with_input(&mut actual, "$S\nsysContact.0\nx\nzz\n6d 65\nsysContact.0\nd\n256\n121 111 117\n\n");
    assert_eq!(
        mask_variable_parts(output).stdout,
        "Variable: Request type is Set Request\n\
         Variable: Type [i|u|s|x|d|n|o|t|a]: Value: Bad value (need pairs of hex digits)\n\
         Value: Variable: Type [i|u|s|x|d|n|o|t|a]: Value: Bad value or no sub-identifier > 255\n\
         Value: Variable: Received Get Response from UDP: [127.0.0.1]:PORT\n\
         requestid errstat 0x0 errindex 0x0\nme\nyou\nVariable: Quitting,  Goobye\n"
            .replace("127.0.0.1]:PORT", &snmpd.address.replace(':', "]:"))
    );
}

#[test]
fn test_verb_rejects_unsupported_commands() {
    let Some(snmpd) = Snmpd::start("refused") else { return };
    let mut actual = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    actual.args(["test", "-v2c", "-c", "public", &snmpd.address]);
    let output = run_with_input(&mut actual, "$I\n$T\n$D\n");
    assert_eq!(
        output.stdout,
        "Variable: Notifications are not supported; the request type is unchanged\n\
         Variable: Notifications are not supported; the request type is unchanged\n\
         Variable: Packet dumps are not supported\n\
         Variable: Quitting,  Goobye\n"
    );
}

fn run_with_input(command: &mut Command, typed: &str) -> CommandOutput {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Masks request-ids and our own port, which are random.
fn mask_variable_parts(mut output: CommandOutput) -> CommandOutput {
    let line = |line: &str| {
        let line = line.split("->[").next().unwrap_or_default();
        match line.split_once("requestid ") {
            Some((before, after)) => {
                format!("{before}requestid {}\n", after.split_once(' ').unwrap_or_default().1)
            }
            None => format!("{line}\n"),
        }
    };
    output.stdout = output.stdout.lines().map(line).collect();
    output
}
