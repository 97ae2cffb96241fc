//! Tests that other programs load the exported text and resolve the same definitions.
//!
//! Tests of programs that are not installed are skipped with a message.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers")]

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use portreeve_mib::{export::export_smi, format::OutputFormat, modules};

/// libsmi reports only problems of the standards themselves.
#[test]
fn smilint_accepts_every_exported_module() {
    let exported = ExportDir::new("smilint");
    for module in modules::ALL {
        let mut command = Command::new("smilint");
        let file = exported.path.join(module.name);
        command.args(["-s", "-m", "-l", "3"]).arg(&file).env("SMIPATH", &exported.path);
        let Some(output) = run(&mut command) else { return };
        let complaints = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let unexpected: Vec<&str> = complaints.lines().filter(|line| !is_caused_by_standard(line)).collect();
        assert!(unexpected.is_empty(), "{}: {unexpected:#?}", module.name);
    }
}

#[test]
fn net_snmp_resolves_every_exported_name_to_same_oid() {
    let exported = ExportDir::new("snmptranslate");
    let mut names = Vec::new();
    let mut expected = Vec::new();
    let numeric = OutputFormat { names: portreeve_mib::format::NameForm::Numeric, ..OutputFormat::default() };
    for module in modules::ALL {
        for object in module.objects.iter().filter(|object| object.parent.is_some()) {
            names.push(format!("{}::{}", module.name, object.name));
            let mut oid = String::new();
            numeric.name(&mut oid, object.arcs());
            expected.push(oid);
        }
    }
    let Some(output) = snmptranslate(&exported.path, &["-On"], &names) else { return };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: Vec<&str> = found.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected);
}

#[test]
fn net_snmp_with_exported_modules_prints_identical_names() {
    let exported = ExportDir::new("names");
    let oids = [
        "1",
        "0.0",
        "2.5",
        "1.3.6.1.2.1.1.3.0",
        "1.3.6.1.4.1.8072.3",
        "1.3.6.1.2.1.31.1.4.1.2.3.6.1.2.3.4.5.6",
        "1.3.6.1.6.3.15.1.2.2.1.13.13.128.0.31.136.128.1.2.3.4.5.65.34.92.3.111.112.115",
        "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115",
        INCOMPLETE,
        "1.3.6.1.6.3.16.1.4.1.9.1.103.0.3.3",
        "1.3.6.1.6.3.16.1.5.2.1.6.3.97.108.108.3.1.3.6",
        "1.3.6.1.6.3.12.1.2.1.4.97.46.98",
        "1.3.6.1.6.3.13.1.3.1.2.1.97.1.3.6.1",
        "1.3.6.1.2.1.4.24.7.1.7.1.4.10.0.0.0.8.2.0.0.1.4.192.0.2.1",
        "1.3.6.1.2.1.6.19.1.7.0.0.0.0.0.0",
        "1.3.6.1.2.1.6.19.1.7.1.0.5.1.4.1.2.3.4.7",
        "1.3.6.1.2.1.6.19.1.7.1.4.127.0.0.1.8080.1.4.10.0.0.2.99",
        "1.3.6.1.2.1.6.19.1.7.4.20.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1.255.255.255.255.80.3.8.10.0.0.1.0.0.1.2.99",
        "1.3.6.1.2.1.6.19.1.7.9.4.127.0.0.1.80.1.5.10.0.0.2.4.9",
        "1.3.6.1.2.1.6.19.1.7.16.4.97.46.98.99.80.16.5.97.34.92.98.99.7",
        "1.3.6.1.2.1.6.20.1.4.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.9.22",
        "1.3.6.1.2.1.7.7.1.8.2.4.65.66.67.68.80.1.3.10.0.0.9.1",
    ];
    for letters in ["S", "s", "f", "n", "u", "b", "E", "X", "XE"] {
        // With -OX, Net-SNMP prints an opening bracket before an incomplete value.
        let is_complete = |oid: &&str| !letters.contains('X') || *oid != INCOMPLETE;
        let oids: Vec<&str> = oids.iter().copied().filter(is_complete).collect();
        let names: Vec<String> = oids.iter().map(|oid| format!(".{oid}")).collect();
        let Some(output) = snmptranslate(&exported.path, &[&format!("-O{letters}")], &names) else { return };
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let found: Vec<&str> = found.lines().filter(|line| !line.is_empty()).collect();
        let mut format = OutputFormat::default();
        format.apply(letters).unwrap();
        let expected: Vec<String> = oids
            .iter()
            .map(|oid| {
                let mut name = String::new();
                format.name(&mut name, &oid.parse::<portreeve_smi::Oid>().unwrap());
                name
            })
            .collect();
        assert_eq!(found, expected, "-O{letters}");
    }
}

/// An instance whose index ends within a string.
const INCOMPLETE: &str = "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112";

/// A directory with the text of every module, removed on drop.
struct ExportDir {
    path: PathBuf,
}

impl ExportDir {
    fn new(purpose: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-mib-{purpose}-{}", std::process::id()));
        // Net-SNMP would print a message when it creates this directory.
        fs::create_dir_all(path.join("cert_indexes")).unwrap();
        for module in modules::ALL {
            fs::write(path.join(module.name), export_smi(module)).unwrap();
        }
        Self { path }
    }
}

impl Drop for ExportDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// IF-MIB and three other modules have index values without a size limit.
fn is_caused_by_standard(complaint: &str) -> bool {
    complaint.contains("{index-element-no-size}")
        && [
            "ifRcvAddressAddress",
            "inetCidrRoutePolicy",
            "snmpNotifyFilterSubtree",
            "vacmViewTreeFamilySubtree",
        ]
        .iter()
        .any(|element| complaint.contains(&format!("index element `{element}'")))
}

fn snmptranslate(modules: &Path, options: &[&str], names: &[String]) -> Option<Output> {
    let mut command = Command::new("snmptranslate");
    command.arg("-M").arg(modules).args(["-m", "ALL"]).args(options).args(names);
    // Ignores the user's settings and Net-SNMP's persistent files.
    command.env("SNMPCONFPATH", modules).env("SNMP_PERSISTENT_DIR", modules);
    run(&mut command)
}

/// Runs a program. Returns `None` if it is not installed.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Writes directly to stderr: the test runner hides the output of passing tests.
            let program = command.get_program().to_string_lossy();
            let _ = writeln!(std::io::stderr(), "skipped: {program} is not installed");
            None
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}
