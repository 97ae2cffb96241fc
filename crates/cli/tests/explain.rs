//! Tests of `--explain` and the key cache, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use portreeve_smi::{
    MessageProcessingModel,
    OwnedValue::{Integer, OctetString},
};
use support::{
    CommandOutput,
    fake_agent::{FakeAgent, honest_response},
    find_program, portreeve,
    snmpd::Snmpd,
};

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];
const IF_NUMBER: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 1, 0];

fn assert_explanation(output: &CommandOutput, code: i32, beginning: &str) {
    let line = output.stderr.lines().find_map(|line| line.strip_prefix("explanation: "));
    let line = line.unwrap_or_else(|| panic!("no explanation: {output:?}"));
    assert!(line.starts_with(beginning), "{line:?} does not begin with {beginning:?}");
    assert_eq!(output.code, Some(code), "{output:?}");
}

#[test]
fn explain_distinguishes_closed_port_from_silent_agent() {
    let quick = "-v2c -c public -r0 -t0.1 --explain";
    let output = portreeve(&format!("get {quick} 127.0.0.1:9 sysDescr.0"));
    assert_explanation(&output, 1, "nothing listens on the requested port");
    assert_explanation(
        &portreeve(&format!("get {quick} tcp:127.0.0.1:9 sysDescr.0")),
        1,
        "nothing listens on the requested port",
    );
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    let output = portreeve(&format!("walk {quick} {address} sysDescr.0"));
    assert_explanation(
        &output,
        1,
        "the community is wrong, or the agent does not accept it from this address",
    );
    let output = portreeve(&format!("get -r0 -t0.1 -u ops --explain {address} sysDescr.0"));
    assert_explanation(&output, 1, "no SNMPv3 engine responds at this address");
}

#[test]
fn failure_is_not_explained_without_explain_flag() {
    let output = portreeve("get -v2c -c public -r0 -t0.1 127.0.0.1:9 sysDescr.0");
    output.expect(1, "", "Timeout: No Response from 127.0.0.1:9.\n");
}

#[test]
fn explain_names_the_snmp_version_that_the_agent_supports() {
    let variables = vec![(SYS_DESCR.to_vec(), OctetString(b"old".to_vec()))];
    let agent = FakeAgent::start(move |request| match request.version {
        MessageProcessingModel::V1 => vec![honest_response(&variables, request)],
        _ => Vec::new(),
    });
    let output = portreeve(&format!("get -v2c -c public -r0 -t0.1 --explain {} sysDescr.0", agent.address));
    assert_explanation(&output, 1, "the agent responds to this community in SNMPv1 only");
}

#[test]
fn missing_object_is_explained_but_end_of_mib_is_not() {
    let agent = FakeAgent::with(&[(SYS_DESCR, OctetString(b"a test".to_vec())), (IF_NUMBER, Integer(2))]);
    let expected = "the agent does not have 1.3.6.1.2.1.25, or no view grants it to this community";
    for (version, line, code) in [
        ("2c", "get", 0),
        ("1", "get", 2),
        ("2c", "walk", 0),
        ("1", "walk", 0),
        ("2c", "walk --one-by-one", 0),
        ("2c", "bulkwalk", 0),
    ] {
        let (verb, flags) = line.split_once(' ').unwrap_or((line, ""));
        let flags = format!("--explain {flags}");
        let line = format!("{verb} -v{version} -c public {} {} .1.3.6.1.2.1.25", flags.trim(), agent.address);
        assert_explanation(&portreeve(&line), code, expected);
    }
    let empty_agent = FakeAgent::with(&[]);
    let output = portreeve(&format!("walk -v2c -c public --explain {} .1.3.6.1.2.1.25", empty_agent.address));
    assert_explanation(&output, 0, "no view grants anything to this community");
    // Reaching the end of the MIB is not an error.
    let output = portreeve(&format!("walk -v1 -c public --explain {} ifNumber", agent.address));
    output.expect(0, "IF-MIB::ifNumber.0 = INTEGER: 2\nEnd of MIB\n", "");
}

#[test]
fn every_rejection_by_debian_snmpd_is_explained() {
    let Some(snmpd) = Snmpd::start("explain") else { return };
    let table = [
        (
            "-u sha256aes -l authNoPriv -a SHA-256 -A wrong-one",
            "wrong authentication pass phrase for user sha256aes",
        ),
        ("-u unknown", "the agent has no user unknown"),
        (
            "-u authonly -l authPriv -a SHA-256 -A authentic1 -x AES -X private12",
            "user authonly has no privacy key, so authPriv is not possible",
        ),
        (
            "-r1 -t0.3 -u sha256aes -l authPriv -a SHA-256 -A authentic1 -x AES -X wrong-one",
            "wrong privacy pass phrase or protocol for user sha256aes",
        ),
        ("-u anon -e 8000000001020304", "the agent does not have the configured engineID"),
        (
            "-r0 -t0.3 -v2c -c wrong",
            "the agent is up and supports SNMPv3, but does not respond to this community",
        ),
        ("-u authonly", "authonly at noAuthNoPriv has no access rights"),
    ];
    for (flags, expected) in table {
        let output = portreeve(&format!("get --explain {flags} {} .1.3.6.1.2.1.1.1.0", snmpd.address));
        assert_explanation(&output, output.code.unwrap(), expected);
    }
    let output =
        portreeve(&format!("set --explain -v2c -c public {} .1.3.6.1.2.1.1.4.0 s me", snmpd.address));
    assert_explanation(&output, 2, "no write view grants 1.3.6.1.2.1.1.4.0 to this community");
}

#[test]
fn error_names_assumed_protocols_when_snmpd_rejects_keys() {
    let Some(snmpd) = Snmpd::start("assumed") else { return };
    let get = |flags: &str| {
        portreeve(&format!("get {flags} -u sha256aes -l authPriv {} .1.3.6.1.2.1.1.1.0", snmpd.address))
    };
    get("-A authentic1 -X private12").expect(
        1,
        "",
        "portreeve get: Authentication failure (incorrect password, community or key)\n\
         hint: wrong authentication pass phrase or protocol: the agent rejected the digest of the request\n\
         hint: -a and -x were not given: MD5 and DES were assumed; try -a SHA-256 -x AES\n",
    );
    let output = get("-r1 -t0.3 -a SHA-256 -A authentic1 -X private12");
    assert_eq!(output.code, Some(1));
    let hint = "hint: -x was not given: DES was assumed; try -x AES\n";
    assert!(output.stderr.ends_with(hint), "{:?}", output.stderr);
    let output = get("-a SHA-256 -A wrong-one -x AES -X private12");
    assert!(!output.stderr.contains("assumed"), "{:?}", output.stderr);
}

/// Runs `portreeve` with its cache in `cache_dir`.
fn with_cache(cache_dir: &Path, line: &str) -> CommandOutput {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").env("XDG_CACHE_HOME", cache_dir);
    command.args(line.split(' ')).output().unwrap().into()
}

#[test]
fn usm_keys_and_key_extension_method_are_cached_in_file() {
    if find_program("snmpd").is_none() {
        return;
    }
    let Some(snmpd) = Snmpd::start("cache") else { return };
    let cache_dir = env::temp_dir().join(format!("portreeve-cache-{}", std::process::id()));
    fs::create_dir_all(&cache_dir).unwrap();
    let file = cache_dir.join("portreeve/keys");
    let get = |phrase: &str, flags: &str| {
        let user = format!("-u shaaes256 -l authPriv -a SHA -A {phrase} -x AES-256-C -X private12");
        with_cache(&cache_dir, &format!("get {flags}{user} {} .1.3.6.1.2.1.1.1.0", snmpd.address))
    };
    assert_eq!(get("authentic1", "--no-cache ").code, Some(0));
    assert!(!file.exists());
    // There are two methods to extend a short key. Debian's agent uses Blumenthal's, but
    // `AES-256-C` makes the command try Reeder's first. The agent drops messages that it cannot
    // decrypt.
    assert_eq!(get("authentic1", "").code, Some(0));
    let kept = fs::read(&file).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(get("authentic1", "-r0 ").code, Some(0), "the other extension is tried at once");
    assert_eq!(get("authentic2", "").code, Some(1), "a wrong pass phrase stays wrong");
    assert_eq!(fs::read(&file).unwrap(), kept);
    fs::remove_dir_all(&cache_dir).unwrap();
}
