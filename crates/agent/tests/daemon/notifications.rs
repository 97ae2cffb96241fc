//! The notifications of the agent: their causes, queues, and fallbacks.

mod files;
mod links;
mod sessions;
mod transports;

use std::{
    fs,
    net::{Ipv4Addr, UdpSocket},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use portreeve_mib::modules::snmpv2_mib::SNMP_ENABLE_AUTHEN_TRAPS;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, MessageProcessingModel, OidBuf, Value};
use portreeve_snmp_manager::{Credentials, RetryPolicy};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType};

use crate::fixture::{
    Manager, ResponseKind, TestHome, community_message, parse_community_response, portreeved, wait_until,
};

#[test]
fn start_is_warm_if_the_configuration_is_that_of_the_last_start() {
    let receiver = Receiver::start(true);
    let home = TestHome::with("notify-start", &target("noc", &receiver, ""));
    let agent = home.run();
    receiver.await_count(1);
    agent.end();
    let agent = home.run();
    receiver.await_count(2);
    agent.end();
    let config = fs::read_to_string(home.config()).unwrap();
    home.write(&(config + "# changed\n"));
    let _agent = home.run();
    receiver.await_count(3);
    assert_eq!(receiver.names(), ["1.5.1", "1.5.2", "1.5.1"]);
}

#[test]
fn informs_survive_sigkill_and_arrive_in_their_order() {
    let receiver = Receiver::start(false);
    let options = "timeout = 1\nretries = 0\n";
    let home = TestHome::with("notify-kill", &(failures() + &target("noc", &receiver, options)));
    let agent = home.run();
    for queued in 2..=21 {
        fail_authentication(&home, 1);
        await_status(&home, &format!(r#""queued":{queued},"#));
        // The sysUpTime of the next inform, in hundredths of a second, is another one.
        thread::sleep(Duration::from_millis(10));
    }
    await_status(&home, r#""waiting-writes":0"#);
    agent.kill();
    let agent = home.run();
    await_status(&home, r#""queued":22,"#);
    receiver.answer(true);
    await_status(&home, r#""queued":0,"#);
    let mut informs = receiver.acknowledged();
    // The receiver may have answered an inform that was sent again before its response arrived.
    informs.dedup();
    assert_eq!(informs.len(), 22, "{informs:?}");
    let names: Vec<_> = informs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names[0], names[1], names[20], names[21]), ("1.5.1", "1.5.5", "1.5.5", "1.5.2"));
    let times: Vec<u32> = informs[..21].iter().map(|(_, up_time)| *up_time).collect();
    assert!(times.is_sorted(), "{times:?}");
    drop(agent);
}

#[test]
fn fallback_gets_what_the_target_does_not_accept() {
    let (silent, fallback) = (Receiver::start(false), Receiver::start(true));
    let options = "timeout = 1\nretries = 0\nfallback = \"second\"\n";
    let targets = target("first", &silent, options) + &target("second", &fallback, "");
    let home = TestHome::with("notify-fallback", &targets);
    let _agent = home.run();
    fallback.await_count(1);
    assert_eq!(fallback.names(), ["1.5.1"]);
    // The first target gets it when it answers again.
    silent.answer(true);
    await_status(&home, r#""queued":0,"octets":0,"oldest-age":null,"acknowledged":1,"#);
    assert_eq!(fallback.names().len(), 1, "the fallback gets each notification once");
}

#[test]
fn filter_and_rate_limit_what_a_target_gets() {
    let (starts, failures) = (Receiver::start(true), Receiver::start(true));
    let config = "[notifications]\nauthentication-failures = true\n".to_owned()
        + &target("starts", &starts, "exclude = [\"authenticationFailure\"]\n")
        + &target(
            "failures",
            &failures,
            "include = [\"SNMPv2-MIB::authenticationFailure\", \"1.3.6.1.2.1\"]\n",
        );
    let home = TestHome::with("notify-filter", &config);
    let _agent = home.run();
    starts.await_count(1);
    fail_authentication(&home, 5);
    failures.await_count(1);
    // The coldStart is withheld from the one target, and each failure from the other.
    wait_until("the number of withheld notifications", || {
        status(&home).contains(&format!(r#""withheld":{},"#, failures.names().len() + 1))
    });
    assert_eq!(starts.names(), ["1.5.1"]);
    let names = failures.names();
    // One each second: the five messages are sent within two seconds.
    assert!(names.len() <= 3 && names.iter().all(|name| name == "1.5.5"), "{names:?}");
}

#[test]
fn manager_switches_authentication_failures_on_and_off() {
    let receiver = Receiver::start(true);
    let config = "[notifications]\nauthentication-failure-rate = 1000\n";
    let home = TestHome::with("notify-switch", &(config.to_owned() + &target("noc", &receiver, "")));
    let agent = home.run();
    receiver.await_count(1);
    let switch = |value| home.ops().set(&[(&SNMP_ENABLE_AUTHEN_TRAPS, &[0], Value::Integer(value))]).unwrap();
    let fail_and_count = |expected| {
        fail_authentication(&home, 3);
        receiver.await_count(expected);
        // A notification that is not expected would have been queued before this request.
        await_status(
            &home,
            &format!(r#""queued":0,"octets":0,"oldest-age":null,"acknowledged":{expected},"#),
        );
    };
    fail_and_count(1);
    switch(ENABLED);
    fail_and_count(4);
    switch(DISABLED);
    fail_and_count(4);
    switch(ENABLED);
    agent.end();
    let _agent = home.run();
    receiver.await_count(5);
    fail_authentication(&home, 1);
    receiver.await_count(6);
    assert_eq!(receiver.names(), ["1.5.1", "1.5.5", "1.5.5", "1.5.5", "1.5.2", "1.5.5"]);
}

#[test]
fn community_of_a_target_is_not_accepted_in_requests() {
    let receiver = Receiver::start(true);
    let home = TestHome::with("notify-community", &target("noc", &receiver, ""));
    let _agent = home.run();
    receiver.await_count(1);
    let credentials = Credentials::V2c(Secret::from(COMMUNITY));
    let retry = RetryPolicy::fixed(Duration::from_millis(200), 0);
    let mut manager = Manager::with(&format!("udp:127.0.0.1:{}", home.port), credentials, retry);
    assert!(manager.try_get(&portreeve_mib::modules::snmpv2_mib::SYS_NAME, &[0]).is_err());
}

#[test]
fn community_of_a_target_reads_nothing_from_the_address_of_the_target() {
    let own = UdpSocket::bind("127.0.0.1:0").unwrap();
    own.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let address = own.local_addr().unwrap();
    let home = TestHome::with(
        "notify-own-address",
        &format!(
            "[[notify]]\nname = \"noc\"\nto = \"udp:{address}\"\nversion = \"v2c\"\nkind = \"trap\"\n\
             community = \"{COMMUNITY}\"\n"
        ),
    );
    let _agent = home.run();
    let mut buffer = [0; 65_535];
    own.recv(&mut buffer).expect("the coldStart");
    let request = community_message(MessageProcessingModel::V2c, COMMUNITY, PduType::GetRequest);
    own.send_to(&request, (Ipv4Addr::LOCALHOST, home.port)).unwrap();
    // The community is known at this address, but has no read view.
    let length = own.recv(&mut buffer).expect("a response");
    let response = parse_community_response(&buffer[..length]);
    assert_eq!(response, ResponseKind::Error(ErrorStatus::AuthorizationError));
}

#[test]
fn target_that_is_removed_and_changed_by_reload_is_followed() {
    let (first, second) = (Receiver::start(true), Receiver::start(true));
    let home = TestHome::with("notify-reload", &(failures() + &target("noc", &first, "")));
    let agent = home.run();
    first.await_count(1);
    let config = fs::read_to_string(home.config()).unwrap();
    let moved = config.replace(&first.address(), &second.address());
    home.write(&moved);
    agent.reload_and_wait();
    fail_authentication(&home, 1);
    second.await_count(1);
    assert_eq!((first.names().len(), second.names()), (1, vec!["1.5.5".to_owned()]));
    home.write(&(home.base() + &failures()));
    agent.reload_and_wait();
    fail_authentication(&home, 1);
    wait_until("the removal of the target", || !status(&home).contains(r#""name":"noc""#));
    assert_eq!((first.names().len(), second.names().len()), (1, 1));
}

/// Sends messages with a wrong community.
fn fail_authentication(home: &TestHome, count: usize) {
    for _ in 0..count {
        let credentials = Credentials::V2c(Secret::from("wrong"));
        let retry = RetryPolicy::fixed(Duration::from_millis(20), 0);
        let mut manager = Manager::with(&format!("udp:127.0.0.1:{}", home.port), credentials, retry);
        assert!(manager.try_get(&portreeve_mib::modules::snmpv2_mib::SYS_NAME, &[0]).is_err());
    }
}

pub fn await_status(home: &TestHome, expected: &str) {
    wait_until(&format!("{expected} in the status"), || status(home).contains(expected));
}

/// Returns the JSON of the status.
fn status(home: &TestHome) -> String {
    let config = home.config();
    let arguments = ["status".as_ref(), "--json".as_ref(), "--config".as_ref(), config.as_os_str()];
    String::from_utf8_lossy(&portreeved(&arguments).stdout).into_owned()
}

/// The values of snmpEnableAuthenTraps.
const ENABLED: i32 = 1;
const DISABLED: i32 = 2;

fn failures() -> String {
    "[notifications]\nauthentication-failures = true\nauthentication-failure-rate = 1000\n".to_owned()
}

/// Returns a section for informs of SNMPv2c to a receiver.
pub fn target(name: &str, receiver: &Receiver, options: &str) -> String {
    let address = receiver.address();
    format!(
        "[[notify]]\nname = \"{name}\"\nto = \"udp:{address}\"\nversion = \"v2c\"\ncommunity = \"{COMMUNITY}\"\n{options}"
    )
}

/// A receiver of informs, which may not answer.
pub struct Receiver {
    socket: UdpSocket,
    answers: Arc<AtomicBool>,
    /// The name of each acknowledged notification below snmpMIBObjects, and its sysUpTime.
    acknowledged: Arc<Mutex<Vec<(String, u32)>>>,
}

impl Receiver {
    pub fn start(answers: bool) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let answers = Arc::new(AtomicBool::new(answers));
        let acknowledged = Arc::default();
        let receiver = Self { socket, answers, acknowledged };
        let (socket, answers) = (receiver.socket.try_clone().unwrap(), Arc::clone(&receiver.answers));
        let acknowledged = Arc::clone(&receiver.acknowledged);
        // The thread ends with the process.
        thread::spawn(move || {
            let mut buffer = [0; 65_535];
            loop {
                let (length, peer) = socket.recv_from(&mut buffer).unwrap();
                if !answers.load(Ordering::Relaxed) {
                    continue;
                }
                let message = &mut buffer[..length];
                acknowledged.lock().unwrap().push(read(message));
                let pdu = message.iter().position(|octet| *octet == INFORM).unwrap();
                message[pdu] = RESPONSE;
                socket.send_to(message, peer).unwrap();
            }
        });
        receiver
    }

    fn address(&self) -> String {
        self.socket.local_addr().unwrap().to_string()
    }

    pub fn answer(&self, answers: bool) {
        self.answers.store(answers, Ordering::Relaxed);
    }

    pub fn acknowledged(&self) -> Vec<(String, u32)> {
        self.acknowledged.lock().unwrap().clone()
    }

    pub fn names(&self) -> Vec<String> {
        self.acknowledged().into_iter().map(|(name, _)| name).collect()
    }

    pub fn await_count(&self, count: usize) {
        wait_until(&format!("{count} informs"), || self.acknowledged().len() >= count);
    }
}

/// Returns the end of the snmpTrapOID, and the sysUpTime.
fn read(message: &[u8]) -> (String, u32) {
    let mut message = CommunityMessage::parse(message).unwrap();
    assert_eq!(message.community, COMMUNITY.as_bytes());
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    assert_eq!(pdu.pdu_type, PduType::InformRequest);
    let mut binds = pdu.var_binds.iter();
    let Some(Value::TimeTicks(up_time)) = binds.next().map(|bind| bind.value) else { panic!("no sysUpTime") };
    let Some(Value::ObjectId(oid)) = binds.next().map(|bind| bind.value) else { panic!("no snmpTrapOID") };
    let oid: OidBuf = oid.to_buf();
    let text: Vec<_> = oid[7..].iter().map(u32::to_string).collect();
    (text.join("."), up_time)
}

const COMMUNITY: &str = "notify-secret";
const INFORM: u8 = 0xa6;
const RESPONSE: u8 = 0xa2;
