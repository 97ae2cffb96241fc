//! Compares output and exit codes with the Net-SNMP commands, both with Debian's agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use support::{
    compare::{commands, first_difference, normalize},
    export_definitions, net_snmp, portreeve,
    snmpd::Snmpd,
};

/// Command lines with numeric OIDs, so that neither program needs MIB definitions.
const COMMAND_LINES: &[(&str, &str)] = &[
    ("get", "-v1 -c public AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-v2c -c public AGENT .1.3.6.1.2.1.1.1.0 .1.3.6.1.2.1.1.99.0 .1.3.6.1.2.1.1.1.1"),
    ("get", "-v2c -c public tcp:AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-v1 -c public AGENT .1.3.6.1.2.1.1.1.0 .1.3.6.1.2.1.1.99.0"),
    ("get", "-v1 -c public -Cf AGENT .1.3.6.1.2.1.1.1.0 .1.3.6.1.2.1.1.99.0"),
    ("get", "-v2c -c public AGENT"),
    ("getnext", "-v1 -c public AGENT .1.3.6.1.2.1.1.1 .1.4"),
    ("getnext", "-v2c -c public AGENT .1.3.6.1.2.1.1.1 .1.4"),
    ("bulkget", "-v2c -c public -Cn1 -Cr2 AGENT .1.3.6.1.2.1.1 .1.3.6.1.2.1.1.4"),
    ("bulkget", "-v2c -c public -Cn3 AGENT .1.3.6.1.2.1.1"),
    ("bulkget", "-v1 -c public AGENT .1.3.6.1.2.1.1"),
    ("walk", "-v1 -c public AGENT .1.3.6.1.2.1.1.9.1.2"),
    ("walk", "-v2c -c public AGENT .1.3.6.1.2.1.1.9.1.2"),
    ("walk", "-v2c -c public -Cp AGENT .1.3.6.1.2.1.1.5"),
    ("walk", "-v2c -c public AGENT .1.3.6.1.2.1.1.5.0"),
    ("walk", "-v2c -c public -Ci AGENT .1.3.6.1.2.1.1.5"),
    ("walk", "-v2c -c public -CI AGENT .1.3.6.1.2.1.1.5.0"),
    ("walk", "-v2c -c public -CE .1.3.6.1.2.1.1.7 AGENT .1.3.6.1.2.1.1.4"),
    ("walk", "-v2c -c public AGENT .1.3.6.1.2.1.1.99"),
    ("walk", "-v1 -c public AGENT .1.3.6.1.9"),
    ("walk", "-v2c -c public AGENT .1.3.6.1.9"),
    ("walk", "-v2c -c public AGENT .1.3.6.1.6.3.16.1.4"),
    ("bulkwalk", "-v2c -c public AGENT .1.3.6.1.2.1.1.9.1.2"),
    ("bulkwalk", "-v2c -c public -Cr3 -Cp AGENT .1.3.6.1.2.1.1.9.1.2"),
    ("bulkwalk", "-v2c -c public -Ci AGENT .1.3.6.1.2.1.1.5"),
    ("bulkwalk", "-v2c -c public AGENT .1.3.6.1.9"),
    ("bulkwalk", "-v2c -c public -Cp AGENT .1.3.6.1.6.3.16.1.4"),
    ("bulkwalk", "-v1 -c public AGENT .1.3.6.1.2.1.1"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.99.0 i 5"),
    ("set", "-v2c -c public AGENT .1.3.6.1.2.1.1.4.0 s foo"),
    ("set", "-v1 -c public AGENT .1.3.6.1.2.1.1.4.0 s foo"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.4.0 q 5"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.4.0 i"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.4.0"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.4.0 d 300"),
    ("set", "-v2c -c private AGENT .1.3.6.1.2.1.1.6.0 s here .1.3.6.1.2.1.1.4.0 x 666f6f"),
    ("set", "-v2c -c private -Cq AGENT .1.3.6.1.2.1.1.6.0 s there"),
    ("get", "-u anon AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u unknown AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u authonly AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u authonly -l authNoPriv -a SHA-256 -A authentic1 AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u authonly -l authNoPriv -a SHA-256 -A wrong-one AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u authonly -l authPriv -a SHA-256 -A authentic1 -x AES -X private12 AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u md5des -l authPriv -A authentic1 -X private12 AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-u shaaes -l authPriv -a SHA -A authentic1 -x AES -X private12 AGENT .1.3.6.1.2.1.1.1.0"),
    (
        "walk",
        "-u sha256aes -l authPriv -a SHA-256 -A authentic1 -x AES -X private12 AGENT .1.3.6.1.2.1.1.9.1.2",
    ),
    (
        "bulkwalk",
        "-u sha512aes256 -l authPriv -a SHA512 -A authentic1 -x AES256 -X private12 tcp:AGENT .1.3.6.1.2.1.1.9.1.2",
    ),
    ("get", "-u anon -E 8000000001020304 AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-Z 1,5 -u authonly -l authNoPriv -a SHA-256 -A authentic1 AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-Is 0 -v2c -c public AGENT .1.3.6.1.2.1.1.1"),
    ("get", "-Iu -v2c -c public AGENT 1.1.0"),
    ("get", "-Ln -u unknown AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-LE 3 -d -v2c -c public AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-T localCert=x -v2c -c public AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-Y defVersion=2c -c public AGENT .1.3.6.1.2.1.1.1.0"),
    ("get", "-v2c AGENT .1.3"),
    ("get", "-v9 AGENT .1.3"),
    ("get", "-u x -l bogus AGENT .1.3"),
    ("get", "-u x -a bogus AGENT .1.3"),
    ("get", "-u x -e 00 AGENT .1.3"),
];

#[test]
fn output_of_verbs_matches_net_snmp_commands() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("pairs") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    let mut differences = Vec::new();
    for (verb, line) in COMMAND_LINES {
        for letters in ["-On ", "", "-OQUs ", "-Oqv "] {
            let line = format!("{letters}{}", line.replace("AGENT", &snmpd.address));
            let expected = normalize(net_snmp(&commands.join(format!("snmp{verb}")), &mibs, &line), verb);
            let actual = normalize(portreeve(&format!("{verb} {line}")), verb);
            if expected != actual {
                differences.push(format!("{verb} {line}\n{}", first_difference(&expected, &actual)));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn pipelined_walk_finds_the_same_names_as_one_by_one_walk() {
    let Some(snmpd) = Snmpd::start("fast") else { return };
    // Compares names only, because values change between two walks. Processes and connections
    // change too, so their subtrees are not walked.
    for root in [".1.3.6.1.2.1.1", ".1.3.6.1.2.1.2", ".1.3.6.1.2.1.31", ".1.3.6.1.6", ".1.3.6.1.9"] {
        for version in ["1", "2c"] {
            let names = |verb: &str| {
                let output = portreeve(&format!("{verb} -On -v{version} -c public {} {root}", snmpd.address));
                assert_eq!(output.code, Some(0), "{output:?}");
                let name = |line: &str| line.split(" = ").next().map(str::to_owned);
                output.stdout.lines().filter_map(name).collect::<Vec<_>>()
            };
            let one_by_one = names("walk --one-by-one");
            assert!(!one_by_one.is_empty());
            assert_eq!(names("walk"), one_by_one, "{root} -v{version}");
        }
    }
}

#[test]
fn get_with_wrong_privacy_pass_phrase_exits_with_1() {
    let Some(snmpd) = Snmpd::start("privacy") else { return };
    let line = format!(
        "get -r0 -t0.3 -u sha256aes -l authPriv -a SHA-256 -A authentic1 -x AES -X wrong-one {} .1.3.6.1.2.1.1.1.0",
        snmpd.address
    );
    // Debian's agent drops messages that it cannot decrypt.
    let output = portreeve(&line);
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""));
}
