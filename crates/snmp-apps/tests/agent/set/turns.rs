//! SETs that wait: for the disk, or for their turn.

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_apps::SetTurn;
use portreeve_snmp_engine::statistics::Counter;

use super::{both, contact, is_unchanged, location};
use crate::support::{
    agent::{Agent, Heard, Parts},
    answer::Answer,
    ask::{Ask, get, set},
    ledger::{Book, Ledger},
    names::text,
};

/// Two modules, the second of which keeps its state on disk.
fn with_a_durable_module(book: &Book) -> Parts {
    Parts::new()
        .module(Ledger::new("people", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], book))
        .module(Ledger::new("places", &[&snmpv2_mib::SYS_LOCATION], book).durable())
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
