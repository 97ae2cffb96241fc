//! GetRequest, GetNextRequest and GetBulkRequest (RFC 3416 §4.2.1 to §4.2.3), in SNMPv2c.

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{Agent, Heard, Parts, over},
    answer::Answer,
    ask::{Ask, REQUEST_ID, get, get_bulk, get_next},
    broken::Broken,
    names::{instance, oid, scalar, text},
};

//= rfc3413#3.2-1
//= type=test
//= rfc3413#3.2-2
//= type=test
//= rfc3413#3.2-4
//= type=test
//= rfc3413#3.2-5
//= type=test
//= rfc3413#3.2-6
//= type=test
#[test]
fn get_answers_each_variable_in_its_place() {
    let (mut agent, _) = Agent::usual();
    let names =
        [scalar(&snmpv2_mib::SYS_UP_TIME), scalar(&snmpv2_mib::SYS_DESCR), instance(&if_mib::IF_DESCR, &[2])];
    let answer = agent.v2c(&get(&names));
    assert_eq!((answer.pdu_type, answer.request_id), (PduType::Response, REQUEST_ID));
    assert_eq!((answer.error(), answer.names()), ((ErrorStatus::NoError, 0), names.to_vec()));
    assert_eq!(answer.values(), [OwnedValue::TimeTicks(42), text("a gate"), text("port 2")]);
}

#[test]
fn get_tells_an_unknown_object_from_an_unknown_instance() {
    let (mut agent, _) = Agent::usual();
    let answer = agent.v2c(&get(&[
        oid("1.3.6.1.4.1.99999.1.0"),
        instance(&snmpv2_mib::SYS_DESCR, &[1]),
        instance(&if_mib::IF_DESCR, &[4]),
        Oid::new(if_mib::IF_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_ENTRY.arcs()).unwrap(),
    ]));
    assert_eq!(
        answer.values(),
        [
            OwnedValue::NoSuchObject,
            OwnedValue::NoSuchInstance,
            OwnedValue::NoSuchInstance,
            OwnedValue::NoSuchInstance,
            OwnedValue::NoSuchObject,
        ]
    );
}

#[test]
fn an_empty_request_has_an_empty_answer() {
    let (mut agent, _) = Agent::usual();
    for pdu_type in
        [PduType::GetRequest, PduType::GetNextRequest, PduType::GetBulkRequest, PduType::SetRequest]
    {
        let answer = agent.v2c(&Ask { fields: (0, 10), ..Ask::about(pdu_type, &[]) });
        assert_eq!((answer.error(), answer.var_binds.len()), ((ErrorStatus::NoError, 0), 0), "{pdu_type:?}");
    }
}

#[test]
fn get_next_visits_every_instance_once_and_in_order() {
    let (mut agent, _) = Agent::usual();
    let mut visited = vec![oid("0.0")];
    loop {
        let answer = agent.v2c(&get_next(&visited[visited.len() - 1..]));
        if answer.value() == OwnedValue::EndOfMibView {
            assert_eq!(answer.names(), visited[visited.len() - 1..]);
            break;
        }
        visited.extend(answer.names());
    }
    assert!(visited.is_sorted());
    assert_eq!(visited.len(), 1 + 6 + 5 * 3);
}

#[test]
fn get_next_finds_the_successor_of_any_name() {
    let (mut agent, _) = Agent::usual();
    let descr = if_mib::IF_DESCR.arcs();
    for (after, expected) in [
        (oid("0.0"), scalar(&snmpv2_mib::SYS_DESCR)),
        (Oid::new(snmpv2_mib::SYS_DESCR.arcs()).unwrap(), scalar(&snmpv2_mib::SYS_DESCR)),
        (instance(&snmpv2_mib::SYS_DESCR, &[0, 0]), scalar(&snmpv2_mib::SYS_UP_TIME)),
        (scalar(&snmpv2_mib::SYS_LOCATION), scalar(&if_mib::IF_NUMBER)),
        (instance(&if_mib::IF_DESCR, &[1, 5]), instance(&if_mib::IF_DESCR, &[2])),
        (instance(&if_mib::IF_DESCR, &[3]), instance(&if_mib::IF_IN_OCTETS, &[1])),
        (instance(&if_mib::IF_DESCR, &[u32::MAX]), instance(&if_mib::IF_IN_OCTETS, &[1])),
        (Oid::new(&[descr, &[1; 100]].concat()).unwrap(), instance(&if_mib::IF_DESCR, &[2])),
    ] {
        assert_eq!(agent.v2c(&get_next(std::slice::from_ref(&after))).names(), [expected], "{after}");
    }
}

//= rfc3413#3.2-3
//= type=test
#[test]
fn get_bulk_takes_the_first_once_and_repeats_the_others() {
    let (mut agent, _) = Agent::usual();
    let names = [
        Oid::new(snmpv2_mib::SYS_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap(),
    ];
    let answer = agent.v2c(&get_bulk(1, 2, &names));
    assert_eq!(
        answer.names(),
        [
            scalar(&snmpv2_mib::SYS_DESCR),
            instance(&if_mib::IF_DESCR, &[1]),
            instance(&if_mib::IF_HC_IN_OCTETS, &[1]),
            instance(&if_mib::IF_DESCR, &[2]),
            instance(&if_mib::IF_HC_IN_OCTETS, &[2]),
        ]
    );
}

#[test]
fn get_bulk_counts_what_is_negative_as_zero_and_what_is_too_much_as_all() {
    let (mut agent, _) = Agent::usual();
    let names = [scalar(&snmpv2_mib::SYS_DESCR), Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    for (non_repeaters, max_repetitions, expected) in [
        (0, 0, 0),
        (0, -1, 0),
        (0, i32::MIN, 0),
        (1, 0, 1),
        (1, -1, 1),
        (2, 0, 2),
        (2, i32::MAX, 2),
        (3, 5, 2),
        (i32::MAX, i32::MAX, 2),
        (-1, 1, 2),
        (i32::MIN, 3, 6),
    ] {
        let answer = agent.v2c(&get_bulk(non_repeaters, max_repetitions, &names));
        assert_eq!(
            (answer.error(), answer.var_binds.len()),
            ((ErrorStatus::NoError, 0), expected),
            "{non_repeaters} {max_repetitions}"
        );
    }
}

#[test]
fn get_bulk_repeats_end_of_mib_view_beside_columns_that_go_on() {
    let (mut agent, _) = Agent::usual();
    let alias = Oid::new(if_mib::IF_ALIAS.arcs()).unwrap();
    let last = instance(&if_mib::IF_ALIAS, &[3]);
    let answer = agent.v2c(&get_bulk(0, 50, &[last.clone(), alias]));
    let end = (last.clone(), OwnedValue::EndOfMibView);
    let row = |row| (instance(&if_mib::IF_ALIAS, &[row]), text(""));
    // Three rows beside the end, and one repetition in which nothing is left: there the response may stop.
    let expected = [end.clone(), row(1), end.clone(), row(2), end.clone(), row(3), end.clone(), end];
    assert_eq!(answer.var_binds, expected);
}

#[test]
fn get_bulk_of_more_columns_than_are_remembered_is_the_same_as_get_next_of_each() {
    let (mut agent, _) = Agent::usual();
    let names: Vec<Oid> = (0..100)
        .map(|number| if number % 2 == 0 { &if_mib::IF_DESCR } else { &if_mib::IF_NAME })
        .map(|object| Oid::new(object.arcs()).unwrap())
        .collect();
    let answer = agent.v2c(&get_bulk(0, 1, &names[..60]));
    let again = agent.v2c(&get_next(&answer.names()));
    let bulk = agent.v2c(&get_bulk(0, 2, &names[..20])).names();
    assert_eq!(bulk[20..], again.names()[..20]);
    let crowd = over_tcp(&mut agent, &get_bulk(0, 3, &names));
    assert_eq!(crowd.var_binds.len(), 300);
    assert_eq!(crowd.names()[200], instance(&if_mib::IF_DESCR, &[3]));
    assert_eq!(crowd.names()[299], instance(&if_mib::IF_NAME, &[3]));
}

#[test]
fn a_value_that_cannot_be_had_is_gen_err_and_names_its_variable() {
    let mut agent = Parts::new().module(Broken).agent();
    let broken = scalar(&snmpv2_mib::SYS_SERVICES);
    let good = oid("1.3.6.1.99.0");
    for ask in [
        get(&[good.clone(), broken.clone()]),
        get_next(&[good.clone(), oid("0.0")]),
        get_bulk(1, 3, &[good.clone(), oid("0.0")]),
    ] {
        let answer = agent.v2c(&ask);
        assert_eq!(answer.error(), (ErrorStatus::GenErr, 2), "{:?}", ask.pdu_type);
        assert_eq!(answer.names(), ask.var_binds.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    }
}

fn over_tcp(agent: &mut Agent, ask: &Ask) -> Answer {
    match agent.hear_over(&over(TransportDomain::Tcp), 65_535, &ask.v2c("private")) {
        Heard::Reply(reply) => Answer::of(&reply),
        other => panic!("no answer but {other:?}"),
    }
}
