//! Tests of the command line without an agent, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{os::unix::fs::symlink, process::Command};

use support::{CommandOutput, portreeve, portreeve_args};

#[test]
fn invalid_command_line_prints_its_error_first_and_exits_with_1() {
    let table = [
        ("get", "No hostname specified.\nUSAGE: portreeve get [OPTIONS] AGENT OID [OID]...\n"),
        ("get -v2c -c x host", "Missing object name\nUSAGE: portreeve get "),
        ("set -v2c -c x host", "Missing object name\nUSAGE: portreeve set [OPTIONS] AGENT OID TYPE VALUE"),
        ("get -v2c host sysDescr.0", "No community name specified.\nUSAGE: "),
        (
            "get host sysDescr.0",
            "portreeve get: No securityName specified\nhint: use -u NAME for an SNMPv3 user",
        ),
        ("get -u u -l authNoPriv host sysDescr.0", "portreeve get: USM authentication failure"),
        ("get -u u -l authPriv -A 12345678 host sysDescr.0", "portreeve get: USM generic error"),
        ("get -u u -l authNoPriv -A short host sysDescr.0", "Error: passphrase chosen is below the length"),
        ("bulkget -v2c -c x -Cn3 127.0.0.1 sysDescr", "portreeve bulkget: need more objects than <nonrep>\n"),
        ("get -v2c -c x 127.0.0.1:0 sysDescr.0", "portreeve get: Unknown host (127.0.0.1:0)\nhint: "),
        (
            "get -v2c -c x 127.0.0.1 fooBar.0",
            "fooBar.0: Unknown Object Identifier (Sub-id not found: (top) -> fooBar)\n",
        ),
        (
            "get -v2c -c x 127.0.0.1 sysUptime.0",
            "sysUptime.0: Unknown Object Identifier (Sub-id not found: (top) -> sysUptime)\nhint: did you mean sysUpTime.0?\n",
        ),
        (
            "get -v2c -c x 127.0.0.1 FOO-MIB::bar.0",
            "Cannot find module (FOO-MIB): At line 1 in (none)\nFOO-MIB::bar.0: Unknown Object Identifier\nhint: no file of the MIB directories defines FOO-MIB; ",
        ),
        (
            "get sshh://host sysDescr.0",
            "portreeve get: Unknown host (sshh://host)\nhint: unknown transport; expected udp, ",
        ),
        (
            "get ssh://::1:16163 sysDescr.0",
            "portreeve get: Unknown host (ssh://::1:16163)\nhint: an IPv6 address with a port must be in brackets",
        ),
        ("set -v2c -c x 127.0.0.1 sysName.0", "sysName.0: Needs type and value\n"),
        ("set -v2c -c x 127.0.0.1 sysName.0 s", "sysName.0: Needs value\n"),
        ("set -v2c -c x 127.0.0.1 sysName.0 q 1", "sysName.0: Bad object type: q\n"),
        ("bulkwalk -v1 -c x 127.0.0.1", "portreeve bulkwalk: Cannot send V2 PDU on V1 session\n"),
        ("translate", "USAGE: portreeve translate [OPTIONS] OID [OID]...\n"),
    ];
    for (line, expected) in table {
        let output = portreeve(line);
        assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{line}");
        assert!(output.stderr.starts_with(expected), "{line}: {}", output.stderr);
    }
}

#[test]
fn error_messages_contain_no_pass_phrase_or_community() {
    for line in [
        "get -u u -l authNoPriv -A sesame1 host sysDescr.0",
        "get -u u -l authPriv -A sesame-open -X sesame2 host sysDescr.0",
        "get -v2c -c sesame -r0 -t0.05 127.0.0.1:9 sysDescr.0",
    ] {
        let output = portreeve(line);
        assert!(!output.stderr.contains("sesame"), "{}", output.stderr);
    }
}

#[test]
fn debug_output_of_parse_token_has_agent_address_version_and_context() {
    let output = portreeve("get -v2c -c sesame -n bridge1 -Dparse -r0 -t0.05 127.0.0.1:9 sysDescr.0");
    let parsed = "parse: portreeve get: agent 127.0.0.1:9, SNMPv2c, context \"bridge1\"\n";
    assert!(output.stderr.starts_with(parsed), "{}", output.stderr);
}

#[test]
fn help_exits_with_0_and_unknown_verb_or_missing_agent_with_1() {
    for line in ["get --help", "get -h", "--help", "help"] {
        let output = portreeve(line);
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{line}");
        assert!(output.stdout.starts_with("USAGE: portreeve"));
    }
    portreeve("frobnicate").expect(
        1,
        "",
        "portreeve: unknown verb \"frobnicate\"\nUSAGE: portreeve VERB [OPTIONS] ...\n\
         hint: `portreeve --help` lists the verbs\n",
    );
    portreeve("walk").expect(
        1,
        "",
        "No hostname specified.\nUSAGE: portreeve walk [OPTIONS] AGENT [OID]\n\
         hint: `portreeve walk --help` explains every option\n",
    );
    assert_eq!(portreeve_args(&[]).code, Some(1));
}

#[test]
fn help_text_fits_79_columns() {
    let overview = portreeve("--help").stdout;
    let verbs = ["get", "walk", "set", "table", "netstat", "usm", "vacm", "translate"];
    for text in verbs.map(|verb| portreeve(&format!("{verb} --help")).stdout).into_iter().chain([overview]) {
        assert!(text.lines().count() > 20, "{text}");
        assert_eq!(text.lines().find(|line| line.chars().count() > 79), None);
    }
}

#[test]
fn net_snmp_program_name_selects_the_verb() {
    let folder = std::env::temp_dir().join(format!("portreeve-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in [
        "snmpget",
        "snmpgetnext",
        "snmpbulkget",
        "snmpwalk",
        "snmpbulkwalk",
        "snmpset",
        "snmptable",
        "snmpstatus",
        "snmpusm",
        "snmpvacm",
        "snmptranslate",
    ] {
        let path = folder.join(name);
        symlink(env!("CARGO_BIN_EXE_portreeve"), &path).unwrap();
        let output: CommandOutput = Command::new(&path).arg("-h").output().unwrap().into();
        assert_eq!((output.code, output.stdout.as_str()), (Some(1), ""), "{name}");
        assert!(output.stderr.starts_with(&format!("USAGE: {name} [OPTIONS] ")), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn translate_converts_names_and_oids_and_exits_with_2_if_unknown() {
    portreeve("translate -On sysDescr.0").expect(0, ".1.3.6.1.2.1.1.1.0\n", "");
    portreeve("translate .1.3.6.1.2.1.1.1.0").expect(0, "SNMPv2-MIB::sysDescr.0\n", "");
    portreeve("translate -Of system").expect(0, ".iso.org.dod.internet.mgmt.mib-2.system\n", "");
    let stderr = "fooBar: Unknown Object Identifier (Sub-id not found: (top) -> fooBar)\n";
    portreeve("translate fooBar").expect(2, "", stderr);
}

#[test]
fn export_smi_option_prints_every_listed_module() {
    let list = portreeve("translate --export-smi");
    assert_eq!(list.code, Some(0));
    assert!(list.stdout.lines().any(|module| module == "IF-MIB"));
    for module in list.stdout.lines() {
        let output = portreeve(&format!("translate --export-smi {module}"));
        assert_eq!(output.code, Some(0));
        assert!(output.stdout.contains(&format!("{module} DEFINITIONS ::= BEGIN")), "{module}");
    }
    portreeve("translate --export-smi NO-MIB").expect(1, "", "Cannot find module (NO-MIB)\n");
}

#[test]
fn program_of_external_verb_is_found_next_to_portreeve_or_in_libexec() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("external-{}", std::process::id()));
    let (bin, libexec) = (folder.join("bin"), folder.join("libexec/portreeve"));
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(&libexec).unwrap();
    let own = bin.join("portreeve");
    // Creates a hard link, because executing a file that was just written may fail with ETXTBSY.
    std::fs::hard_link(env!("CARGO_BIN_EXE_portreeve"), &own).unwrap();
    let run = || Command::new(&own).args(["poll", "--once", "FILE"]).output().unwrap();

    let output = run();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("portreeve-poll is not installed\nhint: "));

    for place in [libexec.join("portreeve-poll"), bin.join("portreeve-poll")] {
        symlink("/bin/echo", &place).unwrap();
        assert_eq!(String::from_utf8(run().stdout).unwrap(), "--once FILE\n", "{}", place.display());
    }
    std::fs::remove_dir_all(folder).unwrap();
}
