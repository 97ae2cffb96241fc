//! What is kept, for how long, and what becomes of it when one of the three ends goes.

use portreeve_broker_protocol::{Frame, Order, Transport};
use portreeve_channel::Step;

use super::fixture::{Agent, PATIENCE, User, echo, message_of, wait_until};

#[test]
fn a_session_is_shared_one_command_after_the_other_and_goes_when_nobody_wants_it() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = User::new();
        let agent = Agent::start(&user, transport);
        let (mut broker, mut first) = user.keeping(&agent, 1);
        assert_eq!(echo(&mut first, "1"), "1 ops");
        drop(first);
        for n in 0..5 {
            let (mut next, _) = user.ask(&user.order(&agent, 1)).unwrap();
            assert_eq!(echo(&mut next, &n.to_string()), format!("{n} ops"));
        }
        assert_eq!(agent.sessions(), 1, "{transport:?}");
        broker.ends();
        assert!(!user.rendezvous().socket().exists(), "nor does its socket stay");
    }
}

#[test]
fn without_persist_nothing_is_kept_and_nobody_listens() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (mut broker, mut line) = user.keeping(&agent, 0);
    assert_eq!(echo(&mut line, "x"), "x ops");
    assert!(!user.rendezvous().socket().exists());
    drop(line);
    broker.ends();
}

#[test]
fn two_commands_at_the_same_time_have_a_session_each() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (_broker, mut first) = user.keeping(&agent, 60);
    let (mut second, _) = user.ask(&user.order(&agent, 60)).unwrap();
    assert_eq!((echo(&mut first, "1"), echo(&mut second, "2")), ("1 ops".into(), "2 ops".into()));
    assert_eq!(agent.sessions(), 2);
}

#[test]
fn a_command_with_another_certificate_has_a_session_of_its_own() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (_broker, mut first) = user.keeping(&agent, 60);
    assert_eq!(echo(&mut first, "1"), "1 ops");
    drop(first);
    let (mut second, _) = user.ask(&as_boss(&user, user.order(&agent, 60))).unwrap();
    assert_eq!(echo(&mut second, "2"), "2 boss");
}

#[test]
fn a_command_killed_midway_harms_nobody_else() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (mut broker, mut steady) = user.keeping(&agent, 60);
    for n in 0..20 {
        // In the middle of its order, of a message, and with an answer on its way.
        let order = user.order(&agent, 60);
        let socket = user.rendezvous().connect().unwrap();
        let octets = Frame::Order(order.clone()).encode().unwrap();
        std::io::Write::write_all(&mut &socket, &octets[..octets.len() / 2]).unwrap();
        drop(socket);
        let (mut cut, _) = user.ask(&order).unwrap();
        cut.send(&message_of(b"late")[..3]).unwrap();
        drop(cut);
        let (mut hasty, _) = user.ask(&order).unwrap();
        hasty.send(&message_of(b"unread")).unwrap();
        drop(hasty);
        assert_eq!(echo(&mut steady, &n.to_string()), format!("{n} ops"));
    }
    let (mut next, _) = user.ask(&user.order(&agent, 60)).unwrap();
    // An answer that nobody has waited for may come first; the command knows its own by the request-id.
    next.send(&message_of(b"mine")).unwrap();
    wait_until(
        "its own answer",
        || matches!(next.receive(PATIENCE), Ok(Some(Frame::Message(m))) if m.ends_with(b"mine ops")),
    );
    assert!(broker.is_alive());
}

#[test]
fn after_the_agents_restart_the_next_command_has_a_new_session() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = User::new();
        // Somebody else keeps the broker there, which would end with its last session.
        let other = Agent::start(&user, Transport::Tls);
        let (_broker, _line) = user.keeping(&other, 60);
        let mut agent = Agent::start(&user, transport);
        let (mut first, _) = user.ask(&user.order(&agent, 60)).unwrap();
        assert_eq!(echo(&mut first, "1"), "1 ops");
        drop(first);
        let address = agent.address.to_string();
        agent.stop();
        let agent = Agent::at_v4(&user, transport, &address);
        let (mut second, _) = user.ask(&user.order(&agent, 60)).unwrap();
        assert_eq!(echo(&mut second, "2"), "2 ops", "{transport:?}");
        assert_eq!(agent.sessions(), 1);
    }
}

#[test]
fn an_agent_that_goes_while_a_command_waits_is_told_of() {
    let user = User::new();
    let mut agent = Agent::start(&user, Transport::Tls);
    let (_broker, mut line) = user.keeping(&agent, 60);
    agent.stop();
    match line.receive(PATIENCE).unwrap() {
        Some(Frame::Failed(error)) => assert_eq!(error.step, Step::Data, "{error}"),
        other => panic!("{other:?}"),
    }
}

fn as_boss(user: &User, mut order: Order) -> Order {
    for (_, path) in &mut order.options {
        *path = path.replace("ops.", "boss.");
    }
    assert!(user.file("boss.pem").exists());
    order
}
