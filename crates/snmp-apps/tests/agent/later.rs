//! Answers that take their time, while all others go on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use portreeve_lcd::Lcd;
use portreeve_mib::{Token, modules::snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Timestamp};

use crate::support::{
    agent::{Agent, Heard, Parts, usual_objects},
    answer::Answer,
    ask::{Ask, get, get_bulk, get_next, set},
    ledger::{Book, Ledger},
    manager::Manager,
    names::{scalar, text},
    slow::Slow,
};

fn services() -> Oid {
    scalar(&snmpv2_mib::SYS_SERVICES)
}

fn slow_agent(patience: u64) -> (Agent, Arc<AtomicBool>) {
    let (slow, ready) = Slow::new(&snmpv2_mib::SYS_SERVICES);
    let mut parts = usual_objects(&Book::default()).module(slow);
    parts.settings.patience = Duration::from_secs(patience);
    (parts.agent(), ready)
}

#[test]
fn a_module_that_answers_after_five_seconds_keeps_nobody_else_waiting() {
    let (mut agent, ready) = slow_agent(10);
    let asks = [
        get(&[scalar(&snmpv2_mib::SYS_DESCR), services()]),
        get_next(&[Oid::new(snmpv2_mib::SYS_SERVICES.arcs()).unwrap()]),
        get_bulk(0, 2, &[scalar(&snmpv2_mib::SYS_LOCATION)]),
    ];
    for (ask, id) in asks.iter().zip(1..) {
        let ask = Ask { request_id: id, ..ask.clone() };
        assert_eq!(agent.hear(&ask.v2c("public")), Heard::Pending);
    }
    for second in 1001..1005 {
        assert!(agent.wait_until(Timestamp::from_secs(second)).is_empty());
        agent.is_well();
    }
    ready.store(true, Ordering::Relaxed);
    agent.entity.announce(Slow::TOKEN);
    let answers: Vec<Answer> =
        agent.wait_until(Timestamp::from_secs(1005)).iter().map(|message| Answer::of(message)).collect();
    let ids: Vec<i32> = answers.iter().map(|answer| answer.request_id).collect();
    assert_eq!(ids, [1, 2, 3]);
    let value = OwnedValue::Integer(Slow::VALUE);
    assert_eq!(answers[0].values(), [text("a gate"), value.clone()]);
    assert_eq!(answers[1].value(), value);
    assert_eq!(answers[2].values(), [value, OwnedValue::Integer(3)]);
}

#[test]
fn an_answer_that_never_comes_is_gen_err_at_its_deadline() {
    let (mut agent, _) = slow_agent(5);
    let ask = get(&[scalar(&snmpv2_mib::SYS_DESCR), services()]);
    assert_eq!(agent.hear(&ask.v2c("public")), Heard::Pending);
    let deadline = agent.entity.next_timeout(agent.now).unwrap();
    assert_eq!(deadline, Timestamp::from_secs(1005));
    let sent = agent.wait_until(deadline);
    let answer = Answer::of(&sent[0]);
    assert_eq!((sent.len(), answer.error(), answer.var_binds), (1, (ErrorStatus::GenErr, 2), ask.var_binds));
    assert_eq!(agent.entity.next_timeout(agent.now), None);
}

#[test]
fn a_right_that_is_revoked_while_a_request_waits_is_gone_when_it_is_answered() {
    let (mut agent, ready) = slow_agent(10);
    assert_eq!(agent.hear(&get(&[services()]).v2c("public")), Heard::Pending);
    let generation = agent.lcd.snapshot().generation;
    agent.lcd.publish(Lcd::default(), generation).unwrap();
    ready.store(true, Ordering::Relaxed);
    agent.entity.announce(Slow::TOKEN);
    let sent = agent.wait_until(Timestamp::from_secs(1001));
    assert_eq!(Answer::of(&sent[0]).error(), (ErrorStatus::AuthorizationError, 0));
}

/// A value announced but again not at hand: the request waits on, but not beyond its first deadline.
#[test]
fn a_request_that_is_put_off_again_and_again_keeps_its_deadline() {
    let (mut agent, _) = slow_agent(5);
    assert_eq!(agent.hear(&get(&[services()]).v2c("public")), Heard::Pending);
    for second in 1001..1005 {
        agent.entity.announce(Slow::TOKEN);
        assert!(agent.wait_until(Timestamp::from_secs(second)).is_empty());
    }
    agent.entity.announce(Slow::TOKEN);
    assert_eq!(Answer::of(&agent.wait_until(Timestamp::from_secs(1005))[0]).status, ErrorStatus::GenErr);
}

#[test]
fn tokens_nobody_waits_for_are_ignored() {
    let (mut agent, _) = slow_agent(5);
    agent.entity.announce(Token(99));
    agent.entity.durable(Token(1), true);
    agent.entity.durable(Token(1), false);
    assert!(agent.poll().is_empty());
    agent.is_well();
}

#[test]
fn no_more_than_a_bounded_number_of_requests_wait() {
    let (mut agent, ready) = slow_agent(5);
    let message = get(&[services()]).v2c("public");
    let replies: Vec<Heard> = (0..1000).map(|_| agent.hear(&message)).collect();
    let (pending, refused): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|heard| *heard == Heard::Pending);
    assert_eq!((pending.len(), refused.len()), (256, 744));
    for heard in refused {
        let Heard::Reply(reply) = heard else { panic!("a request was dropped") };
        assert_eq!(Answer::of(&reply).error(), (ErrorStatus::GenErr, 1));
    }
    agent.is_well();
    ready.store(true, Ordering::Relaxed);
    agent.entity.announce(Slow::TOKEN);
    assert_eq!(agent.poll().len(), 256);
}

/// A SET that is committed waits for the disk wherever there is room or not: refusing it now would be a lie.
#[test]
fn a_set_that_has_begun_waits_even_where_nobody_else_may() {
    let (slow, _) = Slow::new(&snmpv2_mib::SYS_SERVICES);
    let book = Book::default();
    let places = Ledger::new("places", &[&snmpv2_mib::SYS_LOCATION], &book).durable();
    let mut agent = Parts::new().module(slow).module(places).agent();
    let message = get(&[services()]).v2c("public");
    while agent.hear(&message) == Heard::Pending {}
    let change = set(&[(scalar(&snmpv2_mib::SYS_LOCATION), text("roof"))]).v2c("private");
    assert_eq!(agent.hear(&change), Heard::Pending);
    let persist = agent.persist();
    agent.entity.durable(persist.token, true);
    assert_eq!(Answer::of(&agent.poll()[0]).value(), text("roof"));
}

#[test]
fn requests_of_a_source_that_is_gone_are_forgotten() {
    let (mut agent, ready) = slow_agent(5);
    assert_eq!(agent.hear(&get(&[services()]).v2c("public")), Heard::Pending);
    agent.entity.forget(|source| *source == 2);
    assert!(agent.entity.next_timeout(agent.now).is_some());
    agent.entity.forget(|source| *source == 1);
    assert_eq!(agent.entity.next_timeout(agent.now), None);
    ready.store(true, Ordering::Relaxed);
    agent.entity.announce(Slow::TOKEN);
    assert!(agent.poll().is_empty());
}

/// The answer is as well protected as the request, however late it is.
#[test]
fn a_late_answer_is_authentic_and_private() {
    let (mut agent, ready) = slow_agent(5);
    let mut ops = Manager::ops().acquainted(&mut agent);
    let message = ops.message(&get(&[services()]));
    assert_eq!(agent.hear(&message), Heard::Pending);
    ready.store(true, Ordering::Relaxed);
    agent.entity.announce(Slow::TOKEN);
    let told = ops.read(&agent.poll()[0]).unwrap();
    assert_eq!((told.answer.value(), told.level), (OwnedValue::Integer(Slow::VALUE), ops.level));
    assert_eq!(told.msg_id, ops.msg_id);
}
