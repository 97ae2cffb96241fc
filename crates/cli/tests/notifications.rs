//! Tests of `trap` and `inform`, with a receiver in the test process, and beside Net-SNMP's
//! commands.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{
    fs, net::UdpSocket, os::unix::process::CommandExt, path::PathBuf, process::Command, time::Duration,
};

use portreeve_smi::{OwnedValue, ber::Reader};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, ScopedPdu, ScopedPduData, TrapV1, V3Message};
use support::{
    CommandOutput,
    fake_agent::{FakeAgent, FakeResponse},
    find_program, net_snmp, portreeve,
};

/// A receiver that records the messages that it receives, and answers none.
struct Receiver(UdpSocket);

impl Receiver {
    fn start() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self(socket)
    }

    fn address(&self) -> String {
        self.0.local_addr().unwrap().to_string()
    }

    fn receive(&self) -> Vec<u8> {
        let mut buffer = [0; 4096];
        let length = self.0.recv(&mut buffer).unwrap();
        buffer[..length].to_vec()
    }
}

/// A directory for the files of commands, which is removed when the value is dropped.
struct Home(PathBuf);

impl Home {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-notify-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs `portreeve`, or the name in `called`, with the words in `line`; `''` is an empty word.
    fn run(&self, called: &str, line: &str) -> CommandOutput {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
        command.arg0(called).args(line.split(' ').map(|word| if word == "''" { "" } else { word }));
        command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").env("XDG_CACHE_HOME", "/dev/null");
        command.env("HOME", &self.0).env_remove("XDG_STATE_HOME");
        command.output().unwrap().into()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The parts of a message that do not differ between two runs.
#[derive(Debug, PartialEq, Eq)]
struct Sent {
    version: String,
    community: Vec<u8>,
    fields: String,
    var_binds: Vec<u8>,
}

impl Sent {
    fn parse(message: &[u8]) -> Self {
        let version = format!("{:?}", portreeve_snmp_message::peek_version(message).unwrap());
        let mut parsed = CommunityMessage::parse(message).unwrap();
        let community = parsed.community.to_vec();
        let (fields, var_binds) = match Pdu::parse(&mut parsed.pdu) {
            Ok(pdu) => {
                let fields = format!("{:?} {} {}", pdu.pdu_type, pdu.error_status, pdu.error_index);
                (fields, pdu.var_binds.encoded().to_vec())
            }
            Err(_) => {
                let trap = TrapV1::parse(&mut CommunityMessage::parse(message).unwrap().pdu).unwrap();
                let TrapV1 { enterprise, agent_address, generic, specific, time_stamp, var_binds } = trap;
                let enterprise = enterprise.to_buf();
                let fields = format!("{enterprise:?} {agent_address:?} {generic} {specific} {time_stamp}");
                (fields, var_binds.encoded().to_vec())
            }
        };
        Self { version, community, fields, var_binds }
    }
}

#[test]
fn messages_equal_those_of_net_snmp() {
    let Some(net_snmp_trap) = find_program("snmptrap") else { return };
    let home = Home::new("equal");
    let receiver = Receiver::start();
    for operands in [
        "-v1 -c public AGENT '' 192.0.2.1 6 17 42",
        "-v1 -c public AGENT .1.3.6.1.4.1.8072 192.0.2.1 3 0 4294967295 .1.3.6.1.2.1.2.2.1.1.2 i 2",
        "-v1 -c public AGENT .1.3.6.1.4.1.8072 localhost 6 -1 42 .1.3.6.1.2.1.1.5.0 s abc",
        "-v2c -c public AGENT 42 .1.3.6.1.6.3.1.1.5.1",
        "-v2c -c public AGENT 4294967295 .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.2.2.1.1.2 i 2 \
         .1.3.6.1.2.1.1.5.0 x 00ff .1.3.6.1.2.1.1.2.0 o .1.3.6.1.4.1.8072 .1.3.6.1.2.1.4.20.1.1.1 a 192.0.2.1",
        "-v2c -c public AGENT 42 .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.31.1.1.1.6.1 C 18446744073709551615",
    ] {
        let operands = operands.replace("AGENT", &receiver.address());
        let ours = home.run("portreeve", &format!("trap {operands}"));
        ours.expect(0, "", "");
        let ours = Sent::parse(&receiver.receive());
        net_snmp(&net_snmp_trap, &home.0, &operands.replace(" '' ", " .1.3.6.1.4.1.3.1.1 "))
            .expect(0, "", "");
        assert_eq!(ours, Sent::parse(&receiver.receive()), "{operands}");
    }
}

#[test]
fn errors_equal_those_of_net_snmp() {
    let Some(net_snmp_trap) = find_program("snmptrap") else { return };
    let home = Home::new("errors");
    for operands in [
        "-v2c -c public",
        "-v2c -c public 127.0.0.1:9",
        "-v2c -c public 127.0.0.1:9 42",
        "-v2c -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.1.5.0",
        "-v2c -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.1.5.0 s",
        "-v2c -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3 .1.3.6.1.2.1.1.5.0 q abc",
        "-v1 -c public 127.0.0.1:9",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072 192.0.2.1",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072 192.0.2.1 6",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072 192.0.2.1 6 1",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072 host.invalid 6 1 42",
        "-v1 -c public 127.0.0.1:9 .1.3.6.1.4.1.8072 192.0.2.1 6 1 42 .1.3.6.1.2.1.1.5.0",
        "-v1 -Ci -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3",
        "-Cx -v2c -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3",
        "-Ci -r0 -t0.1 -v2c -c public 127.0.0.1:9 42 .1.3.6.1.6.3.1.1.5.3",
    ] {
        let ours = home.run("snmptrap", operands);
        let theirs = net_snmp(&net_snmp_trap, &home.0, operands);
        let first_line = |output: &CommandOutput| output.stderr.lines().next().map(str::to_owned);
        assert_eq!((ours.code, first_line(&ours)), (theirs.code, first_line(&theirs)), "{operands}");
        assert_eq!(ours.stdout, "");
    }
}

#[test]
fn inform_exits_with_0_when_it_is_confirmed() {
    let receiver = FakeAgent::start(|request| {
        assert_eq!(request.pdu_type, PduType::InformRequest);
        let null = OwnedValue::Null;
        vec![request.response(request.names.iter().map(|name| (name.clone(), null.clone())).collect())]
    });
    for verb in ["inform", "trap -Ci"] {
        let line = format!("{verb} -v2c -c public {} 42 coldStart sysName.0 s abc", receiver.address);
        portreeve(&line).expect(0, "", "");
    }
}

#[test]
fn inform_without_a_confirmation_is_repeated_and_fails() {
    let home = Home::new("timeout");
    let receiver = Receiver::start();
    let line = format!("-v2c -c public -r1 -t0.1 {} 42 coldStart", receiver.address());
    let expected = format!("Timeout: No Response from {}\n", receiver.address());
    home.run("portreeve", &format!("inform {line}")).expect(1, "", &expected);
    assert_eq!(receiver.receive(), receiver.receive());
    for called in ["snmpinform", "snmptrap -Ci"] {
        let (called, flag) = called.split_once(' ').unwrap_or((called, "-r1"));
        home.run(called, &format!("{flag} {line}")).expect(1, "", "snmpinform: Timeout\n");
    }
}

#[test]
fn inform_that_is_confirmed_for_other_variables_is_not_accepted() {
    let receiver = FakeAgent::start(|request| {
        let answer = request.response(vec![(vec![1, 3, 6, 1], OwnedValue::Null)]);
        vec![FakeResponse { ..answer }]
    });
    let output = portreeve(&format!("inform -v2c -c public -r0 -t0.2 {} 42 coldStart", receiver.address));
    assert_eq!(output.code, Some(1));
}

/// Net-SNMP's commands exit with 0 here.
#[test]
fn inform_that_its_receiver_rejects_is_reported() {
    let receiver = FakeAgent::start(|request| {
        let null = OwnedValue::Null;
        let binds = request.names.iter().map(|name| (name.clone(), null.clone())).collect();
        vec![FakeResponse { error: (5, 0), ..request.response(binds) }]
    });
    let output = portreeve(&format!("inform -v2c -c public {} 42 coldStart", receiver.address));
    assert_eq!((output.code, output.stdout.as_str()), (Some(2), ""));
    assert!(output.stderr.starts_with("Error in packet.\nReason: (genError)"), "{}", output.stderr);
}

#[test]
fn invalid_numbers_are_refused_with_an_example() {
    let home = Home::new("numbers");
    let uptime = "x: invalid uptime: expected hundredths of a second, such as 4200, or '' for the uptime of this machine\n";
    home.run("portreeve", "trap -v2c -c public 127.0.0.1:9 x coldStart").expect(1, "", uptime);
    let number = "x: invalid trap number: expected an integer, such as 6\n";
    home.run("portreeve", "trap -v1 -c public 127.0.0.1:9 '' '' x 0 1").expect(1, "", number);
    home.run("portreeve", "trap -v1 -c public 127.0.0.1:9 '' '' 6 x 1").expect(1, "", number);
}

#[test]
fn empty_operands_stand_for_uptime_own_address_and_default_enterprise() {
    let home = Home::new("defaults");
    let receiver = Receiver::start();
    home.run("portreeve", &format!("trap -v1 -c public {} '' '' 6 1 ''", receiver.address()))
        .expect(0, "", "");
    let message = receiver.receive();
    let trap = TrapV1::parse(&mut CommunityMessage::parse(&message).unwrap().pdu).unwrap();
    assert_eq!(*trap.enterprise.to_buf(), [1, 3, 6, 1, 4, 1, 3, 1, 1]);
    assert_eq!(trap.agent_address, [127, 0, 0, 1]);
    let uptime = fs::read_to_string("/proc/uptime").unwrap();
    let seconds: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
    let time_stamp = f64::from(trap.time_stamp) / 100.0;
    assert!(time_stamp > seconds - 20.0 && time_stamp < seconds + 0.01, "{time_stamp} {seconds}");
}

/// A user whose messages contain the clock and are not encrypted.
const USER: &str = "-u ops -l authNoPriv -a SHA-256 -A authentic1";

/// Returns the engine ID, the boots and the time of a message of [`USER`].
fn engine(message: &[u8]) -> (String, u32, u32) {
    let parsed = V3Message::parse(message).unwrap();
    let ScopedPduData::Plaintext(range) = parsed.data else { panic!("expected plaintext") };
    let mut scoped = ScopedPdu::parse(&mut Reader::new(&message[range])).unwrap();
    assert_eq!(Pdu::parse(&mut scoped.pdu).unwrap().pdu_type, PduType::TrapV2);
    let parameters =
        portreeve_snmp_engine::security::usm::SecurityParameters::parse(message, parsed.security_parameters)
            .unwrap();
    let engine_id = &message[parameters.engine_id];
    assert_eq!(scoped.context_engine_id, engine_id);
    let hex = engine_id.iter().map(|octet| format!("{octet:02x}")).collect();
    (hex, parameters.clock.boots.get(), parameters.clock.time)
}

#[test]
fn snmpv3_trap_has_the_engine_of_this_user_and_its_clock_does_not_step_back() {
    let home = Home::new("engine");
    let receiver = Receiver::start();
    let line = format!("trap {USER} {} 42 coldStart", receiver.address());
    home.run("portreeve", &line).expect(0, "", "");
    let first = engine(&receiver.receive());
    assert_eq!((first.0.len(), first.1), (26, 1));
    home.run("portreeve", &line).expect(0, "", "");
    let second = engine(&receiver.receive());
    assert_eq!(second.0, first.0);
    assert!((second.1, second.2) >= (first.1, first.2));
    let file = home.0.join(".local/state/portreeve/trap-sender");
    fs::write(&file, "damaged").unwrap();
    let output = home.run("portreeve", &line);
    let expected =
        format!("portreeve trap: cannot use the engine ID of your traps: {}: damaged", file.display());
    assert!(output.stderr.starts_with(&expected), "{}", output.stderr);
    assert_eq!(output.code, Some(1));
}

#[test]
fn engine_options_replace_the_engine_of_this_user() {
    let home = Home::new("options");
    let receiver = Receiver::start();
    let line = format!("trap {USER} -e 8000000001020304 -Z 7,4242 {} 42 coldStart", receiver.address());
    home.run("portreeve", &line).expect(0, "", "");
    assert_eq!(engine(&receiver.receive()), ("8000000001020304".to_owned(), 7, 4242));
    assert!(!home.0.join(".local").exists());
}

#[test]
fn default_port_is_that_of_notifications() {
    let home = Home::new("port");
    let output = home.run("portreeve", "trap -D send -d -v2c -c public 127.0.0.1 42 coldStart");
    assert!(output.stderr.contains("127.0.0.1]:162"), "{}", output.stderr);
}
