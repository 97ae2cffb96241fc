//! Tests `df` with an agent in the test process. Also compares the output of `df` and of `snmpdf`
//! when both query Debian's agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use portreeve_smi::OwnedValue::{self, Integer, OctetString};
use support::{
    CommandOutput,
    compare::{commands, first_difference, normalize},
    export_definitions,
    fake_agent::FakeAgent,
    net_snmp, portreeve,
    snmpd::Snmpd,
};

const HR_STORAGE: [u32; 10] = [1, 3, 6, 1, 2, 1, 25, 2, 3, 1];
const DSK: [u32; 9] = [1, 3, 6, 1, 4, 1, 2021, 9, 1];

fn column(row: &[u32], number: u32, index: u32, value: OwnedValue) -> (Vec<u32>, OwnedValue) {
    ([row, &[number, index]].concat(), value)
}

#[test]
fn df_prints_sizes_in_kibibytes_or_human_readable() {
    let agent = FakeAgent::of(vec![
        column(&HR_STORAGE, 1, 31, Integer(31)),
        column(&HR_STORAGE, 3, 31, OctetString(b"/".to_vec())),
        column(&HR_STORAGE, 4, 31, Integer(4096)),
        column(&HR_STORAGE, 5, 31, Integer(66_053_021)),
        column(&HR_STORAGE, 6, 31, Integer(10_173_345)),
    ]);
    let expected = "\
Description              Size (kB)            Used       Available Used%
/                        264212084        40693380       223518704   15%
";
    for version in ["1", "2c"] {
        portreeve(&format!("df -v{version} -c public {}", agent.address)).expect(0, expected, "");
    }
    let expected = "\
Description              Size       Used  Available Used%
/                   251.97GiB   38.81GiB  213.16GiB   15%
";
    portreeve(&format!("df -v2c -c public -Ch {}", agent.address)).expect(0, expected, "");
}

#[test]
fn df_falls_back_to_dsk_table_and_fails_if_agent_lists_no_storage() {
    let agent = FakeAgent::of(vec![
        column(&DSK, 1, 1, Integer(1)),
        column(&DSK, 2, 1, OctetString(b"/tmp".to_vec())),
        column(&DSK, 6, 1, Integer(1000)),
        column(&DSK, 8, 1, Integer(250)),
    ]);
    let expected = "\
Description              Size (kB)            Used       Available Used%
/tmp                          1000             250             750   25%
";
    portreeve(&format!("df -v2c -c public {}", agent.address)).expect(0, expected, "");
    let empty_agent = FakeAgent::with(&[]);
    let output = portreeve(&format!("df -v2c -c public {}", empty_agent.address));
    assert_eq!((output.code, &*output.stderr), (Some(1), "Failed to locate any partitions.\n"));
}

#[test]
fn df_output_matches_snmpdf() {
    let Some(commands) = commands() else { return };
    let Some(snmpd) = Snmpd::start("df") else { return };
    let mibs = snmpd.folder.join("mibs");
    export_definitions(&mibs);
    for line in [
        "-v2c -c public AGENT",
        "-v1 -c public AGENT",
        "-v2c -c public -Cu AGENT",
        "-v2c -c public -Ch AGENT",
        "-v2c -c public -CuH AGENT",
        "-v2c -c public -Cx AGENT",
        "-v2c -c public AGENT extra",
        "-v2c -c none -r0 -t0.3 AGENT",
        "-v2c -c public",
    ] {
        let line = line.replace("AGENT", &snmpd.address);
        let expected = mask_values(normalize(net_snmp(&commands.join("snmpdf"), &mibs, &line), "df"));
        let actual = mask_values(normalize(portreeve(&format!("df {line}")), "df"));
        assert_eq!(actual, expected, "{line}\n{}", first_difference(&expected, &actual));
    }
}

/// Masks the sizes in the output, which change between two requests.
fn mask_values(mut output: CommandOutput) -> CommandOutput {
    let width = |line: &str| {
        let head: String = line.split_inclusive(' ').take_while(|word| !word.starts_with(' ')).collect();
        format!("{} {}", head.trim_end(), line.split_whitespace().count())
    };
    let lines = output.stdout.lines().filter(|line| !line.contains("/sandboxing/"));
    output.stdout = lines.map(|line| width(line) + "\n").collect();
    output
}
