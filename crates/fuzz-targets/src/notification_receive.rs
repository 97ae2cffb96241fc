//! Arbitrary octets as a datagram that a notification receiver receives.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use portreeve_lcd::{
    AllowedWeaknesses, CommunityKey, CommunityRow, Lcd, StorageType, Tables, UserKey, UserRow,
};
use portreeve_smi::ber::{ForwardWriter, ReverseWriter};
use portreeve_smi::{
    EngineBoots, EngineId, SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain,
};
use portreeve_snmp_apps::{
    AcceptedNotification, NotificationActions, NotificationReceiver, NotificationRule, StoreResult,
};
use portreeve_snmp_engine::senders::SenderSettings;
use portreeve_snmp_engine::statistics::{Counter, Statistics};
use portreeve_snmp_engine::{Engine, LocalEngine, NotificationOutcome, reply_buffer_size};

/// Checks that every message is counted once, that no message without keys is accepted as
/// authenticated, that accepted notifications can be translated, and that the response to an inform
/// is not longer than allowed.
pub fn notification_receive(octets: &[u8]) {
    thread_local! {
        static RECEIVER: RefCell<TestReceiver> = RefCell::new(TestReceiver::new());
    }
    RECEIVER.with_borrow_mut(|receiver| receiver.receive(octets));
}

/// A receiver with one community, and one user without keys on the receiver and on one sender.
struct TestReceiver {
    engine: Engine,
    lcd: Arc<Lcd>,
    receiver: NotificationReceiver,
    transport: TmStateReference,
    reply: Vec<u8>,
}

impl TestReceiver {
    fn new() -> Self {
        let mut tables = Tables { allowed_weaknesses: AllowedWeaknesses::ALL, ..Tables::default() };
        let mut community = CommunityRow::new(CommunityKey { index: (*b"c").into() });
        community.columns.name = (*b"public").into();
        community.columns.security_name = (*b"sender").into();
        tables.insert(community.into_active(StorageType::ReadOnly));
        for engine_id in [engine_id(b"\x80\0\0\0\x04sender"), engine_id(RECEIVER_ID)] {
            let user = UserRow::new(UserKey { engine_id, name: (*b"traps").into() });
            tables.insert(user.into_active(StorageType::ReadOnly));
        }
        let lcd = Arc::new(Lcd::compile(tables));
        let local = LocalEngine {
            engine_id: engine_id(RECEIVER_ID),
            boots: EngineBoots::new(5),
            started: Timestamp::ZERO,
            max_message_size: 65_535,
        };
        let mut engine = Engine::new(local, &lcd, Statistics::new(1).recorder(0), 0);
        engine.accept_senders(SenderSettings { max_engines: 16, ..SenderSettings::default() });
        let rule = NotificationRule {
            security_model: None,
            security_name: None,
            min_level: SecurityLevel::NoAuthNoPriv,
            sources: Vec::new(),
            subtree: None,
            actions: NotificationActions::ALL,
        };
        let source = TransportAddress::Ip(SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000)));
        Self {
            engine,
            lcd,
            receiver: NotificationReceiver::new(vec![rule]),
            transport: TmStateReference::unauthenticated(TransportDomain::Udp, source),
            reply: vec![0; reply_buffer_size(65_535)],
        }
    }

    fn receive(&mut self, octets: &[u8]) {
        let mut message = octets.to_vec();
        let statistics = Arc::clone(self.engine.statistics().statistics());
        let before = statistics.sum(Counter::SnmpInPkts);
        let Self { engine, lcd, receiver, transport, reply } = self;
        let outcome = engine.receive_notification(lcd, NOW, transport, MAX_REPLY, &mut message, reply);
        let accepted = match outcome {
            NotificationOutcome::Notification(notification) => receiver.accept(transport, &notification).ok(),
            NotificationOutcome::Report { range, .. } | NotificationOutcome::Discovery(range) => {
                assert!(range.len() <= MAX_REPLY && reply.get(range).is_some());
                None
            }
            NotificationOutcome::Dropped(_) => None,
        };
        assert_eq!(statistics.sum(Counter::SnmpInPkts), before + 1);
        assert_eq!(engine.sender_count(), 0, "learned a clock from a message that is not authentic");
        if let Some(accepted) = accepted {
            self.check(accepted, octets.len());
        }
    }

    fn check(&mut self, accepted: AcceptedNotification, length: usize) {
        let AcceptedNotification { notification, acknowledgement } = accepted;
        assert_eq!(notification.security_level, SecurityLevel::NoAuthNoPriv);
        assert_eq!(notification.var_binds().iter().count(), notification.var_binds().len());
        assert_ne!(notification.to_v1().is_some(), notification.to_v2().is_some());
        let mut buffer = vec![0; length + 1024];
        if let Some(Ok(translated)) = notification.to_v1() {
            translated.prepend(&mut ReverseWriter::new(&mut buffer)).expect("the buffer is large enough");
        }
        if let Some(translated) = notification.to_v2() {
            let translated = translated.expect("the receiver refuses traps without a translation");
            translated.append(&mut ForwardWriter::new(&mut buffer)).expect("the buffer is large enough");
        }
        let Some(acknowledgement) = acknowledgement else { return };
        let result = if length.is_multiple_of(2) { StoreResult::Stored } else { StoreResult::Failed };
        if let Some(range) = acknowledgement.complete(&mut self.engine, NOW, result, &mut self.reply) {
            assert!(range.len() <= MAX_REPLY && self.reply.get(range).is_some());
        }
    }
}

fn engine_id(octets: &[u8]) -> EngineId {
    EngineId::new(octets).expect("5 to 32 octets")
}

const RECEIVER_ID: &[u8] = b"\x80\0\0\0\x04receiver";

/// The time of all messages: a thousand seconds after the engine's start.
const NOW: Timestamp = Timestamp::from_secs(1000);

/// The maximum length of a reply in octets. It fits one Ethernet frame.
const MAX_REPLY: usize = 1472;
