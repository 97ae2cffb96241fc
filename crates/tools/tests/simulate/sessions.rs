//! Tests of agents behind SSH, TLS and DTLS with real clients.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use portreeve_mib::modules::framework_mib::SNMP_ENGINE_ID;
use portreeve_secure_session::SessionLink;
use portreeve_smi::Value;
use portreeve_snmp_manager::{Link, Operation, Request};
use tempfile::TempDir;

use crate::{
    fixture::{Simulator, case, name_of, port_of},
    link::{self, client, v2c_client},
};

const SESSIONS: [&str; 3] = ["ssh", "tls", "dtls"];

/// Starts a simulator with all secure transports and a temporary directory for its keys.
fn start(line: &str) -> (Simulator, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    let files = [case("router.walk"), case("switch.snmprec")];
    let line = format!("--keys {} {line}", keys.display());
    (Simulator::start(&SESSIONS, &line, &[&files[0], &files[1]]), folder)
}

fn open(simulator: &Simulator, transport: &str, agent: u32, folder: &TempDir) -> SessionLink {
    let address = simulator.agent(agent).to_string();
    link::open(transport, &address, port_of(transport), &folder.path().join("keys")).unwrap()
}

//= rfc5592#5.2-4
//= rfc6353#5.2-6
//= rfc6353#5.3.1-2
//= type=test
#[test]
fn simulated_agents_accept_the_generated_client_keys() {
    let (simulator, folder) = start("--by address");
    for transport in SESSIONS {
        for (agent, expected) in [(0, "router"), (1, "switch")] {
            let mut client = client(open(&simulator, transport, agent, &folder), "");
            assert_eq!(name_of(&mut client), expected, "{transport}");
        }
    }
    assert_eq!(simulator.end().0, Some(0));
}

#[test]
fn recorded_engine_id_is_replaced_by_that_of_simulated_agent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recorded.snmprec");
    fs::write(&file, "1.3.6.1.2.1.1.5.0|4|recorded\n1.3.6.1.6.3.10.2.1.1.0|4x|8000000005aabbccdd\n").unwrap();
    let keys = folder.path().join("keys");
    let simulator = Simulator::start(&SESSIONS, &format!("--keys {}", keys.display()), &[&file]);
    for transport in SESSIONS {
        let mut client = client(open(&simulator, transport, 0, &folder), "");
        assert_eq!(name_of(&mut client), "recorded", "{transport}");
        let request = Request::read(Operation::Get, [&*[SNMP_ENGINE_ID.arcs(), &[0]].concat()]);
        let response = client.request(&request).unwrap();
        let engine_id = response.var_binds().iter().next().unwrap().value;
        assert_eq!(engine_id, Value::OctetString(client.engine_id().unwrap().as_bytes()));
    }
}

#[test]
fn v2c_request_in_secure_session_is_accepted_with_any_community() {
    let (simulator, folder) = start("");
    for transport in SESSIONS {
        let mut client = v2c_client(open(&simulator, transport, 0, &folder));
        assert_eq!(name_of(&mut client), "router", "{transport}");
    }
}

#[test]
fn context_name_selects_recording_in_secure_sessions() {
    let (simulator, folder) = start("--by context --agents 1000");
    for transport in SESSIONS {
        for (context, expected) in [("", "router"), ("switch", "switch"), ("switch-499", "switch")] {
            let mut client = client(open(&simulator, transport, 0, &folder), context);
            assert_eq!(name_of(&mut client), expected, "{transport} {context}");
        }
    }
}

#[test]
fn forty_of_thousand_agents_respond_in_concurrent_sessions() {
    let (simulator, folder) = start("--by address --agents 1000");
    // All these sessions stay open at the same time.
    let mut clients: Vec<_> = (0..1000_u32)
        .step_by(25)
        .zip(SESSIONS.iter().cycle())
        .map(|(agent, transport)| (agent, client(open(&simulator, transport, agent, &folder), "")))
        .collect();
    for (agent, client) in &mut clients {
        assert_eq!(name_of(client), if *agent % 2 == 0 { "router" } else { "switch" }, "{agent}");
    }
}

#[test]
fn delay_applies_in_secure_sessions_and_skipped_faults_are_reported() {
    let (simulator, folder) = start("--delay 120 --loss 100 --duplicate 100");
    for transport in ["ssh", "tls"] {
        let mut client = client(open(&simulator, transport, 0, &folder), "");
        let started = Instant::now();
        assert_eq!(name_of(&mut client), "router");
        assert!(started.elapsed() >= Duration::from_millis(120), "{transport}: {:?}", started.elapsed());
    }
    let stderr = simulator.end().1;
    for messages in [
        "note: over ssh no messages are lost, reordered or duplicated",
        "note: over tls no messages are lost",
        "note: over dtls no messages are duplicated",
    ] {
        assert!(stderr.contains(messages), "{messages}: {stderr}");
    }
}

#[test]
fn keys_are_generated_once_and_readable_by_owner_only() {
    let (simulator, folder) = start("");
    let keys = folder.path().join("keys");
    let files: Vec<_> = fs::read_dir(&keys).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 10, "{files:?}");
    for file in &files {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    let host_key = fs::read(keys.join("ssh_host_ed25519_key")).unwrap();
    let first = simulator.first;
    let stderr = simulator.end().1;
    for messages in [
        format!("hint: set -a; . {}; set +a\n", keys.join("credentials.env").display()),
        format!("hint: portreeve get ssh://manager@{first}:15161 sysDescr.0\n"),
        format!("hint: portreeve get --server-name simulated tls:{first}:20161 sysDescr.0\n"),
        format!("hint: portreeve get --server-name simulated dtls:{first}:20161 sysDescr.0\n"),
    ] {
        assert!(stderr.contains(&messages), "{messages}: {stderr}");
    }
    let line = format!("--keys {}", keys.display());
    let again = Simulator::start(&["ssh"], &line, &[&case("router.walk")]);
    assert_eq!(fs::read(keys.join("ssh_host_ed25519_key")).unwrap(), host_key);
    drop(again);
}

//= rfc5592#5.2-3b
//= rfc6353#5.2-5b
//= rfc6353#5.3.1-3
//= type=test
#[test]
fn client_with_unauthorized_key_is_refused() {
    let (simulator, folder) = start("");
    let (_other, foreign_keys) = start("");
    for name in ["id_ed25519", "manager.pem", "manager.key"] {
        fs::copy(foreign_keys.path().join("keys").join(name), folder.path().join("keys").join(name)).unwrap();
    }
    let address = simulator.first.to_string();
    let keys = folder.path().join("keys");
    for transport in ["ssh", "tls"] {
        let opened = link::open(transport, &address, port_of(transport), &keys);
        // With TLS 1.3, the client finishes the handshake before the server rejects it.
        if let Ok(mut link) = opened {
            let run_failing = Link::receive(&mut link, Duration::from_secs(20));
            assert!(run_failing.is_err(), "{transport}");
        }
    }
}

#[test]
fn key_files_from_options_are_used_and_incomplete_sets_are_rejected() {
    let (simulator, folder) = start("");
    drop(simulator);
    let named = |name: &str| folder.path().join("keys").join(name).display().to_string();
    let all = format!(
        "--certificate {} --key {} --ca {} --host-key {} --authorized-keys {}",
        named("agent.pem"),
        named("agent.key"),
        named("ca.pem"),
        named("ssh_host_ed25519_key"),
        named("authorized_keys")
    );
    let simulator = Simulator::start(&SESSIONS, &all, &[&case("router.walk")]);
    for transport in SESSIONS {
        assert_eq!(name_of(&mut client(open(&simulator, transport, 0, &folder), "")), "router");
    }
    for (line, messages) in [
        ("--listen tls:127.0.0.1:0".to_owned(), "--keys DIR creates them in DIR"),
        ("--listen ssh:127.0.0.1:0".to_owned(), "--keys DIR creates them in DIR"),
        (format!("--listen dtls:127.0.0.1:0 --certificate {}", named("agent.pem")), "used together"),
        (format!("--listen ssh:127.0.0.1:0 --host-key {}", named("ssh_host_ed25519_key")), "used together"),
        (format!("--listen ssh:127.0.0.1:0 --keys {}", case("router.walk").display()), "router.walk: "),
    ] {
        let stderr = run_failing(&line, &case("router.walk"));
        assert!(stderr.contains(messages), "{line}: {stderr}");
    }
}

#[test]
fn existing_key_file_is_not_replaced_by_generated_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ca.pem"), "mine").unwrap();
    let line = format!("--listen tls:127.0.0.1:0 --keys {}", folder.path().display());
    let stderr = run_failing(&line, &case("router.walk"));
    assert!(stderr.contains("ca.pem: exists") && stderr.contains("hint: "), "{stderr}");
    assert_eq!(fs::read_to_string(folder.path().join("ca.pem")).unwrap(), "mine");
}

/// Returns the stderr output of a simulator that fails to start.
fn run_failing(line: &str, file: &Path) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_portreeve-tools"))
        .arg("simulate")
        .args(line.split_whitespace())
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1));
    String::from_utf8(done.stderr).unwrap()
}
