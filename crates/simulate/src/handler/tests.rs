//! Tests of simulated agents with a real manager's session and a simulated clock.

use std::{sync::Arc, time::Duration};

use portreeve_crypto::AuthProtocol;
use portreeve_lcd::Name;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TmStateReference, TransportAddress, TransportDomain};
use portreeve_snmp_manager::{
    Credentials, DropReason, Operation, Request, RequestError, Response, Session, SessionOptions, UsmUser,
};

use super::*;
use crate::{
    access::AccessTables,
    agent_set::{AgentContent, AgentTemplate},
    faults::{NetworkConditions, Percentage},
    recording::{Recording, RecordingFormat},
    users,
};

/// A manager and the agents that it queries. Messages arrive without transit time.
struct TestPair {
    handler: Handler,
    session: Session,
    now: Timestamp,
    transport: TransportDomain,
}

/// The settings of a [`TestPair`].
struct PairBuilder {
    conditions: NetworkConditions,
    max_response: usize,
    reset_clock: Option<Duration>,
    content: AgentContent,
    contexts: Vec<Name>,
}

impl Default for PairBuilder {
    fn default() -> Self {
        Self {
            conditions: NetworkConditions::default(),
            max_response: SIZE,
            reset_clock: None,
            content: AgentContent::One(recording("router")),
            contexts: Vec::new(),
        }
    }
}

impl PairBuilder {
    fn with(conditions: NetworkConditions) -> Self {
        Self { conditions, ..Self::default() }
    }

    fn pair(self, credentials: Credentials) -> TestPair {
        let users = users::read(std::path::Path::new("users"), "ops SHA-256 authentic1").unwrap();
        let template = AgentTemplate {
            access: AccessTables::new("public", users, &self.contexts),
            contents: vec![self.content],
            max_message_size: SIZE,
            reset_clock: self.reset_clock,
            seed: 1,
        };
        let agent_set = AgentSet::new(Arc::new(template), vec![0]);
        TestPair {
            handler: Handler::new(agent_set, FaultInjector::new(self.conditions, 1), self.max_response),
            session: Session::new(credentials, &SessionOptions::default(), 1),
            now: Timestamp::from_secs(1),
            transport: TransportDomain::Udp,
        }
    }

    fn v2c(self) -> TestPair {
        self.pair(Credentials::V2c(Secret::from("public")))
    }
}

impl TestPair {
    /// Sends all messages of the session and returns the responses with their times.
    fn exchange(&mut self) -> Vec<(Timestamp, Vec<u8>)> {
        let peer = TransportAddress::Ip("127.0.0.1:50000".parse().unwrap());
        let source = MessageSource::detached(TmStateReference::unauthenticated(self.transport, peer), SIZE);
        let mut arrivals = Vec::new();
        while let Some(message) = self.session.poll_output(self.now) {
            let (mut message, mut reply) = (message.to_vec(), vec![0; 2 * SIZE]);
            if let Disposition::Reply(range) =
                self.handler.handle(self.now, &source, &mut message, &mut reply)
            {
                arrivals.push((self.now, reply[range].to_vec()));
            }
        }
        while let Some(due) = self.handler.next_timeout() {
            let early = Timestamp::from_micros(due.as_micros() - 1);
            self.handler.poll(early, &mut |_, _, _| panic!("a response was sent too early"));
            self.handler.poll(due, &mut |_, _, message| arrivals.push((due, message.to_vec())));
        }
        arrivals
    }

    fn request(&mut self, operation: Operation, name: &str) -> Result<Response, RequestError> {
        let name: Oid = name.parse().unwrap();
        self.session.request(&Request::read(operation, [&*name]));
        // Engine ID discovery and time synchronization may precede the response.
        for _ in 0..4 {
            for (at, mut message) in self.exchange() {
                self.session.handle_input(at, &mut message);
            }
            if let Some(event) = self.session.poll_event() {
                return event.result;
            }
        }
        panic!("no end: {:?}", self.session.last_drop_reason());
    }

    fn get(&mut self, name: &str) -> OwnedValue {
        values(&self.request(Operation::Get, name).unwrap()).remove(0).1
    }

    /// Sends `count` requests at once and returns the responses with their times.
    fn arrivals(&mut self, count: usize) -> Vec<(Timestamp, Vec<u8>)> {
        for _ in 0..count {
            self.session.request(&Request::read(Operation::Get, [&SYS_NAME]));
        }
        self.exchange()
    }
}

fn values(response: &Response) -> Vec<(String, OwnedValue)> {
    let content = response.var_binds();
    content
        .iter()
        .map(|bind| (Oid::new(&bind.name.to_buf()).unwrap().to_string(), bind.value.into()))
        .collect()
}

fn recording(name: &str) -> Arc<Recording> {
    let (format, text) = match name {
        "router" => (RecordingFormat::Snmpwalk, &include_bytes!("cases/router.walk")[..]),
        _ => (RecordingFormat::Snmprec, &include_bytes!("cases/switch.snmprec")[..]),
    };
    let (recording, errors) = Recording::read(format, text);
    assert_eq!(errors, []);
    Arc::new(recording)
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::OctetString(text.as_bytes().to_vec())
}

fn all() -> Percentage {
    Percentage::from_percent(100.0).unwrap()
}

const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];
const SIZE: usize = 16_384;

#[test]
fn simulated_agent_responds_from_its_recording() {
    let mut pair = PairBuilder::default().v2c();
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text("router"));
    assert_eq!(pair.get("1.3.6.1.2.1.31.1.1.1.6.2"), OwnedValue::Counter64(u64::MAX));
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.1"), OwnedValue::NoSuchInstance);
    assert_eq!(pair.get("1.3.6.1.2.1.1.9.0"), OwnedValue::NoSuchObject);
    assert_eq!(pair.get("1.3.6.1.4.1.99999.1.2.1"), OwnedValue::NoSuchInstance);
    assert_eq!(pair.get("1.3.6.1.4.1.99999.3.2.1"), OwnedValue::NoSuchObject);
    assert_eq!(pair.get("2.5"), OwnedValue::NoSuchObject);
}

#[test]
fn snmpv1_walk_skips_counter64_objects() {
    let mut pair = PairBuilder::default().pair(Credentials::V1(Secret::from("public")));
    let response = pair.request(Operation::GetNext, "1.3.6.1.2.1.31.1.1.1.1.2").unwrap();
    assert_eq!(values(&response), [("1.3.6.1.2.1.31.1.1.1.18.1".to_owned(), text("uplink"))]);
    let hidden = pair.request(Operation::Get, "1.3.6.1.2.1.31.1.1.1.6.1").unwrap();
    assert_eq!(hidden.error_status(), Some(ErrorStatus::NoSuchName));
}

#[test]
fn community_equal_to_a_context_name_selects_its_recording() {
    for (community, expected) in [("public", "router"), ("router", "router"), ("switch", "switch")] {
        let names: [Name; 2] = [(*b"router").into(), (*b"switch").into()];
        let contexts =
            names.iter().cloned().zip(["router", "switch"].map(recording)).collect::<Vec<_>>().into();
        let parts = PairBuilder {
            content: AgentContent::Contexts(recording("router"), contexts),
            contexts: names.to_vec(),
            ..PairBuilder::default()
        };
        let mut pair = parts.pair(Credentials::V2c(Secret::from(community)));
        assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text(expected), "{community}");
    }
}

#[test]
fn messages_are_lost_over_udp_but_not_tcp() {
    let mut pair = PairBuilder::with(NetworkConditions { loss: all(), ..NetworkConditions::default() }).v2c();
    assert_eq!(pair.arrivals(50), []);
    pair.transport = TransportDomain::Tcp;
    assert_eq!(pair.arrivals(3).len(), 3);
}

#[test]
fn response_is_sent_after_configured_delay() {
    let delay = Duration::from_millis(300);
    let mut pair = PairBuilder::with(NetworkConditions { delay, ..NetworkConditions::default() }).v2c();
    let arrivals = pair.arrivals(3);
    let times: Vec<_> = arrivals.iter().map(|(at, _)| at.since(pair.now)).collect();
    assert_eq!(times, [delay; 3]);
}

#[test]
fn jitter_spreads_send_times_of_responses() {
    let jitter = Duration::from_millis(100);
    let mut pair = PairBuilder::with(NetworkConditions { jitter, ..NetworkConditions::default() }).v2c();
    let times: Vec<_> = pair.arrivals(50).iter().map(|(at, _)| at.since(pair.now)).collect();
    assert!(times.iter().all(|time| *time <= jitter));
    assert!(times.iter().max().unwrap().saturating_sub(*times.iter().min().unwrap()) > jitter / 2);
}

#[test]
fn duplicate_fault_sends_the_response_twice() {
    let mut pair =
        PairBuilder::with(NetworkConditions { duplicate: all(), ..NetworkConditions::default() }).v2c();
    let arrivals = pair.arrivals(1);
    assert_eq!(arrivals.len(), 2);
    assert_eq!(arrivals[0].1, arrivals[1].1);
}

#[test]
fn reorder_fault_changes_the_order_of_responses() {
    let reorder = Percentage::from_percent(50.0).unwrap();
    let in_order: Vec<_> =
        PairBuilder::default().v2c().arrivals(20).into_iter().map(|(_, message)| message).collect();
    let mut pair = PairBuilder::with(NetworkConditions { reorder, ..NetworkConditions::default() }).v2c();
    let mixed: Vec<_> = pair.arrivals(20).into_iter().map(|(_, message)| message).collect();
    assert_ne!(mixed, in_order);
    let sorted = |mut messages: Vec<Vec<u8>>| {
        messages.sort();
        messages
    };
    assert_eq!(sorted(mixed), sorted(in_order));
}

#[test]
fn delayed_responses_do_not_exceed_memory_limit() {
    let delay = Duration::from_secs(3600);
    let mut pair = PairBuilder::with(NetworkConditions { delay, ..NetworkConditions::default() }).v2c();
    pair.handler.octets = MAX_DELAYED_BYTES - 100;
    let arrivals = pair.arrivals(5);
    assert_eq!(arrivals.len(), 100 / arrivals[0].1.len());
    assert_eq!(pair.handler.octets, MAX_DELAYED_BYTES - 100);
}

#[test]
fn getbulk_response_is_truncated_at_maximum_response_size() {
    let bulk = Operation::GetBulk { non_repeaters: 0, max_repetitions: 30 };
    let integer = PairBuilder::default().v2c().request(bulk, "1.3").unwrap();
    let cut = PairBuilder { max_response: 484, ..PairBuilder::default() }.v2c().request(bulk, "1.3").unwrap();
    let (integer, cut) = (values(&integer), values(&cut));
    assert_eq!(integer.len(), 28 + 1, "28 instances, then endOfMibView");
    assert!((5..integer.len()).contains(&cut.len()), "{}", cut.len());
    assert_eq!(cut, integer[..cut.len()]);
}

#[test]
fn session_drops_report_of_agent_whose_clock_was_reset() {
    let user = || {
        let user = UsmUser::with_auth(b"ops", AuthProtocol::HmacSha256_192, &Secret::from("authentic1"));
        Credentials::V3(user.unwrap())
    };
    let parts = || PairBuilder { reset_clock: Some(Duration::from_secs(1000)), ..PairBuilder::default() };
    let mut pair = parts().pair(user());
    pair.now = Timestamp::from_secs(900);
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text("router"));
    pair.now = Timestamp::from_secs(1001);
    // The agent has restarted with unchanged snmpEngineBoots. Its Report is authentic but outside
    // the time window, so the session drops it and does not set its clock back.
    pair.session.request(&Request::read(Operation::Get, [&SYS_NAME]));
    let (at, mut report) = pair.exchange().remove(0);
    pair.session.handle_input(at, &mut report);
    assert_eq!(pair.session.last_drop_reason(), Some(DropReason::NotInTimeWindow));
    assert!(pair.session.poll_event().is_none());
    // A session that does not know the earlier clock is not affected by the restart.
    let mut other = parts().pair(user());
    other.now = Timestamp::from_secs(1001);
    assert_eq!(other.get("1.3.6.1.2.1.1.5.0"), text("router"));
}

#[test]
fn snmprec_variations_change_value_delay_and_error_status() {
    let lines = b"1.3.6.1.2.1.1.3.0|67:numeric|rate=100\n1.3.6.1.2.1.1.5.0|4:delay|value=late,wait=700\n\
                  1.3.6.1.2.1.1.6.0|4:error|status=genErr\n1.3.6.1.2.1.1.7.0|2:delay|value=1,wait=1000000\n";
    let (varying, errors) = Recording::read(RecordingFormat::Snmprec, lines);
    assert_eq!(errors, []);
    let parts = PairBuilder {
        content: AgentContent::One(Arc::new(varying)),
        reset_clock: Some(Duration::from_secs(100)),
        ..PairBuilder::default()
    };
    let mut pair = parts.v2c();
    pair.now = Timestamp::from_secs(42);
    assert_eq!(pair.get("1.3.6.1.2.1.1.3.0"), OwnedValue::TimeTicks(4200));
    pair.now = Timestamp::from_secs(103);
    assert_eq!(pair.get("1.3.6.1.2.1.1.3.0"), OwnedValue::TimeTicks(300), "it has restarted");
    let times: Vec<_> = pair.arrivals(2).iter().map(|(at, _)| at.since(pair.now)).collect();
    assert_eq!(times, [Duration::from_millis(700); 2]);
    let failed = pair.request(Operation::GetNext, "1.3.6.1.2.1.1.6").unwrap();
    assert_eq!(failed.error_status(), Some(ErrorStatus::GenErr));
    pair.session.request(&Request::read(Operation::GetNext, [[1, 3, 6, 1, 2, 1, 1, 7]]));
    assert_eq!(pair.exchange(), []);
}
