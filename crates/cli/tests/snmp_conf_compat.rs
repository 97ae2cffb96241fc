//! Compares how Net-SNMP's `snmpget` and `portreeve get` read the same configuration directories.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]
#![allow(dead_code, reason = "the support module serves other tests, too")]

mod support;

use std::{fs, path::Path, process::Command};

use portreeve_smi::OwnedValue::Integer;
use support::{CommandOutput, fake_agent::FakeAgent, find_program};

/// Files in the directories `a` and `b`, which are searched in this order. `AGENT` stands for the
/// agent's address.
struct Case {
    title: &'static str,
    files: &'static [(&'static str, &'static str)],
    arguments: &'static str,
}

const BASE: (&str, &str) = ("a/snmp.conf", "defVersion 2c\ndefCommunity public\nprintNumericOids yes\n");
const GET: &str = "AGENT .1.3.6.1.2.1.1.7.0";

const CASES: &[Case] = &[
    Case {
        title: "snmp.local.conf overrides snmp.conf",
        files: &[BASE, ("a/snmp.local.conf", "quickPrinting yes\n")],
        arguments: GET,
    },
    Case {
        title: "a later directory overrides an earlier snmp.local.conf",
        files: &[
            BASE,
            ("a/snmp.local.conf", "defCommunity wrong\n"),
            ("b/snmp.conf", "defCommunity public\n"),
        ],
        arguments: GET,
    },
    Case {
        title: "includeFile is relative to the including file",
        files: &[
            BASE,
            ("a/snmp.local.conf", "includeFile more/x.conf\n"),
            ("a/more/x.conf", "quickPrinting 1\nfrob 1\n"),
        ],
        arguments: GET,
    },
    Case {
        title: "an included file is missing",
        files: &[BASE, ("a/snmp.local.conf", "includeFile x.conf\nincludeDir /no/where\n")],
        arguments: GET,
    },
    Case {
        title: "includeSearch searches all directories",
        files: &[BASE, ("a/snmp.local.conf", "includeSearch site\n"), ("b/site.conf", "quickPrinting 1\n")],
        arguments: GET,
    },
    Case {
        title: "sections and unknown directives",
        files: &[BASE, ("b/snmp.conf", "[snmp]\nquickPrinting 1\n[snmp] frob 3\n  frob 4\n[snmp\nfrob\n")],
        arguments: GET,
    },
    Case {
        title: "noTokenWarnings suppresses warnings",
        files: &[BASE, ("b/snmp.conf", "noTokenWarnings yes\nfrob 3\n")],
        arguments: GET,
    },
    Case {
        title: "the file of a host",
        files: &[BASE, ("b/hosts/r1.conf", "transport udp:AGENT\nquickPrinting 1\nfrob 1\n")],
        arguments: "r1 .1.3.6.1.2.1.1.7.0",
    },
    Case {
        title: "a flag overrides the community of a host",
        files: &[BASE, ("b/hosts/r1.conf", "transport udp:AGENT\ndefCommunity wrong\n")],
        arguments: "-c public r1 .1.3.6.1.2.1.1.7.0",
    },
    Case {
        title: "the local file of a host",
        files: &[
            BASE,
            ("b/hosts/r1.conf", "transport udp:AGENT\ndefCommunity wrong\n"),
            ("b/hosts/r1.local.conf", "defCommunity public\n"),
        ],
        arguments: "r1 .1.3.6.1.2.1.1.7.0",
    },
];

#[test]
fn configuration_files_have_the_same_effect_as_in_net_snmp() {
    let Some(snmpget) = find_program("snmpget") else { return };
    let agent = FakeAgent::with(&[(&[1, 3, 6, 1, 2, 1, 1, 7, 0], Integer(72))]);
    let folder = std::env::temp_dir().join(format!("portreeve-live-conf-{}", std::process::id()));
    for case in CASES {
        for (file, text) in case.files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replace("AGENT", &agent.address)).unwrap();
        }
        let arguments = case.arguments.replace("AGENT", &agent.address);
        let expected = output(Command::new(&snmpget), &folder, &format!("-t1 -r1 {arguments}"));
        let actual = output(
            Command::new(env!("CARGO_BIN_EXE_portreeve")),
            &folder,
            &format!("get -t1 -r1 {arguments}"),
        );
        assert_eq!((actual.code, &actual.stdout), (expected.code, &expected.stdout), "{}", case.title);
        assert_eq!(warnings(&actual), warnings(&expected), "{}", case.title);
        assert_eq!(actual.code, Some(0), "{}: {}", case.title, actual.stderr);
        fs::remove_dir_all(&folder).unwrap();
    }
}

fn output(mut command: Command, folder: &Path, arguments: &str) -> CommandOutput {
    let path = std::env::join_paths([folder.join("a"), folder.join("b")]).unwrap();
    command.env("SNMPCONFPATH", path).env("SNMP_PERSISTENT_DIR", folder).env("HOME", folder).env("MIBS", "");
    command.args(arguments.split(' ')).output().unwrap().into()
}

/// Returns each warning once, because Net-SNMP reads its files twice. Ignores Net-SNMP's summary
/// and its messages about created directories.
fn warnings(output: &CommandOutput) -> Vec<&str> {
    let mut lines: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| !line.starts_with("net-snmp: ") && !line.starts_with("Created directory: "))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
