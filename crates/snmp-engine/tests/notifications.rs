//! Notifications at a receiver's engine, sent by the manager library.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

use std::{net::SocketAddr, sync::Arc};

use portreeve_crypto::{AuthProtocol, PrivProtocol, password_to_key};
use portreeve_lcd::{
    CommunityKey, CommunityRow, Credential, Lcd, StorageType, Tables, TargetAddressKey, TargetAddressRow,
    UserKey, UserRow,
};
use portreeve_secret::Secret;
use portreeve_smi::{
    ClockReading, EngineBoots, EngineId, ErrorStatus, MessageProcessingModel, Oid, OidRef, SecurityLevel,
    SecurityModel, Timestamp, TmStateReference, TransportAddress, TransportDomain, Value,
    ber::{ReverseWriter, Tag},
};
use portreeve_snmp_engine::{
    Engine, LocalEngine, NotificationContent, NotificationOutcome, RejectReason, Response, reply_buffer_size,
    security::usm::{UsmRejectReason, auth_protocol_identity, priv_protocol_identity},
    senders::SenderSettings,
    statistics::{Counter, Statistics},
    var_bind_area,
};
use portreeve_snmp_manager::{
    Credentials, Operation, Request, Session, SessionOptions, TrapEncoder, UsmUser,
};
use portreeve_snmp_message::{TrapV1, VarBinds, prepend_community_message};

const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
const PRIVACY: PrivProtocol = PrivProtocol::Aes128;
const MAX_SIZE: usize = 1472;
const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
const COLD_START: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 1];

fn receiver_id() -> EngineId {
    "8000000005aaaaaaaa".parse().unwrap()
}

fn sender_id() -> EngineId {
    "8000000005bbbbbbbb".parse().unwrap()
}

fn clock(boots: u32, time: u32) -> ClockReading {
    ClockReading { boots: EngineBoots::new(boots).unwrap(), time }
}

/// A receiver, and what it has to know.
struct Receiver {
    engine: Engine,
    lcd: Arc<Lcd>,
    now: Timestamp,
    from: SocketAddr,
    reply: Vec<u8>,
}

/// The outcome of a message, without its lifetime.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Notification { kind: &'static str, principal: (SecurityModel, String, SecurityLevel), var_binds: Vec<u8> },
    Report(Vec<u8>, RejectReason),
    Discovery(Vec<u8>),
    Dropped(RejectReason),
}

impl Receiver {
    fn new(change: impl FnOnce(&mut Tables)) -> Self {
        let mut tables = Tables::default();
        for engine_id in [receiver_id(), sender_id()] {
            tables.insert(user_row(engine_id, "ops"));
        }
        let mut community = CommunityRow::new(CommunityKey { index: name("c") });
        community.columns.name = name("public");
        community.columns.security_name = name("anyone");
        tables.insert(community.into_active(StorageType::ReadOnly));
        change(&mut tables);
        let lcd = Arc::new(Lcd::compile(tables));
        let local = LocalEngine {
            engine_id: receiver_id(),
            boots: EngineBoots::new(3),
            started: Timestamp::ZERO,
            max_message_size: MAX_SIZE,
        };
        let mut engine = Engine::new(local, &lcd, Statistics::new(1).recorder(0), 1);
        engine.accept_senders(SenderSettings { max_engines: 8, ..SenderSettings::default() });
        Self {
            engine,
            lcd,
            now: Timestamp::from_secs(1000),
            from: SocketAddr::from(([192, 0, 2, 1], 4000)),
            reply: vec![0; reply_buffer_size(MAX_SIZE)],
        }
    }

    fn wait(&mut self, seconds: u64) {
        self.now = Timestamp::from_secs(self.now.as_secs() + seconds);
    }

    fn receive(&mut self, message: &[u8]) -> Outcome {
        let mut message = message.to_vec();
        let transport =
            TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(self.from));
        let outcome = self.engine.receive_notification(
            &self.lcd,
            self.now,
            &transport,
            MAX_SIZE,
            &mut message,
            &mut self.reply,
        );
        match outcome {
            NotificationOutcome::Notification(notification) => {
                let (kind, var_binds) = match &notification.content {
                    NotificationContent::TrapV1(trap) => ("trap v1", trap.var_binds),
                    NotificationContent::TrapV2(pdu) => ("trap", pdu.var_binds),
                    NotificationContent::Inform(pdu) => ("inform", pdu.var_binds),
                };
                let principal = notification.state.principal();
                let security_name = String::from_utf8(principal.security_name.to_vec()).unwrap();
                Outcome::Notification {
                    kind,
                    principal: (principal.security_model, security_name, principal.security_level),
                    var_binds: var_binds.encoded().to_vec(),
                }
            }
            NotificationOutcome::Report { range, reason, .. } => {
                Outcome::Report(self.reply[range].to_vec(), reason)
            }
            NotificationOutcome::Discovery(range) => Outcome::Discovery(self.reply[range].to_vec()),
            NotificationOutcome::Dropped(reason) => Outcome::Dropped(reason),
        }
    }

    /// Receives an inform, and returns the Response with its variables.
    fn acknowledge(&mut self, message: &mut [u8]) -> Vec<u8> {
        let transport =
            TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(self.from));
        let (lcd, now, reply) = (&self.lcd, self.now, &mut self.reply);
        let outcome = self.engine.receive_notification(lcd, now, &transport, MAX_SIZE, message, reply);
        let notification = match outcome {
            NotificationOutcome::Notification(notification) => notification,
            NotificationOutcome::Report { range, .. } | NotificationOutcome::Discovery(range) => {
                return reply[range].to_vec();
            }
            NotificationOutcome::Dropped(reason) => panic!("{reason:?}"),
        };
        let NotificationContent::Inform(pdu) = notification.content else { panic!("expected an inform") };
        let var_binds = pdu.var_binds.encoded();
        var_bind_area(reply)[..var_binds.len()].copy_from_slice(var_binds);
        let response = Response {
            request_id: pdu.request_id,
            error_status: ErrorStatus::NoError,
            error_index: 0,
            var_binds: var_binds.len(),
        };
        let range = self.engine.respond(now, &notification.state, &response, reply).unwrap();
        reply[range].to_vec()
    }

    fn count(&self, counter: Counter) -> u64 {
        self.engine.statistics().statistics().sum(counter)
    }

    #[track_caller]
    fn assert_reported(&mut self, message: &[u8], expected: UsmRejectReason) {
        let outcome = self.receive(message);
        let Outcome::Report(_, reason) = outcome else { panic!("expected a Report, not {outcome:?}") };
        assert_eq!(reason, RejectReason::Usm(expected));
    }

    #[track_caller]
    fn assert_dropped(&mut self, message: &[u8], reason: UsmRejectReason) {
        assert_eq!(self.receive(message), Outcome::Dropped(RejectReason::Usm(reason)));
    }
}

fn name(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}

fn user_row(engine_id: EngineId, user: &str) -> UserRow {
    let octets = engine_id.as_bytes();
    let master = |phrase| password_to_key(AUTH, &Secret::from(phrase)).unwrap();
    let credential = |identity: &portreeve_mib::Object, key: Secret| {
        Some(Arc::new(Credential { protocol: Oid::new(&identity.oid()).unwrap(), key }))
    };
    let mut row = UserRow::new(UserKey { engine_id, name: name(user) });
    row.columns.security_name = name(user);
    let auth = Secret::from(master("authentic phrase").localize(octets).expose());
    let privacy = Secret::from(master("private phrase").localize_for(PRIVACY, octets).expose());
    row.columns.auth = credential(auth_protocol_identity(AUTH), auth);
    row.columns.privacy = credential(priv_protocol_identity(PRIVACY), privacy);
    row.into_active(StorageType::ReadOnly)
}

fn user(user: &str, auth: &str) -> Credentials {
    let (auth, privacy) = (Secret::from(auth), Secret::from("private phrase"));
    Credentials::V3(UsmUser::with_privacy(user.as_bytes(), (AUTH, &auth), (PRIVACY, &privacy)).unwrap())
}

fn notification() -> Request {
    let mut request = Request::new(Operation::Inform);
    request.push(UP_TIME, Value::TimeTicks(42));
    request.push(TRAP_OID, Value::ObjectId(OidRef::Arcs(COLD_START)));
    request
}

fn encoder(credentials: Credentials, engine_id: EngineId) -> TrapEncoder {
    TrapEncoder::new(credentials, engine_id, &SessionOptions::default(), 0x1234_5678_9abc_def0).unwrap()
}

/// A trap of the user ops at authPriv.
fn usm_trap(engine_id: EngineId, clock: ClockReading) -> Vec<u8> {
    let trap = notification();
    encoder(user("ops", "authentic phrase"), engine_id).encode(clock, trap.variables()).unwrap().to_vec()
}

fn community_trap(community: &str) -> Vec<u8> {
    let trap = notification();
    let mut encoder = encoder(Credentials::V2c(Secret::from(community)), sender_id());
    encoder.encode(ClockReading::default(), trap.variables()).unwrap().to_vec()
}

fn accepted(kind: &'static str, model: SecurityModel, user: &str, level: SecurityLevel) -> Outcome {
    let var_binds = notification().variables().encoded().to_vec();
    Outcome::Notification { kind, principal: (model, user.to_owned(), level), var_binds }
}

fn accepted_usm_trap() -> Outcome {
    accepted("trap", SecurityModel::USM, "ops", SecurityLevel::AuthPriv)
}

#[test]
fn community_notifications_have_the_principal_of_the_community() {
    let mut receiver = Receiver::new(|_| {});
    let expected = accepted("trap", SecurityModel::SNMP_V2C, "anyone", SecurityLevel::NoAuthNoPriv);
    assert_eq!(receiver.receive(&community_trap("public")), expected);
    let mut session = Session::new(Credentials::V2c(Secret::from("public")), &SessionOptions::default(), 7);
    session.request(&notification());
    let mut message = session.poll_output(receiver.now).unwrap().to_vec();
    let mut response = receiver.acknowledge(&mut message);
    session.handle_input(receiver.now, &mut response);
    assert!(session.poll_event().unwrap().result.is_ok());
}

#[test]
fn community_is_checked_with_its_source() {
    let mut receiver = Receiver::new(|tables| {
        let mut row = CommunityRow::new(CommunityKey { index: name("restricted") });
        row.columns.name = name("restricted");
        row.columns.security_name = name("anyone");
        row.columns.transport_tag = name("senders");
        tables.insert(row.into_active(StorageType::ReadOnly));
        let mut target = TargetAddressRow::new(TargetAddressKey { name: name("sender") });
        target.columns.domain = "1.3.6.1.6.1.1".parse().unwrap();
        target.columns.address = [192, 0, 2, 1, 0, 0][..].into();
        target.columns.mask = [255, 255, 255, 255, 0, 0][..].into();
        target.columns.tag_list = name("senders");
        tables.insert(target.into_active(StorageType::ReadOnly));
    });
    let dropped = Outcome::Dropped(RejectReason::BadCommunityName);
    assert_eq!(receiver.receive(&community_trap("private")), dropped);
    assert!(matches!(receiver.receive(&community_trap("restricted")), Outcome::Notification { .. }));
    receiver.from = SocketAddr::from(([192, 0, 2, 2], 4000));
    assert_eq!(receiver.receive(&community_trap("restricted")), dropped);
    assert_eq!(receiver.count(Counter::SnmpInBadCommunityNames), 2);
}

/// Encodes a trap of SNMPv1 whose variables have the octets `var_binds`.
fn trap_v1(enterprise: &[u32], var_binds: &[u8]) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(var_binds).unwrap();
    let trap = TrapV1 {
        enterprise: OidRef::Arcs(enterprise),
        agent_address: [192, 0, 2, 1],
        generic: 6,
        specific: 17,
        time_stamp: 42,
        var_binds: VarBinds::default(),
    };
    trap.prepend(&mut writer).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V1, b"public").unwrap();
    writer.written().to_vec()
}

#[test]
fn v1_trap_is_accepted_unless_it_is_malformed_for_its_version() {
    let mut receiver = Receiver::new(|_| {});
    let request = notification();
    let var_binds = request.variables().encoded();
    let expected = accepted("trap v1", SecurityModel::SNMP_V1, "anyone", SecurityLevel::NoAuthNoPriv);
    let good = trap_v1(COLD_START, var_binds);
    assert_eq!(receiver.receive(&good), expected);
    let mut counter = Request::new(Operation::Inform);
    counter.push(UP_TIME, Value::Counter64(1));
    let with_counter = trap_v1(COLD_START, counter.variables().encoded());
    assert_eq!(receiver.receive(&with_counter), Outcome::Dropped(RejectReason::Malformed));
    // The enterprise without content octets: its length, and all lengths around it, are less by
    // the octets of the enterprise.
    let position = good.windows(2).position(|octets| octets == [Tag::OBJECT_IDENTIFIER.0, 9]).unwrap();
    let mut empty = good.clone();
    empty.drain(position + 2..position + 11);
    empty[position + 1] = 0;
    empty[1] -= 9;
    let pdu = empty.iter().position(|octet| *octet == Tag::TRAP_V1.0).unwrap();
    empty[pdu + 1] -= 9;
    assert_eq!(receiver.receive(&empty), Outcome::Dropped(RejectReason::Malformed));
    for end in 0..good.len() {
        assert_eq!(receiver.receive(&good[..end]), Outcome::Dropped(RejectReason::Malformed));
    }
}

#[test]
fn requests_are_rejected_by_a_notification_receiver() {
    let mut receiver = Receiver::new(|_| {});
    let mut session = Session::new(Credentials::V2c(Secret::from("public")), &SessionOptions::default(), 7);
    session.request(&Request::read(Operation::Get, [UP_TIME]));
    let message = session.poll_output(receiver.now).unwrap().to_vec();
    assert_eq!(receiver.receive(&message), Outcome::Dropped(RejectReason::UnknownPduHandler));
    assert_eq!(receiver.count(Counter::SnmpUnknownPduHandlers), 1);
}

/// Returns the message of an inform to a receiver whose engine ID and clock have been discovered.
fn usm_inform(receiver: &mut Receiver, session: &mut Session) -> Vec<u8> {
    session.request(&notification());
    // The ID is discovered first, then the clock.
    for _ in 0..2 {
        let mut message = session.poll_output(receiver.now).unwrap().to_vec();
        let mut report = receiver.acknowledge(&mut message);
        session.handle_input(receiver.now, &mut report);
    }
    session.poll_output(receiver.now).unwrap().to_vec()
}

#[test]
fn inform_is_authenticated_with_the_keys_and_the_clock_of_the_receiver() {
    let mut receiver = Receiver::new(|_| {});
    let mut session = Session::new(user("ops", "authentic phrase"), &SessionOptions::default(), 7);
    let message = usm_inform(&mut receiver, &mut session);
    let mut response = receiver.acknowledge(&mut message.clone());
    session.handle_input(receiver.now, &mut response);
    assert!(session.poll_event().unwrap().result.is_ok());
    assert_eq!(receiver.engine.sender_count(), 0);
    // A recorded inform is accepted within the time window only.
    receiver.wait(150);
    let expected = accepted("inform", SecurityModel::USM, "ops", SecurityLevel::AuthPriv);
    assert_eq!(receiver.receive(&message), expected);
    receiver.wait(1);
    receiver.assert_reported(&message, UsmRejectReason::NotInTimeWindow);
    assert_eq!(receiver.count(Counter::UsmStatsNotInTimeWindows), 2);
}

/// A sender that knows the engine ID of an earlier receiver discovers that of this one.
#[test]
fn inform_to_another_engine_is_answered_with_the_engine_id_of_the_receiver() {
    for credentials in [user("ops", "authentic phrase"), Credentials::V3(UsmUser::unauthenticated(b"ops"))] {
        let mut receiver = Receiver::new(|_| {});
        let options = SessionOptions { security_engine_id: Some(sender_id()), ..SessionOptions::default() };
        let mut session = Session::new(credentials, &options, 7);
        session.request(&notification());
        let message = session.poll_output(receiver.now).unwrap().to_vec();
        let Outcome::Report(report, reason) = receiver.receive(&message) else { panic!("expected a Report") };
        assert_eq!(reason, RejectReason::Usm(UsmRejectReason::UnknownEngineId));
        let octets = receiver_id();
        assert!(report.windows(octets.as_bytes().len()).any(|part| part == octets.as_bytes()));
        assert_eq!(receiver.count(Counter::UsmStatsUnknownEngineIds), 1);
        assert_eq!(receiver.engine.sender_count(), 0);
    }
}

#[test]
fn forged_inform_is_reported_and_counted() {
    let mut receiver = Receiver::new(|_| {});
    let mut session = Session::new(user("ops", "another phrase"), &SessionOptions::default(), 7);
    session.request(&notification());
    let mut discovery = session.poll_output(receiver.now).unwrap().to_vec();
    let mut report = receiver.acknowledge(&mut discovery);
    session.handle_input(receiver.now, &mut report);
    let forged = session.poll_output(receiver.now).unwrap().to_vec();
    receiver.assert_reported(&forged, UsmRejectReason::WrongDigest);
    assert_eq!(receiver.count(Counter::UsmStatsWrongDigests), 1);
}

#[test]
fn trap_is_authenticated_with_the_keys_and_the_clock_of_its_sender() {
    let mut receiver = Receiver::new(|_| {});
    let first = usm_trap(sender_id(), clock(7, 5000));
    assert_eq!(receiver.receive(&first), accepted_usm_trap());
    assert_eq!(receiver.engine.sender_count(), 1);
    // The sender's clock advances from the first message.
    receiver.wait(150);
    assert_eq!(receiver.receive(&first), accepted_usm_trap());
    receiver.wait(1);
    receiver.assert_dropped(&first, UsmRejectReason::PeerNotInTimeWindow);
    receiver.assert_dropped(&usm_trap(sender_id(), clock(6, 9000)), UsmRejectReason::PeerNotInTimeWindow);
    assert_eq!(receiver.receive(&usm_trap(sender_id(), clock(8, 0))), accepted_usm_trap());
    receiver.assert_dropped(&usm_trap(sender_id(), clock(7, 6000)), UsmRejectReason::PeerNotInTimeWindow);
}

#[test]
fn forged_trap_is_dropped_and_its_clock_is_not_learned() {
    let mut receiver = Receiver::new(|_| {});
    let trap = notification();
    let mut forger = encoder(user("ops", "another phrase"), sender_id());
    let forged = forger.encode(clock(1000, 0), trap.variables()).unwrap().to_vec();
    receiver.assert_dropped(&forged, UsmRejectReason::WrongDigest);
    assert_eq!(receiver.engine.sender_count(), 0);
    let mut altered = usm_trap(sender_id(), clock(7, 5000));
    *altered.last_mut().unwrap() ^= 1;
    receiver.assert_dropped(&altered, UsmRejectReason::WrongDigest);
    assert_eq!(receiver.engine.sender_count(), 0);
    assert_eq!(receiver.receive(&usm_trap(sender_id(), clock(7, 5000))), accepted_usm_trap());
}

#[test]
fn trap_of_an_unknown_user_or_engine_is_dropped_without_a_report() {
    let mut receiver = Receiver::new(|_| {});
    let trap = notification();
    let mut sender = encoder(user("unknown", "authentic phrase"), sender_id());
    let message = sender.encode(clock(7, 5000), trap.variables()).unwrap().to_vec();
    receiver.assert_dropped(&message, UsmRejectReason::UnknownUserName);
    let other = "8000000005cccccccc".parse().unwrap();
    receiver.assert_dropped(&usm_trap(other, clock(7, 5000)), UsmRejectReason::UnknownUserName);
}

/// It is a trap of the receiver's own engine that was sent back.
#[test]
fn trap_with_the_engine_id_of_the_receiver_is_rejected() {
    let mut receiver = Receiver::new(|_| {});
    let own = usm_trap(receiver_id(), clock(3, 1000));
    assert_eq!(receiver.receive(&own), Outcome::Dropped(RejectReason::UnknownPduHandler));
    assert_eq!(receiver.engine.sender_count(), 0);
}

#[test]
fn clocks_of_senders_are_never_forgotten_so_further_engines_are_rejected() {
    let ids: Vec<EngineId> = (0..3).map(|last| format!("80000000050000000{last}").parse().unwrap()).collect();
    let mut receiver = Receiver::new(|tables| ids.iter().for_each(|id| tables.insert(user_row(*id, "ops"))));
    receiver.engine.accept_senders(SenderSettings { max_engines: 2, ..SenderSettings::default() });
    for id in &ids[..2] {
        assert_eq!(receiver.receive(&usm_trap(*id, clock(7, 5000))), accepted_usm_trap());
    }
    receiver.assert_dropped(&usm_trap(ids[2], clock(7, 5000)), UsmRejectReason::UnknownEngineId);
    receiver.wait(1000);
    receiver.assert_dropped(&usm_trap(ids[0], clock(7, 5000)), UsmRejectReason::PeerNotInTimeWindow);
    assert_eq!(receiver.receive(&usm_trap(ids[1], clock(7, 6001))), accepted_usm_trap());
}

#[test]
fn altered_trap_is_never_accepted() {
    let mut receiver = Receiver::new(|_| {});
    let message = usm_trap(sender_id(), clock(7, 5000));
    for position in 0..message.len() {
        for bit in 0..8 {
            let mut altered = message.clone();
            altered[position] ^= 1 << bit;
            let outcome = receiver.receive(&altered);
            assert!(!matches!(outcome, Outcome::Notification { .. }), "{position}: {outcome:?}");
        }
    }
    assert_eq!(receiver.engine.sender_count(), 0);
}
