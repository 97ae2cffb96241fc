//! SNMPv1 against objects of SMIv2 (RFC 3584 §4).

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, SecurityLevel, SecurityModel};

use crate::support::{
    agent::{Agent, Heard, Parts, usual_objects},
    answer::Answer,
    ask::{get, get_bulk, get_next, set},
    broken::Broken,
    ledger::Book,
    names::{instance, oid, scalar, text},
    site::Site,
};

//= rfc3584#4.1-p1
//= type=test
#[test]
fn v1_reads_what_it_has_types_for() {
    let (mut agent, _) = Agent::usual();
    let names = [scalar(&snmpv2_mib::SYS_DESCR), instance(&if_mib::IF_IN_OCTETS, &[2])];
    let answer = agent.v1(&get(&names));
    assert_eq!(answer.error(), (ErrorStatus::NoError, 0));
    assert_eq!(answer.values(), [text("a gate"), OwnedValue::Counter32(2)]);
}

//= rfc3584#4.2.2.1-p1
//= type=test
//= rfc3584#4.2.2.2.1-p1
//= type=test
//= rfc3584#4.2.2.3-p1
//= type=test
#[test]
fn b4_v1_get_says_no_such_name_for_a_counter64_and_for_what_is_not_there_and_echoes_the_request() {
    let (mut agent, _) = Agent::usual();
    let good = scalar(&snmpv2_mib::SYS_DESCR);
    for hidden in [
        instance(&if_mib::IF_HC_IN_OCTETS, &[1]),
        instance(&if_mib::IF_HC_IN_OCTETS, &[9]),
        instance(&snmpv2_mib::SYS_DESCR, &[1]),
        oid("1.3.6.1.4.1.99999.1.0"),
    ] {
        let mut ask = get(&[good.clone(), hidden, good.clone()]);
        ask.var_binds[2].1 = OwnedValue::Integer(5);
        let answer = agent.v1(&ask);
        assert_eq!(answer.error(), (ErrorStatus::NoSuchName, 2));
        assert_eq!(answer.var_binds, ask.var_binds);
    }
}

//= rfc3584#4.2.2.4-p1
//= type=test
//= rfc3584#4.2.2.2.2-p1
//= type=test
//= rfc3584#4.2.2.4-p2
//= type=test
#[test]
fn b4_v1_get_next_never_shows_a_counter64_and_ends_with_no_such_name() {
    let (mut agent, _) = Agent::usual();
    let mut at = oid("0.0");
    let mut seen = 0;
    loop {
        let ask = get_next(&[scalar(&snmpv2_mib::SYS_DESCR), at.clone()]);
        let answer = agent.v1(&ask);
        if answer.status != ErrorStatus::NoError {
            assert_eq!(answer.error(), (ErrorStatus::NoSuchName, 2));
            assert_eq!(answer.var_binds, ask.var_binds);
            break;
        }
        let (name, value) = answer.var_binds[1].clone();
        assert!(!matches!(value, OwnedValue::Counter64(_)), "{name}");
        at = name;
        seen += 1;
    }
    assert_eq!((at, seen), (instance(&if_mib::IF_ALIAS, &[3]), 6 + 4 * 3));
    let before = Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap();
    assert_eq!(agent.v1(&get_next(&[before])).names(), [instance(&if_mib::IF_ALIAS, &[1])]);
}

/// Also on the way past what the view hides.
#[test]
fn b4_v1_get_next_shows_no_counter64_behind_a_hidden_one() {
    let hidden = instance(&if_mib::IF_HC_IN_OCTETS, &[1]).to_string();
    let site = Site::usual().view("most", &[("1.3", "included"), (&hidden, "excluded")]).access(
        "writers",
        SecurityModel::ANY,
        SecurityLevel::NoAuthNoPriv,
        ("most", "all"),
    );
    let mut agent = usual_objects(&Book::default()).site(site).agent();
    let ask = get_next(&[Oid::new(if_mib::IF_HC_IN_OCTETS.arcs()).unwrap()]);
    assert_eq!(agent.v1(&ask).names(), [instance(&if_mib::IF_ALIAS, &[1])]);
    assert_eq!(agent.v2c(&ask).names(), [instance(&if_mib::IF_HC_IN_OCTETS, &[2])]);
}

//= rfc3584#4.2.2.5-p1
//= type=test
//= rfc3584#4.2.2.3-p2
//= type=test
#[test]
fn v1_errors_are_the_nearest_that_v1_has() {
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
        let (mut agent, _) = Agent::usual();
        let ask = set(&[(contact.clone(), text("a")), (name, value)]);
        assert_eq!(agent.v2c(&ask).error(), (v2, 2));
        let answer = agent.v1(&ask);
        assert_eq!((answer.error(), answer.var_binds), ((v1, 2), ask.var_binds));
    }
    for (stage, v2) in [("commit", ErrorStatus::CommitFailed), ("test", ErrorStatus::ResourceUnavailable)] {
        let (mut agent, book) = Agent::usual();
        book.fail("people", stage);
        let ask = set(&[(contact.clone(), text("a"))]);
        assert_eq!(agent.v2c(&ask).error(), (v2, 1));
        assert_eq!(agent.v1(&ask).error(), (ErrorStatus::GenErr, 1));
    }
}

//= rfc3584#4.4-p2
//= type=test
#[test]
fn v1_is_told_no_such_name_with_an_index_when_it_has_no_rights_at_all() {
    let site = Site::usual().community("stranger", "nobody", "");
    let mut agent = Parts::new().site(site).agent();
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR)]);
    let v1 = Answer::of(&agent.reply_to(&ask.v1("stranger")));
    assert_eq!((v1.error(), v1.var_binds), ((ErrorStatus::NoSuchName, 1), ask.var_binds.clone()));
    let v2c = Answer::of(&agent.reply_to(&ask.v2c("stranger")));
    assert_eq!(v2c.error(), (ErrorStatus::AuthorizationError, 0));
}

//= rfc3584#4.2.2.4-p3
//= type=test
#[test]
fn v1_get_next_past_what_cannot_be_had_is_gen_err() {
    let mut agent = Parts::new().module(Broken).agent();
    let ask = get_next(&[oid("2.1"), oid("1.3")]);
    assert_eq!(agent.v1(&ask).error(), (ErrorStatus::NoSuchName, 1));
    let ask = get_next(&[oid("1.3")]);
    let answer = agent.v1(&ask);
    assert_eq!((answer.error(), answer.var_binds), ((ErrorStatus::GenErr, 1), ask.var_binds));
}

#[test]
fn v1_has_no_get_bulk() {
    let (mut agent, _) = Agent::usual();
    assert_eq!(agent.hear(&get_bulk(0, 1, &[oid("1.3")]).v1("private")), Heard::Dropped);
}
