//! `portreeved demo`, as a new user and a script see it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::{framework_mib::*, snmpv2_mib::*};
use portreeve_secret::Secret;
use portreeve_snmp_manager::{Credentials, UsmUser};
use portreeve_sys::{account_name, effective_uid};

use crate::fixture::{Daemon, Manager, TestHome, portreeved};

#[test]
fn demo_prints_one_line_when_ready_and_stops_within_2_seconds() {
    let home = TestHome::new("demo-ready");
    let agent = demo(&home);
    assert_eq!(agent.printed(), "ready\n");
    let (status, time) = agent.end();
    assert_eq!(status.code(), Some(0));
    assert!(time < Duration::from_secs(2), "the end took {time:?}");
}

#[test]
fn demo_files_are_private_and_their_credentials_work() {
    let home = TestHome::new("demo-files");
    let _agent = demo(&home);
    for name in [
        "portreeved.toml",
        "credentials.env",
        "users.tsv",
        "ca.pem",
        "agent.pem",
        "agent.key",
        "ops.pem",
        "ops.key",
        "ssh_host_ed25519_key",
        "id_ed25519",
        "known_hosts",
        "authorized_keys/ops",
    ] {
        let mode = fs::metadata(home.path.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let given = sourced(&home);
    let address = format!("127.0.0.1:{}", home.port);
    assert_eq!((&given["PORTREEVE_UDP"], &given["PORTREEVE_TCP"]), (&address, &address));
    let (tls, ssh) = (format!("127.0.0.1:{}", home.port + 1), format!("127.0.0.1:{}", home.port + 2));
    assert_eq!((&given["PORTREEVE_TLS"], &given["PORTREEVE_SSH"]), (&tls, &ssh));
    assert_eq!(given["PORTREEVE_DTLS"], tls);
    assert_eq!(given["PORTREEVE_SSH_USER"], "ops");
    for name in ["TLS_CERT", "TLS_KEY", "TLS_CA", "SSH_KEY", "KNOWN_HOSTS"] {
        let file = &given[&format!("PORTREEVE_{name}")];
        assert!(Path::new(file).is_absolute() && Path::new(file).exists(), "{name}: {file}");
    }
    let strong = Credentials::V3(user_of(
        &given["PORTREEVE_USER"],
        (&given["PORTREEVE_AUTH"], &given["PORTREEVE_AUTH_PASS"]),
        (&given["PORTREEVE_PRIV"], &given["PORTREEVE_PRIV_PASS"]),
    ));
    let mut manager = Manager::open(&home.udp(), strong);
    for (number, object) in [&SYS_CONTACT, &SYS_NAME, &SYS_LOCATION].into_iter().enumerate() {
        let text = format!("set by v3 {number}");
        manager.set_text(object, &text).unwrap();
        assert_eq!(home.with_community(&given["PORTREEVE_RO"]).text(object), text);
        let text = format!("set by v2c {number}");
        home.with_community(&given["PORTREEVE_RW"]).set_text(object, &text).unwrap();
        assert_eq!(manager.text(object), text);
        home.with_community(&given["PORTREEVE_RO"]).set_text(object, "no").unwrap_err();
    }
}

#[test]
fn demo_authorizes_only_ssh_keys_of_account_that_starts_it() {
    let home = TestHome::new("demo-starter");
    let keys = home.path.join("me/.ssh");
    fs::create_dir_all(&keys).unwrap();
    for (name, line) in [
        ("id_ecdsa.pub", "ecdsa-sha2-nistp256 AAAAone me"),
        ("id_ed25519.pub", "ssh-ed25519 AAAAtwo me"),
        ("id_ed25519-cert.pub", "a certificate"),
        ("id_ed25519", "a private key"),
        ("notes.pub", "no key"),
    ] {
        fs::write(keys.join(name), format!("{line}\n")).unwrap();
    }
    let agent = Daemon::start_at_home(&home.path.join("me"), &demo_arguments(&home, &home.port.to_string()));
    let name = account_name(effective_uid()).unwrap().unwrap();
    let listed = fs::read_to_string(home.path.join("authorized_keys").join(&name)).unwrap();
    assert_eq!(listed, "ecdsa-sha2-nistp256 AAAAone me\nssh-ed25519 AAAAtwo me\n");
    let config = fs::read_to_string(home.config()).unwrap();
    assert!(config.contains(&format!("[[session-user]]\nname = \"{name}\"\n")), "{config}");
    agent.await_log(&format!("portreeve table ssh://{name}@127.0.0.1:{} ifTable", home.port + 2));
    agent.end();

    let _agent = Daemon::start_at_home(&home.path, &demo_arguments(&home, &home.port.to_string()));
    assert!(!home.path.join("authorized_keys").join(&name).exists(), "a key of an earlier demo was kept");
    assert!(!fs::read_to_string(home.config()).unwrap().contains(&format!("name = \"{name}\"")));
}

#[test]
fn every_demo_user_can_read_over_udp_or_tcp() {
    let home = TestHome::new("demo-users");
    let _agent = demo(&home);
    let table = fs::read_to_string(home.path.join("users.tsv")).unwrap();
    let mut usage: HashMap<&str, usize> = HashMap::new();
    for (number, line) in table.lines().enumerate() {
        let fields: Vec<_> = line.split('\t').collect();
        let [name, level, auth, auth_pass, privacy, priv_pass] = fields[..] else { panic!("{line:?}") };
        *usage.entry(level).or_default() += 1;
        let user = user_of(name, (auth, auth_pass), (privacy, priv_pass));
        assert_eq!(level, user.level().to_string(), "{name}");
        let over_tcp = number % 5 == 0;
        let address = if over_tcp { home.tcp() } else { home.udp() };
        let mut manager = Manager::open(&address, Credentials::V3(user));
        assert!(!manager.text(&SYS_NAME).is_empty(), "{name}");
    }
    let pairs = AuthProtocol::ALL.len() * PrivProtocol::ALL.len();
    assert_eq!(usage["noAuthNoPriv"], 1);
    assert_eq!(usage["authNoPriv"], AuthProtocol::ALL.len());
    assert!(usage["authPriv"] >= pairs, "there must be a user for every pair");
}

#[test]
fn run_on_demo_directory_retains_engine_id_credentials_and_written_values() {
    let home = TestHome::new("demo-again");
    let agent = demo(&home);
    let given = sourced(&home);
    let mut manager = home.with_community(&given["PORTREEVE_RW"]);
    let engine_id = manager.octets(&SNMP_ENGINE_ID);
    let boots = manager.number(&SNMP_ENGINE_BOOTS);
    manager.set_text(&SYS_LOCATION, "where it was").unwrap();
    agent.end();
    let _agent = home.run();
    let mut manager = home.with_community(&given["PORTREEVE_RW"]);
    assert_eq!(manager.octets(&SNMP_ENGINE_ID), engine_id);
    assert_eq!(manager.number(&SNMP_ENGINE_BOOTS), boots + 1);
    assert_eq!(manager.text(&SYS_LOCATION), "where it was");
}

#[test]
fn demo_started_again_keeps_engine_id_and_host_key_and_renews_secrets() {
    let home = TestHome::new("demo-twice");
    let agent = demo(&home);
    let first = sourced(&home);
    let engine_id = home.with_community(&first["PORTREEVE_RO"]).octets(&SNMP_ENGINE_ID);
    let known = fs::read_to_string(home.path.join("known_hosts")).unwrap();
    let user_key = fs::read_to_string(home.path.join("id_ed25519")).unwrap();
    agent.end();
    let _agent = demo(&home);
    let second = sourced(&home);
    // Clients that have accepted the host key must not see a changed one.
    assert_eq!(fs::read_to_string(home.path.join("known_hosts")).unwrap(), known);
    assert_ne!(fs::read_to_string(home.path.join("id_ed25519")).unwrap(), user_key);
    assert_ne!(first["PORTREEVE_RO"], second["PORTREEVE_RO"]);
    assert_eq!(home.with_community(&second["PORTREEVE_RO"]).octets(&SNMP_ENGINE_ID), engine_id);
}

#[test]
fn demo_fails_without_overwriting_configuration_it_did_not_create() {
    let home = TestHome::new("demo-over");
    home.write("# mine\n");
    let output = portreeved(&["demo".as_ref(), "--dir".as_ref(), home.path.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hint: "), "{output:?}");
    assert_eq!(fs::read_to_string(home.config()).unwrap(), "# mine\n");
    assert!(!home.path.join("credentials.env").exists());
}

#[test]
fn second_agent_fails_to_start_on_same_port_or_state_directory() {
    let home = TestHome::new("demo-shared");
    let _agent = demo(&home);
    let config = home.config();
    let second = run(&config);
    assert_eq!(second.status.code(), Some(1));
    let output = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(output.contains("is in use by process"), "{output}");
    let text = fs::read_to_string(&config).unwrap();
    let own_state = "state-dir = \"state\"";
    assert!(text.contains(own_state), "{text}");
    home.write(&text.replace(own_state, "state-dir = \"other-state\""));
    let second = run(&config);
    assert_eq!(second.status.code(), Some(1));
    let output = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(output.contains("cannot listen on"), "{output}");
}

fn demo(home: &TestHome) -> Daemon {
    Daemon::start(&demo_arguments(home, &home.port.to_string()))
}

fn demo_arguments<'a>(home: &'a TestHome, port: &'a str) -> [&'a OsStr; 5] {
    ["demo".as_ref(), "--dir".as_ref(), home.path.as_os_str(), "--base-port".as_ref(), port.as_ref()]
}

/// Runs an agent that is expected to exit by itself.
fn run(config: &Path) -> Output {
    portreeved(&["run".as_ref(), "--config".as_ref(), config.as_os_str()])
}

/// Returns the variables of `sh` after sourcing credentials.env.
fn sourced(home: &TestHome) -> HashMap<String, String> {
    let script = ". \"$1\"/credentials.env; set";
    let output =
        Command::new("sh").args(["-euc", script, "sh"]).arg(&home.path).env_clear().output().unwrap();
    assert!(output.status.success());
    let variables = String::from_utf8(output.stdout).unwrap();
    let given = variables.lines().filter_map(|line| line.split_once('='));
    given.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned())).collect()
}

/// Parses a user of users.tsv; empty fields mean no protocol.
fn user_of(name: &str, (auth, auth_pass): (&str, &str), (privacy, priv_pass): (&str, &str)) -> UsmUser {
    let name = name.as_bytes();
    let (auth_pass, priv_pass) = (Secret::from(auth_pass), Secret::from(priv_pass));
    if auth.is_empty() {
        return UsmUser::unauthenticated(name);
    }
    let auth = auth.parse().unwrap();
    if privacy.is_empty() {
        return UsmUser::with_auth(name, auth, &auth_pass).unwrap();
    }
    UsmUser::with_privacy(name, (auth, &auth_pass), (privacy.parse().unwrap(), &priv_pass)).unwrap()
}
