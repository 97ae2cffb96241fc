//! SetRequest over several modules: all or nothing (RFC 3416 §4.2.5).

use portreeve_apps::SetTurn;
use portreeve_engine::statistics::Counter;
use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Timestamp, TransportDomain};

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

/// Two modules, the second of which keeps its state on disk.
fn with_a_durable_module(book: &Book) -> Parts {
    Parts::new()
        .module(Ledger::new("people", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], book))
        .module(Ledger::new("places", &[&snmpv2_mib::SYS_LOCATION], book).durable())
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
fn a_durable_set_is_answered_when_it_is_durable_and_not_seen_before() {
    let book = Book::default();
    let mut agent = with_a_durable_module(&book).agent();
    let message = both().v2c("private");
    assert_eq!(agent.hear(&message), Heard::Pending);
    let persist = agent.persist();
    assert_eq!(persist.records.len(), 1);
    is_unchanged(&mut agent);
    assert!(agent.poll().is_empty());
    agent.entity.durable(persist.token, true);
    let sent = agent.poll();
    assert_eq!(sent.len(), 1);
    let answer = Answer::of(&sent[0]);
    assert_eq!((answer.error(), answer.var_binds), ((ErrorStatus::NoError, 0), both().var_binds));
    assert_eq!(agent.v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
    assert_eq!(agent.statistics.sum(Counter::SnmpInTotalSetVars), 2);
    assert!(agent.poll().is_empty());
}

#[test]
fn what_cannot_be_made_durable_is_undone_in_every_module_and_says_commit_failed() {
    for (undo_fails, status) in [(false, ErrorStatus::CommitFailed), (true, ErrorStatus::UndoFailed)] {
        let book = Book::default();
        let mut agent = with_a_durable_module(&book).agent();
        if undo_fails {
            book.fail("people", "undo");
        }
        assert_eq!(agent.hear(&both().v2c("private")), Heard::Pending);
        let persist = agent.persist();
        book.take();
        agent.entity.durable(persist.token, false);
        let answer = Answer::of(&agent.poll()[0]);
        assert_eq!((answer.error(), answer.var_binds), ((status, 0), both().var_binds));
        assert_eq!(book.take(), ["people undo", "places undo"]);
        is_unchanged(&mut agent);
        // The next one goes through.
        assert_eq!(agent.hear(&both().v2c("private")), Heard::Pending);
        let persist = agent.persist();
        agent.entity.durable(persist.token, true);
        assert_eq!(Answer::of(&agent.poll()[0]).error(), (ErrorStatus::NoError, 0));
    }
}

#[test]
fn one_set_at_a_time_and_everything_else_goes_on() {
    let book = Book::default();
    let mut agent = with_a_durable_module(&book).agent();
    let change = |value: &str, id| {
        let mut ask = set(&[(location(), text(value))]);
        ask.request_id = id;
        ask.v2c("private")
    };
    for id in 1..=3 {
        assert_eq!(agent.hear(&change(&id.to_string(), id)), Heard::Pending);
    }
    let mut answered = vec![];
    for id in 1..=3 {
        is_unchanged_but_location(&mut agent, &(id - 1).to_string());
        let persist = agent.persist();
        assert_eq!(agent.entity.poll_persist(), None, "only one has its turn");
        agent.entity.durable(persist.token, true);
        answered.extend(agent.poll().iter().map(|message| Answer::of(message).request_id));
    }
    assert_eq!(answered, [1, 2, 3]);
    is_unchanged_but_location(&mut agent, "3");
}

#[track_caller]
fn is_unchanged_but_location(agent: &mut Agent, location_value: &str) {
    let expected = if location_value == "0" { text("") } else { text(location_value) };
    assert_eq!(agent.v2c(&get(&[contact(), location()])).values(), [text(""), expected]);
}

#[test]
fn two_workers_take_turns() {
    let (turn, book) = (SetTurn::default(), Book::default());
    let worker = || {
        let mut parts = with_a_durable_module(&book);
        parts.turn = turn.clone();
        parts.agent()
    };
    let (mut first, mut second) = (worker(), worker());
    assert_eq!(first.hear(&both().v2c("private")), Heard::Pending);
    book.take();
    assert_eq!(second.hear(&both().v2c("private")), Heard::Pending);
    assert_eq!(book.take(), [""; 0], "nothing is tested before its turn");
    assert_eq!(second.entity.poll_persist(), None);
    let soon = second.entity.next_timeout(second.now).unwrap();
    assert!(soon > second.now && soon <= second.now + std::time::Duration::from_millis(10));
    assert!(second.wait_until(soon).is_empty());

    let persist = first.persist();
    first.entity.durable(persist.token, true);
    assert_eq!(first.poll().len(), 1);
    let later = second.entity.next_timeout(second.now).unwrap();
    assert!(second.wait_until(later).is_empty());
    let persist = second.persist();
    second.entity.durable(persist.token, true);
    assert_eq!(Answer::of(&second.poll()[0]).error(), (ErrorStatus::NoError, 0));
}

/// However often the worker asks whether it is its turn, and whatever comes meanwhile.
#[test]
fn sets_that_wait_for_another_worker_keep_their_order() {
    let (turn, book) = (SetTurn::default(), Book::default());
    let worker = || {
        let mut parts = with_a_durable_module(&book);
        parts.turn = turn.clone();
        parts.agent()
    };
    let change = |id| Ask { request_id: id, ..both() }.v2c("private");
    let (mut first, mut second) = (worker(), worker());
    assert_eq!(first.hear(&change(1)), Heard::Pending);
    for id in 2..=4 {
        assert_eq!(second.hear(&change(id)), Heard::Pending);
        assert!(second.poll().is_empty());
    }
    let persist = first.persist();
    first.entity.durable(persist.token, true);
    assert_eq!(first.poll().len(), 1);
    // The turn is free, but the next to have it is who has waited longest.
    assert_eq!(second.hear(&change(5)), Heard::Pending);
    let mut answered = vec![];
    assert!(second.poll().is_empty());
    while let Some(persist) = second.entity.poll_persist() {
        second.entity.durable(persist.token, true);
        answered.extend(second.poll().iter().map(|message| Answer::of(message).request_id));
    }
    assert_eq!(answered, [2, 3, 4, 5]);
}

#[test]
fn a_set_that_waits_too_long_for_its_turn_is_given_up() {
    let book = Book::default();
    let mut agent = with_a_durable_module(&book).agent();
    assert_eq!(agent.hear(&both().v2c("private")), Heard::Pending);
    assert_eq!(agent.hear(&both().v2c("private")), Heard::Pending);
    assert!(agent.wait_until(Timestamp::from_secs(1004)).is_empty());
    let sent = agent.wait_until(Timestamp::from_secs(1005));
    assert_eq!(sent.len(), 1);
    assert_eq!(Answer::of(&sent[0]).error(), (ErrorStatus::GenErr, 0));
    // What is already being written has no deadline: nobody knows yet how it ends.
    assert_eq!(agent.entity.next_timeout(agent.now), None);
    assert!(agent.wait_until(Timestamp::from_secs(9000)).is_empty());
    let persist = agent.persist();
    agent.entity.durable(persist.token, true);
    assert_eq!(agent.poll().len(), 1);
}

#[test]
fn no_more_than_a_bounded_number_of_sets_wait() {
    let book = Book::default();
    let mut agent = with_a_durable_module(&book).agent();
    let message = both().v2c("private");
    let mut refused = 0;
    for _ in 0..1000 {
        match agent.hear(&message) {
            Heard::Pending => {}
            Heard::Reply(reply) => {
                let answer = Answer::of(&reply);
                assert_eq!(
                    (answer.error(), answer.var_binds),
                    ((ErrorStatus::ResourceUnavailable, 0), both().var_binds)
                );
                refused += 1;
            }
            Heard::Dropped => panic!("a SET was dropped"),
        }
    }
    assert_eq!(refused, 1000 - 256);
    is_unchanged(&mut agent);
}

#[test]
fn a_set_whose_source_is_gone_is_finished_all_the_same_if_it_has_begun() {
    let book = Book::default();
    let mut agent = with_a_durable_module(&book).agent();
    assert_eq!(agent.hear(&both().v2c("private")), Heard::Pending);
    assert_eq!(agent.hear(&set(&[(location(), text("later"))]).v2c("private")), Heard::Pending);
    agent.entity.forget(|_| true);
    let persist = agent.persist();
    agent.entity.durable(persist.token, true);
    agent.poll();
    assert_eq!(agent.v2c(&get(&[contact(), location()])).values(), [text("ops"), text("roof")]);
    assert_eq!(agent.entity.poll_persist(), None, "what had not begun is forgotten");
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
