//! GetRequest, GetNextRequest and GetBulkRequest (RFC 3416 §4.2.1 to §4.2.3), in SNMPv2c.

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, over},
    failing_scalar::FailingScalar,
    names::{instance, oid, scalar, text},
    response::TestResponse,
    test_pdu::{REQUEST_ID, TestPdu, get, get_bulk, get_next},
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
fn get_returns_variables_in_request_order() {
    let (mut agent, _) = TestAgent::standard();
    let names =
        [scalar(&snmpv2_mib::SYS_UP_TIME), scalar(&snmpv2_mib::SYS_DESCR), instance(&if_mib::IF_DESCR, &[2])];
    let response = agent.request_v2c(&get(&names));
    assert_eq!((response.pdu_type, response.request_id), (PduType::Response, REQUEST_ID));
    assert_eq!((response.error(), response.names()), ((ErrorStatus::NoError, 0), names.to_vec()));
    assert_eq!(response.values(), [OwnedValue::TimeTicks(42), text("test agent"), text("port 2")]);
}

#[test]
fn get_distinguishes_unknown_object_from_unknown_instance() {
    let (mut agent, _) = TestAgent::standard();
    let response = agent.request_v2c(&get(&[
        oid("1.3.6.1.4.1.99999.1.0"),
        instance(&snmpv2_mib::SYS_DESCR, &[1]),
        instance(&if_mib::IF_DESCR, &[4]),
        Oid::new(if_mib::IF_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_ENTRY.arcs()).unwrap(),
    ]));
    assert_eq!(
        response.values(),
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
fn request_without_variables_is_answered_with_empty_response() {
    let (mut agent, _) = TestAgent::standard();
    for pdu_type in
        [PduType::GetRequest, PduType::GetNextRequest, PduType::GetBulkRequest, PduType::SetRequest]
    {
        let response = agent.request_v2c(&TestPdu { fields: (0, 10), ..TestPdu::new(pdu_type, &[]) });
        assert_eq!(
            (response.error(), response.var_binds.len()),
            ((ErrorStatus::NoError, 0), 0),
            "{pdu_type:?}"
        );
    }
}

#[test]
fn get_next_visits_every_instance_once_in_order() {
    let (mut agent, _) = TestAgent::standard();
    let mut visited = vec![oid("0.0")];
    loop {
        let response = agent.request_v2c(&get_next(&visited[visited.len() - 1..]));
        if response.value() == OwnedValue::EndOfMibView {
            assert_eq!(response.names(), visited[visited.len() - 1..]);
            break;
        }
        visited.extend(response.names());
    }
    assert!(visited.is_sorted());
    assert_eq!(visited.len(), 1 + 6 + 5 * 3);
}

#[test]
fn get_next_returns_successor_of_any_name() {
    let (mut agent, _) = TestAgent::standard();
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
        assert_eq!(agent.request_v2c(&get_next(std::slice::from_ref(&after))).names(), [expected], "{after}");
    }
}

//= rfc3413#3.2-3
//= type=test
#[test]
fn get_bulk_reads_non_repeaters_once_and_repeats_others() {
    let (mut agent, _) = TestAgent::standard();
    let names = [
        Oid::new(snmpv2_mib::SYS_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_DESCR.arcs()).unwrap(),
        Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap(),
    ];
    let response = agent.request_v2c(&get_bulk(1, 2, &names));
    assert_eq!(
        response.names(),
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
fn get_bulk_limits_non_repeaters_and_max_repetitions_to_valid_range() {
    let (mut agent, _) = TestAgent::standard();
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
        let response = agent.request_v2c(&get_bulk(non_repeaters, max_repetitions, &names));
        assert_eq!(
            (response.error(), response.var_binds.len()),
            ((ErrorStatus::NoError, 0), expected),
            "{non_repeaters} {max_repetitions}"
        );
    }
}

#[test]
fn get_bulk_repeats_end_of_mib_view_for_finished_columns() {
    let (mut agent, _) = TestAgent::standard();
    let alias = Oid::new(if_mib::IF_ALIAS.arcs()).unwrap();
    let last = instance(&if_mib::IF_ALIAS, &[3]);
    let response = agent.request_v2c(&get_bulk(0, 50, &[last.clone(), alias]));
    let end = (last.clone(), OwnedValue::EndOfMibView);
    let row = |row| (instance(&if_mib::IF_ALIAS, &[row]), text(""));
    // Expect three rows, each after the endOfMibView of the finished column, then one repetition
    // that contains only endOfMibView. The response may end after that repetition.
    let expected = [end.clone(), row(1), end.clone(), row(2), end.clone(), row(3), end.clone(), end];
    assert_eq!(response.var_binds, expected);
}

#[test]
fn get_bulk_of_more_than_64_columns_returns_same_rows_as_get_next() {
    let (mut agent, _) = TestAgent::standard();
    let names: Vec<Oid> = (0..100)
        .map(|number| if number % 2 == 0 { &if_mib::IF_DESCR } else { &if_mib::IF_NAME })
        .map(|object| Oid::new(object.arcs()).unwrap())
        .collect();
    let response = agent.request_v2c(&get_bulk(0, 1, &names[..60]));
    let again = agent.request_v2c(&get_next(&response.names()));
    let bulk = agent.request_v2c(&get_bulk(0, 2, &names[..20])).names();
    assert_eq!(bulk[20..], again.names()[..20]);
    let response_over_tcp = request_over_tcp(&mut agent, &get_bulk(0, 3, &names));
    assert_eq!(response_over_tcp.var_binds.len(), 300);
    assert_eq!(response_over_tcp.names()[200], instance(&if_mib::IF_DESCR, &[3]));
    assert_eq!(response_over_tcp.names()[299], instance(&if_mib::IF_NAME, &[3]));
}

#[test]
fn failed_lookup_is_answered_with_gen_err_and_index_of_its_variable() {
    let mut agent = AgentBuilder::new().module(FailingScalar).build();
    let failing_scalar = scalar(&snmpv2_mib::SYS_SERVICES);
    let good = oid("1.3.6.1.99.0");
    for pdu in [
        get(&[good.clone(), failing_scalar.clone()]),
        get_next(&[good.clone(), oid("0.0")]),
        get_bulk(1, 3, &[good.clone(), oid("0.0")]),
    ] {
        let response = agent.request_v2c(&pdu);
        assert_eq!(response.error(), (ErrorStatus::GenErr, 2), "{:?}", pdu.pdu_type);
        assert_eq!(response.names(), pdu.var_binds.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    }
}

fn request_over_tcp(agent: &mut TestAgent, pdu: &TestPdu) -> TestResponse {
    match agent.handle_over(&over(TransportDomain::Tcp), 65_535, &pdu.v2c("private")) {
        Outcome::Reply(reply) => TestResponse::of(&reply),
        other => panic!("no response but {other:?}"),
    }
}
