//! A real manager's session and simulated agents, on a clock of the test's own.

use std::{sync::Arc, time::Duration};

use portreeve_crypto::AuthProtocol;
use portreeve_lcd::Name;
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TmStateReference, TransportAddress, TransportDomain};
use portreeve_snmp_manager::{
    Credentials, Ignored, Operation, Request, RequestError, Response, Session, SessionOptions, UsmUser,
};

use super::*;
use crate::{
    faults::{Conditions, Share},
    fleet::{Blueprint, Shown},
    recording::{Format, Recording},
    site::Site,
    users,
};

/// A manager beside the agents; everything arrives when it leaves.
struct Pair {
    handler: Handler,
    session: Session,
    now: Timestamp,
    transport: TransportDomain,
}

/// What to build a pair from.
struct Parts {
    conditions: Conditions,
    max_answer: usize,
    forget_boots: Option<Duration>,
    shown: Shown,
    contexts: Vec<Name>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            conditions: Conditions::default(),
            max_answer: SIZE,
            forget_boots: None,
            shown: Shown::One(recording("router")),
            contexts: Vec::new(),
        }
    }
}

impl Parts {
    fn with(conditions: Conditions) -> Self {
        Self { conditions, ..Self::default() }
    }

    fn pair(self, credentials: Credentials) -> Pair {
        let users = users::read(std::path::Path::new("users"), "ops SHA-256 authentic1").unwrap();
        let blueprint = Blueprint {
            site: Site::new("public", users, &self.contexts),
            shown: vec![self.shown],
            max_message_size: SIZE,
            forget_boots: self.forget_boots,
            seed: 1,
        };
        let fleet = Fleet::new(Arc::new(blueprint), vec![0]);
        Pair {
            handler: Handler::new(fleet, Faults::new(self.conditions, 1), self.max_answer),
            session: Session::new(credentials, &SessionOptions::default(), 1),
            now: Timestamp::from_secs(1),
            transport: TransportDomain::Udp,
        }
    }

    fn v2c(self) -> Pair {
        self.pair(Credentials::V2c(Secret::from("public")))
    }
}

impl Pair {
    /// Sends what the session has to send; returns what comes back, and when.
    fn exchange(&mut self) -> Vec<(Timestamp, Vec<u8>)> {
        let peer = TransportAddress::Ip("127.0.0.1:50000".parse().unwrap());
        let source = Source::detached(TmStateReference::unauthenticated(self.transport, peer), SIZE);
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
            self.handler.poll(early, &mut |_, _| panic!("an answer left before its time"));
            self.handler.poll(due, &mut |_, message| arrivals.push((due, message.to_vec())));
        }
        arrivals
    }

    fn ask(&mut self, operation: Operation, name: &str) -> Result<Response, RequestError> {
        let name: Oid = name.parse().unwrap();
        self.session.request(&Request::read(operation, [&*name]));
        // A discovery and a change of clocks may come first.
        for _ in 0..4 {
            for (at, mut message) in self.exchange() {
                self.session.handle_input(at, &mut message);
            }
            if let Some(event) = self.session.poll_event() {
                return event.result;
            }
        }
        panic!("no end: {:?}", self.session.last_ignored());
    }

    fn get(&mut self, name: &str) -> OwnedValue {
        values(&self.ask(Operation::Get, name).unwrap()).remove(0).1
    }

    /// When answers to `count` requests that leave now come back.
    fn arrivals(&mut self, count: usize) -> Vec<(Timestamp, Vec<u8>)> {
        for _ in 0..count {
            self.session.request(&Request::read(Operation::Get, [&SYS_NAME]));
        }
        self.exchange()
    }
}

fn values(response: &Response) -> Vec<(String, OwnedValue)> {
    let shown = response.var_binds();
    shown.iter().map(|bind| (Oid::new(&bind.name.to_buf()).unwrap().to_string(), bind.value.into())).collect()
}

fn recording(name: &str) -> Arc<Recording> {
    let (format, text) = match name {
        "router" => (Format::Snmpwalk, &include_bytes!("../../tests/cases/router.walk")[..]),
        _ => (Format::Snmprec, &include_bytes!("../../tests/cases/switch.snmprec")[..]),
    };
    let (recording, problems) = Recording::read(format, text);
    assert_eq!(problems, []);
    Arc::new(recording)
}

fn text(text: &str) -> OwnedValue {
    OwnedValue::OctetString(text.as_bytes().to_vec())
}

fn all() -> Share {
    Share::percent(100.0).unwrap()
}

const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];
const SIZE: usize = 16_384;

#[test]
fn an_agent_answers_what_its_recording_has() {
    let mut pair = Parts::default().v2c();
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text("router"));
    assert_eq!(pair.get("1.3.6.1.2.1.31.1.1.1.6.2"), OwnedValue::Counter64(u64::MAX));
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.1"), OwnedValue::NoSuchInstance);
    assert_eq!(pair.get("1.3.6.1.2.1.1.9.0"), OwnedValue::NoSuchObject);
    assert_eq!(pair.get("1.3.6.1.4.1.99999.1.2.1"), OwnedValue::NoSuchInstance);
    assert_eq!(pair.get("1.3.6.1.4.1.99999.3.2.1"), OwnedValue::NoSuchObject);
    assert_eq!(pair.get("2.5"), OwnedValue::NoSuchObject);
}

#[test]
fn snmpv1_walks_past_counters_it_has_no_type_for() {
    let mut pair = Parts::default().pair(Credentials::V1(Secret::from("public")));
    let response = pair.ask(Operation::GetNext, "1.3.6.1.2.1.31.1.1.1.1.2").unwrap();
    assert_eq!(values(&response), [("1.3.6.1.2.1.31.1.1.1.18.1".to_owned(), text("uplink"))]);
    let hidden = pair.ask(Operation::Get, "1.3.6.1.2.1.31.1.1.1.6.1").unwrap();
    assert_eq!(hidden.error_status(), Some(ErrorStatus::NoSuchName));
}

#[test]
fn a_context_is_a_community_and_shows_its_own_recording() {
    for (community, expected) in [("public", "router"), ("router", "router"), ("switch", "switch")] {
        let names: [Name; 2] = [(*b"router").into(), (*b"switch").into()];
        let contexts =
            names.iter().cloned().zip(["router", "switch"].map(recording)).collect::<Vec<_>>().into();
        let parts = Parts {
            shown: Shown::Contexts(recording("router"), contexts),
            contexts: names.to_vec(),
            ..Parts::default()
        };
        let mut pair = parts.pair(Credentials::V2c(Secret::from(community)));
        assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text(expected), "{community}");
    }
}

#[test]
fn lost_is_lost() {
    let mut pair = Parts::with(Conditions { loss: all(), ..Conditions::default() }).v2c();
    assert_eq!(pair.arrivals(50), []);
    pair.transport = TransportDomain::Tcp;
    assert_eq!(pair.arrivals(3).len(), 3);
}

#[test]
fn a_delayed_answer_comes_when_its_time_has_come() {
    let delay = Duration::from_millis(300);
    let mut pair = Parts::with(Conditions { delay, ..Conditions::default() }).v2c();
    let arrivals = pair.arrivals(3);
    let times: Vec<_> = arrivals.iter().map(|(at, _)| at.since(pair.now)).collect();
    assert_eq!(times, [delay; 3]);
}

#[test]
fn jitter_brings_answers_apart() {
    let jitter = Duration::from_millis(100);
    let mut pair = Parts::with(Conditions { jitter, ..Conditions::default() }).v2c();
    let times: Vec<_> = pair.arrivals(50).iter().map(|(at, _)| at.since(pair.now)).collect();
    assert!(times.iter().all(|time| *time <= jitter));
    assert!(times.iter().max().unwrap().saturating_sub(*times.iter().min().unwrap()) > jitter / 2);
}

#[test]
fn a_doubled_answer_comes_twice() {
    let mut pair = Parts::with(Conditions { duplicate: all(), ..Conditions::default() }).v2c();
    let arrivals = pair.arrivals(1);
    assert_eq!(arrivals.len(), 2);
    assert_eq!(arrivals[0].1, arrivals[1].1);
}

#[test]
fn a_later_answer_overtakes_one_held_back() {
    let disorder = Share::percent(50.0).unwrap();
    let in_order: Vec<_> =
        Parts::default().v2c().arrivals(20).into_iter().map(|(_, message)| message).collect();
    let mut pair = Parts::with(Conditions { disorder, ..Conditions::default() }).v2c();
    let mixed: Vec<_> = pair.arrivals(20).into_iter().map(|(_, message)| message).collect();
    assert_ne!(mixed, in_order);
    let sorted = |mut messages: Vec<Vec<u8>>| {
        messages.sort();
        messages
    };
    assert_eq!(sorted(mixed), sorted(in_order));
}

#[test]
fn answers_on_their_way_take_up_no_more_than_their_bound() {
    let delay = Duration::from_secs(3600);
    let mut pair = Parts::with(Conditions { delay, ..Conditions::default() }).v2c();
    pair.handler.octets = MOST_HELD - 100;
    let arrivals = pair.arrivals(5);
    assert_eq!(arrivals.len(), 100 / arrivals[0].1.len());
    assert_eq!(pair.handler.octets, MOST_HELD - 100);
}

#[test]
fn bulks_are_cut_where_an_answer_may_be_no_longer() {
    let bulk = Operation::GetBulk { non_repeaters: 0, max_repetitions: 30 };
    let whole = Parts::default().v2c().ask(bulk, "1.3").unwrap();
    let cut = Parts { max_answer: 484, ..Parts::default() }.v2c().ask(bulk, "1.3").unwrap();
    let (whole, cut) = (values(&whole), values(&cut));
    assert_eq!(whole.len(), 28 + 1, "28 instances, then endOfMibView");
    assert!((5..whole.len()).contains(&cut.len()), "{}", cut.len());
    assert_eq!(cut, whole[..cut.len()]);
}

#[test]
fn an_agent_that_forgets_its_boots_is_outside_the_time_window() {
    let user = || {
        let user = UsmUser::with_auth(b"ops", AuthProtocol::HmacSha256_192, &Secret::from("authentic1"));
        Credentials::V3(user.unwrap())
    };
    let parts = || Parts { forget_boots: Some(Duration::from_secs(1000)), ..Parts::default() };
    let mut pair = parts().pair(user());
    pair.now = Timestamp::from_secs(900);
    assert_eq!(pair.get("1.3.6.1.2.1.1.5.0"), text("router"));
    pair.now = Timestamp::from_secs(1001);
    // What comes back is authentic, but from before its time: no answer, and nothing to step the clock back for.
    pair.session.request(&Request::read(Operation::Get, [&SYS_NAME]));
    let (at, mut report) = pair.exchange().remove(0);
    pair.session.handle_input(at, &mut report);
    assert_eq!(pair.session.last_ignored(), Some(Ignored::NotInTimeWindow));
    assert!(pair.session.poll_event().is_none());
    // Who has not known it before has no reason to complain.
    let mut stranger = parts().pair(user());
    stranger.now = Timestamp::from_secs(1001);
    assert_eq!(stranger.get("1.3.6.1.2.1.1.5.0"), text("router"));
}

#[test]
fn what_varies_is_shown_as_it_is_at_the_time() {
    let lines = b"1.3.6.1.2.1.1.3.0|67:numeric|rate=100\n1.3.6.1.2.1.1.5.0|4:delay|value=late,wait=700\n\
                  1.3.6.1.2.1.1.6.0|4:error|status=genErr\n1.3.6.1.2.1.1.7.0|2:delay|value=1,wait=1000000\n";
    let (varying, problems) = Recording::read(Format::Snmprec, lines);
    assert_eq!(problems, []);
    let parts = Parts {
        shown: Shown::One(Arc::new(varying)),
        forget_boots: Some(Duration::from_secs(100)),
        ..Parts::default()
    };
    let mut pair = parts.v2c();
    pair.now = Timestamp::from_secs(42);
    assert_eq!(pair.get("1.3.6.1.2.1.1.3.0"), OwnedValue::TimeTicks(4200));
    pair.now = Timestamp::from_secs(103);
    assert_eq!(pair.get("1.3.6.1.2.1.1.3.0"), OwnedValue::TimeTicks(300), "it has restarted");
    let times: Vec<_> = pair.arrivals(2).iter().map(|(at, _)| at.since(pair.now)).collect();
    assert_eq!(times, [Duration::from_millis(700); 2]);
    let failed = pair.ask(Operation::GetNext, "1.3.6.1.2.1.1.6").unwrap();
    assert_eq!(failed.error_status(), Some(ErrorStatus::GenErr));
    pair.session.request(&Request::read(Operation::GetNext, [[1, 3, 6, 1, 2, 1, 1, 7]]));
    assert_eq!(pair.exchange(), []);
}
