//! Traps of users that exist on every sending engine. The senders are simulated.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, MasterKey, PrivKey, PrivProtocol};
use portreeve_lcd::Lcd;
use portreeve_smi::{
    ClockReading, EngineBoots, EngineId, SecurityLevel, SecurityModel, Timestamp, TmStateReference,
    TransportAddress, TransportDomain, ber::ReverseWriter,
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, prepend_pdu, prepend_scoped_pdu, prepend_v3_message,
};

use super::*;
use crate::{
    Engine, LocalEngine, NotificationOutcome, RejectReason, reply_buffer_size,
    security::usm::{
        AuthoritativeEngine, NoPeers, Outgoing, UserKeys, UserLookup, UsmOutgoingContext, UsmRejectReason,
    },
    statistics::{Counter, Statistics},
};

const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
const PRIV: PrivProtocol = PrivProtocol::Aes128;
const OWN: &[u8] = b"\x80\0\0\0\x04receiver";
const SENDER: &[u8] = b"\x80\0\0\0\x04sender";
const RULE_SOURCE: [u8; 4] = [10, 1, 2, 3];

fn master(octet: u8) -> MasterKey {
    MasterKey::from_octets(AUTH, &[octet; 32]).unwrap()
}

fn rule() -> SenderRule {
    let sources = vec![SourcePrefix::new(IpAddr::from([10, 0, 0, 0]), 8).unwrap()];
    let auth = SenderCredential { protocol: AUTH, key: master(1) };
    let privacy = SenderCredential { protocol: PRIV, key: master(2) };
    SenderRule::new(b"traps", Some(auth), Some(privacy), sources)
}

fn settings() -> SenderSettings {
    SenderSettings { rules: vec![rule()], ..SenderSettings::default() }
}

struct Receiver {
    engine: Engine,
    lcd: Arc<Lcd>,
    now: u64,
    reply: Vec<u8>,
}

impl Receiver {
    fn new(settings: SenderSettings) -> Self {
        let local = LocalEngine {
            engine_id: EngineId::new(OWN).unwrap(),
            boots: EngineBoots::new(3),
            started: Timestamp::ZERO,
            max_message_size: 1472,
        };
        let lcd = Arc::new(Lcd::default());
        let mut engine = Engine::new(local, &lcd, Statistics::new(1).recorder(0), 1);
        engine.accept_senders(settings);
        Self { engine, lcd, now: 1000, reply: vec![0; reply_buffer_size(1472)] }
    }

    /// Receives a message over UDP.
    fn receive(&mut self, source: [u8; 4], message: &[u8]) -> Outcome {
        let address = TransportAddress::Ip(SocketAddr::from((source, 40_000)));
        let transport = TmStateReference::unauthenticated(TransportDomain::Udp, address);
        let now = Timestamp::from_secs(self.now);
        let mut message = message.to_vec();
        let Self { engine, lcd, reply, .. } = self;
        match engine.receive_notification(lcd, now, &transport, 1472, &mut message, reply) {
            NotificationOutcome::Notification(notification) => {
                let principal = notification.state.principal();
                assert_eq!(principal.security_name, b"traps");
                Outcome::Accepted(principal.security_level)
            }
            NotificationOutcome::Report { .. } | NotificationOutcome::Discovery(_) => Outcome::Report,
            NotificationOutcome::Dropped(reason) => Outcome::Dropped(reason),
        }
    }

    fn count(&self, counter: Counter) -> u64 {
        self.engine.statistics().statistics().sum(counter)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// The security level of an accepted trap.
    Accepted(SecurityLevel),
    Report,
    Dropped(RejectReason),
}

fn rejected(reason: UsmRejectReason) -> Outcome {
    Outcome::Dropped(RejectReason::Usm(reason))
}

/// A message with USM, and its fields.
struct Message {
    pdu_type: PduType,
    engine_id: &'static [u8],
    user: &'static [u8],
    level: SecurityLevel,
    clock: (u32, u32),
    /// The octet of which the authentication key before localization consists.
    key: u8,
    reportable: bool,
}

const TRAP: Message = Message {
    pdu_type: PduType::TrapV2,
    engine_id: SENDER,
    user: b"traps",
    level: SecurityLevel::AuthPriv,
    clock: (7, 500),
    key: 1,
    reportable: false,
};

struct OneUser(Arc<UserKeys>);

impl UserLookup for OneUser {
    fn user(&self, _: &[u8], _: &[u8]) -> Option<&Arc<UserKeys>> {
        Some(&self.0)
    }
}

impl Message {
    fn build(&self) -> Vec<u8> {
        self.build_for(self.engine_id)
    }

    /// Builds the message with the engine ID `engine_id`.
    fn build_for(&self, engine_id: &[u8]) -> Vec<u8> {
        let auth = AuthKey::new(AUTH, master(self.key).localize(engine_id).expose()).unwrap();
        let privacy = PrivKey::new(PRIV, master(2).localize_for(PRIV, engine_id).expose()).unwrap();
        let users = OneUser(Arc::new(UserKeys::new(self.user, Some(auth), Some(privacy))));
        let clock = ClockReading { boots: EngineBoots::new(self.clock.0).unwrap(), time: self.clock.1 };
        let id = EngineId::from_wire(engine_id).unwrap();
        let context = UsmOutgoingContext {
            local: AuthoritativeEngine { engine_id: id, clock },
            users: &users,
            peers: &NoPeers,
            now: Timestamp::ZERO,
        };
        let mut buffer = vec![0; 1024];
        let mut writer = ReverseWriter::new(&mut buffer);
        prepend_pdu(&mut writer, self.pdu_type, 9, 0, 0).unwrap();
        prepend_scoped_pdu(&mut writer, SENDER, b"").unwrap();
        let outgoing = Outgoing::request(&context, engine_id, self.user, self.level).unwrap();
        let unsigned = outgoing.secure(1, &mut writer).unwrap();
        let header = HeaderData {
            msg_id: 5,
            max_size: 1472,
            flags: MsgFlags::new(self.level, self.reportable),
            security_model: SecurityModel::USM,
        };
        prepend_v3_message(&mut writer, &header).unwrap();
        unsigned.sign(writer.written_mut()).unwrap();
        writer.written().to_vec()
    }
}

//= rfc3412#7.2-14
//= type=test
#[test]
fn trap_of_an_unknown_engine_is_accepted_for_a_user_of_all_engines() {
    let mut receiver = Receiver::new(settings());
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let outcome = receiver.receive(RULE_SOURCE, &Message { level, ..TRAP }.build());
        assert_eq!(outcome, Outcome::Accepted(level));
    }
}

#[test]
fn replayed_trap_is_rejected_after_its_keys_were_evicted() {
    let small = SenderSettings { max_localized_users: 1, ..settings() };
    let mut receiver = Receiver::new(small);
    let old = TRAP.build();
    assert!(matches!(receiver.receive(RULE_SOURCE, &old), Outcome::Accepted(..)));
    let newer = Message { clock: (8, 0), ..TRAP }.build();
    assert!(matches!(receiver.receive(RULE_SOURCE, &newer), Outcome::Accepted(..)));
    let other = TRAP.build_for(b"\x80\0\0\0\x04other");
    assert!(matches!(receiver.receive(RULE_SOURCE, &other), Outcome::Accepted(..)));
    let before = receiver.engine.sender_operations();
    assert_eq!(before.evictions, 1);
    assert_eq!(receiver.receive(RULE_SOURCE, &old), rejected(UsmRejectReason::PeerNotInTimeWindow));
    assert_eq!(receiver.engine.sender_operations().priv_localizations, before.priv_localizations);
}

#[test]
fn full_table_of_clocks_rejects_further_engines_and_keeps_the_known_ones() {
    let small = SenderSettings { max_engines: 2, ..settings() };
    let mut receiver = Receiver::new(small);
    let engine_id = |number: u8| [SENDER, &[number]].concat();
    for number in 0..2 {
        let outcome = receiver.receive(RULE_SOURCE, &TRAP.build_for(&engine_id(number)));
        assert!(matches!(outcome, Outcome::Accepted(..)));
    }
    for number in 2..5 {
        let outcome = receiver.receive(RULE_SOURCE, &TRAP.build_for(&engine_id(number)));
        assert_eq!(outcome, rejected(UsmRejectReason::UnknownEngineId));
    }
    let many = SenderEvent::ManyEngines { count: 2, max_engines: 2 };
    assert_eq!(receiver.engine.poll_sender_event(), Some(many));
    assert_eq!(receiver.engine.poll_sender_event(), Some(SenderEvent::TooManyEngines));
    assert_eq!(receiver.engine.poll_sender_event(), None);
    receiver.now += 151;
    let replayed = receiver.receive(RULE_SOURCE, &TRAP.build_for(&engine_id(0)));
    assert_eq!(replayed, rejected(UsmRejectReason::PeerNotInTimeWindow));
}

#[test]
fn four_fifths_of_the_engines_are_reported_once() {
    let mut receiver = Receiver::new(SenderSettings { max_engines: 10, ..settings() });
    let engine_id = |number: u8| [SENDER, &[number]].concat();
    let now = Timestamp::from_secs(receiver.now);
    // A restored engine counts, and forged traps do not.
    let restored = EngineId::new(&engine_id(0)).unwrap();
    receiver.engine.restore_sender_clock(restored, ClockReading::default(), now);
    for number in 1..7 {
        assert!(matches!(
            receiver.receive(RULE_SOURCE, &TRAP.build_for(&engine_id(number))),
            Outcome::Accepted(..)
        ));
    }
    receiver.receive(RULE_SOURCE, &Message { key: 9, ..TRAP }.build_for(&engine_id(7)));
    assert_eq!(receiver.engine.poll_sender_event(), None);
    for number in 7..9 {
        receiver.receive(RULE_SOURCE, &TRAP.build_for(&engine_id(number)));
    }
    let expected = SenderEvent::ManyEngines { count: 8, max_engines: 10 };
    assert_eq!(receiver.engine.poll_sender_event(), Some(expected));
    assert_eq!(receiver.engine.poll_sender_event(), None);
}

#[test]
fn restored_reading_is_returned_only_after_a_trap_has_passed_it() {
    let mut receiver = Receiver::new(settings());
    let id = EngineId::new(SENDER).unwrap();
    let clock = |time| ClockReading { boots: EngineBoots::new(7).unwrap(), time };
    receiver.engine.restore_sender_clock(id, clock(560), Timestamp::from_secs(receiver.now));
    receiver.now += 1;
    let reading = |receiver: &Receiver| receiver.engine.sender_clock(&id, Timestamp::from_secs(receiver.now));
    let accept = |receiver: &mut Receiver, time| {
        let trap = Message { clock: (7, time), ..TRAP }.build();
        assert!(matches!(receiver.receive(RULE_SOURCE, &trap), Outcome::Accepted(..)), "{time}");
    };
    for time in [500, 560] {
        accept(&mut receiver, time);
        assert_eq!(reading(&receiver), None, "{time}");
    }
    let old = receiver.receive(RULE_SOURCE, &Message { clock: (7, 410), ..TRAP }.build());
    assert_eq!(old, rejected(UsmRejectReason::PeerNotInTimeWindow));
    accept(&mut receiver, 561);
    receiver.now += 2;
    assert_eq!(reading(&receiver), Some(clock(563)));
}

#[test]
fn forged_traps_cost_one_localization_each_and_store_nothing() {
    let mut receiver = Receiver::new(settings());
    for number in 0..50 {
        let engine_id = [SENDER, &[number]].concat();
        let forged = Message { key: 9, ..TRAP }.build_for(&engine_id);
        assert_eq!(receiver.receive(RULE_SOURCE, &forged), rejected(UsmRejectReason::WrongDigest));
    }
    let expected = SenderOperations { auth_localizations: 50, ..SenderOperations::default() };
    assert_eq!(receiver.engine.sender_operations(), expected);
    let senders = receiver.engine.senders.as_ref().unwrap();
    assert_eq!(senders.stored(), (0, 0));
}

#[test]
fn keys_are_localized_once_for_each_sender() {
    let mut receiver = Receiver::new(settings());
    for time in 0..20 {
        let trap = Message { clock: (7, 500 + time), ..TRAP }.build();
        assert!(matches!(receiver.receive(RULE_SOURCE, &trap), Outcome::Accepted(..)));
    }
    let expected =
        SenderOperations { auth_localizations: 1, priv_localizations: 1, ..SenderOperations::default() };
    assert_eq!(receiver.engine.sender_operations(), expected);
}

#[test]
fn rule_applies_only_to_its_user_and_sources() {
    let mut receiver = Receiver::new(settings());
    let unknown = || rejected(UsmRejectReason::UnknownUserName);
    assert_eq!(receiver.receive([192, 0, 2, 1], &TRAP.build()), unknown());
    assert_eq!(receiver.receive(RULE_SOURCE, &Message { user: b"trap", ..TRAP }.build()), unknown());
    // Cached keys are not used for other sources either.
    assert!(matches!(receiver.receive(RULE_SOURCE, &TRAP.build()), Outcome::Accepted(..)));
    assert_eq!(receiver.receive([192, 0, 2, 1], &TRAP.build()), unknown());
    assert_eq!(receiver.count(Counter::UsmStatsUnknownUserNames), 3);
}

#[test]
fn trap_with_a_level_above_the_keys_of_its_rule_is_rejected() {
    let auth = SenderCredential { protocol: AUTH, key: master(1) };
    let rules = vec![SenderRule::new(b"traps", Some(auth), None, Vec::new())];
    let mut receiver = Receiver::new(SenderSettings { rules, ..settings() });
    let outcome = receiver.receive(RULE_SOURCE, &TRAP.build());
    assert_eq!(outcome, rejected(UsmRejectReason::UnsupportedSecurityLevel));
}

#[test]
fn two_sources_with_one_engine_id_are_reported_once() {
    let mut receiver = Receiver::new(settings());
    let forged = Message { key: 9, ..TRAP }.build();
    for source in [[10, 0, 0, 1], [10, 0, 0, 1], [10, 0, 0, 2], [10, 0, 0, 1], [10, 0, 0, 3]] {
        receiver.receive([10, 0, 0, 9], &forged);
        assert!(matches!(receiver.receive(source, &TRAP.build()), Outcome::Accepted(..)));
    }
    let addresses = [IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2])];
    let engine_id = EngineId::new(SENDER).unwrap();
    let expected = SenderEvent::SharedEngineId { engine_id, addresses };
    assert_eq!(receiver.engine.poll_sender_event(), Some(expected));
    assert_eq!(receiver.engine.poll_sender_event(), None);
}

#[test]
fn source_prefix_compares_only_its_bits() {
    let prefix = |address: &str, length| SourcePrefix::new(address.parse().unwrap(), length);
    let contains =
        |prefix: Option<SourcePrefix>, address: &str| prefix.unwrap().contains(address.parse().unwrap());
    assert!(contains(prefix("10.0.0.0", 8), "10.255.0.1"));
    assert!(contains(prefix("10.0.0.0", 8), "::ffff:10.255.0.1"));
    assert!(!contains(prefix("10.0.0.0", 8), "11.0.0.1"));
    assert!(contains(prefix("10.0.0.0", 0), "192.0.2.1"));
    assert!(!contains(prefix("0.0.0.0", 0), "2001:db8::1"));
    assert!(contains(prefix("192.0.2.1", 32), "192.0.2.1"));
    assert!(!contains(prefix("192.0.2.1", 32), "192.0.2.0"));
    assert!(contains(prefix("2001:db8::", 32), "2001:db8:1::1"));
    assert!(contains(prefix("::", 0), "2001:db8::1"));
    assert_eq!(prefix("10.0.0.0", 33), None);
    assert_eq!(prefix("::", 129), None);
    let listed = [SourcePrefix::new(IpAddr::from([10, 0, 0, 0]), 8).unwrap()];
    let local = TransportAddress::Local { uid: 0 };
    assert!(SourcePrefix::any_contains(&[], local) && !SourcePrefix::any_contains(&listed, local));
}
