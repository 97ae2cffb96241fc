//! Notifications that an engine has accepted. The messages are those of SNMPv1 and SNMPv2c, and
//! SNMPv3 in sessions.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use portreeve_lcd::{AllowedWeaknesses, CommunityKey, CommunityRow, Lcd, StorageType, Tables};
use portreeve_mib::modules::snmpv2_mib::{SNMP_TRAP_OID, SYS_UP_TIME};
use portreeve_smi::{
    EngineBoots, EngineId, MessageProcessingModel, Oid, OidRef, SecurityLevel, SecurityModel, Timestamp,
    TmStateReference, TransportAddress, TransportDomain, Value,
    ber::{Reader, ReverseWriter, Tag},
};
use portreeve_snmp_engine::{
    Engine, LocalEngine, NotificationOutcome, RejectReason, reply_buffer_size,
    senders::SourcePrefix,
    statistics::{Counter, Statistics},
};
use portreeve_snmp_message::{
    CommunityMessage, HeaderData, MsgFlags, Pdu, PduType, ScopedPdu, ScopedPduData, TrapV1, V3Message,
    VarBinds, prepend_community_message, prepend_pdu, prepend_scoped_pdu, prepend_v3_message,
};

use super::source_counts::MAX_SOURCES;
use super::*;
use crate::notification::{
    instance,
    tests::{appended, encode, parse, parse_trap, prepended},
};

const MAX_SIZE: usize = 1472;
const SOURCE: [u8; 4] = [192, 0, 2, 1];
const ENTERPRISE: &[u32] = &[1, 3, 6, 1, 4, 1, 9];
const LINK_DOWN: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 3];
const REQUEST_ID: i32 = 77;

struct Receiver {
    engine: Engine,
    lcd: Arc<Lcd>,
    receiver: NotificationReceiver,
    transport: TmStateReference,
    reply: Vec<u8>,
}

/// The reason why a message was not accepted.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    Engine(RejectReason),
    Refused(RefusedReason),
    Report,
}

impl Receiver {
    fn new(rules: Vec<NotificationRule>) -> Self {
        let mut tables = Tables { allowed_weaknesses: AllowedWeaknesses::ALL, ..Tables::default() };
        for name in [&b"public"[..], b"other"] {
            let mut community = CommunityRow::new(CommunityKey { index: name.into() });
            community.columns.name = name.into();
            community.columns.security_name = name.into();
            tables.insert(community.into_active(StorageType::ReadOnly));
        }
        let lcd = Arc::new(Lcd::compile(tables));
        let local = LocalEngine {
            engine_id: EngineId::new(b"\x80\0\0\0\x04receiver").unwrap(),
            boots: EngineBoots::new(3),
            started: Timestamp::ZERO,
            max_message_size: MAX_SIZE,
        };
        Self {
            engine: Engine::new(local, &lcd, Statistics::new(1).recorder(0), 1),
            lcd,
            receiver: NotificationReceiver::new(rules),
            transport: udp(SOURCE),
            reply: vec![0; reply_buffer_size(MAX_SIZE)],
        }
    }

    fn accept(&mut self, message: &[u8]) -> Result<AcceptedNotification, Failure> {
        self.accept_sized(message, MAX_SIZE)
    }

    /// Accepts a message whose response may be at most `max_size` octets long.
    fn accept_sized(&mut self, message: &[u8], max_size: usize) -> Result<AcceptedNotification, Failure> {
        let mut message = message.to_vec();
        let Self { engine, lcd, receiver, transport, reply } = self;
        let outcome =
            engine.receive_notification(lcd, Timestamp::ZERO, transport, max_size, &mut message, reply);
        match outcome {
            NotificationOutcome::Notification(notification) => {
                receiver.accept(transport, &notification).map_err(Failure::Refused)
            }
            NotificationOutcome::Report { .. } | NotificationOutcome::Discovery(_) => Err(Failure::Report),
            NotificationOutcome::Dropped(reason) => Err(Failure::Engine(reason)),
        }
    }

    fn complete(&mut self, inform: &mut AcceptedNotification, result: StoreResult) -> Option<Vec<u8>> {
        let acknowledgement = inform.acknowledgement.take().unwrap();
        let range = acknowledgement.complete(&mut self.engine, Timestamp::ZERO, result, &mut self.reply)?;
        Some(self.reply[range].to_vec())
    }

    fn refused_by(&self, source: [u8; 4]) -> u64 {
        let mut counts = self.receiver.refused().iter();
        counts.find(|(address, _)| *address == IpAddr::from(source)).map_or(0, |(_, count)| count)
    }
}

fn udp(source: [u8; 4]) -> TmStateReference {
    let address = TransportAddress::Ip(SocketAddr::from((source, 40_000)));
    TmStateReference::unauthenticated(TransportDomain::Udp, address)
}

/// A rule without conditions.
fn any() -> NotificationRule {
    NotificationRule {
        security_model: None,
        security_name: None,
        min_level: SecurityLevel::NoAuthNoPriv,
        sources: Vec::new(),
        subtree: None,
        actions: NotificationActions::ALL,
    }
}

/// Encodes the variables of a notification of the type `snmp_trap_oid`.
fn variables(snmp_trap_oid: &[u32]) -> Vec<u8> {
    encode(&[
        (&instance(&SYS_UP_TIME), Value::TimeTicks(42)),
        (&instance(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Arcs(snmp_trap_oid))),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 5], Value::Integer(5)),
    ])
}

/// Builds a message of SNMPv2c with the encoded list `variables`.
fn v2c(pdu_type: PduType, community: &[u8], variables: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; variables.len() + 512];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(parse(variables).encoded()).unwrap();
    prepend_pdu(&mut writer, pdu_type, REQUEST_ID, 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, community).unwrap();
    writer.written().to_vec()
}

fn trap(snmp_trap_oid: &[u32]) -> Vec<u8> {
    v2c(PduType::TrapV2, b"public", &variables(snmp_trap_oid))
}

fn inform() -> Vec<u8> {
    v2c(PduType::InformRequest, b"public", &variables(LINK_DOWN))
}

fn trap_v1(generic: i32, enterprise: &[u32]) -> Vec<u8> {
    let mut buffer = vec![0; 1024];
    let mut writer = ReverseWriter::new(&mut buffer);
    let trap = TrapV1 {
        enterprise: OidRef::Arcs(enterprise),
        agent_address: [10, 0, 0, 1],
        generic,
        specific: 4,
        time_stamp: 42,
        var_binds: VarBinds::default(),
    };
    trap.prepend(&mut writer).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V1, b"public").unwrap();
    writer.written().to_vec()
}

fn response(message: &[u8]) -> Pdu<'_> {
    let mut parsed = CommunityMessage::parse(message).unwrap();
    Pdu::parse(&mut parsed.pdu).unwrap()
}

#[test]
fn notification_is_refused_and_counted_without_a_rule() {
    let mut receiver = Receiver::new(Vec::new());
    for message in [trap(LINK_DOWN), inform(), trap_v1(2, ENTERPRISE)] {
        let refused = receiver.accept(&message).err();
        assert_eq!(refused, Some(Failure::Refused(RefusedReason::NotPermitted)));
    }
    assert_eq!(receiver.refused_by(SOURCE), 3);
    let without_actions = NotificationRule { actions: NotificationActions::default(), ..any() };
    receiver.receiver.set_rules(vec![without_actions]);
    assert!(receiver.accept(&trap(LINK_DOWN)).is_err());
    assert_eq!(receiver.refused_by(SOURCE), 4);
    receiver.receiver.set_rules(vec![any()]);
    assert!(receiver.accept(&trap(LINK_DOWN)).is_ok());
    assert_eq!(receiver.refused_by(SOURCE), 4);
}

#[test]
fn rule_applies_only_if_all_its_conditions_are_met() {
    let prefix = |address: [u8; 4], length| vec![SourcePrefix::new(IpAddr::from(address), length).unwrap()];
    let subtree = |arcs: &[u32]| Some(Oid::new(arcs).unwrap());
    let table = [
        (NotificationRule { security_model: Some(SecurityModel::SNMP_V2C), ..any() }, true),
        (NotificationRule { security_model: Some(SecurityModel::SNMP_V1), ..any() }, false),
        (NotificationRule { security_name: Some(b"public".to_vec()), ..any() }, true),
        (NotificationRule { security_name: Some(b"publi".to_vec()), ..any() }, false),
        (NotificationRule { min_level: SecurityLevel::AuthNoPriv, ..any() }, false),
        (NotificationRule { sources: prefix([192, 0, 2, 0], 24), ..any() }, true),
        (NotificationRule { sources: prefix([192, 0, 3, 0], 24), ..any() }, false),
        (NotificationRule { subtree: subtree(LINK_DOWN), ..any() }, true),
        (NotificationRule { subtree: subtree(&LINK_DOWN[..9]), ..any() }, true),
        (NotificationRule { subtree: subtree(ENTERPRISE), ..any() }, false),
    ];
    for (rule, is_permitted) in table {
        let mut receiver = Receiver::new(vec![rule.clone()]);
        assert_eq!(receiver.accept(&trap(LINK_DOWN)).is_ok(), is_permitted, "{rule:?}");
    }
}

#[test]
fn actions_of_all_rules_that_apply_are_permitted() {
    let log = NotificationActions { log: true, ..NotificationActions::default() };
    let execute = NotificationActions { execute: true, ..NotificationActions::default() };
    let forward = NotificationActions { forward: true, ..NotificationActions::default() };
    let other = NotificationRule { security_name: Some(b"other".to_vec()), actions: execute, ..any() };
    let mut receiver = Receiver::new(vec![
        NotificationRule { actions: log, ..any() },
        other,
        NotificationRule { actions: forward, ..any() },
    ]);
    let accepted = receiver.accept(&trap(LINK_DOWN)).ok().unwrap();
    let expected = NotificationActions { log: true, execute: false, forward: true };
    assert_eq!(accepted.notification.actions, expected);
}

//= rfc3413#3.4-1
//= type=test
//= rfc3413#3.4-4
//= rfc3584#4.2.4-p1
//= type=test
#[test]
fn accepted_trap_has_the_fields_of_its_message() {
    let mut receiver = Receiver::new(vec![any()]);
    let accepted = receiver.accept(&trap(LINK_DOWN)).ok().unwrap();
    assert!(accepted.acknowledgement.is_none());
    let trap = accepted.notification;
    assert_eq!(trap.source, udp(SOURCE).address);
    assert_eq!(trap.domain, TransportDomain::Udp);
    assert_eq!(
        (trap.security_model, trap.security_level),
        (SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv)
    );
    assert_eq!(trap.security_name, b"public");
    assert_eq!(trap.community.as_ref().unwrap().expose(), b"public");
    assert_eq!(trap.sys_up_time, 42);
    assert_eq!(*trap.snmp_trap_oid, *LINK_DOWN);
    assert_eq!(trap.var_binds().encoded(), parse(&variables(LINK_DOWN)).encoded());
    assert!(trap.trap_v1().is_none() && trap.to_v2().is_none());
    let translated = prepended(&trap.to_v1().unwrap().unwrap());
    let translated = parse_trap(&translated);
    assert_eq!((translated.generic, translated.time_stamp), (2, 42));
}

//= rfc3584#4.2.4-p1
//= type=test
#[test]
fn accepted_v1_trap_keeps_its_fields_and_is_translated_on_request() {
    let mut receiver = Receiver::new(vec![any()]);
    let accepted = receiver.accept(&trap_v1(6, ENTERPRISE)).ok().unwrap().notification;
    assert_eq!(accepted.security_model, SecurityModel::SNMP_V1);
    assert_eq!(*accepted.snmp_trap_oid, [ENTERPRISE, &[0, 4]].concat()[..]);
    assert_eq!(accepted.sys_up_time, 42);
    assert!(accepted.to_v1().is_none());
    let fields = accepted.trap_v1().unwrap();
    assert_eq!((fields.generic, fields.specific, fields.time_stamp), (6, 4, 42));
    assert_eq!(fields.enterprise, OidRef::Arcs(ENTERPRISE));
    assert_eq!(fields.agent_address, [10, 0, 0, 1]);
    let octets = appended(&accepted.to_v2().unwrap().unwrap());
    // sysUpTime.0, snmpTrapOID.0, and the address, community and enterprise of the trap.
    assert_eq!(parse(&octets).len(), 5);
}

//= rfc3413#3.4-2
//= type=test
//= rfc3413#3.4-3
//= type=test
#[test]
fn response_to_a_stored_inform_repeats_its_request_id_and_variables() {
    let mut receiver = Receiver::new(vec![any()]);
    let mut accepted = receiver.accept(&inform()).ok().unwrap();
    let message = receiver.complete(&mut accepted, StoreResult::Stored).unwrap();
    let pdu = response(&message);
    assert_eq!((pdu.pdu_type, pdu.request_id), (PduType::Response, REQUEST_ID));
    assert_eq!((pdu.error_status, pdu.error_index), (0, 0));
    assert_eq!(pdu.var_binds.encoded(), accepted.notification.var_binds().encoded());
}

#[test]
fn inform_that_could_not_be_stored_is_answered_with_gen_err() {
    let mut receiver = Receiver::new(vec![any()]);
    let mut accepted = receiver.accept(&inform()).ok().unwrap();
    let message = receiver.complete(&mut accepted, StoreResult::Failed).unwrap();
    assert_eq!(response(&message).error_status, 5);
}

#[test]
fn response_to_an_inform_is_too_big_without_variables_if_they_do_not_fit() {
    let mut receiver = Receiver::new(vec![any()]);
    let mut accepted = receiver.accept_sized(&inform(), 60).ok().unwrap();
    let message = receiver.complete(&mut accepted, StoreResult::Stored).unwrap();
    let pdu = response(&message);
    assert_eq!((pdu.error_status, pdu.var_binds.len()), (1, 0));
    let mut accepted = receiver.accept_sized(&inform(), 10).ok().unwrap();
    assert_eq!(receiver.complete(&mut accepted, StoreResult::Stored), None);
    assert_eq!(receiver.engine.statistics().statistics().sum(Counter::SnmpSilentDrops), 1);
}

//= rfc3584#4.2.4-p1
//= type=test
/// A receiver, and a session of the user ops with it.
fn receiver_with_session() -> Receiver {
    let mut receiver = Receiver::new(vec![NotificationRule {
        security_model: Some(SecurityModel::TSM),
        security_name: Some(b"ops".to_vec()),
        min_level: SecurityLevel::AuthPriv,
        ..any()
    }]);
    receiver.transport.domain = TransportDomain::Tls;
    receiver.transport.security_name = Some(Arc::from(*b"ops"));
    receiver.transport.transport_level = SecurityLevel::AuthPriv;
    receiver
}

/// Builds an inform of SNMPv3 in a session.
fn inform_in_session(context_engine_id: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; 1024];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(parse(&variables(LINK_DOWN)).encoded()).unwrap();
    prepend_pdu(&mut writer, PduType::InformRequest, REQUEST_ID, 0, 0).unwrap();
    prepend_scoped_pdu(&mut writer, context_engine_id, b"west").unwrap();
    writer.header(Tag::OCTET_STRING, 0).unwrap();
    let header = HeaderData {
        msg_id: 9,
        max_size: 1472,
        flags: MsgFlags::new(SecurityLevel::AuthPriv, true),
        security_model: SecurityModel::TSM,
    };
    prepend_v3_message(&mut writer, &header).unwrap();
    writer.written().to_vec()
}

#[test]
fn inform_in_a_session_is_acknowledged_in_snmpv3() {
    let mut receiver = receiver_with_session();
    let sender = b"\x80\0\0\0\x04sender";
    let mut accepted = receiver.accept(&inform_in_session(sender)).ok().unwrap();
    assert_eq!(accepted.notification.context_engine_id, EngineId::new(sender).ok());
    assert_eq!(accepted.notification.context_name, b"west");
    assert!(accepted.notification.community.is_none());
    let message = receiver.complete(&mut accepted, StoreResult::Stored).unwrap();
    let parsed = V3Message::parse(&message).unwrap();
    assert_eq!(parsed.header.msg_id, 9);
    let ScopedPduData::Plaintext(range) = parsed.data else { panic!("encrypted in a session") };
    let mut scoped_pdu = ScopedPdu::parse(&mut Reader::new(&message[range])).unwrap();
    assert_eq!((scoped_pdu.context_engine_id, scoped_pdu.context_name), (&sender[..], &b"west"[..]));
    assert_eq!(Pdu::parse(&mut scoped_pdu.pdu).unwrap().request_id, REQUEST_ID);
}

//= rfc3412#7.1-2b
//= type=test
#[test]
fn response_repeats_a_context_engine_id_that_is_not_valid() {
    let mut receiver = receiver_with_session();
    for length in [0, 1, 4, 5, 32] {
        let octets = vec![0xab; length];
        let mut accepted = receiver.accept(&inform_in_session(&octets)).ok().unwrap();
        assert_eq!(accepted.notification.context_engine_id.is_some(), length >= 5, "{length}");
        let message = receiver.complete(&mut accepted, StoreResult::Stored).unwrap();
        let ScopedPduData::Plaintext(range) = V3Message::parse(&message).unwrap().data else { panic!() };
        let scoped_pdu = ScopedPdu::parse(&mut Reader::new(&message[range])).unwrap();
        assert_eq!(scoped_pdu.context_engine_id, octets);
    }
    // An engine ID has at most 32 octets. Such an inform is not stored.
    for length in [33, 40, 300] {
        let outcome = receiver.accept(&inform_in_session(&vec![0xab; length]));
        assert_eq!(outcome.err(), Some(Failure::Report), "{length}");
    }
}

#[test]
fn notification_without_leading_up_time_and_type_is_refused() {
    let up_time = instance(&SYS_UP_TIME);
    let trap_oid = instance(&SNMP_TRAP_OID);
    let time = || (&up_time[..], Value::TimeTicks(42));
    let kind = || (&trap_oid[..], Value::ObjectId(OidRef::Arcs(LINK_DOWN)));
    let (no_time, no_kind) = (TranslationError::NoSysUpTime, TranslationError::NoSnmpTrapOid);
    let table = [
        (vec![], no_time),
        (vec![kind()], no_time),
        (vec![kind(), time()], no_time),
        (vec![(&up_time[..], Value::Integer(42)), kind()], no_time),
        (vec![time()], no_kind),
        (vec![time(), time()], no_kind),
        (vec![time(), (&trap_oid[..], Value::OctetString(b"1.3.6"))], no_kind),
    ];
    let mut receiver = Receiver::new(vec![any()]);
    for (var_binds, reason) in table {
        for pdu_type in [PduType::TrapV2, PduType::InformRequest] {
            let refused = receiver.accept(&v2c(pdu_type, b"public", &encode(&var_binds))).err();
            assert_eq!(refused, Some(Failure::Refused(RefusedReason::Invalid(reason))), "{var_binds:?}");
        }
    }
    assert_eq!(receiver.refused_by(SOURCE), 14);
}

#[test]
fn trap_oid_of_128_arcs_is_accepted_and_an_empty_or_longer_one_is_malformed() {
    let mut receiver = Receiver::new(vec![any()]);
    let longest: Vec<u32> = [1, 3].into_iter().chain(1..=126).collect();
    let accepted = receiver.accept(&trap(&longest)).ok().unwrap();
    assert_eq!(*accepted.notification.snmp_trap_oid, longest[..]);
    let malformed = Some(Failure::Engine(RejectReason::Malformed));
    let empty = replace_trap_oid(&[]);
    assert_eq!(receiver.accept(&empty).err(), malformed);
    assert_eq!(receiver.accept(&replace_trap_oid(&[1; 128])).err(), malformed);
    assert!(receiver.accept(&replace_trap_oid(&[0x2b, 6, 1])).is_ok());
}

/// Builds a trap whose snmpTrapOID has the content octets `content`.
fn replace_trap_oid(content: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; 1024];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(content).unwrap();
    writer.header(Tag::OBJECT_IDENTIFIER, content.len()).unwrap();
    writer.oid(&OidRef::Arcs(&instance(&SNMP_TRAP_OID))).unwrap();
    writer.wrap(Tag::SEQUENCE, 0).unwrap();
    let since = writer.len();
    writer.unsigned(Tag::TIME_TICKS, 42).unwrap();
    writer.oid(&OidRef::Arcs(&instance(&SYS_UP_TIME))).unwrap();
    writer.wrap(Tag::SEQUENCE, since).unwrap();
    prepend_pdu(&mut writer, PduType::TrapV2, REQUEST_ID, 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").unwrap();
    writer.written().to_vec()
}

#[test]
fn v1_trap_without_a_translation_is_refused() {
    let mut receiver = Receiver::new(vec![any()]);
    let table = [
        (trap_v1(7, ENTERPRISE), TranslationError::UnknownGenericTrap),
        (trap_v1(-1, ENTERPRISE), TranslationError::UnknownGenericTrap),
        (trap_v1(6, &[1; 127]), TranslationError::EnterpriseTooLong),
    ];
    for (message, reason) in table {
        let refused = receiver.accept(&message).err();
        assert_eq!(refused, Some(Failure::Refused(RefusedReason::Invalid(reason))));
    }
    assert_eq!(receiver.refused_by(SOURCE), 3);
    assert_eq!(receiver.receiver.take_refused().iter().map(|(_, count)| count).sum::<u64>(), 3);
    assert_eq!(receiver.refused_by(SOURCE), 0);
}

#[test]
fn notifications_are_counted_for_a_bounded_number_of_sources() {
    let mut refused = SourceCounts::default();
    let address = |number: usize| {
        let number = u32::try_from(number).unwrap();
        TransportAddress::Ip(SocketAddr::from((number.to_be_bytes(), 1)))
    };
    for number in 0..MAX_SOURCES + 10 {
        refused.count(address(number));
    }
    refused.count(address(0));
    refused.count(TransportAddress::Local { uid: 1000 });
    assert_eq!(refused.iter().count(), MAX_SOURCES);
    assert_eq!(refused.others(), 11);
    assert_eq!(refused.iter().map(|(_, count)| count).sum::<u64>(), MAX_SOURCES as u64 + 1);
}
