//! Section B of the list of attacks: who may see and change what.

use portreeve_engine::statistics::Counter;
use portreeve_lcd::ContextMatch;
use portreeve_message::PduType;
use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel, TransportDomain};

use crate::support::{
    agent::{Agent, Heard, Parts, over, session_of, usual_objects},
    answer::Answer,
    ask::{get, get_bulk, get_next, set},
    ledger::Book,
    manager::Manager,
    names::{instance, oid, scalar, text},
    site::{AUTH, PRIVACY, Site, engine_id},
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

/// The whole of ifDescr, or one row of it, is excluded; its neighbours above and below are not.
fn sites_that_hide_the_second_description() -> [Site; 2] {
    let row = instance(&if_mib::IF_DESCR, &[2]).to_string();
    let column = Oid::new(if_mib::IF_DESCR.arcs()).unwrap().to_string();
    [row, column].map(|hidden| {
        Site::usual().view("most", &[("1.3", "included"), (&hidden, "excluded")]).access(
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
fn b4_what_a_view_excludes_is_seen_by_no_get_no_get_next_and_no_get_bulk() {
    let hidden = instance(&if_mib::IF_DESCR, &[2]);
    for site in sites_that_hide_the_second_description() {
        let (mut agent, _) = agent_with(site);
        let value = Answer::of(&agent.reply_to(&get(std::slice::from_ref(&hidden)).v2c("public"))).value();
        assert!(matches!(value, OwnedValue::NoSuchInstance | OwnedValue::NoSuchObject));
        let v1 = Answer::of(&agent.reply_to(&get(std::slice::from_ref(&hidden)).v1("public")));
        assert_eq!(v1.error(), (ErrorStatus::NoSuchName, 1));

        let mut walked = vec![oid("0.0")];
        loop {
            let answer = Answer::of(&agent.reply_to(&get_next(&walked[walked.len() - 1..]).v2c("public")));
            if answer.value() == OwnedValue::EndOfMibView {
                break;
            }
            walked.extend(answer.names());
        }
        let bulk = Answer::of(&agent.reply_to(&get_bulk(0, 100, &[oid("0.0")]).v2c("public")));
        let values = bulk.values();
        let seen =
            bulk.names().into_iter().zip(values).filter(|(_, value)| *value != OwnedValue::EndOfMibView);
        let seen: Vec<Oid> = seen.map(|(name, _)| name).collect();
        assert_eq!(walked[1..], seen);
        assert!(!walked.contains(&hidden));
        let everything = agent.v2c(&get_bulk(0, 100, &[oid("0.0")])).names();
        let all_but_hidden = everything.into_iter().filter(|name| {
            let whole_column = !walked.contains(&instance(&if_mib::IF_DESCR, &[1]));
            *name != hidden && !(whole_column && name.starts_with(if_mib::IF_DESCR.arcs()))
        });
        assert!(all_but_hidden.take(walked.len() - 1).eq(seen));
    }
}

#[test]
fn b4_the_neighbour_above_what_is_hidden_leads_past_it() {
    let above = [instance(&if_mib::IF_DESCR, &[1]), Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    let below = [instance(&if_mib::IF_DESCR, &[3]), instance(&if_mib::IF_IN_OCTETS, &[1])];
    for ((site, above), below) in sites_that_hide_the_second_description().into_iter().zip(above).zip(below) {
        let (mut agent, _) = agent_with(site);
        for message in [
            get_next(std::slice::from_ref(&above)).v1("public"),
            get_next(std::slice::from_ref(&above)).v2c("public"),
            get_bulk(1, 0, std::slice::from_ref(&above)).v2c("public"),
            get_bulk(0, 1, std::slice::from_ref(&above)).v2c("public"),
        ] {
            assert_eq!(Answer::of(&agent.reply_to(&message)).names(), std::slice::from_ref(&below));
        }
    }
}

#[test]
fn b4_what_is_hidden_looks_like_what_is_not_there() {
    let site = Site::usual().view("system", &[("1.3.6.1.2.1.1", "included")]).access(
        "readers",
        SecurityModel::ANY,
        NO_AUTH,
        ("system", ""),
    );
    let (mut agent, _) = agent_with(site);
    let ask =
        get(&[instance(&if_mib::IF_DESCR, &[1]), instance(&if_mib::IF_DESCR, &[99]), oid("1.3.6.1.2.1.99")]);
    let answer = Answer::of(&agent.reply_to(&ask.v2c("public")));
    assert_eq!(
        answer.values(),
        [OwnedValue::NoSuchObject, OwnedValue::NoSuchObject, OwnedValue::NoSuchObject]
    );
    let last = scalar(&snmpv2_mib::SYS_LOCATION);
    let next = Answer::of(&agent.reply_to(&get_next(&[last]).v2c("public")));
    assert_eq!(next.value(), OwnedValue::EndOfMibView);
}

/// A view of every other row costs steps, but a request may not spend more than a bounded number of them.
#[test]
fn b4_a_view_with_a_million_hidden_rows_does_not_hold_the_agent_up() {
    let shelf = crate::support::shelf::Shelf::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=200_000).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = shelf.visits();
    let site = Site::usual().view("last", &[("1.3.6.1.2.1.2.2.1.10.200000", "included")]).access(
        "readers",
        SecurityModel::ANY,
        NO_AUTH,
        ("last", ""),
    );
    let mut agent = Parts::new().site(site).module(shelf).agent();
    let ask = get_next(&[oid("1.3"), oid("1.3"), oid("1.3")]);
    let answer = Answer::of(&agent.reply_to(&ask.v2c("public")));
    assert_eq!(answer.error(), (ErrorStatus::GenErr, 1));
    assert!(visits.load(std::sync::atomic::Ordering::Relaxed) < 1_000_000);
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

/// The same name under USM, TSM and both community models, each with rights of its own.
#[test]
fn b4_the_same_name_under_two_models_shares_nothing() {
    let site = || {
        Site::usual()
            .user("alice", Some(AUTH), Some(PRIVACY))
            .community("alice", "alice", "")
            .view("name", &[("1.3.6.1.2.1.1.5", "included")])
    };
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let models = [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C, SecurityModel::USM, SecurityModel::TSM];
    for granted in models {
        // The rule is for one model; the name is in the group under each of them.
        let with_rule = models
            .iter()
            .fold(site(), |site, model| site.group(*model, "alice", "friends"))
            .access("friends", granted, NO_AUTH, ("all", "all"));
        // The rule is for any model; the name is in the group under one of them.
        let with_group = site().group(granted, "alice", "friends").access(
            "friends",
            SecurityModel::ANY,
            NO_AUTH,
            ("all", "all"),
        );
        for site in [with_rule, with_group] {
            let (mut agent, _) = agent_with(site);
            let session = session_of("alice", SecurityLevel::AuthPriv);
            let mut usm = Manager::new("alice", SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY));
            usm.engine_id = engine_id().as_bytes().to_vec();
            usm.ask(&mut agent, &ask);
            let tsm_message = ask.tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "");
            let answers = [
                Answer::of(&agent.reply_to(&ask.v1("alice"))),
                Answer::of(&agent.reply_to(&ask.v2c("alice"))),
                usm.ask(&mut agent, &ask).answer,
                match agent.hear_over(&session, 65_535, &tsm_message) {
                    Heard::Reply(reply) => Answer::of(&reply),
                    other => panic!("no answer but {other:?}"),
                },
            ];
            for (model, answer) in models.into_iter().zip(answers) {
                let refused = [(ErrorStatus::AuthorizationError, 0), (ErrorStatus::NoSuchName, 1)];
                if model == granted {
                    assert_eq!(answer.value(), text("a gate"), "{granted} granted, {model} asked");
                } else {
                    assert!(refused.contains(&answer.error()), "{granted} granted, {model} asked");
                }
            }
        }
    }
}

#[test]
fn b4_a_name_in_a_message_is_worth_nothing_without_a_session() {
    let (mut agent, _) = Agent::usual();
    let message = get(&[scalar(&snmpv2_mib::SYS_DESCR)]).tsm(NO_AUTH, engine_id().as_bytes(), "");
    for domain in [TransportDomain::Udp, TransportDomain::Tcp] {
        let before = agent.counts();
        assert_eq!(agent.hear_over(&over(domain), 65_507, &message), Heard::Dropped);
        assert_eq!(
            agent.raised_since(&before),
            [(Counter::SnmpInPkts, 1), (Counter::SnmpTsmInvalidCaches, 1)]
        );
    }
}

//= rfc3415#3.2-1
//= type=test
//= rfc3413#3.2-5-p3
//= type=test
#[test]
fn b4_a_right_in_one_context_is_none_in_another() {
    let site = Site::usual().context("vlan1").context("vlan2").access_in(
        ("vlan1", ContextMatch::Exact),
        "operators",
        SecurityModel::USM,
        NO_AUTH,
        ("all", ""),
    );
    let (mut agent, _) = agent_with(site);
    let mut ops = Manager::ops().acquainted(&mut agent);
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    for (context, expected) in [
        ("", ErrorStatus::NoError),
        ("vlan1", ErrorStatus::NoError),
        ("vlan2", ErrorStatus::AuthorizationError),
    ] {
        ops.context_name = context;
        let told = ops.ask(&mut agent, &ask);
        assert_eq!(told.answer.status, expected, "{context}");
        assert_eq!(told.context_name, context.as_bytes());
    }
    for unknown in ["vlan", "vlan11", "VLAN1", "vlan3"] {
        ops.context_name = unknown;
        let before = agent.counts();
        let told = ops.ask(&mut agent, &ask);
        assert_eq!(told.answer.names(), [scalar(&portreeve_mib::modules::target_mib::SNMP_UNKNOWN_CONTEXTS)]);
        assert!(agent.raised_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
    }
}

#[test]
fn b4_a_community_stands_for_its_context_and_no_other() {
    let site = Site::usual()
        .context("vlan1")
        .community("vlan1", "reader", "vlan1")
        .community("lost", "reader", "vlan9");
    let (mut agent, _) = agent_with(site);
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let vlan1 = Answer::of(&agent.reply_to(&ask.v2c("vlan1")));
    assert_eq!(vlan1.error(), (ErrorStatus::AuthorizationError, 0));
    let before = agent.counts();
    assert_eq!(agent.hear(&ask.v2c("lost")), Heard::Dropped);
    assert!(agent.raised_since(&before).contains(&(Counter::SnmpUnknownContexts, 1)));
}
