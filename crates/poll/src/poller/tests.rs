use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use portreeve_secret::Secret;
use portreeve_smi::{
    MessageProcessingModel, Oid, Timestamp, Value,
    ber::{ForwardWriter, ReverseWriter},
};
use portreeve_snmp_manager::{RequestError, WalkError};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};

use super::{Peer, Place, Poller};
use crate::{Credential, Group, Target};

/// Target `number`, which is asked for `objects` objects, one in each message.
fn target(number: u8, objects: u32) -> Target {
    Target {
        name: format!("target{number}").into(),
        address: "192.0.2.1".parse().unwrap(),
        credential: Arc::new(Credential::V2c(Secret::from("public"))),
        group: Arc::new(Group {
            get: (1..=objects).map(|row| Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, row]).unwrap()).collect(),
            ..Group::default()
        }),
        interval: Duration::from_secs(60),
        timeout: Duration::from_secs(5),
        window: 2,
        pace: Duration::ZERO,
        variables: 1,
        context: Vec::new(),
    }
}

fn place(number: u8) -> Place {
    Place { socket: 0, address: SocketAddr::from(([192, 0, 2, number], 161)) }
}

fn peer(number: u8, target: Target) -> Peer {
    Peer::new(target, place(number), Timestamp::ZERO, u64::from(number)).unwrap()
}

fn poller(targets: Vec<Target>) -> Poller {
    let mut poller = Poller::default();
    poller.replace((1..).zip(targets).map(|(number, target)| peer(number, target)).collect());
    poller.handle_timeout(Timestamp::ZERO);
    poller
}

/// All that is sent now.
fn sent(poller: &mut Poller, now: Timestamp) -> Vec<(Place, Vec<u8>)> {
    let (mut all, mut message) = (Vec::new(), Vec::new());
    while let Some(place) = poller.poll_output(now, &mut message) {
        all.push((place, message.clone()));
    }
    all
}

/// What an agent answers `request`: its sysUpTime, and `value` for everything else.
fn answer(request: &[u8], up_time: u32, value: Value<'_>) -> Vec<u8> {
    reply(request, (0, 0), up_time, value)
}

/// The same with this error-status and error-index.
fn reply(request: &[u8], (status, index): (i32, i32), up_time: u32, value: Value<'_>) -> Vec<u8> {
    let mut message = CommunityMessage::parse(request).unwrap();
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    let mut binds = vec![0; 4096];
    let mut forward = ForwardWriter::new(&mut binds);
    for (index, bind) in pdu.var_binds.iter().enumerate() {
        let value = if index == 0 { Value::TimeTicks(up_time) } else { value };
        forward.var_bind(&bind.name.to_buf(), &value).unwrap();
    }
    let length = forward.len();
    let mut buffer = vec![0; 8192];
    buffer[4000..4000 + length].copy_from_slice(&binds[..length]);
    let mut writer = ReverseWriter::before(&mut buffer, 4000..4000 + length);
    prepend_pdu(&mut writer, PduType::Response, pdu.request_id, status, index).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, message.community).unwrap();
    writer.written().to_vec()
}

fn counts(sent: &[(Place, Vec<u8>)]) -> BTreeMap<SocketAddr, usize> {
    let mut counts = BTreeMap::new();
    sent.iter().for_each(|(place, _)| *counts.entry(place.address).or_default() += 1);
    counts
}

#[test]
fn peers_take_turns_and_none_has_more_on_its_way_than_its_window() {
    let mut poller = poller(vec![target(1, 5), target(2, 5), target(3, 5)]);
    let first = sent(&mut poller, Timestamp::ZERO);
    let order: Vec<Place> = first.iter().map(|(place, _)| *place).collect();
    assert_eq!(order, [place(1), place(2), place(3), place(1), place(2), place(3)]);
    let mut reply = answer(&first[0].1, 1, Value::Counter32(7));
    poller.handle_input(Timestamp::from_micros(50), place(1), &mut reply);
    assert_eq!(
        counts(&sent(&mut poller, Timestamp::from_micros(60))),
        BTreeMap::from([(place(1).address, 1)])
    );
}

#[test]
fn an_answer_in_the_memory_of_anothers_is_itself() {
    let mut poller = poller(vec![target(1, 1), target(2, 1)]);
    let asked = sent(&mut poller, Timestamp::ZERO);
    let values = [Value::OctetString(b"longer than what comes after it"), Value::Counter32(7)];
    for ((place, request), expected) in asked.into_iter().zip(values) {
        let mut reply = answer(&request, 1, expected);
        poller.handle_input(Timestamp::from_micros(50), place, &mut reply);
        let (peer, report) = poller.poll_report().unwrap();
        let (response, _) = report.result.as_ref().unwrap();
        let found: Vec<_> = peer.values(&report, response).collect();
        assert_eq!((peer.place(), found), (place, vec![("ifInOctets.1".into(), expected)]));
        poller.recycle(report);
    }
}

/// An agent that has sysUpTime and the counters of ifInOctets in `rows`, each with its value.
fn show(request: &[u8], up_time: u32, rows: &[(u32, u32)]) -> Vec<u8> {
    let mut message = CommunityMessage::parse(request).unwrap();
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    if pdu.pdu_type == PduType::GetRequest {
        return answer(request, up_time, Value::Null);
    }
    let mut binds = vec![0; 4096];
    let mut forward = ForwardWriter::new(&mut binds);
    for bind in pdu.var_binds.iter() {
        let after = bind.name.to_buf();
        let all = rows.iter().map(|(row, value)| ([1, 3, 6, 1, 2, 1, 2, 2, 1, 10, *row], *value));
        let mut rest = all.filter(|(name, _)| name[..] > after[..]);
        match rest.next() {
            Some((name, value)) => forward.var_bind(&name, &Value::Counter32(value)).unwrap(),
            None => forward.var_bind(&after, &Value::EndOfMibView).unwrap(),
        }
    }
    let length = forward.len();
    let mut buffer = vec![0; 8192];
    buffer[4000..4000 + length].copy_from_slice(&binds[..length]);
    let mut writer = ReverseWriter::before(&mut buffer, 4000..4000 + length);
    prepend_pdu(&mut writer, PduType::Response, pdu.request_id, 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, message.community).unwrap();
    writer.written().to_vec()
}

/// Plays one round at `now`; names, values and growth of what the walk has found.
fn walked(
    poller: &mut Poller,
    now: Timestamp,
    up_time: u32,
    rows: &[(u32, u32)],
) -> Vec<(String, Option<u64>)> {
    poller.handle_timeout(now);
    loop {
        let sent = sent(poller, now);
        assert!(sent.len() <= 2, "the window is two");
        if sent.is_empty() {
            break;
        }
        for (to, request) in sent {
            poller.handle_input(now, to, &mut show(&request, up_time, rows));
        }
    }
    let mut found = Vec::new();
    while let Some((peer, report)) = poller.poll_report() {
        let (response, change) = report.result.as_ref().unwrap();
        let names = peer.values(&report, response).map(|(name, _)| name.into_owned());
        let grown = change.deltas.iter().map(|delta| delta.map(|delta| delta.by));
        found.extend(names.zip(grown));
    }
    assert!(poller.is_done());
    found
}

#[test]
fn a_subtree_is_read_whole_and_its_rows_are_compared_by_name() {
    let table = Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2]).unwrap();
    let group = Arc::new(Group { walk: vec![table], ..Group::default() });
    let mut poller = poller(vec![Target { group, ..target(1, 0) }]);
    let minute = |number: u64| Timestamp::from_secs(60 * number);
    let found = |all: &[(u32, Option<u64>)]| -> Vec<(String, Option<u64>)> {
        all.iter().map(|(row, by)| (format!("ifInOctets.{row}"), *by)).collect()
    };
    let rows = [(1, 10), (3, u32::MAX)];
    assert_eq!(walked(&mut poller, minute(0), 100, &rows), found(&[(1, None), (3, None)]));
    // A row has come between the others, and the last one's counter wraps.
    let rows = [(1, 15), (2, 7), (3, 4)];
    assert_eq!(walked(&mut poller, minute(1), 6100, &rows), found(&[(1, Some(5)), (2, None), (3, Some(5))]));
    // The first row has gone, and the agent has restarted: what the counters have grown by nobody knows.
    let rows = [(2, 8), (3, 5)];
    assert_eq!(walked(&mut poller, minute(2), 50, &rows), found(&[(2, None), (3, None)]));
    assert_eq!(walked(&mut poller, minute(3), 6050, &rows), found(&[(2, Some(0)), (3, Some(0))]));
}

#[test]
fn a_subtree_that_cannot_be_read_is_named() {
    let table = Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2]).unwrap();
    let group = Arc::new(Group { walk: vec![table], ..Group::default() });
    let mut poller = poller(vec![Target { group, ..target(1, 0) }]);
    let mut now = Timestamp::ZERO;
    let mut silent = Vec::new();
    while now < Timestamp::from_secs(59) {
        sent(&mut poller, now);
        while let Some((peer, report)) = poller.poll_report() {
            silent.push((peer.names(&report).join(" "), report.result.is_err()));
        }
        now = poller.next_timeout(now).unwrap().max(now + Duration::from_micros(1));
        poller.handle_timeout(now);
    }
    assert_eq!(silent, [(String::new(), true), ("ifTable".to_owned(), true)]);
}

#[test]
fn a_silent_peer_keeps_nobody_waiting_and_is_named_in_the_end() {
    let mut poller = poller(vec![target(1, 1), target(2, 20)]);
    let (mut now, mut answered) = (Timestamp::ZERO, 0);
    let mut reports = Vec::new();
    while now < Timestamp::from_secs(6) {
        for (to, request) in sent(&mut poller, now) {
            if to == place(2) {
                answered += 1;
                poller.handle_input(now, to, &mut answer(&request, 1, Value::Gauge32(1)));
            }
        }
        while let Some((peer, report)) = poller.poll_report() {
            reports.push((peer.target().name.to_string(), now, report.result.err()));
        }
        now = poller.next_timeout(now).unwrap().max(now + Duration::from_micros(1));
        poller.handle_timeout(now);
    }
    assert_eq!(answered, 20);
    let (name, at, error) = reports.pop().unwrap();
    assert_eq!((&*name, error), ("target1", Some(WalkError::Unanswered(RequestError::Timeout(None)))));
    assert!(at >= Timestamp::from_secs(5), "{at:?}");
    assert!(reports.iter().all(|(name, at, _)| name == "target2" && *at < Timestamp::from_micros(1000)));
}

#[test]
fn the_silent_hold_their_part_of_a_burst_for_a_moment_only() {
    let mut poller = poller((1..=100).map(|number| target(number, 1)).collect());
    assert_eq!(sent(&mut poller, Timestamp::ZERO).len(), 64);
    let next = poller.next_timeout(Timestamp::ZERO).unwrap();
    assert!(next <= Timestamp::from_micros(10_000));
    poller.handle_timeout(next);
    assert_eq!(counts(&sent(&mut poller, next)).len(), 36);
}

#[test]
fn messages_to_a_paced_peer_keep_their_distance() {
    let mut poller = poller(vec![Target { pace: Duration::from_millis(100), ..target(1, 3) }]);
    assert_eq!(sent(&mut poller, Timestamp::ZERO).len(), 1);
    let next = poller.next_timeout(Timestamp::ZERO).unwrap();
    assert_eq!(next, Timestamp::from_micros(100_000));
    poller.handle_timeout(next);
    assert_eq!(sent(&mut poller, next).len(), 1);
}

#[test]
fn an_answer_from_another_address_or_to_another_socket_is_not_taken() {
    let mut poller = poller(vec![target(1, 1)]);
    let (_, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    for wrong in [place(2), Place { socket: 1, ..place(1) }] {
        poller.handle_input(Timestamp::ZERO, wrong, &mut answer(&request, 1, Value::Counter32(7)));
        assert!(poller.poll_report().is_none());
    }
    poller.handle_input(Timestamp::ZERO, place(1), &mut answer(&request, 1, Value::Counter32(7)));
    assert!(poller.poll_report().is_some() && poller.is_done());
}

#[test]
fn a_peer_that_stays_through_a_reload_still_knows_what_it_said_last() {
    let mut poller = poller(vec![target(1, 1), target(2, 1)]);
    for (to, request) in sent(&mut poller, Timestamp::ZERO) {
        poller.handle_input(Timestamp::ZERO, to, &mut answer(&request, 100, Value::Counter32(7)));
    }
    while poller.poll_report().is_some() {}
    let mut before = poller.replace(Vec::new());
    before.truncate(1);
    poller.replace(before);
    let now = Timestamp::from_secs(60);
    poller.handle_timeout(now);
    let again = sent(&mut poller, now);
    assert_eq!(counts(&again), BTreeMap::from([(place(1).address, 1)]));
    poller.handle_input(now, place(1), &mut answer(&again[0].1, 6100, Value::Counter32(9)));
    let (_, report) = poller.poll_report().unwrap();
    let (_, change) = report.result.unwrap();
    assert_eq!(change.deltas.first().copied().flatten().map(|delta| delta.by), Some(2));
}

#[test]
fn an_agent_whose_answer_would_be_too_big_is_asked_for_half_as_much() {
    let mut poller = poller(vec![Target { variables: 4, ..target(1, 4) }]);
    let (to, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    poller.handle_input(Timestamp::ZERO, to, &mut reply(&request, (1, 0), 0, Value::Null));
    let halves = sent(&mut poller, Timestamp::ZERO);
    assert_eq!(halves.len(), 2);
    for (to, request) in &halves {
        poller.handle_input(Timestamp::ZERO, *to, &mut answer(request, 1, Value::Gauge32(1)));
    }
    for _ in 0..2 {
        let (peer, report) = poller.poll_report().unwrap();
        assert_eq!(peer.names(&report).len(), 2);
        assert!(report.result.is_ok());
    }
    assert!(poller.poll_report().is_none() && poller.is_done());
}

#[test]
fn an_object_that_spoils_a_question_is_asked_for_alone() {
    let mut poller = poller(vec![Target { variables: 4, ..target(1, 4) }]);
    let (to, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    // noSuchName for the second object: sysUpTime stands before the first.
    poller.handle_input(Timestamp::ZERO, to, &mut reply(&request, (2, 3), 0, Value::Null));
    for (to, request) in sent(&mut poller, Timestamp::ZERO) {
        poller.handle_input(Timestamp::ZERO, to, &mut answer(&request, 1, Value::Gauge32(1)));
    }
    let mut asked = Vec::new();
    while let Some((peer, report)) = poller.poll_report() {
        asked.push(peer.names(&report).join(" "));
    }
    assert_eq!(asked, ["ifInOctets.1 ifInOctets.3 ifInOctets.4", "ifInOctets.2"]);
}
