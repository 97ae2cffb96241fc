//! Compares `table` with `snmptable`, both with Debian's agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use support::{
    compare::{commands, first_difference, normalize},
    export_definitions, net_snmp, portreeve,
    snmpd::Snmpd,
};

const COMMAND_LINES: &[&str] = &[
    "-v2c -c public AGENT sysORTable",
    "-v1 -c public AGENT sysORTable",
    "-v2c -c public -Cb AGENT sysORTable",
    "-v2c -c public -CB -Ci AGENT sysORTable",
    "-v2c -c public -Cf , AGENT sysORTable",
    "-v2c -c public -Cib -Cf | AGENT sysORTable",
    "-v2c -c public -CH AGENT sysORTable",
    "-v2c -c public -CHi AGENT sysORTable",
    "-v2c -c public -Cr 3 AGENT sysORTable",
    "-v2c -c public -Cw 60 AGENT sysORTable",
    "-v2c -c public -Ciw 60 AGENT sysORTable",
    "-v2c -c public -Cw 100 -Ci -CH AGENT sysORTable",
    "-v2c -c public -Cc 12 AGENT vacmSecurityToGroupTable",
    "-v2c -c public -Cc 12 -Ci AGENT vacmSecurityToGroupTable",
    "-v2c -c public -Cc 12 -Cil AGENT vacmSecurityToGroupTable",
    "-v2c -c public -Ci AGENT vacmSecurityToGroupTable",
    "-v2c -c public -Cl AGENT vacmSecurityToGroupTable",
    "-v2c -c public -Cli AGENT vacmAccessTable",
    "-v2c -c public -Cib AGENT vacmAccessTable",
    "-v2c -c public -Ci AGENT usmUserTable",
    "-v2c -c public AGENT vacmViewTreeFamilyTable",
    "-v2c -c public -Ci AGENT vacmViewTreeFamilyTable",
    "-v2c -c public -Ch AGENT ifTable",
    "-v2c -c public -Chb AGENT ifTable",
    "-v2c -c public -Chi AGENT ifXTable",
    "-v2c -c public -Ch -Cw 80 AGENT ifTable",
    "-v2c -c public AGENT snmpTargetAddrTable",
    "-v1 -c public AGENT snmpTargetAddrTable",
    "-v2c -c public AGENT sysDescr",
    "-v2c -c public AGENT system",
    "-v2c -c public AGENT",
    "-v2c -c public AGENT sysORTable ifTable",
    "-v2c -c public -Cz AGENT sysORTable",
    "-v2c -c public -Cw 0 AGENT sysORTable",
    "-v2c -c public -Cc x AGENT sysORTable",
    "-v2c -c nonesuch -r0 -t0.2 AGENT sysORTable",
    "-u anon AGENT sysORTable",
    "-v2c -c public -OQ AGENT sysORTable",
    "-v2c -c public -Os AGENT sysORTable",
    "-v2c -c public -Of -Ci AGENT vacmAccessTable",
    "-v2c -c public -OX -Ci AGENT vacmAccessTable",
    "-v2c -c public -Ob -Ci AGENT vacmAccessTable",
    "-v2c -c public -Oe -Ci AGENT vacmAccessTable",
];

#[test]
fn table_output_matches_snmptable() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("tables") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    let mut differences = Vec::new();
    for line in COMMAND_LINES {
        let line = line.replace("AGENT", &snmpd.address);
        let expected = normalize(net_snmp(&commands.join("snmptable"), &mibs, &line), "table");
        let actual = normalize(portreeve(&format!("table {line}")), "table");
        if expected != actual {
            differences.push(format!("{line}\n{}", first_difference(&expected, &actual)));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
