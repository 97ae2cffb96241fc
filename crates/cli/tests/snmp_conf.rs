//! The real binary with an `snmp.conf` of the test.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{fs, os::unix::fs::symlink, path::PathBuf, process::Command};

use portreeve_smi::OwnedValue::OctetString;
use support::{Said, fake_agent::FakeAgent};

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("portreeve-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn run(&self, program: &str, line: &str) -> Said {
        let mut command = Command::new(program);
        command.env("SNMPCONFPATH", &self.0).args(line.split(' ')).output().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn agent() -> FakeAgent {
    FakeAgent::with(&[(SYS_DESCR, OctetString(b"a test".to_vec()))])
}

#[test]
fn defaults_are_read_and_flags_are_stronger() {
    let (agent, portreeve) = (agent(), env!("CARGO_BIN_EXE_portreeve"));
    let folder = Folder::new(
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
        format!("{}: line 3: Warning: Unknown token: frob.\n", folder.0.join("snmp.conf").display());
    let said = folder.run(portreeve, &format!("get {} sysDescr.0", agent.address));
    said.expect(0, ".1.3.6.1.2.1.1.1.0 a test\n", &warning);
    let said = folder.run(portreeve, &format!("get -Oqs {} sysDescr.0", agent.address));
    said.expect(0, "sysDescr.0 = STRING: a test\n", &warning);
    let said = folder.run(portreeve, &format!("get -v1 {} sysDescr.0", agent.address));
    said.expect(0, ".1.3.6.1.2.1.1.1.0 a test\n", &warning);
}

#[test]
fn files_that_include_each_other_end() {
    let folder = Folder::new("loop", &[("snmp.conf", "includeFile snmp.conf\n")]);
    let said = folder.run(env!("CARGO_BIN_EXE_portreeve"), "translate -On sysDescr.0");
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ".1.3.6.1.2.1.1.1.0\n"));
    assert!(said.stderr.contains("line 1: Error: files include each other too deeply"), "{}", said.stderr);
}

#[test]
fn under_a_classic_name_long_options_are_words_of_the_file() {
    let agent = agent();
    let folder = Folder::new("tokens", &[("snmp.conf", "")]);
    let program = folder.0.join("snmpget");
    symlink(env!("CARGO_BIN_EXE_portreeve"), &program).unwrap();
    let line =
        format!("--defVersion=2c --defCommunity=public --quickPrinting=1 {} sysDescr.0", agent.address);
    folder.run(program.to_str().unwrap(), &line).expect(0, "SNMPv2-MIB::sysDescr.0 a test\n", "");
    let said = folder.run(program.to_str().unwrap(), "--frob=2 host sysDescr.0");
    assert!(said.stderr.starts_with("snmpget: unrecognized option '--frob'"), "{}", said.stderr);
}
