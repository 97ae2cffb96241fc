//! SetRequest over several modules: all or nothing (RFC 3416 §4.2.5).

mod turns;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;

use crate::support::{
    agent::{Agent, Heard, Parts, over},
    answer::Answer,
    ask::{Ask, get, set},
    ledger::{Book, Ledger},
    manager::Manager,
    names::{scalar, text},
};

fn contact() -> Oid {
    scalar(&snmpv2_mib::SYS_CONTACT)
}

fn location() -> Oid {
    scalar(&snmpv2_mib::SYS_LOCATION)
}

/// A change in either module, and the usual way through both.
fn both() -> Ask {
    set(&[(location(), text("roof")), (contact(), text("ops"))])
}

#[track_caller]
fn is_unchanged(agent: &mut Agent) {
    assert_eq!(agent.v2c(&get(&[contact(), location()])).values(), [text(""), text("")]);
}

#[test]
fn a_set_goes_through_every_phase_in_every_module_before_the_next_phase_begins() {
    let (mut agent, book) = Agent::usual();
    let before = agent.counts();
    let answer = agent.v2c(&both());
    assert_eq!((answer.error(), answer.var_binds), ((ErrorStatus::NoError, 0), both().var_binds));
    assert_eq!(
        book.take(),
        [
            "places draft for writer",
            "places test",
            "people draft for writer",
            "people test",
            "places validate",
            "people validate",
            "places commit",
            "people commit",
            "places publish",
            "people publish",
        ]
    );
    assert!(agent.raised_since(&before).contains(&(Counter::SnmpInTotalSetVars, 2)));
    assert_eq!(agent.v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
}

#[test]
fn whatever_fails_in_one_module_leaves_both_as_they_were() {
    for (module, stage, error, undone) in [
        ("places", "test", (ErrorStatus::ResourceUnavailable, 1), &[][..]),
        ("people", "test", (ErrorStatus::ResourceUnavailable, 2), &[]),
        ("places", "validate", (ErrorStatus::InconsistentValue, 1), &[]),
        ("people", "validate", (ErrorStatus::InconsistentValue, 2), &[]),
        ("places", "commit", (ErrorStatus::CommitFailed, 1), &[]),
        ("people", "commit", (ErrorStatus::CommitFailed, 2), &["places undo"]),
    ] {
        let (mut agent, book) = Agent::usual();
        book.fail(module, stage);
        let answer = agent.v2c(&both());
        assert_eq!((answer.error(), answer.var_binds), (error, both().var_binds), "{module} {stage}");
        let entries = book.take();
        let undo: Vec<&String> = entries.iter().filter(|entry| entry.ends_with("undo")).collect();
        assert_eq!(undo, undone);
        assert!(!entries.iter().any(|entry| entry.ends_with("publish")));
        is_unchanged(&mut agent);
    }
}

#[test]
fn what_cannot_be_undone_is_undo_failed_and_the_others_are_undone_all_the_same() {
    let book = Book::default();
    let mut agent = Parts::new()
        .module(Ledger::new("first", &[&snmpv2_mib::SYS_CONTACT], &book))
        .module(Ledger::new("second", &[&snmpv2_mib::SYS_NAME], &book))
        .module(Ledger::new("third", &[&snmpv2_mib::SYS_LOCATION], &book))
        .agent();
    book.fail("second", "undo");
    book.fail("third", "commit");
    let ask =
        set(&[(contact(), text("a")), (scalar(&snmpv2_mib::SYS_NAME), text("b")), (location(), text("c"))]);
    assert_eq!(agent.v2c(&ask).error(), (ErrorStatus::UndoFailed, 0));
    let entries = book.take();
    assert_eq!(entries[entries.len() - 3..], ["third commit", "second undo", "first undo"]);
    assert_eq!(agent.v1(&ask).error(), (ErrorStatus::GenErr, 0));
}

#[test]
fn the_variable_to_blame_is_counted_in_the_request_and_not_in_the_module() {
    let (mut agent, book) = Agent::usual();
    book.fail("people", "validate");
    let ask = set(&[
        (location(), text("a")),
        (contact(), text("b")),
        (location(), text("a")),
        (scalar(&snmpv2_mib::SYS_NAME), text("c")),
        (location(), text("a")),
    ]);
    assert_eq!(agent.v2c(&ask).error(), (ErrorStatus::InconsistentValue, 4));
}

#[test]
fn the_same_variable_twice_is_fine_unless_the_values_differ() {
    let (mut agent, book) = Agent::usual();
    let twice = |a, b| set(&[(contact(), text(a)), (location(), text("x")), (contact(), text(b))]);
    assert_eq!(agent.v2c(&twice("a", "a")).error(), (ErrorStatus::NoError, 0));
    assert_eq!(book.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(text("a")));
    assert_eq!(agent.v2c(&twice("b", "c")).error(), (ErrorStatus::InconsistentValue, 3));
    assert_eq!(book.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(text("a")));
}

#[test]
fn the_response_echoes_the_request_to_the_octet() {
    let (mut agent, _) = Agent::usual();
    // A length in two octets where one would do is right, and comes back as it was.
    let plain = both().v2c("private");
    let value = plain.windows(6).position(|window| window == b"\x04\x04roof").unwrap();
    let mut message = [&plain[..value], b"\x04\x81\x04roof", &plain[value + 6..]].concat();
    // What holds the value: its variable binding, the list, the PDU and the message.
    let binding = value - 2 - 8 - 2;
    for length_at in [binding + 1, binding - 1, binding - 13, 1] {
        message[length_at] += 1;
    }
    let reply = agent.reply_to(&message);
    let tail = message.len() - value;
    assert_eq!(reply[reply.len() - tail..], message[value..]);
}

#[test]
fn a_set_whose_response_would_not_fit_changes_nothing() {
    let long = text(&"x".repeat(200));
    let ask = set(&[(contact(), long.clone()), (location(), long.clone()), (contact(), long)]);
    let (mut agent, book) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    ops.max_size = 484;
    let told = ops.ask(&mut agent, &ask);
    assert_eq!((told.answer.error(), told.answer.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
    assert_eq!(book.take(), [""; 0]);
    is_unchanged(&mut agent);
    // By the transport's own bound, too; in SNMPv1 the request would come back, if only it could.
    let udp = over(TransportDomain::Udp);
    let Heard::Reply(reply) = agent.hear_over(&udp, 600, &ask.v2c("private")) else { panic!("no answer") };
    assert_eq!(Answer::of(&reply).error(), (ErrorStatus::TooBig, 0));
    assert_eq!(agent.hear_over(&udp, 600, &ask.v1("private")), Heard::Dropped);
    assert_eq!(agent.statistics.sum(Counter::SnmpSilentDrops), 1);
    assert_eq!(book.take(), [""; 0]);
}

#[test]
fn values_no_set_may_carry_are_refused() {
    let (mut agent, book) = Agent::usual();
    for value in [
        OwnedValue::Null,
        OwnedValue::NoSuchObject,
        OwnedValue::NoSuchInstance,
        OwnedValue::EndOfMibView,
        OwnedValue::Counter64(1),
        OwnedValue::Opaque(vec![1]),
        OwnedValue::IpAddress([1, 2, 3, 4]),
        OwnedValue::ObjectId(contact()),
    ] {
        let answer = agent.v2c(&set(&[(contact(), value)]));
        assert_eq!(answer.error(), (ErrorStatus::WrongType, 1));
    }
    assert!(!book.take().iter().any(|entry| entry.ends_with("commit")));
}
