use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use portreeve_secret::Secret;
use portreeve_smi::{
    MessageProcessingModel, Oid, Timestamp, Value,
    ber::{ForwardWriter, ReverseWriter},
};
use portreeve_snmp_manager::{RequestError, WalkError};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};

use super::{Peer, PeerEndpoint, Poller};
use crate::{Credential, ObjectGroup, Target};

/// Returns the target `number` with `objects` objects, one per message.
fn target(number: u8, objects: u32) -> Target {
    Target {
        name: format!("target{number}").into(),
        address: "192.0.2.1".parse().unwrap(),
        credential: Arc::new(Credential::V2c(Secret::from("public"))),
        group: Arc::new(ObjectGroup {
            get: (1..=objects).map(|row| Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, row]).unwrap()).collect(),
            ..ObjectGroup::default()
        }),
        interval: Duration::from_secs(60),
        timeout: Duration::from_secs(5),
        window: 2,
        pace: Duration::ZERO,
        variables: 1,
        context: Vec::new(),
    }
}

fn endpoint(number: u8) -> PeerEndpoint {
    PeerEndpoint { socket: 0, address: SocketAddr::from(([192, 0, 2, number], 161)) }
}

fn peer(number: u8, target: Target) -> Peer {
    Peer::new(target, endpoint(number), Timestamp::ZERO, u64::from(number)).unwrap()
}

fn poller(targets: Vec<Target>) -> Poller {
    let mut poller = Poller::default();
    poller.replace((1..).zip(targets).map(|(number, target)| peer(number, target)).collect());
    poller.handle_timeout(Timestamp::ZERO);
    poller
}

/// Returns all messages that the poller sends at `now`.
fn sent(poller: &mut Poller, now: Timestamp) -> Vec<(PeerEndpoint, Vec<u8>)> {
    let (mut all, mut message) = (Vec::new(), Vec::new());
    while let Some(endpoint) = poller.poll_output(now, &mut message) {
        all.push((endpoint, message.clone()));
    }
    all
}

/// Encodes an agent's response to `request`: its sysUpTime, and `value` for everything else.
fn respond(request: &[u8], up_time: u32, value: Value<'_>) -> Vec<u8> {
    respond_with_status(request, (0, 0), up_time, value)
}

/// Encodes a response with this error-status and error-index.
fn respond_with_status(
    request: &[u8],
    (status, index): (i32, i32),
    up_time: u32,
    value: Value<'_>,
) -> Vec<u8> {
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

fn counts(sent: &[(PeerEndpoint, Vec<u8>)]) -> BTreeMap<SocketAddr, usize> {
    let mut counts = BTreeMap::new();
    sent.iter().for_each(|(endpoint, _)| *counts.entry(endpoint.address).or_default() += 1);
    counts
}

#[test]
fn requests_alternate_between_peers_up_to_the_window_of_each() {
    let mut poller = poller(vec![target(1, 5), target(2, 5), target(3, 5)]);
    let first = sent(&mut poller, Timestamp::ZERO);
    let order: Vec<PeerEndpoint> = first.iter().map(|(endpoint, _)| *endpoint).collect();
    assert_eq!(order, [endpoint(1), endpoint(2), endpoint(3), endpoint(1), endpoint(2), endpoint(3)]);
    let mut respond_with_status = respond(&first[0].1, 1, Value::Counter32(7));
    poller.handle_input(Timestamp::from_micros(50), endpoint(1), &mut respond_with_status);
    assert_eq!(
        counts(&sent(&mut poller, Timestamp::from_micros(60))),
        BTreeMap::from([(endpoint(1).address, 1)])
    );
}

#[test]
fn reused_response_buffer_contains_only_the_new_response() {
    let mut poller = poller(vec![target(1, 1), target(2, 1)]);
    let in_flight = sent(&mut poller, Timestamp::ZERO);
    let values = [Value::OctetString(b"longer than what comes after it"), Value::Counter32(7)];
    for ((endpoint, request), expected) in in_flight.into_iter().zip(values) {
        let mut respond_with_status = respond(&request, 1, expected);
        poller.handle_input(Timestamp::from_micros(50), endpoint, &mut respond_with_status);
        let (peer, result) = poller.poll_result().unwrap();
        let (response, _) = result.outcome.as_ref().unwrap();
        let found: Vec<_> = peer.values(&result, response).collect();
        assert_eq!((peer.endpoint(), found), (endpoint, vec![("ifInOctets.1".into(), expected)]));
        poller.recycle(result);
    }
}

/// Responds like an agent with sysUpTime and ifInOctets counters in `rows`, each with its value.
fn respond_from_rows(request: &[u8], up_time: u32, rows: &[(u32, u32)]) -> Vec<u8> {
    let mut message = CommunityMessage::parse(request).unwrap();
    let pdu = Pdu::parse(&mut message.pdu).unwrap();
    if pdu.pdu_type == PduType::GetRequest {
        return respond(request, up_time, Value::Null);
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

/// Runs one round at `now`; returns names and deltas of the walked variables.
fn walk_results(
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
            poller.handle_input(now, to, &mut respond_from_rows(&request, up_time, rows));
        }
    }
    let mut found = Vec::new();
    while let Some((peer, result)) = poller.poll_result() {
        let (response, change) = result.outcome.as_ref().unwrap();
        let names = peer.values(&result, response).map(|(name, _)| name.into_owned());
        let grown = change.deltas.iter().map(|delta| delta.map(|delta| delta.by));
        found.extend(names.zip(grown));
    }
    assert!(poller.is_done());
    found
}

#[test]
fn deltas_of_walked_rows_are_matched_by_name_when_rows_change() {
    let table = Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2]).unwrap();
    let group = Arc::new(ObjectGroup { walk: vec![table], ..ObjectGroup::default() });
    let mut poller = poller(vec![Target { group, ..target(1, 0) }]);
    let minute = |number: u64| Timestamp::from_secs(60 * number);
    let found = |all: &[(u32, Option<u64>)]| -> Vec<(String, Option<u64>)> {
        all.iter().map(|(row, by)| (format!("ifInOctets.{row}"), *by)).collect()
    };
    let rows = [(1, 10), (3, u32::MAX)];
    assert_eq!(walk_results(&mut poller, minute(0), 100, &rows), found(&[(1, None), (3, None)]));
    // A row was added between the others, and the last one's counter wraps.
    let rows = [(1, 15), (2, 7), (3, 4)];
    assert_eq!(
        walk_results(&mut poller, minute(1), 6100, &rows),
        found(&[(1, Some(5)), (2, None), (3, Some(5))])
    );
    // The first row has disappeared and the agent has restarted, so the deltas are unknown.
    let rows = [(2, 8), (3, 5)];
    assert_eq!(walk_results(&mut poller, minute(2), 50, &rows), found(&[(2, None), (3, None)]));
    assert_eq!(walk_results(&mut poller, minute(3), 6050, &rows), found(&[(2, Some(0)), (3, Some(0))]));
}

#[test]
fn failed_walk_of_subtree_is_reported_by_object_name() {
    let table = Oid::new(&[1, 3, 6, 1, 2, 1, 2, 2]).unwrap();
    let group = Arc::new(ObjectGroup { walk: vec![table], ..ObjectGroup::default() });
    let mut poller = poller(vec![Target { group, ..target(1, 0) }]);
    let mut now = Timestamp::ZERO;
    let mut silent = Vec::new();
    while now < Timestamp::from_secs(59) {
        sent(&mut poller, now);
        while let Some((peer, result)) = poller.poll_result() {
            silent.push((peer.names(&result).join(" "), result.outcome.is_err()));
        }
        now = poller.next_timeout(now).unwrap().max(now + Duration::from_micros(1));
        poller.handle_timeout(now);
    }
    assert_eq!(silent, [(String::new(), true), ("ifTable".to_owned(), true)]);
}

#[test]
fn silent_peer_times_out_without_delaying_other_peers() {
    let mut poller = poller(vec![target(1, 1), target(2, 20)]);
    let (mut now, mut answered) = (Timestamp::ZERO, 0);
    let mut results = Vec::new();
    while now < Timestamp::from_secs(6) {
        for (to, request) in sent(&mut poller, now) {
            if to == endpoint(2) {
                answered += 1;
                poller.handle_input(now, to, &mut respond(&request, 1, Value::Gauge32(1)));
            }
        }
        while let Some((peer, result)) = poller.poll_result() {
            results.push((peer.target().name.to_string(), now, result.outcome.err()));
        }
        now = poller.next_timeout(now).unwrap().max(now + Duration::from_micros(1));
        poller.handle_timeout(now);
    }
    assert_eq!(answered, 20);
    let (name, at, error) = results.pop().unwrap();
    assert_eq!((&*name, error), ("target1", Some(WalkError::Request(RequestError::Timeout(None)))));
    assert!(at >= Timestamp::from_secs(5), "{at:?}");
    assert!(results.iter().all(|(name, at, _)| name == "target2" && *at < Timestamp::from_micros(1000)));
}

#[test]
fn requests_beyond_64_unanswered_ones_are_sent_in_next_interval() {
    let mut poller = poller((1..=100).map(|number| target(number, 1)).collect());
    assert_eq!(sent(&mut poller, Timestamp::ZERO).len(), 64);
    let next = poller.next_timeout(Timestamp::ZERO).unwrap();
    assert!(next <= Timestamp::from_micros(10_000));
    poller.handle_timeout(next);
    assert_eq!(counts(&sent(&mut poller, next)).len(), 36);
}

#[test]
fn messages_to_one_peer_are_spaced_by_its_configured_pace() {
    let mut poller = poller(vec![Target { pace: Duration::from_millis(100), ..target(1, 3) }]);
    assert_eq!(sent(&mut poller, Timestamp::ZERO).len(), 1);
    let next = poller.next_timeout(Timestamp::ZERO).unwrap();
    assert_eq!(next, Timestamp::from_micros(100_000));
    poller.handle_timeout(next);
    assert_eq!(sent(&mut poller, next).len(), 1);
}

#[test]
fn response_from_wrong_address_or_on_wrong_socket_is_dropped() {
    let mut poller = poller(vec![target(1, 1)]);
    let (_, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    for wrong in [endpoint(2), PeerEndpoint { socket: 1, ..endpoint(1) }] {
        poller.handle_input(Timestamp::ZERO, wrong, &mut respond(&request, 1, Value::Counter32(7)));
        assert!(poller.poll_result().is_none());
    }
    poller.handle_input(Timestamp::ZERO, endpoint(1), &mut respond(&request, 1, Value::Counter32(7)));
    assert!(poller.poll_result().is_some() && poller.is_done());
}

#[test]
fn peer_retains_its_counter_history_when_list_of_peers_is_replaced() {
    let mut poller = poller(vec![target(1, 1), target(2, 1)]);
    for (to, request) in sent(&mut poller, Timestamp::ZERO) {
        poller.handle_input(Timestamp::ZERO, to, &mut respond(&request, 100, Value::Counter32(7)));
    }
    while poller.poll_result().is_some() {}
    let mut before = poller.replace(Vec::new());
    before.truncate(1);
    poller.replace(before);
    let now = Timestamp::from_secs(60);
    poller.handle_timeout(now);
    let again = sent(&mut poller, now);
    assert_eq!(counts(&again), BTreeMap::from([(endpoint(1).address, 1)]));
    poller.handle_input(now, endpoint(1), &mut respond(&again[0].1, 6100, Value::Counter32(9)));
    let (_, result) = poller.poll_result().unwrap();
    let (_, change) = result.outcome.unwrap();
    assert_eq!(change.deltas.first().copied().flatten().map(|delta| delta.by), Some(2));
}

#[test]
fn too_big_response_splits_the_query_into_halves() {
    let mut poller = poller(vec![Target { variables: 4, ..target(1, 4) }]);
    let (to, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    poller.handle_input(Timestamp::ZERO, to, &mut respond_with_status(&request, (1, 0), 0, Value::Null));
    let halves = sent(&mut poller, Timestamp::ZERO);
    assert_eq!(halves.len(), 2);
    for (to, request) in &halves {
        poller.handle_input(Timestamp::ZERO, *to, &mut respond(request, 1, Value::Gauge32(1)));
    }
    for _ in 0..2 {
        let (peer, result) = poller.poll_result().unwrap();
        assert_eq!(peer.names(&result).len(), 2);
        assert!(result.outcome.is_ok());
    }
    assert!(poller.poll_result().is_none() && poller.is_done());
}

#[test]
fn object_that_agent_rejects_by_error_index_is_queried_alone() {
    let mut poller = poller(vec![Target { variables: 4, ..target(1, 4) }]);
    let (to, request) = sent(&mut poller, Timestamp::ZERO).remove(0);
    // The error-index 3 means the second object, because sysUpTime precedes the objects.
    poller.handle_input(Timestamp::ZERO, to, &mut respond_with_status(&request, (2, 3), 0, Value::Null));
    for (to, request) in sent(&mut poller, Timestamp::ZERO) {
        poller.handle_input(Timestamp::ZERO, to, &mut respond(&request, 1, Value::Gauge32(1)));
    }
    let mut in_flight = Vec::new();
    while let Some((peer, result)) = poller.poll_result() {
        in_flight.push(peer.names(&result).join(" "));
    }
    assert_eq!(in_flight, ["ifInOctets.1 ifInOctets.3 ifInOctets.4", "ifInOctets.2"]);
}
