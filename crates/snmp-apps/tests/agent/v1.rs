//! SNMPv1 requests for SMIv2 objects (RFC 3584 §4).

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, standard_objects},
    config::TestConfig,
    failing_scalar::FailingScalar,
    names::{instance, oid, scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get, get_bulk, get_next, set},
    writable_module::ModuleLog,
};

//= rfc3584#4.1-p1
//= type=test
#[test]
fn v1_get_returns_values_of_v1_types() {
    let (mut agent, _) = TestAgent::standard();
    let names = [scalar(&snmpv2_mib::SYS_DESCR), instance(&if_mib::IF_IN_OCTETS, &[2])];
    let response = agent.request_v1(&get(&names));
    assert_eq!(response.error(), (ErrorStatus::NoError, 0));
    assert_eq!(response.values(), [text("test agent"), OwnedValue::Counter32(2)]);
}

//= rfc3584#4.2.2.1-p1
//= type=test
//= rfc3584#4.2.2.2.1-p1
//= type=test
//= rfc3584#4.2.2.3-p1
//= type=test
#[test]
fn b4_v1_get_of_counter64_or_missing_instance_returns_no_such_name() {
    let (mut agent, _) = TestAgent::standard();
    let good = scalar(&snmpv2_mib::SYS_DESCR);
    for hidden in [
        instance(&if_mib::IF_HC_IN_OCTETS, &[1]),
        instance(&if_mib::IF_HC_IN_OCTETS, &[9]),
        instance(&snmpv2_mib::SYS_DESCR, &[1]),
        oid("1.3.6.1.4.1.99999.1.0"),
    ] {
        let mut pdu = get(&[good.clone(), hidden, good.clone()]);
        pdu.var_binds[2].1 = OwnedValue::Integer(5);
        let response = agent.request_v1(&pdu);
        assert_eq!(response.error(), (ErrorStatus::NoSuchName, 2));
        assert_eq!(response.var_binds, pdu.var_binds);
    }
}

//= rfc3584#4.2.2.4-p1
//= type=test
//= rfc3584#4.2.2.2.2-p1
//= type=test
//= rfc3584#4.2.2.4-p2
//= type=test
#[test]
fn b4_v1_get_next_skips_counter64_and_ends_with_no_such_name() {
    let (mut agent, _) = TestAgent::standard();
    let mut at = oid("0.0");
    let mut seen = 0;
    loop {
        let pdu = get_next(&[scalar(&snmpv2_mib::SYS_DESCR), at.clone()]);
        let response = agent.request_v1(&pdu);
        if response.status != ErrorStatus::NoError {
            assert_eq!(response.error(), (ErrorStatus::NoSuchName, 2));
            assert_eq!(response.var_binds, pdu.var_binds);
            break;
        }
        let (name, value) = response.var_binds[1].clone();
        assert!(!matches!(value, OwnedValue::Counter64(_)), "{name}");
        at = name;
        seen += 1;
    }
    assert_eq!((at, seen), (instance(&if_mib::IF_ALIAS, &[3]), 6 + 4 * 3));
    let before = Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap();
    assert_eq!(agent.request_v1(&get_next(&[before])).names(), [instance(&if_mib::IF_ALIAS, &[1])]);
}

/// Counter64 values that follow instances excluded by the view are skipped as well.
#[test]
fn b4_v1_get_next_skips_counter64_after_excluded_instance() {
    let hidden = instance(&if_mib::IF_HC_IN_OCTETS, &[1]).to_string();
    let config = TestConfig::standard().view("most", &[("1.3", "included"), (&hidden, "excluded")]).access(
        "writers",
        SecurityModel::ANY,
        SecurityLevel::NoAuthNoPriv,
        ("most", "all"),
    );
    let mut agent = standard_objects(&ModuleLog::default()).config(config).build();
    let pdu = get_next(&[Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap()]);
    assert_eq!(agent.request_v1(&pdu).names(), [instance(&if_mib::IF_ALIAS, &[1])]);
    assert_eq!(agent.request_v2c(&pdu).names(), [instance(&if_mib::IF_HC_IN_OCTETS, &[2])]);
}

//= rfc3584#4.2.2.5-p1
//= type=test
//= rfc3584#4.2.2.3-p2
//= type=test
#[test]
fn v2_error_status_of_failed_set_maps_to_v1_error_status() {
    let contact = scalar(&snmpv2_mib::SYS_CONTACT);
    let long = text(&"x".repeat(256));
    for (name, value, v2, v1) in [
        (contact.clone(), OwnedValue::Integer(1), ErrorStatus::WrongType, ErrorStatus::BadValue),
        (contact.clone(), long, ErrorStatus::WrongLength, ErrorStatus::BadValue),
        (
            instance(&snmpv2_mib::SYS_CONTACT, &[1]),
            text(""),
            ErrorStatus::NoCreation,
            ErrorStatus::NoSuchName,
        ),
        (scalar(&snmpv2_mib::SYS_DESCR), text(""), ErrorStatus::NotWritable, ErrorStatus::NoSuchName),
        (oid("1.2.3"), text(""), ErrorStatus::NoAccess, ErrorStatus::NoSuchName),
    ] {
        let (mut agent, _) = TestAgent::standard();
        let pdu = set(&[(contact.clone(), text("a")), (name, value)]);
        assert_eq!(agent.request_v2c(&pdu).error(), (v2, 2));
        let response = agent.request_v1(&pdu);
        assert_eq!((response.error(), response.var_binds), ((v1, 2), pdu.var_binds));
    }
    for (stage, v2) in [("commit", ErrorStatus::CommitFailed), ("test", ErrorStatus::ResourceUnavailable)] {
        let (mut agent, log) = TestAgent::standard();
        log.fail("contacts", stage);
        let pdu = set(&[(contact.clone(), text("a"))]);
        assert_eq!(agent.request_v2c(&pdu).error(), (v2, 1));
        assert_eq!(agent.request_v1(&pdu).error(), (ErrorStatus::GenErr, 1));
    }
}

//= rfc3584#4.4-p2
//= type=test
#[test]
fn v1_request_without_access_is_answered_with_no_such_name_and_index() {
    let config = TestConfig::standard().community("mallory", "unlisted", "");
    let mut agent = AgentBuilder::new().config(config).build();
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let v1 = TestResponse::of(&agent.reply_to(&pdu.v1("mallory")));
    assert_eq!((v1.error(), v1.var_binds), ((ErrorStatus::NoSuchName, 1), pdu.var_binds.clone()));
    let v2c = TestResponse::of(&agent.reply_to(&pdu.v2c("mallory")));
    assert_eq!(v2c.error(), (ErrorStatus::AuthorizationError, 0));
}

//= rfc3584#4.2.2.4-p3
//= type=test
#[test]
fn v1_get_next_returns_gen_err_when_lookup_fails() {
    let mut agent = AgentBuilder::new().module(FailingScalar).build();
    let pdu = get_next(&[oid("2.1"), oid("1.3")]);
    assert_eq!(agent.request_v1(&pdu).error(), (ErrorStatus::NoSuchName, 1));
    let pdu = get_next(&[oid("1.3")]);
    let response = agent.request_v1(&pdu);
    assert_eq!((response.error(), response.var_binds), ((ErrorStatus::GenErr, 1), pdu.var_binds));
}

//= rfc3584#4.2.2.1-p2
//= type=test
#[test]
fn v1_message_with_value_of_v2_type_is_dropped_as_parse_error() {
    let (mut agent, _) = TestAgent::standard();
    let (contact, missing) = (scalar(&snmpv2_mib::SYS_CONTACT), oid("1.3.6.1.4.1.99999.1.0"));
    for value in [
        OwnedValue::Counter64(0),
        OwnedValue::Counter64(u64::MAX),
        OwnedValue::NoSuchObject,
        OwnedValue::NoSuchInstance,
        OwnedValue::EndOfMibView,
    ] {
        for pdu_type in [PduType::GetRequest, PduType::GetNextRequest, PduType::SetRequest, PduType::Response]
        {
            for name in [&contact, &missing] {
                let mut pdu = TestPdu::new(pdu_type, &[contact.clone(), name.clone()]);
                pdu.var_binds[1].1 = value.clone();
                agent.assert_drops(&pdu.v1("private"), Counter::SnmpInAsnParseErrs);
            }
        }
        // SNMPv2c has these types.
        let mut pdu = get(std::slice::from_ref(&contact));
        pdu.var_binds[0].1 = value;
        assert_eq!(agent.request_v2c(&pdu).error(), (ErrorStatus::NoError, 0));
    }
    agent.assert_responds();
}

#[test]
fn v1_get_bulk_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    assert_eq!(agent.handle(&get_bulk(0, 1, &[oid("1.3")]).v1("private")), Outcome::Dropped);
}
