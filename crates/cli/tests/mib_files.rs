//! Tests of MIB modules in files, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use std::{fs, path::Path, process::Command};

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

fn translate(home: &Path, args: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    for variable in ["MIBS", "MIBDIRS", "MIBFILES"] {
        command.env_remove(variable);
    }
    let output =
        command.arg("translate").args(args).env("HOME", home).envs(variables.iter().copied()).output();
    let output = output.unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
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
