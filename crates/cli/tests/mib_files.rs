//! Tests of MIB modules in files, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{fs, path::Path, process::Command};

use portreeve_smi::{
    Oid,
    OwnedValue::{Integer, ObjectId},
};
use support::fake_agent::FakeAgent;

#[test]
fn flags_or_environment_select_mib_modules_and_empty_list_loads_none() {
    let directory = folder("flags");
    fs::write(directory.join("X-MIB.txt"), MODULE).unwrap();
    let dir = directory.to_str().unwrap();
    let by_flags = translate(&directory, &["-m", "X-MIB", "-M", dir, "xNode.7"], &[]);
    assert_eq!(by_flags, ("X-MIB::xNode.7\n".into(), String::new()));
    // The second run reads the cache.
    assert_eq!(translate(&directory, &["-m", "X-MIB", "-M", dir, "xNode.7"], &[]), by_flags);
    let by_environment =
        translate(&directory, &[".1.3.6.1.4.1.99999.7"], &[("MIBS", "ALL"), ("MIBDIRS", dir)]);
    assert_eq!(by_environment, by_flags);
    let none =
        translate(&directory, &["-m", "", ".1.3.6.1.4.1.99999.7"], &[("MIBS", "ALL"), ("MIBDIRS", dir)]);
    // With an empty list of modules, not even the built-in definitions are loaded, only the roots.
    assert_eq!(none.0, "iso.3.6.1.4.1.99999.7\n");
}

#[test]
fn missing_mib_module_is_reported_and_the_others_are_loaded() {
    let directory = folder("wrong");
    fs::write(directory.join("X-MIB.txt"), MODULE).unwrap();
    let dir = directory.to_str().unwrap();
    let (stdout, stderr) =
        translate(&directory, &["-m", "X-MIB:NO-MIB", "-M", dir, "xNode.7", "sysDescr.0"], &[]);
    assert_eq!(stdout, "X-MIB::xNode.7\nSNMPv2-MIB::sysDescr.0\n");
    assert_eq!(stderr, "Cannot find module (NO-MIB); loading the other modules\n");
}

#[test]
fn module_in_name_is_loaded_when_it_is_needed() {
    let directory = folder("named");
    fs::write(directory.join("X-MIB.txt"), MODULE).unwrap();
    let dir = directory.to_str().unwrap();
    let named = |args: &[&str]| translate(&directory, &[&["-M", dir], args].concat(), &[]);
    // A name without a module loads nothing.
    assert!(named(&["xNode.7"]).1.contains("Unknown Object Identifier"));
    let expected = ("X-MIB::xNode.7\n".to_owned(), String::new());
    assert_eq!(named(&["X-MIB::xNode.7"]), expected);
    assert_eq!(named(&["-m", "", "X-MIB::xNode.7"]), expected);
    assert_eq!(named(&["-m", "", "IF-MIB::ifDescr.7"]).0, "IF-MIB::ifDescr.7\n");
    assert_eq!(named(&["-IS", "X-MIB::", "xNode.7"]), expected);
    // The module extends a built-in one with the same name.
    fs::write(directory.join("UCD-SNMP-MIB.txt"), MODULE.replace("X-MIB", "UCD-SNMP-MIB")).unwrap();
    let (stdout, stderr) = named(&["UCD-SNMP-MIB::xNode.7", "UCD-SNMP-MIB::memIndex.0"]);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("UCD-SNMP-MIB::xNode.7\nUCD-SNMP-MIB::memIndex.0\n", ""));
    // Words that are keywords or paths for -m are only names here.
    for module in ["ALL", "./X-MIB.txt"] {
        let (stdout, stderr) = named(&[&format!("{module}::xNode.7")]);
        assert_eq!(stdout, "");
        assert!(
            stderr.starts_with(&format!("Cannot find module ({module}): At line 1 in (none)\n")),
            "{stderr}"
        );
    }
}

#[test]
fn broken_module_in_name_is_reported_once() {
    let directory = folder("broken");
    let broken = MODULE.replace("xNode OBJECT", "torn OBJECT IDENTIFIER ::= { nowhere 1 }\nxNode OBJECT");
    fs::write(directory.join("X-MIB.txt"), broken).unwrap();
    let dir = directory.to_str().unwrap();
    let names = ["X-MIB::xNode.7", "NONE-MIB::xNode.7", "xNodes"];
    let (stdout, stderr) = translate(&directory, &[&["-M", dir], &names[..]].concat(), &[]);
    assert_eq!(stdout, "X-MIB::xNode.7\n");
    assert_eq!(stderr.matches("X-MIB.txt:3: ").count(), 1, "{stderr}");
    assert!(stderr.contains("\nhint: no file of the MIB directories defines NONE-MIB; "), "{stderr}");
    assert!(stderr.ends_with("\nhint: did you mean xNode?\n"), "{stderr}");
}

#[test]
fn default_modules_are_loaded_when_they_are_needed() {
    let directory = folder("default");
    let text = MODULE.replace("X-MIB", "NET-SNMP-AGENT-MIB").replace("99999", "8072");
    fs::write(directory.join("agent.txt"), text).unwrap();
    fs::write(directory.join("X-MIB.txt"), MODULE).unwrap();
    let dir = directory.to_str().unwrap();
    let named = |args: &[&str]| translate(&directory, &[&["-M", dir], args].concat(), &[]);
    // No file is read, so nothing is cached.
    for name in ["sysDescr.0", ".1.3.6.1.2.1.1.1.0", ".1.3.6.1.4.1.9.1", ".1.3.6.1.4.1.2021.4.5.0"] {
        assert_eq!(named(&[name]).1, "");
        assert!(!directory.join(".cache").exists(), "{name}");
    }
    let expected = ("NET-SNMP-AGENT-MIB::xNode.7\n".to_owned(), String::new());
    assert_eq!(named(&["xNode.7"]), expected);
    assert_eq!(named(&[".1.3.6.1.4.1.8072.7"]), expected);
    assert_eq!(named(&["-Ib", "xNo.7"]), expected);
    let all = named(&["xNode.7", "X-MIB::xNode.7", ".1.3.6.1.4.1.8072.7"]);
    let lines = "NET-SNMP-AGENT-MIB::xNode.7\nX-MIB::xNode.7\nNET-SNMP-AGENT-MIB::xNode.7\n";
    assert_eq!(all, (lines.to_owned(), String::new()));
    assert!(named(&["-Ts"]).0.contains(".enterprises.xNode\n"));
    // `-m X-MIB` replaces the default modules, `-m +X-MIB` does not.
    let both = ["xNode.7", ".1.3.6.1.4.1.8072.7"];
    let stdout = |modules: &str| named(&[&["-m", modules], &both[..]].concat()).0;
    assert_eq!(stdout("X-MIB"), "X-MIB::xNode.7\nSNMPv2-SMI::enterprises.8072.7\n");
    assert_eq!(stdout("+X-MIB"), "X-MIB::xNode.7\nNET-SNMP-AGENT-MIB::xNode.7\n");
    let empty_list = translate(&directory, &["-M", dir, ".1.3.6.1.4.1.8072.7"], &[("MIBS", "")]);
    assert_eq!(empty_list.0, "SNMPv2-SMI::enterprises.8072.7\n");
    fs::write(directory.join("snmp.conf"), "mibs :\n").unwrap();
    assert_eq!(named(&[".1.3.6.1.4.1.8072.7"]).0, "SNMPv2-SMI::enterprises.8072.7\n");
}

#[test]
fn default_modules_are_loaded_when_agent_returns_their_objects() {
    let directory = folder("returned");
    let text = MODULE.replace("X-MIB", "NET-SNMP-AGENT-MIB").replace("99999", "8072");
    fs::write(directory.join("agent.txt"), text).unwrap();
    let agent = FakeAgent::with(&[
        (&[1, 3, 6, 1, 2, 1, 1, 2, 0], ObjectId(Oid::new(&[1, 3, 6, 1, 4, 1, 8072, 3]).unwrap())),
        (&[1, 3, 6, 1, 4, 1, 8072, 7], Integer(2)),
    ]);
    let walk = |root: &str| {
        let mut command = command(&directory);
        command.args([
            "walk",
            "-v2c",
            "-c",
            "public",
            "-M",
            directory.to_str().unwrap(),
            &agent.address,
            root,
        ]);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(walk("system"), "SNMPv2-MIB::sysObjectID.0 = OID: NET-SNMP-AGENT-MIB::xNode.3\n");
    assert!(walk("enterprises").starts_with("NET-SNMP-AGENT-MIB::xNode.7 = INTEGER: 2\n"));
}

fn translate(home: &Path, args: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let output = command(home).arg("translate").args(args).envs(variables.iter().copied()).output();
    let output = output.unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    for variable in ["MIBS", "MIBDIRS", "MIBFILES"] {
        command.env_remove(variable);
    }
    command.env("HOME", home).env("SNMPCONFPATH", home);
    command
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mib_files_{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const MODULE: &str = "X-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises FROM SNMPv2-SMI;
xNode OBJECT IDENTIFIER ::= { enterprises 99999 }
END
";
