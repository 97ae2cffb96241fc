//! Tests with Net-SNMP's commands, and with a thousand agents.

use std::{
    fs,
    io::Read,
    path::Path,
    process::{self, Command, Output, Stdio},
};

use portreeve_secret::Secret;
use portreeve_simulate::recording::{Recording, RecordingFormat};
use portreeve_smi::OwnedValue;
use portreeve_snmp_manager::{Client, Credentials, SessionOptions};

use crate::fixture::{PORT, Simulator, case, find_program, name_of};

/// Runs a Net-SNMP command without MIBs and configuration files; returns its output.
fn net_snmp(program: &Path, line: &str) -> String {
    let Output { stdout, stderr, .. } = Command::new(program)
        .env("MIBS", "")
        .env("SNMPCONFPATH", "/nonexistent")
        .args(line.split_whitespace())
        .output()
        .unwrap();
    let errors = String::from_utf8(stderr).unwrap();
    // Printed by the first Net-SNMP command that is ever run on a machine.
    let errors = errors.split_inclusive('\n').filter(|line| !line.starts_with("Created directory: "));
    String::from_utf8(stdout).unwrap() + &errors.collect::<String>()
}

fn read(format: RecordingFormat, text: &[u8]) -> Vec<(Vec<u32>, OwnedValue)> {
    let (recording, errors) = Recording::read(format, text);
    assert_eq!(errors, []);
    let row = |row| (recording.name(row).to_vec(), recording.value(row).unwrap().into());
    (0..recording.len()).map(row).collect()
}

/// Reads an agent's sysName.
fn sys_name(address: &str, community: &str) -> String {
    let community = Credentials::V2c(Secret::from(community));
    name_of(&mut Client::open(&address.parse().unwrap(), community, &SessionOptions::default()).unwrap())
}

#[test]
fn net_snmp_walk_of_simulated_agent_prints_its_recording() {
    let (Some(walk), Some(bulk_walk)) = (find_program("snmpwalk"), find_program("snmpbulkwalk")) else {
        return;
    };
    let users = std::env::temp_dir().join(format!("simulated-users-{}", process::id()));
    fs::write(&users, "anon\nops SHA-256 authentic1 AES private12\n").unwrap();
    let simulator = Simulator::start(
        &["udp", "tcp"],
        &format!("--by address --users {}", users.display()),
        &[&case("router.walk")],
    );
    fs::remove_file(users).unwrap();
    let recorded = fs::read_to_string(case("router.walk")).unwrap();
    let end = ".1.3.6.1.4.1.99999.1.2.0 = No more variables left in this MIB View (It is past the end of the MIB tree)\n";
    let private = "-v3 -u ops -l authPriv -a SHA-256 -A authentic1 -x AES -X private12";
    for how in ["-v2c -c public", "-v3 -u anon -l noAuthNoPriv", private] {
        for transport in ["udp", "tcp"] {
            for program in [&walk, &bulk_walk] {
                let line = format!("{how} -On {transport}:{}:{PORT} .1", simulator.first);
                assert_eq!(net_snmp(program, &line), format!("{recorded}{end}"), "{line}");
            }
        }
    }
    assert_eq!(simulator.end().0, Some(0));
}

#[test]
fn walk_output_of_simulated_agent_is_read_as_the_same_recording() {
    let Some(walk) = find_program("snmpwalk") else { return };
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start(&["udp", "tcp"], "--by address", &[&files[0], &files[1]]);
    for (agent, file) in (0..).zip(&files) {
        let recorded = read(RecordingFormat::of(file), &fs::read(file).unwrap());
        for output in ["-On", "-Of", "-Onx", "-Ont", "-One", "-OnU"] {
            let line = format!("-v2c -c public {output} {}:{PORT} .1", simulator.agent(agent));
            let text = net_snmp(&walk, &line);
            assert_eq!(read(RecordingFormat::Snmpwalk, text.as_bytes()), recorded, "{line}\n{text}");
        }
    }
}

#[test]
fn thousand_agents_respond_using_less_than_96_kib_of_memory_each() {
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start(&["udp", "tcp"], "--by address --agents 1000", &[&files[0], &files[1]]);
    for number in 0..1000 {
        let expected = if number % 2 == 0 { "router" } else { "switch" };
        let transport = if number % 50 == 0 { "tcp" } else { "udp" };
        let address = format!("{transport}:{}:{PORT}", simulator.agent(number));
        assert_eq!(sys_name(&address, "public"), expected, "{address}");
    }
    let each = simulator.resident() / 1000;
    println!("{each} bytes of memory per agent, including both its sockets");
    assert!(each < 96 << 10, "{each} bytes per agent");
}

#[test]
fn community_selects_one_of_thousand_contexts() {
    let files = [case("router.walk"), case("switch.snmprec")];
    let simulator = Simulator::start(&["udp", "tcp"], "--by context --agents 1000", &[&files[0], &files[1]]);
    let address = format!("udp:{}:{PORT}", simulator.first);
    for (community, expected) in [
        ("public", "router"),
        ("router", "router"),
        ("switch", "switch"),
        ("router-499", "router"),
        ("switch-499", "switch"),
    ] {
        assert_eq!(sys_name(&address, community), expected, "{community}");
    }
}

#[test]
fn unusable_argument_or_address_ends_simulator_with_message() {
    let run = |line: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_portreeve-tools"))
            .arg("simulate")
            .args(line.split_whitespace())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = String::new();
        child.stderr.as_mut().unwrap().read_to_string(&mut stderr).unwrap();
        (child.wait().unwrap().code(), stderr)
    };
    let (code, stderr) = run("");
    assert_eq!(code, Some(2));
    assert!(stderr.contains("no recording given") && stderr.contains("hint:"), "{stderr}");
    let file = case("router.walk");
    let (code, stderr) = run(&format!("--listen udp:192.0.2.1:{PORT} {}", file.display()));
    assert_eq!(code, Some(1));
    assert!(stderr.contains("no interface of this host has that address"), "{stderr}");
}
