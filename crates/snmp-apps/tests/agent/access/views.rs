//! The effects of views, and the cost of skipping excluded instances.

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityModel};

use super::{NO_AUTH, agent_with};
use crate::support::{
    agent::AgentBuilder,
    config::TestConfig,
    names::{instance, oid, scalar},
    response::TestResponse,
    test_pdu::{get, get_bulk, get_next},
};

/// Configurations that exclude one row of ifDescr, or the whole column, but not its neighbors.
fn configs_excluding_second_description() -> [TestConfig; 2] {
    let row = instance(&if_mib::IF_DESCR, &[2]).to_string();
    let column = Oid::new(if_mib::IF_DESCR.arcs()).unwrap().to_string();
    [row, column].map(|hidden| {
        TestConfig::standard().view("most", &[("1.3", "included"), (&hidden, "excluded")]).access(
            "readers",
            SecurityModel::ANY,
            NO_AUTH,
            ("most", ""),
        )
    })
}

//= rfc3413#3.2-5-p2
//= type=test
//= rfc3415#3.2-4a
//= type=test
//= rfc3415#3.2-5b
//= type=test
//= rfc3415#3.2-5c
//= type=test
#[test]
fn b4_instances_excluded_by_view_are_never_returned() {
    let hidden = instance(&if_mib::IF_DESCR, &[2]);
    for config in configs_excluding_second_description() {
        let (mut agent, _) = agent_with(config);
        let value =
            TestResponse::of(&agent.reply_to(&get(std::slice::from_ref(&hidden)).v2c("public"))).value();
        assert!(matches!(value, OwnedValue::NoSuchInstance | OwnedValue::NoSuchObject));
        let v1 = TestResponse::of(&agent.reply_to(&get(std::slice::from_ref(&hidden)).v1("public")));
        assert_eq!(v1.error(), (ErrorStatus::NoSuchName, 1));

        let mut walked = vec![oid("0.0")];
        loop {
            let response =
                TestResponse::of(&agent.reply_to(&get_next(&walked[walked.len() - 1..]).v2c("public")));
            if response.value() == OwnedValue::EndOfMibView {
                break;
            }
            walked.extend(response.names());
        }
        let bulk = TestResponse::of(&agent.reply_to(&get_bulk(0, 100, &[oid("0.0")]).v2c("public")));
        let values = bulk.values();
        let seen =
            bulk.names().into_iter().zip(values).filter(|(_, value)| *value != OwnedValue::EndOfMibView);
        let seen: Vec<Oid> = seen.map(|(name, _)| name).collect();
        assert_eq!(walked[1..], seen);
        assert!(!walked.contains(&hidden));
        let everything = agent.request_v2c(&get_bulk(0, 100, &[oid("0.0")])).names();
        let all_but_hidden = everything.into_iter().filter(|name| {
            let whole_column = !walked.contains(&instance(&if_mib::IF_DESCR, &[1]));
            *name != hidden && !(whole_column && name.starts_with(if_mib::IF_DESCR.arcs()))
        });
        assert!(all_but_hidden.take(walked.len() - 1).eq(seen));
    }
}

#[test]
fn b4_get_next_skips_instances_excluded_by_view() {
    let above = [instance(&if_mib::IF_DESCR, &[1]), Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let below = [instance(&if_mib::IF_DESCR, &[3]), instance(&if_mib::IF_IN_OCTETS, &[1])];
    for ((config, above), below) in configs_excluding_second_description().into_iter().zip(above).zip(below) {
        let (mut agent, _) = agent_with(config);
        for message in [
            get_next(std::slice::from_ref(&above)).v1("public"),
            get_next(std::slice::from_ref(&above)).v2c("public"),
            get_bulk(1, 0, std::slice::from_ref(&above)).v2c("public"),
            get_bulk(0, 1, std::slice::from_ref(&above)).v2c("public"),
        ] {
            assert_eq!(TestResponse::of(&agent.reply_to(&message)).names(), std::slice::from_ref(&below));
        }
    }
}

#[test]
fn b4_request_for_excluded_instance_is_answered_like_missing_instance() {
    let config = TestConfig::standard().view("system", &[("1.3.6.1.2.1.1", "included")]).access(
        "readers",
        SecurityModel::ANY,
        NO_AUTH,
        ("system", ""),
    );
    let (mut agent, _) = agent_with(config);
    let pdu =
        get(&[instance(&if_mib::IF_DESCR, &[1]), instance(&if_mib::IF_DESCR, &[99]), oid("1.3.6.1.2.1.99")]);
    let response = TestResponse::of(&agent.reply_to(&pdu.v2c("public")));
    assert_eq!(
        response.values(),
        [OwnedValue::NoSuchObject, OwnedValue::NoSuchObject, OwnedValue::NoSuchObject]
    );
    let last = scalar(&snmpv2_mib::SYS_LOCATION);
    let next = TestResponse::of(&agent.reply_to(&get_next(&[last]).v2c("public")));
    assert_eq!(next.value(), OwnedValue::EndOfMibView);
}

/// Each skipped row counts as one step, and the number of steps of one request is limited.
#[test]
fn b4_get_next_fails_with_gen_err_after_skipping_too_many_excluded_rows() {
    let static_module = crate::support::static_module::StaticModule::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=200_000).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = static_module.visits();
    let config = TestConfig::standard().view("last", &[("1.3.6.1.2.1.2.2.1.10.200000", "included")]).access(
        "readers",
        SecurityModel::ANY,
        NO_AUTH,
        ("last", ""),
    );
    let mut agent = AgentBuilder::new().config(config).module(static_module).build();
    let pdu = get_next(&[oid("1.3"), oid("1.3"), oid("1.3")]);
    let response = TestResponse::of(&agent.reply_to(&pdu.v2c("public")));
    assert_eq!(response.error(), (ErrorStatus::GenErr, 1));
    assert!(visits.load(std::sync::atomic::Ordering::Relaxed) < 1_000_000);
}
