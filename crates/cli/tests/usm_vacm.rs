//! Compares `usm` and `vacm` with the Net-SNMP commands. Each program applies the same steps to its
//! own agent.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use support::{
    compare::{commands, first_difference, normalize},
    export_definitions, net_snmp, portreeve,
    snmpd::Snmpd,
};

/// The steps, in order. USER stands for the flags of a user who may change other users.
const STEPS: &[(&str, &str)] = &[
    ("usm", "USER AGENT create joe shaaes"),
    ("usm", "USER AGENT create jack"),
    ("usm", "USER -Cw AGENT create jim"),
    ("usm", "USER AGENT cloneFrom jim shaaes"),
    ("usm", "USER AGENT activate jim"),
    ("usm", "USER AGENT deactivate jim"),
    ("usm", "USER AGENT activate jim"),
    ("usm", "USER AGENT passwd authentic1 authentic2 jim"),
    ("usm", "USER -Ca AGENT passwd authentic2 authentic3 jim"),
    ("usm", "USER -Cx AGENT passwd short authentic2 jim"),
    ("usm", "USER -Cx AGENT passwd authentic2 short"),
    ("usm", "USER AGENT delete jack"),
    ("usm", "USER AGENT delete unknown"),
    ("usm", "USER AGENT"),
    ("usm", "USER AGENT frob"),
    ("usm", "USER AGENT create"),
    ("usm", "USER AGENT delete"),
    ("usm", "USER AGENT cloneFrom a"),
    ("usm", "USER AGENT activate"),
    ("usm", "USER -Cz AGENT create x"),
    ("usm", "USER -CE zz AGENT create x"),
    ("usm", "USER -CE 8000000001020304 -Cw AGENT create x"),
    ("usm", "USER -CE 8000000001020304 AGENT delete x"),
    ("usm", "USER"),
    ("vacm", "-v2c -c private AGENT createView all .1"),
    ("vacm", "-v2c -c private -Ce AGENT createView all .1.3.6.1 ff:80"),
    ("vacm", "-v2c -c private AGENT createSec2Group 3 joe grp"),
    ("vacm", "-v2c -c private AGENT createAccess grp 3 1 1 all all all"),
    ("vacm", "-v2c -c private AGENT createAccess grp ctx 3 1 1 all all all"),
    ("table", "-Ci -v2c -c private AGENT vacmViewTreeFamilyTable"),
    ("table", "-Ci -v2c -c private AGENT vacmSecurityToGroupTable"),
    ("table", "-Ci -v2c -c private AGENT vacmAccessTable"),
    ("table", "-Ci -v2c -c private AGENT usmUserTable"),
    ("vacm", "-v2c -c private AGENT deleteAccess grp 3 1"),
    ("vacm", "-v2c -c private AGENT deleteAccess grp ctx 3 1"),
    ("vacm", "-v2c -c private AGENT deleteSec2Group 3 joe"),
    ("vacm", "-v2c -c private AGENT deleteView all .1"),
    ("vacm", "-v2c -c private AGENT deleteView all .1.3.6.1"),
    ("vacm", "-v2c -c public AGENT deleteView all .1"),
    ("vacm", "-v2c -c private AGENT"),
    ("vacm", "-v2c -c private AGENT createView all"),
    ("vacm", "-v2c -c private AGENT deleteView all"),
    ("vacm", "-v2c -c private AGENT createSec2Group x"),
    ("vacm", "-v2c -c private AGENT deleteSec2Group x"),
    ("vacm", "-v2c -c private AGENT createAccess x"),
    ("vacm", "-v2c -c private AGENT deleteAccess x"),
];
const USER: &str = "-u shaaes -l authPriv -a SHA -A authentic1 -x AES -X private12";

#[test]
fn output_of_usm_and_vacm_matches_net_snmp() {
    let Some(commands) = commands() else { return };
    let (Some(reference), Some(ours)) = (Snmpd::start("reference"), Snmpd::start("ours")) else { return };
    let mibs = ours.folder.join("mibs");
    export_definitions(&mibs);
    let mut differences = Vec::new();
    for (verb, step) in STEPS {
        let line = |agent: &str| step.replace("USER", USER).replace("AGENT", agent);
        let command = commands.join(format!("snmp{verb}"));
        let expected = normalize(net_snmp(&command, &mibs, &line(&reference.address)), verb);
        let actual = normalize(portreeve(&format!("{verb} {}", line(&ours.address))), verb);
        if expected != actual {
            differences.push(format!("{verb} {step}\n{}", first_difference(&expected, &actual)));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn user_authenticates_only_with_new_pass_phrases_after_passwd() {
    let Some(snmpd) = Snmpd::start("passwd") else { return };
    let administer = |command: &str| {
        let user = "-u sha256aes -l authPriv -a SHA-256 -A authentic1 -x AES -X private12";
        portreeve(&format!("usm {} {} {command}", user, snmpd.address))
    };
    let ask = |auth: &str, privacy: &str| {
        let line = format!("get -r0 -t0.5 -u jim -l authPriv -a SHA-256 -A {auth} -x AES -X {privacy}");
        portreeve(&format!("{line} {} sysName.0", snmpd.address)).code
    };
    administer("create jim sha256aes").expect(0, "User successfully created.\n", "");
    assert_eq!(ask("authentic1", "private12"), Some(0));
    let changed = "SNMPv3 Key(s) successfully changed.\n";
    administer("-Ca passwd authentic1 authentic2 jim").expect(0, changed, "");
    assert_eq!((ask("authentic1", "private12"), ask("authentic2", "private12")), (Some(1), Some(0)));
    administer("-Cx passwd private12 private34 jim").expect(0, changed, "");
    assert_eq!((ask("authentic2", "private12"), ask("authentic2", "private34")), (Some(1), Some(0)));
}

#[test]
fn pass_phrase_is_read_from_file_or_file_descriptor() {
    let Some(snmpd) = Snmpd::start("files") else { return };
    let (auth, privacy) = (snmpd.folder.join("auth"), snmpd.folder.join("privacy"));
    std::fs::write(&auth, "authentic1\n").unwrap();
    std::fs::write(&privacy, "private12\r\nand more\n").unwrap();
    let ask = |auth: &str, privacy: &str| {
        let line =
            format!("-r0 -t0.5 -u shaaes -l authPriv -a SHA -x AES {auth} {privacy} {}", snmpd.address);
        portreeve(&format!("get {line} sysName.0"))
    };
    let files =
        (format!("--auth-pass-file={}", auth.display()), format!("--priv-pass-file {}", privacy.display()));
    assert_eq!(ask(&files.0, &files.1).code, Some(0));
    assert_eq!(ask(&files.0, &files.0.replace("auth-pass", "priv-pass")).code, Some(1));
    let missing = ask("--auth-pass-file=/nonexistent", "-Xprivate12");
    missing.expect(1, "", "/nonexistent: No such file or directory (os error 2)\n");
    ask("--auth-pass-fd=x", "-Xprivate12").expect(1, "", "invalid file descriptor: x\n");
    let shell = format!(
        "exec 7<{}; {} get -u shaaes -l authPriv -a SHA --auth-pass-fd=7 -x AES -X private12 {} sysName.0",
        auth.display(),
        env!("CARGO_BIN_EXE_portreeve"),
        snmpd.address
    );
    assert!(std::process::Command::new("sh").args(["-c", &shell]).output().unwrap().status.success());
}

#[test]
fn usm_delete_that_agent_rejects_exits_with_2() {
    let Some(snmpd) = Snmpd::start("rejected") else { return };
    let output = portreeve(&format!("usm -v2c -c public {} delete joe", snmpd.address));
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""));
    assert!(output.stderr.starts_with("Error in packet.\nReason: noAccess\nFailed object: "));
}
