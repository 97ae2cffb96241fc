use std::{
    io::Read,
    net::{TcpListener, UdpSocket},
    path::Path,
    sync::Arc,
    thread,
    time::Duration,
};

use portreeve_lcd::{Lcd, Tables};
use portreeve_net_snmp_conf::{Section, read_text};
use portreeve_smi::{
    EngineBoots, OidRef, Timestamp, TmStateReference, TransportAddress, TransportDomain, Value,
};
use portreeve_snmp_apps::{AcceptedNotification, NotificationReceiver, ReceivedNotification, StoreResult};
use portreeve_snmp_engine::{
    Engine, LocalEngine, NotificationOutcome, reply_buffer_size, senders::SenderSettings,
    statistics::Statistics,
};
use portreeve_snmp_manager::{AuthProtocol, PeerAddress, RequestError, RetryPolicy, SessionOptions, UsmUser};
use portreeve_snmp_message::VarBinds;

use super::*;
use crate::{
    NameResolver, SnmptrapdConf,
    samples::{cold_start, encode, notification, trap_v1, variables},
};

const MAX_SIZE: usize = 65_507;
const COLD_START: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 1];
const SYS_NAME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 5, 0];

/// A receiver with its own engine, configured by directives of snmptrapd.conf.
pub(super) struct Receiver {
    socket: UdpSocket,
    engine: Engine,
    lcd: Arc<Lcd>,
    receiver: NotificationReceiver,
    /// The result with which informs are acknowledged.
    pub(super) result: StoreResult,
    /// True if the last notification was an inform.
    has_acknowledged: bool,
}

impl Receiver {
    pub(super) fn start(text: &str) -> Self {
        let entries = read_text(Section::SNMPTRAPD, Path::new("snmptrapd.conf"), text);
        let names = NameResolver {
            oid: &|text| text.parse().map_err(|error: portreeve_smi::OidError| error.to_string()),
            host: &|_| Ok(Vec::new()),
            certificate: &|_| Err(String::new()),
        };
        let (conf, problems) = SnmptrapdConf::parse(entries, Vec::new(), &names);
        assert!(problems.is_empty(), "{problems:?}");
        let mut tables = Tables::default();
        let users = conf.engine_users(receiver_id());
        users.rows.into_iter().for_each(|row| tables.insert(row));
        conf.community_rows().into_iter().for_each(|row| tables.insert(row));
        let lcd = Arc::new(Lcd::compile(tables));
        let local = LocalEngine {
            engine_id: receiver_id(),
            boots: EngineBoots::new(3),
            started: Timestamp::ZERO,
            max_message_size: MAX_SIZE,
        };
        let mut engine = Engine::new(local, &lcd, Statistics::new(1).recorder(0), 1);
        engine.accept_senders(SenderSettings { rules: users.sender_rules, ..SenderSettings::default() });
        let receiver = NotificationReceiver::new(conf.notification_rules());
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        Self { socket, engine, lcd, receiver, result: StoreResult::Stored, has_acknowledged: false }
    }

    pub(super) fn address(&self) -> PeerAddress {
        format!("udp:{}", self.socket.local_addr().unwrap()).parse().unwrap()
    }

    /// Returns the next notification; answers discovery and informs.
    pub(super) fn receive(&mut self) -> Result<ReceivedNotification, String> {
        let mut reply = vec![0; reply_buffer_size(MAX_SIZE)];
        loop {
            let mut message = vec![0; MAX_SIZE];
            let (length, peer) = self.socket.recv_from(&mut message).unwrap();
            let transport =
                TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(peer));
            let Self { engine, lcd, receiver, .. } = self;
            let now = Timestamp::ZERO;
            let message = &mut message[..length];
            let accepted =
                match engine.receive_notification(lcd, now, &transport, MAX_SIZE, message, &mut reply) {
                    NotificationOutcome::Notification(incoming) => receiver.accept(&transport, &incoming),
                    NotificationOutcome::Report { range, .. } | NotificationOutcome::Discovery(range) => {
                        self.socket.send_to(&reply[range], peer).unwrap();
                        continue;
                    }
                    NotificationOutcome::Dropped(reason) => return Err(format!("{reason:?}")),
                };
            let AcceptedNotification { notification, acknowledgement } =
                accepted.map_err(|reason| reason.to_string())?;
            self.has_acknowledged = acknowledgement.is_some();
            if let Some(acknowledgement) = acknowledgement {
                let range = acknowledgement.complete(&mut self.engine, now, self.result, &mut reply).unwrap();
                self.socket.send_to(&reply[range], peer).unwrap();
            }
            return Ok(notification);
        }
    }
}

fn receiver_id() -> EngineId {
    "0x8000000005aabbccdd".parse().unwrap()
}

pub(super) fn own_id() -> EngineId {
    "0x800000000501020304".parse().unwrap()
}

pub(super) fn options() -> SessionOptions {
    // A receiver that does not answer ends a test early; others answer at once.
    SessionOptions { retry: RetryPolicy::fixed(Duration::from_secs(60), 0), ..SessionOptions::default() }
}

pub(super) fn forwarder(
    address: PeerAddress,
    credentials: ForwardCredentials,
    kind: ForwardKind,
) -> Forwarder {
    let destination = ForwardDestination { address, credentials, kind, options: options() };
    Forwarder::new(destination, own_id()).unwrap()
}

fn clock() -> ClockReading {
    ClockReading { boots: EngineBoots::new(7).unwrap(), time: 100 }
}

pub(super) fn forward(
    forwarder: &mut Forwarder,
    notification: &Notification<'_>,
) -> Result<(), ForwardError> {
    forwarder.forward(notification.into(), clock(), Instant::now())
}

pub(super) fn v2_trap(octets: &[u8]) -> Notification<'_> {
    notification(NotificationKind::Trap(variables(octets)), MessageProcessingModel::V2c)
}

fn user() -> ForwardCredentials {
    let phrase = Secret::from("sesame open");
    ForwardCredentials::V3(UsmUser::with_auth(b"traps", AuthProtocol::HmacSha256_192, &phrase).unwrap())
}

const USER: &str = "authUser log traps\ncreateUser traps SHA-256 \"sesame open\"\n";

#[test]
fn v2c_trap_is_forwarded_as_received() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = cold_start();
    for _ in 0..2 {
        forward(&mut forwarder, &v2_trap(&octets)).unwrap();
        let received = receiver.receive().unwrap();
        assert!(received.trap_v1().is_none());
        assert_eq!(received.var_binds().encoded(), octets);
        assert_eq!(received.community.unwrap().expose(), b"public");
    }
    assert_eq!(forwarder.connections.len(), 1);
}

#[test]
fn v1_trap_is_forwarded_as_received() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = encode(&[(SYS_NAME, Value::OctetString(b"host"))]);
    forward(&mut forwarder, &trap_v1(6, 17, 4200, variables(&octets))).unwrap();
    let received = receiver.receive().unwrap();
    let trap = received.trap_v1().unwrap();
    assert_eq!(
        (trap.generic, trap.specific, trap.time_stamp, trap.agent_address),
        (6, 17, 4200, [192, 0, 2, 7])
    );
    assert_eq!(trap.var_binds.encoded(), octets);
}

#[test]
fn traps_of_other_communities_have_connections_of_their_own() {
    let mut receiver = Receiver::start("authCommunity log public\nauthCommunity log other\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = cold_start();
    for community in [&b"public"[..], b"other", b"public"] {
        let mut trap = v2_trap(&octets);
        trap.security = Security::Community(community);
        forward(&mut forwarder, &trap).unwrap();
        assert_eq!(receiver.receive().unwrap().community.unwrap().expose(), community);
    }
    assert_eq!(forwarder.connections.len(), 2);
}

#[test]
fn v1_trap_is_translated_for_a_user() {
    let mut receiver = Receiver::start(USER);
    let mut forwarder = forwarder(receiver.address(), user(), ForwardKind::Trap);
    forward(&mut forwarder, &trap_v1(0, 0, 4200, VarBinds::default())).unwrap();
    let received = receiver.receive().unwrap();
    assert_eq!((received.security_name.as_slice(), received.sys_up_time), (&b"traps"[..], 4200));
    assert_eq!(*received.snmp_trap_oid, *COLD_START);
    assert_eq!(received.security_engine_id, Some(own_id()));
    let addresses: Vec<_> = received
        .var_binds()
        .iter()
        .filter(|bind| matches!(bind.value, Value::IpAddress([192, 0, 2, 7])))
        .collect();
    assert_eq!(addresses.len(), 1);
}

#[test]
fn v3_notification_is_forwarded_with_own_credentials_only() {
    let mut receiver = Receiver::start(USER);
    let octets = cold_start();
    let mut trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V3);
    let model = portreeve_smi::SecurityModel::USM;
    trap.security = Security::User { model, name: b"sender", context_name: b"" };
    let mut as_received = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let error = forward(&mut as_received, &trap).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the notification has no community: set a user or a community for the destination"
    );
    let mut with_user = forwarder(receiver.address(), user(), ForwardKind::Trap);
    forward(&mut with_user, &trap).unwrap();
    assert_eq!(receiver.receive().unwrap().var_binds().encoded(), octets);
}

#[test]
fn v2_notification_is_translated_for_a_destination_of_v1() {
    let mut receiver = Receiver::start("authCommunity log old\n");
    let credentials = ForwardCredentials::V1(Secret::from("old"));
    let mut forwarder = forwarder(receiver.address(), credentials, ForwardKind::Trap);
    forward(&mut forwarder, &v2_trap(&cold_start())).unwrap();
    let received = receiver.receive().unwrap();
    assert_eq!((received.trap_v1().unwrap().generic, received.sys_up_time), (0, 123_456));
    assert_eq!(received.community.as_ref().unwrap().expose(), b"old");

    let mut octets = cold_start();
    octets.extend(encode(&[(SYS_NAME, Value::Counter64(1))]));
    let error = forward(&mut forwarder, &v2_trap(&octets)).unwrap_err();
    assert!(matches!(error, ForwardError::Translation(_)), "{error}");
}

#[test]
fn inform_is_forwarded_when_the_destination_has_confirmed_it() {
    for (text, credentials) in
        [("authCommunity log new\n", ForwardCredentials::V2c(Secret::from("new"))), (USER, user())]
    {
        let mut receiver = Receiver::start(text);
        let address = receiver.address();
        let thread = thread::spawn(move || receiver.receive().unwrap().var_binds().encoded().to_vec());
        let mut forwarder = forwarder(address, credentials, ForwardKind::Inform);
        let octets = cold_start();
        forward(&mut forwarder, &v2_trap(&octets)).unwrap();
        assert_eq!(thread.join().unwrap(), octets);
    }
}

#[test]
fn inform_that_the_destination_refuses_is_not_forwarded() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    receiver.result = StoreResult::Failed;
    let address = receiver.address();
    let thread = thread::spawn(move || drop(receiver.receive().unwrap()));
    let mut forwarder = forwarder(address, ForwardCredentials::AsReceived, ForwardKind::Inform);
    let error = forward(&mut forwarder, &v2_trap(&cold_start())).unwrap_err();
    assert!(matches!(error, ForwardError::Refused(5)), "{error}");
    thread.join().unwrap();
}

#[test]
fn inform_that_is_not_confirmed_in_time_is_not_forwarded() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("udp:{}", silent.local_addr().unwrap()).parse().unwrap();
    let retry = RetryPolicy::fixed(Duration::from_millis(50), 0);
    let destination = ForwardDestination {
        address,
        credentials: ForwardCredentials::AsReceived,
        kind: ForwardKind::Inform,
        options: SessionOptions { retry, ..SessionOptions::default() },
    };
    let mut forwarder = Forwarder::new(destination, own_id()).unwrap();
    let error = forward(&mut forwarder, &v2_trap(&cold_start())).unwrap_err();
    assert!(matches!(error, ForwardError::NotConfirmed(RequestError::Timeout(_))), "{error}");
}

#[test]
fn connection_that_the_destination_has_closed_is_opened_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}", listener.local_addr().unwrap()).parse().unwrap();
    let mut forwarder = forwarder(address, ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = cold_start();
    forward(&mut forwarder, &v2_trap(&octets)).unwrap();
    drop(listener.accept().unwrap());
    // The first messages may be lost: TCP reports a closed connection after it has sent one.
    listener.set_nonblocking(true).unwrap();
    let mut second = loop {
        forward(&mut forwarder, &v2_trap(&octets)).unwrap();
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    };
    second.set_nonblocking(false).unwrap();
    let mut first_octet = [0];
    second.read_exact(&mut first_octet).unwrap();
    assert_eq!(first_octet, [0x30]);
}

#[test]
fn connection_that_was_idle_for_long_is_opened_again() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = cold_start();
    let (trap, start) = (v2_trap(&octets), Instant::now());
    let mut source_after = |seconds| {
        let now = start + Duration::from_secs(seconds);
        forwarder.forward((&trap).into(), clock(), now).unwrap();
        receiver.receive().unwrap().source
    };
    let first = source_after(0);
    assert_eq!(source_after(299), first);
    assert_ne!(source_after(600), first);
}

#[test]
fn number_of_connections_is_bounded() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("udp:{}", socket.local_addr().unwrap()).parse().unwrap();
    let mut forwarder = forwarder(address, ForwardCredentials::AsReceived, ForwardKind::Trap);
    let octets = cold_start();
    for number in 0..MAX_CONNECTIONS + 10 {
        let community = number.to_string();
        let mut trap = v2_trap(&octets);
        trap.security = Security::Community(community.as_bytes());
        forward(&mut forwarder, &trap).unwrap();
        assert!(forwarder.connections.len() <= MAX_CONNECTIONS);
    }
}

#[test]
fn message_that_is_too_long_is_reported() {
    let receiver = Receiver::start("");
    let value = [7; 600];
    let octets = encode(&[(SYS_NAME, Value::OctetString(&value))]);
    for kind in [ForwardKind::Trap, ForwardKind::Inform] {
        let destination = ForwardDestination {
            address: receiver.address(),
            credentials: ForwardCredentials::AsReceived,
            kind,
            options: SessionOptions { max_message_size: 484, ..options() },
        };
        let mut forwarder = Forwarder::new(destination, own_id()).unwrap();
        let error = forward(&mut forwarder, &v2_trap(&octets)).unwrap_err();
        assert!(matches!(error, ForwardError::Unsendable(_)), "{error}");
    }
}

#[test]
fn unusable_destination_is_rejected() {
    let destination = |address: &str, credentials, kind| {
        let address = address.parse().unwrap();
        let destination = ForwardDestination { address, credentials, kind, options: options() };
        Forwarder::new(destination, own_id()).err()
    };
    for address in ["ssh:h", "tls:h", "dtls:h"] {
        let error = destination(address, ForwardCredentials::AsReceived, ForwardKind::AsReceived);
        assert_eq!(error, Some(InvalidDestinationError::NoSessionCredentials), "{address}");
        let session = ForwardCredentials::Session(Vec::new());
        assert_eq!(destination(address, session, ForwardKind::Inform), None, "{address}");
    }
    let session = ForwardCredentials::Session(Vec::new());
    let error = destination("tcp:h", session, ForwardKind::Trap);
    assert_eq!(error, Some(InvalidDestinationError::NoSession));
    let v1 = || ForwardCredentials::V1(Secret::from("old"));
    let error = destination("udp:h", v1(), ForwardKind::Inform);
    assert_eq!(error, Some(InvalidDestinationError::InformInV1));
    assert_eq!(destination("udp:h", v1(), ForwardKind::AsReceived), None);
}

#[test]
fn kind_is_that_of_the_received_message_if_it_is_not_set() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let (credentials, kind) = (ForwardCredentials::AsReceived, ForwardKind::AsReceived);
    let mut forwarder = forwarder(receiver.address(), credentials, kind);
    let octets = cold_start();
    forward(&mut forwarder, &v2_trap(&octets)).unwrap();
    receiver.receive().unwrap();
    assert!(!receiver.has_acknowledged);
    let thread = thread::spawn(move || {
        receiver.receive().unwrap();
        receiver.has_acknowledged
    });
    let mut inform = v2_trap(&octets);
    inform.kind = NotificationKind::Inform(variables(&octets));
    forward(&mut forwarder, &inform).unwrap();
    assert!(thread.join().unwrap());
}

#[test]
fn v1_trap_stays_a_trap_for_a_destination_that_confirms() {
    let mut receiver = Receiver::start("authCommunity log public\n");
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Inform);
    forward(&mut forwarder, &trap_v1(0, 0, 1, VarBinds::default())).unwrap();
    assert!(receiver.receive().unwrap().trap_v1().is_some());
}

#[test]
fn directives_of_snmptrapd_conf_permit_what_they_name() {
    let text =
        "authCommunity log public 127.0.0.0/8 .1.3.6.1.6.3.1.1.5.1\nauthCommunity log far 192.0.2.0/24\n";
    let mut receiver = Receiver::start(text);
    let mut forwarder = forwarder(receiver.address(), ForwardCredentials::AsReceived, ForwardKind::Trap);
    let mut send = |community: &'static [u8], trap_oid: &[u32]| {
        let oid = Value::ObjectId(OidRef::Arcs(trap_oid));
        let up_time = Value::TimeTicks(1);
        let variables_of =
            encode(&[(&[1, 3, 6, 1, 2, 1, 1, 3, 0], up_time), (&[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], oid)]);
        let mut trap = v2_trap(&variables_of);
        trap.security = Security::Community(community);
        forward(&mut forwarder, &trap).unwrap();
        receiver.receive().map(drop)
    };
    assert_eq!(send(b"public", COLD_START), Ok(()));
    assert_eq!(send(b"public", &[1, 3, 6, 1, 6, 3, 1, 1, 5, 2]), Err("not permitted".to_owned()));
    assert_eq!(send(b"far", COLD_START), Err("not permitted".to_owned()));
    assert_eq!(send(b"none", COLD_START), Err("BadCommunityName".to_owned()));
}
