//! Section B of the attack list: read and write access.

mod isolation;
mod views;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{TestAgent, standard_objects},
    config::TestConfig,
    manager::TestManager,
    names::{instance, oid, scalar, text},
    response::TestResponse,
    test_pdu::{get, get_bulk, get_next, set},
    writable_module::ModuleLog,
};

const NO_AUTH: SecurityLevel = SecurityLevel::NoAuthNoPriv;

fn agent_with(config: TestConfig) -> (TestAgent, ModuleLog) {
    let log = ModuleLog::default();
    (standard_objects(&log).config(config).build(), log)
}

//= rfc3584#5.2.1-p1
//= type=test
#[test]
fn b1_request_with_community_similar_to_valid_one_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let pdu = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    for near in [
        "",
        "publi",
        "publicc",
        "Public",
        "PUBLIC",
        "public ",
        " public",
        "public\0",
        "public\n",
        "p\u{fc}blic",
    ] {
        agent.assert_drops(&pdu.v1(near), Counter::SnmpInBadCommunityNames);
        agent.assert_drops(&pdu.v2c(near), Counter::SnmpInBadCommunityNames);
    }
    agent.assert_responds();
}

//= rfc3415#3.2-4b
//= type=test
#[test]
fn b2_set_is_rejected_without_write_view() {
    let (mut agent, log) = TestAgent::standard();
    let contact = scalar(&snmpv2_mib::SYS_CONTACT);
    let pdu = set(&[(contact.clone(), text("intruder"))]);
    let v2c = TestResponse::of(&agent.reply_to(&pdu.v2c("public")));
    assert_eq!((v2c.error(), v2c.var_binds), ((ErrorStatus::NoAccess, 1), pdu.var_binds.clone()));
    let v1 = TestResponse::of(&agent.reply_to(&pdu.v1("public")));
    assert_eq!((v1.error(), v1.var_binds), ((ErrorStatus::NoSuchName, 1), pdu.var_binds.clone()));
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    assert_eq!(guest.request(&mut agent, &pdu).response.error(), (ErrorStatus::NoAccess, 1));
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(agent.request_v2c(&get(&[contact])).value(), text(""));
}

#[test]
fn b3_set_with_one_invalid_variable_does_not_change_any_object() {
    let good = [
        (scalar(&snmpv2_mib::SYS_CONTACT), text("a")),
        (scalar(&snmpv2_mib::SYS_NAME), text("b")),
        (scalar(&snmpv2_mib::SYS_LOCATION), text("c")),
    ];
    for (bad, status) in [
        ((scalar(&snmpv2_mib::SYS_DESCR), text("d")), ErrorStatus::NotWritable),
        ((scalar(&snmpv2_mib::SYS_CONTACT), OwnedValue::Integer(1)), ErrorStatus::WrongType),
        ((scalar(&snmpv2_mib::SYS_CONTACT), OwnedValue::NoSuchObject), ErrorStatus::WrongType),
        ((instance(&snmpv2_mib::SYS_NAME, &[7]), text("d")), ErrorStatus::NoCreation),
        ((Oid::new(snmpv2_mib::SYS_NAME.arcs()).unwrap(), text("d")), ErrorStatus::NoCreation),
        ((oid("1.3.6.1.4.1.1"), text("d")), ErrorStatus::NotWritable),
        ((oid("0.0"), text("d")), ErrorStatus::NoAccess),
    ] {
        for position in 0..=good.len() {
            let (mut agent, log) = TestAgent::standard();
            let mut changes = good.to_vec();
            changes.insert(position, bad.clone());
            let response = agent.request_v2c(&set(&changes));
            let blamed = i32::try_from(position).unwrap() + 1;
            assert_eq!((response.error(), response.var_binds), ((status, blamed), changes));
            assert!(!log.take().iter().any(|entry| entry.ends_with("commit") || entry.ends_with("publish")));
            let names: Vec<Oid> = good.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(agent.request_v2c(&get(&names)).values(), [text(""), text(""), text("")]);
        }
    }
}

//= rfc3413#3.2-5-p1
//= type=test
//= rfc3415#3.2-2
//= type=test
//= rfc3415#3.2-3
//= type=test
//= rfc3415#3.2-5a
//= type=test
#[test]
fn community_without_group_access_entry_or_view_gets_authorization_error() {
    let configs = [
        TestConfig::standard().community("other", "unlisted", ""),
        TestConfig::standard().community("other", "unlisted", "").group(
            SecurityModel::SNMP_V2C,
            "unlisted",
            "unprivileged",
        ),
        TestConfig::standard()
            .community("other", "unlisted", "")
            .group(SecurityModel::SNMP_V2C, "unlisted", "unprivileged")
            .access("unprivileged", SecurityModel::ANY, SecurityLevel::AuthNoPriv, ("all", "all")),
        TestConfig::standard()
            .community("other", "unlisted", "")
            .group(SecurityModel::SNMP_V2C, "unlisted", "unprivileged")
            .access("unprivileged", SecurityModel::SNMP_V1, NO_AUTH, ("all", "all")),
        TestConfig::standard()
            .community("other", "unlisted", "")
            .group(SecurityModel::SNMP_V2C, "unlisted", "unprivileged")
            .access("unprivileged", SecurityModel::ANY, NO_AUTH, ("", "")),
        TestConfig::standard()
            .community("other", "unlisted", "")
            .group(SecurityModel::SNMP_V2C, "unlisted", "unprivileged")
            .access("unprivileged", SecurityModel::ANY, NO_AUTH, ("missing", "missing")),
    ];
    for (number, config) in configs.into_iter().enumerate() {
        let has_entry = number >= 4;
        let (mut agent, log) = agent_with(config);
        let contact = scalar(&snmpv2_mib::SYS_CONTACT);
        for pdu in [
            get(std::slice::from_ref(&contact)),
            get_next(std::slice::from_ref(&contact)),
            get_bulk(0, 1, std::slice::from_ref(&contact)),
            set(&[(contact, text("x"))]),
        ] {
            let response = TestResponse::of(&agent.reply_to(&pdu.v2c("other")));
            let has_entry = has_entry && pdu.pdu_type == PduType::SetRequest;
            // With a read view but no write view, the error has the index of the variable.
            let rejected =
                if has_entry { (ErrorStatus::NoAccess, 1) } else { (ErrorStatus::AuthorizationError, 0) };
            assert_eq!((response.error(), response.var_binds), (rejected, pdu.var_binds));
        }
        assert_eq!(log.take(), [""; 0]);
    }
}

//= rfc3584#5.2.1-p4
//= type=test
#[test]
fn b2_operation_denied_to_community_is_counted() {
    let config = TestConfig::standard().community("other", "unlisted", "");
    let (mut agent, _) = agent_with(config);
    let change = set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("x"))]);
    let uses = |agent: &TestAgent| agent.statistics.sum(Counter::SnmpInBadCommunityUses);
    agent.reply_to(&change.v2c("private"));
    agent.reply_to(&get(&[oid("1.1")]).v2c("public"));
    assert_eq!(uses(&agent), 0);
    agent.reply_to(&change.v2c("public"));
    agent.reply_to(&change.v1("public"));
    assert_eq!(uses(&agent), 2);
    agent.reply_to(&get(&[oid("1.1")]).v2c("other"));
    assert_eq!(uses(&agent), 3);
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    assert_eq!(guest.request(&mut agent, &change).response.status, ErrorStatus::NoAccess);
    assert_eq!(uses(&agent), 3);
}
