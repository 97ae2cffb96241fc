//! Tests of `snmp.conf`, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{fs, os::unix::fs::symlink, path::PathBuf, process::Command};

use portreeve_smi::OwnedValue::OctetString;
use support::{CommandOutput, fake_agent::FakeAgent};

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];

struct ConfigDir(PathBuf);

impl ConfigDir {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let config = std::env::temp_dir().join(format!("portreeve-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = config.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(config)
    }

    fn run(&self, program: &str, line: &str) -> CommandOutput {
        let mut command = Command::new(program);
        command.env("SNMPCONFPATH", &self.0).args(line.split(' ')).output().unwrap().into()
    }
}

impl Drop for ConfigDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn agent() -> FakeAgent {
    FakeAgent::with(&[(SYS_DESCR, OctetString(b"a test".to_vec()))])
}

#[test]
fn flags_override_snmp_conf_and_its_included_files() {
    let (agent, portreeve) = (agent(), env!("CARGO_BIN_EXE_portreeve"));
    let config = ConfigDir::new(
        "conf",
        &[
            (
                "snmp.conf",
                "defVersion 2c\ndefCommunity public\nfrob 1\nincludeFile more/a.conf\nincludeDir more\n",
            ),
            ("snmp.local.conf", "printNumericOids no\n"),
            ("more/a.conf", "printNumericOids yes\n"),
            ("more/b.conf", "quickPrinting yes\n"),
            ("more/c.txt", "frob 2\n"),
        ],
    );
    let warning =
        format!("{}: line 3: Warning: Unknown token: frob.\n", config.0.join("snmp.conf").display());
    let output = config.run(portreeve, &format!("get {} sysDescr.0", agent.address));
    output.expect(0, ".1.3.6.1.2.1.1.1.0 a test\n", &warning);
    let output = config.run(portreeve, &format!("get -Oqs {} sysDescr.0", agent.address));
    output.expect(0, "sysDescr.0 = STRING: a test\n", &warning);
    let output = config.run(portreeve, &format!("get -v1 {} sysDescr.0", agent.address));
    output.expect(0, ".1.3.6.1.2.1.1.1.0 a test\n", &warning);
}

#[test]
fn include_loop_in_snmp_conf_is_reported_and_command_continues() {
    let config = ConfigDir::new("loop", &[("snmp.conf", "includeFile snmp.conf\n")]);
    let output = config.run(env!("CARGO_BIN_EXE_portreeve"), "translate -On sysDescr.0");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), ".1.3.6.1.2.1.1.1.0\n"));
    assert!(output.stderr.contains("line 1: Error: nested include depth > 16"), "{}", output.stderr);
}

#[test]
fn command_named_snmpget_reads_long_options_as_snmp_conf_directives() {
    let agent = agent();
    let config = ConfigDir::new("tokens", &[("snmp.conf", "")]);
    let program = config.0.join("snmpget");
    symlink(env!("CARGO_BIN_EXE_portreeve"), &program).unwrap();
    let line =
        format!("--defVersion=2c --defCommunity=public --quickPrinting=1 {} sysDescr.0", agent.address);
    config.run(program.to_str().unwrap(), &line).expect(0, "SNMPv2-MIB::sysDescr.0 a test\n", "");
    let output = config.run(program.to_str().unwrap(), "--frob=2 host sysDescr.0");
    assert!(
        output.stderr.starts_with("command line: Warning: Unknown token: frob.\nsnmpget: "),
        "{}",
        output.stderr
    );
}

#[test]
fn host_conf_file_sets_default_options_and_agent_address() {
    let (agent, portreeve) = (agent(), env!("CARGO_BIN_EXE_portreeve"));
    let of_host = format!("transport {}\nquickPrinting yes\nfrob 1\n", agent.address);
    let config = ConfigDir::new(
        "host",
        &[
            ("snmp.conf", "defVersion 2c\ndefCommunity public\n"),
            ("hosts/r1.conf", &of_host),
            ("hosts/r1.local.conf", "printNumericOids yes\n"),
            ("hosts/r2.conf", "quickPrinting yes\n"),
        ],
    );
    let warning =
        format!("{}: line 3: Warning: Unknown token: frob.\n", config.0.join("hosts/r1.conf").display());
    config.run(portreeve, "get r1 sysDescr.0").expect(0, ".1.3.6.1.2.1.1.1.0 a test\n", &warning);
    config.run(portreeve, "get -Os r1 sysDescr.0").expect(0, "sysDescr.0 a test\n", &warning);
    // There is no host file for an address with a port.
    let output = config.run(portreeve, &format!("get {} sysDescr.0", agent.address));
    output.expect(0, "SNMPv2-MIB::sysDescr.0 = STRING: a test\n", "");
    fs::write(config.0.join("snmp.local.conf"), "dontLoadHostConfig yes\n").unwrap();
    let output = config.run(portreeve, "get r1 sysDescr.0");
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{}", output.stderr);
}

#[test]
fn snmp_conf_selects_mib_modules_directories_and_files() {
    let module = |name: &str, object: &str, arc: u32| {
        format!(
            "{name} DEFINITIONS ::= BEGIN\nIMPORTS enterprises FROM SNMPv2-SMI;\n\
             {object} OBJECT IDENTIFIER ::= {{ enterprises {arc} }}\nEND\n"
        )
    };
    let config = ConfigDir::new(
        "mibs",
        &[
            ("one/A-MIB.txt", &module("A-MIB", "aaa", 99901)),
            ("two/B-MIB.txt", &module("B-MIB", "bbb", 99902)),
            ("C-MIB.txt", &module("C-MIB", "ccc", 99903)),
        ],
    );
    let dir = config.0.display();
    let resolved = |directives: &str, arguments: &str| {
        fs::write(config.0.join("snmp.conf"), directives).unwrap();
        // Names that start with their module would load it.
        let line = format!("translate -On {arguments} aaa bbb ccc").replace("  ", " ");
        let output = config.run(env!("CARGO_BIN_EXE_portreeve"), &line).stdout;
        ["99901", "99902", "99903"].map(|arc| output.contains(arc))
    };
    let (both, file) = (format!("mibdirs {dir}/one\nmibdirs +{dir}/two\n"), format!("{dir}/C-MIB.txt"));
    assert_eq!(resolved(&both, ""), [false, false, false]);
    assert_eq!(resolved(&format!("{both}mibs A-MIB\n"), ""), [true, false, false]);
    assert_eq!(resolved(&format!("{both}mibs A-MIB\nmibs +B-MIB\nmibfile {file}\n"), ""), [true, true, true]);
    assert_eq!(resolved(&format!("{both}mibs A-MIB\nmibs B-MIB\n"), ""), [false, true, false]);
    assert_eq!(resolved(&format!("mibdirs -{dir}/two\nmibs A-MIB:B-MIB\n"), ""), [false, true, false]);
    // -m replaces `mibs`, and -M replaces `mibdirs`, even if their values begin with `+`. `mibfile`
    // still applies.
    assert_eq!(resolved(&format!("{both}mibs A-MIB\n"), "-m +B-MIB"), [false, true, false]);
    assert_eq!(
        resolved(&format!("{both}mibs A-MIB:B-MIB\nmibfile {file}\n"), &format!("-M +{dir}/one")),
        [true, false, true]
    );
}
