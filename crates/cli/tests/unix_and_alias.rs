//! Agents at Unix sockets, and aliases of agent addresses, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{
    fs,
    io::{Read, Write},
    os::unix::net::UnixListener,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use portreeve_smi::OwnedValue::OctetString;
use support::{
    CommandOutput,
    fake_agent::{self, FakeAgent, honest_response},
    portreeve,
    snmpd::Snmpd,
};

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];
const LINE: &str = "SNMPv2-MIB::sysDescr.0 = STRING: a test\n";

#[test]
fn messages_on_unix_socket_are_separated_by_their_length() {
    let path = folder("framing").join("agent.socket");
    let listener = UnixListener::bind(&path).unwrap();
    let agent = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).unwrap();
        let request = fake_agent::read(&buffer[..length]);
        let variables = [(SYS_DESCR.to_vec(), OctetString(b"a test".to_vec()))];
        let response = honest_response(&variables, &request);
        let mut unrelated = response.clone();
        unrelated.request_id ^= 1;
        // One write contains a message that belongs to no request and the start of the response.
        let octets = [unrelated, response].map(|response| fake_agent::write(request.version, &response));
        let octets = octets.concat();
        let (start, end) = octets.split_at(octets.len() - 5);
        stream.write_all(start).unwrap();
        stream.write_all(end).unwrap();
        // Waits until the command has ended.
        assert_eq!(stream.read(&mut buffer).unwrap(), 0);
    });
    portreeve(&format!("get -v2c -c public unix:{} sysDescr.0", path.display())).expect(0, LINE, "");
    agent.join().unwrap();
}

#[test]
fn unix_socket_that_cannot_be_connected_is_reported_with_reason() {
    let folder = folder("missing");
    let get = |address: &str| portreeve(&format!("get -v2c -c public {address} sysDescr.0"));
    let missing = format!("{}/none", folder.display());
    let error = |address: &str, reason: &str| format!("portreeve get: Unknown host ({address}) ({reason})\n");
    get(&missing).expect(1, "", &error(&missing, "No such file or directory"));
    let socket = folder.join("stale");
    drop(UnixListener::bind(&socket).unwrap());
    let address = format!("unix:{}", socket.display());
    get(&address).expect(1, "", &error(&address, "Connection refused"));
    get("unix:").expect(
        1,
        "",
        "portreeve get: Unknown host (unix:)\nhint: the address has no path of a socket\n",
    );
}

#[test]
fn unix_socket_of_debian_snmpd_is_queried() {
    let Some(snmpd) = Snmpd::start("unix") else { return };
    let socket = snmpd.socket();
    for address in [format!("unix:{socket}"), socket] {
        portreeve(&format!("get -v2c -c public {address} sysDescr.0")).expect(0, LINE, "");
        let user = "-u sha256aes -l authPriv -a SHA-256 -A authentic1 -x AES -X private12";
        portreeve(&format!("get {user} {address} sysDescr.0")).expect(0, LINE, "");
        let bulk = portreeve(&format!("bulkwalk -On -v2c -c public {address} ifTable"));
        let next = portreeve(&format!("walk -On --one-by-one -v2c -c public {address} ifTable"));
        let names = |output: &CommandOutput| {
            let lines = output.stdout.lines();
            lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(names(&bulk).len() > 20, "{bulk:?}");
        assert_eq!(names(&bulk), names(&next));
        let status = portreeve(&format!("status -v2c -c public {address}")).stdout;
        let path = address.trim_start_matches("unix:");
        assert!(status.starts_with(&format!("[Local IPC: {path}]=>[a test]")), "{status}");
        let timeout = portreeve(&format!("get -v2c -c wrong -t0.2 {address} sysDescr.0"));
        timeout.expect(1, "", &format!("Timeout: No Response from {address}.\n"));
    }
}

#[test]
fn alias_from_snmp_conf_is_replaced_by_its_address() {
    let agent = FakeAgent::with(&[(SYS_DESCR, OctetString(b"a test".to_vec()))]);
    let folder = folder("alias");
    let lines = format!("alias core udp:{}\nalias \"main site\" alias:core\nalias wrong\n", agent.address);
    fs::write(folder.join("snmp.conf"), lines).unwrap();
    let warning = format!("{}: line 3: Error: Should be NAME ADDRESS\n", folder.join("snmp.conf").display());
    for address in ["alias:core", "ALIAS:main site"] {
        get_with_conf(&folder, address).expect(0, LINE, &warning);
    }
    let missing = "portreeve get: Unknown host (alias:CORE)\n\
                   hint: snmp.conf has no line `alias CORE ADDRESS`\n";
    get_with_conf(&folder, "alias:CORE").expect(1, "", &format!("{warning}{missing}"));
}

fn get_with_conf(folder: &Path, address: &str) -> CommandOutput {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env("SNMPCONFPATH", folder).args(["get", "-v2c", "-c", "public", address, "sysDescr.0"]);
    command.output().unwrap().into()
}

/// Creates an empty directory whose path is short enough for a socket.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("portreeve-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
