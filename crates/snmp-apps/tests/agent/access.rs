//! Section B of the list of attacks: who may see and change what.

mod mix_ups;
mod views;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{Agent, usual_objects},
    answer::Answer,
    ask::{get, get_bulk, get_next, set},
    ledger::Book,
    manager::Manager,
    names::{instance, oid, scalar, text},
    site::Site,
};

const NO_AUTH: SecurityLevel = SecurityLevel::NoAuthNoPriv;

fn agent_with(site: Site) -> (Agent, Book) {
    let book = Book::default();
    (usual_objects(&book).site(site).agent(), book)
}

//= rfc3584#5.2.1-p1
//= type=test
#[test]
fn b1_near_misses_of_a_community_are_dropped() {
    let (mut agent, _) = Agent::usual();
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
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
        agent.drops(&ask.v1(near), Counter::SnmpInBadCommunityNames);
        agent.drops(&ask.v2c(near), Counter::SnmpInBadCommunityNames);
    }
    agent.is_well();
}

//= rfc3415#3.2-4b
//= type=test
#[test]
fn b2_a_set_by_who_may_only_read_changes_nothing() {
    let (mut agent, book) = Agent::usual();
    let contact = scalar(&snmpv2_mib::SYS_CONTACT);
    let ask = set(&[(contact.clone(), text("intruder"))]);
    let v2c = Answer::of(&agent.reply_to(&ask.v2c("public")));
    assert_eq!((v2c.error(), v2c.var_binds), ((ErrorStatus::NoAccess, 1), ask.var_binds.clone()));
    let v1 = Answer::of(&agent.reply_to(&ask.v1("public")));
    assert_eq!((v1.error(), v1.var_binds), ((ErrorStatus::NoSuchName, 1), ask.var_binds.clone()));
    let mut guest = Manager::guest().acquainted(&mut agent);
    assert_eq!(guest.ask(&mut agent, &ask).answer.error(), (ErrorStatus::NoAccess, 1));
    assert_eq!(book.take(), [""; 0]);
    assert_eq!(agent.v2c(&get(&[contact])).value(), text(""));
}

#[test]
fn b3_one_bad_variable_among_many_changes_none() {
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
            let (mut agent, book) = Agent::usual();
            let mut changes = good.to_vec();
            changes.insert(position, bad.clone());
            let answer = agent.v2c(&set(&changes));
            let blamed = i32::try_from(position).unwrap() + 1;
            assert_eq!((answer.error(), answer.var_binds), ((status, blamed), changes));
            assert!(!book.take().iter().any(|entry| entry.ends_with("commit") || entry.ends_with("publish")));
            let names: Vec<Oid> = good.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(agent.v2c(&get(&names)).values(), [text(""), text(""), text("")]);
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
fn without_group_access_entry_or_view_there_is_an_authorization_error_without_index() {
    let sites = [
        Site::usual().community("other", "nobody", ""),
        Site::usual().community("other", "nobody", "").group(SecurityModel::SNMP_V2C, "nobody", "ghosts"),
        Site::usual()
            .community("other", "nobody", "")
            .group(SecurityModel::SNMP_V2C, "nobody", "ghosts")
            .access("ghosts", SecurityModel::ANY, SecurityLevel::AuthNoPriv, ("all", "all")),
        Site::usual()
            .community("other", "nobody", "")
            .group(SecurityModel::SNMP_V2C, "nobody", "ghosts")
            .access("ghosts", SecurityModel::SNMP_V1, NO_AUTH, ("all", "all")),
        Site::usual()
            .community("other", "nobody", "")
            .group(SecurityModel::SNMP_V2C, "nobody", "ghosts")
            .access("ghosts", SecurityModel::ANY, NO_AUTH, ("", "")),
        Site::usual()
            .community("other", "nobody", "")
            .group(SecurityModel::SNMP_V2C, "nobody", "ghosts")
            .access("ghosts", SecurityModel::ANY, NO_AUTH, ("missing", "missing")),
    ];
    for (number, site) in sites.into_iter().enumerate() {
        let has_entry = number >= 4;
        let (mut agent, book) = agent_with(site);
        let contact = scalar(&snmpv2_mib::SYS_CONTACT);
        for ask in [
            get(std::slice::from_ref(&contact)),
            get_next(std::slice::from_ref(&contact)),
            get_bulk(0, 1, std::slice::from_ref(&contact)),
            set(&[(contact, text("x"))]),
        ] {
            let answer = Answer::of(&agent.reply_to(&ask.v2c("other")));
            let has_entry = has_entry && ask.pdu_type == PduType::SetRequest;
            // A right to read, but no view to write in: the variable is to blame.
            let refused =
                if has_entry { (ErrorStatus::NoAccess, 1) } else { (ErrorStatus::AuthorizationError, 0) };
            assert_eq!((answer.error(), answer.var_binds), (refused, ask.var_binds));
        }
        assert_eq!(book.take(), [""; 0]);
    }
}

//= rfc3584#5.2.1-p4
//= type=test
#[test]
fn b2_an_operation_that_a_community_may_not_use_is_counted() {
    let site = Site::usual().community("other", "nobody", "");
    let (mut agent, _) = agent_with(site);
    let change = set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("x"))]);
    let uses = |agent: &Agent| agent.statistics.sum(Counter::SnmpInBadCommunityUses);
    agent.reply_to(&change.v2c("private"));
    agent.reply_to(&get(&[oid("1.1")]).v2c("public"));
    assert_eq!(uses(&agent), 0);
    agent.reply_to(&change.v2c("public"));
    agent.reply_to(&change.v1("public"));
    assert_eq!(uses(&agent), 2);
    agent.reply_to(&get(&[oid("1.1")]).v2c("other"));
    assert_eq!(uses(&agent), 3);
    let mut guest = Manager::guest().acquainted(&mut agent);
    assert_eq!(guest.ask(&mut agent, &change).answer.status, ErrorStatus::NoAccess);
    assert_eq!(uses(&agent), 3);
}
